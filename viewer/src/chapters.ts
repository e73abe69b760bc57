// Pages of studies: chapters of text, tables and charts.
import type { Chapter, Chart } from "./data";
import { color, element } from "./format";
import { heatMap } from "./heat_map";
import { studyTable, verdict } from "./tables";
import { XyPlot } from "./xy_plot";

function chart(c: Chart, id: string): HTMLElement {
  const curves = c.curves.map((curve, k) => ({
    label: curve.label,
    color: curve.style === "level" ? "#777" : color(k),
    x: curve.x,
    y: curve.y,
    line: !["points", "open_points", "dots"].includes(curve.style),
    points: ["points", "open_points", "line_points", "dots"].includes(curve.style),
    size: curve.style !== "dots" ? 2.4 : curve.x.length > 4000 ? 0.7 : 1.5,
    dash: curve.style === "dashed" || curve.style === "level",
    breaks: new Set(curve.jumps ?? []),
  }));
  return new XyPlot({ title: c.title, x: c.x, y: c.y, curves, logX: c.log_x, logY: c.log_y }, id).root;
}

export function chaptersOf(chapters: Chapter[]): HTMLElement {
  const root = element("div", { class: "chapters", id: "chapters" });
  if (chapters.length > 2) {
    const rows = chapters.map((c, i) => element("li", {}, element("a", { href: `#chapter-${i}` }, c.title), " ", ...(c.verdict ? [verdict(c.verdict)] : [])));
    root.append(element("nav", { class: "card contents" }, element("h2", {}, "Contents"), element("ol", {}, ...rows)));
  }
  chapters.forEach((c, i) => {
    root.append(
      element(
        "section",
        { class: "card chapter", id: `chapter-${i}` },
        element("h2", {}, c.title, " ", ...(c.verdict ? [verdict(c.verdict)] : [])),
        ...c.text.split("\n").filter((line) => line).map((line) => element("p", {}, line)),
        element("div", { class: "charts" }, ...c.maps.map((m, j) => heatMap(m, `map-${i}-${j}`)), ...c.charts.map((k, j) => chart(k, `chart-${i}-${j}`))),
        ...c.tables.map(studyTable),
      ),
    );
  });
  return root;
}
