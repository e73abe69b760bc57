// Puts the page together and listens to the keyboard.
import "uplot/dist/uPlot.min.css";
import "./style.css";
import { readAddress } from "./address";
import { chaptersOf } from "./chapters";
import { Clock } from "./clock";
import { drawAgain } from "./drawings";
import { readPage, type PageData, type Run } from "./data";
import { color, element, forgetColors } from "./format";
import { FrameMeter } from "./frame_meter";
import { Panels } from "./panels";
import { listenForPrinting } from "./paper";
import { SceneView } from "./scene_view";
import { comparison, tablesOf } from "./tables";
import { Timeline } from "./timeline";

const KEYS: [string, string][] = [
  ["space", "play, pause"],
  ["← →", "one sample back, on (shift: ten)"],
  ["page up, page down", "event before, next event"],
  ["home, end", "to the start, to the end"],
  ["[ ]", "marks to loop between"],
  ["+ −", "magnify clearances"],
  ["f", "fit the view"],
  ["p", "frames a second, counted while something moves; P scrubs through the whole run"],
  ["c", "compare runs, or one run"],
  ["d", "dark or light"],
  ["?", "this list"],
];

function theme(): HTMLButtonElement {
  const b = element("button", { type: "button", id: "theme", title: "Dark or light (d)", "aria-label": "dark or light" }, "◐");
  b.addEventListener("click", () => {
    const dark = document.documentElement.dataset.theme
      ? document.documentElement.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    document.documentElement.dataset.theme = dark ? "light" : "dark";
    window.dispatchEvent(new Event("carom-theme"));
  });
  return b;
}

function badges(run: Run): HTMLElement[] {
  const list: HTMLElement[] = [];
  const put = (good: boolean | null, text: string) => list.push(element("span", { class: `badge ${good === null ? "open" : good ? "good" : "bad"}` }, `${good ? "✓" : good === null ? "" : "✗"} ${text}`.trim()));
  const outcome = String(run.about.outcome ?? "");
  if (outcome) put(outcome === "finished" ? true : outcome === "running" ? null : false, outcome);
  if (run.sound !== null) put(run.sound, run.sound ? "sound" : "not sound");
  const broken = run.expectations.filter((e) => e.verdict !== "ok").length;
  if (run.expectations.length > 0) put(broken === 0, broken === 0 ? `${run.expectations.length} expectation${run.expectations.length > 1 ? "s" : ""}` : `${broken} of ${run.expectations.length} expectations`);
  return list;
}

function build(page: PageData) {
  if (address.scene) document.documentElement.dataset.only = "scene";
  document.title = page.title;
  const root = document.getElementById("carom")!;
  const help = element("dialog", { id: "help" }, element("h2", {}, "Keyboard"), element("dl", {}, ...KEYS.flatMap(([k, what]) => [element("dt", {}, k), element("dd", {}, what)])), element("form", { method: "dialog" }, element("button", {}, "Close")));
  const helpButton = element("button", { type: "button", title: "Keyboard (?)", "aria-label": "keyboard" }, "?");
  helpButton.addEventListener("click", () => help.showModal());
  const status = element("span", { class: "badges" });
  const chooser = element("span", { class: "chooser" });
  root.append(
    element("header", {}, element("div", {}, element("h1", {}, page.title), element("p", { class: "subtitle" }, page.subtitle)), status, chooser, element("span", { class: "tools" }, theme(), helpButton)),
    help,
  );
  window.addEventListener("carom-theme", () => {
    forgetColors();
    drawAgain();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => window.dispatchEvent(new Event("carom-theme")));
  window.addEventListener("keydown", (e) => {
    if (e.key === "d" && !typing(e)) document.getElementById("theme")!.click();
    if (e.key === "?" && !typing(e)) help.showModal();
  });
  const view = page.runs.length > 0 ? buildRuns(page, root, status, chooser) : null;
  listenForPrinting(() => view?.print());
  if (page.chapters.length > 0) root.append(chaptersOf(page.chapters));
  root.append(element("footer", {}, `Made by carom ${page.carom}. This page needs no network.`));
  document.documentElement.dataset.ready = "true";
}

function typing(e: KeyboardEvent): boolean {
  const target = e.target as HTMLElement;
  return target.tagName === "SELECT" || (target.tagName === "INPUT" && (target as HTMLInputElement).type !== "checkbox" && (target as HTMLInputElement).type !== "range");
}

const address = readAddress(location.hash);

function buildRuns(page: PageData, root: HTMLElement, status: HTMLElement, chooser: HTMLElement): SceneView | null {
  const runs = page.runs;
  const clock = new Clock(Math.min(...runs.map((r) => r.time[0])), Math.max(...runs.map((r) => r.time[r.time.length - 1])));
  const still = page.pose_only || clock.end <= clock.start || address.scene; // nothing but the scene
  const drawable = runs.some((r) => r.scene || [...r.fields.keys()].some((k) => k.endsWith("/position")));
  const view = drawable ? new SceneView(runs) : null;
  const timeline = new Timeline(clock, runs[0]);
  const meter = new FrameMeter();
  view?.root.append(meter.root);
  const panels = new Panels(clock);
  const tables = element("div", { class: "cards", id: "tables" });
  const left = element("div", { class: "stage" }, ...(view ? [view.root] : []), ...(still ? [] : [timeline.root]));
  const workspace = element("main", { class: still ? "still" : view ? "" : "no-scene" }, left, ...(still ? [] : [panels.root]));
  root.append(workspace, tables);

  let chosen = 0;
  let comparing = runs.length > 1;
  const refresh = () => {
    const order = comparing ? [chosen, ...runs.keys()].filter((v, i, all) => all.indexOf(v) === i) : [chosen];
    const shown = order.map((i) => runs[i]);
    view?.show(shown, order);
    timeline.show(runs[chosen]);
    if (!still) panels.show(shown, order);
    status.replaceChildren(...(comparing ? [] : badges(runs[chosen])));
    if (!address.scene) tables.replaceChildren(...(comparing ? [comparison(runs)] : []), ...tablesOf(runs[chosen], clock));
    chooser.replaceChildren();
    if (runs.length > 1) {
      const toggle = element("button", { type: "button", id: "compare", "aria-pressed": String(comparing), title: "Compare all runs, or look at one (c)" }, comparing ? "comparing" : "compare");
      toggle.addEventListener("click", () => {
        comparing = !comparing;
        refresh();
      });
      const select = element("select", { id: "run", "aria-label": "run" });
      runs.forEach((r, i) => select.append(element("option", { value: String(i) }, r.label)));
      select.value = String(chosen);
      select.style.borderColor = color(chosen);
      select.addEventListener("change", () => {
        chosen = Number(select.value);
        refresh();
      });
      chooser.append(select, toggle);
    }
  };
  refresh();
  if (view) view.onPick = (frame) => panels.pick(frame);

  window.addEventListener("carom-theme", () => {
    if (view) view.dirty = true;
  });
  window.addEventListener("keydown", (e) => {
    if (typing(e) || e.ctrlKey || e.metaKey || e.altKey) return;
    const many = e.shiftKey ? 10 : 1;
    const actions: Record<string, () => void> = {
      " ": () => clock.toggle(),
      ArrowLeft: () => { for (let i = 0; i < many; ++i) timeline.step(-1); },
      ArrowRight: () => { for (let i = 0; i < many; ++i) timeline.step(1); },
      PageUp: () => timeline.jump(-1),
      PageDown: () => timeline.jump(1),
      Home: () => clock.set(clock.start),
      End: () => clock.set(clock.end),
      "[": () => timeline.mark(0),
      "]": () => timeline.mark(1),
      f: () => view?.look("fit"),
      p: () => meter.toggle(),
      P: () => {
        if (meter.root.hidden) meter.toggle();
        void measure();
      },
      c: () => document.getElementById("compare")?.click(),
      "+": () => nudge(5),
      "-": () => nudge(-5),
    };
    const action = actions[e.key];
    if (!action) return;
    const target = e.target as HTMLElement;
    if (e.key === " " && (target.tagName === "BUTTON" || (target as HTMLInputElement).type === "checkbox")) return; // their own
    if (target.tagName === "INPUT" && e.key.startsWith("Arrow")) return;
    e.preventDefault();
    action();
  });
  const nudge = (by: number) => {
    const slider = document.getElementById("magnify") as HTMLInputElement | null;
    if (!slider) return;
    slider.value = String(Number(slider.value) + by);
    slider.dispatchEvent(new Event("input"));
  };

  // An impulse stays visible for a third of a second of playing, or as long as two samples take.
  const hold = () => {
    const spacing = (clock.end - clock.start) / Math.max(1, runs[0].time.length - 1);
    return clock.playing ? Math.max(2 * spacing, 0.33 * clock.speed) : 2 * spacing;
  };
  // One frame: everything that shows time is moved once. Frames in which nothing moved are not counted.
  const loop = (now: number) => {
    if (!address.scene) requestAnimationFrame(loop);
    if (!clock.moves && !view?.moves(clock.t)) return meter.rest();
    meter.begin(now);
    clock.tick(now);
    view?.render(clock.t, hold());
    meter.end();
  };
  clock.set(address.t ?? clock.start);
  const slider = document.getElementById("magnify") as HTMLInputElement | null;
  if (slider && address.magnify) {
    slider.value = String((100 * Math.log(address.magnify)) / Math.log(100));
    slider.dispatchEvent(new Event("input"));
  }
  // A picture of the scene is one frame, drawn before the page is called ready: whoever takes it need not wait for another.
  if (address.scene) {
    view?.resize();
    view?.look("fit");
    const picture = () => {
      loop(performance.now());
      view?.freeze(view.resolution.still);
    };
    picture();
    window.addEventListener("resize", () => requestAnimationFrame(() => requestAnimationFrame(picture)));
  } else requestAnimationFrame(loop);

  // Scrubs through the whole run and back, and says what the page itself saw of it: in the first half the resolution finds its way, the
  // second one counts. `most_frames_per_second` is the same with nothing in the scene: what browser and machine allow.
  const scrub = async (frames: number) => {
    for (let i = 0; i < frames; ++i) {
      if (i === frames >> 1) meter.forget();
      clock.set(clock.start + (clock.end - clock.start) * (1 - Math.abs(1 - (2 * i) / frames)));
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    return meter.times();
  };
  const measure = async (frames = 240) => {
    const before = clock.t;
    if (view) view.empty = true;
    const most = (await scrub(frames >> 1)).frames_per_second;
    if (view) view.empty = false;
    const times = await scrub(frames);
    clock.set(before);
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    meter.say(`${times.frames_per_second.toFixed(0)} frames/s scrubbing · empty scene: ${most.toFixed(0)} · script ${times.script_ms.toFixed(1)} ms · pixels × ${(view?.resolution.moving_ratio ?? 1).toFixed(2)}`);
    return { ...times, most_frames_per_second: most, pixel_ratio: view?.resolution.moving_ratio ?? 0, coarse: !!view?.resolution.coarse, bodies: (runs[0].scene?.frames.length ?? 1) - 1 };
  };
  // For tests, and for whoever opens the console.
  (window as unknown as Record<string, unknown>).carom = { clock, view, runs, meter, measure };
  return view;
}

readPage()
  .then(build)
  .catch((error) => {
    document.getElementById("carom")!.append(element("p", { class: "trouble" }, `This page cannot be shown: ${error}`));
    throw error;
  });
