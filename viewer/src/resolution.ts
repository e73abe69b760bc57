// How many pixels the scene is drawn with. A still picture has all of them; while something moves and frames come too slowly for
// the machine (no graphics card, a very large window), ever fewer, down to a quarter of each side, and bodies have fewer corners:
// scrubbing stays smooth.

const WANTED = 1000 / 60; // ms a frame
const PAUSE = 200; // ms after which a picture counts as still

export class Resolution {
  ratio: number;
  private last = -Infinity;
  private mean = WANTED;
  coarse = false;

  constructor(readonly full: number) {
    this.ratio = full;
  }

  // A frame of a motion at `now` [ms]; true if the ratio changed.
  moving(now: number): boolean {
    const passed = now - this.last;
    this.last = now;
    if (passed > PAUSE * 5) {
      this.mean = WANTED; // the first frame of a motion says nothing
      return false;
    }
    this.mean += 0.25 * (passed - this.mean);
    const before = this.ratio;
    if (this.mean > 1.35 * WANTED) {
      this.ratio = Math.max(0.25 * this.full, 0.8 * this.ratio);
      this.coarse = true;
    } else if (this.mean < 1.05 * WANTED) this.ratio = Math.min(this.full, 1.02 * this.ratio);
    return this.ratio !== before;
  }

  // Nothing moves at `now`, and a motion left fewer pixels than there are.
  rests(now: number): boolean {
    return (this.ratio !== this.full || this.coarse) && now - this.last >= PAUSE;
  }
  // Nothing moves at `now`; true if all pixels come back.
  still(now: number): boolean {
    if (!this.rests(now)) return false;
    this.ratio = this.full;
    this.coarse = false;
    return true;
  }
}
