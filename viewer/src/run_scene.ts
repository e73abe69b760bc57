// One run in the scene: its bodies, joints, springs, contact points and arrows at any time.
import * as THREE from "three";
import { Arrows } from "./arrows";
import { firstAfter, type Field, type Run, type Shape } from "./data";
import { FORCE, IMPULSE, REACTION, color } from "./format";
import { Frames } from "./frames";
import { cornersOf, geometriesOf, unbounded } from "./shapes";
import { closings } from "./timeline";

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
}

const STATUS = ["#999999", "#0072B2", "#E69F00", "#CC79A7"]; // open, stick, slip, spin

export interface Shown {
  forces: boolean;
  impulses: boolean;
  reactions: boolean;
  contacts: boolean;
  logarithmic: boolean;
}

export class RunScene {
  readonly group = new THREE.Group();
  readonly frames: Frames;
  readonly box = new THREE.Box3();
  readonly scale: number;
  readonly largestForce: number;
  readonly largestImpulse: number;
  readonly largestReaction: number;
  readonly forces: Arrows;
  readonly impulses: Arrows;
  readonly reactions: Arrows;
  readonly pickable: THREE.Object3D[] = [];
  private drawn: Drawn[] = [];
  private flocks: Flock[] = [];
  private links: { object: THREE.Object3D; frame: number; at: THREE.Vector3; turn: THREE.Quaternion }[] = [];
  private springs: THREE.LineSegments;
  private points: THREE.InstancedMesh;
  private lines: { field: Field; mesh: THREE.InstancedMesh }[] = [];
  private isClosing: Uint8Array; // rows of the contact table in whose step the contact closed
  private dt: Float32Array | Float64Array;
  private stepTimes: Float64Array;
  contactCount = 0;

  constructor(
    readonly run: Run,
    readonly number: number,
    ghost: boolean,
  ) {
    this.frames = new Frames(run);
    this.measure();
    const size = this.box.getSize(new THREE.Vector3());
    this.scale = Math.max(size.x, size.y, size.z) || 1;
    this.makeBodies(ghost);
    this.makeLines();
    this.makeLinks();
    this.springs = new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: "#777" }));
    this.group.add(this.springs);
    const width = 0.0045 * this.scale;
    this.forces = new Arrows(FORCE, width);
    this.impulses = new Arrows(IMPULSE, width);
    this.reactions = new Arrows(REACTION, 0.8 * width);
    const spot = new THREE.SphereGeometry(1, 12, 8);
    this.points = new THREE.InstancedMesh(spot, new THREE.MeshBasicMaterial({ depthTest: false, transparent: true }), 4096);
    this.points.frustumCulled = false;
    this.points.renderOrder = 9;
    this.points.count = 0;
    for (const arrows of [this.forces, this.impulses, this.reactions]) this.group.add(arrows.group);
    this.group.add(this.points);
    this.stepTimes = (run.stats.get("t") as Float64Array) ?? new Float64Array(0);
    this.dt = run.stats.get("dt") ?? new Float64Array(0);
    this.isClosing = this.findClosing();
    [this.largestForce, this.largestImpulse, this.largestReaction] = this.findLargest();
  }

  // The room that bodies take in all their motion.
  private measure() {
    const scene = this.run.scene;
    const time = this.run.time;
    const bounded = (scene?.shapes ?? []).filter((shape) => !unbounded(shape));
    const looks = Math.max(2, Math.min(80, time.length, Math.ceil(6000 / Math.max(1, bounded.length))));
    const around = bounded.map((shape) => ({ frame: scene!.frames.indexOf(shape.frame), corners: cornersOf(shape, scene!.planar) }));
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

  private makeBodies(ghost: boolean) {
    const scene = this.run.scene;
    if (!scene) return;
    const many = scene.shapes.length > 150;
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
    for (const shape of scene.shapes) {
      if (ghost && shape.frame === "ground") continue;
      const frame = scene.frames.indexOf(shape.frame);
      const base = new THREE.Matrix4().compose(
        new THREE.Vector3(shape.position[0], shape.position[1], shape.position[2] + layer(frame)),
        new THREE.Quaternion(shape.orientation[1], shape.orientation[2], shape.orientation[3], shape.orientation[0]),
        new THREE.Vector3(1, 1, 1),
      );
      if (many && ["sphere", "box", "cylinder"].includes(shape.kind) && shape.frame !== "ground") {
        if (!flocks.has(shape.kind)) flocks.set(shape.kind, []);
        flocks.get(shape.kind)!.push(shape);
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
        if (shape.kind !== "sphere" && !ghost && !unbounded(shape)) {
          const edges = new THREE.LineSegments(new THREE.EdgesGeometry(geometry, 30), new THREE.LineBasicMaterial({ color: "#000", transparent: true, opacity: 0.35 }));
          object.add(edges);
        }
      }
      if (!ghost && (shape.kind === "sphere" || shape.kind === "disc") && shape.frame !== "ground") object.add(turnMark(shape, this.scale));
      object.matrixAutoUpdate = false;
      this.group.add(object);
      this.drawn.push({ object, frame, base, shape, wall: this.frames.link(shape.name, shape.frame) });
    }
    for (const [kind, shapes] of flocks) this.makeFlock(kind, shapes, tint, ghost);
  }

  // Many alike: instances of one shape of size one.
  private makeFlock(kind: string, shapes: Shape[], tint: (s: Shape) => THREE.Color, ghost: boolean) {
    const unit = kind === "sphere" ? new THREE.SphereGeometry(1, shapes.length > 400 ? 12 : 20, shapes.length > 400 ? 8 : 14) : kind === "box" ? new THREE.BoxGeometry(1, 1, 1) : new THREE.CylinderGeometry(1, 1, 2, 18).rotateX(Math.PI / 2);
    const paint = new THREE.MeshLambertMaterial({ transparent: ghost, opacity: ghost ? 0.4 : 1 });
    const mesh = new THREE.InstancedMesh(unit, paint, shapes.length);
    mesh.frustumCulled = false;
    const frames = new Int32Array(shapes.length);
    const bases = shapes.map((shape, i) => {
      frames[i] = this.frames.names.indexOf(shape.frame);
      const s = shape.size;
      const size = kind === "sphere" ? [s[0], s[0], s[0]] : kind === "box" ? s : [s[0], s[0], s[1]];
      mesh.setColorAt(i, tint(shape));
      return new THREE.Matrix4().compose(
        new THREE.Vector3().fromArray(shape.position),
        new THREE.Quaternion(shape.orientation[1], shape.orientation[2], shape.orientation[3], shape.orientation[0]),
        new THREE.Vector3(size[0], size[1], size[2]),
      );
    });
    mesh.userData.shapes = shapes;
    if (!ghost) this.pickable.push(mesh);
    this.group.add(mesh);
    this.flocks.push({ mesh, frames, bases });
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

  private findClosing(): Uint8Array {
    const t = this.run.contacts.get("t") ?? new Float64Array(0);
    const contact = this.run.contacts.get("contact") ?? t;
    const flags = new Uint8Array(t.length);
    const closing = closings(this.run);
    let row = 0;
    for (const event of closing) {
      while (row > 0 && t[row - 1] >= event.t) --row;
      while (row < t.length && t[row] < event.t) ++row;
      for (let i = row; i < t.length && t[i] === event.t; ++i) if (contact[i] === event.contact) flags[i] = 1;
    }
    return flags;
  }

  private findLargest(): [number, number, number] {
    const c = this.run.contacts;
    const pn = c.get("pn");
    let force = 0;
    let impulse = 0;
    let reaction = 0;
    if (pn) {
      const t = c.get("t")!;
      const forces: number[] = [];
      let step = 0;
      for (let i = 0; i < pn.length; ++i) {
        while (step < this.stepTimes.length - 1 && this.stepTimes[step] < t[i]) ++step;
        if (this.isClosing[i]) impulse = Math.max(impulse, pn[i]);
        else if (pn[i] > 0) forces.push(pn[i] / (this.dt[step] || 1));
      }
      forces.sort((a, b) => a - b);
      force = forces[Math.floor(0.995 * (forces.length - 1))] ?? 0;
    }
    const joints = this.run.fields.get("/joint/force");
    if (joints) {
      const sizes: number[] = [];
      for (let i = 0; i + 2 < joints.values.length; i += 3) {
        const f = Math.hypot(joints.values[i], joints.values[i + 1], joints.values[i + 2]);
        if (f > 0) sizes.push(f);
      }
      sizes.sort((a, b) => a - b);
      reaction = sizes[Math.floor(0.98 * (sizes.length - 1))] ?? 0;
    }
    return [force, impulse, reaction];
  }

  update(t: number, shown: Shown, hold: number) {
    this.frames.at(t);
    const matrix = new THREE.Matrix4();
    for (const drawn of this.drawn) {
      drawn.object.matrix.multiplyMatrices(this.frames.matrices[drawn.frame], drawn.base);
      if (drawn.wall && this.frames.magnification >= 1) this.moveWall(drawn);
      drawn.object.matrixWorldNeedsUpdate = true;
    }
    for (const flock of this.flocks) {
      for (let i = 0; i < flock.bases.length; ++i) {
        matrix.multiplyMatrices(this.frames.matrices[flock.frames[i]], flock.bases[i]);
        flock.mesh.setMatrixAt(i, matrix);
      }
      flock.mesh.instanceMatrix.needsUpdate = true;
    }
    for (const link of this.links) {
      matrix.compose(link.at, link.turn, new THREE.Vector3(1, 1, 1));
      link.object.matrix.multiplyMatrices(this.frames.matrices[link.frame], matrix);
      link.object.matrixWorldNeedsUpdate = true;
    }
    this.updateLines(t);
    this.updateSprings();
    this.updateContacts(t, shown, hold);
    this.updateReactions(t, shown);
  }

  // Walls of joints with play stand as much further apart as the motion between them is drawn larger.
  private moveWall(drawn: Drawn) {
    const link = drawn.wall!;
    const by = (this.frames.magnification - 1) * link.play;
    if (this.frames.isGuide(link)) {
      const out = new THREE.Vector3().fromArray(drawn.shape.position).sub(new THREE.Vector3().fromArray(link.point_a));
      const axis = new THREE.Vector3().fromArray(link.axis);
      out.addScaledVector(axis, -axis.dot(out)).normalize().multiplyScalar(by);
      drawn.object.matrix.multiply(new THREE.Matrix4().makeTranslation(out.x, out.y, out.z));
    } else if (drawn.shape.size.length > 1) {
      const f = (drawn.shape.size[1] + by) / drawn.shape.size[1];
      drawn.object.matrix.multiply(new THREE.Matrix4().makeScale(f, f, 1));
    }
  }

  private updateLines(t: number) {
    const k = Math.max(0, firstAfter(this.run.time, t) - 1);
    const from = new THREE.Vector3();
    const to = new THREE.Vector3();
    const matrix = new THREE.Matrix4();
    for (const { field, mesh } of this.lines) {
      const [, rows, width] = field.shape;
      const read = (node: number, out: THREE.Vector3) => {
        const i = (k * rows + node) * width;
        return out.set(field.values[i], field.values[i + 1], width > 2 ? field.values[i + 2] : 0);
      };
      for (let i = 0; i + 1 < rows; ++i) {
        read(i, from);
        read(i + 1, to).sub(from);
        const length = to.length();
        const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 1, 0), to.clone().normalize());
        matrix.compose(from.addScaledVector(to, 0.5), turn, new THREE.Vector3(0.006 * this.scale, length, 0.006 * this.scale));
        mesh.setMatrixAt(i, matrix);
      }
      mesh.instanceMatrix.needsUpdate = true;
    }
  }

  private updateSprings() {
    const vertices: number[] = [];
    const from = new THREE.Vector3();
    const to = new THREE.Vector3();
    for (const link of this.run.scene?.links ?? []) {
      if (link.kind !== "spring" && link.kind !== "bushing") continue;
      from.fromArray(link.point_a).applyMatrix4(this.frames.matrices[this.frames.names.indexOf(link.frame_a)]);
      to.fromArray(link.point_b).applyMatrix4(this.frames.matrices[this.frames.names.indexOf(link.frame_b)]);
      const along = to.clone().sub(from);
      const across = new THREE.Vector3(-along.y, along.x, 0);
      if (across.lengthSq() === 0) across.set(1, 0, 0);
      across.normalize().multiplyScalar(0.02 * this.scale);
      const turns = 16;
      const last = from.clone();
      for (let i = 1; i <= turns + 1; ++i) {
        const next = i > turns ? to.clone() : from.clone().addScaledVector(along, (i - 0.5) / turns).addScaledVector(across, i % 2 ? 1 : -1);
        vertices.push(last.x, last.y, last.z, next.x, next.y, next.z);
        last.copy(next);
      }
    }
    if (vertices.length === 0) return;
    this.springs.geometry.dispose();
    this.springs.geometry = new THREE.BufferGeometry();
    this.springs.geometry.setAttribute("position", new THREE.Float32BufferAttribute(vertices, 3));
  }

  private length(value: number, largest: number, shown: Shown): number {
    if (!(value > 0) || !(largest > 0)) return 0;
    const whole = 0.22 * this.scale;
    if (!shown.logarithmic) return whole * Math.min(1.5, value / largest);
    return whole * Math.max(0.06, Math.min(1, 1 + Math.log10(value / largest) / 4)); // four decades
  }

  // Contacts of the steps since the last sample: mean forces where they stay closed, the whole impulse where one closed. An impulse
  // is seen for a while, ever thinner.
  private updateContacts(t: number, shown: Shown, hold: number) {
    for (const arrows of [this.forces, this.impulses]) arrows.clear();
    const c = this.run.contacts;
    const times = c.get("t");
    let spots = 0;
    if (times && times.length > 0) {
      const now = firstAfter(this.stepTimes, t * (1 + 1e-12)) - 1; // the step that ends at or before t
      const t1 = now >= 0 ? this.stepTimes[now] : -Infinity;
      const k = Math.max(0, firstAfter(this.run.time, t1) - 1);
      const t0 = Math.min(this.run.time[Math.max(0, k - (this.run.time[k] === t1 ? 1 : 0))], now > 0 ? this.stepTimes[now - 1] : -Infinity);
      const end = firstAfter(times, t1);
      const begin = firstAfter(times, Math.min(t0, t - hold));
      const contact = c.get("contact")!;
      const get = (name: string) => c.get(name)!;
      const [x, y, z, px, py, pz, status] = ["x", "y", "z", "px", "py", "pz", "status"].map(get);
      const at = new THREE.Vector3();
      const p = new THREE.Vector3();
      const sums = new Map<number, { at: THREE.Vector3; p: THREE.Vector3; status: number }>();
      for (let i = begin; i < end; ++i) {
        if (!Number.isFinite(x[i])) continue;
        at.set(x[i], y[i], z[i]);
        p.set(px[i], py[i], pz[i]);
        if (this.isClosing[i]) {
          const age = hold > 0 ? Math.max(0, (t - times[i]) / hold) : 0;
          if ((age > 1 && times[i] <= t0) || !shown.impulses) continue;
          const name = this.run.names["/contact"][contact[i]];
          this.impulses.add(this.frames.drawn(name, at), p, this.length(p.length(), this.largestImpulse, shown), Math.max(0.35, 1 - 0.65 * Math.min(1, age)));
        } else if (times[i] > t0) {
          const known = sums.get(contact[i]);
          if (known) {
            known.p.add(p);
            known.at.copy(at);
            known.status = status[i];
          } else sums.set(contact[i], { at: at.clone(), p: p.clone(), status: status[i] });
        }
        if (times[i] > t0 && this.isClosing[i] && shown.contacts && spots < 4096) this.spot(spots++, this.frames.drawn(this.run.names["/contact"][contact[i]], at.set(x[i], y[i], z[i])), status[i]);
      }
      const span = t1 - t0 || 1;
      for (const [number, sum] of sums) {
        const place = this.frames.drawn(this.run.names["/contact"][number], sum.at);
        if (shown.forces) this.forces.add(place, sum.p, this.length(sum.p.length() / span, this.largestForce, shown));
        if (shown.contacts && spots < 4096 && sum.p.lengthSq() > 0) this.spot(spots++, place, sum.status);
      }
    }
    this.contactCount = spots;
    this.points.count = spots;
    this.points.instanceMatrix.needsUpdate = true;
    if (this.points.instanceColor) this.points.instanceColor.needsUpdate = true;
    this.forces.show();
    this.impulses.show();
  }

  private spot(i: number, at: THREE.Vector3, status: number) {
    const r = 0.008 * this.scale;
    this.points.setMatrixAt(i, new THREE.Matrix4().makeScale(r, r, r).setPosition(at));
    this.points.setColorAt(i, new THREE.Color(STATUS[status] ?? STATUS[0]));
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
        const f = new THREE.Vector3(force.values[i], force.values[i + 1], force.values[i + 2]);
        const at = new THREE.Vector3(point.values[i], point.values[i + 1], point.values[i + 2]);
        this.reactions.add(at, f, this.length(f.length(), this.largestReaction, shown));
      }
    }
    this.reactions.show();
  }
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
