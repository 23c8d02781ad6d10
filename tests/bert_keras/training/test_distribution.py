"""Several devices or processes train what one would: the same losses, the same weights.

Devices are simulated, and processes run on this machine: what is shown is that the arithmetic is
right, not how fast it is. Every run is a process of its own, see distributed_steps.py.
"""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import keras
import numpy as np
import pytest

from bert_keras.training import distribution
from bert_keras.training.config import ConfigError, load
from bert_keras.training.finetune_sections import FinetuneConfig
from bert_keras.training.layouts import layout_of
from bert_keras.training.sections import DistributionSection, PretrainConfig

SCRIPT = Path(__file__).with_name("distributed_steps.py")
FOUR = "--xla_force_host_platform_device_count=4"


def free_port():
    """A port that is free, as is the one above it."""
    while True:
        with socket.socket() as first, socket.socket() as second:
            first.bind(("127.0.0.1", 0))
            port = first.getsockname()[1]
            try:
                second.bind(("127.0.0.1", port + 1))
            except OSError:
                continue
            return port


def start(backend, out, *sections, flags=""):
    environment = os.environ | {"KERAS_BACKEND": backend, "XLA_FLAGS": flags}
    command = [sys.executable, str(SCRIPT), str(out), *map(json.dumps, sections)]
    return subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def finish(process, out):
    """What a run found, one dict for each section, and whether it writes files."""
    try:
        said, errors = process.communicate(timeout=900)
    finally:
        process.kill()
    assert process.returncode == 0, errors[-2000:]
    runs = {}
    with np.load(out) as file:
        for name in file.files:
            number, _, key = name.partition("/")
            runs.setdefault(int(number), {})[key] = file[name]
    # Libraries write to standard output, too; the last line is ours.
    return [runs[number] for number in sorted(runs)], said.splitlines()[-1] == "main"


def assert_same_training(found, expected):
    """Losses within 1e-5, weights after four updates within 1e-5, each the size of 0.01."""
    for name in ("loss", "mlm_loss", "nsp_loss", "norm", "moments"):
        np.testing.assert_allclose(found[name], expected[name], rtol=1e-5, err_msg=name)
    weights = {name for name in expected if name.startswith("bert_")}
    assert weights and weights <= set(found)
    for name in weights | {"logits"}:
        np.testing.assert_allclose(found[name], expected[name], atol=1e-5, err_msg=name)


@pytest.fixture(scope="module")
def one_and_four(tmp_path_factory):
    """One device, four with a copy each, and two pairs that share a copy; all fed step by step."""
    pytest.importorskip("jax")
    out = tmp_path_factory.mktemp("four") / "out.npz"
    sections = {}, {"strategy": "data"}, {"strategy": "model", "model_parallel": 2}
    runs, is_main = finish(start("jax", out, *sections, flags=FOUR), out)
    assert is_main
    return runs


def test_the_test_would_notice(one_and_four):
    """Training moves the weights by far more than the tolerance, and clipping is in force."""
    one = one_and_four[0]
    assert one["devices"] == 0 and one["divided"] == 0 and one["norm"] > 0.5
    losses = one["mlm_loss"]
    assert len(losses) == 4 and np.ptp(losses) > 1e-3


def test_data_parallel_on_four_devices(one_and_four):
    one, data, _ = one_and_four
    assert data["devices"] == 4 and data["divided"] == 0
    assert_same_training(data, one)


def test_model_parallel_two_by_two(one_and_four):
    one, _, model = one_and_four
    # Token table and its bias; of the block 4 kernels and 3 biases of attention, 2 and 1 of the
    # feed-forward network.
    assert model["devices"] == 4 and model["divided"] == 12
    assert_same_training(model, one)


def test_two_processes(one_and_four, tmp_path):
    """Each feeds its half of every batch; the result is that of one process, in both of them."""
    section = {"strategy": "data", "coordinator": f"127.0.0.1:{free_port()}", "processes": 2}
    outs = [tmp_path / "main.npz", tmp_path / "other.npz"]
    running = [start("jax", outs[n], section | {"process": n}) for n in range(2)]
    try:
        results = [finish(process, out) for process, out in zip(running, outs, strict=True)]
    finally:
        for process in running:
            process.kill()
            process.wait()
    assert [is_main for _, is_main in results] == [True, False]
    for (found,), _ in results:
        assert found["devices"] == 2
        assert_same_training(found, one_and_four[0])


@pytest.mark.slow
def test_by_fit_and_across_processes_that_share_one_copy(tmp_path):
    pytest.importorskip("jax")
    out = tmp_path / "out.npz"
    sections = [{"fit": True}, {"strategy": "data", "fit": True}]
    one, data = finish(start("jax", out, *sections, flags=FOUR), out)[0]
    assert_same_training(data, one)
    shared = {"strategy": "model", "model_parallel": 2, "processes": 2, "fit": True}
    shared["coordinator"] = f"127.0.0.1:{free_port()}"
    outs = [tmp_path / "main.npz", tmp_path / "other.npz"]
    running = [start("jax", outs[n], shared | {"process": n}) for n in range(2)]
    try:
        for process, out in zip(running, outs, strict=True):
            (found,), _ = finish(process, out)
            assert_same_training(found, one)
    finally:
        for process in running:
            process.kill()
            process.wait()


@pytest.mark.slow
def test_mirrored_on_two_logical_processors(tmp_path):
    out = tmp_path / "out.npz"
    data = {"strategy": "data"}
    sections = {"logical": 2}, data, {"fit": True}, data | {"fit": True}
    one, two, one_by_fit, two_by_fit = finish(start("tensorflow", out, *sections), out)[0]
    assert two["devices"] == two_by_fit["devices"] == 2
    assert_same_training(two, one)
    assert_same_training(two_by_fit, one_by_fit)


def refused(section, words, then=lambda where: None):
    with (
        pytest.raises(distribution.DistributionError) as found,
        distribution.scope(DistributionSection(**section)) as where,
    ):
        then(where)
    message = str(found.value)
    assert words in message and "\n" not in message


on_tensorflow = pytest.mark.skipif(
    keras.backend.backend() != "tensorflow", reason="what the TensorFlow backend refuses"
)


@on_tensorflow
@pytest.mark.parametrize(
    ("section", "words"),
    [
        ({"strategy": "model", "model_parallel": 2}, "KERAS_BACKEND=jax"),
        ({"strategy": "data", "coordinator": "10.0.0.1:8476"}, "KERAS_BACKEND=jax"),
        ({"strategy": "data", "processes": 2}, "several processes would do nothing"),
        ({"strategy": "data", "devices": 999}, "distribution.devices is 999, but there are 1"),
        ({"processes": 2}, 'need distribution.strategy = "data"'),
    ],
)
def test_what_would_do_nothing_is_refused(section, words):
    refused(section, words)


@on_tensorflow
def test_mirrored_needs_adopting_and_no_xla():
    section = {"strategy": "data", "devices": 1}
    refused(section, "adopt(model)", then=lambda where: where.shard({"x": np.zeros((4, 2))}))
    model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse", jit_compile=True)
    refused(section, "training.jit_compile", then=lambda where: where.adopt(model))


def test_without_distribution_nothing_changes():
    batch = {"x": np.arange(6).reshape(3, 2)}
    model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
    with distribution.scope(DistributionSection()) as where:
        assert where.is_main and where.devices == () and where.agree(1.5) == 1.5
        assert where.local(model) is model is where.adopt(model)
        np.testing.assert_array_equal(where.shard(batch)["x"], batch["x"])
    np.testing.assert_array_equal(
        distribution.to_numpy(model.trainable_variables[0]), model.get_weights()[0]
    )


def test_a_batch_is_cut_by_rows_and_only_evenly():
    where = distribution.Scope(replicas=4, _feeds=(1, 2))
    batch = {"x": np.arange(16).reshape(8, 2), "y": np.arange(8)}
    part = where.shard(batch)
    np.testing.assert_array_equal(part["x"], batch["x"][4:])
    np.testing.assert_array_equal(part["y"], [4, 5, 6, 7])
    with pytest.raises(distribution.DistributionError, match="batch of 6 rows"):
        where.shard({"x": np.zeros((6, 2))})


@pytest.mark.parametrize(
    ("path", "shape", "expected"),
    [
        ("encoder_block_0/self_attention/query/kernel", (8, 12), (None, "model")),
        ("encoder_block_0/self_attention/value/bias", (12,), ("model",)),
        ("encoder_block_0/self_attention/output/kernel", (12, 8), ("model", None)),
        ("encoder_block_0/self_attention/output/bias", (8,), (None,)),
        ("encoder_block_1/feed_forward/intermediate/kernel", (8, 10), (None, "model")),
        ("encoder_block_1/feed_forward/output/kernel", (10, 8), ("model", None)),
        ("embeddings/token_embedding/embeddings", (30, 8), ("model", None)),
        ("embeddings/token_embedding/embeddings", (31, 8), (None, "model")),
        ("embeddings/position_embedding/embeddings", (4, 8), (None, None)),
        ("self_attention_layer_norm/gamma", (8,), (None,)),
    ],
)
def test_layouts(path, shape, expected):
    assert layout_of(f"bert_backbone/{path}", shape, 2) == expected


def test_layouts_of_the_output_bias_follow_the_table():
    assert layout_of("bert_pretrainer/masked_lm_head/output_bias", (30,), 2) == ("model",)
    assert layout_of("bert_pretrainer/masked_lm_head/output_bias", (31,), 2) == (None,)


def test_what_cannot_be_divided_is_refused():
    with pytest.raises(distribution.DistributionError, match="must divide 9, an axis of a/feed"):
        layout_of("a/feed_forward/intermediate/kernel", (8, 9), 2)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (["strategy=both"], "must be none, data or model, not 'both'"),
        (["strategy=data", "model_parallel=2"], 'needs distribution.strategy = "model"'),
        (["strategy=model", "model_parallel=2", "devices=3"], "divide distribution.devices (3)"),
        (["strategy=model", "model_parallel=0"], "must be at least 1"),
        (["strategy=data", "devices=3"], "training.batch_size (32) must be a multiple of the 3"),
        (["strategy=model", "model_parallel=3"], "must divide model.num_heads (2)"),
        (["devices=-1"], "must not be negative"),
    ],
)
def test_settings_that_cannot_work(tmp_path, changes, words):
    path = tmp_path / "run.toml"
    path.write_text("", encoding="utf-8")
    with pytest.raises(ConfigError) as found:
        load(PretrainConfig, path, [f"distribution.{change}" for change in changes])
    assert words in str(found.value)


def test_both_kinds_of_runs_take_the_section(tmp_path):
    path = tmp_path / "run.toml"
    path.write_text('[distribution]\nstrategy = "model"\ndevices = 4\nmodel_parallel = 2\n')
    for kind in (PretrainConfig, FinetuneConfig):
        assert load(kind, path).distribution.model_parallel == 2
