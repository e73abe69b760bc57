// What the page sees of its own frames while something moves: the time from one to the next, which is the browser's, the graphics
// card's and the page's together, and the time of the page's script in each, which is its own part. Counts of the last frames, in
// rings: nothing is allocated in a frame.
import { element } from "./format";

const KEPT = 240;
const LOOKS = 4; // a second: how often what is shown changes

export interface FrameTimes {
  frames: number; // counted since the start of the page
  frames_per_second: number; // of those kept, as the three below
  script_ms: number; // mean
  longest_script_ms: number;
  slowest_frame_ms: number;
}

export class FrameMeter {
  readonly root = element("output", { id: "meter", class: "meter", hidden: "", "aria-label": "frames a second" });
  frames = 0;
  private spans = new Float64Array(KEPT);
  private scripts = new Float64Array(KEPT);
  private kept = 0;
  private last = -Infinity;
  private began = 0;
  private written = -Infinity;

  // A frame of a motion; `now` is the time that the browser gives it. The first one has none before it to be counted from.
  begin(now: number) {
    this.began = performance.now();
    const span = now - this.last;
    this.last = now;
    if (span === Infinity) return;
    const at = this.kept % KEPT;
    this.spans[at] = span;
    this.scripts[at] = 0;
    ++this.kept;
    ++this.frames;
  }
  end() {
    const now = performance.now();
    if (this.kept > 0 && this.last > -Infinity) this.scripts[(this.kept - 1) % KEPT] = now - this.began;
    if (!this.root.hidden && now - this.written > 1000 / LOOKS) this.write(now);
  }
  // Nothing moves: what lies between this and the next motion is no frame.
  rest() {
    this.last = -Infinity;
  }
  forget() {
    this.kept = 0;
  }

  times(): FrameTimes {
    const n = Math.min(this.kept, KEPT);
    let [span, script, longest, slowest] = [0, 0, 0, 0];
    for (let i = 0; i < n; ++i) {
      span += this.spans[i];
      script += this.scripts[i];
      longest = Math.max(longest, this.scripts[i]);
      slowest = Math.max(slowest, this.spans[i]);
    }
    return { frames: this.frames, frames_per_second: n > 0 ? (1000 * n) / span : 0, script_ms: n > 0 ? script / n : 0, longest_script_ms: longest, slowest_frame_ms: slowest };
  }

  toggle() {
    this.root.hidden = !this.root.hidden;
    this.write(performance.now());
  }
  // The result of a measurement, until something moves again.
  say(text: string) {
    this.written = performance.now();
    this.root.textContent = text;
  }
  private write(now: number) {
    this.written = now;
    const t = this.times();
    this.root.textContent =
      t.script_ms > 0
        ? `${t.frames_per_second.toFixed(0)} frames/s · script ${t.script_ms.toFixed(1)} ms, longest ${t.longest_script_ms.toFixed(1)} ms · slowest frame ${t.slowest_frame_ms.toFixed(0)} ms`
        : "play or scrub: frames are counted while something moves";
  }
}
