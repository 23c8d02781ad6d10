"""A notebook's source opens as a notebook in JupyterLab, and saving it changes nothing."""

import shutil

import pytest
from lab_kit import ROOT, running_lab

pytestmark = pytest.mark.release


def largest():
    """The notebook with the longest source."""
    return max((ROOT / "solutions").glob("*/ch*.py"), key=lambda path: path.stat().st_size)


@pytest.mark.parametrize("source", [ROOT / "solutions/ch00_start/ch00_start.py", largest()])
def test_opening_and_saving_keeps_every_byte(source, tmp_path, home, screen_of):
    root = tmp_path / "solutions"
    root.mkdir()
    before = source.read_bytes()
    shutil.copy(source, root)
    with running_lab(root, home) as lab:
        screen = screen_of(lab)
        page = screen.page
        page.goto(lab.at("lab?reset"))
        # While the page is being built the menu may close again, as it would for anybody.
        with_what = page.locator(".lm-Menu-item", has_text="Open With")
        while not with_what.is_visible():
            page.locator(".jp-DirListing-item", has_text=source.name).click(button="right")
            page.wait_for_timeout(1000)
        with_what.hover()
        page.locator(".lm-Menu-item", has_text="Jupytext Notebook").click()
        page.locator(".jp-Notebook .jp-Cell").first.wait_for()
        # The source names no kernel, so JupyterLab asks; the answer must not go into the file.
        page.locator(".jp-Dialog .jp-mod-accept").click()
        screen.idle()
        screen.shot(f"source_{source.stem}")
        # A change and its undoing, so that JupyterLab has something to write.
        line = page.locator(".jp-CodeCell .cm-line").first
        line.click()
        page.keyboard.press("End")
        page.keyboard.type("x")
        page.keyboard.press("Backspace")
        screen.save(source.name)
        assert (root / source.name).read_bytes() == before
        assert [path.name for path in root.glob("*.*") if path.is_file()] == [source.name]
        assert screen.abroad == [] and screen.errors == []
