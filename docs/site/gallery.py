"""A page for each model of the gallery: what it shows, a picture of it, curves, its file.

Pictures are made here, by running the model and asking the program for one (`carom report --png`, which needs Chromium; without it a
model has its curves only). They are kept by a hash of the model's text and of the viewer, so that a second build makes
what changed only. The program gives a browser two minutes for a picture; one that hung or fell is started once more, and a model
without a picture is named with the reason, while the site is made all the same.
"""
import hashlib
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

# Where a picture says most: time in ms, magnified clearances, and a curve worth seeing. Others: half way, the energy.
MOMENTS = {
    "slider_crank_guide": ("t=87ms,magnify=8", ["min(guide.gap)", "crank.rate"]),
    "slider_crank_pin": ("t=40ms,magnify=8", []),
    "four_bar_play_1": ("t=100ms,magnify=8", ["min(C.gap)", "crank.rate"]),
    "four_bar_play_2": ("t=100ms,magnify=8", []),
    "four_bar_play_4": ("t=100ms,magnify=8", []),
    "circuit_breaker": ("t=8ms", []),
    "newtons_cradle": ("t=0.5s", []),
    "domino_row": ("t=0.6s", []),
    "woodpecker": ("t=0.5s", []),
}
SIZE = "size=720x480"


def run(program, folder, *words):
    return subprocess.run([program, *map(str, words)], cwd=folder, capture_output=True, text=True, timeout=1800)


def t_end(text):
    match = re.search(r'^t_end\s*=\s*"([\d.e-]+)\s*(\w+)"', text, re.M)
    return f"{float(match.group(1)) / 2:g}{match.group(2)}" if match else "0"


def picture(program, root, name, kept):
    """Makes NAME.png (scene) and NAME-curves.png in the folder `kept`; says what is missing."""
    model = root / "scenarios/gallery" / f"{name}.toml"
    text = model.read_text()
    viewer = (root / "viewer/dist/page.html").read_bytes()
    moment, curves = MOMENTS.get(name, (f"t={t_end(text)}", []))
    seal = hashlib.sha256(b"\0".join([text.encode(), viewer, moment.encode(), *[c.encode() for c in curves]])).hexdigest()
    stamp = kept / f"{name}.hash"
    if stamp.exists() and stamp.read_text() == seal:
        return None
    kept.mkdir(parents=True, exist_ok=True)
    result = kept / f"{name}.h5"
    done = run(program, root, "run", model, "-o", result, "--force", "--quiet")
    if done.returncode not in (0, 1):
        return f"{name}: {done.stderr.strip()}"
    curves_file = kept / f"{name}-curves.png"
    curves_file.unlink(missing_ok=True)
    plotted = run(program, root, "plot", result, *(curves or ["energy.kinetic", "energy.total"]), "-o", curves_file)
    if plotted.returncode != 0:
        return f"{name}: {plotted.stderr.strip()}"
    for _ in range(2):
        drawn = run(program, root, "report", result, "--png", f"{moment},{SIZE}", "-o", kept / f"{name}.png")
        if drawn.returncode in (0, 2):  # 2: no browser, or a time that is not there
            break
    result.unlink(missing_ok=True)
    if drawn.returncode != 0:
        return f"{name}: {drawn.stderr.strip()}"
    stamp.write_text(seal)
    return None


def opening(text):
    lines = []
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        lines.append(line[1:].strip())
    return " ".join(line for line in lines if line and not line.startswith("carom "))


def gallery_pages(program, root, docs, kept, with_pictures):
    page = (docs / "gallery.md").read_text()
    shown = dict(re.findall(r"^\| \[(\w+)\.toml\]\(\S+\) \| (.*?) \|$", page, re.M))
    models = sorted(path.stem for path in (root / "scenarios/gallery").glob("*.toml"))
    assert sorted(shown) == models, f"docs/gallery.md does not list what there is: {set(models) ^ set(shown)}"
    if with_pictures:
        with ThreadPoolExecutor(max(1, (os.cpu_count() or 2) // 2)) as pool:
            troubles = pool.map(lambda name: picture(program, root, name, kept), shown)
            for number, (name, trouble) in enumerate(zip(shown, troubles), 1):
                print(f"picture {number} of {len(shown)}: {name}" if not trouble else f"no picture: {trouble}", file=sys.stderr, flush=True)
    folder = docs / "gallery"
    folder.mkdir()
    tiles = []
    for name, title in shown.items():
        text = (root / "scenarios/gallery" / f"{name}.toml").read_text()
        lines = [f"# {name.replace('_', ' ').capitalize()}\n", f"{title[0].upper()}{title[1:]}. {opening(text)}\n"]
        for file, what in ((f"{name}.png", title), (f"{name}-curves.png", f"curves of {name}")):
            if (kept / file).exists():
                shutil.copy(kept / file, folder)
                lines.append(f"![{what}]({file})\n")
        lines += ["```sh", f"carom run scenarios/gallery/{name}.toml", "```\n", "```toml", text.rstrip(), "```\n"]
        (folder / f"{name}.md").write_text("\n".join(lines))
        if (kept / f"{name}.png").exists():
            tiles.append(f'<a href="gallery/{name}.html"><img src="gallery/{name}.png" alt="{title}">{title}</a>')
    page = re.sub(r"\(\.\./scenarios/gallery/(\w+)\.toml\)", r"(gallery/\1.md)", page)
    if tiles:
        head, _, rest = page.partition("\n| model |")
        page = head + '\n<div class="gallery">\n' + "\n".join(tiles) + "\n</div>\n\n| model |" + rest
    page += "\n```{toctree}\n:hidden:\n" + "\n".join(f"gallery/{name}" for name in shown) + "\n```\n"
    (docs / "gallery.md").write_text(page)
