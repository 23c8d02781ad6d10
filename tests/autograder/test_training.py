"""Training by single steps: arithmetic must agree, in this process and in the sandbox alike."""

import contextlib
import signal

import numpy as np
import pytest
from tiny_course import LIMITS

from autograder import exercise as registry
from autograder.attempt import Attempt, Gate
from autograder.bench import exercises as bench
from autograder.bench import forms, oracles, work
from autograder.executor import Executor
from autograder.exercise import Exercise
from autograder.expectations import expect
from autograder.handle import Failed, Handle, LocalTransport
from autograder.judge import judge
from autograder.matching import CellPlan
from autograder.results import StudentTimeout

IMPORTS = "import math\nimport keras\nimport numpy as np\nfrom keras import ops\n"
LINE = """
class Line(keras.layers.Layer):
    def build(self, shape):
        self.slope = self.add_weight(shape=(shape[-1], 1), initializer="ones", name="slope")
        self.offset = self.add_weight(shape=(1,), initializer="zeros", name="offset")

    def call(self, x):
        return ops.matmul(x, self.slope) + self.offset
"""
EXTRA = """
class Counting(Line):
    def build(self, shape):
        super().build(shape)
        self.calls = self.add_weight(shape=(), initializer="zeros", trainable=False, name="calls")

    def call(self, x):
        self.calls.assign_add(1.0)
        return super().call(x)

class Stuck(Line):
    def call(self, x, training=False):
        while training:
            pass
        return super().call(x)

class NeverStuck(Line):
    def call(self, x, training=False):
        return super().call(x) * (2.0 if training else 1.0)

def vector(targets, outputs):
    return ops.mean(ops.square(outputs - targets), axis=-1)

def nothing(targets, outputs):
    pass

def half_square(targets, outputs):
    return ops.sum(ops.square(outputs - targets)) / 2.0

def halfway(weight, gradient, rate):
    return weight - rate * gradient / 2.0

def bent(weight, gradient, rate):
    return ops.sum(weight)
"""
NAMES = ("Line", "Counting", "Stuck", "NeverStuck", "vector", "nothing")
NAMES += ("half_square", "halfway", "bent")


@contextlib.contextmanager
def answer(where, sandbox, source):
    """A transport on which a student's cells have run.

    `sandbox` is a function, so that what runs in the notebook needs none.
    """
    if where == "notebook":
        namespace = {"__name__": "answer"}
        exec(compile(IMPORTS + source, "<answer>", "exec"), namespace)
        yield LocalTransport(namespace)
        return
    with sandbox().spawn() as child:
        outcome = child.run_cell(IMPORTS + source, "cell", timeout=30)
        assert outcome.status == "ok", outcome
        yield child


@pytest.fixture
def sandbox(request):
    return lambda: request.getfixturevalue("warm")


@pytest.fixture
def line():
    exercise = Exercise("Line", "training_test", 1, kind="layer", defines=NAMES)
    yield exercise
    registry._REGISTRY.pop("Line")


def data(seed=4):
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(7, 3)).astype("float32"), rng.normal(size=(7, 1)).astype("float32")
    return x, y, rng.normal(size=(3, 1)).astype("float32"), np.array([0.3], "float32")


def by_hand(x, y, slope, offset, steps, rate, momentum=0.0, scale=2 / 7):
    """Losses and weights of a line that is fitted by descent on the mean squared error."""
    x, y = x.astype(float), y.astype(float)
    weights, velocity, losses = [slope.astype(float), offset.astype(float)], [0.0, 0.0], []
    for _ in range(steps):
        error = x @ weights[0] + weights[1] - y
        losses.append((error**2).sum() * scale / 2)
        slopes = [x.T @ error * scale, error.sum(axis=0) * scale]
        velocity = [momentum * v + g for v, g in zip(velocity, slopes, strict=True)]
        weights = [w - rate * v for w, v in zip(weights, velocity, strict=True)]
    return np.array(losses), *weights


def built(transport, exercise, name="Line", seed=4):
    x, _, slope, offset = data(seed)
    layer = Handle(transport, exercise).named(name).build(inputs=(x,))
    layer.set_weights({"slope": slope, "offset": offset})
    return layer


def same(found, wanted):
    assert not isinstance(found, Failed), found.error
    assert len(found) == len(wanted)
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=2e-5, atol=2e-5)


PLACES = pytest.mark.parametrize("where", ["notebook", "sandbox"])


@PLACES
@pytest.mark.parametrize("momentum", [0.0, 0.8])
def test_every_loss_and_the_last_weights_are_what_arithmetic_says(where, momentum, sandbox, line):
    x, y, slope, offset = data()
    wanted = by_hand(x, y, slope, offset, 5, 0.2, momentum)
    with answer(where, sandbox, LINE + EXTRA) as transport:
        layer = built(transport, line)
        options = {"steps": 5, "learning_rate": 0.2, "momentum": momentum}
        same(layer.train((x,), y, weights=("slope", "offset"), **options), wanted)
        assert layer.train((x,), y, **options)[0].dtype == np.float32


@PLACES
def test_the_layer_keeps_its_weights(where, sandbox, line):
    """Also those that the layer itself changes while it is called."""
    x, y, slope, _ = data()
    with answer(where, sandbox, LINE + EXTRA) as transport:
        layer = built(transport, line, "Counting")
        layer.set_weights({"calls": np.float32(10)})
        first = layer.train((x,), y, steps=3, weights=("slope", "calls"))
        assert float(first[2]) == 13
        second = layer.train((x,), y, steps=3, weights=("slope", "calls"))
        same(first, second)
        assert not np.allclose(first[1], slope)
        np.testing.assert_array_equal(layer.weights()["slope"], slope)
        assert float(layer.weights()["calls"]) == 10


@PLACES
def test_loss_and_update_of_the_students_own(where, sandbox, line):
    x, y, slope, offset = data()
    wanted = by_hand(x, y, slope, offset, 3, 0.05, scale=1.0)
    with answer(where, sandbox, LINE + EXTRA) as transport:
        student = Handle(transport, line)
        found = built(transport, line).train(
            (x,),
            y,
            steps=3,
            loss=student.named("half_square"),
            optimizer=student.named("halfway"),
            learning_rate=0.1,
            weights=("slope", "offset"),
        )
        same(found, wanted)


@PLACES
def test_an_optimizer_of_kerass(where, sandbox, line):
    """Adam, as its authors wrote it down."""
    x, y, slope, offset = data()
    weights = [slope.astype(float), offset.astype(float)]
    first, second = [0.0, 0.0], [0.0, 0.0]
    for step in range(1, 5):
        error = x.astype(float) @ weights[0] + weights[1] - y
        slopes = [x.T @ error * 2 / 7, error.sum(axis=0) * 2 / 7]
        first = [0.9 * m + 0.1 * g for m, g in zip(first, slopes, strict=True)]
        second = [0.999 * v + 0.001 * g**2 for v, g in zip(second, slopes, strict=True)]
        pairs = zip(first, second, strict=True)
        moves = [m / (1 - 0.9**step) / (np.sqrt(v / (1 - 0.999**step)) + 1e-7) for m, v in pairs]
        weights = [w - 0.03 * move for w, move in zip(weights, moves, strict=True)]
    with answer(where, sandbox, LINE + EXTRA) as transport:
        found = built(transport, line).train(
            (x,), y, steps=4, optimizer="adam", learning_rate=0.03, weights=("slope", "offset")
        )
        same(found[1:], weights)


def test_cross_entropy_is_ours(line):
    """A table of scores as the layer: the loss of a step is log-softmax written out."""
    source = """
class Line(keras.layers.Layer):
    def build(self, shape):
        self.table = self.add_weight(shape=(4, 4), name="table")

    def call(self, ids):
        return ops.take(self.table, ids, axis=0)
"""
    rng = np.random.default_rng(2)
    ids, targets = rng.integers(4, size=(2, 5)), rng.integers(4, size=(2, 5))
    table = rng.normal(size=(4, 4)).astype("float32")
    with answer("notebook", None, source) as transport:
        layer = Handle(transport, line).build(inputs=(ids,))
        layer.set_weights({"table": table})
        found = layer.train(
            (ids,), targets, steps=1, loss="cross_entropy", learning_rate=0.5, weights=("table",)
        )
    scores = table[ids]
    shares = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)
    chosen = np.eye(4)[targets]
    moved = table.astype(float)
    np.add.at(moved, ids, -0.5 * (shares - chosen) / 10)
    same(found, (np.array([-(chosen * np.log(shares)).sum() / 10]), moved))


@pytest.mark.parametrize(
    ("options", "kind", "word"),
    [
        ({"loss": "vector"}, "TypeError", "(7,)"),
        ({"loss": "nothing"}, "TypeError", "nothing"),
        ({"weights": ("slope", "bias")}, "AttributeError", "no weight bias"),
        ({"optimizer": "bent"}, "ValueError", ""),
    ],
)
def test_what_cannot_be_trained_is_the_answers_error(options, kind, word, line):
    x, y, slope, _ = data()
    with answer("notebook", None, LINE + EXTRA) as transport:
        student = Handle(transport, line)
        for key in ("loss", "optimizer"):
            if key in options:
                options = {**options, key: student.named(options[key])}
        layer = built(transport, line)
        found = layer.train((x,), y, steps=2, **options)
        assert isinstance(found, Failed)
        assert found.error.type == kind and word in found.error.message
        np.testing.assert_array_equal(layer.weights()["slope"], slope)


def test_a_case_that_asks_for_nonsense_is_a_defect(line):
    with answer("notebook", None, LINE) as transport:
        layer = built(transport, line)
        with pytest.raises(ValueError, match="at least one step"):
            layer.train((data()[0],), data()[1], steps=0)
        with pytest.raises(ValueError, match="momentum"):
            layer.train((data()[0],), data()[1], steps=1, optimizer="adam", momentum=0.5)
        for options in ({"loss": "surprise"}, {"optimizer": "surprise"}):
            with pytest.raises(ValueError, match="none of"):
                layer.train((data()[0],), data()[1], steps=1, **options)


def test_a_layer_sees_that_it_is_trained(line):
    x, y, slope, offset = data()
    with answer("notebook", None, LINE + EXTRA) as transport:
        layer = built(transport, line, "NeverStuck")
        found = layer.train((x,), y, steps=1)
        assert found[0][0] == pytest.approx(np.mean((2 * (x @ slope + offset) - y) ** 2), rel=1e-5)


MISTAKES = [form for form in forms.WRONG if form.exercise == "bench_next_word"]


@PLACES
@pytest.mark.parametrize("form", MISTAKES, ids=lambda form: form.named)
def test_mistakes_of_training_are_named(where, form, sandbox):
    """A loss averaged wrongly, labels not shifted, uphill, a frozen weight, a stopped gradient."""
    exercise = {e.id: e for e in bench.register()}[form.exercise]
    try:
        source = form.text(work.references()[form.exercise])
        with answer(where, sandbox, source) as transport:
            result = judge(exercise, Handle(transport, exercise), seed=3)
        assert result.named == [form.named]
        assert result.score == exercise.points - form.lost
        training = result.cases[-1]
        assert (training.name, training.status) == ("four_steps", "value")
    finally:
        bench.unregister()


# ---------------------------------------------------------------- accidents


def attempt_of(source, warm):
    cells = [CellPlan("answer", IMPORTS + source, "cell 1")]
    attempt = Attempt(warm, cells, LIMITS, Gate())
    attempt.run_cells()
    return attempt


def test_training_goes_on_in_another_process_as_if_nothing_had_happened(warm, line):
    """After a death the layer is made again, with the weights it was given, not trained ones."""
    x, y, slope, offset = data()
    wanted = by_hand(x, y, slope, offset, 4, 0.2)
    attempt = attempt_of(LINE + EXTRA, warm)
    try:
        layer = built(attempt, line)
        options = {"steps": 4, "learning_rate": 0.2, "weights": ("slope", "offset")}
        same(layer.train((x,), y, **options), wanted)
        attempt._drop()
        same(layer.train((x,), y, **options), wanted)
        same(layer.train((x,), y, **options), wanted)
        assert attempt.respawns == 1
    finally:
        attempt.close()


def test_a_training_that_hangs_costs_its_own_case(warm, line):
    x, y, slope, offset = data()

    def case(run, points=1):
        return line.case(points=points, zh="例", en="case")(run)

    def trained(student, rng):
        layer = built(student.transport, line, "Stuck")
        expect(layer.train((x,), y, steps=2)).equals((np.zeros(2),))

    def forward(student, rng):
        layer = built(student.transport, line, "Stuck")
        expect(layer(x)).equals(x @ slope + offset, atol=1e-4)

    def trained_elsewhere(student, rng):
        layer = built(student.transport, line)
        run = layer.train((x,), y, steps=2, weights=("slope", "offset"))
        expect(run).equals(by_hand(x, y, slope, offset, 2, 0.1), atol=1e-4)

    for run in (trained, forward, trained_elsewhere):
        case(run)
    attempt = attempt_of(LINE + EXTRA, warm)
    try:
        attempt.exercise = line.id
        result = judge(line, Handle(attempt, line), seed=1)
    finally:
        attempt.close()
    assert [case.status for case in result.cases] == ["timeout", "passed", "passed"]
    assert result.incidents == [StudentTimeout.kind]


def test_stopping_a_training_in_a_notebook_stops_it(line):
    """Ctrl-C in a notebook is no result of the answer's, and the layer is left as it was."""
    x, y, slope, _ = data()
    with answer("notebook", None, LINE + EXTRA) as transport:
        layer = built(transport, line, "Stuck")
        layer.set_weights({"slope": slope})

        def interrupt(*_):
            raise KeyboardInterrupt

        before = signal.signal(signal.SIGALRM, interrupt)
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        try:
            with pytest.raises(KeyboardInterrupt):
                layer.train((x,), y, steps=1)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        np.testing.assert_array_equal(layer.weights()["slope"], slope)


def test_an_unknown_backend_says_so(line, monkeypatch):
    import keras

    executor = Executor({})
    layer = keras.layers.Dense(2)
    layer.build((None, 3))
    executor.objects["layer0"] = layer
    monkeypatch.setattr(keras.backend, "backend", lambda: "torch")
    plan = {"steps": 1, "loss": "mean_squared_error", "update": "sgd", "learning_rate": 0.1}
    op = {"op": "train", "object": "layer0", "target": "x", "args": [], "targets": 0}
    reply = executor.execute({**op, "plan": {**plan, "momentum": 0.0, "weights": []}})
    assert reply["error"]["type"] == "RuntimeError"
    assert "TensorFlow and JAX" in reply["error"]["message"]


def test_the_oracle_of_training_learns():
    """A sanity check on the oracle itself: four steps downhill lower the loss, uphill raise it."""
    rng = np.random.default_rng(8)
    ids = bench.some_words(rng, 3, 6, 7)
    args = (ids, bench.normal(rng, 7, 4), bench.normal(rng, 4, 7), 4, 0.5)
    down, up = oracles.training(*args).value[0], oracles.training.raw(*args, direction="up")[0]
    assert (np.diff(down) < 0).all() and (np.diff(up) > 0).all()
