import keras
import numpy as np
import pytest

from bert_keras.models.bert import BertBackbone, BertPretrainer
from bert_keras.training.optimizers import (
    WarmupLinearDecay,
    build_optimizer,
    gradient_norm,
    learning_rate_at,
    loss_scale,
    no_decay_variables,
)
from bert_keras.training.sections import OptimizerSection


def small_model():
    keras.utils.set_random_seed(3)
    model = keras.Sequential(
        [
            keras.Input((5,)),
            keras.layers.Dense(4, name="first"),
            keras.layers.LayerNormalization(name="norm"),
            keras.layers.Dense(3, name="second"),
        ],
        name="small",
    )
    for variable in model.trainable_variables:
        variable.assign(np.random.default_rng(1).normal(size=variable.shape))
    return model


def values(model):
    return {v.path: keras.ops.convert_to_numpy(v).copy() for v in model.trainable_variables}


def test_schedule_rises_to_the_peak_and_falls_to_zero():
    schedule = WarmupLinearDecay(0.4, 4, 12)
    rates = [float(schedule(step)) for step in range(15)]
    expected = [0.1, 0.2, 0.3, 0.4, 0.4, 0.35, 0.3, 0.25, 0.2, 0.15, 0.1, 0.05, 0, 0, 0]
    np.testing.assert_allclose(rates, expected, atol=1e-7)
    again = WarmupLinearDecay.from_config(schedule.get_config())
    assert float(again(5)) == float(schedule(5))


def test_biases_and_norms_are_exempt_from_decay():
    model = small_model()
    exempt = {v.path for v in no_decay_variables(model.trainable_variables)}
    assert exempt == {
        f"small/{name}" for name in ("first/bias", "norm/gamma", "norm/beta", "second/bias")
    }


def test_decay_is_decoupled_and_spares_the_exempt():
    model = small_model()
    settings = OptimizerSection(learning_rate=0.3, weight_decay=0.2, warmup_share=0.5)
    optimizer = build_optimizer(model, settings, total_steps=4)
    before = values(model)
    optimizer.apply([np.zeros(v.shape, "float32") for v in model.trainable_variables])
    after = values(model)
    rate = 0.3 / 2  # first of two warm-up updates
    for path, value in before.items():
        factor = 1 - rate * 0.2 if path.endswith("kernel") else 1.0
        np.testing.assert_allclose(after[path], value * factor, rtol=1e-6, err_msg=path)


def adamw(value, gradients, settings, decayed, rates):
    """AdamW by hand, clipped by the norm that all gradients have together."""
    m = v = 0.0
    for number, (gradient, rate) in enumerate(zip(gradients, rates, strict=True), start=1):
        m = settings.beta_1 * m + (1 - settings.beta_1) * gradient
        v = settings.beta_2 * v + (1 - settings.beta_2) * gradient**2
        m_hat = m / (1 - settings.beta_1**number)
        v_hat = v / (1 - settings.beta_2**number)
        if decayed:
            value = value - rate * settings.weight_decay * value
        value = value - rate * m_hat / (np.sqrt(v_hat) + settings.epsilon)
    return value


def test_three_updates_equal_the_formula():
    model = small_model()
    settings = OptimizerSection(learning_rate=0.01, weight_decay=0.1, clip_norm=0.7, epsilon=1e-9)
    optimizer = build_optimizer(model, settings, total_steps=10)
    rng = np.random.default_rng(7)
    gradients = [
        [rng.normal(size=v.shape) * scale for v in model.trainable_variables]
        for scale in (1.0, 1e-3, 3.0)
    ]
    before = values(model)
    for group in gradients:
        optimizer.apply([g.astype("float32") for g in group])
    clipped = []
    for group in gradients:
        norm = np.sqrt(sum((g**2).sum() for g in group))
        clipped.append([g * min(1.0, 0.7 / norm) for g in group])
    rates = [0.01, 0.01, 0.01 * 8 / 9]  # peak, then the fall: (10 - u) / 9
    for index, variable in enumerate(model.trainable_variables):
        expected = adamw(
            before[variable.path].astype("float64"),
            [group[index] for group in clipped],
            settings,
            variable.path.endswith("kernel"),
            rates,
        )
        np.testing.assert_allclose(
            values(model)[variable.path], expected, atol=2e-5, err_msg=variable.path
        )


def test_accumulated_batches_give_one_update_of_their_average():
    rng = np.random.default_rng(2)
    single, accumulated = small_model(), small_model()
    settings = OptimizerSection(learning_rate=0.05, clip_norm=0.5)
    first = build_optimizer(single, settings, total_steps=5)
    second = build_optimizer(accumulated, settings, total_steps=5, gradient_accumulation=3)
    # Two updates, so that the second one has the rate of update 1 and not of batch 5.
    parts = [
        [rng.normal(size=v.shape).astype("float32") for v in single.trainable_variables]
        for _ in range(6)
    ]
    start = values(accumulated)
    for three in (parts[:3], parts[3:]):
        first.apply([sum(group) / 3 for group in zip(*three, strict=True)])
    for number, part in enumerate(parts):
        if number < 3:
            assert all(np.array_equal(start[k], v) for k, v in values(accumulated).items())
        second.apply(part)
    for path, value in values(single).items():
        np.testing.assert_allclose(values(accumulated)[path], value, atol=1e-6, err_msg=path)


def lamb(value, gradients, settings, decayed, rates):
    """LAMB by hand, from algorithm 2 of You et al.; vectors exempt from decay are not scaled."""
    m = v = 0.0
    for number, (gradient, rate) in enumerate(zip(gradients, rates, strict=True), start=1):
        m = settings.beta_1 * m + (1 - settings.beta_1) * gradient
        v = settings.beta_2 * v + (1 - settings.beta_2) * gradient**2
        m_hat = m / (1 - settings.beta_1**number)
        v_hat = v / (1 - settings.beta_2**number)
        step = m_hat / (np.sqrt(v_hat) + settings.epsilon)
        if decayed:
            step = step + settings.weight_decay * value
            step = step * np.linalg.norm(value) / np.linalg.norm(step)
        value = value - rate * step
    return value


def test_lamb_equals_the_paper():
    model = small_model()
    settings = OptimizerSection(
        name="lamb", learning_rate=0.02, weight_decay=0.3, clip_norm=0.7, epsilon=1e-6
    )
    optimizer = build_optimizer(model, settings, total_steps=10)
    rng = np.random.default_rng(8)
    gradients = [
        [rng.normal(size=v.shape) * scale for v in model.trainable_variables] for scale in (1, 0.01)
    ]
    before = values(model)
    for group in gradients:
        optimizer.apply([g.astype("float32") for g in group])
    norms = [np.sqrt(sum((g**2).sum() for g in group)) for group in gradients]
    for index, variable in enumerate(model.trainable_variables):
        expected = lamb(
            before[variable.path].astype("float64"),
            [
                group[index] * min(1, 0.7 / norm)
                for group, norm in zip(gradients, norms, strict=True)
            ],
            settings,
            variable.path.endswith("kernel"),
            [0.02, 0.02],
        )
        after = values(model)[variable.path]
        np.testing.assert_allclose(after, expected, atol=3e-6, err_msg=variable.path)
    # The step of a kernel is as long as the rate's share of the kernel, whatever the gradient.
    assert gradient_norm(optimizer) == pytest.approx(norms[1], rel=1e-5)


def test_a_weight_of_norm_zero_moves_all_the_same():
    model = small_model()
    for variable in model.trainable_variables:
        variable.assign(np.zeros(variable.shape))
    settings = OptimizerSection(name="lamb", learning_rate=0.5, clip_norm=0.0)
    optimizer = build_optimizer(model, settings, total_steps=1)
    optimizer.apply([np.full(v.shape, 2.0, "float32") for v in model.trainable_variables])
    for path, value in values(model).items():
        np.testing.assert_allclose(value, -0.5, atol=1e-5, err_msg=path)


def test_an_overflow_halves_the_scale_and_leaves_everything_else_alone():
    model = small_model()
    settings = OptimizerSection(learning_rate=0.1, clip_norm=0.5)
    optimizer = build_optimizer(model, settings, total_steps=9, loss_scaling=True)
    plain_model = small_model()
    plain = build_optimizer(plain_model, settings, total_steps=9)
    rng = np.random.default_rng(4)

    def group(scale):
        return [
            scale * rng.normal(size=v.shape).astype("float32") for v in model.trainable_variables
        ]

    assert loss_scale(optimizer) == 2.0**15 and loss_scale(plain) is None
    first = group(1.0)
    optimizer.apply([g * 2.0**15 for g in first])
    plain.apply(first)
    # A power of two divides exactly, so the scaled update is the plain one.
    assert all(np.array_equal(values(plain_model)[k], v) for k, v in values(model).items())
    before = values(model)
    inner = [np.array(v) for v in optimizer.inner_optimizer.variables]
    bad = group(1.0)
    bad[1][0] = np.inf
    optimizer.apply(bad)
    assert loss_scale(optimizer) == 2.0**14
    assert all(np.array_equal(before[k], v) for k, v in values(model).items())
    for old, new in zip(inner, optimizer.inner_optimizer.variables, strict=True):
        assert np.array_equal(old, np.array(new))
    second = group(1.0)
    optimizer.apply([g * 2.0**14 for g in second])
    plain.apply(second)
    assert all(np.array_equal(values(plain_model)[k], v) for k, v in values(model).items())
    assert gradient_norm(optimizer) == gradient_norm(plain)
    assert learning_rate_at(optimizer, 3) == learning_rate_at(plain, 3) > 0


def batch_of(rng, rows, vocabulary=31, length=12, places=3):
    """Rows with the same number of predictions each, so that every batch weighs the same."""
    ids = rng.integers(5, vocabulary, (rows, length)).astype("int32")
    inputs = {
        "token_ids": ids,
        "segment_ids": np.zeros((rows, length), "int32"),
        "padding_mask": np.ones((rows, length), bool),
        "mask_positions": np.stack([rng.permutation(length)[:places] for _ in range(rows)]).astype(
            "int32"
        ),
    }
    targets = {
        "mask_ids": rng.integers(5, vocabulary, (rows, places)).astype("int32"),
        "mask_weights": np.ones((rows, places), "float32"),
        "next_sentence_label": rng.integers(0, 2, rows).astype("int32"),
    }
    return inputs, targets


def test_three_small_batches_train_a_model_like_one_three_times_as_large():
    rng = np.random.default_rng(6)
    large = [batch_of(rng, 6) for _ in range(2)]
    settings = OptimizerSection(learning_rate=0.02, clip_norm=0.5, epsilon=1e-3)
    trained = []
    for parts in (1, 3):
        keras.utils.set_random_seed(1)
        model = BertPretrainer(BertBackbone(31, 1, 2, 8, 12, 12, dropout=0.0))
        optimizer = build_optimizer(model, settings, total_steps=3, gradient_accumulation=parts)
        model.compile(optimizer=optimizer, run_eagerly=True)
        for batch in large:
            for part in range(parts):
                rows = slice(part * 6 // parts, (part + 1) * 6 // parts)
                model.train_on_batch(*keras.tree.map_structure(lambda a, r=rows: a[r], batch))
        trained.append(values(model))
    for path, value in trained[0].items():
        np.testing.assert_allclose(trained[1][path], value, atol=2e-6, err_msg=path)
