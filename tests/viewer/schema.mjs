// Judges values by a JSON Schema with ajv: { schema, values } comes on stdin, a list of complaints for each goes to stdout.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const Ajv = createRequire(process.argv[2] + "/package.json")("ajv/dist/2020").default;
const { schema, values } = JSON.parse(readFileSync(0, "utf8"));
const ajv = new Ajv({ strict: true, strictTypes: false, strictRequired: false, allErrors: true });
const judge = ajv.compile(schema);
console.log(JSON.stringify(values.map((value) => (judge(value) ? [] : judge.errors.map((e) => `${e.instancePath} ${e.message}`)))));
