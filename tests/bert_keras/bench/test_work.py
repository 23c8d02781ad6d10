from dataclasses import replace

import numpy as np
import pytest

from bert_keras.bench.work import DISTINCT_BATCHES, Work, flops, parameters
from bert_keras.models.presets import count_parameters, preset
from bert_keras.training import plan


def test_operations_counted_by_hand(small):
    # Per block and token: query, key, value, output 4·(2·4·4) = 128; feed-forward 2·(2·4·5) = 80;
    # scores and mixture 2·(2·7·4) = 112. Two blocks of 14 tokens: 2·14·320 = 8,960.
    encoder, pooler = 8960, 2 * 2 * 4 * 4
    assert flops(replace(small, op="infer")) == encoder + pooler
    # Six predicted tokens: dense 2·4·4 = 32 and decoder 2·4·11 = 88 each; pairs 2·(2·4·2) = 32.
    assert flops(small) == 3 * (encoder + pooler + 6 * (32 + 88) + 32)


@pytest.mark.parametrize("size", ["tiny", "base"])
def test_operations_follow_the_usual_formula_and_the_plan(size):
    sizes = preset(size)
    rows, length, slots = 8, 128, 20
    layers, d, v = sizes.num_layers, sizes.hidden_dim, sizes.vocabulary_size
    work = Work(size, "train", rows, length, slots, v, layers, sizes.num_heads, d, 4 * d)
    textbook = (
        6 * 12 * layers * d**2 * rows * length
        + 12 * layers * length * d * rows * length
        + 6 * (d**2 + d * v) * rows * slots
        + 6 * d**2 * rows
    )
    pair_head = 12 * d * rows  # what the textbook's formula leaves out
    assert flops(work) == textbook + pair_head
    same = {"V": v, "D": d, "N": sizes.num_heads, "F": 4 * d, "L": layers, "S": 512}
    assert flops(work) == plan.step_flops(plan.Sizes(**same, B=rows, T=length, P=slots))


def test_weights_counted_in_two_ways(small):
    # Embeddings (11 + 9 + 2)·4 + 8 = 96; a block 4·20 + 2·8 + 25 + 24 = 145; pooler 20; heads
    # 20 + 8 + 11 and 10.
    assert parameters(replace(small, op="infer")) == 96 + 2 * 145 + 20
    assert parameters(small) == 96 + 2 * 145 + 20 + 39 + 10
    sizes = preset("base")
    base = Work("base", "infer", 1, 8, 1, sizes.vocabulary_size, 12, 12, 768, 3072)
    assert parameters(base) == count_parameters(sizes) == 109_482_240


def test_batches_repeat_in_every_process_and_not_within_a_cycle(small):
    inputs, targets = small.batch(1)
    again, _ = Work.from_dict(small.as_dict()).batch(1 + DISTINCT_BATCHES)
    np.testing.assert_array_equal(inputs["token_ids"], again["token_ids"])
    different = {small.batch(n)[0]["token_ids"].tobytes() for n in range(DISTINCT_BATCHES)}
    assert len(different) == DISTINCT_BATCHES
    assert inputs["token_ids"].shape == (2, 7) and inputs["token_ids"].dtype == np.int32
    assert inputs["token_ids"].min() >= 5 and inputs["token_ids"].max() < 11
    assert inputs["padding_mask"].dtype == bool and inputs["padding_mask"].all()
    positions = inputs["mask_positions"]
    assert positions.shape == targets["mask_ids"].shape == targets["mask_weights"].shape == (2, 3)
    assert positions.min() >= 1 and positions.max() < 7
    assert all(len(set(row)) == 3 for row in positions.tolist())
    assert targets["mask_weights"].all()
