// How many pixels the scene is drawn with. A still picture has four for each of the screen, which smooths its edges; while something moves and
// frames come too slowly for the machine (no graphics card, a very large window), ever fewer, down to `least` of each side, and bodies have
// fewer corners: scrubbing stays smooth. A motion begins with as many as the last one ended with.

const WANTED = 1000 / 60; // ms a frame
const PAUSE = 200; // ms after which a picture counts as still

export class Resolution {
  ratio: number; // pixels of the scene for one of the page, along a side
  coarse = false; // bodies with fewer corners
  private pace: number; // the ratio while something moves
  private most: number; // what it may grow to
  private slow = false; // this machine needs fewer corners
  private last = -Infinity;
  private mean = WANTED;

  constructor(
    readonly still: number,
    moving: number,
    public least = 0.25,
  ) {
    this.ratio = still;
    this.pace = moving;
    this.most = still;
  }

  get moving_ratio(): number {
    return this.pace;
  }
  // A frame of a motion at `now` [ms].
  moving(now: number) {
    const passed = now - this.last;
    this.last = now;
    if (passed > PAUSE * 5) {
      this.mean = WANTED; // the first frame of a motion says nothing
      this.most = Math.min(this.still, 1.2 * this.most);
    } else this.adapt(passed);
    this.ratio = this.pace;
    this.coarse = this.slow;
  }
  // What was once too much is not tried again in this motion.
  private adapt(passed: number) {
    this.mean += 0.25 * (passed - this.mean);
    if (this.mean > 1.12 * WANTED) {
      this.most = Math.max(this.least, 0.9 * this.pace);
      this.pace = Math.max(this.least, this.pace * Math.max(0.5, Math.min(0.9, Math.sqrt(WANTED / this.mean))));
      this.slow ||= this.mean > 1.3 * WANTED;
    } else if (this.mean < 1.03 * WANTED) this.pace = Math.min(this.most, 1.02 * this.pace);
  }

  // Nothing moves at `now`, and a motion left fewer pixels than there can be.
  rests(now: number): boolean {
    return (this.ratio !== this.still || this.coarse) && now - this.last >= PAUSE;
  }
  // Nothing moves: all pixels come back.
  rest() {
    this.ratio = this.still;
    this.coarse = false;
  }
}
