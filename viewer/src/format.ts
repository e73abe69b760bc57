// Numbers for people, and the colours of everything.

const PREFIXES: [number, string][] = [
  [1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"], [1e-12, "p"],
];

export function withPrefix(x: number, unit: string, digits = 4): string {
  if (!Number.isFinite(x)) return "–";
  if (x === 0) return `0 ${unit}`;
  const size = Math.abs(x);
  const [scale, prefix] = PREFIXES.find(([s]) => size >= 0.9995 * s) ?? PREFIXES[PREFIXES.length - 1];
  return `${Number((x / scale).toPrecision(digits))} ${prefix}${unit}`;
}

export function plain(x: number | null, digits = 5): string {
  if (x === null || !Number.isFinite(x)) return "–";
  if (x !== 0 && (Math.abs(x) < 1e-3 || Math.abs(x) >= 1e6)) return x.toExponential(digits - 2).replace(/\.?0+e/, "e");
  return String(Number(x.toPrecision(digits)));
}

// Okabe and Ito: told apart by all kinds of colour vision.
export const PALETTE = ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#8a7fd1", "#999999"];
export const IMPULSE = "#D55E00";
export const FORCE = "#009E73";
export const REACTION = "#CC79A7";
export const CLOSES = "#D55E00";
export const OPENS = "#56B4E9";

export function color(i: number): string {
  return PALETTE[i % PALETTE.length];
}

// Asking the browser makes it work out all styles, so every colour is asked for once a theme.
const asked = new Map<string, string>();
export function cssColor(name: string): string {
  let known = asked.get(name);
  if (known === undefined) asked.set(name, (known = getComputedStyle(document.documentElement).getPropertyValue(name).trim()));
  return known;
}
export function forgetColors() {
  asked.clear();
}

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}
