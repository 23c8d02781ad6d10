import json
import math
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from bert_keras.__main__ import main
from bert_keras.models import BertBackbone, BertPretrainer
from bert_keras.training.config import ConfigError
from bert_keras.training.layouts import layout_of
from bert_keras.training.plan import (
    HELD,
    Sizes,
    memory,
    parameters,
    parameters_of_device,
    plan,
    sizes,
    step_flops,
)
from bert_keras.training.sections import DistributionSection, PretrainConfig

ODD = Sizes(V=37, D=6, N=3, F=10, L=2, S=9, B=4, T=9, P=2)


def test_parameters_are_those_of_the_model():
    backbone = BertBackbone(37, 2, 3, 6, 10, max_sequence_length=9)
    model = BertPretrainer(backbone)
    counts = parameters(ODD)
    assert counts["embeddings"] == backbone.embeddings.count_params()
    assert counts["encoder"] == sum(block.count_params() for block in backbone.encoder_blocks)
    assert counts["pooler"] == backbone.pooler.count_params()
    assert sum(counts.values()) == model.count_params()


def test_the_papers_count_of_base():
    """BERT-base has 110 million parameters, its encoder with embeddings and pooler 109.5."""
    base = Sizes(V=30522, D=768, N=12, F=3072, L=12, S=512, B=1, T=128, P=20)
    counts = parameters(base)
    assert sum(counts[part] for part in ("embeddings", "encoder", "pooler")) == 109_482_240


def test_operations_of_a_step_one_product_at_a_time():
    def product(a, b, c):
        return 2 * a * b * c

    tokens, rows = 4 * 9, 4
    block = 4 * product(tokens, 6, 6) + product(tokens, 6, 10) + product(tokens, 10, 6)
    block += rows * 3 * (product(9, 2, 9) + product(9, 9, 2))  # each head: scores, weighted sum
    heads = product(4 * 2, 6, 6) + product(4 * 2, 6, 37)
    pair = product(4, 6, 6) + product(4, 6, 2)
    assert step_flops(ODD) == 3 * (2 * block + heads + pair)


def test_memory_follows_precision_accumulation_and_length():
    full, half = memory(ODD), memory(ODD, "mixed_bfloat16")
    assert full["weights"] == 4 * sum(parameters(ODD).values())
    assert half["weights"] == 6 * sum(parameters(ODD).values())  # float32, and a copy to use
    assert full["optimizer"] == half["optimizer"] == 2 * full["weights"]
    assert half["activations"] * 2 == pytest.approx(full["activations"], abs=2)
    assert memory(ODD, accumulating=True)["gradients"] == 2 * full["gradients"]
    longer = memory(replace(ODD, T=18))["activations"]
    assert longer > 2 * full["activations"]  # scores grow with the square


def test_a_plan_of_the_default_run(tmp_path, capsys):
    config = tmp_path / "run.toml"
    config.write_text("[training]\nbatch_size = 4\nsteps = 10\n")
    assert main(["plan", str(config), "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["run"]["tokens"] == 10 * 4 * 64
    assert result["bytes"]["all"] == sum(v for k, v in result["bytes"].items() if k != "all")
    assert main(["plan", str(config)]) == 0
    said = capsys.readouterr().out
    assert f"{result['parameters']['all']:,}" in said and "estimated" in said


def test_sizes_count_predictions_as_training_does():
    assert sizes(PretrainConfig()).P == 9  # 15 % of 64 - 3
    assert plan(PretrainConfig())["step"]["tokens"] == 32 * 64


def test_an_unknown_precision_is_refused():
    with pytest.raises(ConfigError, match="'float64'; a plan knows float32"):
        memory(ODD, "float64")


def test_dropout_keeps_its_masks():
    """Four bytes for each choice of three layers of a block, and thinned-out attention weights."""
    more = memory(ODD, dropout=0.1)["activations"] - memory(ODD)["activations"]
    assert more == pytest.approx(HELD * 2 * 4 * 9 * 4 * (2 * 6 + 2 * 3 * 9), abs=2)


@pytest.mark.parametrize("tokens", [37, 38])
def test_a_device_of_a_pair_holds_what_the_layouts_say(tokens):
    even = replace(ODD, V=tokens, N=2)
    model = BertPretrainer(BertBackbone(tokens, 2, 2, 6, 10, max_sequence_length=9))
    expected = 0
    for variable in model.trainable_variables:
        divided = "model" in layout_of(variable.path, tuple(variable.shape), 2)
        expected += math.prod(variable.shape) // (2 if divided else 1)
    assert parameters_of_device(even, 2) == expected
    assert parameters_of_device(even, 1) == model.count_params()


def test_devices_share_rows_or_the_model():
    even = replace(ODD, V=38, N=2)
    one, two = memory(even), memory(even, replicas=2)
    assert two["activations"] * 2 == pytest.approx(one["activations"], abs=2)
    assert two["vocabulary"] * 2 == one["vocabulary"]
    assert two["weights"] == one["weights"]
    pair = memory(even, shared=2)
    assert pair["optimizer"] == 2 * 4 * parameters_of_device(even, 2) < one["optimizer"]
    assert one["activations"] / 2 < pair["activations"] < one["activations"]
    assert pair["vocabulary"] * 2 == one["vocabulary"]


def test_time_follows_from_speed_and_devices():
    section = DistributionSection(strategy="model", devices=8, model_parallel=2)
    result = plan(replace(PretrainConfig(), distribution=section), flops_per_second=1e9)
    assert result["devices"] == {"count": 8, "copies": 4, "share_a_copy": 2}
    assert result["step"]["seconds"] == result["step"]["flops"] / 8e9
    assert result["run"]["seconds"] == pytest.approx(1000 * result["step"]["seconds"])


def test_short_rows_cost_less():
    config = PretrainConfig()
    full = plan(config)["run"]
    training = replace(config.training, short_length=16, short_share=0.5)
    short = plan(replace(config, training=training))["run"]
    assert short["tokens"] == full["tokens"] and short["flops"] < full["flops"]


def test_both_ways_to_name_the_configuration(tmp_path, capsys):
    config = tmp_path / "run.toml"
    config.write_text('[distribution]\nstrategy = "data"\ndevices = 4\n')
    said = []
    for words in ([str(config)], ["--config", str(config)]):
        assert main(["plan", *words, "--flops", "2e12", "--mfu", "0.25"]) == 0
        said.append(capsys.readouterr().out)
    assert said[0] == said[1] and "4 copies of the model" in said[0] and "3.5 seconds" in said[0]
    assert main(["plan"]) == 2
    assert "name one configuration" in capsys.readouterr().err
    assert main(["plan", str(config), "--mfu", "2"]) == 2
    assert "--mfu lies between 0 and 1" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        {"L": 2, "D": 128, "N": 2, "F": 512, "V": 8000, "B": 32, "T": 128, "P": 19},
        {
            "L": 4,
            "D": 256,
            "N": 4,
            "F": 1024,
            "V": 8000,
            "B": 16,
            "T": 128,
            "P": 19,
            "dropout": 0.1,
        },
        {"L": 2, "D": 128, "N": 2, "F": 512, "V": 8000, "B": 8, "T": 384, "P": 57, "dropout": 0.1},
    ],
    ids=["tiny", "mini, dropout", "tiny, long rows, dropout"],
)
@pytest.mark.skipif(sys.platform != "linux", reason="the high-water mark is Linux's")
def test_the_estimate_beside_a_real_step(options):
    """On TensorFlow with XLA; docs/scaling.md states how far they are apart."""
    script = Path(__file__).with_name("peak_memory.py")
    environment = os.environ | {"KERAS_BACKEND": "tensorflow"}
    done = subprocess.run(
        [sys.executable, str(script), json.dumps(options)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    result = json.loads(done.stdout.splitlines()[-1])
    print(result)
    assert 0.75 < result["measured"] / result["planned"] < 1.33
