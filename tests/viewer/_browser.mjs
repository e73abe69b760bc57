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

// How many different colours a canvas shows: an empty one has one.
export const colours = (page, selector = "#scene") =>
  page.evaluate((selector) => {
    const from = document.querySelector(selector);
    const to = document.createElement("canvas");
    [to.width, to.height] = [200, 120];
    const c = to.getContext("2d");
    c.drawImage(from, 0, 0, 200, 120);
    const data = c.getImageData(0, 0, 200, 120).data;
    const seen = new Set();
    for (let i = 0; i < data.length; i += 4) seen.add(`${data[i] >> 4},${data[i + 1] >> 4},${data[i + 2] >> 4}`);
    return seen.size;
  }, selector);

export async function closeBrowser() {
  await browser.close();
  assert.deepEqual(requests, [], "no request leaves the page");
  assert.deepEqual(troubles, [], "no errors");
}
