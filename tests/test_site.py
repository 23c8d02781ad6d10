"""The book as a web site: tools/site."""

import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools" / "site"))

import chapter_pages  # noqa: E402
import guide_pages  # noqa: E402
import reference_pages  # noqa: E402

NOTEBOOK = "ch00_start"


def test_a_page_has_the_students_cells_and_the_outputs_of_solved_ones(tmp_path, monkeypatch):
    """Answers are run, never shown; what was run is not run again; no path of this machine."""
    ran = []

    class Client:
        def __init__(self, notebook, resources, **options):
            self.notebook, self.folder = notebook, resources["metadata"]["path"]

        def execute(self):
            ran.append(self.notebook)
            for cell in self.notebook.cells:
                if cell.cell_type == "code":
                    text = f"{len(cell.source)} in {self.folder} of {ROOT}\n"
                    cell.outputs = [
                        chapter_pages.nbformat.v4.new_output("stream", name="stdout", text=text)
                    ]

    monkeypatch.setattr(chapter_pages.nbclient, "NotebookClient", Client)
    for number in range(2):
        folder = tmp_path / str(number)
        folder.mkdir()
        chapter_pages.write(folder, "zh", [NOTEBOOK], tmp_path / "kept", True)
    (solved,) = ran
    assert solved.cells[0].source != solved.cells[-1].source
    page = json.loads(
        (tmp_path / "1" / "chapters" / NOTEBOOK / f"{NOTEBOOK}.ipynb").read_text("utf-8")
    )
    there = chapter_pages.released(NOTEBOOK, "zh").cells
    shown = [place for place, cell in enumerate(there) if cell.id != "start-anywhere"]
    assert len(shown) == len(there) - 1
    assert ["".join(cell["source"]) for cell in page["cells"]] == [there[n].source for n in shown]
    text = json.dumps(page)
    assert str(ROOT) not in text and "BEGIN SOLUTION" not in text
    for cell, place in zip(page["cells"], shown, strict=True):
        answered = solved.cells[place]
        if cell["cell_type"] == "code":
            (output,) = cell["outputs"]
            assert "".join(output["text"]) == f"{len(answered.source)} in . of .\n"


def test_links_of_guides_lead_to_pages(tmp_path):
    docs = ROOT / "docs"
    text = (
        "[a](grading.md) [b](https://example.org) [c](../README.md) [d](#here) "
        "[e](grading.md#running-it-again)"
    )
    assert guide_pages._relinked(text, docs / "security.md", "en") == (
        "[a](grading.md) [b](https://example.org) c [d](#here) [e](grading.md#running-it-again)"
    )
    across = guide_pages._relinked("[a](../grading.md#x)", docs / "zh" / "some.md", "zh")
    assert across == '<a href="../../en/guides/grading.html#x">a</a>'


def test_every_module_with_public_names_has_a_page(tmp_path):
    reference_pages.write(tmp_path)
    pages = {path.stem for path in (tmp_path / "reference").glob("*.md")}
    assert {"bert_keras.layers.attention", "bert_keras.models.bert", "index"} <= pages
    assert "bert_keras.errors" in pages and "bert_keras.commands.finetune" not in pages
    index = (tmp_path / "reference" / "index.md").read_text(encoding="utf-8")
    assert "attention.md): Scaled dot-product attention and multi-head attention." in index


@pytest.mark.release
def test_the_site_is_built_without_a_warning(tmp_path):
    site = pytest.importorskip("make_site", reason="needs the extra site")
    page = site.build([NOTEBOOK], tmp_path / "site", run=False)
    for lang in ("en", "zh"):
        folder = page.parent / lang
        chapter = (folder / "chapters" / NOTEBOOK / f"{NOTEBOOK}.html").read_text("utf-8")
        other = "zh" if lang == "en" else "en"
        assert f'href="../../../{other}/chapters/{NOTEBOOK}/{NOTEBOOK}.html"' in chapter
    attention = (page.parent / "en" / "reference" / "bert_keras.layers.attention.html").read_text(
        "utf-8"
    )
    assert "num_heads" in attention and "(*args, **kwargs)" not in attention
    # A folder of somebody else's is left alone.
    other = tmp_path / "other"
    (other / "html").mkdir(parents=True)
    with pytest.raises(site.SiteError, match="not a site of ours"):
        site.build([NOTEBOOK], other, run=False)
