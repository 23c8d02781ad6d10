from dataclasses import asdict

import pytest

from bert_keras.checkpoints.names import convert_name, entries
from bert_keras.models.presets import preset


@pytest.mark.parametrize("prefix", ["", "bert."])
def test_every_tensor_of_an_encoder_finds_its_place(prefix):
    wanted = entries(asdict(preset("base")), ["encoder"])
    assert len(wanted) == 5 + 12 * 16 + 2
    for entry in wanted:
        place = entry.ours, entry.huggingface_transposed
        assert convert_name(prefix + entry.huggingface) == place
        old = entry.huggingface.replace("LayerNorm.weight", "LayerNorm.gamma")
        assert convert_name(prefix + old.replace("LayerNorm.bias", "LayerNorm.beta")) == place


@pytest.mark.parametrize(
    "name",
    [
        "bert.embeddings.position_ids",
        "embeddings.position_ids",
        "cls.predictions.bias",
        "bert/encoder/layer_0/output/dense/kernel/adam_m",
        "bert.pooler.dense.weight/adam_v",
        "global_step",
    ],
)
def test_what_an_encoder_does_not_take(name):
    assert convert_name(name) is None


@pytest.mark.parametrize(
    "name",
    [
        "classifier.weight",
        "bert.encoder.layer.x.output.dense.weight",
        "encoder.layer.0.attention.self.query.gamma",
        "embeddings.word_embeddings.bias",
        "pooler.dense.beta",
        "",
    ],
)
def test_other_names_are_refused(name):
    with pytest.raises(ValueError, match="BERT"):
        convert_name(name)
