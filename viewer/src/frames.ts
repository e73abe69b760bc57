// Where the frames of a run are at any time: read off the fields of bodies, or recorded frame by frame; between samples a straight
// line and the shortest turn. Play in joints can be magnified: the offset inside it is drawn larger than it is, and its walls wider apart.
import { Matrix4, Quaternion, Vector3 } from "three";
import { sampleAt, type Field, type Link, type Run } from "./data";

interface Source {
  position: Field;
  turn: Field | null;
  row: number;
  planar: boolean;
}

export class Frames {
  readonly names: string[];
  readonly matrices: Matrix4[];
  readonly plain: Matrix4[]; // without magnification
  private sources: (Source | null)[];
  private clearances: Link[];
  magnification = 1;
  private a = new Vector3();
  private b = new Vector3();
  private qa = new Quaternion();
  private qb = new Quaternion();
  private one = new Vector3(1, 1, 1);

  constructor(private run: Run) {
    this.names = run.scene?.frames ?? [];
    const find = (pool: string, name: string): Source | null => {
      const row = (run.names[pool] ?? []).indexOf(name);
      const position = run.fields.get(`${pool}/position`);
      if (row < 0 || !position) return null;
      const planar = pool === "/planar_body";
      return { position, turn: run.fields.get(pool + (planar ? "/angle" : "/orientation")) ?? null, row, planar };
    };
    this.sources = this.names.map((name) => find("/frame", name) ?? find("/planar_body", name) ?? find("/body", name));
    this.matrices = this.names.map(() => new Matrix4());
    this.plain = this.names.map(() => new Matrix4());
    this.clearances = (run.scene?.links ?? []).filter((link) => link.kind === "clearance" && link.play > 0);
  }

  get hasPlay(): boolean {
    return this.clearances.length > 0;
  }

  at(t: number) {
    const time = this.run.time;
    const k = sampleAt(time, t);
    const next = Math.min(k + 1, time.length - 1);
    const f = next > k ? Math.min(1, Math.max(0, (t - time[k]) / (time[next] - time[k]))) : 0;
    this.sources.forEach((source, i) => {
      if (!source) return;
      this.read(source, k, this.a, this.qa);
      if (f > 0) {
        this.read(source, next, this.b, this.qb);
        this.a.lerp(this.b, f);
        this.qa.slerp(this.qb, f);
      }
      this.plain[i].compose(this.a, this.qa, this.one);
      this.matrices[i].copy(this.plain[i]);
    });
    if (this.magnification > 1) for (const link of this.clearances) this.magnify(link);
  }

  private read(source: Source, k: number, x: Vector3, q: Quaternion) {
    const [, rows, width] = source.position.shape;
    const p = source.position.values;
    const i = (k * rows + source.row) * width;
    x.set(p[i], p[i + 1], width > 2 ? p[i + 2] : 0);
    if (!source.turn) {
      q.identity();
    } else if (source.planar) {
      const angle = source.turn.values[k * rows + source.row];
      q.set(0, 0, Math.sin(angle / 2), Math.cos(angle / 2));
    } else {
      const j = (k * rows + source.row) * 4;
      const v = source.turn.values;
      q.set(v[j + 1], v[j + 2], v[j + 3], v[j]).normalize();
    }
  }

  // What the point of b is away from its middle, in the world: all of it in a bore, across the axis in a guide.
  offset(link: Link, out: Vector3): Vector3 {
    const ia = this.names.indexOf(link.frame_a);
    const ib = this.names.indexOf(link.frame_b);
    const a = this.a.fromArray(link.point_a).applyMatrix4(this.plain[ia]);
    out.fromArray(link.point_b).applyMatrix4(this.plain[ib]).sub(a);
    if (this.isGuide(link)) {
      const axis = this.b.fromArray(link.axis).transformDirection(this.plain[ia]);
      out.addScaledVector(axis, -axis.dot(out));
    }
    return out;
  }
  isGuide(link: Link): boolean {
    return !!this.run.scene?.planar && Math.abs(link.axis[2]) < 0.5;
  }

  private magnify(link: Link) {
    const ib = this.names.indexOf(link.frame_b);
    const ia = this.names.indexOf(link.frame_a);
    const by = this.magnification - 1;
    const shift = this.offset(link, new Vector3()).multiplyScalar(by);
    const pivot = new Vector3().fromArray(link.point_b).applyMatrix4(this.plain[ib]);
    if (this.isGuide(link)) {
      // The tilt in the guide too: so drawn gaps are true gaps times the magnification.
      const turn = (m: Matrix4) => Math.atan2(m.elements[1], m.elements[0]);
      const tilt = Math.sin(turn(this.plain[ib]) - turn(this.plain[ia]));
      const more = Math.max(-1, Math.min(1, by * tilt));
      const about = new Matrix4().makeTranslation(pivot.x, pivot.y, pivot.z);
      about.multiply(new Matrix4().makeRotationZ(more)).multiply(new Matrix4().makeTranslation(-pivot.x, -pivot.y, -pivot.z));
      this.matrices[ib].premultiply(about);
    }
    this.matrices[ib].premultiply(new Matrix4().makeTranslation(shift.x, shift.y, shift.z));
  }

  // A point that moves with whatever contact this is, as drawn.
  drawn(contact: string, p: Vector3): Vector3 {
    if (this.magnification <= 1) return p;
    for (const link of this.clearances) {
      if (contact !== link.name && !contact.startsWith(link.name + ".")) continue;
      const ib = this.names.indexOf(link.frame_b);
      return p.applyMatrix4(new Matrix4().copy(this.plain[ib]).invert()).applyMatrix4(this.matrices[ib]);
    }
    return p;
  }

  link(name: string, frame: string): Link | undefined {
    return this.clearances.find((link) => link.name === name && link.frame_a === frame);
  }
}
