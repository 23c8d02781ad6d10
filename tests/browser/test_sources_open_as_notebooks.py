"""Jupytext, as JupyterLab asks it, reads every notebook's source and writes it back as it was."""

import shutil

import pytest
from lab_kit import ROOT

SOURCES = sorted(path for path in (ROOT / "solutions").glob("*/ch*.py"))


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_reading_and_saving_keeps_every_byte(source, tmp_path):
    build = pytest.importorskip(
        "jupytext.sync_contentsmanager"
    ).build_sync_jupytext_contents_manager_class
    from jupyter_server.services.contents.largefilemanager import LargeFileManager

    text = source.read_text("utf-8")
    assert 'tags="' not in text, 'JupyterLab can only open it if tags are a list: tags=["…"]'
    shutil.copy(source, tmp_path)
    manager = build(LargeFileManager)(root_dir=str(tmp_path))
    content = manager.get(source.name, type="notebook", content=True)["content"]
    assert len(content["cells"]) == sum(line.startswith("# %%") for line in text.split("\n"))
    manager.save({"type": "notebook", "format": "json", "content": content}, source.name)
    assert (tmp_path / source.name).read_text("utf-8") == text
    assert [path.name for path in tmp_path.iterdir()] == [source.name]
