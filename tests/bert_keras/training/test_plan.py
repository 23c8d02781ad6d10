import json
from dataclasses import replace

import pytest

from bert_keras.__main__ import main
from bert_keras.models import BertBackbone, BertPretrainer
from bert_keras.training.config import ConfigError
from bert_keras.training.plan import Sizes, memory, parameters, plan, sizes, step_flops
from bert_keras.training.sections import PretrainConfig

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
    assert full["weights"] == half["weights"] == 4 * sum(parameters(ODD).values())
    assert full["optimizer"] == 2 * full["weights"]
    assert half["activations"] * 2 == full["activations"]
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
