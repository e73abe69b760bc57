// A number over two parameters as coloured cells, with a scale. Colours go from dark blue to yellow and are told apart by all
// kinds of colour vision; a cell without a value stays hatched. The pointer reads a cell.
import type { HeatMapData } from "./data";
import { keepDrawn } from "./drawings";
import { cssColor, element, plain } from "./format";
import { sharpness } from "./paper";

const SCALE: [number, number, number][] = [[0, 34, 78], [59, 73, 108], [112, 113, 115], [168, 156, 108], [225, 204, 85], [254, 232, 56]];

function shade(share: number): string {
  const at = Math.min(1, Math.max(0, share)) * (SCALE.length - 1);
  const k = Math.min(SCALE.length - 2, Math.floor(at));
  return `rgb(${SCALE[k].map((c, i) => Math.round(c + (at - k) * (SCALE[k + 1][i] - c))).join(",")})`;
}

export function heatMap(map: HeatMapData, id: string): HTMLElement {
  const canvas = element("canvas", { class: "xy", role: "img", "aria-label": `${map.title} over ${map.x_label} and ${map.y_label}` });
  const reading = element("p", { class: "reading" }, "\u00a0");
  const root = element("section", { class: "plot heat", id: `plot-${id}` }, element("h3", {}, map.title), canvas, reading);
  const known = map.values.filter((v): v is number => v !== null);
  const low = Math.min(...known);
  const high = Math.max(...known);
  const [nx, ny] = [map.x.length, map.y.length];
  const [left, top, right, bottom] = [74, 8, 96, 38];
  let cells: { w: number; h: number } | null = null;

  const draw = () => {
    const ratio = sharpness();
    const [w, h] = [canvas.clientWidth, canvas.clientHeight];
    if (w === 0 || h === 0) return;
    canvas.width = Math.round(w * ratio);
    canvas.height = Math.round(h * ratio);
    const c = canvas.getContext("2d")!;
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.font = "11px system-ui";
    const [pw, ph] = [w - left - right, h - top - bottom];
    cells = { w: pw / nx, h: ph / ny };
    for (let j = 0; j < ny; ++j)
      for (let i = 0; i < nx; ++i) {
        const v = map.values[i + nx * j];
        const [x, y] = [left + i * cells.w, top + ph - (j + 1) * cells.h];
        if (v !== null) {
          c.fillStyle = shade(high > low ? (v - low) / (high - low) : 0.5);
          c.fillRect(x, y, cells.w + 0.5, cells.h + 0.5);
        } else {
          c.strokeStyle = cssColor("--bad");
          c.beginPath();
          c.moveTo(x, y + cells.h);
          c.lineTo(x + cells.w, y);
          c.stroke();
        }
      }
    c.fillStyle = cssColor("--ink-soft");
    const some = (n: number, most: number) => Array.from({ length: n }, (_, k) => k).filter((k) => k % Math.ceil(n / most) === 0);
    c.textAlign = "center";
    for (const i of some(nx, Math.max(1, Math.min(6, Math.floor(pw / 48))))) c.fillText(plain(map.x[i], 4), left + (i + 0.5) * cells.w, top + ph + 14);
    c.fillText(map.x_label, left + pw / 2, h - 6);
    c.textAlign = "right";
    for (const j of some(ny, 8)) c.fillText(plain(map.y[j], 4), left - 5, top + ph - (j + 0.5) * cells.h + 4);
    c.save();
    c.translate(11, top + ph / 2);
    c.rotate(-Math.PI / 2);
    c.textAlign = "center";
    c.fillText(map.y_label, 0, 0);
    c.restore();
    for (let k = 0; k < 60; ++k) {
      c.fillStyle = shade(k / 59);
      c.fillRect(w - right + 14, top + ph - ((k + 1) * ph) / 60, 14, ph / 60 + 0.5);
    }
    c.fillStyle = cssColor("--ink-soft");
    c.textAlign = "left";
    for (const f of [0, 0.5, 1]) c.fillText(plain(low + f * (high - low), 4), w - right + 32, top + ph - f * (ph - 8));
  };
  canvas.addEventListener("pointermove", (e) => {
    const box = canvas.getBoundingClientRect();
    if (!cells) return;
    const i = Math.floor((e.clientX - box.left - left) / cells.w);
    const j = ny - 1 - Math.floor((e.clientY - box.top - top) / cells.h);
    const inside = i >= 0 && i < nx && j >= 0 && j < ny;
    reading.textContent = inside ? `${map.x_label} ${plain(map.x[i])}, ${map.y_label} ${plain(map.y[j])}: ${plain(map.values[i + nx * j])}` : "\u00a0";
  });
  new ResizeObserver(draw).observe(canvas);
  keepDrawn(root, draw);
  return root;
}
