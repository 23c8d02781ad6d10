"""The view of attention heads in a real notebook: mouse, keyboard, dark theme, zoom, no scripts.

The weights are planted, so everything that must be seen is known without a model.
"""

import re

import nbformat
import numpy as np
import pytest
from lab_kit import running_lab

from bert_keras.analysis.head_view import head_view

pytestmark = pytest.mark.release

WORDS = {
    "en": "[CLS] the animal didn't cross [SEP] it was too tired [SEP]",
    "zh": "[CLS] 那只 动物 没 过街 [SEP] 它 实在 是 太累 [SEP]",
}
IT, ANIMAL = 6, 2
# Head 1-1 looks one word back, 1-2 two, and so on; but in head 2-3 word 6 looks at word 2.
PLANTED = """
planted = np.full((3, 4, 11, 11), 0.01)
for head in range(4):
    for query in range(11):
        planted[:, head, query, (query - 1 - head) % 11] = 0.9
planted[1, 2, 6] = 0.02
planted[1, 2, 6, 2] = 0.8
"""
CELLS = (
    "import numpy as np\n\nfrom bert_keras.analysis.head_view import head_view\n\n{planted}\n"
    "view = head_view({words!r}.split(), planted, [0] * 6 + [1] * 5, language={lang!r})",
    "view",
)


def write_notebook(path, lang):
    """A notebook with the view; it has not been run."""
    cells = [text.format(planted=PLANTED.strip(), words=WORDS[lang], lang=lang) for text in CELLS]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells])
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(notebook, path)


def show(screen, name):
    """Open the notebook and run it; returns the output with the view."""
    screen.open(name)
    screen.run("import numpy")
    screen.run("view")  # the first cell holds the word, too; once more does no harm
    last = screen.page.locator(".jp-Notebook .jp-CodeCell").last
    last.locator(".cm-line").first.click()
    screen.page.keyboard.press("Control+Enter")
    output = last.locator(".jp-OutputArea-output")
    output.locator("svg").wait_for()
    output.scroll_into_view_if_needed()
    return output


def lines(output):
    """How many lines are drawn, and in which colours."""
    drawn = output.locator("svg line")
    return drawn.count(), {drawn.nth(n).get_attribute("stroke") for n in range(drawn.count())}


def exactly(word):
    return re.compile(f"^{re.escape(word)}$")


def said(output):
    return output.locator("[aria-live]").inner_text()


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_by_mouse(lang, theme, tmp_path, home, screen_of):
    words = WORDS[lang].split()
    (tmp_path / "root").mkdir()
    write_notebook(tmp_path / "root/heads.ipynb", lang)
    with running_lab(tmp_path / "root", home, theme=f"JupyterLab {theme}") as lab:
        screen = screen_of(lab)
        output = show(screen, "heads.ipynb")
        assert lines(output) == (11, {"#08306b"})  # 0.01 is too faint: one line a word
        layer, head, word = (output.locator("select").nth(n) for n in range(3))
        layer.select_option("2")
        head.select_option("3")
        screen.shot(f"heads_{lang}_{theme.lower()}_all", output)
        names = {"en": "attention 2-3", "zh": "注意力 2-3"}
        assert names[lang] in output.locator("svg").text_content()
        texts = output.locator("svg text")
        marks = [t for t in texts.all_text_contents() if t in "AB"]
        assert marks.count("A") == 12 and marks.count("B") == 10  # both columns
        # Pointing at a word shows its lines alone; leaving takes them away; a click keeps them.
        it = texts.filter(has_text=exactly(words[IT])).first
        it.hover()
        assert lines(output)[1] == {"#d55e00"}
        looks = {"en": "looks at: ", "zh": "看："}[lang]
        assert said(output).startswith(f"{words[IT]} {looks}{words[ANIMAL]} 80%")
        output.locator("select").first.hover()
        assert lines(output)[1] == {"#08306b"}
        it.click()
        output.locator("select").first.hover()
        assert lines(output)[1] == {"#d55e00"} and "80%" in said(output)
        assert word.input_value() == f"from {IT}"
        screen.shot(f"heads_{lang}_{theme.lower()}_word", output)
        # The other column: who looks at "animal"? "it", by 0.8; in head 2-3 word 5 - 1 - 2 = 2
        # is where [SEP] looks, by 0.9.
        texts.filter(has_text=exactly(words[ANIMAL])).last.click()
        asked = {"en": "is looked at by: [SEP] 90%, it 80%", "zh": "被谁看：[SEP] 90%，它 80%"}
        assert said(output) == f"{words[ANIMAL]} {asked[lang]}"
        screen.shot(f"heads_{lang}_{theme.lower()}_key", output)
        assert screen.abroad == [] and screen.errors == []


def test_by_keyboard_alone_and_at_twice_the_size(tmp_path, home, screen_of):
    (tmp_path / "root").mkdir()
    write_notebook(tmp_path / "root/heads.ipynb", "en")
    with running_lab(tmp_path / "root", home) as lab:
        # 200 %: half as many CSS pixels in the same window.
        screen = screen_of(lab, viewport={"width": 640, "height": 450}, device_scale_factor=2)
        output = show(screen, "heads.ipynb")
        page = screen.page
        output.locator("[role=group]").focus()
        before = page.locator(".jp-mod-active.jp-Cell").get_attribute("data-windowed-list-index")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        assert "attention 2-3" in output.locator("svg").text_content()
        after = page.locator(".jp-mod-active.jp-Cell").get_attribute("data-windowed-list-index")
        assert before == after  # the arrows are the picture's, not the notebook's
        for _ in range(3):
            page.keyboard.press("Tab")
        for letter in "7":  # a list is chosen from by typing: "7 it"
            page.keyboard.type(letter)
        assert said(output).startswith("it looks at: animal 80%")
        page.keyboard.press("Shift+Tab")
        page.keyboard.press("ArrowUp")  # in the list of heads
        assert "attention 2-2" in output.locator("svg").text_content()
        box, cell = output.locator("svg").bounding_box(), output.bounding_box()
        assert box["x"] >= cell["x"] and box["width"] <= cell["width"]
        screen.shot("heads_en_200_percent")


def test_without_scripts_a_picture_stands_there(tmp_path, home, screen_of, chromium):
    """In a notebook that isn't trusted, and on a page in a browser with scripts switched off."""
    root = tmp_path / "root"
    root.mkdir()
    namespace = {"np": np}
    exec(PLANTED, namespace)
    view = head_view(WORDS["en"].split(), namespace["planted"], [0] * 6 + [1] * 5, head=2)
    cell = nbformat.v4.new_code_cell(
        "view",
        execution_count=1,
        outputs=[
            nbformat.v4.new_output(
                "execute_result", {"text/html": view._repr_html_()}, execution_count=1
            )
        ],
    )
    notebook = nbformat.v4.new_notebook(cells=[cell])
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(notebook, root / "sent.ipynb")
    with running_lab(root, home) as lab:
        screen = screen_of(lab)
        screen.open("sent.ipynb")
        output = screen.page.locator(".jp-OutputArea-output")
        picture = output.locator("img")
        picture.wait_for()
        assert output.locator("svg, script, select").count() == 0
        assert picture.evaluate("it => it.complete && it.naturalWidth > 300")
        assert "attention 1-2: " in picture.get_attribute("alt")
        assert "run the cell" in output.locator("small").inner_text()
        screen.shot("heads_en_untrusted", output)
    view.save(tmp_path / "view.html")
    with chromium.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto((tmp_path / "view.html").as_uri())
        assert page.locator("svg").count() == 0 and page.locator("img").is_visible()
        page.screenshot(path=str(tmp_path / "view.png"))
