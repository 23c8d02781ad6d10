"""ELMo's pieces in NumPy against arithmetic by hand, Keras and the library."""

import math

import numpy as np
import pytest

from autograder.oracles import Crash, bilm_loss, char_cnn, elmo, elmo_drill, freezing, scalar_mix
from autograder.oracles.elmo_features import elmo_features, lists_left
from autograder.stand_ins import ch04a_elmo as stand_ins

MASK = np.array([[True, True, True, False, False], [True] * 5])


def some_reading(seed=0, layers=2):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(2, 5, 3)), [rng.normal(size=(3, 3)) for _ in range(layers)]


# ------------------------------------------------------------------ reading


def test_the_real_part_is_turned_around():
    ids = np.array([[1, 2, 3, 0, 0], [5, 6, 7, 8, 9]])[..., None]

    def turned(how):
        return elmo.mirrored(ids, MASK, how)[..., 0].tolist()

    assert turned("real") == [[3, 2, 1, 0, 0], [9, 8, 7, 6, 5]]
    assert turned("whole")[0] == [0, 0, 3, 2, 1]
    assert turned("by_the_first_row")[1] == [7, 6, 5, 8, 9]
    with pytest.raises(Crash):  # in a full row there is no place after the last
        turned("one_too_far")
    short = elmo.mirrored(ids[:1], MASK[:1], "one_too_far")
    assert short[0, :, 0].tolist() == [0, 3, 2, 0, 0]
    twice = elmo.mirrored(elmo.mirrored(ids, MASK, "real"), MASK, "real")
    np.testing.assert_array_equal(twice, ids)


def test_a_backward_state_has_read_what_stands_on_its_right_and_no_padding():
    x, kernels = some_reading()
    states = elmo.backward_lm.raw(x, MASK, kernels)
    for place in range(5):
        changed = x.copy()
        changed[:, place] += 1
        moved = [
            np.abs(a - b).max(axis=(0, 2)) > 1e-9
            for a, b in zip(states, elmo.backward_lm.raw(changed, MASK, kernels), strict=True)
        ]
        for layer in moved:
            assert layer[: place + 1].all() and not layer[place + 1 :].any()
    changed = np.where(MASK[..., None], x, 7.0)
    for a, b in zip(states, elmo.backward_lm.raw(changed, MASK, kernels), strict=True):
        np.testing.assert_array_equal(a, b)


def test_code_for_two_layers_reads_two():
    x, kernels = some_reading(1, layers=3)
    found = elmo.forward_lm.raw(x, kernels, order="two_only")
    assert len(found) == 2
    for mine, other in zip(found, elmo.forward_lm.raw(x, kernels), strict=False):
        np.testing.assert_array_equal(mine, other)
    with pytest.raises(Crash):
        elmo.forward_lm.raw(x, kernels[:1], order="two_only")


def test_reading_by_hand():
    """One number and one layer: state = s / (1 + s²) for s = x + 0.3 + 0.6 · state."""
    x, kernel = np.array([[[0.7], [0.1]]]), np.ones((1, 1))
    (states,) = elmo.forward_lm.raw(x, [kernel])
    np.testing.assert_allclose(states.ravel(), [0.5, 0.7 / 1.49])
    (states,) = elmo.backward_lm.raw(x, np.ones((1, 2), bool), [kernel])
    last = 0.4 / 1.16
    total = 1 + 0.6 * last
    np.testing.assert_allclose(states.ravel(), [total / (1 + total**2), last])


def test_a_layer_that_reads_from_the_left_sees_the_left():
    x, kernels = some_reading(1)
    changed = x.copy()
    changed[:, 0] += 1
    full = np.ones((2, 5), bool)
    for between in ("turned", "forward_above"):
        first, second = (elmo.backward_states(y, full, kernels, between=between)[1][:, 1:]
                         for y in (x, changed))  # fmt: skip
        assert np.abs(first - second).max() > 1e-3
    first, second = (elmo.backward_states(y, full, kernels)[1][:, 1:] for y in (x, changed))
    np.testing.assert_array_equal(first, second)


def test_readers_and_library_give_what_the_oracle_says():
    keras = pytest.importorskip("keras")
    from bert_keras.models import elmo_pieces

    x, kernels = some_reading(2, layers=3)
    x, kernels = x.astype("float32"), [kernel.astype("float32") for kernel in kernels]
    readers = stand_ins.BUILDERS["readers"](*kernels)
    pairs = [
        (elmo_pieces.forward_lm(x, readers), elmo.forward_lm.raw(x, kernels)),
        (elmo_pieces.backward_lm(x, MASK, readers), elmo.backward_lm.raw(x, MASK, kernels)),
    ]
    for theirs, ours in pairs:
        theirs = elmo.at_real_tokens([keras.ops.convert_to_numpy(s) for s in theirs], MASK)
        ours = elmo.at_real_tokens(ours, MASK)
        for mine, other in zip(ours, theirs, strict=True):
            np.testing.assert_allclose(mine, other, atol=2e-6)
    with pytest.raises(ValueError, match="layer"):
        readers[0](x[:, 0])


def test_a_layer_that_is_called_again_shows_it():
    pytest.importorskip("keras")
    x, kernels = some_reading(3, layers=3)
    x, kernels = x.astype("float32"), [kernel.astype("float32") for kernel in kernels]

    def passed_on(layers, x):
        states = []
        for layer in layers:
            states.append(layer(x))
            x = layer(x)
        return states

    def all_over(layers, x):
        states = []
        for top in range(len(layers)):
            state = x
            for layer in layers[: top + 1]:
                state = layer(state)
            states.append(state)
        return states

    for answer in (passed_on, all_over):
        theirs = answer(stand_ins.BUILDERS["readers_that_count"](0.4, *kernels), x)
        ours = elmo.forward_lm.raw(x, kernels, 0.4, calls=answer.__name__)
        for mine, other in zip(ours, theirs, strict=True):
            np.testing.assert_allclose(mine, other, atol=2e-6)
        for mine, other in zip(
            elmo.forward_lm.raw(x, kernels, calls=answer.__name__),
            elmo.forward_lm.raw(x, kernels),
            strict=True,
        ):
            np.testing.assert_array_equal(mine, other)


# ------------------------------------------------------------------ the loss


def test_a_loss_by_hand():
    """Two tokens of a vocabulary of two, scores by the state itself: one guess each way."""
    forward = [np.array([[[math.log(3), 0.0], [9.0, 9.0]]])]
    backward = [np.array([[[9.0, 9.0], [0.0, math.log(7)]]])]
    ids, mask = np.array([[0, 1]]), np.ones((1, 2), bool)
    given = forward, backward, ids, mask, np.eye(2), np.zeros(2)
    whole, first, second = bilm_loss.bilm_loss.raw(*given)
    np.testing.assert_allclose([first, second], [math.log(4), math.log(8)])
    np.testing.assert_allclose(whole, (math.log(4) + math.log(8)) / 2)
    own = bilm_loss.bilm_loss.raw(*given, backward_labels="own")
    np.testing.assert_allclose(own[2], math.log(8 / 7))


def test_the_loss_equals_the_librarys():
    pytest.importorskip("keras")
    from bert_keras.models import elmo_pieces

    rng = np.random.default_rng(3)
    states = [[rng.normal(size=(2, 5, 3)).astype("float32")] for _ in range(2)]
    ids, kernel, bias = rng.integers(0, 4, (2, 5)), rng.normal(size=(3, 4)), rng.normal(size=4)
    logits = [(layers[-1] @ kernel + bias).astype("float32") for layers in states]
    theirs = elmo_pieces.bilm_loss(*logits, ids, MASK)
    ours = bilm_loss.bilm_loss.raw(*states, ids, MASK, kernel, bias)
    np.testing.assert_allclose([float(t) for t in theirs], ours, rtol=1e-5)


def test_each_guess_is_counted_once():
    """With logits of zeros every guess costs log V, whatever is divided by must show."""
    zero = [np.zeros((2, 5, 3))]
    given = zero, zero, np.ones((2, 5), int), MASK, np.zeros((3, 4)), np.zeros(4)
    loss = bilm_loss.bilm_loss.raw(*given)[0]
    np.testing.assert_allclose(loss, math.log(4))
    everything = bilm_loss.bilm_loss.raw(*given, denominator="real_tokens")[0]
    np.testing.assert_allclose(everything, math.log(4) * 6 / 8)
    positions = bilm_loss.bilm_loss.raw(*given, denominator="positions")[0]
    np.testing.assert_allclose(positions, math.log(4) * 6 / 8)
    for gradient in bilm_loss.bilm_loss_gradient.raw(*given):
        assert not gradient.any()


def test_ids_are_no_mask_and_a_lone_token_has_no_mean():
    forward = [np.array([[[math.log(3), 0.0], [9.0, 9.0]], [[5.0, 1.0], [2.0, 2.0]]])]
    ids, mask = np.array([[1, 1], [0, 0]]), np.array([[True, True], [True, False]])
    given = forward, forward, ids, mask, np.eye(2), np.zeros(2)
    right = bilm_loss.bilm_loss.raw(*given)
    for means in ("rows", "columns"):
        assert np.isfinite(bilm_loss.bilm_loss.raw(*given, denominator=means)).all()
    assert np.isnan(bilm_loss.bilm_loss.raw(*given, denominator="bare_rows")).all()
    for guess in ("nonzero_ids", "nonzero_labels", "nonzero_pairs", "nonzero_and_real"):
        np.testing.assert_allclose(bilm_loss.bilm_loss.raw(*given, counted=guess), right)
    first = np.array([[1, 0], [0, 1]])
    told = [
        bilm_loss.bilm_loss.raw(forward, forward, first, mask, np.eye(2), np.zeros(2), counted=how)
        for how in ("real", "nonzero_ids", "nonzero_labels", "nonzero_pairs")
    ]
    assert np.isfinite(told[0]).all()
    assert np.isnan(told[3]).all() and not np.isnan(told[2][2])


# ------------------------------------------------------------------ mix and features


def test_a_mix_by_hand():
    layers = [np.array([2.0, 0]), np.array([0, 2.0]), np.array([4.0, 4])]
    scores = np.array([0, math.log(2), 0])
    mixed = scalar_mix.scalar_mix.raw(layers, scores, np.asarray(2.0))
    np.testing.assert_allclose(mixed, [3, 4])
    np.testing.assert_allclose(scalar_mix.untrained.raw(layers), [2, 2])
    raw = scalar_mix.scalar_mix.raw(layers, scores, np.asarray(2.0), shares="raw")
    np.testing.assert_allclose(raw, [0, 4 * math.log(2)])
    with pytest.raises(Crash):
        scalar_mix.scalar_mix.raw(layers, scores, np.asarray(2.0), size="features")
    for how in ({"combined": "three_only"}, {"size": "three"}):
        given = layers, scores, np.asarray(2.0)
        np.testing.assert_allclose(scalar_mix.scalar_mix.raw(*given, **how), [3, 4])
        with pytest.raises(Crash):
            scalar_mix.scalar_mix.raw(layers[:2], scores[:2], np.asarray(2.0), **how)
    four = scalar_mix.untrained.raw([*layers, layers[0]], combined="three_only")
    np.testing.assert_allclose(four, [1.5, 1.5])
    assert scalar_mix.starts_alike.raw() and not scalar_mix.starts_alike.raw(start="random")


def test_a_mix_learns_as_keras_says():
    keras = pytest.importorskip("keras")
    from bert_keras.layers.scalar_mix import ScalarMix

    rng = np.random.default_rng(4)
    layers = [rng.normal(size=(2, 3)).astype("float32") for _ in range(3)]
    targets, scores = rng.normal(size=(2, 3)).astype("float32"), np.array([0.5, -1, 1], "float32")
    mix = ScalarMix()
    mix(layers)
    mix.scores.assign(scores)
    mix.scale.assign(1.5)
    model = keras.Model(inputs := [keras.Input((3,)) for _ in layers], mix(inputs))
    model.compile(optimizer=keras.optimizers.SGD(0.1), loss="mse", run_eagerly=True)
    losses = [float(model.train_on_batch(layers, targets)) for _ in range(3)]
    ours = scalar_mix.trained.raw(layers, scores, np.asarray(1.5), targets, 0.1, 3)
    np.testing.assert_allclose(losses, ours[0], rtol=1e-4)
    np.testing.assert_allclose(mix.scores, ours[1], atol=1e-5)
    np.testing.assert_allclose(mix.scale, ours[2], atol=1e-5)


def test_features_by_hand():
    x, forward, backward = (np.full((1, 1, 2), value) for value in (1.0, 2.0, 3.0))
    first, second = elmo_features.raw(x, [forward], [backward])
    assert first.ravel().tolist() == [1, 1, 1, 1] and second.ravel().tolist() == [2, 2, 3, 3]
    _, mixed_up = elmo_features.raw(x, [forward], [backward], joined="interleaved")
    assert mixed_up.ravel().tolist() == [2, 3, 2, 3]
    assert lists_left.raw(2, 2).tolist() == [2, 2]


# ------------------------------------------------------------------ freezing


def test_tables_of_networks_are_those_that_are_built():
    pytest.importorskip("keras")
    for kind in freezing.NETWORKS:
        model, backbone = stand_ins.BUILDERS["network_and_backbone"](kind, 5)
        assert tuple(variable.path for variable in model.variables) == freezing.paths_of(kind)
        for layer in backbone if isinstance(backbone, list) else [backbone]:
            layer.trainable = False
        rng = np.random.default_rng(5)
        x, y = (rng.normal(size=(7, n)).astype("float32") for n in (6, 3))
        seen = stand_ins.BUILDERS["one_step"](5, x, y)(model, backbone)
        assert seen["kept"] and seen["moved"] == freezing.moved.raw(kind).tolist(), kind
        wanted = "\n".join(sorted(v.path for v in model.trainable_variables))
        assert freezing.paths.raw(kind) == wanted


def test_a_backbone_has_weights_beside_its_layers():
    pytest.importorskip("keras")
    model, backbone = stand_ins.BUILDERS["network_and_backbone"]("nested", 5)
    for layer in backbone.layers:
        layer.trainable = False
    rng = np.random.default_rng(5)
    x, y = (rng.normal(size=(7, n)).astype("float32") for n in (6, 3))
    seen = stand_ins.BUILDERS["one_step"](5, x, y)(model, backbone)
    assert seen["moved"] == freezing.moved.raw("nested", frozen="children").tolist()
    assert "body/strength" in freezing.paths.raw("nested", frozen="children").split("\n")
    assert "body/strength" not in freezing.paths.raw("nested").split("\n")


def test_keras_tells_inner_layers_only_what_is_new():
    """As the notebook says of layers that are frozen only in part; on TensorFlow."""
    keras = pytest.importorskip("keras")
    if keras.backend.backend() != "tensorflow":
        pytest.skip("other backends tell them every time")
    box = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2), keras.layers.Dense(2)])
    box.layers[0].trainable = False
    box.trainable = True
    assert len(box.trainable_variables) == 2
    box.trainable = False
    box.trainable = True
    assert len(box.trainable_variables) == 4


def test_what_mistakes_in_freezing_leave_moving():
    names = dict(zip(freezing.paths_of("nested"), freezing.moved.raw("nested"), strict=True))
    assert not names["body/inside/inner_norm/moving_mean"] and names["outer_norm/moving_mean"]
    moving = freezing.moved.raw("nested", statistics="moving")
    assert moving.sum() == sum(names.values()) + 4
    with pytest.raises(Crash):
        freezing.moved.raw("listed", frozen="as_one")
    thawed = dict(zip(freezing.paths_of("single"),
                      freezing.moved.raw("single", outside="thawed"), strict=True))  # fmt: skip
    assert thawed["stem/kernel"] and not thawed["lower/kernel"]


def test_thawing_by_hand():
    off = [False] * 5
    assert [freezing.thawed(off, epoch) for epoch in (0, 1, 4, 9)] == [
        [0, 0, 0, 0, 1],
        [0, 0, 0, 1, 1],
        [1] * 5,
        [1] * 5,
    ]
    assert freezing.thawed(off, 0, count="epoch") == [1] * 5  # layers[-0:] is all of them
    assert freezing.thawed(off, 6, late="wraps") == [0, 0, 0, 1, 1]  # layers[-2:]
    assert freezing.thawed([True] * 5, 1, sets="thaws_only") == [1] * 5
    with pytest.raises(Crash):
        freezing.thawed(off, 5, late="raises")


def test_averages_go_by_the_layer():
    pytest.importorskip("keras")
    rng = np.random.default_rng(8)
    x, y = (rng.normal(size=(7, n)).astype("float32") for n in (6, 3))
    for before, epoch, by in ((True, 0, "layers"), (True, 0, "variables"),
                              (False, 1, "variables"), (True, 1, "variables")):  # fmt: skip
        layers, _ = stand_ins.BUILDERS["stack_and_epoch"]([before] * 5, epoch, 3, True)
        for number, layer in enumerate(layers):
            for one in [layer] if by == "layers" else layer.variables:
                one.trainable = number >= 4 - epoch
        seen = stand_ins.BUILDERS["one_step_of_the_stack"](x, y)(layers, epoch)["moved"]
        assert seen == freezing.layers_that_train.raw([before] * 5, epoch, 3, by=by).tolist()


# ------------------------------------------------------------------ characters


def char_weights(rng, filters, character_dim, hidden_dim, num_highways):
    total = sum(count for _, count in filters)
    weights = {"character_embedding.embeddings": rng.normal(size=(9, character_dim))}
    for number, (width, count) in enumerate(filters):
        weights[f"convolutions.{number}.kernel"] = rng.normal(size=(width, character_dim, count))
        weights[f"convolutions.{number}.bias"] = rng.uniform(0.3, 0.9, count)
    for number in range(num_highways):
        for part in ("transform_dense", "gate_dense"):
            weights[f"highways.{number}.{part}.kernel"] = rng.normal(size=(total, total))
            weights[f"highways.{number}.{part}.bias"] = rng.normal(size=total)
    weights["output_dense.kernel"] = rng.normal(size=(total, hidden_dim))
    weights["output_dense.bias"] = rng.normal(size=hidden_dim)
    return weights


def test_a_word_by_hand():
    """One filter of width two that adds up what it sees: the best neighbours win."""
    weights = {
        "character_embedding.embeddings": np.array([[100.0], [1], [2], [3]]),
        "convolutions.0.kernel": np.ones((2, 1, 1)),
        "convolutions.0.bias": np.array([0.5]),
        "output_dense.kernel": np.ones((1, 1)),
        "output_dense.bias": np.zeros(1),
    }
    ids = np.array([[[1, 3, 0], [0, 0, 0], [3, 2, 1]]])

    def spelt(**switches):
        return char_cnn.char_cnn.raw(ids, weights, [[2, 1]], 0, **switches).ravel().tolist()

    assert spelt() == [4.5, 0, 5.5]
    assert spelt(counted="all") == [4.5, 0.5, 5.5]
    assert spelt(pooled="sum") == [8, 0, 10.5]
    assert spelt(sides="none", counted="whole_windows") == [4.5, 0, 5.5]
    assert spelt(blank="table")[0] == 103.5
    letters = np.array([[[1.0], [3.0]]])
    seen = char_cnn.windows(letters, 2, "both_more_on_the_left")[0, ..., 0].tolist()
    assert seen == [[0, 1], [1, 3]]
    assert char_cnn.windows(letters, 2, "both")[0, ..., 0].tolist() == [[1, 3], [3, 0]]


def test_characters_as_the_library_reads_them():
    pytest.importorskip("keras")
    from autograder.weights import named_weights
    from bert_keras.layers.char_cnn import CharCNN

    rng, filters = np.random.default_rng(6), [[1, 2], [3, 4]]
    ids = np.array([[[1, 2, 3], [4, 0, 0]], [[0, 0, 0], [8, 7, 0]]])
    layer = CharCNN(9, 5, filters=filters, character_dim=3, num_highways=2)
    layer(ids)
    weights = char_weights(rng, filters, 3, 5, 2)
    found = named_weights(layer)
    for path, value in weights.items():
        found[path].assign(value)
    np.testing.assert_allclose(
        layer(ids), char_cnn.char_cnn.raw(ids, weights, filters, 2), atol=1e-4
    )


# ------------------------------------------------------------------ the drill


def test_a_step_is_made_of_the_pieces():
    rng = np.random.default_rng(7)
    ids, table = rng.integers(0, 6, (2, 5)), rng.normal(size=(6, 3))
    stacks = [[rng.normal(size=(3, 3)) for _ in range(2)] for _ in range(2)]
    scorer = rng.normal(size=(3, 6)), rng.normal(size=6)
    mixing, scale = rng.normal(size=3), np.asarray(1.7)
    given = ids, MASK, table, *stacks, *scorer, mixing, scale
    loss, mixed = elmo_drill.training_step.raw(*given)
    x = table[ids]
    forward = elmo.forward_lm.raw(x, stacks[0])
    backward = elmo.backward_lm.raw(x, MASK, stacks[1])
    wanted = bilm_loss.bilm_loss.raw(forward, backward, ids, MASK, *scorer)[0]
    np.testing.assert_allclose(loss, wanted)
    layers = list(elmo_features.raw(x, forward, backward))
    whole = scalar_mix.scalar_mix.raw(layers, mixing, scale)
    np.testing.assert_allclose(mixed, np.where(MASK[..., None], whole, 0))
    fed = elmo_drill.training_step.raw(*given, source="forward")
    assert abs(fed[0] - loss) > 1e-3 and np.abs(fed[1] - mixed).max() > 1e-3
