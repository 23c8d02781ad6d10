import dataclasses

import pytest

from bert_keras.models import PRESETS, BertConfig, count_parameters, preset


@pytest.mark.parametrize(
    ("size", "parameters"),
    [
        ("tiny", 4_385_920),
        ("mini", 11_170_560),
        ("small", 28_763_648),
        ("medium", 41_373_184),
        ("base", 109_482_240),
        ("large", 335_141_888),
        ("chinese_base", 102_267_648),
        ("multilingual_base", 177_853_440),
    ],
)
def test_released_sizes(size, parameters):
    assert count_parameters(PRESETS[size]) == parameters


def test_base_by_hand():
    embeddings = (30522 + 512 + 2) * 768 + 2 * 768
    block = 4 * (768 * 768 + 768) + 2 * (2 * 768) + (768 * 3072 + 3072) + (3072 * 768 + 768)
    assert embeddings + 12 * block + 768 * 768 + 768 == count_parameters(PRESETS["base"])


def test_sizes_are_frozen_and_can_be_changed_on_the_way_out():
    with pytest.raises(dataclasses.FrozenInstanceError):
        PRESETS["tiny"].num_layers = 5
    config = preset("tiny", vocabulary_size=77, dropout=0.0)
    assert (config.vocabulary_size, config.dropout, config.hidden_dim) == (77, 0.0, 128)
    assert PRESETS["tiny"].vocabulary_size == 30522


def test_unknown_and_impossible_sizes():
    with pytest.raises(ValueError, match=r"'smal'.*'small'"):
        preset("smal")
    with pytest.raises(ValueError, match=r"10.*3"):
        BertConfig(7, num_layers=1, num_heads=3, hidden_dim=10, intermediate_dim=4)
