// Looks at pages as a user would, in a real browser without network. Called by page_slow_test.py:
//   node page.mjs CHROMIUM FOLDER    FOLDER holds run.html, compare.html, pose.html, many.html; pictures are written there
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { atRest, closeBrowser, colours, folder, open, paper, settle } from "./_browser.mjs";

const time = (page) => page.evaluate(() => window.carom.clock.t);
// One run: bodies, arrows, plots, tables, keyboard.
{
  const page = await open("run.html");
  assert.ok((await colours(page)) > 6, "bodies are drawn");
  const frames = await page.evaluate(() => window.carom.view.runs[0].frames.names);
  assert.deepEqual(frames, ["ground", "crank", "rod", "slider"]);
  for (const id of ["gaps", "forces", "impulses", "velocities", "energy", "losses", "solver", "phase", "section", "spectrum", "orbit-guide"])
    assert.ok(await page.$(`#plot-${id}`), `a plot of ${id}`);
  assert.ok((await page.$$(".uplot canvas")).length >= 4, "four plots and more");
  for (const id of ["summary", "expectations", "worst", "parameters", "frames", "links"]) assert.ok(await page.$(`#${id}`), `a table of ${id}`);
  assert.match(await page.textContent("#expectations"), /no_sinking.*ok/s);

  // Next event: an arrow of its impulse is there, and its contact point.
  await page.keyboard.press("PageDown");
  await settle(page);
  const first = await time(page);
  assert.ok(first > 0, "an event");
  const shown = await page.evaluate(() => ({ impulses: window.carom.view.runs[0].contacts.impulses.count, contacts: window.carom.view.runs[0].contacts.count }));
  assert.ok(shown.impulses >= 1 && shown.contacts >= 1, JSON.stringify(shown));
  await page.keyboard.press("PageDown");
  assert.ok((await time(page)) > first);
  await page.keyboard.press("PageUp");
  assert.equal(await time(page), first);
  assert.match(await page.textContent("#legend"), /force.*impulse/s);

  // Samples, ends, playing.
  const before = await time(page);
  await page.keyboard.press("ArrowRight");
  assert.ok((await time(page)) > before);
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  assert.ok((await time(page)) < before + 1e-12);
  await page.keyboard.press("End");
  assert.ok(Math.abs((await time(page)) - 0.2) < 1e-9);
  await page.keyboard.press("Home");
  assert.equal(await time(page), 0);
  await page.keyboard.press("Space");
  await page.waitForTimeout(1500);
  await page.keyboard.press("Space");
  const played = await time(page);
  assert.ok(played > 0.005, `it plays: ${played}`);
  await page.waitForTimeout(300);
  assert.equal(await time(page), played, "and stops");

  // The keyboard alone: the space bar is a box's own where one has the focus, and plays after a click with the mouse.
  const boxed = () => page.evaluate(() => [document.getElementById("show-forces").checked, window.carom.clock.playing]);
  await page.focus("#show-forces");
  await page.keyboard.press("Space");
  assert.deepEqual(await boxed(), [false, false]);
  await page.keyboard.press("Space");
  await page.click("#show-forces");
  await page.keyboard.press("Space");
  assert.deepEqual(await boxed(), [false, true]);
  await page.keyboard.press("Space");
  await page.click("#show-forces");
  assert.deepEqual(await boxed(), [true, false]);

  // A click on the track, on a plot, on a worst step.
  const track = await (await page.$("#track")).boundingBox();
  await page.mouse.click(track.x + track.width / 2, track.y + track.height / 2);
  assert.ok(Math.abs((await time(page)) - 0.1) < 2e-3, "scrubbed to the middle");
  const plot = await (await page.$("#plot-gaps .u-over")).boundingBox();
  await page.mouse.click(plot.x + plot.width / 4, plot.y + plot.height / 2);
  assert.ok(Math.abs((await time(page)) - 0.05) < 2e-3, "a plot sets the time");
  await page.click("#worst button.link >> nth=0");
  const worst = await page.evaluate(() => window.carom.clock.t);
  assert.notEqual(worst, 0.05);

  // Friction cones on demand: as many as contacts that act.
  await page.keyboard.press("PageDown");
  await settle(page);
  const cones = () => page.evaluate(() => [window.carom.view.runs[0].contacts.coneCount, window.carom.view.runs[0].contacts.count]);
  assert.equal((await cones())[0], 0);
  await page.click("#show-cones");
  await settle(page);
  const [drawnCones, acting] = await cones();
  assert.ok(drawnCones >= 1 && drawnCones === acting, `${drawnCones} cones of ${acting} contacts`);
  await page.click("#show-cones");

  // Magnified clearances: the slider is drawn away from where it is, by the same factor.
  const drawn = () =>
    page.evaluate(() => {
      const f = window.carom.view.runs[0].frames;
      f.at(window.carom.clock.t);
      return [f.plain[3].elements[13], f.matrices[3].elements[13]];
    });
  await page.fill("#magnify", "50");
  const [y, magnified] = await drawn();
  assert.ok(Math.abs(magnified - 10 * y) < 1e-5, `${magnified} is ten times ${y}`);
  await page.click("#plots", { position: { x: 5, y: 5 } }).catch(() => {});
  // The picture: just after the hardest blow.
  await page.evaluate(() => {
    const events = window.carom.runs[0].events;
    let hardest = 0;
    events.get("value").forEach((v, i, all) => v > all[hardest] && (hardest = i));
    window.carom.clock.set(events.get("t")[hardest] + 1e-4);
    scrollTo(0, 0);
  });
  await atRest(page);
  await page.screenshot({ path: join(folder, "report.png") });
  await page.keyboard.press("d");
  await atRest(page);
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  await page.screenshot({ path: join(folder, "report_dark.png") });
  await page.pdf({ path: join(folder, "report.pdf") });

  // Paper, from a dark screen: light, nothing cut, the scene with its bodies. Then the screen is dark again.
  await paper(page, async () => {
    const seen = await page.evaluate(() => {
      const copy = document.querySelector(".view canvas.copy");
      const data = copy.getContext("2d").getImageData(0, 0, copy.width, copy.height).data;
      const colours = new Set();
      for (let i = 0; i < data.length; i += 404) colours.add(`${data[i] >> 4},${data[i + 1] >> 4},${data[i + 2] >> 4}`);
      return { colours: colours.size, corner: [data[0], data[1], data[2]] };
    });
    assert.ok(seen.colours > 4 && seen.corner.every((c) => c === 255), `bodies on white: ${JSON.stringify(seen)}`);
  });
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  assert.equal(await page.$(".view canvas.copy"), null);

  // Sections: at impacts by default, as many points as samples with impacts; then every so many seconds.
  assert.match(await page.textContent("#plot-section h3"), /at impacts/);
  const points = async () => Number((await page.textContent("#plot-section .keys")).match(/first (\d+).*last (\d+)/s).slice(1).reduce((a, b) => Number(a) + Number(b)));
  const closings = await page.evaluate(() => {
    const e = window.carom.runs[0].events;
    return new Set([...e.get("t")].filter((_, i) => e.get("kind")[i] === 0)).size;
  });
  assert.ok((await points()) > 10 && (await points()) <= closings, `${await points()} points of ${closings} impacts`);
  await page.selectOption("#section-at", "every period");
  await page.fill("#section-period", "0.01");
  await page.press("#section-period", "Enter");
  assert.equal(await points(), 21, "0.2 s in steps of 10 ms");
  await page.context().close();
}

// Several runs.
{
  const page = await open("compare.html");
  assert.equal(await page.evaluate(() => window.carom.view.runs.length), 2, "both are drawn");
  assert.ok(await page.$("#comparison"));
  assert.ok(await page.$("#plot-difference"));
  await page.evaluate(() => window.carom.clock.set(0.19));
  await atRest(page);
  await page.screenshot({ path: join(folder, "compare.png") });
  await page.keyboard.press("c");
  assert.equal(await page.evaluate(() => window.carom.view.runs.length), 1, "one is drawn");
  await page.keyboard.press("c");
  assert.equal(await page.evaluate(() => window.carom.view.runs.length), 2);
  await page.context().close();
}

// A picture of the scene alone: bodies on white.
{
  const page = await open("pose.html");
  const seen = await page.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width, image.height];
    const c = canvas.getContext("2d");
    c.drawImage(image, 0, 0);
    const pixels = c.getImageData(0, 0, image.width, image.height).data;
    const colours = new Set();
    for (let i = 0; i < pixels.length; i += 4) colours.add(`${pixels[i] >> 4},${pixels[i + 1] >> 4},${pixels[i + 2] >> 4}`);
    return { colours: colours.size, corner: [...pixels.slice(pixels.length - 4, pixels.length - 1)] };
  }, readFileSync(join(folder, "scene.png")).toString("base64"));
  assert.ok(seen.colours > 30 && seen.corner.every((c) => c === 255), JSON.stringify(seen));
  await page.context().close();
}

// A model that has not run.
{
  const page = await open("pose.html");
  assert.ok((await colours(page)) > 4, "the pose is drawn");
  assert.equal(await page.$("#track"), null, "there is no time");
  await page.screenshot({ path: join(folder, "pose.png") });
  await page.context().close();
}

// Many bodies: how fast, as the page itself measures it.
{
  const page = await open("many.html");
  await page.evaluate(() => window.carom.clock.set(window.carom.clock.end));
  await atRest(page);
  await page.screenshot({ path: join(folder, "many.png") });
  // The counter is shown on demand, and counts what moves.
  assert.ok(await page.isHidden("#meter"));
  await page.keyboard.press("p");
  assert.ok(await page.isVisible("#meter"));
  const count = () => page.evaluate(() => window.carom.meter.frames);
  const rest = await count();
  await settle(page);
  await settle(page);
  assert.equal(await count(), rest, "nothing moves, no frame");
  const speed = await page.evaluate(() => window.carom.measure(60));
  console.log(JSON.stringify({ measured: speed }));
  assert.ok(speed.bodies >= 1000, `${speed.bodies} bodies`);
  assert.ok((await count()) >= rest + 80, "every frame of scrubbing is counted");
  assert.ok(speed.frames_per_second > 0 && speed.script_ms > 0 && speed.longest_script_ms >= speed.script_ms && speed.slowest_frame_ms > 0, JSON.stringify(speed));
  // What was reached, and what the machine allows: with nothing in the scene.
  assert.match(await page.textContent("#meter"), /frames\/s.*empty scene: \d+/s);
  // The page's own work leaves room for sixty frames a second; drawing is the graphics card's, which this machine lacks.
  assert.ok(speed.script_ms < 16, `${speed.script_ms} ms of its own a frame`);
  await page.context().close();
}
await closeBrowser();
