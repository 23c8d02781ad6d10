"""A student works in Chinese: wrong, right, saved, opened again, validated, checked, handed in."""

import json
import shutil

import pytest
from class_in_browser import autograder, grade
from lab_kit import running_lab

from autograder.assemble import TEXT_STUB
from autograder.exercise import get

pytestmark = pytest.mark.release

NOTEBOOK, FIRST, SECOND = "ch00_start", "padding_mask_from_ids", "masked_mean"
WRITTEN = "只说明它把这一批句子背下来了，没见过的句子它不一定会。"
RIGHT_MEAN = """
is_real = ops.expand_dims(ops.cast(padding_mask, x.dtype), axis=-1)
count = ops.maximum(ops.sum(is_real, axis=1), 1)
return ops.sum(x * is_real, axis=1) / count""".strip()


def shown(cell):
    return " ".join(" ".join(cell.locator(".jp-OutputArea-output").all_inner_texts()).split())


def test_from_the_first_cell_to_the_grade(tmp_path, home, screen_of):
    course, mine = tmp_path / "class", tmp_path / "mine"
    autograder("init-class", course, "--lang", "zh", "--notebook", NOTEBOOK)
    shutil.copytree(course / "release" / NOTEBOOK, mine)
    path = mine / f"{NOTEBOOK}.ipynb"
    mistake = get(FIRST).misconceptions["mask_inverted"]
    define, checking = f"def {FIRST}", f'check("{FIRST}"'
    with running_lab(mine, home) as lab:
        screen = screen_of(lab, locale="zh-CN")
        page = screen.page
        screen.open(path.name)
        screen.run("import bert_keras.quiet")
        # The answer's cell has not run: it says which. Then it has, and is still blank.
        assert f"NameError: name '{FIRST}'" in shown(screen.run(checking))
        screen.shot("student_zh_not_run")
        screen.run(define)
        assert f"{FIRST} 0 / 2" in shown(screen.run(checking))
        screen.shot("student_zh_blank")
        screen.replace_line(define, "raise Not", "return ops.equal(token_ids, pad_id)")
        screen.run(define)
        wrong = screen.run(checking)
        assert mistake.text["zh"] in shown(wrong)
        wrong.locator("summary").first.click()
        assert wrong.locator("details > div").first.is_visible()
        screen.shot("student_zh_hint")
        screen.replace_line(define, "return ops", "return ops.not_equal(token_ids, pad_id)")
        screen.run(define)
        assert "2 / 2" in shown(screen.run(checking))
        for n, line in enumerate(RIGHT_MEAN.splitlines()):
            if n:
                page.keyboard.press("Enter")  # JupyterLab indents the next line by itself
                page.keyboard.type(line)
            else:
                screen.replace_line(f"def {SECOND}", "raise Not", line)
        screen.run(f"def {SECOND}")
        assert "3 / 3" in shown(screen.run(f'check("{SECOND}"'))
        written = page.locator(".jp-MarkdownOutput", has_text=TEXT_STUB["zh"].strip("*")).last
        written.scroll_into_view_if_needed()
        written.locator("p").first.dblclick()
        page.locator(".jp-MarkdownCell.jp-mod-active .cm-content").click()
        page.keyboard.press("Control+a")
        page.keyboard.insert_text(WRITTEN)  # as an input method does
        page.keyboard.press("Control+Enter")
        screen.save(path.name)

        # Another day: what was typed and what was shown are still there, kernel or not.
        screen.open(path.name)
        assert "not_equal(token_ids, pad_id)" in screen.cell(define).inner_text()
        screen.cell(checking).get_by_text("2 / 2").wait_for()  # drawn a moment later
        assert page.get_by_text(WRITTEN).count()
        screen.shot("student_zh_opened_again")

        # nbgrader's button runs the notebook from the top in a kernel of its own.
        page.locator(".jp-NotebookPanel-toolbar").get_by_text("Validate").click()
        dialog = page.locator(".jp-Dialog")
        dialog.get_by_text('check("ScaleShift"').wait_for()
        said = dialog.inner_text()
        assert f'check("{FIRST}"' not in said and f'check("{SECOND}"' not in said
        screen.shot("student_zh_validated")
        assert screen.abroad == [] and screen.errors == []

    found = autograder("check", path, "--json")
    points = {one["id"]: one["score"] for one in found["exercises"]}
    assert points == {name: {FIRST: 2, SECOND: 3}.get(name, 0) for name in points}
    saved = json.loads(path.read_text("utf-8"))
    assert WRITTEN in "".join("".join(cell["source"]) for cell in saved["cells"])

    place = course / "submitted" / "lihua" / NOTEBOOK
    place.mkdir(parents=True)
    shutil.copy(path, place)
    assert grade(NOTEBOOK, course) == {"lihua": points}
