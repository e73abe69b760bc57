// Bundles the page into one file without data, dist/page.html, and the licences of what is in it. `node build.mjs --check` compares
// instead of writing.
import { build } from "esbuild";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const result = await build({
  entryPoints: [join(here, "src/main.ts")],
  bundle: true,
  minify: true,
  write: false,
  target: "es2022",
  format: "iife",
  charset: "ascii",
  legalComments: "none",
  loader: { ".css": "css" },
  outdir: join(here, "dist"),
});
const of = (ending) => result.outputFiles.find((file) => file.path.endsWith(ending)).text.trim();
// Nothing inside may end the script or style element that it stands in.
const script = of(".js").replaceAll("</script", "<\\/script");
const licences = ["three", "uplot"]
  .map((name) => {
    const about = JSON.parse(readFileSync(join(here, "node_modules", name, "package.json"), "utf8"));
    return `${name} ${about.version}, ${about.license}\n\n${readFileSync(join(here, "node_modules", name, "LICENSE"), "utf8").trim()}\n`;
  })
  .join("\n\n");
const about = `This page contains code of these projects.\n\n\n${licences}`;
const page = readFileSync(join(here, "src/page.html"), "utf8")
  .replace("/*STYLE*/", () => of(".css").replaceAll("</style", "<\\/style"))
  .replace("/*SCRIPT*/", () => script)
  .replace("/*LICENSES*/", () => about.replaceAll("--", "- -"));

const wanted = { "page.html": page, "LICENSES.txt": about };
let wrong = 0;
mkdirSync(join(here, "dist"), { recursive: true });
for (const [name, text] of Object.entries(wanted)) {
  const path = join(here, "dist", name);
  if (!process.argv.includes("--check")) writeFileSync(path, text);
  else if (readFileSync(path, "utf8") !== text) {
    console.error(`dist/${name} is not what the sources make: npm run build`);
    wrong = 1;
  }
}
if (!process.argv.includes("--check")) console.log(`dist/page.html ${(page.length / 1024).toFixed(0)} kB`);
process.exit(wrong);
