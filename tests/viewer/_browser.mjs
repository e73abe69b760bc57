// A real browser without network, for tests of pages: node TEST.mjs CHROMIUM FOLDER, where FOLDER holds the pages.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";

const [browserPath, given] = process.argv.slice(2);
export const folder = given;
const require = createRequire(join(process.env.CAROM_SOURCE, "viewer", "package.json"));
const { chromium } = require("playwright-core");
const browser = await chromium.launch({
  executablePath: browserPath,
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
});
const requests = [];
const troubles = [];

export async function open(name, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1500, height: 900 }, offline: true, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(120000); // a busy machine without a graphics card takes its time
  page.on("request", (r) => {
    if (!r.url().startsWith("file:") && !r.url().startsWith("blob:") && !r.url().startsWith("data:")) requests.push(r.url());
  });
  page.on("pageerror", (e) => troubles.push(`${name}: ${e.message}`));
  page.on("console", (m) => m.type() === "error" && troubles.push(`${name}: ${m.text()}`));
  await page.goto(`file://${join(folder, name)}`, { timeout: 120000 });
  await page.waitForSelector("html[data-ready]", { timeout: 120000 });
  await page.waitForTimeout(300);
  return page;
}

export const settle = (page) => page.evaluate(() => new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r))));

// Until the scene has all its pixels: it gets them back a moment after a motion.
export const atRest = async (page) => {
  await page.waitForFunction(() => window.carom.view.resolution.ratio === window.carom.view.resolution.still && !window.carom.view.dirty);
  await settle(page);
};

// How many different colours a canvas shows: an empty one has one.
export const colours = (page, selector = "#scene") =>
  page.evaluate((selector) => {
    // A scene can be read only in the moment in which it is drawn.
    const from = selector === "#scene" ? window.carom.view.copy() : document.querySelector(selector);
    const to = document.createElement("canvas");
    [to.width, to.height] = [200, 120];
    const c = to.getContext("2d");
    c.drawImage(from, 0, 0, 200, 120);
    const data = c.getImageData(0, 0, 200, 120).data;
    const seen = new Set();
    for (let i = 0; i < data.length; i += 4) seen.add(`${data[i] >> 4},${data[i + 1] >> 4},${data[i + 2] >> 4}`);
    return seen.size;
  }, selector);

// What a printer would get: the page laid out for paper, and as it was before afterwards.
export async function paper(page, look) {
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  const seen = await page.evaluate(() => {
    const sheet = document.getElementById("carom").getBoundingClientRect();
    const style = getComputedStyle(document.documentElement);
    return {
      width: sheet.width,
      beyond: [...document.querySelectorAll(".plot canvas, .card table, .view")].filter((e) => e.getBoundingClientRect().right > sheet.right + 1).map((e) => e.closest("[id]").id),
      ink: style.getPropertyValue("--ink").trim(),
      buttons: [...document.querySelectorAll("button:not(.link), input, select")].filter((e) => e.getClientRects().length > 0).length,
      sharpest: Math.min(...[...document.querySelectorAll(".plot canvas")].map((c) => c.width / c.getBoundingClientRect().width)),
    };
  });
  if (look) await look();
  await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
  assert.ok(seen.width <= 720, `${seen.width} pixels fit on a sheet`);
  assert.deepEqual(seen.beyond, [], "nothing is cut off");
  assert.equal(seen.ink, "#000", "black on white, whatever the screen shows");
  assert.equal(seen.buttons, 0, "nothing to press on paper");
  assert.ok(seen.sharpest > 2.5, `${seen.sharpest} dots for each pixel`);
  assert.equal(await page.evaluate(() => document.documentElement.dataset.paper), undefined);
}

export async function closeBrowser() {
  await browser.close();
  assert.deepEqual(requests, [], "no request leaves the page");
  assert.deepEqual(troubles, [], "no errors");
}
