// Pages of studies, in a real browser. Called by studies_slow_test.py:
//   node studies.mjs CHROMIUM FOLDER    FOLDER holds grid.html, drawn.html, diagram.html, orders.html, book.html
import assert from "node:assert/strict";
import { join } from "node:path";
import { closeBrowser, colours, folder, open, paper } from "./_browser.mjs";

// Whether more colours than this are drawn in the end: a page draws its charts a moment after it is there.
async function drawn(page, selector, least) {
  for (let i = 0; i < 100; ++i) {
    if ((await colours(page, selector)) > least) return true;
    await page.waitForTimeout(100);
  }
  return false;
}

// A grid of two parameters: heat maps, curves, percentiles, the largest.
{
  const page = await open("grid.html");
  const maps = await page.$$(".heat canvas");
  assert.equal(maps.length, 2, "a heat map for each measure");
  assert.ok(await drawn(page, ".heat canvas", 8), "cells of many colours");
  assert.match(await page.textContent("#chapter-0"), /12 runs.*Percentiles.*median.*worst/s);
  assert.match(await page.textContent("#chapter-1"), /Largest.*clearance=.*friction=/s);
  // The pointer reads a cell: the value of the table.
  const box = await maps[0].boundingBox();
  await page.mouse.move(box.x + 74 + 4, box.y + box.height - 38 - 4);
  const reading = await page.textContent(".heat .reading");
  assert.match(reading, /clearance 2e-4, .*friction 0: [0-9.e-]+/, reading);
  await page.screenshot({ path: join(folder, "sweep.png") });
  await page.keyboard.press("d");
  await page.screenshot({ path: join(folder, "sweep_dark.png") });
  await paper(page);
  await page.context().close();
}

// Drawn parameters: clouds and a distribution, no map.
{
  const page = await open("drawn.html");
  assert.equal((await page.$$(".heat")).length, 0);
  assert.match(await page.textContent("#chapter-1"), /over clearance.*Distribution of worst/s);
  await page.context().close();
}

// A bifurcation diagram: as many dots as a screen can show, and the periods.
{
  const page = await open("diagram.html");
  assert.match(await page.textContent("#chapter-0"), /mass.velocity over omega.*Periods/s);
  assert.ok(await drawn(page, ".chapter canvas", 1), "dots are drawn");
  assert.match(await page.textContent("#chapter-1"), /Sections: mass.velocity over mass.position.*omega = 2.*omega = 4/s);
  assert.equal((await page.$$("#chapter-1 canvas")).length, 9, "a section for each of nine values");
  await page.screenshot({ path: join(folder, "bifurcation.png") });
  await page.context().close();
}

// Orders of convergence, and one figure of a publication with what is printed.
for (const [name, words] of [["orders.html", /declared order.*moreau_jean/s], ["book.html", /published|printed|expected/s]]) {
  const page = await open(name);
  assert.match(await page.textContent("#chapters"), words, name);
  assert.ok((await page.$$(".chapter canvas")).length >= 1, `${name} has a chart`);
  await page.screenshot({ path: join(folder, name.replace("html", "png")) });
  await paper(page);
  await page.context().close();
}
await closeBrowser();
