// A curve in a plane: the orbit of a pin in its bore, a phase portrait, a chart of a study. With a dot that follows the clock.
import { sampleAt } from "./data";
import { keepDrawn } from "./drawings";
import { cssColor, element, plain } from "./format";
import { sharpness } from "./paper";
import { digitsOf, ticks } from "./ticks";

export interface XyCurve {
  label: string;
  color: string;
  x: ArrayLike<number>;
  y: ArrayLike<number | null>;
  t?: ArrayLike<number>; // with it the present point is marked
  points?: boolean;
  size?: number; // radius of a point in pixels
  line?: boolean;
  dash?: boolean;
  breaks?: Set<number>; // the line begins anew at these points
}
export interface XySpec {
  title: string;
  x: string;
  y: string;
  curves: XyCurve[];
  equal?: boolean;
  circle?: number; // radius around the origin
  logX?: boolean;
  logY?: boolean;
  controls?: HTMLElement;
}

export class XyPlot {
  readonly root: HTMLElement;
  private canvas = element("canvas", { class: "xy" });
  private heading = element("h3");
  private keys = element("div", { class: "keys" });
  private spec!: XySpec;
  private sheet = element("div", { class: "sheet" });
  private dots: { curve: XyCurve; dot: HTMLElement }[] = []; // present points
  private t = NaN;
  private map: ((x: number, y: number) => [number, number]) | null = null;

  constructor(spec: XySpec, id: string) {
    this.root = element("section", { class: "plot", id: `plot-${id}` }, this.heading, this.sheet, this.keys);
    this.sheet.append(this.canvas);
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    keepDrawn(this.root, () => this.draw());
    this.show(spec);
  }

  show(spec: XySpec) {
    this.spec = spec;
    this.heading.replaceChildren(spec.title);
    for (const { dot } of this.dots) dot.remove();
    this.dots = spec.curves.filter((curve) => curve.t).map((curve) => ({ curve, dot: element("i", { class: "present", style: `--c:${curve.color}`, hidden: "" }) }));
    this.sheet.append(...this.dots.map(({ dot }) => dot));
    if (spec.controls) this.heading.append(spec.controls);
    this.keys.replaceChildren(
      ...(spec.curves.length > 1 ? spec.curves.filter((c) => c.label).map((c) => element("span", { class: "key" }, element("i", { class: "dot", style: `--c:${c.color}` }), c.label)) : []),
    );
    this.draw();
  }

  draw() {
    const ratio = sharpness();
    const w = this.canvas.clientWidth;
    const h = this.canvas.clientHeight;
    if (w === 0 || h === 0) return;
    this.canvas.width = Math.round(w * ratio);
    this.canvas.height = Math.round(h * ratio);
    const c = this.canvas.getContext("2d")!;
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.clearRect(0, 0, w, h);
    const { spec } = this;
    const fx = (v: number) => (spec.logX ? Math.log10(v) : v);
    const fy = (v: number) => (spec.logY ? Math.log10(v) : v);
    let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
    for (const curve of spec.curves)
      for (let i = 0; i < curve.x.length; ++i) {
        const x = fx(curve.x[i]);
        const v = curve.y[i];
        if (v === null) continue;
        const y = fy(v);
        if (!Number.isFinite(x) || !Number.isFinite(y)) continue;
        x0 = Math.min(x0, x);
        x1 = Math.max(x1, x);
        y0 = Math.min(y0, y);
        y1 = Math.max(y1, y);
      }
    if (spec.circle) [x0, x1, y0, y1] = [Math.min(x0, -spec.circle), Math.max(x1, spec.circle), Math.min(y0, -spec.circle), Math.max(y1, spec.circle)];
    if (!(x1 >= x0)) [x0, x1, y0, y1] = [0, 1, 0, 1];
    const pad = (a: number, b: number): [number, number] => (b - a > 1e-9 * Math.max(Math.abs(a), Math.abs(b)) ? [a - 0.06 * (b - a), b + 0.06 * (b - a)] : [a - (Math.abs(a) || 1) * 0.5, b + (Math.abs(b) || 1) * 0.5]);
    [x0, x1] = pad(x0, x1);
    [y0, y1] = pad(y0, y1);
    const left = 62;
    const bottom = 34;
    let [pw, ph] = [w - left - 12, h - bottom - 8];
    let sx = pw / (x1 - x0);
    let sy = ph / (y1 - y0);
    if (spec.equal) {
      sx = sy = Math.min(sx, sy);
      const [mx, my] = [(x0 + x1) / 2, (y0 + y1) / 2];
      [x0, x1, y0, y1] = [mx - pw / sx / 2, mx + pw / sx / 2, my - ph / sy / 2, my + ph / sy / 2];
    }
    const px = (x: number) => left + (fx(x) - x0) * sx;
    const py = (y: number) => 8 + ph - (fy(y) - y0) * sy;
    this.map = (x, y) => [px(x), py(y)];
    c.font = "11px system-ui";
    c.lineWidth = 1;
    for (const [low, high, horizontal] of [[x0, x1, true], [y0, y1, false]] as const) {
      const log = horizontal ? spec.logX : spec.logY;
      const marks = ticks(low, high, horizontal ? Math.max(2, Math.min(6, Math.floor(pw / 60))) : 5, !!log);
      const digits = digitsOf(marks);
      for (const tick of marks) {
        const at = horizontal ? left + (tick - x0) * sx : 8 + ph - (tick - y0) * sy;
        c.strokeStyle = cssColor("--line");
        c.beginPath();
        if (horizontal) c.moveTo(at, 8), c.lineTo(at, 8 + ph);
        else c.moveTo(left, at), c.lineTo(left + pw, at);
        c.stroke();
        c.fillStyle = cssColor("--ink-soft");
        const text = log ? (Number.isInteger(tick) ? `1e${tick}` : "") : plain(Number(tick.toPrecision(12)), digits);
        c.textAlign = horizontal ? "center" : "right";
        c.fillText(text, horizontal ? at : left - 6, horizontal ? 8 + ph + 14 : at + 4);
      }
    }
    c.fillStyle = cssColor("--ink-soft");
    c.textAlign = "center";
    c.fillText(spec.x, left + pw / 2, h - 4);
    c.save();
    c.translate(11, 8 + ph / 2);
    c.rotate(-Math.PI / 2);
    c.fillText(spec.y, 0, 0);
    c.restore();
    c.save();
    c.beginPath();
    c.rect(left, 8, pw, ph);
    c.clip();
    if (spec.circle) {
      c.strokeStyle = cssColor("--ink");
      c.beginPath();
      c.arc(px(0), py(0), spec.circle * sx, 0, 2 * Math.PI);
      c.stroke();
    }
    for (const curve of spec.curves) {
      c.strokeStyle = c.fillStyle = curve.color;
      c.setLineDash(curve.dash ? [5, 4] : []);
      c.lineWidth = 1.2;
      if (curve.line !== false) {
        c.beginPath();
        let pen = false;
        for (let i = 0; i < curve.x.length; ++i) {
          const v = curve.y[i];
          if (v === null || !Number.isFinite(v) || (spec.logY && v <= 0)) {
            pen = false;
            continue;
          }
          if (!pen || curve.breaks?.has(i)) c.moveTo(px(curve.x[i]), py(v));
          else c.lineTo(px(curve.x[i]), py(v));
          pen = true;
        }
        c.stroke();
      }
      if (curve.points)
        for (let i = 0; i < curve.x.length; ++i) {
          const v = curve.y[i];
          if (v === null || !Number.isFinite(v)) continue;
          c.beginPath();
          c.arc(px(curve.x[i]), py(v), curve.size ?? 2.4, 0, 2 * Math.PI);
          c.fill();
        }
    }
    c.restore();
    if (Number.isFinite(this.t)) this.now(this.t);
  }

  // Only the dots move: the curves stay drawn.
  now(t: number) {
    this.t = t;
    if (!this.map) return;
    for (const { curve, dot } of this.dots) {
      const i = sampleAt(curve.t!, t);
      const v = curve.y[i];
      dot.hidden = v === null || !Number.isFinite(v);
      if (dot.hidden) continue;
      const [x, y] = this.map(curve.x[i], v!);
      dot.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    }
  }
}
