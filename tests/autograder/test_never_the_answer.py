"""Nothing that a student is told holds the answer: not a line of it, nor a call to paste."""

import ast
import functools
import re
from pathlib import Path

import pytest

from autograder import answers, variants
from autograder.chapters import find
from autograder.exercise import all_exercises, load
from autograder.handle import Handle
from autograder.judge import judge
from autograder.variant_table import InProcess

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted(find(ROOT / "solutions"))
EXERCISES = [e for e in all_exercises().values() if e.notebook in NOTEBOOKS]
BY_ID = {exercise.id: exercise for exercise in EXERCISES}
# Calls and attributes that could be pasted; a name alone, such as reshape, is no answer.
PASTEABLE = re.compile(
    r"\b(?:ops|np|tf|keras|math)\.[a-z_]\w*\(|\b[a-z_]\w+\([a-z]|\baxis ?= ?-?\d"
)
# Too short to be recognised as anybody's.
SHORTEST = 10


def squeezed(text):
    return re.sub(r"\s+", "", text)


def solution_lines(marked):
    """The lines between the markers, without comments and docstrings."""
    inside, found = False, []
    for line in marked.split("\n"):
        if line.strip() in (answers.BEGIN, answers.END):
            inside = line.strip() == answers.BEGIN
        elif inside:
            found.append(line.partition("  #")[0].strip())
    return [line for line in found if line and not line.startswith("#")]


@functools.cache
def wrong_answers(notebook):
    """Those that have a name and those that have none."""
    named = [v for v in variants.load_variants(notebook) if not v.right]
    return [*named, *variants.load_variants(notebook, kind="uncovered")]


def fragments(exercise):
    """Lines and expressions of the answer, without white space."""
    return _fragments(exercise.id)


@functools.cache
def _fragments(exercise_id):
    exercise = BY_ID[exercise_id]
    found = set()
    for key in exercise.variants or (None,):
        where = {} if key is None else {"seed": answers.seed_of_bug(exercise, key)}
        marked = answers.marked_answer(exercise, **where)
        found |= {squeezed(line) for line in solution_lines(marked)}
        lines = set(solution_lines(marked))
        for node in ast.walk(ast.parse(answers.reference(exercise, **where))):
            if isinstance(node, (ast.Call, ast.BinOp, ast.Compare, ast.Subscript)):
                text = ast.unparse(node)
                if any(text in line for line in lines):
                    found.add(squeezed(text))
    return {text for text in found if len(text) >= SHORTEST}


def gives_away(text, exercise):
    """What of a text is the answer, or could be pasted as a part of it."""
    pasted = PASTEABLE.search(text)
    if pasted:
        return pasted.group(0)
    return next((piece for piece in fragments(exercise) if piece in squeezed(text)), None)


@pytest.mark.parametrize("exercise", EXERCISES, ids=[e.id for e in EXERCISES])
def test_no_sentence_of_an_exercise_holds_its_answer(exercise):
    assert fragments(exercise), "a test that looks for nothing finds nothing"
    texts = [case.title for case in exercise.cases] + [p.text for p in exercise.properties]
    for mistake in exercise.misconceptions.values():
        texts += [mistake.text, *mistake.hints]
    for text in texts:
        for lang in ("zh", "en"):
            assert gives_away(text[lang], exercise) is None, text


def told(variant):
    """Every sentence on the ladder of a wrong answer, errors and quoted lines left out."""
    exercise = BY_ID[variant.exercise]
    process = InProcess()
    of_notebook = load(exercise.notebook)
    for cell in (*answers.preparation(exercise, of_notebook), _source(variant, exercise)):
        process.run(cell)
    result = judge(exercise, Handle(process, exercise, variant.key), seed=5)
    rungs = [text for _, texts in result.ladder() for text in texts]
    assert rungs, variant.name
    for text in rungs:
        for lang in ("zh", "en"):
            # An error shows the library's words and the student's own line.
            words = text[lang]
            for case in result.cases:
                words = words.replace(case.error, "") if case.error else words
            yield re.sub(r"（第 \d+ 行：.*?）|\(line \d+: .*\)", "", words)


def spoken(variants_of_an_exercise):
    """How many sentences wrong answers were told; none of them holds the answer."""
    count = 0
    for variant in variants_of_an_exercise:
        for words in told(variant):
            assert gives_away(words, BY_ID[variant.exercise]) is None, (variant.name, words)
            count += 1
    return count


def test_nor_does_anything_that_a_wrong_answer_is_told():
    """All rungs of the ladder, for a spread of the wrong answers to one exercise that is fast."""
    found = [v for v in wrong_answers("ch03a_self_attention") if v.exercise == "combine_masks"]
    assert spoken(found[::2]) > 50


@pytest.mark.slow
@pytest.mark.parametrize("exercise", EXERCISES, ids=[e.id for e in EXERCISES])
def test_nor_does_anything_that_any_wrong_answer_is_told(exercise):
    found = [v for v in wrong_answers(exercise.notebook) if v.exercise == exercise.id]
    assert spoken(found) >= 2 * len(found)


def _source(variant, exercise):
    return variant.text(answers.reference(exercise))


def test_the_search_would_find_an_answer():
    exercise = BY_ID["causal_mask"]
    assert gives_away("try ops.greater_equal(query_position, key_position)", exercise)
    assert gives_away("写 query_position = ops.expand_dims( position, 1)", exercise)
    assert gives_away("use axis=-1", exercise)
    assert gives_away("ops has a function of that name", exercise) is None
    assert gives_away("Scores are (B, N, T, S), the mask is (B, T, S).", exercise) is None


def test_the_ladder_goes_from_what_differs_to_the_last_hint():
    exercise = BY_ID["causal_mask"]
    process = InProcess()
    process.run(answers.PRELUDE)
    process.run("def causal_mask(length):\n    return np.tri(length, k=1) > 0\n")
    result = judge(exercise, Handle(process, exercise), seed=5)
    assert [rung for rung, _ in result.ladder()] == [
        "differs",
        "property",
        "mistake",
        "hint 1",
        "hint 2",
    ]
    assert list(result.ladders) == ["sees_one_ahead"]
    rungs = {rung: " ".join(text.en for text in texts) for rung, texts in result.ladder()}
    assert "can see the future" in rungs["property"] and "off by one or two" in rungs["mistake"]
    assert "can see the future" not in result.message("en")  # the name says it


def test_hints_of_two_mistakes_are_kept_apart():
    exercise = BY_ID["causal_mask"]
    process = InProcess()
    process.run(answers.PRELUDE)
    process.run("def causal_mask(length):\n    return (np.tri(length, k=1) > 0)[None]\n")
    result = judge(exercise, Handle(process, exercise), seed=5)
    assert result.certainty == "pair" and set(result.ladders) == set(result.named)
    assert [hint for name in result.named for hint in result.ladders[name]] == result.hints
    shown = [hint.en for hint in result.as_shown().hints]
    assert [hint[:11] for hint in shown] == ["(Mistake 1)"] * 2 + ["(Mistake 2)"] * 2
    rungs = dict(result.ladder())
    assert len(rungs["hint 1"]) == len(rungs["hint 2"]) == 2
