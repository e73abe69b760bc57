"""`carom schema` judged by another program (ajv, strict): every shipped model follows it, deliberately broken ones do not."""
import copy
import json
import os
import subprocess
import tomllib
from pathlib import Path

from _browser import SOURCE, VIEWER, need_node, skip

need_node()
if not (VIEWER / "node_modules" / "ajv").is_dir():
    skip("ajv is not installed (cd viewer && npm ci)")

schema = json.loads(subprocess.run([os.environ["CAROM"], "schema"], capture_output=True, text=True, check=True).stdout)
files = sorted((SOURCE / "scenarios").glob("**/*.toml"))
models = {file.relative_to(SOURCE).as_posix(): tomllib.loads(file.read_text()) for file in files}
assert len(models) > 50, len(models)


def judge(values):
    result = subprocess.run(["node", Path(__file__).with_name("schema.mjs"), VIEWER], input=json.dumps({"schema": schema, "values": values}),
                            capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


for name, complaints in zip(models, judge(list(models.values()))):
    assert complaints == [], f"{name}: {complaints[:5]}"


def broken(change):
    model = copy.deepcopy(models["scenarios/slider_crank_bodies.toml"])
    change(model)
    return model


BREAKS = {
    "no schema": lambda m: m.pop("schema"),
    "no simulation": lambda m: m.pop("simulation"),
    "unknown table": lambda m: m.update(boddy={}),
    "misspelt key of a body": lambda m: m["body"]["crank"].update(mas="1 kg"),
    "a mass that is a list": lambda m: m["body"]["crank"].update(mass=[1, 2]),
    "an unknown kind of joint": lambda m: m["joint"]["bearing"].update(type="revolut"),
    "a joint of one body": lambda m: m["joint"]["bearing"].update(between="crank"),
    "a key of another joint": lambda m: m["joint"]["bearing"].update(half_length="1 mm"),
    "a flag in quotes": lambda m: m["body"]["crank"].update(weightless="yes"),
    "an unknown word": lambda m: m["units"].update(bare="maybe"),
    "an unknown parameter of a law": lambda m: m["law"]["steel"]["normal"].update(restituton=0.5),
    "an unknown kind of study": lambda m: m["study"]["order"].update(kind="guess"),
    "an end time that is a table": lambda m: m["simulation"].update(t_end={}),
}
for name, complaints in zip(BREAKS, judge([broken(change) for change in BREAKS.values()])):
    assert complaints, f"the schema accepts a model with {name}"
print(f"{len(models)} models follow the schema, {len(BREAKS)} broken ones do not")
