"""Chapters: released notebooks with the outputs of solved ones."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import nbclient
import nbformat

from autograder import release, start_cell

ROOT = Path(__file__).resolve().parents[2]
# Of a notebook that nobody waits for; a busy machine takes several times two minutes.
CELL_SECONDS = 900


def write(folder: Path, lang: str, notebooks: Sequence[str], kept: Path, run: bool) -> None:
    """Write a page for each notebook.

    Args:
        folder: of the sources of an edition.
        lang: "zh" or "en".
        notebooks: their names.
        kept: folder in which outputs are kept between builds.
        run: run the notebooks whose outputs are not there.
    """
    for number, name in enumerate(notebooks, 1):
        page = released(name, lang)
        print(f"{lang} {name} ({number}/{len(notebooks)})", file=sys.stderr)
        for cell, outputs in zip(page.cells, outputs_of(name, lang, kept, run), strict=True):
            if cell.cell_type == "code":
                cell.outputs = [nbformat.from_dict(output) for output in outputs]
        # It installs the course, which a page doesn't need.
        page.cells = [cell for cell in page.cells if cell.id != start_cell.CELL_ID]
        path = folder / "chapters" / name / f"{name}.ipynb"
        path.parent.mkdir(parents=True)
        nbformat.write(page, path)


def released(name: str, lang: str) -> nbformat.NotebookNode:
    """The notebook that students open.

    Args:
        name: of the notebook.
        lang: "zh" or "en".

    Returns:
        The notebook, without outputs.
    """
    return nbformat.read(ROOT / "course" / lang / name / f"{name}.ipynb", as_version=4)


def outputs_of(name: str, lang: str, kept: Path, run: bool) -> list[list[dict]]:
    """What every cell of the solved notebook shows.

    Args:
        name: of the notebook.
        lang: "zh" or "en".
        kept: folder in which outputs are kept, under a digest of the notebook that made them.
        run: run it if they are not there.

    Returns:
        A list of outputs for each cell; empty ones where nothing has been run.
    """
    files = release.solved_files(release.open_chapter(name), lang)
    digest = hashlib.sha256()
    for path, content in sorted(files.items()):
        digest.update(f"{path}\n{len(content)}\n".encode() + content)
    place = kept / f"{name}.{lang}.json"
    if place.exists():
        found = json.loads(place.read_text(encoding="utf-8"))
        if found["digest"] == digest.hexdigest():
            return found["outputs"]
    if not run:
        return [[] for _ in released(name, lang).cells]
    outputs = _run(name, files)
    place.parent.mkdir(parents=True, exist_ok=True)
    temporary = place.with_suffix(".tmp")
    found = {"digest": digest.hexdigest(), "outputs": outputs}
    temporary.write_text(json.dumps(found, ensure_ascii=False), encoding="utf-8")
    os.replace(temporary, place)
    return outputs


def _run(name: str, files: dict[str, bytes]) -> list[list[dict]]:
    with tempfile.TemporaryDirectory() as folder:
        for path, content in files.items():
            place = Path(folder, path)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)
        notebook = nbformat.read(Path(folder, f"{name}.ipynb"), as_version=4)
        client = nbclient.NotebookClient(
            notebook,
            timeout=CELL_SECONDS,
            allow_errors=True,
            resources={"metadata": {"path": folder}},
        )
        client.execute()
        text = json.dumps([cell.get("outputs", []) for cell in notebook.cells])
    # Where this was run is nobody's business.
    for place in (folder, str(ROOT), str(Path.home())):
        text = text.replace(json.dumps(place)[1:-1], ".")
    return json.loads(text)
