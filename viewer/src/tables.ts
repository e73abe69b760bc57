// What can be read: the summary, expectations, warnings, the worst steps, parameters, the model's text.
import type { Clock } from "./clock";
import type { Run, Table } from "./data";
import { element, plain, withPrefix } from "./format";
import { closings } from "./timeline";

type Cell = string | number | null | HTMLElement;

// Paths may be broken behind their slashes and underscores, and nothing else.
function breakable(text: string): string | HTMLElement {
  const parts = text.split(/(?<=\w\w[/_])(?=\w)/);
  return parts.length < 3 ? text : element("span", {}, ...parts.flatMap((part, i) => (i > 0 ? [element("wbr"), part] : [part])));
}

// Reasons are sentences: in a column of their own they would be a thread of words, so they stand below their row.
const REASON = "why";

export function table(head: string[], rows: Cell[][], name = ""): HTMLElement {
  const reason = head.indexOf(REASON);
  const plainCell = (c: Cell) => (c instanceof HTMLElement ? c : typeof c === "number" ? plain(c) : breakable(c ?? "–"));
  const isNumber = (c: Cell) => typeof c === "number" || (typeof c === "string" && c !== "" && Number.isFinite(Number(c)));
  const body = rows.flatMap((row) => {
    const why = reason >= 0 ? row[reason] : null;
    const cells = row.filter((_, i) => i !== reason).map((c) => element("td", isNumber(c) ? { class: "number" } : {}, plainCell(c)));
    if (!why) return [element("tr", {}, ...cells)];
    return [element("tr", { class: "explained" }, ...cells), element("tr", {}, element("td", { class: "why", colspan: String(cells.length) }, plainCell(why)))];
  });
  const node = element("table", name ? { id: name } : {});
  if (head.length > 0) node.append(element("thead", {}, element("tr", {}, ...head.filter((h) => h !== REASON).map((h) => element("th", { scope: "col" }, h)))));
  node.append(element("tbody", {}, ...body));
  return element("div", { class: "scroll" }, node);
}

function card(title: string, ...content: (HTMLElement | string)[]): HTMLElement {
  return element("section", { class: "card" }, element("h2", {}, title), ...content);
}

function verdict(word: string): HTMLElement {
  const good = word === "ok" || word === "met";
  const bad = word === "broken" || word === "failed" || word === "FAILED";
  return element("span", { class: `badge ${good ? "good" : bad ? "bad" : "open"}` }, `${good ? "✓" : bad ? "✗" : "?"} ${word}`);
}

function jumpTo(clock: Clock, t: number): HTMLElement {
  const b = element("button", { type: "button", class: "link", title: "Show this moment" }, `t = ${withPrefix(t, "s", 5)}`);
  b.addEventListener("click", () => {
    clock.pause();
    clock.set(t);
    document.querySelector(".stage")?.scrollIntoView({ behavior: "smooth", block: "nearest" });
  });
  return b;
}

function summary(run: Run): HTMLElement {
  const a = run.about;
  const rows: Cell[][] = [];
  const put = (name: string, value: Cell) => rows.push([name, value]);
  put("model", String(a.model ?? ""));
  put("scheme", String(a.scheme ?? ""));
  put("contact solver", String(a.solver ?? ""));
  if (a.step) put("step", withPrefix(Number(a.step), "s"));
  put("time", `${withPrefix(run.time[0], "s")} to ${withPrefix(run.time[run.time.length - 1], "s")}`);
  if (a.steps !== null && a.steps !== undefined) put("steps", `${a.steps}, ${a.failed_steps ?? 0} failed, ${a.halvings ?? 0} halved`);
  if (a.wall_seconds) put("took", withPrefix(Number(a.wall_seconds), "s", 3));
  const events = closings(run);
  if (events.length > 0) {
    const largest = events.reduce((m, e) => (e.impulse > m.impulse ? e : m));
    put("contacts that closed", `${events.length} times, largest impulse ${withPrefix(largest.impulse, "N s", 3)}`);
  }
  const energy = run.fields.get("/energy/total")?.values;
  if (energy) put("energy", `${plain(energy[0])} → ${plain(energy[energy.length - 1])} J`);
  put("written by", `carom ${a.carom ?? ""} ${a.commit ? `(${a.commit})` : ""}`);
  put("created", String(a.created ?? ""));
  put("file", run.file);
  return card("Summary", table([], rows, "summary"));
}

// The ten worst of several kinds, each with its moment.
function worst(run: Run, clock: Clock): HTMLElement | null {
  const rows: Cell[][] = [];
  const contacts = run.names["/contact"] ?? [];
  for (const e of [...closings(run)].sort((a, b) => b.impulse - a.impulse).slice(0, 4))
    rows.push(["largest impulse", contacts[e.contact] ?? "", withPrefix(e.impulse, "N s", 4), jumpTo(clock, e.t)]);
  const gap = run.contacts.get("gap");
  const t = run.contacts.get("t");
  const number = run.contacts.get("contact");
  if (gap && t && number) {
    const seen = new Map<number, number>();
    for (let i = 0; i < gap.length; ++i) if (gap[i] < 0 && (!seen.has(number[i]) || gap[i] < gap[seen.get(number[i])!])) seen.set(number[i], i);
    for (const i of [...seen.values()].sort((a, b) => gap[a] - gap[b]).slice(0, 3))
      rows.push(["deepest penetration", contacts[number[i]] ?? "", withPrefix(-gap[i], "m", 4), jumpTo(clock, t[i])]);
  }
  const steps = run.stats.get("t");
  for (const [name, title] of [["solver_iterations", "most solver iterations"], ["residual", "largest residual"], ["newton_iterations", "most Newton iterations"]] as const) {
    const values = run.stats.get(name);
    if (!values || !steps || values.length === 0) continue;
    let at = 0;
    for (let i = 0; i < values.length; ++i) if (values[i] > values[at]) at = i;
    if (values[at] > 0) rows.push([title, "", plain(values[at]), jumpTo(clock, steps[at])]);
  }
  if (rows.length === 0) return null;
  return card("Worst steps", table(["what", "where", "how much", "when"], rows, "worst"));
}

function flatten(value: unknown, path: string, rows: Cell[][]) {
  if (value !== null && typeof value === "object" && !Array.isArray(value)) {
    for (const [key, inner] of Object.entries(value)) flatten(inner, path ? `${path}.${key}` : key, rows);
  } else rows.push([path, Array.isArray(value) ? JSON.stringify(value) : typeof value === "number" ? value : String(value)]);
}

export function tablesOf(run: Run, clock: Clock): HTMLElement[] {
  const cards: (HTMLElement | null)[] = [summary(run)];
  if (run.findings.length > 0)
    cards.push(card("Not sound", table(["finding", "when"], run.findings.map((f) => [f.text, jumpTo(clock, f.t)]), "findings")));
  if (run.about.advice) cards.push(card("Advice", element("p", {}, String(run.about.advice))));
  if (run.expectations.length > 0)
    cards.push(card("Expectations", table(["name", "verdict", "formula", "with numbers"], run.expectations.map((e) => [e.name, verdict(e.verdict), element("code", {}, e.formula), e.why]), "expectations")));
  if (run.measures.length > 0) cards.push(card("Measures", table(["name", "value"], run.measures.map((m) => [m.name, m.value]), "measures")));
  if (run.warnings.length > 0) cards.push(card("Warnings", element("ul", { id: "warnings" }, ...run.warnings.map((w) => element("li", {}, w)))));
  cards.push(worst(run, clock));
  if (run.scene) {
    const shapes = new Map<string, string[]>();
    for (const shape of run.scene.shapes) shapes.set(shape.frame, [...(shapes.get(shape.frame) ?? []), shape.kind]);
    const frames = run.scene.frames.filter((f) => shapes.has(f));
    const rows: Cell[][] = frames.slice(0, 200).map((f) => [f, [...new Set(shapes.get(f)!)].join(", ")]);
    if (frames.length > 200) rows.push(["…", `and ${frames.length - 200} more`]);
    const links = run.scene.links.slice(0, 200).map((l): Cell[] => [l.name, l.kind, `${l.frame_a} – ${l.frame_b}`, l.play > 0 ? withPrefix(l.play, "m") : ""]);
    cards.push(card("Model", table(["frame", "shapes"], rows, "frames"), ...(links.length > 0 ? [table(["joint", "kind", "between", "play"], links, "links")] : [])));
  }
  if (run.resolved) {
    const rows: Cell[][] = [];
    flatten(run.resolved, "", rows);
    const details = element("details", {}, element("summary", {}, `${rows.length} values, defaults included`), table(["name", "value"], rows, "parameters"));
    details.open = rows.length < 40;
    cards.push(card("Parameters", details));
  }
  if (run.source) cards.push(card("Model file", element("details", {}, element("summary", {}, "text of the model"), element("pre", {}, run.source))));
  if (run.notes.length > 0) cards.push(card("Left out of this page", element("ul", { id: "notes" }, ...run.notes.map((n) => element("li", {}, n)))));
  return cards.filter((c): c is HTMLElement => c !== null);
}

export function comparison(runs: Run[]): HTMLElement {
  const rows: Cell[][] = [];
  const row = (name: string, of: (run: Run) => Cell) => {
    const cells = runs.map(of);
    if (cells.some((c) => c !== null && c !== "")) rows.push([name, ...cells]);
  };
  row("outcome", (r) => String(r.about.outcome ?? ""));
  row("judged", (r) => (r.sound === null ? null : verdict(r.sound ? "ok" : "broken")));
  row("scheme", (r) => String(r.about.scheme ?? ""));
  row("step", (r) => withPrefix(Number(r.about.step), "s"));
  row("steps", (r) => Number(r.about.steps));
  row("wall time", (r) => withPrefix(Number(r.about.wall_seconds), "s", 3));
  row("deepest penetration", (r) => {
    const gap = r.contacts.get("gap");
    if (!gap || gap.length === 0) return null;
    let low = 0;
    for (const g of gap) if (g < low) low = g;
    return withPrefix(-low, "m", 3);
  });
  row("contacts that closed", (r) => closings(r).length);
  row("normal impulse in all", (r) => {
    const pn = r.contacts.get("pn");
    if (!pn) return null;
    let sum = 0;
    for (const p of pn) sum += p;
    return withPrefix(sum, "N s");
  });
  row("energy at the end", (r) => {
    const e = r.fields.get("/energy/total")?.values;
    return e ? withPrefix(e[e.length - 1], "J", 6) : null;
  });
  for (const name of new Set(runs.flatMap((r) => r.measures.map((m) => m.name)))) row(name, (r) => r.measures.find((m) => m.name === name)?.value ?? null);
  for (const name of new Set(runs.flatMap((r) => r.expectations.map((e) => e.name))))
    row(`expect ${name}`, (r) => {
      const found = r.expectations.find((e) => e.name === name);
      return found ? verdict(found.verdict) : null;
    });
  return card("Runs side by side", table(["", ...runs.map((r) => r.label)], rows, "comparison"));
}

export function studyTable(t: Table): HTMLElement {
  const rows = t.rows.map((row) => row.map((c): Cell => (typeof c === "string" && ["met", "failed", "explained", "contradicted", "ok", "broken"].includes(c) ? verdict(c) : c)));
  return element("div", {}, ...(t.title ? [element("h3", {}, t.title)] : []), ...(t.note ? [element("p", { class: "note" }, t.note)] : []), table(t.columns, rows));
}

export { verdict };
