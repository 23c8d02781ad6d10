"""The shortest way through the course: one exercise, wrong and then right, in a real JupyterLab."""

import shutil

from lab_kit import ROOT, running_lab

from autograder.exercise import get

EXERCISE = "padding_mask_from_ids"


def test_a_wrong_answer_is_named_and_the_right_one_passes(tmp_path, home, screen_of):
    mistake = get(EXERCISE).misconceptions["mask_inverted"]
    shutil.copytree(ROOT / "course/en/ch00_start", tmp_path / "course/ch00_start")
    with running_lab(tmp_path / "course", home) as lab:
        screen = screen_of(lab)
        screen.open("ch00_start/ch00_start.ipynb")
        screen.run("import bert_keras.quiet")
        definition, checking = f"def {EXERCISE}", f'check("{EXERCISE}"'
        screen.replace_line(definition, "raise Not", "return ops.equal(token_ids, pad_id)")
        screen.run(definition)
        shown = screen.run(checking).locator(".jp-OutputArea-output")
        text = shown.inner_text()
        assert f"{EXERCISE}   0 / 2" in text.replace("\xa0", " ")
        assert mistake.text["en"] in text
        assert shown.locator("details").count() >= 2  # hints, folded
        assert not shown.locator("details > div").first.is_visible()
        screen.shot("first_exercise_wrong")
        screen.replace_line(definition, "return ops", "return ops.not_equal(token_ids, pad_id)")
        screen.run(definition)
        text = screen.run(checking).locator(".jp-OutputArea-output").inner_text()
        assert "2 / 2" in text and "✓" in text and mistake.text["en"] not in text
        screen.shot("first_exercise_right")
        assert screen.abroad == [] and screen.errors == []
