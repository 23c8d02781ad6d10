import keras
import numpy as np

from bert_keras.training.optimizers import WarmupLinearDecay, build_optimizer, no_decay_variables
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
