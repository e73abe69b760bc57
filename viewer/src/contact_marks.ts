// What contacts do, in the scene: their points, mean forces of those that stay closed, whole impulses of those that close, and on demand
// the cones that friction keeps these in: apex at the contact, the normal as axis, half angle atan(friction). All are instances of a few
// meshes and all sums stand in arrays made once: nothing is allocated in a frame.
import * as THREE from "three";
import { Arrows } from "./arrows";
import { firstAfter, type Run } from "./data";
import { FORCE, IMPULSE } from "./format";
import type { Frames } from "./frames";
import type { Shown } from "./run_scene";
import { closings } from "./timeline";

const STATUS = ["#999999", "#0072B2", "#E69F00", "#CC79A7"].map((c) => new THREE.Color(c)); // open, stick, slip, spin
const MOST = 4096;
const CONE = 0.12; // height of a cone in the scene

// Sum over the steps since the last sample, of each contact: where, impulse, normal, status, friction.
const [X, P, N, S, MU, WIDTH] = [0, 3, 6, 9, 10, 11];

export class ContactMarks {
  readonly group = new THREE.Group();
  readonly forces: Arrows;
  readonly impulses: Arrows;
  readonly largestForce: number;
  readonly largestImpulse: number;
  readonly hasCones: boolean;
  count = 0; // contacts that act
  coneCount = 0;
  private points: THREE.InstancedMesh;
  private cones: THREE.InstancedMesh;
  private closing: Uint8Array; // rows of the table in whose step the contact closed
  private steps: Float64Array;
  private carriers: Int32Array; // of contacts, see Frames::carrier
  private sums: Float64Array;
  private summed: Int32Array;
  private place: Int32Array; // of a contact in `summed`, -1: not there
  private at = new THREE.Vector3();
  private p = new THREE.Vector3();
  private n = new THREE.Vector3();
  private size = new THREE.Vector3();
  private up = new THREE.Vector3(0, 1, 0);
  private turn = new THREE.Quaternion();
  private matrix = new THREE.Matrix4();
  private columns: (Float32Array | Float64Array)[];

  constructor(
    private run: Run,
    private frames: Frames,
    private scale: number,
  ) {
    const names = run.names["/contact"] ?? [];
    const many = names.length > 100;
    const width = 0.0045 * scale;
    this.forces = new Arrows(FORCE, width, many);
    this.impulses = new Arrows(IMPULSE, width, many);
    const spot = many ? new THREE.IcosahedronGeometry(1, 0) : new THREE.SphereGeometry(1, 12, 8);
    this.points = this.instances(spot, new THREE.MeshBasicMaterial({ depthTest: false, transparent: true }), 9);
    const cone = new THREE.ConeGeometry(1, 1, many ? 10 : 28, 1, true).rotateX(Math.PI).translate(0, 0.5, 0);
    this.cones = this.instances(cone, new THREE.MeshBasicMaterial({ side: THREE.DoubleSide, transparent: true, opacity: 0.28, depthWrite: false }), 8);
    this.group.add(this.forces.group, this.impulses.group, this.points, this.cones);
    this.steps = (run.stats.get("t") as Float64Array) ?? new Float64Array(0);
    this.closing = this.findClosing();
    [this.largestForce, this.largestImpulse] = this.findLargest();
    this.carriers = Int32Array.from(names, (name) => frames.carrier(name));
    this.sums = new Float64Array(WIDTH * names.length);
    this.summed = new Int32Array(names.length);
    this.place = new Int32Array(names.length).fill(-1);
    const none = new Float64Array(0);
    this.columns = ["t", "contact", "x", "y", "z", "px", "py", "pz", "status", "nx", "ny", "nz", "friction"].map((name) => run.contacts.get(name) ?? none);
    this.hasCones = this.columns[12].some((mu) => mu > 0);
  }

  private instances(shape: THREE.BufferGeometry, paint: THREE.Material, order: number): THREE.InstancedMesh {
    const mesh = new THREE.InstancedMesh(shape, paint, MOST);
    mesh.instanceColor = new THREE.InstancedBufferAttribute(new Float32Array(3 * MOST), 3);
    mesh.frustumCulled = false;
    mesh.renderOrder = order;
    mesh.count = 0;
    return mesh;
  }

  private findClosing(): Uint8Array {
    const t = this.run.contacts.get("t") ?? new Float64Array(0);
    const contact = this.run.contacts.get("contact") ?? t;
    const flags = new Uint8Array(t.length);
    let row = 0;
    for (const event of closings(this.run)) {
      while (row > 0 && t[row - 1] >= event.t) --row;
      while (row < t.length && t[row] < event.t) ++row;
      for (let i = row; i < t.length && t[i] === event.t; ++i) if (contact[i] === event.contact) flags[i] = 1;
    }
    return flags;
  }

  private findLargest(): [number, number] {
    const pn = this.run.contacts.get("pn");
    if (!pn) return [0, 0];
    const dt = this.run.stats.get("dt") ?? new Float64Array(0);
    const t = this.run.contacts.get("t")!;
    const forces: number[] = [];
    let impulse = 0;
    let step = 0;
    for (let i = 0; i < pn.length; ++i) {
      while (step < this.steps.length - 1 && this.steps[step] < t[i]) ++step;
      if (this.closing[i]) impulse = Math.max(impulse, pn[i]);
      else if (pn[i] > 0) forces.push(pn[i] / (dt[step] || 1));
    }
    forces.sort((a, b) => a - b);
    return [forces[Math.floor(0.995 * (forces.length - 1))] ?? 0, impulse];
  }

  // Contacts of the steps since the last sample. An impulse is seen for a while, ever thinner.
  update(t: number, shown: Shown, hold: number) {
    this.forces.clear();
    this.impulses.clear();
    this.count = this.coneCount = 0;
    if (this.columns[0].length > 0) this.fill(t, shown, hold);
    this.points.count = this.count;
    this.cones.count = this.coneCount;
    for (const mesh of [this.points, this.cones]) {
      if (mesh.count === 0) continue;
      mesh.instanceMatrix.needsUpdate = true;
      mesh.instanceColor!.needsUpdate = true;
    }
    this.forces.show();
    this.impulses.show();
  }

  private fill(t: number, shown: Shown, hold: number) {
    const [times, contact, x, y, z, px, py, pz, status, nx, ny, nz, friction] = this.columns;
    const now = firstAfter(this.steps, t * (1 + 1e-12)) - 1; // the step that ends at or before t
    const t1 = now >= 0 ? this.steps[now] : -Infinity;
    const k = Math.max(0, firstAfter(this.run.time, t1) - 1);
    const t0 = Math.min(this.run.time[Math.max(0, k - (this.run.time[k] === t1 ? 1 : 0))], now > 0 ? this.steps[now - 1] : -Infinity);
    const end = firstAfter(times, t1);
    const begin = firstAfter(times, Math.min(t0, t - hold));
    const oriented = nx.length > 0;
    let kept = 0;
    for (let i = begin; i < end; ++i) {
      if (!Number.isFinite(x[i])) continue;
      const number = contact[i];
      if (this.closing[i]) {
        const age = hold > 0 ? Math.max(0, (t - times[i]) / hold) : 0;
        const recent = times[i] > t0;
        if (age > 1 && !recent) continue;
        this.at.set(x[i], y[i], z[i]);
        this.p.set(px[i], py[i], pz[i]);
        this.frames.drawn(this.carriers[number], this.at);
        if (shown.impulses) this.impulses.add(this.at, this.p, this.length(this.p.length(), this.largestImpulse, shown), Math.max(0.35, 1 - 0.65 * Math.min(1, age)));
        if (recent && oriented) this.n.set(nx[i], ny[i], nz[i]);
        if (recent) this.mark(status[i], oriented ? friction[i] : 0, shown);
      } else if (times[i] > t0) {
        let slot = this.place[number];
        if (slot < 0) {
          slot = this.place[number] = kept;
          this.summed[kept++] = number;
          this.sums.fill(0, WIDTH * slot, WIDTH * (slot + 1));
        }
        const s = WIDTH * slot;
        this.sums[s + P] += px[i];
        this.sums[s + P + 1] += py[i];
        this.sums[s + P + 2] += pz[i];
        this.sums[s + X] = x[i];
        this.sums[s + X + 1] = y[i];
        this.sums[s + X + 2] = z[i];
        this.sums[s + S] = status[i];
        if (!oriented) continue;
        this.sums[s + N] = nx[i];
        this.sums[s + N + 1] = ny[i];
        this.sums[s + N + 2] = nz[i];
        this.sums[s + MU] = friction[i];
      }
    }
    const span = t1 - t0 || 1;
    for (let slot = 0; slot < kept; ++slot) {
      const number = this.summed[slot];
      const s = WIDTH * slot;
      this.place[number] = -1;
      this.at.fromArray(this.sums, s + X);
      this.p.fromArray(this.sums, s + P);
      this.n.fromArray(this.sums, s + N);
      this.frames.drawn(this.carriers[number], this.at);
      if (shown.forces) this.forces.add(this.at, this.p, this.length(this.p.length() / span, this.largestForce, shown));
      if (this.p.lengthSq() > 0) this.mark(this.sums[s + S], this.sums[s + MU], shown);
    }
  }

  // A point, and a cone, of the contact in `at` with the normal in `n`.
  private mark(status: number, friction: number, shown: Shown) {
    const paint = STATUS[status] ?? STATUS[0];
    if (shown.contacts && this.count < MOST) {
      const r = 0.008 * this.scale;
      this.points.setMatrixAt(this.count, this.matrix.makeScale(r, r, r).setPosition(this.at));
      this.points.setColorAt(this.count++, paint);
    }
    if (!shown.cones || !(friction > 0) || this.coneCount >= MOST || !(this.n.lengthSq() > 0.25)) return;
    const height = (CONE * this.scale) / Math.sqrt(1 + friction * friction); // its edges are always as long
    this.turn.setFromUnitVectors(this.up, this.n.normalize());
    this.matrix.compose(this.at, this.turn, this.size.set(friction * height, height, friction * height));
    this.cones.setMatrixAt(this.coneCount, this.matrix);
    this.cones.setColorAt(this.coneCount++, paint);
  }

  private length(value: number, largest: number, shown: Shown): number {
    return arrowLength(value, largest, this.scale, shown.logarithmic);
  }
}

export function arrowLength(value: number, largest: number, scale: number, logarithmic: boolean): number {
  if (!(value > 0) || !(largest > 0)) return 0;
  const whole = 0.22 * scale;
  if (!logarithmic) return whole * Math.min(1.5, value / largest);
  return whole * Math.max(0.06, Math.min(1, 1 + Math.log10(value / largest) / 4)); // four decades
}
