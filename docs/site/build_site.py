#!/usr/bin/env python3
"""Makes the documentation site: the pages of docs/ as they are, and beside them what the program itself says.

usage: build_site.py --carom PROGRAM --out FOLDER [--no-pictures]

The pages are staged in FOLDER/source with the tree of the repository, so that a link that is right there is right
here; generated pages are put among them:

    docs/schemes/NAME.md      one scheme: equations of its file, orders, promises, parameters, when to choose it
    docs/gallery/NAME.md      one model of the gallery: picture, curve, text
    docs/commands.md          --help of every command
    docs/lists.md             what `carom list` knows
    docs/model_file_reference.md, docs/messages.md    from the field tables and errors.def

Then Sphinx makes FOLDER/html, with warnings as errors. Nothing is loaded from a network, neither now nor by the pages.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from gallery import gallery_pages
from generated import command_page, list_page, reference_page
from schemes import scheme_pages

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "docs" / "site"
COPIED = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE", "docs", "scenarios", "examples", "tests/references/README.md"]


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--carom", required=True, type=Path, help="the program")
    parser.add_argument("--out", required=True, type=Path, help="where source/ and html/ go")
    parser.add_argument("--no-pictures", action="store_true", help="leave out runs and pictures of the gallery")
    return parser.parse_args()


def stage(source):
    """The tree of the repository, as far as pages link to it."""
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir(parents=True)
    for name in COPIED:
        place = source / name
        place.parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, place, ignore=shutil.ignore_patterns("site", "__pycache__"))
        else:
            shutil.copy(ROOT / name, place)
    shutil.copy(SITE / "conf.py", source)
    shutil.copy(SITE / "index.md", source)
    for folder in ("theory", "howto"):  # their index lists pages in words; the menu takes all there are
        with (source / "docs" / folder / "index.md").open("a") as index:
            index.write("\n```{toctree}\n:hidden:\n:glob:\n*\n```\n")
    listed = (source / "index.md").read_text()
    others = [page.stem for page in sorted((source / "docs").glob("*.md")) if f"docs/{page.stem}\n" not in listed]
    if others:
        with (source / "index.md").open("a") as index:
            index.write("\n```{toctree}\n:hidden:\n:caption: More\n" + "\n".join(f"docs/{name}" for name in others) + "\n```\n")
    (source / "_static").mkdir()
    shutil.copy(SITE / "site.css", source / "_static")


def bring_linked_files(source):
    """What pages link to beyond the staged tree: files come along as downloads, folders are only named."""
    for page in source.rglob("*.md"):
        def link(match):
            target = (page.parent / match[2]).resolve()
            if target.exists() or source not in target.parents:
                return match[0]
            original = ROOT / target.relative_to(source)
            if original.is_file():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(original, target)
            return f"`{match[1]}`" if original.is_dir() else match[0]

        text = page.read_text()
        changed = re.sub(r"(?<!!)\[([^]\n]+)\]\(([^):#\s]+)\)", link, text)
        if changed != text:
            page.write_text(changed)


def sphinx(source, html):
    command = ["/usr/bin/python3", "-m", "sphinx", "-b", "html", "-W", "--keep-going", "-q", "-j", str(os.cpu_count()),
               "-d", str(html.parent / "doctrees"), str(source), str(html)]
    return subprocess.run(command).returncode


def main():
    options = parse()
    program = options.carom.resolve()
    os.environ["CAROM_ROOT"] = str(ROOT)
    source, html = options.out.resolve() / "source", options.out.resolve() / "html"
    stage(source)

    def carom(*words):
        done = subprocess.run([program, *words], capture_output=True, text=True, timeout=600)
        assert done.returncode == 0, f"carom {' '.join(words)}: {done.stdout}{done.stderr}"
        return done.stdout

    docs = source / "docs"
    scheme_pages(carom, ROOT, docs)
    command_page(carom, docs)
    list_page(carom, docs)
    reference_page(carom, docs)
    gallery_pages(program, ROOT, docs, options.out.resolve() / "pictures", not options.no_pictures)
    bring_linked_files(source)
    shutil.rmtree(html, ignore_errors=True)
    code = sphinx(source, html)
    for picture in (docs / "gallery").glob("*.png"):  # the grid of the gallery names them by their place in the site
        shutil.copy(picture, html / "docs" / "gallery")
    if code == 0:
        print(f"wrote {os.path.relpath(html / 'index.html')}")
    return code


if __name__ == "__main__":
    sys.exit(main())
