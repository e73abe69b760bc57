// The timeline below the scene: buttons, a track with a tick for every event, marks to loop between.
import { Clock } from "./clock";
import { firstAfter, type Run } from "./data";
import { keepDrawn } from "./drawings";
import { CLOSES, OPENS, cssColor, element, withPrefix } from "./format";
import { sharpness } from "./paper";

const BELOW = 9; // pixels below the track

export class Timeline {
  readonly root: HTMLElement;
  private canvas: HTMLCanvasElement;
  private play: HTMLButtonElement;
  private label: HTMLElement;
  private speed: HTMLSelectElement;
  private marks: (number | null)[] = [null, null];
  private run: Run;
  private head = element("i", { class: "head" });
  private width = 0;

  constructor(
    private clock: Clock,
    run: Run,
  ) {
    this.run = run;
    const button = (text: string, label: string, action: () => void) => {
      const b = element("button", { type: "button", title: label, "aria-label": label }, text);
      b.addEventListener("click", action);
      return b;
    };
    this.canvas = element("canvas", { role: "slider", tabindex: "0", "aria-label": "time", id: "track" });
    this.play = button("▶", "Play or pause (space)", () => clock.toggle());
    this.play.id = "play";
    this.label = element("output", { class: "time", id: "time" });
    this.speed = element("select", { title: "Speed", "aria-label": "speed" });
    const speeds = new Set([clock.speed]);
    for (let e = -5; e <= 1; ++e) for (const f of [1, 2, 5]) speeds.add(Number((f * Math.pow(10, e)).toPrecision(3)));
    for (const s of [...speeds].sort((a, b) => a - b)) {
      const option = element("option", { value: String(s) }, s >= 0.1 ? `× ${s}` : `× 1/${Math.round(1 / s)}`);
      option.selected = s === clock.speed;
      this.speed.append(option);
    }
    this.speed.addEventListener("change", () => (clock.speed = Number(this.speed.value)));
    this.root = element(
      "div",
      { class: "timeline" },
      button("⇤", "To the start (home)", () => clock.set(clock.start)),
      button("«", "Event before (page up)", () => this.jump(-1)),
      button("‹", "Step back (left)", () => this.step(-1)),
      this.play,
      button("›", "Step on (right)", () => this.step(1)),
      button("»", "Next event (page down)", () => this.jump(1)),
      button("⇥", "To the end (end)", () => clock.set(clock.end)),
      this.speed,
      element("span", { class: "track" }, this.canvas, this.head),
      this.label,
    );
    const seek = (event: PointerEvent) => {
      const box = this.canvas.getBoundingClientRect();
      clock.set(clock.start + ((event.clientX - box.left) / box.width) * (clock.end - clock.start));
    };
    this.canvas.addEventListener("pointerdown", (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      seek(event);
    });
    this.canvas.addEventListener("pointermove", (event) => {
      if (this.canvas.hasPointerCapture(event.pointerId)) seek(event);
    });
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    keepDrawn(this.root, () => this.draw());
    clock.listen(() => this.now());
  }

  show(run: Run) {
    this.run = run;
    this.draw();
  }

  step(direction: number) {
    this.clock.pause();
    const time = this.run.time;
    const next = direction > 0 ? firstAfter(time, this.clock.t) : firstAfter(time, this.clock.t * (1 - 1e-15) - 1e-18) - 1;
    const here = Math.max(0, Math.min(time.length - 1, next));
    this.clock.set(direction < 0 && time[here] >= this.clock.t ? time[Math.max(0, here - 1)] : time[here]);
  }

  // To the next or last event that closes a contact.
  jump(direction: number) {
    this.clock.pause();
    const times = closings(this.run).map((c) => c.t);
    if (times.length === 0) return;
    if (direction > 0) {
      const next = times.find((t) => t > this.clock.t);
      if (next !== undefined) this.clock.set(next);
    } else {
      const before = times.filter((t) => t < this.clock.t);
      if (before.length > 0) this.clock.set(before[before.length - 1]);
    }
  }

  // The marks [ and ] are set at the present time; pressed again there, taken away.
  mark(which: 0 | 1) {
    this.marks[which] = this.marks[which] === this.clock.t ? null : this.clock.t;
    const [a, b] = this.marks;
    this.clock.loop = a !== null && b !== null && a < b ? [a, b] : null;
    this.draw();
  }

  // The track with its ticks and marks; the present time is an element above it, so that nothing is drawn in a frame.
  private x(t: number, width: number): number {
    return ((t - this.clock.start) / (this.clock.end - this.clock.start || 1)) * width;
  }

  draw() {
    const ratio = sharpness();
    const width = (this.width = this.canvas.clientWidth);
    const height = this.canvas.clientHeight;
    if (width === 0) return;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    const c = this.canvas.getContext("2d")!;
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.clearRect(0, 0, width, height);
    const base = height - BELOW;
    c.fillStyle = cssColor("--line");
    c.fillRect(0, base, width, 2);
    // The largest impulse of each pixel decides how tall its tick is.
    const tall = new Float64Array(Math.ceil(width) + 1);
    const opens = new Uint8Array(Math.ceil(width) + 1);
    let largest = 0;
    const events = this.run.events;
    const t = events.get("t");
    if (t) {
      const kind = events.get("kind")!;
      const value = events.get("value")!;
      for (let i = 0; i < t.length; ++i) {
        const pixel = Math.round(this.x(t[i], width));
        if (pixel < 0 || pixel >= tall.length) continue;
        if (kind[i] === 0) tall[pixel] = Math.max(tall[pixel], value[i]);
        else opens[pixel] = 1;
        if (kind[i] === 0) largest = Math.max(largest, value[i]);
      }
    }
    for (let pixel = 0; pixel < tall.length; ++pixel) {
      if (opens[pixel]) {
        c.fillStyle = OPENS;
        c.fillRect(pixel, base + 2, 1.5, 5);
      }
      if (tall[pixel] > 0) {
        c.fillStyle = CLOSES;
        const h = 3 + (base - 4) * Math.sqrt(tall[pixel] / largest);
        c.fillRect(pixel, base - h, 1.5, h);
      }
    }
    if (this.clock.loop) {
      const from = this.x(this.clock.loop[0], width);
      c.fillStyle = cssColor("--accent-soft");
      c.fillRect(from, 0, this.x(this.clock.loop[1], width) - from, height);
    }
    c.fillStyle = cssColor("--accent");
    for (const mark of this.marks) if (mark !== null) c.fillRect(this.x(mark, width) - 1, 0, 2, height);
    this.now();
  }

  private now() {
    this.head.style.transform = `translateX(${this.x(this.clock.t, this.width).toFixed(1)}px)`;
    const face = this.clock.playing ? "❚❚" : "▶";
    if (this.play.textContent !== face) this.play.textContent = face;
    this.label.textContent = `t = ${withPrefix(this.clock.t, "s", 5)}`;
    this.canvas.setAttribute("aria-valuetext", this.label.textContent);
  }
}

export interface Closing {
  t: number;
  contact: number;
  impulse: number;
}
const kept = new WeakMap<Run, Closing[]>();
export function closings(run: Run): Closing[] {
  let list = kept.get(run);
  if (list) return list;
  list = [];
  const t = run.events.get("t");
  if (t) {
    const kind = run.events.get("kind")!;
    const contact = run.events.get("contact")!;
    const value = run.events.get("value")!;
    for (let i = 0; i < t.length; ++i) if (kind[i] === 0) list.push({ t: t[i], contact: contact[i], impulse: value[i] });
  }
  kept.set(run, list);
  return list;
}
