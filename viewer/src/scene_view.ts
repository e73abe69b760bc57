// The three-dimensional view: camera, light, what is shown of forces, the legend.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Run } from "./data";
import { FORCE, IMPULSE, REACTION, color as colorOf, cssColor, element, withPrefix } from "./format";
import { onPaper, sharpness } from "./paper";
import { Resolution } from "./resolution";
import { RunScene, type Shown } from "./run_scene";

export class SceneView {
  readonly root: HTMLElement;
  readonly shown: Shown = { forces: true, impulses: true, reactions: false, contacts: true, cones: false, logarithmic: false };
  runs: RunScene[] = [];
  onPick: (frame: string) => void = () => {};
  private canvas: HTMLCanvasElement;
  private renderer: THREE.WebGLRenderer;
  private scene = new THREE.Scene();
  private camera!: THREE.OrthographicCamera | THREE.PerspectiveCamera;
  private controls!: OrbitControls;
  private legend: HTMLElement;
  private options: HTMLElement;
  private ruler: HTMLElement;
  private follow: HTMLSelectElement;
  private magnify: HTMLElement;
  private lastFollowed = new THREE.Vector3();
  private moved = new THREE.Vector3();
  private background = new THREE.Color();
  private frozen: HTMLCanvasElement | null = null;
  private ruled = 0;
  private width = 0;
  private height = 0;
  private t = 0;
  readonly resolution = new Resolution(2, Math.min(2, devicePixelRatio || 1));
  magnification = 1;
  dirty = true;

  constructor(all: Run[]) {
    this.canvas = element("canvas", { id: "scene", tabindex: "0", "aria-label": "three-dimensional view of the model" });
    // Opaque, without smoothing of its own and without a copy of every frame: a third of the work of a browser that has no graphics card.
    const context = this.canvas.getContext("webgl2", { alpha: false, antialias: false, preserveDrawingBuffer: false, stencil: false });
    this.renderer = new THREE.WebGLRenderer({ canvas: this.canvas, ...(context ? { context } : {}) });
    this.renderer.setPixelRatio(this.resolution.ratio);
    this.legend = element("div", { class: "legend", id: "legend" });
    this.options = element("div", { class: "options" });
    this.follow = element("select", { "aria-label": "follow a body", title: "Follow a body" });
    this.magnify = element("label", { class: "magnify" });
    this.ruler = element("div", { class: "ruler" });
    this.root = element("div", { class: "view" }, this.canvas, this.legend, this.ruler, this.options);
    const sky = new THREE.HemisphereLight(0xffffff, 0x8d8d99, 2.2);
    sky.position.set(0, 0, 1);
    const sun = new THREE.DirectionalLight(0xffffff, 1.6);
    sun.position.set(1, -2, 4);
    this.scene.add(sky, sun);
    this.show(all.slice(0, 1));
    this.makeOptions();
    this.pick();
    new ResizeObserver(() => this.resize()).observe(this.root);
  }

  // The first one in full, the others as ghosts in the colour of their run.
  show(runs: Run[], numbers: number[] = runs.map((_, i) => i)) {
    for (const run of this.runs) this.scene.remove(run.group);
    this.runs = runs.map((run, i) => new RunScene(run, numbers[i], i > 0));
    for (const run of this.runs) this.scene.add(run.group);
    for (const run of this.runs) run.frames.magnification = this.magnification;
    // Few bodies are no work, however many pixels they have: what is slow then is the browser, and a coarse picture helps nobody.
    this.resolution.least = this.runs.some((run) => run.crowded) ? 0.25 : 0.75;
    if (!this.camera) this.makeCamera();
    this.fillFollow();
    this.drawLegend();
    this.dirty = true;
  }

  private get main(): RunScene {
    return this.runs[0];
  }
  private get planar(): boolean {
    return !!this.main.run.scene?.planar;
  }

  private makeCamera() {
    const far = 100 * this.main.scale;
    if (this.planar) this.camera = new THREE.OrthographicCamera(-1, 1, 1, -1, -far, far);
    else {
      this.camera = new THREE.PerspectiveCamera(35, 1, 0.005 * this.main.scale, far);
      this.camera.up.set(0, 0, 1);
    }
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.enableDamping = false;
    this.controls.addEventListener("change", () => (this.dirty = true));
    this.look("fit");
  }

  look(from: "fit" | "front" | "top" | "side") {
    const box = this.main.box;
    const middle = box.getCenter(new THREE.Vector3());
    const size = box.getSize(new THREE.Vector3());
    this.controls.target.copy(middle);
    if (this.camera instanceof THREE.OrthographicCamera) {
      this.camera.position.copy(middle).add(new THREE.Vector3(0, 0, 10 * this.main.scale));
      if (from === "side") this.camera.position.copy(middle).add(new THREE.Vector3(4, -5, 8).multiplyScalar(this.main.scale));
      this.camera.zoom = 1;
      this.frame(size);
    } else {
      const radius = 0.5 * size.length();
      const away = (1.08 * radius) / Math.sin((0.5 * this.camera.fov * Math.PI) / 180) / Math.min(1, this.camera.aspect);
      const direction = from === "top" ? new THREE.Vector3(0, -1e-3, 1) : from === "front" ? new THREE.Vector3(0, -1, 0.02) : from === "side" ? new THREE.Vector3(1, 0, 0.05) : new THREE.Vector3(0.55, -0.9, 0.42);
      this.camera.position.copy(middle).addScaledVector(direction.normalize(), away);
    }
    this.controls.update();
    this.dirty = true;
  }

  private frame(size: THREE.Vector3) {
    if (!(this.camera instanceof THREE.OrthographicCamera)) return;
    const aspect = this.root.clientWidth / Math.max(1, this.root.clientHeight);
    const half = 0.5 * Math.max(1.12 * size.y, (1.08 * size.x) / aspect);
    this.camera.left = -half * aspect;
    this.camera.right = half * aspect;
    this.camera.top = half;
    this.camera.bottom = -half;
    this.camera.updateProjectionMatrix();
  }

  resize() {
    const width = this.root.clientWidth;
    const height = this.root.clientHeight;
    if (width === 0 || height === 0 || (width === this.width && height === this.height)) return; // a new size wipes the picture
    this.width = width;
    this.height = height;
    this.renderer.setSize(width, height, false);
    if (this.camera instanceof THREE.PerspectiveCamera) {
      this.camera.aspect = width / height;
      this.camera.updateProjectionMatrix();
    } else this.frame(this.main.box.getSize(new THREE.Vector3()));
    this.dirty = true;
  }

  private makeOptions() {
    const check = (name: keyof Shown, text: string, title: string) => {
      const box = element("input", { type: "checkbox", id: `show-${name}` });
      box.checked = this.shown[name];
      box.addEventListener("click", (e) => e.detail > 0 && box.blur()); // whoever uses the mouse keeps the space bar for playing
      box.addEventListener("change", () => {
        this.shown[name] = box.checked;
        this.drawLegend();
        this.dirty = true;
      });
      return element("label", { title }, box, " " + text);
    };
    const views = element("span", { class: "views" });
    for (const [name, text] of [["fit", "Fit"], ["front", "Front"], ["side", "Side"], ["top", "Top"]] as const) {
      const b = element("button", { type: "button", title: `View: ${text} (${name === "fit" ? "f" : ""})`.replace(" ()", "") }, text);
      b.addEventListener("click", () => this.look(name));
      views.append(b);
    }
    const slider = element("input", { type: "range", min: "0", max: "100", value: "0", id: "magnify", "aria-label": "magnify clearances" });
    const value = element("output", {}, "× 1");
    slider.addEventListener("input", () => {
      this.magnification = Number(Math.pow(100, Number(slider.value) / 100).toPrecision(2));
      for (const run of this.runs) run.frames.magnification = this.magnification;
      value.textContent = `× ${this.magnification}`;
      this.dirty = true;
    });
    this.magnify.append("Clearances ", slider, value);
    this.magnify.hidden = !this.main.frames.hasPlay;
    this.magnify.title = "Draws the motion inside clearances larger than it is, and their walls as much further apart";
    this.options.append(
      check("contacts", "contacts", "Contact points: blue sticks, orange slips"),
      check("forces", "forces", "Mean contact forces of contacts that stay closed"),
      check("impulses", "impulses", "Impulses of contacts that close"),
      ...(this.main.contacts.hasCones ? [check("cones", "cones", "Friction cones: contact forces stay inside, and at the edge where the contact slips")] : []),
      check("reactions", "joints", "Forces of joints"),
      check("logarithmic", "log", "Arrow lengths over four decades"),
      this.follow,
      views,
      this.magnify,
    );
  }

  private fillFollow() {
    const before = this.follow.value;
    this.follow.replaceChildren(element("option", { value: "" }, "follow …"));
    const names = this.main.frames.names.slice(1);
    for (const name of names.slice(0, 300)) this.follow.append(element("option", { value: name }, name));
    this.follow.value = names.includes(before) ? before : "";
    this.follow.onchange = () => {
      const i = this.main.frames.names.indexOf(this.follow.value);
      if (i > 0) this.lastFollowed.setFromMatrixPosition(this.main.frames.matrices[i]);
      if (i > 0) this.onPick(this.follow.value);
    };
  }

  private drawLegend() {
    const run = this.main;
    const rows: HTMLElement[] = [];
    const row = (paint: string, text: string, kind: string) =>
      rows.push(element("div", { class: "key", "data-kind": kind }, element("i", { class: "arrow", style: `--c:${paint}` }), text));
    const scale = this.shown.logarithmic ? "longest" : "this long:";
    const { largestForce, largestImpulse } = run.contacts;
    if (this.shown.forces && largestForce > 0) row(FORCE, `contact force, ${scale} ${withPrefix(largestForce, "N", 3)}`, "force");
    if (this.shown.impulses && largestImpulse > 0) row(IMPULSE, `impulse, ${scale} ${withPrefix(largestImpulse, "N s", 3)}`, "impulse");
    if (this.shown.reactions && run.largestReaction > 0) row(REACTION, `joint force, ${scale} ${withPrefix(run.largestReaction, "N", 3)}`, "reaction");
    if (this.shown.contacts && (run.run.contacts.get("t")?.length ?? 0) > 0)
      rows.push(element("div", { class: "key" }, element("i", { class: "dot", style: "--c:#0072B2" }), "sticks ", element("i", { class: "dot", style: "--c:#E69F00" }), "slips"));
    if (this.runs.length > 1)
      this.runs.forEach((r, i) => rows.push(element("div", { class: "key" }, element("i", { class: "dot", style: `--c:${i === 0 ? "#555" : colorOf(r.number)}` }), r.run.label + (i === 0 ? " (solid)" : ""))));
    this.legend.replaceChildren(...rows);
  }

  private pick() {
    let down: [number, number] | null = null;
    this.canvas.addEventListener("pointerdown", (e) => (down = [e.clientX, e.clientY]));
    this.canvas.addEventListener("pointerup", (e) => {
      if (!down || Math.hypot(e.clientX - down[0], e.clientY - down[1]) > 4) return;
      const box = this.canvas.getBoundingClientRect();
      const at = new THREE.Vector2(((e.clientX - box.left) / box.width) * 2 - 1, 1 - ((e.clientY - box.top) / box.height) * 2);
      for (const object of this.main.pickable) if (object instanceof THREE.InstancedMesh) object.boundingSphere = null; // it moved
      const ray = new THREE.Raycaster();
      ray.setFromCamera(at, this.camera);
      const hit = ray.intersectObjects(this.main.pickable, false)[0];
      if (!hit) return;
      const shapes = hit.object.userData.shapes as { frame: string }[] | undefined;
      const frame = shapes ? shapes[hit.instanceId!].frame : (hit.object.userData.frame as string);
      if (frame !== "ground") this.onPick(frame);
    });
  }

  set empty(wanted: boolean) {
    for (const run of this.runs) run.group.visible = !wanted;
    this.dirty = true;
  }

  // On paper and in pictures the scene is a copy of itself: browsers keep of a WebGL canvas only what a screen saw last.
  print() {
    this.resize();
    this.dirty = true;
    if (onPaper()) this.freeze(sharpness());
    else this.frozen?.remove();
  }
  freeze(pixels: number) {
    this.frozen?.remove();
    this.renderer.setPixelRatio(pixels);
    this.frozen = this.copy();
    this.frozen.className = "copy";
    this.canvas.after(this.frozen);
  }

  // What the scene looks like now. A WebGL canvas can only be read in the moment in which it was drawn.
  copy(): HTMLCanvasElement {
    this.draw();
    const copy = element("canvas");
    [copy.width, copy.height] = [this.canvas.width, this.canvas.height];
    copy.getContext("2d")!.drawImage(this.canvas, 0, 0);
    return copy;
  }
  private draw() {
    this.scene.background = this.background.set(cssColor("--stage"));
    this.renderer.render(this.scene, this.camera);
    this.drawRuler();
  }

  // True if there is something to draw.
  moves(t: number): boolean {
    return this.dirty || t !== this.t || this.resolution.rests(performance.now());
  }

  render(t: number, hold: number) {
    const now = performance.now();
    if (this.dirty || t !== this.t) this.resolution.moving(now);
    else if (this.resolution.rests(now)) this.resolution.rest();
    else return;
    this.t = t;
    for (const run of this.runs) run.coarse = this.resolution.coarse;
    if (this.renderer.getPixelRatio() !== this.resolution.ratio) this.renderer.setPixelRatio(this.resolution.ratio);
    this.dirty = false;
    for (const run of this.runs) run.update(t, this.shown, hold);
    const followed = this.main.frames.names.indexOf(this.follow.value);
    if (followed > 0) {
      const moved = this.moved.setFromMatrixPosition(this.main.frames.matrices[followed]).sub(this.lastFollowed);
      this.camera.position.add(moved);
      this.controls.target.add(moved);
      this.lastFollowed.add(moved);
      this.controls.update();
      this.dirty = false;
    }
    this.draw();
  }

  // A round length in the plane of what is looked at.
  private drawRuler() {
    const height =
      this.camera instanceof THREE.OrthographicCamera
        ? (this.camera.top - this.camera.bottom) / this.camera.zoom
        : 2 * Math.tan((0.5 * this.camera.fov * Math.PI) / 180) * this.camera.position.distanceTo(this.controls.target);
    const perPixel = height / Math.max(1, this.canvas.clientHeight);
    if (perPixel === this.ruled) return;
    this.ruled = perPixel;
    const wanted = 90 * perPixel;
    const power = Math.pow(10, Math.floor(Math.log10(wanted)));
    const length = ([5, 2, 1].find((f) => f * power <= wanted) ?? 1) * power;
    this.ruler.style.width = `${length / perPixel}px`;
    this.ruler.textContent = withPrefix(length, "m", 2);
  }
}


