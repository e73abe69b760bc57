// Which curves a run has: gaps, forces, impulses, velocities, energy, losses, solver work, orbits, phase portraits,
// Poincaré sections, spectra, signals. In compare mode every panel shows one quantity of all runs.
import { Vector3 } from "three";
import type { Clock } from "./clock";
import { sampleAt, type Field, type Run } from "./data";
import { PALETTE, color, element, withPrefix } from "./format";
import { Frames } from "./frames";
import { TimePlot, type PlotSpec, type Series } from "./plots";
import { atImpacts, everyPeriod } from "./section";
import { spectrum, type Spectrum } from "./spectrum";
import { closings } from "./timeline";
import { XyPlot, type XySpec } from "./xy_plot";

const MOST_CURVES = 8;

function jumpTimes(run: Run): number[] {
  return closings(run).map((c) => c.t);
}

function column(field: Field, row: number, k: number): Float64Array {
  const rows = field.shape[1] ?? 1;
  const width = field.shape[2] ?? 1;
  const n = field.shape[0];
  const out = new Float64Array(n);
  for (let i = 0; i < n; ++i) out[i] = field.values[(i * rows + row) * width + k];
  return out;
}

// Everything that moves, with its coordinate and velocity curves: bodies by name, single coordinates by theirs.
export interface Mover {
  name: string;
  curves: { label: string; unit: string; q: Float64Array; v: Float64Array }[];
}
export function movers(run: Run): Mover[] {
  const list: Mover[] = [];
  for (const [pool, position, angle] of [["/body", "xyz", false], ["/planar_body", "xy", true]] as const) {
    const x = run.fields.get(`${pool}/position`);
    const v = run.fields.get(`${pool}/velocity`);
    if (!x || !v) continue;
    (run.names[pool] ?? []).forEach((name, row) => {
      const curves = [...position].map((axis, k) => ({ label: axis, unit: "m", q: column(x, row, k), v: column(v, row, k) }));
      const turn = run.fields.get(`${pool}/angle`);
      const spin = run.fields.get(`${pool}/spin`);
      if (angle && turn && spin) curves.push({ label: "angle", unit: "rad", q: column(turn, row, 0), v: column(spin, row, 0) });
      list.push({ name, curves });
    });
  }
  // Formulas: /coordinate/crank.angle and /velocity/crank.rate stand in the same order.
  const q = [...run.fields.values()].filter((f) => f.path.startsWith("/coordinate/"));
  const v = [...run.fields.values()].filter((f) => f.path.startsWith("/velocity/"));
  if (q.length === v.length && q.length > 0) {
    const order = run.names["/coordinate"] ?? [];
    const rates = run.names["/velocity"] ?? [];
    const byName = (list: Field[], names: string[], i: number) => list.find((f) => f.path.split("/")[2] === names[i]) ?? list[i];
    q.forEach((_, i) => {
      const a = byName(q, order, i);
      const b = byName(v, rates, i);
      const name = a.path.split("/")[2];
      list.push({ name, curves: [{ label: name.split(".").pop()!, unit: a.unit, q: column(a, 0, 0), v: column(b, 0, 0) }] });
    });
  }
  return list;
}

function contactSeries(run: Run): { gaps: Series[]; forces: Series[]; impulses: Series[]; velocities: Series[]; many: number } {
  const c = run.contacts;
  const t = c.get("t") ?? new Float64Array(0);
  const number = c.get("contact") ?? t;
  const names = run.names["/contact"] ?? [];
  const totals = new Float64Array(names.length);
  const pn = c.get("pn") ?? t;
  for (let i = 0; i < t.length; ++i) totals[number[i]] += pn[i];
  const order = [...names.keys()].sort((a, b) => totals[b] - totals[a]).slice(0, MOST_CURVES).sort((a, b) => a - b);
  const rows = new Map<number, number[]>(order.map((n) => [n, []]));
  for (let i = 0; i < t.length; ++i) rows.get(number[i])?.push(i);
  const steps = run.stats.get("t") ?? t;
  const dt = run.stats.get("dt") ?? t;
  const closing = new Set(closings(run).map((e) => `${e.contact}@${e.t}`));
  const take = (list: number[], from: ArrayLike<number>) => Float64Array.from(list, (i) => from[i]);
  const gap = c.get("gap") ?? t;
  const minus = c.get("vn_minus") ?? t;
  const plus = c.get("vn_plus") ?? t;
  const result = { gaps: [] as Series[], forces: [] as Series[], impulses: [] as Series[], velocities: [] as Series[], many: names.length - order.length };
  const recorded = run.fields.get("/gap/value");
  (run.names["/gap"] ?? []).slice(0, MOST_CURVES).forEach((name, row) => {
    if (recorded) result.gaps.push({ label: name, color: color(row), x: run.time, y: column(recorded, row, 0) });
  });
  order.forEach((n, k) => {
    const list = rows.get(n)!;
    const label = names[n];
    const paint = color(k);
    if (!recorded) result.gaps.push({ label, color: paint, x: take(list, t), y: take(list, gap), style: "points" });
    // Mean force of every step; zero where the contact is open, not drawn where it closes (that is an impulse).
    const fx: number[] = [];
    const fy: number[] = [];
    let last = -1;
    for (const i of list) {
      const step = sampleAt(steps, t[i]);
      if (last >= 0 && step > last + 1) {
        fx.push(steps[last + 1], steps[step - 1]);
        fy.push(0, 0);
      }
      fx.push(t[i]);
      fy.push(closing.has(`${n}@${t[i]}`) ? NaN : pn[i] / (dt[step] || 1));
      last = step;
    }
    if (fy.some((f) => f > 0)) result.forces.push({ label, color: paint, x: fx, y: fy, style: "steps" });
    const hits = list.filter((i) => closing.has(`${n}@${t[i]}`));
    if (hits.length > 0) {
      result.impulses.push({ label, color: paint, x: take(hits, t), y: take(hits, pn), style: "stems" });
      // Before and after, one above the other.
      const vx: number[] = [];
      const vy: number[] = [];
      for (const i of hits) {
        vx.push(t[i], t[i], t[i]);
        vy.push(minus[i], plus[i], NaN);
      }
      result.velocities.push({ label, color: paint, x: vx, y: vy, width: 2 });
    }
  });
  return result;
}

function energySeries(run: Run, names: [string, string, number][]): Series[] {
  return names.flatMap(([name, label, k]) => {
    const field = run.fields.get(`/energy/${name}`);
    if (!field || !field.values.some((v) => v !== 0)) return [];
    return [{ label, color: PALETTE[k], x: run.time, y: field.values, jumps: name === "potential" ? [] : jumpTimes(run) }];
  });
}

function solverSeries(run: Run): Series[] {
  const t = run.stats.get("t");
  if (!t) return [];
  return (
    [
      ["newton_iterations", "Newton", 0],
      ["solver_iterations", "contact solver", 1],
      ["projection_iterations", "projection", 2],
      ["index_set_iterations", "active set", 3],
    ] as const
  ).flatMap(([name, label, k]) => {
    const values = run.stats.get(name);
    return values && values.some((v) => v !== 0) ? [{ label, color: PALETTE[k], x: t, y: values }] : [];
  });
}

function choose(options: string[], value: string, label: string, change: (v: string) => void): HTMLSelectElement {
  const select = element("select", { "aria-label": label, title: label });
  for (const option of options) select.append(element("option", { value: option }, option));
  select.value = value;
  select.addEventListener("change", () => change(select.value));
  return select;
}

export class Panels {
  readonly root = element("div", { class: "plots", id: "plots" });
  private plots: (TimePlot | XyPlot)[] = [];
  private moverName = "";
  private velocity: TimePlot | null = null;
  private phase: XyPlot | null = null;
  private cut: XyPlot | null = null; // the section
  private lines: XyPlot | null = null; // of the spectrum
  private sectionAt = ""; // "period", or a contact; empty: impacts of any
  private period = NaN; // that the user gave
  private shown: Run[] = [];

  constructor(private clock: Clock) {
    clock.listen((t) => this.now(t));
  }

  now(t: number) {
    for (const plot of this.plots) plot.now(t);
  }

  // A body that was clicked: its velocities and its phase portrait.
  pick(name: string) {
    const all = movers(this.shown[0]);
    const found = all.find((m) => m.name === name) ?? all.find((m) => m.name.startsWith(name + "."));
    if (!found || !this.velocity) return;
    this.moverName = found.name;
    this.showMover();
  }

  show(runs: Run[], numbers: number[]) {
    this.shown = runs;
    this.plots = [];
    this.velocity = null;
    this.phase = null;
    this.cut = null;
    this.lines = null;
    if (runs.length > 1) this.compare(runs, numbers);
    else this.single(runs[0]);
    this.root.replaceChildren(...this.plots.map((p) => p.root));
    this.now(this.clock.t);
  }

  private add(id: string, spec: PlotSpec): TimePlot | null {
    if (spec.series.length === 0) return null;
    const plot = new TimePlot(this.clock, spec, id);
    this.plots.push(plot);
    return plot;
  }

  private single(run: Run) {
    const contacts = contactSeries(run);
    const note = contacts.many > 0 ? `the ${MOST_CURVES} that carry most of ${contacts.many + MOST_CURVES}` : "";
    // Recorded gaps are those of joints and the like: another list than the contacts that acted.
    const recorded = run.fields.has("/gap/value") ? (run.names["/gap"] ?? []).length : 0;
    const gapNote = recorded === 0 ? note : recorded > MOST_CURVES ? `the first ${MOST_CURVES} of ${recorded}` : "";
    this.add("gaps", { title: "Gaps", unit: "m", series: contacts.gaps, zero: true, note: gapNote });
    this.add("forces", { title: "Contact forces", unit: "N", series: contacts.forces, zero: true, note: note || "mean over a step; where a contact closes see impulses" });
    this.add("impulses", { title: "Impulses", unit: "N s", series: contacts.impulses, zero: true, note: note || "of steps in which a contact closes" });
    this.add("contact-velocities", { title: "Contact velocities", unit: "m/s", series: contacts.velocities, zero: true, note: "from before to after each closing" });
    const all = movers(run);
    if (all.length > 0) {
      this.moverName = all[0].name;
      this.velocity = this.add("velocities", { title: "Velocities", unit: "", series: [{ label: "v", color: color(0), x: run.time, y: run.time }] });
    }
    this.add("energy", { title: "Energy", unit: "J", series: energySeries(run, [["kinetic", "kinetic", 0], ["potential", "potential", 1], ["total", "total", 2]]) });
    this.add("losses", {
      title: "Where energy went",
      unit: "J",
      note: "since the start",
      series: energySeries(run, [["impact_loss", "lost in impacts", 5], ["friction_loss", "lost in friction", 1], ["joint_loss", "lost in joints", 3], ["other_work", "work of drives and dampers", 0], ["scheme_residual", "made by the scheme", 6]]),
      zero: true,
    });
    this.add("solver", { title: "Solver work", unit: "iterations a step", series: solverSeries(run), zero: true });
    const residual = run.stats.get("residual");
    if (residual && residual.some((v) => v > 0))
      this.add("residual", { title: "Residual of the contact solver", unit: "", series: [{ label: "residual", color: color(0), x: run.stats.get("t")!, y: residual.map((v) => (v > 0 ? v : NaN)) }], log: true });
    this.addOrbits(run);
    if (all.length > 0) {
      this.phase = new XyPlot({ title: "Phase portrait", x: "", y: "", curves: [] }, "phase");
      this.cut = new XyPlot({ title: "Section", x: "", y: "", curves: [] }, "section");
      this.lines = new XyPlot({ title: "Spectrum", x: "", y: "", curves: [] }, "spectrum");
      this.plots.push(this.phase, this.cut, this.lines);
      this.showMover();
    }
    const signals = [...run.fields.values()].filter((f) => f.path.startsWith("/signal/"));
    signals.forEach((f, k) =>
      this.add(`signal-${k}`, { title: f.path.split("/")[2], unit: f.unit === "SI" ? "" : f.unit, note: f.meaning, series: [{ label: f.path.split("/")[2], color: color(k), x: run.time, y: f.values }] }),
    );
    const joints = run.fields.get("/joint/force");
    if (joints) {
      const series = (run.names["/joint"] ?? []).slice(0, MOST_CURVES).map((name, row) => {
        const [x, y, z] = [0, 1, 2].map((k) => column(joints, row, k));
        return { label: name, color: color(row), x: run.time, y: x.map((v, i) => Math.hypot(v, y[i], z[i])), style: "steps" as const };
      });
      this.add("joints", { title: "Joint forces", unit: "N", series, note: "mean over the last step of each sample" });
    }
  }

  private showMover() {
    const run = this.shown[0];
    const all = movers(run);
    const mover = all.find((m) => m.name === this.moverName) ?? all[0];
    const pick = (name: string) => {
      this.moverName = name;
      this.showMover();
    };
    const names = all.map((m) => m.name);
    const jumps = jumpTimes(run);
    const related = mover.curves.length > 1 ? mover.curves : all.slice(0, 6).flatMap((m) => m.curves.map((c) => ({ ...c, label: m.name, chosen: m === mover })));
    this.velocity?.show({
      title: "Velocities",
      unit: mover.curves.length > 1 ? "m/s, rad/s" : mover.curves[0].unit === "SI" ? "" : `${mover.curves[0].unit}/s`,
      series: related.map((c, k) => ({ label: mover.curves.length > 1 ? `${mover.name} ${c.label}′` : `${c.label}′`, color: color(k), x: run.time, y: c.v, jumps })),
      zero: true,
      controls: names.length > 1 ? choose(names.slice(0, 400), mover.name, "body", pick) : undefined,
    });
    const curve = mover.curves[mover.curves.length > 1 ? mover.curves.findIndex((c) => c.label === (run.scene?.planar ? "y" : "z")) : 0] ?? mover.curves[0];
    const breaks = new Set(jumps.map((t) => sampleAt(run.time, t)));
    this.phase?.show({
      title: `Phase portrait of ${mover.name}`,
      x: `${curve.label} [${curve.unit}]`,
      y: `${curve.label}′ [${curve.unit}/s]`,
      curves: [{ label: mover.name, color: color(0), x: curve.q, y: curve.v, t: run.time, breaks }],
      controls: names.length > 1 ? choose(names.slice(0, 400), mover.name, "body", pick) : undefined,
    });
    const found = spectrum(run.time, curve.v);
    this.showSection(run, mover.name, curve, found);
    this.lines?.show({
      title: `Spectrum of ${mover.name} ${curve.label}′`,
      x: "frequency [Hz]",
      y: `amplitude [${curve.unit}/s]`,
      curves: found ? [{ label: mover.name, color: color(0), x: found.frequency, y: found.amplitude.map((a) => Math.max(a, 1e-12)) }] : [],
      logX: true,
      logY: true,
      controls: names.length > 1 ? choose(names.slice(0, 400), mover.name, "body", pick) : undefined,
    });
  }

  // Where the motion is at impacts, or once in every period: that of the strongest line of the spectrum, unless another is typed. The second half
  // of the points stands out, so that a motion that settles is told from how it began.
  private showSection(run: Run, name: string, curve: Mover["curves"][number], lines: Spectrum | null) {
    if (!this.cut) return;
    const events = closings(run);
    const contacts = run.names["/contact"] ?? [];
    const hit = [...new Set(events.map((e) => e.contact))].sort((a, b) => a - b);
    const again = () => this.showSection(run, name, curve, lines);
    const ANY = "at impacts";
    const EVERY = "every period";
    const options = [...(events.length > 1 ? [ANY] : []), ...(hit.length > 1 ? hit.slice(0, 40).map((c) => contacts[c] ?? String(c)) : []), EVERY];
    if (!options.includes(this.sectionAt)) this.sectionAt = options[0];
    const at = this.sectionAt;
    let strongest = 0;
    lines?.amplitude.forEach((a, i, all) => a > all[strongest] && (strongest = i));
    const period = Number.isFinite(this.period) ? this.period : lines ? 1 / lines.frequency[strongest] : NaN;
    const chosen = at === ANY ? events : events.filter((e) => (contacts[e.contact] ?? String(e.contact)) === at);
    const points = at === EVERY ? everyPeriod(run.time, curve.q, curve.v, period, jumpTimes(run)) : atImpacts(run.time, curve.q, curve.v, chosen.map((e) => e.t));
    const half = points.x.length >> 1;
    const controls = element("span", { class: "controls" });
    if (at === EVERY) {
      const box = element("input", { type: "number", step: "any", min: "0", id: "section-period", "aria-label": "period in seconds", title: "Period in seconds" });
      box.value = Number.isFinite(period) ? String(Number(period.toPrecision(5))) : "";
      box.addEventListener("change", () => {
        this.period = Number(box.value) > 0 ? Number(box.value) : NaN;
        again();
      });
      controls.append(box, " s");
    }
    const where = choose(options, at, "when", (v) => {
      this.sectionAt = v;
      again();
    });
    where.id = "section-at";
    controls.append(where);
    const part = (from: number, to: number, paint: string, label: string) => ({ label, color: paint, x: points.x.subarray(from, to), y: points.y.subarray(from, to), points: true, line: false, size: points.x.length > 2000 ? 1 : 2 });
    this.cut.show({
      title: `Section of ${name} ${at === EVERY ? `every ${withPrefix(period, "s")}` : at === ANY ? at : `at impacts of ${at}`}`,
      x: `${curve.label} [${curve.unit}]`,
      y: `${curve.label}′ ${at === EVERY ? "" : "after "}[${curve.unit}/s]`,
      curves: points.x.length > 0 ? [part(0, half, "#9aa3ad", `first ${half}`), part(half, points.x.length, color(0), `last ${points.x.length - half}`)] : [],
      controls,
    });
  }

  // Where a pin is inside its bore; across its guide for a block.
  private addOrbits(run: Run) {
    const frames = new Frames(run);
    const links = (run.scene?.links ?? []).filter((link) => link.kind === "clearance" && link.play > 0).slice(0, 4);
    for (const link of links) {
      const x = new Float64Array(run.time.length);
      const y = new Float64Array(run.time.length);
      const d = new Vector3();
      for (let i = 0; i < run.time.length; ++i) {
        frames.at(run.time[i]);
        frames.offset(link, d);
        x[i] = d.x;
        y[i] = d.y;
      }
      const guide = frames.isGuide(link);
      const rate = y.map((v, i) => (i > 0 ? (v - y[i - 1]) / (run.time[i] - run.time[i - 1]) : 0));
      const spec: XySpec = guide
        ? { title: `Middle of ${link.frame_b} in ${link.name}`, x: "across the guide [m]", y: "its rate [m/s]", curves: [{ label: link.name, color: color(0), x: y, y: rate, t: run.time }] }
        : { title: `Orbit in ${link.name}`, x: "x [m]", y: "y [m]", curves: [{ label: link.name, color: color(0), x, y, t: run.time }], equal: true, circle: link.play };
      this.plots.push(new XyPlot(spec, `orbit-${link.name.replace(/\W/g, "_")}`));
    }
  }

  private compare(runs: Run[], numbers: number[]) {
    const paint = (i: number) => color(numbers[i]);
    const over = (pick: (run: Run) => ArrayLike<number> | undefined, jumps = true): Series[] =>
      runs.flatMap((run, i) => {
        const y = pick(run);
        return y ? [{ label: run.label, color: paint(i), x: run.time, y, jumps: jumps ? jumpTimes(run) : [] }] : [];
      });
    // The smallest gap and the sum of impulses tell runs apart whatever the contacts are called.
    const gaps = runs.flatMap((run, i): Series[] => {
      const field = run.fields.get("/gap/value");
      if (!field) return [];
      const rows = field.shape[1];
      const y = new Float64Array(field.shape[0]);
      for (let k = 0; k < y.length; ++k) {
        let low = Infinity;
        for (let r = 0; r < rows; ++r) low = Math.min(low, Number.isFinite(field.values[k * rows + r]) ? field.values[k * rows + r] : Infinity);
        y[k] = low;
      }
      return [{ label: run.label, color: paint(i), x: run.time, y }];
    });
    this.add("gaps", { title: "Smallest gap", unit: "m", series: gaps, zero: true });
    const sums = runs.flatMap((run, i): Series[] => {
      const t = run.contacts.get("t");
      const pn = run.contacts.get("pn");
      if (!t || !pn || t.length === 0) return [];
      let sum = 0;
      return [{ label: run.label, color: paint(i), x: t, y: pn.map((p) => (sum += p)), style: "steps" }];
    });
    this.add("impulses", { title: "Normal impulses, summed up", unit: "N s", series: sums, zero: true });
    const all = movers(runs[0]);
    const names = all.map((m) => m.name);
    if (!names.includes(this.moverName)) this.moverName = names[0] ?? "";
    const first = (run: Run) => movers(run).find((m) => m.name === this.moverName)?.curves[0];
    const again = (name: string) => {
      this.moverName = name;
      this.show(this.shown, numbers);
    };
    if (names.length > 0) {
      const unit = all.find((m) => m.name === this.moverName)!.curves[0].unit;
      const pick = () => choose(names.slice(0, 400), this.moverName, "body", again);
      this.add("coordinate", { title: "Coordinate", unit, series: over((run) => first(run)?.q, false), controls: pick() });
      this.add("velocities", { title: "Velocity", unit: `${unit}/s`, series: over((run) => first(run)?.v), controls: pick() });
      this.add("difference", { title: `Difference to ${runs[0].label}`, unit, series: this.differences(runs, paint, (run) => first(run)?.q), zero: true, note: this.moverName });
    }
    for (const [name, title] of [["total", "Total energy"], ["impact_loss", "Lost in impacts"], ["friction_loss", "Lost in friction"], ["scheme_residual", "Made by the scheme"]] as const) {
      const series = over((run) => run.fields.get(`/energy/${name}`)?.values);
      if (series.some((s) => Array.from(s.y).some((v) => v !== 0))) this.add(name === "total" ? "energy" : name, { title, unit: "J", series });
    }
    const work = runs.flatMap((run, i): Series[] => {
      const t = run.stats.get("t");
      const y = run.stats.get("solver_iterations");
      return t && y ? [{ label: run.label, color: paint(i), x: t, y }] : [];
    });
    this.add("solver", { title: "Solver work", unit: "iterations a step", series: work, zero: true });
  }

  private differences(runs: Run[], paint: (i: number) => string, pick: (run: Run) => ArrayLike<number> | undefined): Series[] {
    const base = pick(runs[0]);
    if (!base) return [];
    const t0 = runs[0].time;
    const at = (t: number) => {
      const k = sampleAt(t0, t);
      const next = Math.min(k + 1, t0.length - 1);
      const f = next > k ? (t - t0[k]) / (t0[next] - t0[k]) : 0;
      return base[k] + f * (base[next] - base[k]);
    };
    return runs.slice(1).flatMap((run, i): Series[] => {
      const y = pick(run);
      if (!y) return [];
      return [{ label: run.label, color: paint(i + 1), x: run.time, y: Float64Array.from(run.time, (t, k) => (t <= t0[t0.length - 1] ? y[k] - at(t) : NaN)) }];
    });
  }
}
