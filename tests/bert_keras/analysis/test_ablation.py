import numpy as np
import numpy_bert
import pytest
from keras import ops

from bert_keras.analysis.ablation import head_ablation, heads_off, masked_states
from bert_keras.models import BertBackbone

SIZES = {"num_layers": 2, "num_heads": 3, "hidden_dim": 12, "intermediate_dim": 20}


@pytest.fixture(scope="module")
def backbone():
    model = BertBackbone(numpy_bert.V, **SIZES, max_sequence_length=numpy_bert.T)
    rng = np.random.default_rng(0)
    for variable in model.variables:
        variable.assign(rng.normal(scale=0.4, size=variable.shape))
    return model


@pytest.fixture(scope="module")
def batch():
    return numpy_bert.random_batch()


def test_a_head_is_switched_off_before_the_projection():
    rng = np.random.default_rng(0)
    found = rng.normal(size=(2, 4, 3, 5)).astype("float32")
    kernel = rng.normal(size=(3, 5, 7)).astype("float32")
    bias = rng.normal(size=7).astype("float32")
    mask = np.array([1, 0, 0.25], "float32")
    wanted = bias + sum(mask[n] * found[:, :, n] @ kernel[n] for n in range(3))
    np.testing.assert_allclose(head_ablation(found, kernel, bias, mask), wanted, atol=1e-5)


def test_the_masked_model_is_the_model(backbone, batch):
    inputs = {name: batch[name] for name in ("token_ids", "segment_ids", "padding_mask")}
    states = backbone.all_states(inputs)["hidden_states"]
    for first in (0, 1):
        found = masked_states(
            backbone, states[first], inputs["padding_mask"], [None] * (2 - first), first
        )
        np.testing.assert_allclose(found, states[-1], atol=1e-5)


def test_heads_off_equals_the_mask_and_is_undone(backbone, batch):
    inputs = {name: batch[name] for name in ("token_ids", "segment_ids", "padding_mask")}
    before = [np.array(variable) for variable in backbone.variables]
    whole = np.array(backbone(inputs)["sequence_output"])
    start = backbone.all_states(inputs)["hidden_states"][0]
    masks = np.ones((2, 3), "float32")
    masks[0, 1] = masks[1, 0] = masks[1, 2] = 0
    wanted = masked_states(backbone, start, inputs["padding_mask"], list(ops.array(masks)))
    rows = [ops.array(np.tile(mask, (len(inputs["token_ids"]), 1))) for mask in masks]
    by_row = masked_states(backbone, start, inputs["padding_mask"], rows)
    np.testing.assert_allclose(by_row, wanted, atol=1e-6)
    with heads_off(backbone, [(1, 2), (2, 1), (2, 3)]):
        found = np.array(backbone(inputs)["sequence_output"])
    np.testing.assert_allclose(found, wanted, atol=1e-5)
    assert np.abs(found - whole).max() > 0.05
    with pytest.raises(KeyError), heads_off(backbone, [(1, 1)]):
        raise KeyError("whatever happens inside")
    for variable, value in zip(backbone.variables, before, strict=True):
        np.testing.assert_array_equal(variable, value)


@pytest.mark.parametrize("head", [(0, 1), (3, 1), (1, 4)])
def test_a_head_that_is_not_there(backbone, head):
    with (
        pytest.raises(ValueError, match=f"no head {head[0]}-{head[1]}"),
        heads_off(backbone, [head]),
    ):
        pass
