"""The class that `autograder bench` grades: known scores, and no two submissions alike."""

import ast
import json
import random
from collections import Counter

import numpy as np
import pytest

from autograder.bench import exercises, forms, oracles, work
from autograder.bench.mistakes import NEXT_WORD_MISTAKES
from autograder.handle import Handle, LocalTransport
from autograder.judge import judge
from autograder.oracles.calculus import numeric_gradient

PRELUDE = "import math\nimport keras\nimport numpy as np\nfrom keras import ops\n"
TOTAL = {
    "bench_positions": 2,
    "bench_masked_mean": 3,
    "bench_attention": 4,
    "bench_layer_norm": 4,
    "bench_feed_forward": 3,
    "bench_next_word": 6,
}


@pytest.fixture
def registered():
    """The measuring notebook's exercises, by id, in the registry for one test only."""
    yield {exercise.id: exercise for exercise in exercises.register()}
    exercises.unregister()


@pytest.fixture(scope="module")
def released():
    """The notebook as it is given out, without the seconds that nbgrader takes."""
    from autograder import answers, assemble, chapters

    chapter = chapters.parse(work.SOURCE)
    notebook = assemble.build(chapter, "en", seed=1, points=TOTAL.__getitem__)
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("solution"):
            cell["source"] = answers.blanked(cell["source"])
    return assemble.to_bytes(notebook)


def judged(exercise, text, seed=11):
    namespace = {"__name__": "answer"}
    exec(compile(PRELUDE + text, "<answer>", "exec"), namespace)
    return judge(exercise, Handle(LocalTransport(namespace), exercise), seed=seed)


def test_the_exercises_are_no_part_of_the_course(registered):
    from autograder.exercise import all_exercises

    assert {name: exercise.points for name, exercise in registered.items()} == TOTAL
    assert set(TOTAL) <= set(all_exercises())
    exercises.unregister()
    assert not set(TOTAL) & set(all_exercises())


@pytest.mark.parametrize("number", range(len(forms.RIGHT) + len(TOTAL)))
def test_right_answers_get_full_marks(registered, number):
    plain = [forms.Form(name, ()) for name in TOTAL]
    form = [*plain, *forms.RIGHT][number]
    text = form.text(work.references()[form.exercise])
    result = judged(registered[form.exercise], text)
    assert result.score == TOTAL[form.exercise], result.message("en")


@pytest.mark.parametrize("form", forms.WRONG, ids=lambda f: f"{f.exercise}-{f.named or f.lost}")
def test_mistakes_cost_what_the_table_says_and_are_named(registered, form):
    result = judged(registered[form.exercise], form.text(work.references()[form.exercise]))
    assert result.score == TOTAL[form.exercise] - form.lost, result.message("en")
    assert result.named == ([form.named] if form.named else [])


def test_every_mistake_with_a_name_can_be_told_from_every_other(registered):
    """No two switches of an exercise predict the same on all that its cases look at."""
    rng = np.random.default_rng(3)
    ids = exercises.some_words(rng, 3, 6, 7)
    table, kernel = exercises.normal(rng, 7, 4), exercises.normal(rng, 4, 7)
    right = oracles.training(ids, table, kernel, 4, 0.5)
    predictions = [right.value] + [
        right.predict(switch, np.float64) for _, switch, _, _ in NEXT_WORD_MISTAKES
    ]
    for i, one in enumerate(predictions):
        for other in predictions[:i]:
            assert any(not np.allclose(a, b, atol=1e-3) for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("mean", ["over_real", "over_all", "of_rows", "no_mean"])
@pytest.mark.parametrize("shift", ["next", "same", "last"])
def test_the_hand_written_gradient_is_the_finite_difference(mean, shift):
    rng = np.random.default_rng(5)
    ids = exercises.some_words(rng, 3, 5, 6)
    table, kernel = rng.normal(size=(6, 3)), rng.normal(size=(3, 6))

    def loss(table, kernel):
        return np.asarray(oracles.loss.raw(ids, table[ids] @ kernel, mean=mean, shift=shift))

    slopes = numeric_gradient(loss, (table, kernel), np.ones(()))
    losses, *moved = oracles.training.raw(ids, table, kernel, 1, 0.5, mean=mean, shift=shift)
    assert losses[0] == pytest.approx(loss(table, kernel))
    for before, after, slope in zip((table, kernel), moved, slopes, strict=True):
        np.testing.assert_allclose(after, before - 0.5 * slope, atol=1e-6)


def test_the_loss_is_what_arithmetic_says():
    """Two rows, three words: all scores equal, so every real word costs log 3."""
    ids = np.array([[1, 2, 1], [2, 1, 0]], np.int32)
    given = np.zeros((2, 3, 3), np.float32)
    assert oracles.loss(ids, given).value == pytest.approx(np.log(3))
    wrong = oracles.loss(ids, given).predict({"mean": "no_mean"})
    assert wrong == pytest.approx(3 * np.log(3), rel=1e-6)
    over_all = oracles.loss(ids, given).predict({"mean": "over_all"})
    assert over_all == pytest.approx(3 / 4 * np.log(3), rel=1e-6)


def test_no_two_submissions_share_a_cell(released):
    made = work.submissions(released, 40)
    texts = Counter()
    for submission in made:
        for cell in json.loads(submission.data)["cells"]:
            mark = cell["metadata"].get("nbgrader", {})
            text = "".join(cell["source"])
            if mark.get("solution") and "YOUR CODE HERE" not in text:
                # Not even as syntax trees, in which remarks and blank lines are gone.
                texts[ast.dump(ast.parse(text))] += 1
            if cell["id"] == "scratch":
                texts[text] += 1
    assert len(texts) == 40 + 6 * 32 + 3 * 4 and set(texts.values()) == {1}
    assert len({submission.data for submission in made}) == 40


def test_the_mix_is_the_stated_one(released):
    made = work.submissions(released, 60)
    assert [s.data for s in made] == [s.data for s in work.submissions(released, 60)]
    assert sum(s.score == 22 for s in made) == 30
    assert sum(s.score == 0 for s in made) == 6
    assert sum(s.score == 2 + 3 + 4 for s in made if not s.named) >= 6
    assert all(set(s.expected) == set(TOTAL) for s in made)
    used = {(name, mistake) for s in made for name, mistake in s.named.items()}
    assert used == {(f.exercise, f.named) for f in forms.WRONG if f.named}


@pytest.mark.parametrize("number", range(20))
def test_another_text_is_the_same_program(registered, number):
    """Disguised answers are worth what the plain ones are."""
    every = [*(forms.Form(name, ()) for name in TOTAL), *forms.RIGHT, *forms.WRONG]
    form = every[number * 7 % len(every)]
    plain = form.text(work.references()[form.exercise])
    other = work.disguise(plain, random.Random(number), f"{number:04d}")
    assert ast.dump(ast.parse(other)) != ast.dump(ast.parse(plain))
    assert judged(registered[form.exercise], other).score == TOTAL[form.exercise] - form.lost
