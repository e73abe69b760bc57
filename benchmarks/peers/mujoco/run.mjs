// One scene in MuJoCo (npm @mujoco/mujoco): node run.mjs SCENE.xml SECONDS '{"contact": "...", "option": "...", "velocities": {"joint": 1}, ...}'
// Prints one JSON object: for every step the time, the positions of all bodies, their energy and the smallest distance of contacts.
import fs from 'node:fs';
import path from 'node:path';
import {createRequire} from 'node:module';
import {pathToFileURL} from 'node:url';

const [scene, seconds, given] = process.argv.slice(2);
const settings = JSON.parse(given);
const packages = createRequire(path.join(process.cwd(), 'package.json'));  // installed where it is started
const {default: load} = await import(pathToFileURL(packages.resolve('@mujoco/mujoco')).href);
const mujoco = await load();

const text = fs.readFileSync(scene, 'utf8')
                 .replaceAll('{contact}', settings.contact ?? '').replaceAll('{option}', settings.option ?? '');
const model = mujoco.MjModel.from_xml_string(text);
const data = new mujoco.MjData(model);
for (const [k, value] of Object.entries(settings.qpos ?? {})) data.qpos[k] = value;
for (const [k, value] of Object.entries(settings.qvel ?? {})) data.qvel[k] = value;
mujoco.mj_forward(model, data);

const out = {version: mujoco.mj_versionString(), t: [], x: [], v: [], energy: [], gap: []};
function sample() {
  mujoco.mj_forward(model, data);  // positions, contacts and energy of this very moment
  let gap = null;
  const contacts = data.contact;
  for (let i = 0; i < data.ncon; ++i) {
    const distance = contacts.get(i).dist;
    gap = gap === null ? distance : Math.min(gap, distance);
  }
  out.t.push(data.time);
  out.x.push(Array.from(data.xpos));
  out.v.push(Array.from(data.qvel));
  out.energy.push(data.energy[0] + data.energy[1]);
  out.gap.push(gap);
}
sample();
const steps = Math.round(Number(seconds) / model.opt.timestep);
const begin = process.cpuUsage();
for (let k = 0; k < steps; ++k) {
  mujoco.mj_step(model, data);
  sample();
}
out.cpu = process.cpuUsage(begin).user * 1e-6 / steps;
console.log(JSON.stringify(out));
