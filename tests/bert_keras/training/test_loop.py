"""One loop for all runs: stretches of steps, their averages, their speed, and losses gone bad."""

import io
import types

import keras
import numpy as np
import pytest

from bert_keras.training import loop, progress
from bert_keras.training.early_stop import EarlyStop
from bert_keras.training.optimizers import build_optimizer
from bert_keras.training.sections import OptimizerSection
from bert_keras.training.tensorboard import ScalarLog, read_scalars

ROWS, LENGTH = 4, 5


@pytest.mark.parametrize(
    ("step", "stop"), [(0, 4), (4, 6), (6, 7), (7, 8), (8, 12), (12, 16), (18, 19), (16, 18)]
)
def test_stretches_end_at_stops_multiples_and_the_end(step, stop):
    assert loop.next_stop(step, 19, stops=(0, 7), every=(4, 6, 0)) == stop


def regression(scaling=False):
    keras.utils.set_random_seed(5)
    inputs = {
        "x": keras.Input((LENGTH,), name="x"),
        "padding_mask": keras.Input((LENGTH,), dtype="bool", name="padding_mask"),
    }
    model = keras.Model(inputs, keras.layers.Dense(1, name="out")(inputs["x"]))
    settings = OptimizerSection(learning_rate=0.05, warmup_share=0.2)
    optimizer = build_optimizer(model, settings, total_steps=20, loss_scaling=scaling)
    model.compile(optimizer=optimizer, loss="mse", run_eagerly=True, auto_scale_loss=False)
    return model


def batch(number, bad=None):
    rng = np.random.default_rng(number)
    x = rng.normal(size=(ROWS, LENGTH)).astype("float32")
    y = (x.sum(axis=1, keepdims=True) * 2 + (np.nan if number == bad else 0)).astype("float32")
    return {"x": x, "padding_mask": np.ones((ROWS, LENGTH), bool)}, y


def silent_meter(**more):
    return progress.Meter(progress.tqdm(file=io.StringIO()), **more)


def weights(model):
    return [keras.ops.convert_to_numpy(v) for v in model.trainable_variables]


def test_the_same_weights_and_averages_as_one_batch_at_a_time():
    model, twin = regression(), regression()
    losses = [float(twin.train_on_batch(*batch(n), return_dict=True)["loss"]) for n in range(3, 17)]
    found = list(loop.stretches(model, batch, silent_meter(), step=3, total=17, every=(5, 6)))
    assert [(s.step, s.count) for s in found] == [
        (5, 2),
        (6, 1),
        (10, 4),
        (12, 2),
        (15, 3),
        (17, 2),
    ]
    for stretch in found:
        expected = np.mean(losses[stretch.step - stretch.count - 3 : stretch.step - 3])
        assert stretch.logs["loss"] == pytest.approx(expected, rel=1e-5)
    for one, other in zip(weights(model), weights(twin), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-6)


@pytest.mark.parametrize("waits", [True, False])
def test_a_loss_that_is_no_number_stops_the_run_and_names_the_step(monkeypatch, waits):
    monkeypatch.setattr(loop, "on_processor", lambda: waits)
    model, good = regression(), []
    stretches = loop.stretches(
        model, lambda n: batch(n, bad=13), silent_meter(), step=0, total=20, every=(5,)
    )
    with pytest.raises(loop.NonFiniteLossError, match="not finite at step 14 ") as caught:
        for stretch in stretches:
            good.append(stretch.step)
    message = str(caught.value)
    assert good == [5, 10] and "\n" not in message
    assert "batch 13" in message and "learning rate" in message
    assert "first weight that is no number" in message and "out/" in message


def test_an_error_in_the_data_comes_out_as_it_is():
    def make(number):
        if number == 3:
            raise KeyError("row 7")
        return batch(number)

    model = regression()
    before = weights(model)
    with pytest.raises(KeyError, match="row 7"):
        list(loop.stretches(model, make, silent_meter(), step=0, total=9))
    assert not np.array_equal(weights(model)[0], before[0])


def test_speed_without_the_first_step_of_every_shape(monkeypatch):
    clock = types.SimpleNamespace(now=100.0)
    monkeypatch.setattr(progress.time, "perf_counter", lambda: clock.now)
    meter = silent_meter(operations=lambda inputs: 1000 * inputs["padding_mask"].size, peak=50000.0)

    def make(number):
        mask = np.zeros((2, 10 if number < 4 else 5), bool)
        mask[:, : 4 if number < 4 else 3] = True
        return {"padding_mask": mask}, None

    watched = meter.watch(make)
    for first, seconds in ((0, (9, 1, 1, 2)), (4, (30, 4))):
        meter.begin(first)
        for number, passed in enumerate(seconds, start=first):
            watched(number)
            clock.now += passed
            meter.stepped(number, 1.0)
        meter.end(first + len(seconds), 1.0, shown=True)
        clock.now += 1000  # a checkpoint, say
    # Steps 1, 2, 3 took 4 s and hold 20 places, 8 of them tokens; step 5 took 4 s, 10 and 6.
    rates = meter.rates()
    assert rates["padded_tokens_per_second"] == pytest.approx((3 * 20 + 10) / 8, abs=0.06)
    assert rates["tokens_per_second"] == pytest.approx((3 * 8 + 6) / 8, abs=0.06)
    assert rates["mfu"] == pytest.approx(1000 * 70 / 8 / 50000, abs=1e-4)
    assert meter.rates(recent=True) == rates and meter.rates(recent=True) == {}
    assert "tokens/s, MFU 18%" in meter.bar.postfix


def test_early_stop_keeps_the_best_weights_and_its_patience_in_a_checkpoint():
    model, state = regression(), {}
    stopper = EarlyStop(model, 2, state)
    kept = []
    for step, figure in ((3, 2.0), (6, 1.5), (9, 1.7), (12, 1.5)):
        assert not stopper.stopped
        for variable in model.trainable_variables:
            variable.assign(variable + step)
        kept.append(weights(model))
        stopper.look(step, figure)
        stopper = EarlyStop(model, 2, state, stopper.best)
    assert stopper.stopped and stopper.take_best() == 6
    assert all(np.array_equal(*pair) for pair in zip(weights(model), kept[1], strict=True))
    never = EarlyStop(model, 0, {})
    never.look(1, 0.0)
    assert not never.stopped and never.take_best() is None


def test_curves_for_tensorboard_hold_no_step_twice(tmp_path):
    pytest.importorskip("tensorflow")
    rows = [{"step": step, "loss": 8.0 / step, "note": "no number"} for step in (1, 2, 4)]
    log = ScalarLog(tmp_path, rows)
    log.close()
    # The run was killed after its checkpoint at step 2.
    log = ScalarLog(tmp_path, rows[:2])
    log.add({"step": 3, "loss": 5.0, "mfu": 0.5})
    log.close()
    assert read_scalars(tmp_path) == {"loss": [(1, 8.0), (2, 4.0), (3, 5.0)], "mfu": [(3, 0.5)]}
