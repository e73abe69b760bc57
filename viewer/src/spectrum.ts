// Amplitudes of a signal over frequency, as src/carom/io/spectrum.h defines them: straight lines between samples, Hann's window, a
// transform of 2^k numbers.

export interface Spectrum {
  frequency: Float64Array; // Hz, without the mean at 0
  amplitude: Float64Array;
}

const MOST = 1 << 17;

function transform(re: Float64Array, im: Float64Array) {
  const n = re.length;
  for (let i = 1, j = 0; i < n; ++i) {
    let bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) [re[i], re[j], im[i], im[j]] = [re[j], re[i], im[j], im[i]];
  }
  for (let length = 2; length <= n; length *= 2)
    for (let k = 0; k < length / 2; ++k) {
      const c = Math.cos((2 * Math.PI * k) / length);
      const s = -Math.sin((2 * Math.PI * k) / length);
      for (let a = k; a < n; a += length) {
        const b = a + length / 2;
        const x = c * re[b] - s * im[b];
        const y = c * im[b] + s * re[b];
        [re[b], im[b]] = [re[a] - x, im[a] - y];
        re[a] += x;
        im[a] += y;
      }
    }
}

// null if there are less than four samples, or one is not a number.
export function spectrum(t: ArrayLike<number>, y: ArrayLike<number>): Spectrum | null {
  const m = t.length;
  if (m < 4 || !(t[m - 1] > t[0])) return null;
  const n = Math.min(MOST, 2 ** Math.ceil(Math.log2(m)));
  const step = (t[m - 1] - t[0]) / (n - 1);
  const re = new Float64Array(n);
  const im = new Float64Array(n);
  let mean = 0;
  for (let j = 0, k = 0; j < n; ++j) {
    const at = Math.min(t[m - 1], t[0] + j * step);
    while (k + 2 < m && t[k + 1] <= at) ++k;
    const share = t[k + 1] > t[k] ? (at - t[k]) / (t[k + 1] - t[k]) : 0;
    re[j] = y[k] + share * (y[k + 1] - y[k]);
    mean += re[j] / n;
  }
  if (!Number.isFinite(mean)) return null;
  for (let j = 0; j < n; ++j) re[j] = (re[j] - mean) * (0.5 - 0.5 * Math.cos((2 * Math.PI * j) / n));
  transform(re, im);
  const frequency = new Float64Array(n / 2);
  const amplitude = new Float64Array(n / 2);
  for (let k = 1; k <= n / 2; ++k) {
    frequency[k - 1] = k / (n * step);
    amplitude[k - 1] = (4 / n) * Math.hypot(re[k], im[k]);
  }
  return { frequency, amplitude };
}
