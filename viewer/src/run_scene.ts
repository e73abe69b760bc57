// One run in the scene: its bodies, joints, springs and beams at any time; contacts are in contact_marks.ts. Bodies of one shape are
// instances of one mesh where there are many. Nothing is allocated in a frame.
import * as THREE from "three";
import { Arrows } from "./arrows";
import { ContactMarks, arrowLength } from "./contact_marks";
import { firstAfter, type Field, type Run, type Shape } from "./data";
import { REACTION, color } from "./format";
import { Frames } from "./frames";
import { cornersOf, geometriesOf, unbounded } from "./shapes";
import { SphereSprites } from "./sphere_sprites";

interface Drawn {
  object: THREE.Object3D;
  frame: number;
  base: THREE.Matrix4;
  shape: Shape;
  wall: ReturnType<Frames["link"]>; // of a joint with play
}
interface Flock {
  mesh: THREE.InstancedMesh;
  frames: Int32Array;
  bases: THREE.Matrix4[];
  // For motion that is too slow otherwise: fewer corners, or sprites.
  fine: THREE.BufferGeometry;
  coarse: THREE.BufferGeometry;
  sprites: SphereSprites | null;
}
interface Spring {
  a: number;
  b: number;
  pointA: THREE.Vector3;
  pointB: THREE.Vector3;
}

const SCALED = new Set(["sphere", "box", "cylinder"]); // any size is the unit, scaled
const MANY = 150; // shapes
const TURNS = 16; // of a spring
const EDGED = 0.025; // of the scene: what is smaller would be all edges

export interface Shown {
  forces: boolean;
  impulses: boolean;
  reactions: boolean;
  contacts: boolean;
  cones: boolean;
  logarithmic: boolean;
}

export class RunScene {
  readonly group = new THREE.Group();
  readonly frames: Frames;
  readonly box = new THREE.Box3();
  readonly scale: number;
  readonly contacts: ContactMarks;
  readonly largestReaction: number;
  readonly reactions: Arrows;
  readonly pickable: THREE.Object3D[] = [];
  private shapes: Shape[];
  private drawn: Drawn[] = [];
  private flocks: Flock[] = [];
  private links: { object: THREE.Object3D; frame: number; at: THREE.Vector3; turn: THREE.Quaternion }[] = [];
  private springs: Spring[] = [];
  private coils: THREE.LineSegments;
  private lines: { field: Field; mesh: THREE.InstancedMesh }[] = [];
  private matrix = new THREE.Matrix4();
  private from = new THREE.Vector3();
  private to = new THREE.Vector3();
  private last = new THREE.Vector3();
  private across = new THREE.Vector3();
  private size = new THREE.Vector3();
  private turn = new THREE.Quaternion();

  constructor(
    readonly run: Run,
    readonly number: number,
    ghost: boolean,
  ) {
    this.frames = new Frames(run);
    this.shapes = (run.scene?.shapes ?? []).map((shape) => this.prolonged(shape));
    this.measure();
    const size = this.box.getSize(new THREE.Vector3());
    this.scale = Math.max(size.x, size.y, size.z) || 1;
    this.makeBodies(ghost);
    this.makeLines();
    this.makeLinks();
    this.coils = this.makeSprings();
    this.contacts = new ContactMarks(run, this.frames, this.scale);
    this.reactions = new Arrows(REACTION, 0.0036 * this.scale);
    this.group.add(this.coils, this.contacts.group, this.reactions.group);
    this.largestReaction = this.findLargestReaction();
  }

  // The room that bodies take in all their motion.
  private measure() {
    const scene = this.run.scene;
    const time = this.run.time;
    const bounded = this.shapes.filter((shape) => !unbounded(shape));
    const looks = Math.max(2, Math.min(80, time.length, Math.ceil(6000 / Math.max(1, bounded.length))));
    const around = bounded.map((shape) => ({ frame: this.frames.number.get(shape.frame)!, corners: cornersOf(shape, scene!.planar) }));
    const corner = new THREE.Vector3();
    for (let k = 0; k < looks; ++k) {
      this.frames.at(time[Math.floor((k * (time.length - 1)) / (looks - 1))]);
      for (const { frame, corners } of around) for (const c of corners) this.box.expandByPoint(corner.copy(c).applyMatrix4(this.frames.plain[frame]));
    }
    for (const field of this.nodeFields()) {
      const width = field.shape[2];
      for (let i = 0; i < field.values.length; i += width)
        this.box.expandByPoint(corner.set(field.values[i], field.values[i + 1], width > 2 ? field.values[i + 2] : 0));
    }
    if (this.box.isEmpty()) this.box.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
  }

  // Nodes of beams: pools of poses that are no frames of the scene.
  private nodeFields(): Field[] {
    const known = ["/body", "/planar_body", "/frame"];
    return [...this.run.fields.values()].filter((f) => {
      if (!f.path.endsWith("/position") || f.shape.length !== 3) return false;
      const pool = f.path.slice(0, -"/position".length);
      return !known.includes(pool) && (this.run.fields.has(`${pool}/angle`) || this.run.fields.has(`${pool}/orientation`));
    });
  }

  // The walls of a guide reach as far as what moves between them, and a quarter of their drawn length beyond.
  private prolonged(shape: Shape): Shape {
    const link = this.frames.link(shape.name, shape.frame);
    if (!link || shape.kind !== "box" || !this.frames.isGuide(link)) return shape;
    const axis = new THREE.Vector3().fromArray(link.axis);
    const middle = new THREE.Vector3().fromArray(shape.position);
    const at = axis.dot(this.from.fromArray(link.point_a).sub(middle));
    const [low, high] = this.frames.reach(link);
    const [length, ...rest] = shape.size;
    const from = Math.min(-0.5 * length, at + low - 0.25 * length);
    const to = Math.max(0.5 * length, at + high + 0.25 * length);
    return { ...shape, position: middle.addScaledVector(axis, 0.5 * (from + to)).toArray(), size: [to - from, ...rest] };
  }

  private makeBodies(ghost: boolean) {
    const scene = this.run.scene;
    if (!scene) return;
    const many = this.shapes.length > MANY;
    const hues = new Map<string, string>();
    const tint = (shape: Shape): THREE.Color => {
      if (ghost) return new THREE.Color(color(this.number));
      if (shape.frame === "ground") return new THREE.Color(shape.color ?? "#9aa3ad");
      if (!hues.has(shape.frame)) hues.set(shape.frame, color(hues.size));
      return new THREE.Color(shape.color ?? hues.get(shape.frame)!);
    };
    const material = (shape: Shape) =>
      new THREE.MeshLambertMaterial({
        color: tint(shape),
        transparent: ghost || unbounded(shape),
        opacity: ghost ? 0.3 : shape.kind === "half_space" ? 0.55 : 1,
        side: shape.kind === "polyhedron" ? THREE.DoubleSide : THREE.FrontSide,
      });
    // In the plane later frames lie behind earlier ones, so that links are not hidden by what they carry.
    const layer = (frame: number) => (scene.planar ? (frame > 0 ? 3 - ((frame - 1) % 4) : -1) * 0.03 * this.scale : 0);
    const flocks = new Map<string, Shape[]>();
    for (const shape of this.shapes) {
      if (ghost && shape.frame === "ground") continue;
      const frame = this.frames.number.get(shape.frame)!;
      const base = new THREE.Matrix4().compose(
        new THREE.Vector3(shape.position[0], shape.position[1], shape.position[2] + layer(frame)),
        new THREE.Quaternion(shape.orientation[1], shape.orientation[2], shape.orientation[3], shape.orientation[0]),
        new THREE.Vector3(1, 1, 1),
      );
      if (many && shape.frame !== "ground") {
        const alike = SCALED.has(shape.kind) ? shape.kind : JSON.stringify([shape.kind, shape.size, shape.points, shape.faces]);
        if (!flocks.has(alike)) flocks.set(alike, []);
        flocks.get(alike)!.push(shape);
        continue;
      }
      const object = new THREE.Group();
      const paint = material(shape);
      for (const geometry of geometriesOf(shape, scene.planar, this.scale, !many)) {
        const mesh = new THREE.Mesh(geometry, paint);
        mesh.userData.name = shape.name;
        mesh.userData.frame = shape.frame;
        object.add(mesh);
        if (!ghost && !unbounded(shape)) this.pickable.push(mesh);
        if (shape.kind !== "sphere" && !ghost && !unbounded(shape) && sizeOf(geometry) > EDGED * this.scale) {
          const edges = new THREE.LineSegments(new THREE.EdgesGeometry(geometry, 30), new THREE.LineBasicMaterial({ color: "#000", transparent: true, opacity: 0.35 }));
          object.add(edges);
        }
      }
      if (!ghost && (shape.kind === "sphere" || shape.kind === "disc") && shape.frame !== "ground") object.add(turnMark(shape, this.scale));
      object.matrixAutoUpdate = false;
      this.group.add(object);
      this.drawn.push({ object, frame, base, shape, wall: this.frames.link(shape.name, shape.frame) });
    }
    for (const shapes of flocks.values()) this.makeFlock(shapes, tint, layer, ghost);
  }

  // Many alike: instances of one shape, of size one where a size is all that tells them apart. What has several parts (a broken line) has
  // an instance of each.
  private makeFlock(shapes: Shape[], tint: (s: Shape) => THREE.Color, layer: (frame: number) => number, ghost: boolean) {
    const planar = !!this.run.scene?.planar;
    const { kind } = shapes[0];
    const scaled = SCALED.has(kind);
    const crowd = shapes.length > 400;
    const units = (fine: boolean): THREE.BufferGeometry[] =>
      kind === "sphere"
        ? [crowd ? new THREE.SphereGeometry(1, 14, 10) : new THREE.SphereGeometry(1, 20, 14)]
        : kind === "box"
          ? [new THREE.BoxGeometry(1, 1, 1)]
          : kind === "cylinder"
            ? [new THREE.CylinderGeometry(1, 1, 2, fine ? 18 : 8).rotateX(Math.PI / 2)]
            : geometriesOf(shapes[0], planar, this.scale, false);
    const coarse = units(false);
    units(true).forEach((fine, part) => {
      const paint = new THREE.MeshLambertMaterial({ transparent: ghost, opacity: ghost ? 0.4 : 1, side: kind === "polyhedron" ? THREE.DoubleSide : THREE.FrontSide });
      const mesh = new THREE.InstancedMesh(fine, paint, shapes.length);
      mesh.frustumCulled = false;
      const frames = new Int32Array(shapes.length);
      const bases = shapes.map((shape, i) => {
        frames[i] = this.frames.number.get(shape.frame)!;
        const s = shape.size;
        const size = !scaled ? [1, 1, 1] : kind === "sphere" ? [s[0], s[0], s[0]] : kind === "box" ? [s[0], s[1], planar ? Math.min(s[2], 0.028 * this.scale) : s[2]] : [s[0], s[0], s[1]];
        mesh.setColorAt(i, tint(shape));
        return new THREE.Matrix4().compose(
          new THREE.Vector3(shape.position[0], shape.position[1], shape.position[2] + layer(frames[i])),
          new THREE.Quaternion(shape.orientation[1], shape.orientation[2], shape.orientation[3], shape.orientation[0]),
          new THREE.Vector3(size[0], size[1], size[2]),
        );
      });
      mesh.userData.shapes = shapes;
      if (!ghost) this.pickable.push(mesh);
      this.group.add(mesh);
      const sprites = kind === "sphere" && !ghost ? new SphereSprites(shapes.map((shape) => shape.size[0]), shapes.map(tint)) : null;
      if (sprites) this.group.add(sprites.points);
      this.flocks.push({ mesh, frames, bases, fine, coarse: coarse[part], sprites });
    });
  }

  get crowded(): boolean {
    return this.shapes.length > MANY;
  }
  // Less to draw while a motion is too slow for the machine.
  set coarse(wanted: boolean) {
    for (const flock of this.flocks) {
      flock.mesh.geometry = wanted ? flock.coarse : flock.fine;
      flock.mesh.visible = !(wanted && flock.sprites);
      if (flock.sprites) flock.sprites.points.visible = wanted;
    }
  }

  private makeLines() {
    for (const field of this.nodeFields()) {
      const segments = Math.max(1, field.shape[1] - 1);
      const mesh = new THREE.InstancedMesh(
        new THREE.CylinderGeometry(1, 1, 1, 10),
        new THREE.MeshLambertMaterial({ color: color(this.number) }),
        segments,
      );
      mesh.frustumCulled = false;
      this.group.add(mesh);
      this.lines.push({ field, mesh });
    }
  }

  private makeLinks() {
    const onTop = !!this.run.scene?.planar;
    const paint = new THREE.MeshBasicMaterial({ color: "#222", depthTest: !onTop, transparent: onTop });
    const rim = new THREE.MeshBasicMaterial({ color: "#fff", depthTest: !onTop, transparent: onTop });
    for (const link of this.run.scene?.links ?? []) {
      if (link.kind === "spring" || link.kind === "bushing" || link.kind === "clearance" || link.kind === "prismatic") continue;
      const r = 0.011 * this.scale;
      const object = new THREE.Group();
      if (link.kind === "spherical" || link.kind === "universal") object.add(new THREE.Mesh(new THREE.SphereGeometry(r, 16, 12), paint));
      else {
        object.add(new THREE.Mesh(new THREE.CylinderGeometry(r, r, 6 * r, 20).rotateX(Math.PI / 2), paint));
        object.add(new THREE.Mesh(new THREE.CylinderGeometry(0.55 * r, 0.55 * r, 6.2 * r, 20).rotateX(Math.PI / 2), rim));
      }
      object.children.forEach((mesh, k) => (mesh.renderOrder = 5 + k));
      object.matrixAutoUpdate = false;
      this.group.add(object);
      const axis = new THREE.Vector3().fromArray(link.axis);
      this.links.push({
        object,
        frame: this.frames.names.indexOf(link.frame_a),
        at: new THREE.Vector3().fromArray(link.point_a),
        turn: new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), axis.lengthSq() > 0 ? axis.normalize() : new THREE.Vector3(0, 0, 1)),
      });
    }
  }

  private makeSprings(): THREE.LineSegments {
    for (const link of this.run.scene?.links ?? []) {
      if (link.kind !== "spring" && link.kind !== "bushing") continue;
      this.springs.push({
        a: this.frames.number.get(link.frame_a)!,
        b: this.frames.number.get(link.frame_b)!,
        pointA: new THREE.Vector3().fromArray(link.point_a),
        pointB: new THREE.Vector3().fromArray(link.point_b),
      });
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(new Float32Array(6 * (TURNS + 1) * this.springs.length), 3));
    const coils = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ color: "#777" }));
    coils.frustumCulled = false;
    return coils;
  }

  private findLargestReaction(): number {
    const joints = this.run.fields.get("/joint/force");
    const sizes: number[] = [];
    for (let i = 0; joints && i + 2 < joints.values.length; i += 3) {
      const f = Math.hypot(joints.values[i], joints.values[i + 1], joints.values[i + 2]);
      if (f > 0) sizes.push(f);
    }
    sizes.sort((a, b) => a - b);
    return sizes[Math.floor(0.98 * (sizes.length - 1))] ?? 0;
  }

  update(t: number, shown: Shown, hold: number) {
    this.frames.at(t);
    const matrix = this.matrix;
    for (const drawn of this.drawn) {
      drawn.object.matrix.multiplyMatrices(this.frames.matrices[drawn.frame], drawn.base);
      if (drawn.wall && this.frames.magnification >= 1) this.moveWall(drawn);
      drawn.object.matrixWorldNeedsUpdate = true;
    }
    for (const flock of this.flocks) {
      for (let i = 0; i < flock.bases.length; ++i) {
        matrix.multiplyMatrices(this.frames.matrices[flock.frames[i]], flock.bases[i]);
        if (flock.mesh.visible) flock.mesh.setMatrixAt(i, matrix);
        else flock.sprites!.place(i, matrix);
      }
      if (flock.mesh.visible) flock.mesh.instanceMatrix.needsUpdate = true;
      else flock.sprites!.show();
    }
    for (const link of this.links) {
      matrix.compose(link.at, link.turn, this.size.set(1, 1, 1));
      link.object.matrix.multiplyMatrices(this.frames.matrices[link.frame], matrix);
      link.object.matrixWorldNeedsUpdate = true;
    }
    this.updateLines(t);
    this.updateSprings();
    this.contacts.update(t, shown, hold);
    this.updateReactions(t, shown);
  }

  // Walls of joints with play stand as much further apart as the motion between them is drawn larger.
  private moveWall(drawn: Drawn) {
    const link = drawn.wall!;
    const by = (this.frames.magnification - 1) * link.play;
    if (this.frames.isGuide(link)) {
      // In the frame of the guide: its walls need not stand along it.
      const out = this.from.fromArray(drawn.shape.position).sub(this.to.fromArray(link.point_a));
      const axis = this.to.fromArray(link.axis);
      out.addScaledVector(axis, -axis.dot(out)).normalize().multiplyScalar(by);
      this.matrix.makeTranslation(out.x, out.y, out.z).multiply(drawn.base);
      drawn.object.matrix.multiplyMatrices(this.frames.matrices[drawn.frame], this.matrix);
    } else if (drawn.shape.size.length > 1) {
      const f = (drawn.shape.size[1] + by) / drawn.shape.size[1];
      drawn.object.matrix.multiply(this.matrix.makeScale(f, f, 1));
    }
  }

  private updateLines(t: number) {
    const k = Math.max(0, firstAfter(this.run.time, t) - 1);
    const { from, to, turn, size, across, matrix } = this;
    for (const { field, mesh } of this.lines) {
      const rows = field.shape[1];
      for (let i = 0; i + 1 < rows; ++i) {
        this.node(field, k, i, from);
        this.node(field, k, i + 1, to).sub(from);
        const length = to.length();
        from.addScaledVector(to, 0.5);
        turn.setFromUnitVectors(across.set(0, 1, 0), to.normalize());
        matrix.compose(from, turn, size.set(0.006 * this.scale, length, 0.006 * this.scale));
        mesh.setMatrixAt(i, matrix);
      }
      mesh.instanceMatrix.needsUpdate = true;
    }
  }
  private node(field: Field, k: number, node: number, out: THREE.Vector3): THREE.Vector3 {
    const width = field.shape[2];
    const i = (k * field.shape[1] + node) * width;
    return out.set(field.values[i], field.values[i + 1], width > 2 ? field.values[i + 2] : 0);
  }

  private updateSprings() {
    if (this.springs.length === 0) return;
    const { from, to, last, across, size: next } = this;
    const position = this.coils.geometry.getAttribute("position") as THREE.BufferAttribute;
    let corner = 0;
    for (const spring of this.springs) {
      from.copy(spring.pointA).applyMatrix4(this.frames.matrices[spring.a]);
      to.copy(spring.pointB).applyMatrix4(this.frames.matrices[spring.b]);
      to.sub(from); // along it
      across.set(-to.y, to.x, 0);
      if (across.lengthSq() === 0) across.set(1, 0, 0);
      across.normalize().multiplyScalar(0.02 * this.scale);
      last.copy(from);
      for (let i = 1; i <= TURNS + 1; ++i) {
        next.copy(from).addScaledVector(to, i > TURNS ? 1 : (i - 0.5) / TURNS);
        if (i <= TURNS) next.addScaledVector(across, i % 2 ? 1 : -1);
        position.setXYZ(corner++, last.x, last.y, last.z);
        position.setXYZ(corner++, next.x, next.y, next.z);
        last.copy(next);
      }
    }
    position.needsUpdate = true;
  }

  private updateReactions(t: number, shown: Shown) {
    this.reactions.clear();
    const force = this.run.fields.get("/joint/force");
    const point = this.run.fields.get("/joint/point");
    if (shown.reactions && force && point) {
      const k = Math.max(0, firstAfter(this.run.time, t) - 1);
      const rows = force.shape[1];
      for (let j = 0; j < rows; ++j) {
        const i = 3 * (k * rows + j);
        this.to.fromArray(force.values, i);
        this.reactions.add(this.from.fromArray(point.values, i), this.to, arrowLength(this.to.length(), this.largestReaction, this.scale, shown.logarithmic));
      }
    }
    this.reactions.show();
  }
}

function sizeOf(geometry: THREE.BufferGeometry): number {
  geometry.computeBoundingSphere();
  return 2 * geometry.boundingSphere!.radius;
}

// A line or a band that shows how a round thing turns.
function turnMark(shape: Shape, scale: number): THREE.Object3D {
  const r = shape.size[0];
  const paint = new THREE.LineBasicMaterial({ color: "#000", transparent: true, opacity: 0.45 });
  const points: THREE.Vector3[] = [];
  if (shape.kind === "disc") {
    const z = 0.5 * Math.min(0.04 * scale, r) * 1.02;
    points.push(new THREE.Vector3(0, 0, z), new THREE.Vector3(0.92 * r, 0, z));
  } else {
    for (const plane of [0, 1])
      for (let i = 0; i <= 48; ++i) {
        const a = (2 * Math.PI * i) / 48;
        points.push(plane === 0 ? new THREE.Vector3(1.003 * r * Math.cos(a), 1.003 * r * Math.sin(a), 0) : new THREE.Vector3(1.003 * r * Math.cos(a), 0, 1.003 * r * Math.sin(a)));
      }
  }
  return new THREE.Line(new THREE.BufferGeometry().setFromPoints(points), paint);
}
