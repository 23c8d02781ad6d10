"""Schedules, AdamW, an encoder and its file in NumPy, against Keras and arithmetic by hand."""

from pathlib import Path

import numpy as np
import pytest

from autograder.drill_sources import read_bugs
from autograder.exercises.ch05c_5_step import a_problem
from autograder.exercises.ch05c_6_names import _line
from autograder.exercises.ch05c_7_drill import DRILL_BUGS, SQUARE, a_checkpoint, a_moment
from autograder.exercises.ch05c_8_capstone import a_checkpoint as whole_checkpoint
from autograder.exercises.ch05c_8_capstone import differ, path_of_no_layer
from autograder.oracles import (
    Crash,
    adamw,
    bert_from_file,
    continued,
    decay_groups,
    encoder_output,
    pretrain_step,
    schedules,
    tensor_names,
)
from autograder.oracles.calculus import numeric_gradient
from autograder.stand_ins import ch05c_pretraining as stand_ins
from tests import numpy_bert

ROOT = Path(__file__).parents[3]


# ------------------------------------------------------------------ schedule


def test_a_schedule_by_hand():
    """Four updates up, eight down, and the end."""
    rates = schedules.rate_of(np.arange(15), 2.0, 4, 12)
    up, down = [0.5, 1, 1.5, 2], [2, 1.75, 1.5, 1.25, 1, 0.75, 0.5, 0.25]
    np.testing.assert_allclose(rates, [*up, *down, 0, 0, 0])
    assert schedules.rate_of(0, 2.0, 1, 5) == 2.0


def test_slips_in_a_schedule_by_hand():
    def rate(step, **switches):
        return float(schedules.rate_of(step, 1.0, 10, 100, **switches))

    assert rate(0, rise="from_zero") == 0
    assert rate(120, end="negative") == pytest.approx(-20 / 90)
    assert rate(10, fall="of_total") == pytest.approx(0.9)
    assert rate(10, phase="up_to") == pytest.approx(1.1)
    assert rate(5, division="whole") == 0
    with pytest.raises(Crash):
        schedules.rate_of(np.arange(3), 1.0, 10, 100, numbers="pythons")


# ------------------------------------------------------------------ decay, AdamW


def test_groups_by_hand():
    paths = ("a/kernel", "a/bias", "head/output_bias", "beta_block/kernel", "norm/gamma")
    axes = (2, 1, 1, 2, 1)
    found = decay_groups.exempt_variables.raw(paths, axes)
    assert found.tolist() == [0, 1, 2, 0, 3]
    anywhere = decay_groups.exempt_variables.raw(paths, axes, rule="anywhere")
    assert anywhere.tolist() == [0, 1, 2, 3, 4]
    assert decay_groups.exempt_variables.raw(paths, axes, rule="nothing").sum() == 0
    tables = ("a/bias_table", "beta_block/kernel", "a/bias")
    for rule, wanted in (("right", [0, 0, 1]), ("anywhere_in_the_last", [1, 0, 2])):
        found = decay_groups.exempt_variables.raw(tables, (2, 2, 1), rule=rule)
        assert found.tolist() == wanted
    by_word = decay_groups.exempt_variables.raw(("n/beta", *paths), (1, *axes), order="by_word")
    assert by_word.tolist() == [4, 0, 1, 2, 0, 3]
    early = decay_groups.exempt_variables.raw(paths, axes, returned="first_found")
    assert early.tolist() == [0, 1, 0, 0, 0]


def test_a_first_step_by_hand():
    """From zeros m̂ is the gradient and v̂ its square: the weight moves by the rate, and decays."""
    weight, nothing = np.array([2.0, -1.0]), np.zeros(2)
    gradient = np.array([0.5, -3.0])
    moved, m, v = adamw.step_of(weight, gradient, nothing, nothing, 1, 0.1, epsilon=0.0)
    np.testing.assert_allclose(moved, [2 - 0.1 - 0.002, -1 + 0.1 + 0.001])
    np.testing.assert_allclose(m, 0.1 * gradient)
    np.testing.assert_allclose(v, 0.001 * gradient**2)
    for kind, shares in (("momentum", (0.9, 0.001)), ("velocity", (0.1, 0.999))):
        switch = f"{kind}_weights_exchanged"
        _, m, v = adamw.step_of(weight, gradient, nothing, nothing, 1, 0.1, moments=switch)
        np.testing.assert_allclose(m, shares[0] * gradient)
        np.testing.assert_allclose(v, shares[1] * gradient**2)


def test_no_gradient_tells_decay_from_l2():
    weight, nothing = np.array([2.0, -0.5]), np.zeros(2)

    def moved(**switches):
        found = adamw.step_of(weight, nothing, nothing, nothing, 1, 0.1, **switches)
        return found[0] - weight

    np.testing.assert_allclose(moved(), -0.1 * 0.01 * weight)
    np.testing.assert_allclose(moved(decay="in_gradient"), [-0.1, 0.1], rtol=1e-3)
    folded = moved(decay="with_corrected_rate")
    np.testing.assert_allclose(folded, moved() * np.sqrt(1e-3) / 0.1)


def test_a_trajectory_is_that_of_keras():
    keras = pytest.importorskip("keras")
    rng = np.random.default_rng(0)
    weight, gradients = rng.normal(size=3), rng.normal(size=(30, 3)) + 0.3
    variable = keras.Variable(weight.astype("float32"))
    optimizer = keras.optimizers.AdamW(0.01, weight_decay=0.01, epsilon=1e-9)
    for gradient in gradients:
        optimizer.apply([keras.ops.convert_to_tensor(gradient.astype("float32"))], [variable])
    found = adamw.trajectory.raw(weight, gradients, 0.01)[0]
    np.testing.assert_allclose(np.asarray(variable), found, atol=2e-5)


# ------------------------------------------------------------------ encoder, training step


def some_pieces(seed, dim=4):
    rng = np.random.default_rng(seed)
    return {
        "tables": tuple(rng.normal(size=(rows, dim)) for rows in (7, 6, 2)),
        "blocks": [rng.normal(size=(3, dim, dim)) / 2 for _ in range(2)],
        "pooler": (rng.normal(size=(dim, dim)), rng.normal(size=dim)),
    }


def test_the_stand_ins_are_the_oracles():
    pytest.importorskip("keras")
    from autograder.fixtures import BUILDERS

    pieces = some_pieces(1)
    floats = [table.astype("float32") for table in pieces["tables"]]
    ids, segments = np.array([[1, 2, 6], [3, 0, 4]]), np.array([[0, 0, 1], [0, 1, 1]])
    mask = np.array([[True, True, True], [True, True, False]])
    states = encoder_output.encoder_output(ids, segments, mask, pieces)
    x = BUILDERS["embeddings_of"](*floats)(ids, segments)
    np.testing.assert_allclose(encoder_output.real_only(x, mask), states[0], atol=1e-5)
    for kernels, wanted in zip(pieces["blocks"], states[1:3], strict=True):
        block = BUILDERS["plain_encoder_block"](kernels.astype("float32"))
        x, _ = block(x, attention_mask=mask[:, None])
        np.testing.assert_allclose(encoder_output.real_only(x, mask), wanted, atol=1e-5)
    pool = BUILDERS["pooler_of"](*(part.astype("float32") for part in pieces["pooler"]))
    np.testing.assert_allclose(pool(x), states[3], atol=1e-5)
    with pytest.raises(ValueError, match="B, T, D"):
        pool(x[:, 0])


def test_slips_in_an_encoder_by_hand():
    pieces = some_pieces(2)
    ids, segments = np.array([[1, 2, 6]]), np.array([[0, 1, 1]])
    mask = np.ones((1, 3), bool)

    def states(**switches):
        return encoder_output.encoder_output(ids, segments, mask, pieces, **switches)

    right = states()
    assert len(right) == 4 and len(states(kept="without_embeddings")) == 3
    np.testing.assert_array_equal(states(kept="reversed")[0], right[2])
    np.testing.assert_array_equal(states(pooled="first_token")[3], right[2][:, 0])
    np.testing.assert_array_equal(states(blocks="reversed")[0], right[0])
    assert not np.allclose(states(segments="zeros")[0], right[0])
    with pytest.raises(Crash):
        states(segments="token_ids")


def test_gradients_of_the_reader_by_finite_differences():
    """Of every weight, through the frozen ones too."""
    weights, ids, labels, factors = a_problem(np.random.default_rng(3), again=True)
    weights = [np.asarray(w, np.float64) for w in weights]

    def loss(*moved):
        return pretrain_step._forward_and_back(list(moved), ids, labels, factors)[0]

    _, slopes, by_read = pretrain_step._forward_and_back(weights, ids, labels, factors)
    for number, slope in enumerate(slopes):

        def of_one(value, number=number):
            return loss(*(value if i == number else w for i, w in enumerate(weights)))

        found = numeric_gradient(of_one, [weights[number]], np.float64(1))[0]
        np.testing.assert_allclose(found, slope, atol=1e-6)
    assert by_read.sum() == pytest.approx(slopes[0].sum())


def test_clipping_by_hand():
    """Two gradients, [3, 0] and [4]: their norm is 5."""
    slopes, rows = [np.array([3.0, 0.0]), np.array([4.0])], np.array([3.0, 0.0])
    assert pretrain_step._norm(slopes, rows, "global") == 5
    assert pretrain_step._norm(slopes, rows, "sum_of_norms") == 7
    for limit, wanted in ((1.0, [0.6, 0, 0.8]), (9.0, [3, 0, 4])):
        found = pretrain_step._clipped(slopes, 5.0, limit, "global")
        np.testing.assert_allclose(np.concatenate(found), wanted)
    found = pretrain_step._clipped(slopes, 5.0, 1.0, "per_tensor")
    np.testing.assert_allclose(np.concatenate(found), [1, 0, 1])


def test_the_reader_is_the_oracles():
    pytest.importorskip("keras")
    problem = a_problem(np.random.default_rng(4))
    weights, ids, labels, factors = problem
    model, loss_fn, inputs, targets, *_ = stand_ins._step_arguments(
        "adam", 0.1, 1.0, False, ids, labels, factors, *weights
    )
    wanted = pretrain_step.pretrain_step.raw(*problem, "adam", 0.1, 1.0)
    assert float(loss_fn(model(inputs, training=True), targets)) == pytest.approx(
        float(wanted[0]), abs=1e-5
    )
    assert [v.shape for v in model.trainable_variables] == [w.shape for w in weights[:5]]
    with pytest.raises(ValueError, match="outputs"):
        loss_fn(targets, model(inputs))


# ------------------------------------------------------------------ names, a whole file


def test_all_names_of_base():
    names = tensor_names.tensors_of(12)
    assert len(names) == len(set(names)) == 5 + 12 * 16 + 2
    places = [tensor_names.placed(name) for name in names]
    assert len({path for path, _ in places}) == 199
    assert sum(turned for _, turned in places) == 12 * 6 + 1
    assert places == [tensor_names.placed(f"bert.{name}") for name in names]
    assert places == [tensor_names.placed(name) for name in tensor_names.tensors_of(12, old=True)]


def test_names_are_those_of_the_formats_papers():
    """Every tensor that the independent BERT names has a place, and the heads have none."""
    places = {name: tensor_names.placed(name) for name in numpy_bert.shapes()}
    lost = {name for name, place in places.items() if place is None}
    assert all(name.startswith("cls.") for name in lost) and len(lost) > 3
    assert tensor_names.REFUSED not in places.values()


def test_names_by_hand():
    placed = tensor_names.placed
    assert placed("bert.encoder.layer.11.output.LayerNorm.gamma") == (
        "encoder_block_11/feed_forward_layer_norm/gamma",
        False,
    )
    assert placed("encoder.layer.3.attention.output.dense.weight") == (
        "encoder_block_3/self_attention/output/kernel",
        True,
    )
    assert placed("embeddings.position_ids") is placed("cls.predictions.bias") is None
    assert placed("encoder.layer.0.output.dense.weight/adam_m") is None
    for name in ("classifier.weight", "pooler.dense.gamma", "encoder.layer.x.output.dense.bias"):
        assert placed(name) == tensor_names.REFUSED
    longer = "encoder.layer.0.attention.self.query_global.weight"
    assert placed(longer) == tensor_names.REFUSED
    kernel = ("encoder_block_0/self_attention/query/kernel", True)
    assert placed(longer, longer="behind") == placed(longer, longer="anywhere") == kernel
    assert placed(f"roberta.{longer.replace('_global', '')}", longer="in_front") == kernel
    assert placed("embeddings.LayerNorm.bias", prefix="letters_stripped") == tensor_names.REFUSED
    for how, one, other in (
        ("places_run_out", "classifier.weight", "pooler.dense.gamma"),
        ("endings_run_out", "bert.pooler.dense.gamma", "classifier.weight"),
    ):
        assert placed(one, unknown=how) == tensor_names.OTHERWISE
        assert placed(other, unknown=how) == tensor_names.REFUSED


def test_slips_in_names_by_hand():
    placed, query = tensor_names.placed, "encoder.layer.7.attention.self.query"
    path = "encoder_block_7/self_attention/query"
    assert placed(f"{query}.bias", transpose="dense_layers") == (f"{path}/bias", True)
    assert placed(f"{query}.weight", layer="not_put_back")[0] == f"{path}/kernel".replace("7", "#")
    lettered = f"{query}.weight".replace("7", "x")
    assert placed(lettered, layer="anything")[0] == f"{path}/kernel".replace("7", "x")
    norm = "embeddings.LayerNorm.weight"
    assert placed(norm, norms="gamma_as_kernel") == ("embeddings/layer_norm/kernel", True)
    ids = "bert.embeddings.position_ids"
    assert placed(ids, prefix="after_the_skipped") == tensor_names.REFUSED
    assert placed(ids[5:], prefix="after_the_skipped") is None
    for how, name in (("heads_anywhere", "model.cls.bias"), ("slots_anywhere", "adam_m.weight")):
        assert placed(name) == tensor_names.REFUSED
        assert placed(name, skipped=how) is placed(name, skipped="words_anywhere") is None
    for how, skipped, refused in (
        ("places_skipped", "classifier.weight", f"{query}.gamma"),
        ("endings_skipped", f"{query}.gamma", "classifier.weight"),
    ):
        assert placed(skipped, unknown=how) is None
        assert placed(refused, unknown=how) == tensor_names.REFUSED
    assert placed(f"{query}.gamma", endings="of_norms_too") == (f"{path}/gamma", False)
    assert placed(f"{query}.gamma", endings="any_of_dense") == (f"{path}/kernel", True)
    table = "embeddings.word_embeddings.bias"
    assert placed(table, endings="any_of_dense") == tensor_names.REFUSED
    assert placed(table, endings="any")[0] == "embeddings/token_embedding/embeddings"


def test_an_error_that_is_only_returned_is_no_refusal():
    """What can't travel comes back as the name of its type, such as ValueError."""
    for answer in ("ValueError", "KeyError", "Exception"):
        assert _line(answer) == tensor_names.RETURNED != tensor_names.REFUSED
    for answer in ("None", "pooler/dense/bias, False", "function"):
        assert _line(answer) == repr(answer)
    assert _line(None) == "None"
    assert _line(("pooler/dense/bias", np.array(False))) == "pooler/dense/bias, False"
    assert _line(("pooler/dense/bias", "False")) == "('pooler/dense/bias', 'False')"


def test_paths_of_layers_without_a_name_are_known():
    for message in (
        "missing: encoder_block_19/self_attention/query/kernel",
        "'encoder_block/feed_forward/output/bias'",
        "no bert_embeddings_3/layer_norm/beta",
        "pooler_4/dense/bias",
    ):
        assert path_of_no_layer(message, 2), message
    for message in ("encoder_block_1/feed_forward/output/bias", "pooler/dense/bias", "pooler",
                    "encoder_block_2/feed_forward/output/bias"):  # fmt: skip
        assert not path_of_no_layer(message, 2), message


@pytest.mark.parametrize("old", [False, True])
def test_an_encoder_from_a_file_is_the_independent_one(old):
    rng = np.random.default_rng(5)
    tensors = whole_checkpoint(rng, 2, 6, 10, prefix="bert.")
    tensors = {name: np.asarray(array, np.float64) for name, array in tensors.items()}
    ids, segments = rng.integers(0, 9, (3, 5)), rng.integers(0, 2, (3, 5))
    mask = np.arange(5) < np.array([[5], [3], [2]])
    sizes = {"num_hidden_layers": 2, "num_attention_heads": 3, "hidden_size": 6}
    batch = {"token_ids": ids, "segment_ids": segments, "padding_mask": mask}
    expected = numpy_bert.forward(tensors, {**numpy_bert.CONFIG, **sizes}, batch)
    given = tensors
    if old:
        given = {
            name.replace("LayerNorm.weight", "LayerNorm.gamma").replace(
                "LayerNorm.bias", "LayerNorm.beta"
            ): array
            for name, array in tensors.items()
        }
    found = bert_from_file.bert_from_file.raw(given, ids, segments, mask, 3)
    for mine, theirs in zip(found[:-1], expected["hidden_states"], strict=True):
        np.testing.assert_allclose(mine, np.where(mask[..., None], theirs, 0), atol=1e-9)
    np.testing.assert_allclose(found[-1], expected["pooled_output"], atol=1e-9)


def test_a_number_of_two_digits_that_is_compared_as_text():
    """Of eleven blocks the last is lost; of two, none."""
    rng = np.random.default_rng(8)
    batch = np.array([[1, 2, 3]]), np.zeros((1, 3), int), np.ones((1, 3), bool)
    for layers, left in ((2, 2), (11, 10)):
        tensors = whole_checkpoint(rng, layers, 4, 6)
        found = bert_from_file.bert_from_file.raw(tensors, *batch, 2, highest="as_text")
        assert len(found) == left + 2


def test_results_that_differ():
    """As many arrays of the same shapes; another form is told as that."""
    one, other = (np.zeros((2, 3)), np.ones(3)), (np.zeros((2, 3)), np.zeros(3))
    assert differ(one, other) and not differ(one, one)
    assert not differ(one, other[:1]) and not differ(one, (np.zeros((3, 2)), np.zeros(3)))
    assert not differ(np.zeros(3), other)


# ------------------------------------------------------------------ the drill


def test_a_finished_training_moves_nothing():
    rng = np.random.default_rng(6)
    tensors = a_checkpoint(rng, SQUARE, 4)
    moment = a_moment(rng, tensors, 3.0, False)
    found = continued.continued.raw(tensors, *moment, 20, 0.5, 4, 12)
    paths = continued.paths_of(tensors)
    assert found[0] == pytest.approx(3.0)
    kernel = found[1 + paths.index("encoder_block_0/self_attention/query/kernel")]
    file = tensors["encoder.layer.0.attention.self.query.weight"]
    np.testing.assert_array_equal(kernel, file.T)


def test_the_drill_lists_its_bugs_in_order():
    bugs = read_bugs(ROOT / "solutions/ch05c_pretraining/drill.py")
    assert tuple(bug.key for bug in bugs) == DRILL_BUGS
