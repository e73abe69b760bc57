// Round numbers along an axis, and how many digits they need.

// As many as tell neighbours apart, and four at least.
export function digitsOf(marks: number[]): number {
  if (marks.length < 2) return 4;
  const largest = Math.max(...marks.map(Math.abs));
  return Math.min(12, Math.max(4, 1 + Math.ceil(Math.log10(largest / Math.abs(marks[1] - marks[0])) + 1e-9)));
}

export function ticks(low: number, high: number, count: number, log: boolean): number[] {
  if (log) {
    const step = Math.max(1, Math.ceil((high - low) / count));
    const result = [];
    for (let e = Math.ceil(low / step) * step; e <= high; e += step) result.push(e);
    return result;
  }
  const raw = (high - low) / count;
  const power = Math.pow(10, Math.floor(Math.log10(raw)));
  const step = [1, 2, 5, 10].map((f) => f * power).find((s) => s >= raw) ?? raw;
  const first = Math.ceil(low / step);
  const many = Math.min(100, Math.floor(high / step) - first + 1); // numbers that rounding cannot tell apart have no end of ticks
  return Array.from({ length: Math.max(0, many) }, (_, i) => (first + i) * step);
}
