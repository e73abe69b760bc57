// Poincaré sections: where a motion is at chosen moments, in place of all of them. As src/carom/io/section_points.h has it: at impacts the first sample
// at or behind the impact, so that velocities are those after it; at t = k T on straight lines between samples, but never across a jump.
import { firstAfter } from "./data";

export interface SectionPoints {
  t: Float64Array;
  x: Float64Array;
  y: Float64Array;
}

// `moments` and `time` rise. Moments of one sample count once.
export function atImpacts(time: ArrayLike<number>, x: ArrayLike<number>, y: ArrayLike<number>, moments: ArrayLike<number>): SectionPoints {
  const rows: number[] = [];
  for (let k = 0; k < moments.length; ++k) {
    const before = firstAfter(time, moments[k]) - 1; // the last sample at or before it
    const row = before >= 0 && time[before] >= moments[k] * (1 - 1e-12) ? before : before + 1;
    if (row < time.length && row !== rows[rows.length - 1]) rows.push(row);
  }
  const take = (from: ArrayLike<number>) => Float64Array.from(rows, (i) => from[i]);
  return { t: take(time), x: take(x), y: take(y) };
}

export function everyPeriod(time: ArrayLike<number>, x: ArrayLike<number>, y: ArrayLike<number>, period: number, jumps: ArrayLike<number>): SectionPoints {
  const n = time.length;
  const none = new Float64Array(0);
  if (!(period > 0) || n < 2 || (time[n - 1] - time[0]) / period > 1e6) return { t: none, x: none, y: none };
  const t: number[] = [];
  const px: number[] = [];
  const py: number[] = [];
  let next = 0; // jump
  for (let k = Math.ceil(time[0] / period - 1e-9); k * period <= time[n - 1] * (1 + 1e-12); ++k) {
    const at = Math.min(time[n - 1], Math.max(time[0], k * period));
    const i = Math.min(n - 2, Math.max(0, firstAfter(time, at) - 1));
    while (next < jumps.length && jumps[next] <= time[i]) ++next;
    const jump = next < jumps.length && jumps[next] <= time[i + 1] ? jumps[next] : Infinity;
    const share = jump < Infinity ? (at < jump ? 0 : 1) : (at - time[i]) / (time[i + 1] - time[i]);
    t.push(at);
    px.push(x[i] + share * (x[i + 1] - x[i]));
    py.push(y[i] + share * (y[i + 1] - y[i]));
  }
  return { t: Float64Array.from(t), x: Float64Array.from(px), y: Float64Array.from(py) };
}
