// Play drawn larger than it is. With a factor m the drawn frames are the ones near the true ones in which
//
//   ideal joints       hold as they do:            x_b - x_a = d,      turn of b against a = T
//   joints with play   stand apart m times:        x_b - x_a = m d,    turn of b against a = T^m, T counted from the middle of the play
//   the ground         stays.
//
// In a closed chain that is more than moving the one body that is loose: a rod follows its loose slider. The equations are met one after
// the other, each by the smallest motion of its two frames (Kaczmarz's method, which ends at the solution nearest to where it began), until
// nothing moves. Where a factor is so large that no such pose is left, what remains is a compromise of all.
import { Matrix4, Quaternion, Vector3 } from "three";
import type { Link } from "./data";

const POINT = new Set(["revolute", "spherical", "universal", "fixed", "weld"]);
const ALONG = new Set(["prismatic", "cylindrical", "screw"]); // free along the axis
const LOCKED = new Set(["prismatic", "fixed", "weld"]);
const ALIGNED = new Set(["revolute", "cylindrical", "screw"]);

interface Tie {
  a: number;
  b: number;
  pointA: Vector3;
  pointB: Vector3;
  axis: Vector3; // in frame a
  along: boolean;
  locked: boolean;
  aligned: boolean;
  play: boolean;
  middle: Quaternion; // of b in a, where it has play and does not turn freely
  axisB: Vector3; // the axis in b where nothing is tilted
  offset: Vector3; // wanted, in frame a
  turn: Quaternion; // wanted, of b in a
  wantedAxis: Vector3; // of b in a
}

// To the nearest multiple of a right angle, if there is one within a tenth of a radian: joints are mostly drawn along axes.
function straightened(q: Quaternion): Quaternion {
  const e = new Matrix4().makeRotationFromQuaternion(q).elements;
  const rounded = new Matrix4();
  for (const c of [0, 1, 2]) for (const r of [0, 1, 2]) rounded.elements[4 * c + r] = Math.round(e[4 * c + r]);
  if (Math.abs(rounded.determinant() - 1) > 1e-9) return q;
  const straight = new Quaternion().setFromRotationMatrix(rounded);
  return straight.angleTo(q) < 0.1 ? straight : q;
}

export class MagnifiedPlay {
  private ties: Tie[] = [];
  private moved: number[] = []; // frames that ties reach
  private x: Vector3[] = [];
  private q: Quaternion[] = [];
  private lever = 1; // length at which turning by a radian counts as moving by it
  private u = new Vector3();
  private v = new Vector3();
  private w = new Vector3();
  private n = new Vector3();
  private r = new Quaternion();
  private s = new Quaternion();
  private one = new Vector3(1, 1, 1);

  // `look` puts the true poses of some moment of the run into `plain`; `looks` of them are spread over it.
  constructor(names: string[], links: Link[], private plain: Matrix4[], isGuide: (link: Link) => boolean, look: (k: number) => void, looks: number) {
    for (const link of links) {
      const play = link.kind === "clearance" && link.play > 0;
      if (!play && !POINT.has(link.kind) && !ALONG.has(link.kind)) continue;
      const guide = play && isGuide(link);
      this.ties.push({
        a: names.indexOf(link.frame_a),
        b: names.indexOf(link.frame_b),
        pointA: new Vector3().fromArray(link.point_a),
        pointB: new Vector3().fromArray(link.point_b),
        axis: new Vector3().fromArray(link.axis).normalize(),
        along: guide || ALONG.has(link.kind),
        locked: guide || LOCKED.has(link.kind),
        aligned: (play && !guide) || ALIGNED.has(link.kind),
        play,
        middle: new Quaternion(0, 0, 0, 0),
        axisB: new Vector3(),
        offset: new Vector3(),
        turn: new Quaternion(),
        wantedAxis: new Vector3(),
      });
    }
    this.keepReached();
    this.x = names.map(() => new Vector3());
    this.q = names.map(() => new Quaternion());
    this.measure(look, looks);
  }

  // Frames that hang together with play through joints; all others stay where they are.
  private keepReached() {
    const reached = new Set<number>();
    for (const tie of this.ties) if (tie.play) reached.add(tie.a).add(tie.b);
    for (let grown = true; grown; ) {
      grown = false;
      for (const { a, b } of this.ties) {
        const touch = (a > 0 && reached.has(a)) || (b > 0 && reached.has(b));
        if (touch && (!reached.has(a) || !reached.has(b))) reached.add(a).add(b), (grown = true);
      }
    }
    this.ties = this.ties.filter(({ a, b }) => reached.has(a) && reached.has(b));
    this.moved = [...reached].filter((f) => f > 0);
  }

  private measure(look: (k: number) => void, looks: number) {
    let longest = 0;
    for (let k = 0; k < looks; ++k) {
      look(k);
      this.read();
      for (const tie of this.ties) {
        this.relative(tie, this.r);
        if (tie.middle.dot(this.r) < 0) this.r.set(-this.r.x, -this.r.y, -this.r.z, -this.r.w);
        tie.middle.set(tie.middle.x + this.r.x, tie.middle.y + this.r.y, tie.middle.z + this.r.z, tie.middle.w + this.r.w);
        tie.axisB.add(this.u.copy(tie.axis).applyQuaternion(this.r.invert()));
        longest = Math.max(longest, tie.pointA.length(), tie.pointB.length());
      }
    }
    for (const tie of this.ties) {
      tie.middle.copy(straightened(tie.middle.normalize()));
      tie.axisB.normalize();
      const straight = this.u.set(Math.round(tie.axisB.x), Math.round(tie.axisB.y), Math.round(tie.axisB.z));
      if (straight.angleTo(tie.axisB) < 0.1) tie.axisB.copy(straight).normalize();
    }
    this.lever = longest || 1;
  }

  private read() {
    this.x[0].setScalar(0);
    this.q[0].identity();
    for (const f of this.moved) this.plain[f].decompose(this.x[f], this.q[f], this.u);
  }
  // The turn of b against a.
  private relative(tie: Tie, out: Quaternion) {
    return out.copy(this.q[tie.a]).invert().multiply(this.q[tie.b]);
  }

  // Fills `drawn` for all frames that move; the true poses are in `plain`.
  apply(drawn: Matrix4[], factor: number) {
    this.read();
    for (const tie of this.ties) this.want(tie, tie.play ? factor : 1);
    const sweeps = Math.max(20, Math.min(400, Math.ceil(20000 / Math.max(1, this.ties.length))));
    for (let k = 0; k < sweeps; ++k) {
      let most = 0;
      for (const tie of this.ties) most = Math.max(most, this.meetPoint(tie), this.meetTurn(tie));
      if (most < 1e-8 * this.lever) break;
    }
    for (const f of this.moved) drawn[f].compose(this.x[f], this.q[f], this.one);
  }

  private want(tie: Tie, factor: number) {
    this.apart(tie, tie.offset).applyQuaternion(this.r.copy(this.q[tie.a]).invert()).multiplyScalar(factor);
    this.relative(tie, tie.turn);
    tie.wantedAxis.copy(tie.axisB).applyQuaternion(tie.turn);
    if (factor === 1) {
      tie.wantedAxis.copy(tie.axisB).applyQuaternion(tie.turn);
      return;
    }
    // The tilt away from the middle, m times.
    this.s.copy(tie.turn).multiply(this.r.copy(tie.middle).invert());
    this.power(this.s, factor);
    tie.turn.copy(this.s).multiply(tie.middle);
    this.s.setFromUnitVectors(tie.axis, tie.wantedAxis);
    this.power(this.s, factor);
    tie.wantedAxis.copy(tie.axis).applyQuaternion(this.s);
  }
  // A turn by a multiple of its angle, at most half a radian.
  private power(q: Quaternion, factor: number) {
    if (q.w < 0) q.set(-q.x, -q.y, -q.z, -q.w);
    const sine = Math.hypot(q.x, q.y, q.z);
    if (sine < 1e-15) return;
    const angle = 2 * Math.atan2(sine, q.w);
    const more = Math.min(factor * angle, Math.max(0.5, angle));
    this.n.set(q.x / sine, q.y / sine, q.z / sine);
    q.setFromAxisAngle(this.n, more);
  }

  // From the point of a to the point of b, without what is free along the axis; leaves the levers in v and w.
  private apart(tie: Tie, out: Vector3): Vector3 {
    this.v.copy(tie.pointA).applyQuaternion(this.q[tie.a]);
    this.w.copy(tie.pointB).applyQuaternion(this.q[tie.b]);
    out.copy(this.x[tie.b]).add(this.w).sub(this.x[tie.a]).sub(this.v);
    if (tie.along) {
      // The point of a that b is beside.
      this.n.copy(tie.axis).applyQuaternion(this.q[tie.a]);
      const way = this.n.dot(out);
      out.addScaledVector(this.n, -way);
      this.v.addScaledVector(this.n, way);
    }
    return out;
  }

  private meetPoint(tie: Tie): number {
    const miss = this.apart(tie, this.u);
    miss.sub(this.n.copy(tie.offset).applyQuaternion(this.q[tie.a]));
    const size = miss.length();
    if (size === 0) return 0;
    this.n.copy(miss).divideScalar(size);
    const squared = this.lever * this.lever;
    const turnA = this.v.cross(this.n);
    const turnB = this.w.cross(this.n);
    const ease = (f: number, turn: Vector3) => (f > 0 ? 1 + turn.lengthSq() / squared : 0);
    const push = size / (ease(tie.a, turnA) + ease(tie.b, turnB));
    this.move(tie.a, push, turnA, push / squared);
    this.move(tie.b, -push, turnB, -push / squared);
    return size;
  }
  private move(f: number, way: number, turn: Vector3, by: number) {
    if (f === 0) return;
    this.x[f].addScaledVector(this.n, way);
    this.rotate(f, turn, by);
  }
  private rotate(f: number, turn: Vector3, by: number) {
    const half = 0.5 * by;
    this.r.set(half * turn.x, half * turn.y, half * turn.z, 1).normalize();
    this.q[f].premultiply(this.r).normalize();
  }

  private meetTurn(tie: Tie): number {
    if (tie.locked) {
      // What b is turned too far, in the world.
      this.r.copy(this.q[tie.a]).multiply(tie.turn).invert();
      this.s.copy(this.q[tie.b]).multiply(this.r);
      if (this.s.w < 0) this.s.set(-this.s.x, -this.s.y, -this.s.z, -this.s.w);
      this.u.set(2 * this.s.x, 2 * this.s.y, 2 * this.s.z);
    } else if (tie.aligned) {
      this.v.copy(tie.wantedAxis).applyQuaternion(this.q[tie.a]);
      this.w.copy(tie.axisB).applyQuaternion(this.q[tie.b]);
      this.u.crossVectors(this.v, this.w);
    } else return 0;
    const share = tie.a > 0 && tie.b > 0 ? 0.5 : 1;
    if (tie.a > 0) this.rotate(tie.a, this.u, share);
    if (tie.b > 0) this.rotate(tie.b, this.u, -share);
    return this.lever * this.u.length();
  }
}
