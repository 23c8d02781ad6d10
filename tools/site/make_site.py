"""Build the book as a web site, in both languages: `make site`, or a part of it.

The chapters are the released notebooks: what students open, without answers, with the pictures and
texts that a student sees who has solved them. For that the notebooks with answers are run once (a
minute or two each) and their outputs kept under build/site until a notebook changes. Guides are
docs/, the library's reference comes from its docstrings. The pages load nothing from elsewhere.

    python tools/site/make_site.py                       # all of it
    python tools/site/make_site.py --no-run              # without outputs that aren't there yet
    python tools/site/make_site.py --notebook ch00_start # one chapter, guides and reference
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import chapter_pages
import guide_pages
import reference_pages
from sphinx.cmd.build import main as sphinx

from autograder import chapters
from autograder.messages import LANGUAGES

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
OUT = ROOT / "build" / "site"
# Marks the folder as ours: what is not ours is never removed.
MARK = ".made-by-make-site"


class SiteError(Exception):
    """The site cannot be built; the message is for people."""


def build(notebooks: Sequence[str], out: Path = OUT, run: bool = True) -> Path:
    """Write the site.

    Args:
        notebooks: their names, in the order of the course.
        out: the folder of the site; its sources and kept outputs go to folders beside it.
        run: run notebooks whose outputs are not there yet.

    Returns:
        The page to open.

    Raises:
        SiteError: the folder holds something else, or Sphinx found a fault such as a dead link.
    """
    site, sources, kept = out / "html", out / "src", out / "outputs"
    out.mkdir(parents=True, exist_ok=True)
    if site.exists() and not (site / MARK).exists():
        raise SiteError(f"{site} is not a site of ours: remove it, or choose another --out")
    shutil.rmtree(sources, ignore_errors=True)
    for lang in LANGUAGES:
        folder = sources / lang
        folder.mkdir(parents=True)
        chapter_pages.write(folder, lang, notebooks, kept, run)
        guide_pages.write(folder, lang, notebooks)
    reference_pages.write(sources / "en")
    # Each page has to know whether the other language has it, too.
    pages = {
        lang: sorted(
            str(path.relative_to(sources / lang).with_suffix("")).replace("\\", "/")
            for path in (sources / lang).rglob("*")
            if path.suffix in (".md", ".ipynb")
        )
        for lang in LANGUAGES
    }
    (sources / "pages.json").write_text(json.dumps(pages), encoding="utf-8")
    made = out / "new"
    shutil.rmtree(made, ignore_errors=True)
    for lang in LANGUAGES:
        words = ["-q", "-W", "--keep-going", "-b", "html", "-c", str(HERE)]
        words += ["-D", f"language={'zh_CN' if lang == 'zh' else 'en'}"]
        words += ["-d", str(out / "doctrees" / lang), str(sources / lang), str(made / lang)]
        if sphinx(words):
            raise SiteError(f"Sphinx found faults in the {lang} edition, see above")
    shutil.copyfile(HERE / "front.html", made / "index.html")
    # What myst-nb unpacked on the way; the pages have their own copies.
    shutil.rmtree(made / "jupyter_execute", ignore_errors=True)
    (made / MARK).touch()
    shutil.rmtree(site, ignore_errors=True)
    made.rename(site)
    return site / "index.html"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        arguments: the words after the program's name; None takes those of the process.

    Returns:
        The exit code.
    """
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    every = sorted(chapters.find(ROOT / "solutions"))
    parser.add_argument("--notebook", nargs="+", choices=every, default=every, metavar="NOTEBOOK")
    parser.add_argument("--out", type=Path, default=OUT, help="default: build/site")
    parser.add_argument("--no-run", action="store_true", help="run no notebook")
    options = parser.parse_args(arguments)
    try:
        page = build(options.notebook, options.out.resolve(), not options.no_run)
    except SiteError as error:
        print(f"site: {error}", file=sys.stderr)
        return 2
    print(page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
