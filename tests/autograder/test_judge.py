"""Comparison, diagnosis, judgement and `check()`, on an exercise made here."""

import importlib
import json
import os
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from autograder import exercise as registry
from autograder import mishaps
from autograder.check import check, ready
from autograder.compare import difference, matches
from autograder.exercise import Exercise, UnknownName
from autograder.expectations import expect
from autograder.forbidden import banned_names, forbidden_use
from autograder.handle import Handle, LocalTransport
from autograder.judge import judge
from autograder.messages import Text, language
from autograder.oracles import Crash, oracle
from autograder.render import result_html
from autograder.results import BLANK, ExerciseResult, StudentError, StudentTimeout

# The package's attribute of that name is the function.
check_module = importlib.import_module("autograder.check")
RIGHT = dict(atol=1e-5, rtol=1e-5)


@oracle(parts=("product",))
def mix(a, b, *, scale=1.0, sign=1, product="rows", bias=0.0):
    if product == "crash":
        raise Crash("ValueError")
    if product == "any":
        raise Crash()
    result = (b.T @ a.T).T if product == "rows" else a @ b[::-1]
    return sign * scale * result + np.asarray(bias, result.dtype)


@oracle(parts=("number",))
def half_right(number):
    return np.asarray(number)


@pytest.fixture
def toy():
    """Two cases; `halved`, `negated` and `reversed` are known mistakes."""
    exercise = Exercise("toy", notebook="toy_notebook", points=3, tensors=False)

    @exercise.case(points=1, zh="小", en="small")
    def small(student, rng):
        a, b = rng.normal(size=(2, 3)), rng.normal(size=(3, 5))
        expect(student(a, b)).equals(mix(a, b))

    @exercise.case(points=2, zh="大", en="large")
    def large(student, rng):
        a, b = rng.normal(size=(4, 6)), rng.normal(size=(6, 3))
        expect(student(a, b)).equals(mix(a, b))

    exercise.misconception(
        "halved", switch={"scale": 0.5}, zh="一半", en="half", hints=(("大", "b"),)
    )
    exercise.misconception("negated", switch={"sign": -1}, zh="负", en="minus")
    exercise.misconception("reversed", switch={"product": "reversed"}, zh="反", en="reverse")
    exercise.misconception("raises", switch={"product": "crash"}, zh="崩溃", en="crash")

    @exercise.property("too_small", zh="太小", en="too small")
    def too_small(seen):
        return np.abs(seen.actual).max() < np.abs(seen.expected).max()

    yield exercise
    registry._REGISTRY.pop("toy")


def run(exercise, answer, seed=1, **kwargs):
    handle = Handle(LocalTransport({exercise.target: answer}), exercise)
    return judge(exercise, handle, seed=seed, **kwargs)


# ------------------------------------------------------------------ comparison


@pytest.mark.parametrize(
    ("actual", "kind"),
    [
        (np.ones((2, 3)), None),
        (np.ones((3, 2)), "shape"),
        (np.ones((2, 3), bool), "dtype"),
        (np.full((2, 3), np.nan), "nonfinite"),
        (np.zeros((2, 3)), "value"),
        (None, "structure"),
        ((np.ones(1), np.ones(1)), "structure"),
        ([[1, 2], [3]], "structure"),
        ({"a": 1}, "structure"),
        ("text", "shape"),
    ],
)
def test_the_first_thing_that_differs_is_reported(actual, kind):
    found = difference(actual, np.ones((2, 3)), ("x",), **RIGHT)
    assert (found and found.kind) == kind


def test_the_worst_value_is_the_one_shown():
    expected = np.zeros((2, 2))
    found = difference(np.array([[0, 0.5], [-3.0, 0]]), expected, ("x",), **RIGHT)
    assert "x[1, 0] should be 0, but is -3 (2/4 values differ)" in found.text.en
    assert "x[1, 0] 应为 0，实际为 -3" in found.text.zh


def test_parts_are_compared_by_name_and_count():
    expected = (np.ones(2), np.zeros(3))
    assert difference([np.ones(2), np.zeros(3)], expected, ("a", "b"), **RIGHT) is None
    assert "b[1]" in difference((np.ones(2), np.eye(3)[1]), expected, ("a", "b"), **RIGHT).text.en
    assert difference(np.ones(2), expected, ("a", "b"), **RIGHT).kind == "structure"


def test_predictions_match_with_their_nan_and_infinities():
    assert matches(np.array([np.nan, np.inf, 1]), np.array([np.nan, np.inf, 1.0]), **RIGHT)
    assert not matches(np.array([np.nan, -np.inf]), np.array([np.nan, np.inf]), **RIGHT)
    assert not matches(np.array([1, 0]), np.array([True, False]), **RIGHT)


# ------------------------------------------------------------------ diagnosis


def test_a_right_answer_scores_everything(toy):
    result = run(toy, lambda a, b: a @ b)
    assert (result.score, result.max_score, result.passed, result.named) == (3, 3, True, [])


@pytest.mark.parametrize(
    ("answer", "named", "certainty"),
    [
        (lambda a, b: a @ b / 2, ["halved"], "exact"),
        (lambda a, b: -(a @ b), ["negated"], "exact"),
        (lambda a, b: -(a @ b) / 2, ["halved", "negated"], "pair"),
        (lambda a, b: a @ b[::-1], ["reversed"], "exact"),
        # Almost anything can raise: an error alone names nothing.
        (lambda a, b: int("x"), [], ""),
        (lambda a, b: a @ b / 3, [], ""),
        (lambda a, b: a @ b + 1, [], ""),
    ],
)
def test_only_a_mistake_that_explains_everything_is_named(toy, answer, named, certainty):
    result = run(toy, answer)
    assert (result.named, result.certainty, result.score) == (named, certainty, 0)


def test_what_no_mistake_explains_is_localised_by_a_property(toy):
    assert run(toy, lambda a, b: a @ b / 3).properties == ["too_small"]
    assert run(toy, lambda a, b: a @ b * 3).properties == []


def test_a_mistake_in_most_failing_cases_is_told_as_a_part(toy):
    def answer(a, b):
        return a @ b / 2 if len(a) < 4 else a @ b + 1

    result = run(toy, answer)
    assert (result.named, result.certainty) == ([], ""), "one of two may be chance"

    @toy.case(points=1, zh="中", en="middle")
    def middle(student, rng):
        a, b = rng.normal(size=(3, 2)), rng.normal(size=(2, 4))
        expect(student(a, b)).equals(mix(a, b))

    result = run(toy, answer)
    assert (result.named, result.certainty) == (["halved"], "partial")


def test_a_passed_case_contradicts_a_mistake_that_would_have_failed_it(toy):
    result = run(toy, lambda a, b: a @ b / 2 if len(a) == 2 else a @ b)
    assert (result.named, result.score) == ([], 2)


def test_mistakes_that_cannot_be_told_apart_are_told_together(toy):
    toy.misconception("halved_too", switch={"scale": 0.5}, zh="也是一半", en="half as well")
    result = run(toy, lambda a, b: a @ b / 2)
    assert (result.named, result.certainty) == (["halved", "halved_too"], "one_of")
    assert result.hints == [], "a hint for the wrong one of them would mislead"


def test_alternatives_of_one_mistake_are_one_name(toy):
    toy.misconception("shifted", switch=({"bias": 1.0}, {"bias": 2.0}), zh="偏移", en="shifted")
    for bias in (1, 2):
        assert run(toy, lambda a, b, bias=bias: a @ b + bias).named == ["shifted"]


@pytest.mark.parametrize("left", [lambda a, b: None, lambda a, b: blank(a, b)])
def test_a_forgotten_return_or_a_blank_is_not_taken_for_a_mistake_that_raises(toy, left):
    """Even where part of the answer is right, as a layer's weights are before `call` does a thing.

    `raises` below might raise anything; it has to explain errors all the same.
    """
    toy.misconception("raises_something", switch={"product": "any"}, zh="出错", en="an error")

    @toy.case(points=1, zh="头一个", en="the first")
    def first(student, rng):
        expect(1.0).equals(half_right(1.0))
        a = rng.normal(size=(2, 2))
        expect(student(a, a)).equals(mix(a, a))

    assert run(toy, left).named == []
    assert run(toy, lambda a, b: {}["x"]).named == ["raises_something"]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (lambda a, b: (a @ b).astype(int), ["type_of_numbers"]),  # too small for want of fractions
        (lambda a, b: a @ b / 3, ["too_small"]),
        (lambda a, b: (a @ b).astype("float32"), []),
    ],
)
def test_numbers_of_another_type_are_told_as_that_and_as_nothing_else(toy, answer, told):
    @toy.property("type_of_numbers", zh="类型", en="type")
    def integers(seen):
        return seen.actual.dtype.kind == "i"

    assert run(toy, answer).properties == told


def test_what_two_cases_share_is_said_once_and_referred_to(toy):
    for lang, above in (("en", "As above."), ("zh", "同上。")):
        result = run(toy, lambda a, b: None)
        assert result.message(lang).count(above) == 1
        assert result_html(result.as_shown(), lang).count(above) == 1
        assert [rung for rung, _ in result.ladder()] == ["differs"]
        assert [len(texts) for _, texts in result.ladder()] == [1]


# ------------------------------------------------------------------ judgement


def blank(a, b):
    raise NotImplementedError


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (blank, "blank"),
        (5, "structure"),
        (lambda a: a, "error"),
        (lambda a, b: object(), "error"),
        (lambda a, b: sys.exit(0), "error"),
        (lambda a, b: None, "structure"),
    ],
)
def test_odd_answers_cost_points_and_nothing_else(toy, answer, status):
    result = run(toy, answer)
    assert [case.status for case in result.cases] == [status, status]
    assert result.score == 0 and result.message("zh") and result.message("en")


@pytest.mark.parametrize(
    ("message", "plain", "advice"),
    [
        (
            "{{function_node __wrapped__BatchMatMulV2_device_/job:localhost}} Matrix "
            "size-incompatible: In[0]: [2,3], In[1]: [4,5] [Op:BatchMatMulV2] name: ",
            "Matrix size-incompatible: In[0]: [2,3], In[1]: [4,5]",
            "axis by axis",
        ),
        (
            "Exception encountered when calling \x1b[1mToy.call()\x1b[0m.\n\n\x1b[1m'float' object "
            "is not callable\x1b[0m\n\nArguments received by Toy.call():\n  • x=tf.Tensor(…)",
            "'float' object is not callable",
            "is a number",
        ),
        ("'float' object cannot be interpreted as an integer", None, "// gives an integer"),
        ("'EagerTensor' object has no attribute 'transpose'", None, "ops has a function"),
        ("Failed to convert elements of (None, 13, 4, 8) to Tensor", None, "only at run time"),
        (
            "Received a label value of -1 which is outside the valid range of [0, 7).",
            None,
            "is no class",
        ),
        ("invalid literal for int() with base 10: '1x'", None, "isn't all digits"),
        ("The truth value of an array with more than one element is ambiguous.", None, "has many"),
        (
            "Using a symbolic `tf.Tensor` as a Python `bool` is not allowed.",
            None,
            "have no values yet",
        ),
        (
            "Value for attr 'Tshape' of float is not in the list of allowed values: int32, int64",
            None,
            "// gives an integer",
        ),
        (
            "Graph execution error:\n\nDetected at node and defined at (most recent call last):\n"
            '  File "/here/handle.py", line 85, in call\n\n  File "<cell>", line 4, in toy\n\n'
            "Incompatible shapes: [5,7] vs. [2,7]\n\t [[{{node and}}]] [Op:__inference_graph_8]",
            "Incompatible shapes: [5,7] vs. [2,7]",
            "axis by axis",
        ),
        (
            "Attempt to convert a value (None) with an unsupported type (<class 'NoneType'>)",
            None,
            "lack its return",
        ),
        ("'EagerTensor' object has no attribute '_unique_id'", None, "lists in order"),
        ("something new", None, None),
    ],
)
def test_library_errors_are_boiled_down_and_common_slips_explained(message, plain, advice):
    told = mishaps.tell(StudentError("ValueError", message, "line 3: y = f(x)"))
    assert f"ValueError: {plain or message}" in told.en and "(line 3: y = f(x))" in told.en
    assert "（第 3 行：y = f(x)）" in told.zh
    assert told.en.endswith("f(x))") if advice is None else advice in told.en
    assert "\x1b" not in told.en and "Arguments" not in told.en


def test_a_forgotten_return_is_told_as_that(toy):
    assert "return missing" in run(toy, lambda a, b: None).message("en")


def test_an_error_is_told_once(toy):
    scope = {}
    exec(compile("def toy(a, b):\n    return a.nothing", "<cell 1>", "exec"), scope)
    message = run(toy, scope["toy"]).message("en")
    assert message.count("AttributeError") == 1 and message.count("The same error") == 1


def test_what_was_told_of_an_earlier_check_names_it(toy):
    """With something else in between, "the same" and "as above" would mean that."""
    for points, width in ((3, 7), (4, 8)):
        toy.points = points

        def case(student, rng, width=width):
            a, b = rng.normal(size=(width, 2)), rng.normal(size=(2, 3))
            expect(student(a, b)).equals(mix(a, b))

        case.__name__ = f"wide_{width}"
        toy.case(points=1, zh=f"宽 {width}", en=f"wide {width}")(case)
    text = "def toy(a, b):\n    if len(a) in (2, 7, 8): return a.nothing\n    return {}['x']\n"
    scope = {}
    exec(compile(text, "<cell 2>", "exec"), scope)
    result = run(toy, scope["toy"])
    lines = result.message("en").splitlines()
    assert "AttributeError" in lines[2] and "KeyError" in lines[4]
    assert lines[6].strip() == "The same error as in “small”."
    assert lines[8].strip() == "The same error.", "as just above"
    assert "和“小”那一项同样的错误" in result.message("zh")
    result = run(toy, lambda a, b: 5.0 if len(a) == 4 else None)
    lines = [line.strip() for line in result.message("en").splitlines()]
    assert "single number" in lines[4] and lines[6] == "As in “small”." and lines[8] == "As above."
    html = result_html(result.as_shown(), "zh")
    assert "同“小”那一项。" in html and html.count("同上。") == 1


def test_the_same_error_is_called_so_in_every_check(toy):
    for number in range(2):

        def case(student, rng):
            expect(student(np.ones((2, 2)), np.ones((2, 2)))).equals(np.ones((2, 2)))

        case.__name__ = f"more_{number}"
        toy.case(points=1, zh="又一", en="more")(case)
    scope = {}
    exec(compile("def toy(a, b):\n    return a.nothing", "<cell 3>", "exec"), scope)
    result = run(toy, scope["toy"])
    assert result.message("en").count("The same error.") == 3
    assert result_html(result.as_shown(), "zh").count("同样的错误。") == 3
    assert "As above" not in result.message("en")


def test_a_missing_name_is_said_once(toy):
    result = judge(toy, Handle(LocalTransport({}), toy), seed=1)
    assert result.message("en").count("There is no toy") == 1


def test_an_incident_costs_its_own_case(toy):
    class Slow(LocalTransport):
        calls = 0

        def request(self, op):
            self.calls += op["op"] == "call"
            if op["op"] == "call" and self.calls == 1:
                raise StudentTimeout
            return super().request(op)

    result = judge(toy, Handle(Slow({"toy": lambda a, b: a @ b}), toy), seed=1)
    assert [case.status for case in result.cases] == ["timeout", "passed"]
    assert (result.score, result.incidents) == (2, ["timeout"])


def test_a_junk_reply_is_a_wrong_answer_not_an_exception(toy):
    class Junk:
        def request(self, op):
            if op["op"] == "describe":
                return {"ok": True, "value": {"exists": True, "callable": True}}
            return {"ok": True, "value": {"a": [1, {"b": "c"}]}}

    assert judge(toy, Handle(Junk(), toy), seed=1).score == 0


def test_the_seed_decides_the_inputs(toy):
    inputs = []
    for seed in (1, 1, 2):
        run(toy, lambda a, b: (inputs.append(a), a @ b)[1], seed=seed)
    assert np.array_equal(inputs[0], inputs[2]) and not np.array_equal(inputs[0], inputs[4])


@pytest.mark.parametrize(
    "source",
    [
        "from keras.layers import MultiHeadAttention",
        "from keras.layers import MultiHeadAttention as M",
        "import keras\nx = keras.layers.MultiHeadAttention(2, 3)",
        "import keras.layers as kl\nkl.MultiHeadAttention",
        "from keras import layers\nlayers.MultiHeadAttention",
        "from my.lib import own_answer",
    ],
)
def test_forbidden_library_functions_are_found_under_any_name(toy, source):
    toy.library, toy.forbids = "my.lib:own_answer", ("keras.layers.MultiHeadAttention",)
    used = forbidden_use(banned_names(toy), source)
    assert used in ("keras.layers.MultiHeadAttention", "my.lib.own_answer")
    result = run(toy, lambda a, b: a @ b, forbidden=used)
    assert result.score == 0 and {case.status for case in result.cases} == {"forbidden"}
    assert forbidden_use(banned_names(toy), "import keras\nkeras.layers.Dense(3)") is None


def test_a_forbidden_call_is_caught_while_it_runs(toy):
    toy.forbids = ("numpy.matmul",)

    def sly(a, b):
        try:
            return getattr(np, "mat" + "mul")(a, b)
        except Exception:
            return a @ b

    assert {case.status for case in run(toy, sly).cases} == {"forbidden"}
    assert np.matmul(np.eye(2), np.eye(2)).sum() == 2, "and the library is whole again"


def test_needs_are_bound_while_judging_and_given_back(toy):
    toy.needs = {"helper": "math:hypot"}
    scope = {"helper": "the student's own"}
    exec("def toy(a, b):\n    return a @ b * (helper(3, 4) == 5)", scope)
    assert run(toy, scope["toy"]).passed
    assert scope["helper"] == "the student's own"


def test_results_survive_json(toy):
    result = run(toy, lambda a, b: a @ b / 2)
    again = ExerciseResult.from_json(json.loads(json.dumps(result.to_json())))
    assert again == result


def test_points_must_add_up(toy):
    toy.points = 4
    with pytest.raises(ValueError, match="add up to 3 points, not 4"):
        toy.validate()


# ------------------------------------------------------------------ check() and ready()


@pytest.fixture
def fresh(monkeypatch):
    monkeypatch.setattr(check_module, "_shares", {})
    monkeypatch.setenv("BERT_COURSE_LANG", "en")


def test_check_returns_a_bare_number_and_says_the_rest(toy, fresh, capfd):
    points = check("toy", lambda a, b: a @ b / 2)
    assert points == 0.0 and repr(points) == "0"
    assert "half" in capfd.readouterr().out and "half" in points._repr_html_()
    full = check("toy", lambda a, b: a @ b)
    assert isinstance(full, float) and float(repr(full)) == 3


def test_check_lets_nothing_through_to_stderr(toy, fresh, capfd):
    def noisy(a, b):
        print("python", file=sys.stderr)
        os.write(2, b"descriptor")
        return a @ b

    assert check("toy", noisy) == 3
    print("after", file=sys.stderr)
    assert capfd.readouterr().err == "after\n"


def test_check_says_when_the_answers_cell_has_just_failed(toy, fresh, monkeypatch):
    cell = SimpleNamespace(raw_cell="def toy(a, b):\n    return a @")
    last = SimpleNamespace(error_before_exec=SyntaxError("x"), error_in_exec=None, info=cell)
    shell = SimpleNamespace(kernel=1, last_execution_result=last)
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    earlier = eval(compile("lambda a, b: a @ b", "<an earlier cell>", "eval"))
    points = check("toy", earlier)
    assert points == 3 and "stopped with SyntaxError" in points._repr_html_()
    assert "SyntaxError" not in check("toy", lambda a, b: a @ b)._repr_html_()
    cell.raw_cell = "def something_else(): pass"
    assert "SyntaxError" not in check("toy", earlier)._repr_html_()


def test_a_hint_that_two_mistakes_share_is_given_once(toy, fresh):
    shared, one, two = Text("都", "both"), Text("一", "first"), Text("二", "second")
    result = run(toy, lambda a, b: a)
    result.ladders = {"a": [shared, one], "b": [shared, two]}
    result.hints = [shared, one, shared, two]
    shown = [hint.en for hint in result.as_shown().hints]
    assert shown == ["both", "(Mistake 1) first", "(Mistake 2) second"]


def test_check_can_be_interrupted(toy, fresh):
    def stop(a, b):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check("toy", stop)


def test_html_is_escaped(toy, fresh):
    def hostile(a, b):
        raise ValueError("<script>alert(1)</script>")

    html = check("toy", hostile)._repr_html_()
    assert "<script>" not in html and "&lt;script&gt;" in html


def test_ready_asks_for_what_is_missing(toy, fresh, capsys):
    assert not ready("toy")
    said = capsys.readouterr().out
    assert "toy" in said and "since the kernel started" in said, "finished on another day, perhaps"
    check("toy", lambda a, b: a @ b)
    assert ready("toy")
    check("toy", lambda a, b: a @ b if len(a) == 4 else a)
    assert ready("toy"), "two of three points"
    check("toy", lambda a, b: a @ b if len(a) == 2 else a)
    capsys.readouterr()
    assert not ready("toy"), "one of three points"
    assert "half of the points" in capsys.readouterr().out


def test_ready_names_only_what_is_missing(toy, fresh, capsys):
    check("toy", lambda a, b: a @ b)
    capsys.readouterr()
    assert not ready("toy", "other", "third")
    said = capsys.readouterr().out
    assert "haven't been checked yet: other, third." in said and "toy" not in said


def test_ready_stays_shut_where_training_would_stop(toy, fresh, capsys, monkeypatch):
    monkeypatch.setattr(check_module, "_results", {})
    toy.points = 4

    @toy.case(points=1, zh="训练时", en="in training")
    def toy_in_training(student, rng):
        expect(student.in_training(np.ones((2, 2)), np.ones((2, 2)))).equals(np.full((2, 2), 2.0))

    assert check("toy", lambda a, b: np.asarray(a) @ np.asarray(b)) == 3
    capsys.readouterr()
    assert not ready("toy"), "three of four points, but `fit` would stop with an error"
    assert "about training" in capsys.readouterr().out
    assert check("toy", lambda a, b: a @ b) == 4 and ready("toy")


def test_a_blank_says_which_one_it_is(toy, fresh):
    """A cell may have several: who filled in the first wants to know where the next is."""
    text = "def toy(a, b):\n    c = a @ b\n    # YOUR CODE HERE\n    raise NotImplementedError()\n"
    scope = {}
    exec(compile(text, "<cell>", "exec"), scope)
    points = check("toy", scope["toy"])
    html = points._repr_html_()
    assert points == 0 and BLANK.en in html and "line 4" in html
    assert "第 4 行" in points.result.message("zh")


def test_an_unknown_exercise_names_the_nearest(toy):
    with pytest.raises(UnknownName, match="Did you mean 'toy'"):
        check("toyy", None)


# ------------------------------------------------------------------ language


@pytest.mark.parametrize(
    ("variable", "metadata", "locale", "expected"),
    [
        ("zh", "en", "en_US.UTF-8", "zh"),
        ("", "zh", "en_US.UTF-8", "zh"),
        ("", None, "zh_CN.UTF-8", "zh"),
        ("", None, "C", "en"),
        ("fr", "zh", "C", "zh"),
    ],
)
def test_language_is_environment_then_notebook_then_locale(
    monkeypatch, tmp_path, variable, metadata, locale, expected
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    monkeypatch.setenv("BERT_COURSE_LANG", variable)
    monkeypatch.setenv("LC_ALL", locale)
    (tmp_path / "broken.ipynb").write_text("{")
    if metadata:
        notebook = {"metadata": {"course": {"lang": metadata}}}
        (tmp_path / "nb.ipynb").write_text(json.dumps(notebook))
    assert language() == expected


def test_texts_fill_both_languages():
    inner = Text("猫", "cat")
    assert Text("有{x}", "a {x}").format(x=inner) == Text("有猫", "a cat")


# ------------------------------------------------------------------ command line


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["judge", "scaled_dot_produkt", "answer.py"], "Did you mean 'scaled_dot_product'"),
        (["judge", "scaled_dot_product", "nowhere.py"], "nowhere.py"),
        (["variants", "--notebook", "ch99", "--list"], "ch99"),
        (["grade", "ch03a_self_attention", "--course", "nowhere"], "nowhere"),
        (["check", "nowhere.ipynb"], "nowhere.ipynb"),
        (["report", "ch03a_self_attention", "--course", "nowhere"], "nowhere"),
        (["release", "ch99"], "ch99"),
    ],
)
def test_a_slip_gets_one_line_and_exit_code_2(tmp_path, argv, said):
    (tmp_path / "answer.py").write_text("x = 1\n")
    command = [sys.executable, "-m", "autograder", *argv]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 2, done.stderr
    assert said in done.stderr and done.stderr.count("\n") == 1 and done.stdout == ""
    assert sorted(p.name for p in tmp_path.iterdir()) == ["answer.py"]


def test_a_case_without_points_is_a_note_and_no_evidence(toy):
    @toy.case(points=0, zh="附注", en="a note")
    def note(student, rng):
        expect(student(np.ones((2, 2)), np.ones((2, 2)))).equals(np.zeros((2, 2)))

    right = run(toy, lambda a, b: a @ b)
    assert right.score == right.max_score and not right.passed
    assert run(toy, lambda a, b: a @ b / 2).named == ["halved"]
