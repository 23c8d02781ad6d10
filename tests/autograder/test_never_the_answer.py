"""Nothing that a student is told holds the answer: not a line of it, nor a call to paste."""

import ast
import functools
import re

import pytest

from autograder import answers, variants
from autograder.exercise import load
from autograder.handle import Handle
from autograder.judge import judge
from autograder.variant_table import InProcess

NOTEBOOK = "ch03a_self_attention"
EXERCISES = load(NOTEBOOK)
WRONG = [
    *(v for v in variants.load_variants(NOTEBOOK) if not v.right),
    *variants.load_variants(NOTEBOOK, kind="uncovered"),
]
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


def fragments(exercise):
    """Lines and expressions of the answer, without white space."""
    return _fragments(exercise.id)


@functools.cache
def _fragments(exercise_id):
    exercise = next(e for e in EXERCISES if e.id == exercise_id)
    keys = [v.key for v in WRONG if v.exercise == exercise.id and v.key] or [None]
    found = set()
    for key in dict.fromkeys(keys):
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


LIGHT = [e.id for e in EXERCISES if e.kind == "function" and e.id != "scaled_dot_product"]


def test_nor_does_anything_that_a_wrong_answer_is_told():
    """All rungs of the ladder, for every wrong answer to the exercises that run fast."""
    told = 0
    for variant in WRONG:
        if variant.exercise not in LIGHT:
            continue
        exercise = next(e for e in EXERCISES if e.id == variant.exercise)
        process = InProcess()
        for cell in (*answers.preparation(exercise, EXERCISES), _source(variant, exercise)):
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
                words = re.sub(r"（第 \d+ 行：.*?）|\(line \d+: .*\)", "", words)
                assert gives_away(words, exercise) is None, (variant.name, words)
                told += 1
    assert told > 500


def _source(variant, exercise):
    return variant.text(answers.reference(exercise))


def test_the_search_would_find_an_answer():
    exercise = next(e for e in EXERCISES if e.id == "causal_mask")
    assert gives_away("try ops.greater_equal(query_position, key_position)", exercise)
    assert gives_away("写 query_position = ops.expand_dims( position, 1)", exercise)
    assert gives_away("use axis=-1", exercise)
    assert gives_away("ops has a function of that name", exercise) is None
    assert gives_away("Scores are (B, N, T, S), the mask is (B, T, S).", exercise) is None


def test_the_ladder_goes_from_what_differs_to_the_last_hint():
    exercise = next(e for e in EXERCISES if e.id == "causal_mask")
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
    words = result.message("en")
    assert words.index("can see the future") < words.index("off by one or two")


def test_hints_of_two_mistakes_are_kept_apart():
    exercise = next(e for e in EXERCISES if e.id == "causal_mask")
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
