"""Errors of the student's code, from where they are raised to what a learner is told."""

import linecache
import logging

import numpy as np
import pytest

from autograder import exercise as registry
from autograder import mishaps
from autograder.executor import Executor
from autograder.exercise import Exercise
from autograder.expectations import expect
from autograder.handle import Handle, LocalTransport
from autograder.judge import judge
from autograder.oracles import oracle
from autograder.render import result_html
from autograder.results import StudentError

X = np.ones((3, 4, 5), "float32")
REAL = np.ones((3, 4), bool)


def defined(source, **names):
    """What a cell with this text defines, with its text where tracebacks look for it."""
    import keras

    filename = f"<cell {hash(source)}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    scope = {"ops": keras.ops, "np": np, "keras": keras, **names}
    exec(compile(source, filename, "exec"), scope)
    return scope


def raised(source, *args, in_graph=False):
    """The error that calling `f` of this cell ends with."""
    op = {"op": "call", "target": "f", "args": list(args), "kwargs": {}, "tensors": True}
    if in_graph:
        op["unknown"] = list(range(len(args)))
    reply = Executor(defined(source)).execute(op)
    assert not reply["ok"], reply
    error = reply["error"]
    return StudentError(error["type"], error["message"], error["where"], tuple(error["about"]))


IN_A_GRAPH = [
    ("np.sum(x, axis=1)", "NumPy"),
    ("np.array(x) + 1", "NumPy"),
    ("x.numpy()", "NumPy"),
    ("ops.stack([ops.sum(row) for row in x])", "walks through a tensor"),
    ("ops.stack([a for a, b in zip(x, m)])", "walks through a tensor"),
    ("ops.stack([x[i] for i in range(x.shape[0])])", "x.shape[0] is None"),
    ("ops.zeros((x.shape[0], 2))", "x.shape[0] is None"),
    ("ops.reshape(x, (x.shape[0], 20))", "x.shape[0] is None"),
    ("x / max(ops.sum(x), 1)", "and, or, not, max and min"),
    ("ops.zeros(int(ops.sum(x)))", "plain number"),
]


@pytest.mark.parametrize(("expression", "told"), IN_A_GRAPH)
def test_what_fails_only_while_a_graph_is_built_is_told_as_that(expression, told):
    error = raised(f"def f(x, m):\n    return {expression}\n", X, REAL, in_graph=True)
    assert not mishaps.is_blank(error)
    assert told in mishaps.tell(error).en, error.message
    assert "return" not in mishaps.tell(error).en.replace(error.where.partition(": ")[2], "")


@pytest.mark.parametrize(
    "line", ["B, T, D = x.shape", "B = x.shape[0]", "shape = ops.shape(x); B = x.shape[0]"]
)
def test_a_batch_size_that_was_kept_is_known_for_what_it_is(line):
    text = f"def f(x, m):\n    {line}\n    return ops.stack([x[i] for i in range(B)])\n"
    assert "x.shape[0] is None" in mishaps.tell(raised(text, X, REAL, in_graph=True)).en


@pytest.mark.parametrize(
    "lines",
    [
        # Names that a comprehension, a generator or an inner function borrows from outside.
        "B, T, D = x.shape\n    return [ops.reshape(v, (B * T, D)) for v in (x, x)][0]",
        "B, T, D = x.shape\n    return sum(ops.reshape(v, (B * T, D)) for v in (x, x))",
        "B, T, D = x.shape\n    def g(v):\n        return ops.zeros(B * T)\n    return g(x)",
        # Sizes of what is looked up or computed on the spot, and a shape that was kept.
        "d = {'x': x}\n    return ops.zeros(d['x'].shape[0] * 2)",
        "return ops.zeros(ops.cast(x, 'float32').shape[0] * 2)",
        "shape = x.shape\n    return ops.zeros(shape[0] * 2)",
    ],
)
def test_an_unknown_size_is_no_forgotten_return_wherever_it_comes_from(lines):
    error = raised(f"def f(x, m):\n    {lines}\n", X, REAL, in_graph=True)
    told = mishaps.tell(error)
    assert "x.shape[0] is None" in told.en and "that ops.shape gives works there" in told.en, (
        error.about
    )
    assert "lack its return" not in told.en and "ops.shape 给的长度那时也能用" in told.zh


def test_while_a_graph_is_built_none_may_be_either():
    """Whether a helper returned nothing, or a size that isn't known, can't be seen from outside."""
    text = "def g(x):\n    {}\n\n\ndef f(x, m):\n    size = g(x)\n    return ops.zeros(size * 2)\n"
    for line in ("return x.shape[0]", "x + 1"):
        told = mishaps.tell(raised(text.format(line), X, REAL, in_graph=True))
        assert "size is None here. In training" in told.en and "If not, see whether" in told.en
        assert "这里的 size 是 None。训练时" in told.zh


@pytest.mark.parametrize(
    "expression",
    [
        "x + mask",
        "x * (1 - mask)",
        "ops.where(ops.logical_not(mask), x, 0.0)",
        "x * ops.cast(mask, 'float32')",
        "x * mask[:, None]",
    ],
)
def test_an_argument_that_was_left_out_is_named(expression):
    error = raised(f"def f(x, mask=None):\n    return {expression}\n", X)
    told = mishaps.tell(error)
    assert "mask is None here" in told.en and "这里的 mask 是 None" in told.zh, error.message
    assert "return?" not in told.en


def test_a_helper_without_a_return_is_still_told_as_that():
    text = "def g(x):\n    x + 1\n\n\ndef f(x):\n    scores = g(x)\n    return scores * 2\n"
    assert "scores is None here" in mishaps.tell(raised(text, X)).en
    text = "def g(x):\n    x + 1\n\n\ndef f(x):\n    return g(x) * 2\n"
    assert "lack its return" in mishaps.tell(raised(text, X)).en


@pytest.mark.parametrize(
    ("expression", "other", "told"),
    [
        ("x @ m", X, "axis by axis"),
        ("x + m", X[:, :3], "axis by axis"),
        ("x @ m", X[0, 0], "two axes on either side"),
        ("ops.concatenate([x, m], axis=-1)", X[0], "joined along"),
        ("ops.sparse_categorical_crossentropy(x, m)", np.ones(3, "int32"), "the output second"),
        ("keras.layers.LSTM(2)(m)", X[0], "number of axes"),
        ("x[:, 9]", X, "beyond the end"),
        ("ops.arange(ops.sum(x, axis=0))", X, "single number"),
    ],
)
def test_the_shapes_on_the_line_are_told(expression, other, told):
    error = raised(f"def f(x, m):\n    return {expression}\n", X, other)
    said = mishaps.tell(error)
    assert told in said.en, error.message
    assert f"m {tuple(other.shape)}" in said.en or f"x {X.shape}" in said.en
    assert "这一行里的形状" in said.zh


@pytest.mark.parametrize(
    ("expression", "told"),
    [
        ("[1].append(2).append(3)", "change the list in place"),
        ("[2, 1].sort().reverse()", "change the list in place"),
        ("keras.random.categorical(x[0], 1, None)", "write seed=seed"),
        ("ops.cast(x, 'int32') ** -0.5", "makes it float first"),
        ("ops.softmax([keras.Variable(0.0), keras.Variable(1.0)])", "A list isn't one tensor"),
    ],
)
def test_slips_that_have_little_to_do_with_shapes(expression, told):
    error = raised(f"def f(x):\n    return {expression}\n", X)
    said = mishaps.tell(error).en
    assert told in said and "self." not in said and "Shapes are" not in said, error.message


class Config:
    width = 3


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("for i in []:\n        y = i\n    return y", "doesn't exist yet"),
        ("return c['width']", "read with a dot"),
        ("return ops.sum[x]", "takes round ones"),
        ("return ops.sum(x, 1, 2, 3, 4)", "in number or in name."),
    ],
)
def test_slips_of_python_itself(lines, told):
    said = mishaps.tell(raised(f"def f(x, c):\n    {lines}\n", X, Config()))
    assert told in said.en and "as it is" not in said.en and "请不要改" not in said.zh


def test_an_argument_list_is_to_be_left_alone_where_ours_is_the_call():
    said = mishaps.tell(raised("def f(x):\n    return x\n", X, X))
    assert "Leave the argument list" in said.en and "参数表请不要改" in said.zh


@pytest.mark.parametrize(("shape", "warned"), [((2, 3, 4), True), ((2, 3), False)])
def test_only_what_may_have_a_batch_is_reversed_by_a_transpose(shape, warned):
    text = "def f(x, m):\n    return x + ops.transpose(m)\n"
    said = mishaps.tell(raised(text, X, np.ones(shape, "float32"))).en
    assert ("without axes" in said) == warned and "axis by axis" in said


@pytest.mark.parametrize(
    ("expression", "zh", "en"),
    [
        ("(a for a in x)", "一个也没有算出来", "list(…) makes a list of it"),
        ("map(str, [1])", "有一个 map", "there is a map, whose items"),
        ("{1, 2}", "没有次序", "which has no order"),
        ("ops.sum", "少了一对圆括号", "are its parentheses missing?"),
        ("object()", "既不是数、文字或张量", "no number, text or tensor"),
    ],
)
def test_what_cannot_be_used_is_told_by_what_it_is(expression, zh, en):
    error = raised(f"def f(x):\n    return {expression}\n", X)
    said = mishaps.tell(error)
    assert zh in said.zh and en in said.en, error.message


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_what_was_only_lent_is_told_in_both_languages_whoever_runs_it(lang, monkeypatch):
    from autograder.stand_ins.ch01b_words_and_windows import Lent
    from autograder.stand_ins.ch07c_failure import LentDict

    monkeypatch.setenv("BERT_COURSE_LANG", lang)
    for body, lent, zh, en in (
        ("x.append(3)", Lent([1]), "列表被改动了", "a list that was handed in"),
        ("x['a'] = 3", LentDict(a=1), "字典被改动了", "a dict that was handed in"),
    ):
        scope = defined(f"def f(x):\n    {body}\n")
        with pytest.raises(TypeError) as caught:
            scope["f"](lent)
        where, about = mishaps.scene.scene_of(caught.value)
        error = StudentError("EditedInPlace", str(caught.value), where, tuple(about))
        said = mishaps.tell(error)
        assert zh in said.zh and en in said.en
        assert f"（第 2 行：{body}）" in said.zh and f"(line 2: {body})" in said.en
        assert "EditedInPlace" not in said.zh + said.en


def test_a_list_that_is_changed_in_a_graph():
    error = StudentError(
        "ValueError", "graph(*batches) should not modify its Python input arguments"
    )
    assert "work on a list of your own" in mishaps.tell(error).en


def test_a_remark_is_a_sentence_of_its_own():
    error = StudentError("TypeError", "'NoneType' object is not iterable")
    told = mishaps.tell(error)
    assert "iterable. One step" in told.en and "iterable。有一步" in told.zh
    told = mishaps.tell(StudentError("RuntimeError", "you forgot to call `super()`. Go add it!"))
    assert "Go add it! super" in told.en and "Go add it! __init__" in told.zh


@pytest.mark.parametrize(
    ("kind", "message", "zh"),
    [
        ("AttributeError", "the layer has no weight scale; it has variable_2, variable_3", "name"),
        ("AttributeError", "the layer has no weight scale; it has none at all", "一个参数也没有"),
        ("Unusable", "returned a list_iterator, which is no array of numbers", "list_iterator"),
        ("Unusable", "returned a KeyError, which is no array of numbers", "把 KeyError 返回了"),
        ("TypeError", "a loss is one number, but this one returned nothing", "忘了写 return"),
        (
            "TypeError",
            "a loss is one number, but this one returned an array of shape (3,)",
            "形状为 (3,) 的数组",
        ),
    ],
)
def test_what_our_own_code_raises_is_said_in_both_languages(kind, message, zh):
    told = mishaps.tell(StudentError(kind, message))
    assert zh in told.zh and kind not in told.zh and kind not in told.en


# ------------------------------------------------------------------ blanks

BLANKS = (
    "def f(x, m):\n    # YOUR CODE HERE\n    raise NotImplementedError()\n\n\n"
    "def g(x):\n    # YOUR CODE HERE\n    raise NotImplementedError()\n"
)
LAYER = (
    "class L(keras.layers.Layer):\n    def call(self, x):\n        # YOUR CODE HERE\n"
    "        raise NotImplementedError()\n\n\ndef f(x):\n    return L()(x)\n"
)


def test_all_blanks_of_a_cell_are_named():
    error = raised(BLANKS, X, REAL)
    assert mishaps.is_blank(error) and mishaps.blanks(error) == ["3", "8"]


@pytest.mark.parametrize("in_graph", [False, True])
def test_a_blank_is_known_through_a_layer_and_in_a_graph(in_graph):
    error = raised(LAYER, X, in_graph=in_graph)
    assert mishaps.is_blank(error) and mishaps.blanks(error) == ["4"]


def test_only_our_own_marker_is_a_blank():
    for text in ("raise NotImplementedError('later')", "return keras.layers.Layer().call(x)"):
        assert not mishaps.is_blank(raised(f"def f(x):\n    {text}\n", X))


def test_a_graph_is_called_so_that_tensorflow_has_nothing_to_say(caplog):
    text = "def f(x):\n    return ops.sum(x, axis=1)\n"
    op = {"op": "call", "target": "f", "args": [X], "kwargs": {}, "tensors": True, "unknown": [0]}
    with caplog.at_level(logging.WARNING):
        logger = logging.getLogger("tensorflow")
        logger.addHandler(caplog.handler)
        try:
            for _ in range(8):
                assert Executor(defined(text)).execute(op)["ok"]
        finally:
            logger.removeHandler(caplog.handler)
    assert "retracing" not in caplog.text


# ------------------------------------------------------------------ what a result says


@oracle(parts=("total",))
def total(x, *, scale=1.0):
    return scale * x.sum(axis=1)


@oracle(parts=("d_x",))
def slope(x, *, scale=1.0):
    return (scale * np.ones_like(x),)


@pytest.fixture
def toy():
    """A function with a note about training, and a property that speaks of everything."""
    exercise = Exercise("toy", notebook="toy_notebook", points=3)

    @exercise.case(points=1, zh="数值", en="values")
    def values(student, rng):
        x = rng.normal(size=(2, 3)).astype("float32")
        expect(student(x)).equals(total(x))

    @exercise.case(points=1, zh="类型", en="type")
    def kind(student, rng):
        found = student(np.ones((2, 3), "float32"))
        from autograder.exercises.common import derived

        expect(derived(found, lambda a: str(np.asarray(a).dtype))).equals("float32")

    @exercise.case(points=1, zh="梯度", en="gradient")
    def flows(student, rng):
        x = rng.normal(size=(2, 3)).astype("float32")
        from autograder.exercises.common import gradients

        found = student.gradient(x, cotangent=np.ones(2, "float32"))
        expect(gradients(found, [x])).equals(slope(x))

    @exercise.case(points=0, zh="训练时", en="in training")
    def note(student, rng):
        x = np.ones((2, 3), "float32")
        expect(student.in_training(x)).equals(total(x))

    exercise.misconception("halved", switch={"scale": 0.5}, zh="一半", en="half")

    @exercise.property("is_right", zh="不对", en="it is off")
    def is_off(seen):
        return seen.prediction is None or not seen.prediction.parts[0].startswith("d_")

    @exercise.property("gradient_flows", zh="梯度断了", en="the gradient is cut")
    def is_cut(seen):
        return seen.prediction.parts[0].startswith("d_")

    yield exercise
    registry._REGISTRY.pop("toy")


def run(exercise, body):
    scope = defined(f"def toy(x):\n    {body}\n")
    return judge(exercise, Handle(LocalTransport(scope), exercise), seed=1)


def test_numpy_keeps_its_points_and_is_told_why_it_fails_in_training(toy):
    result = run(toy, "return ops.convert_to_tensor(np.asarray(x).sum(axis=1))")
    assert "NumPy is at work" in result.message("en") and "still blank" not in result.message("en")
    assert [case.status for case in result.cases] == ["passed", "passed", "value", "error"]
    assert result.properties == ["gradient_flows"], "where the values are right it may be said"


def test_a_missing_return_is_one_cause_and_told_once(toy):
    result = run(toy, "print(ops.sum(x, axis=1))")
    assert {case.status for case in result.cases} == {"structure"} and result.properties == []
    message = result.message("en")
    assert message.count("return missing") == 1 and "object" not in message and "off" not in message


def test_gradients_are_not_spoken_of_where_the_values_are_wrong(toy):
    result = run(toy, "return ops.convert_to_tensor(np.asarray(x).sum(axis=1) + 1)")
    assert result.properties == ["is_right"]


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_what_costs_nothing_is_a_reminder_under_a_full_result(toy, lang):
    result = run(toy, "return ops.stack([ops.sum(x[i]) for i in range(x.shape[0])])")
    passed = {"zh": "全部通过", "en": "All passed"}[lang]
    nothing = {"zh": "不扣分", "en": "costs nothing"}[lang]
    assert (result.score, result.full, result.passed) == (3, True, False)
    for said in (result.message(lang), result_html(result.as_shown(), lang)):
        assert passed in said and nothing in said and "○" in said
        assert "✗" not in said and "0/0" not in said


def test_an_answer_that_only_raises_is_given_hints(toy):
    result = run(toy, "return x @ x")
    assert {case.status for case in result.cases} == {"error"}
    assert result.hints and not result.named and "Hint 1" in result_html(result, "en")
    assert run(toy, "return ops.sum(x, axis=1)").hints == [], "nothing is wrong with it"


def test_what_is_wrong_without_a_name_is_given_a_way_to_look(toy):
    result = run(toy, "return ops.sum(x, axis=1) + 1")
    assert not result.named and "Work out on paper" in result.hints[0].en and len(result.hints) == 2
    assert run(toy, "return ops.sum(x, axis=1) / 2").hints == [], "a name has hints of its own"
    assert run(toy, "print(x)").hints == [], "a missing return says it all"


def test_errors_of_some_checks_have_hints_too(toy):
    toy.points = 4

    @toy.case(points=1, zh="三行", en="three rows")
    def three(student, rng):
        expect(student(np.ones((3, 3), "float32"))).equals(total(np.ones((3, 3))))

    result = run(toy, "assert x.shape[0] != 3\n    return ops.sum(x, axis=1)")
    assert [case.status for case in result.cases[-1:]] == ["error"] and result.score == 3
    assert "Put a print in front of it" in result.hints[0].en


def test_what_only_a_graph_stops_is_not_to_be_looked_for_on_numbers(toy):
    toy.points = 4

    @toy.case(points=1, zh="训练时", en="works in training")
    def toy_in_training(student, rng):
        expect(student.in_training(np.ones((2, 3), "float32"))).equals(np.full(2, 3.0))

    result = run(toy, "return ops.sum(ops.reshape(x, (x.shape[0], 3)), axis=1)")
    assert result.score == 3 and "which of the two" in result.hints[0].en
    toy.cases = toy.cases[:1]
    result = run(toy, "return (v for v in x)")
    assert result.hints == [] and "list(…) makes a list" in result.message("en")


def test_who_changes_what_was_lent_is_not_sent_to_look_at_shapes(toy):
    class EditedInPlace(TypeError):
        pass

    scope = defined("def toy(x):\n    raise E('a list that was handed in is changed')\n")
    scope["E"] = EditedInPlace
    result = judge(toy, Handle(LocalTransport(scope), toy), seed=1)
    assert "the caller's changes with it" in result.hints[0].en


def test_a_drill_without_a_name_says_nothing_about_values():
    drill = registry.get("drill_ch00_start")
    repaired = "def repaired(token_ids, table, pad_id=0):\n    return ops.zeros((1, 1))\n"
    for name in (None, "nonsense", ("a", "b")):
        scope = defined(repaired, suspect=name)
        result = judge(drill, Handle(LocalTransport(scope), drill), seed=1)
        first = result.cases[0]
        assert not first.passed and first.detail
        only = Exercise.__new__(Exercise)
        only.__dict__.update({**drill.__dict__, "cases": drill.cases[:1]})
        alone = judge(only, Handle(LocalTransport(scope), drill), seed=1)
        assert alone.properties == [], name
