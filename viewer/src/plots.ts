// Curves over time, all with the clock's cursor: a click or a drag in one sets the time of all. Jumps are drawn as jumps: the line ends,
// a dotted vertical leads to where it goes on.
import uPlot from "uplot";
import type { Clock } from "./clock";
import { keepDrawn } from "./drawings";
import { cssColor, element, plain } from "./format";
import { onPaper } from "./paper";
import { digitsOf } from "./ticks";

export interface Series {
  label: string;
  color: string;
  x: ArrayLike<number>;
  y: ArrayLike<number>;
  style?: "line" | "stems" | "points" | "steps";
  jumps?: number[]; // times at which the value jumps
  dash?: number[];
  width?: number;
}
export interface PlotSpec {
  title: string;
  unit: string;
  series: Series[];
  zero?: boolean; // a line at zero
  log?: boolean;
  note?: string;
  controls?: HTMLElement;
}

// What is smaller is drawn here on a logarithmic axis: uPlot never ends to put ticks on one that begins at 1e-98.
const LOG_FLOOR = 1e-20;
const HEIGHT = 168;
const MOST = 4000; // points of a curve; more are thinned to the smallest and largest of each stretch

function thin(x: ArrayLike<number>, y: ArrayLike<number>): [number[], (number | null)[]] {
  const n = x.length;
  const outX: number[] = [];
  const outY: (number | null)[] = [];
  const put = (i: number) => {
    outX.push(x[i]);
    outY.push(Number.isFinite(y[i]) ? y[i] : null);
  };
  if (n <= MOST) {
    for (let i = 0; i < n; ++i) put(i);
    return [outX, outY];
  }
  const bucket = Math.ceil(n / (MOST / 2));
  for (let from = 0; from < n; from += bucket) {
    const to = Math.min(n, from + bucket);
    let low = from;
    let high = from;
    for (let i = from; i < to; ++i) {
      if (y[i] < y[low] || !Number.isFinite(y[low])) low = i;
      if (y[i] > y[high] || !Number.isFinite(y[high])) high = i;
    }
    put(Math.min(low, high));
    if (low !== high) put(Math.max(low, high));
  }
  return [outX, outY];
}

interface Prepared {
  x: number[];
  y: (number | null)[];
  steps: [number, number, number][]; // time, from, to
}

// A jump at time j lies between two points: the value holds until j and goes on from there.
function prepare(series: Series): Prepared {
  const [x, y] = thin(series.x, series.y);
  const steps: [number, number, number][] = [];
  if (!series.jumps || series.jumps.length === 0) return { x, y, steps };
  const outX: number[] = [];
  const outY: (number | null)[] = [];
  let k = 0;
  const range = y.reduce<number>((m, v) => Math.max(m, Math.abs(v ?? 0)), 0);
  for (let i = 0; i < x.length; ++i) {
    let jumped = -1;
    while (k < series.jumps.length && series.jumps[k] <= x[i]) {
      if (i > 0 && series.jumps[k] > x[i - 1]) jumped = series.jumps[k];
      ++k;
    }
    const before = i > 0 ? y[i - 1] : null;
    const after = y[i];
    if (jumped >= 0 && before !== null && after !== null && Math.abs(after - before) > 0.004 * range) {
      // The slope before goes on to the jump, if that is not longer than the step.
      const slope = i > 1 && y[i - 2] !== null && x[i - 1] > x[i - 2] ? (before - y[i - 2]!) / (x[i - 1] - x[i - 2]) : 0;
      const way = jumped - x[i - 1];
      const left = Math.abs(slope * way) < Math.abs(after - before) ? before + slope * way : before;
      outX.push(jumped, jumped, jumped);
      outY.push(left, null, after);
      steps.push([jumped, left, after]);
    }
    outX.push(x[i]);
    outY.push(after);
  }
  return { x: outX, y: outY, steps };
}

export class TimePlot {
  readonly root: HTMLElement;
  private plot: uPlot | null = null;
  private body = element("div", { class: "chart" });
  private heading = element("h3");
  private cursor: HTMLElement;
  private hidden = new Set<string>();
  private spec!: PlotSpec;

  constructor(
    private clock: Clock,
    spec: PlotSpec,
    readonly id: string,
  ) {
    this.cursor = element("div", { class: "now" });
    this.root = element("section", { class: "plot", id: `plot-${id}` }, this.heading, this.body);
    new ResizeObserver(() => this.resize()).observe(this.body);
    keepDrawn(this.root, () => this.draw());
    this.show(spec);
  }

  show(spec: PlotSpec) {
    this.spec = spec;
    this.heading.replaceChildren(spec.title, element("small", {}, ` ${spec.unit ? `[${spec.unit}]` : ""} ${spec.note ?? ""}`));
    if (spec.controls) this.heading.append(spec.controls);
    this.draw();
  }

  draw() {
    const spec = this.spec;
    const prepared = spec.series.map(prepare);
    for (const p of prepared) {
      if (spec.log) p.y = p.y.map((v) => (v === null || !(v > 0) ? null : Math.max(v, LOG_FLOOR)));
      // All plots of a page show the same stretch of time.
      if (!(p.x[0] <= this.clock.start)) p.x.unshift(this.clock.start), p.y.unshift(null);
      if (!(p.x[p.x.length - 1] >= this.clock.end)) p.x.push(this.clock.end), p.y.push(null);
    }
    const tables = prepared.map((p) => [p.x, p.y] as uPlot.AlignedData);
    const data = tables.length === 0 ? ([[this.clock.start, this.clock.end]] as uPlot.AlignedData) : uPlot.join(tables.map((t) => dedupe(t)), tables.map((t) => t.slice(1).map(() => 2)));
    const ink = cssColor("--ink-soft");
    const grid = { stroke: cssColor("--line"), width: 1 };
    const k = onPaper() ? 3 : 1; // drawn larger there, and shown as large as here: more dots an inch
    const axis = { stroke: ink, grid: { ...grid, width: k }, ticks: { ...grid, width: k, size: 6 * k }, font: `${11 * k}px system-ui`, gap: 3 * k, space: 46 * k };
    const options: uPlot.Options = {
      width: k * Math.max(200, this.body.clientWidth || 420),
      height: k * HEIGHT,
      legend: { live: true },
      cursor: { y: false, drag: { x: true, y: false, setScale: true } },
      scales: { x: { time: false }, y: spec.log ? { distr: 3 } : { range: (_u, low, high) => widen(low, high, !!spec.zero) } },
      axes: [
        { ...axis, size: 26 * k, values: (_u, ticks) => ticks.map((v) => String(Number(v.toPrecision(6)))) },
        { ...axis, space: 30 * k, size: 62 * k, values: (_u, ticks) => ticks.map((v) => (v === null ? "" : plain(Number(v.toPrecision(12)), spec.log ? 3 : digitsOf(ticks)))) },
      ],
      series: [
        { label: "t", value: (_u, v) => (v === null || v === undefined ? "" : plain(v, 6) + " s") },
        ...spec.series.map((s, n): uPlot.Series => ({
          label: s.label,
          stroke: s.color,
          width: k * (s.width ?? Math.max(1, 2.6 - 0.5 * n)), // what coincides shows through
          dash: s.dash?.map((d) => k * d),
          show: !this.hidden.has(s.label),
          spanGaps: false,
          points: s.style === "points" ? { show: true, size: 3.5 * k, fill: s.color } : { show: false },
          paths: s.style === "stems" ? uPlot.paths.bars!({ size: [0.001, 1.6 * k, 1.6 * k] }) : s.style === "points" ? () => null : s.style === "steps" ? uPlot.paths.stepped!({ align: -1 }) : undefined,
          value: (_u, v) => (v === null || v === undefined ? "" : plain(v, 4)),
        })),
      ],
      hooks: {
        draw: [
          (u) => {
            this.drawJumps(u, prepared, k * devicePixelRatio);
            this.now(this.clock.t); // only now is it known how wide the axes are
          },
        ],
        ready: [
          (u) => {
            u.over.append(this.cursor);
            u.over.addEventListener("click", (e) => this.clock.set(u.posToVal(e.offsetX, "x")));
            u.over.addEventListener("dblclick", () => u.setScale("x", { min: this.clock.start, max: this.clock.end }));
          },
        ],
        setSeries: [
          (u, i) => {
            if (i === null || i === 0) return;
            const label = spec.series[i - 1]?.label;
            if (u.series[i].show) this.hidden.delete(label);
            else this.hidden.add(label);
          },
        ],
      },
    };
    this.plot?.destroy();
    this.plot = new uPlot(options, data, this.body);
    if (spec.series.length === 0) this.plot.root.dataset.empty = "true";
    this.now(this.clock.t);
  }

  private drawJumps(u: uPlot, prepared: Prepared[], pixel: number) {
    const c = u.ctx;
    c.save();
    c.beginPath();
    c.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
    c.clip();
    if (this.spec.zero) {
      c.strokeStyle = cssColor("--ink-soft");
      c.lineWidth = pixel;
      const y = u.valToPos(0, "y", true);
      c.beginPath();
      c.moveTo(u.bbox.left, y);
      c.lineTo(u.bbox.left + u.bbox.width, y);
      c.stroke();
    }
    c.setLineDash([2 * pixel, 2 * pixel]);
    prepared.forEach((p, i) => {
      if (!u.series[i + 1]?.show || p.steps.length > 600) return;
      c.strokeStyle = this.spec.series[i].color;
      c.lineWidth = pixel * 0.8;
      c.beginPath();
      for (const [t, from, to] of p.steps) {
        const x = u.valToPos(t, "x", true);
        c.moveTo(x, u.valToPos(from, "y", true));
        c.lineTo(x, u.valToPos(to, "y", true));
      }
      c.stroke();
    });
    c.restore();
  }

  now(t: number) {
    if (!this.plot) return;
    const x = this.plot.valToPos(t, "x");
    this.cursor.style.transform = `translateX(${x}px)`;
    this.cursor.hidden = !(x >= 0 && x <= this.plot.bbox.width / devicePixelRatio);
  }

  resize() {
    if (!this.plot || this.body.clientWidth === 0 || onPaper()) return;
    if (Math.abs(this.plot.width - this.body.clientWidth) > 1) this.plot.setSize({ width: this.body.clientWidth, height: HEIGHT });
    this.now(this.clock.t);
  }
}

// Several points of one series at the same x (jumps) must survive the join with other series: they are moved apart by what no eye sees.
function dedupe(table: uPlot.AlignedData): uPlot.AlignedData {
  const x = Array.from(table[0] as number[]);
  const span = x.length > 1 ? x[x.length - 1] - x[0] : 1;
  const tiny = 1e-9 * (span || 1);
  for (let i = 1; i < x.length; ++i) if (x[i] <= x[i - 1]) x[i] = x[i - 1] + tiny;
  return [x, ...table.slice(1)] as uPlot.AlignedData;
}

function widen(low: number | null, high: number | null, zero: boolean): [number, number] {
  if (low === null || high === null) return [0, 1];
  if (zero) {
    low = Math.min(0, low);
    high = Math.max(0, high);
  }
  const room = high > low ? 0.06 * (high - low) : Math.abs(high) || 1;
  return [low - room, high + room];
}
