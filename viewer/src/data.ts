// The data a page carries: one JSON text, whose arrays are base64 of deflated bytes. Bytes of one significance stand together
// (all first bytes of all numbers, then all second ones, ...): that deflates better. See io/report/packed_array.h.

export interface Field {
  path: string; // "/body/position"
  unit: string;
  meaning: string;
  shape: number[]; // [samples, rows, width] as far as there are
  values: Float32Array | Float64Array;
}

export interface Shape {
  name: string;
  kind: string;
  frame: string;
  position: number[];
  orientation: number[]; // scalar first
  size: number[];
  points?: number[][];
  faces?: number[][];
  color?: string;
}
export interface Link {
  name: string;
  kind: string;
  frame_a: string;
  frame_b: string;
  point_a: number[];
  point_b: number[];
  axis: number[];
  play: number;
}
export interface Scene {
  planar: boolean;
  frames: string[];
  shapes: Shape[];
  links: Link[];
}

export interface Finding {
  flaw: string;
  name: string;
  text: string;
  t: number;
}
export interface Expectation {
  name: string;
  formula: string;
  verdict: string;
  why: string;
}

export interface Run {
  label: string; // tells runs of one page apart
  file: string;
  about: Record<string, string | number | null>; // title, model, outcome, scheme, step, ...
  sound: boolean | null;
  findings: Finding[];
  expectations: Expectation[];
  measures: { name: string; value: number | null }[];
  warnings: string[];
  resolved: Record<string, unknown> | null;
  source: string | null;
  scene: Scene | null;
  notes: string[]; // what was left out of the page, and why
  names: Record<string, string[]>; // rows of pools: "/body"
  fields: Map<string, Field>; // everything sampled over time
  stats: Map<string, Float32Array | Float64Array>; // one entry per step
  contacts: Map<string, Float32Array | Float64Array>; // columns of the table
  events: Map<string, Float32Array | Float64Array>;
  time: Float64Array;
}

export interface Table {
  title: string;
  note: string;
  columns: string[];
  rows: (string | number | null)[][];
}
export interface Chart {
  title: string;
  x: string;
  y: string;
  log_x: boolean;
  log_y: boolean;
  curves: { label: string; style: string; x: number[]; y: (number | null)[]; jumps?: number[] }[];
}
export interface HeatMapData {
  title: string;
  x_label: string;
  y_label: string;
  x: number[];
  y: number[];
  values: (number | null)[]; // values[i + x.length * j] belongs to x[i], y[j]
}
export interface Chapter {
  title: string;
  text: string;
  verdict: string;
  tables: Table[];
  charts: Chart[];
  maps: HeatMapData[];
}

export interface PageData {
  title: string;
  subtitle: string;
  carom: string;
  pose_only: boolean; // a model that did not run
  runs: Run[];
  chapters: Chapter[]; // of studies
}

interface Packed {
  type: "f4" | "f8";
  shape: number[];
  data: string;
}

async function unpack(packed: Packed): Promise<Float32Array | Float64Array> {
  const count = packed.shape.reduce((a, b) => a * b, 1);
  const width = packed.type === "f4" ? 4 : 8;
  if (count === 0) return packed.type === "f4" ? new Float32Array(0) : new Float64Array(0);
  const binary = atob(packed.data);
  const deflated = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) deflated[i] = binary.charCodeAt(i);
  const stream = new Blob([deflated]).stream().pipeThrough(new DecompressionStream("deflate"));
  const planes = new Uint8Array(await new Response(stream).arrayBuffer());
  const bytes = new Uint8Array(count * width);
  for (let b = 0; b < width; ++b) for (let i = 0; i < count; ++i) bytes[i * width + b] = planes[b * count + i];
  return packed.type === "f4" ? new Float32Array(bytes.buffer) : new Float64Array(bytes.buffer);
}

/* eslint-disable @typescript-eslint/no-explicit-any */
async function unpackAll(columns: Record<string, Packed>): Promise<Map<string, Float32Array | Float64Array>> {
  const entries = Object.entries(columns);
  const values = await Promise.all(entries.map(([, packed]) => unpack(packed)));
  return new Map(entries.map(([name], i) => [name, values[i]]));
}

async function readRun(raw: any): Promise<Run> {
  const fields = new Map<string, Field>();
  await Promise.all(
    Object.entries<any>(raw.fields).map(async ([path, f]) => {
      fields.set(path, { path, unit: f.unit, meaning: f.meaning, shape: f.shape, values: await unpack(f) });
    }),
  );
  const [stats, contacts, events] = await Promise.all([unpackAll(raw.stats), unpackAll(raw.contacts), unpackAll(raw.events)]);
  const time = fields.get("/time")!.values as Float64Array;
  fields.delete("/time");
  return { ...raw, fields, stats, contacts, events, time };
}

export async function readPage(): Promise<PageData> {
  const raw = JSON.parse(document.getElementById("carom-data")!.textContent!);
  return { ...raw, runs: await Promise.all(raw.runs.map(readRun)) };
}

// The last sample at or before t.
export function sampleAt(time: ArrayLike<number>, t: number): number {
  let low = 0;
  let high = time.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (time[middle] <= t) low = middle;
    else high = middle - 1;
  }
  return low;
}

// The first entry beyond t.
export function firstAfter(time: ArrayLike<number>, t: number): number {
  let low = 0;
  let high = time.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (time[middle] > t) high = middle;
    else low = middle + 1;
  }
  return low;
}
