// Where the frames of a run are at any time: read off the fields of bodies, or recorded frame by frame; between samples a straight
// line and the shortest turn. Play in joints can be magnified (magnified_play.ts). After the first frame nothing is allocated.
import { Matrix4, Quaternion, Vector3 } from "three";
import { sampleAt, type Field, type Link, type Run } from "./data";
import { MagnifiedPlay } from "./magnified_play";

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
  readonly number: Map<string, number>;
  private sources: (Source | null)[];
  private clearances: Link[];
  private guides: Set<Link>;
  private play: MagnifiedPlay | null = null;
  magnification = 1;
  private a = new Vector3();
  private b = new Vector3();
  private qa = new Quaternion();
  private qb = new Quaternion();
  private one = new Vector3(1, 1, 1);
  private back = new Matrix4();

  constructor(private run: Run) {
    this.names = run.scene?.frames ?? [];
    this.number = new Map(this.names.map((name, i) => [name, i]));
    const rows = new Map<string, Map<string, number>>();
    for (const pool of ["/frame", "/planar_body", "/body"]) rows.set(pool, new Map((run.names[pool] ?? []).map((name, i) => [name, i])));
    const find = (pool: string, name: string): Source | null => {
      const row = rows.get(pool)!.get(name);
      const position = run.fields.get(`${pool}/position`);
      if (row === undefined || !position) return null;
      const planar = pool === "/planar_body";
      return { position, turn: run.fields.get(pool + (planar ? "/angle" : "/orientation")) ?? null, row, planar };
    };
    this.sources = this.names.map((name) => find("/frame", name) ?? find("/planar_body", name) ?? find("/body", name));
    this.matrices = this.names.map(() => new Matrix4());
    this.plain = this.names.map(() => new Matrix4());
    this.clearances = (run.scene?.links ?? []).filter((link) => link.kind === "clearance" && link.play > 0);
    // A guide has walls, a bore a ring.
    const walls = (link: Link) => run.scene!.shapes.some((shape) => shape.name === link.name && shape.frame === link.frame_a && shape.kind === "box");
    this.guides = new Set(this.clearances.filter((link) => (run.scene!.planar ? Math.abs(link.axis[2]) < 0.5 : walls(link))));
  }

  get hasPlay(): boolean {
    return this.clearances.length > 0;
  }

  at(t: number) {
    this.place(t);
    for (let i = 0; i < this.names.length; ++i) this.matrices[i].copy(this.plain[i]);
    if (!(this.magnification > 1) || !this.hasPlay) return;
    if (!this.play) {
      const time = this.run.time;
      const looks = Math.min(50, time.length);
      const look = (k: number) => this.place(time[Math.floor((k * (time.length - 1)) / Math.max(1, looks - 1))]);
      this.play = new MagnifiedPlay(this.names, this.run.scene!.links, this.plain, (link) => this.isGuide(link), look, looks);
      this.place(t);
    }
    this.play.apply(this.matrices, this.magnification);
  }

  private place(t: number) {
    const time = this.run.time;
    const k = sampleAt(time, t);
    const next = Math.min(k + 1, time.length - 1);
    const f = next > k ? Math.min(1, Math.max(0, (t - time[k]) / (time[next] - time[k]))) : 0;
    for (let i = 0; i < this.sources.length; ++i) {
      const source = this.sources[i];
      if (!source) continue;
      this.read(source, k, this.a, this.qa);
      if (f > 0) {
        this.read(source, next, this.b, this.qb);
        this.a.lerp(this.b, f);
        this.qa.slerp(this.qb, f);
      }
      this.plain[i].compose(this.a, this.qa, this.one);
    }
  }

  private read(source: Source, k: number, x: Vector3, q: Quaternion) {
    const { values: p, shape } = source.position;
    const rows = shape[1];
    const width = shape[2];
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
    const ia = this.number.get(link.frame_a)!;
    const ib = this.number.get(link.frame_b)!;
    const a = this.a.fromArray(link.point_a).applyMatrix4(this.plain[ia]);
    out.fromArray(link.point_b).applyMatrix4(this.plain[ib]).sub(a);
    if (this.isGuide(link)) {
      const axis = this.b.fromArray(link.axis).transformDirection(this.plain[ia]);
      out.addScaledVector(axis, -axis.dot(out));
    }
    return out;
  }
  isGuide(link: Link): boolean {
    return this.guides.has(link);
  }

  // How far the point of b goes along the axis of a guide, from point_a.
  reach(link: Link): [number, number] {
    const { time } = this.run;
    const axis = new Vector3().fromArray(link.axis);
    const p = new Vector3();
    let [low, high] = [0, 0];
    const stride = Math.ceil(time.length / 500);
    for (let k = 0; k < time.length; k += stride) {
      this.place(time[k]);
      p.fromArray(link.point_b).applyMatrix4(this.plain[this.number.get(link.frame_b)!]);
      p.applyMatrix4(this.back.copy(this.plain[this.number.get(link.frame_a)!]).invert()).sub(this.a.fromArray(link.point_a));
      low = Math.min(low, axis.dot(p));
      high = Math.max(high, axis.dot(p));
    }
    return [low, high];
  }

  // The frame that a contact in play is drawn with; -1 for contacts that are drawn where they are.
  carrier(contact: string): number {
    const link = this.clearances.find((l) => contact === l.name || contact.startsWith(l.name + "."));
    return link ? this.number.get(link.frame_b)! : -1;
  }
  // A point that moves with a frame, as drawn.
  drawn(carrier: number, p: Vector3): Vector3 {
    if (this.magnification <= 1 || carrier < 0) return p;
    return p.applyMatrix4(this.back.copy(this.plain[carrier]).invert()).applyMatrix4(this.matrices[carrier]);
  }

  link(name: string, frame: string): Link | undefined {
    return this.clearances.find((link) => link.name === name && link.frame_a === frame);
  }
}
