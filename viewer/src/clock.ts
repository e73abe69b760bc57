// One clock for everything on the page: whoever shows time listens to it, and hears of it once a frame however often it was set.

export class Clock {
  t: number;
  playing = false;
  speed: number; // seconds of the model in a second of the viewer
  loop: [number, number] | null = null;
  private listeners: ((t: number) => void)[] = [];
  private news = false;
  private last = 0;

  constructor(
    readonly start: number,
    readonly end: number,
  ) {
    this.t = start;
    // A run takes ten seconds to show, in a speed that people like to read.
    const wanted = Math.max(1e-9, (end - start) / 10);
    const power = Math.pow(10, Math.floor(Math.log10(wanted)));
    this.speed = [1, 2, 5, 10].map((f) => f * power).reduce((a, b) => (Math.abs(Math.log(b / wanted)) < Math.abs(Math.log(a / wanted)) ? b : a));
  }

  listen(listener: (t: number) => void) {
    this.listeners.push(listener);
  }
  set(t: number) {
    this.t = Math.min(this.end, Math.max(this.start, t));
    this.news = true;
  }
  toggle() {
    this.playing = !this.playing;
    if (this.playing && this.t >= this.end) this.t = this.start;
    this.last = 0;
    this.news = true;
  }
  pause() {
    if (this.playing) this.toggle();
  }
  get moves(): boolean {
    return this.playing || this.news;
  }
  // Called in every animation frame, with the browser's milliseconds; true if something is to be shown anew.
  tick(now: number): boolean {
    this.advance(now);
    if (!this.news) return false;
    this.news = false;
    for (const listener of this.listeners) listener(this.t);
    return true;
  }
  private advance(now: number) {
    if (!this.playing) return;
    if (this.last > 0) {
      let t = this.t + (this.speed * Math.min(100, now - this.last)) / 1000;
      const [from, to] = this.loop ?? [this.start, this.end];
      if (t > to) {
        if (this.loop) t = from;
        else {
          t = this.end;
          this.playing = false;
        }
      }
      this.set(t);
    }
    this.last = now;
  }
}
