import numpy as np

from bert_keras.text.masked_lm import KEPT, MASKED, RANDOM, UNUSED, MaskedBatch
from bert_keras.text.vocabulary import SPECIAL_TOKENS, Vocabulary
from bert_keras.training import evaluate

VOCABULARY = Vocabulary([*SPECIAL_TOKENS, *"abcd"])
PAD, UNK, CLS, SEP, MASK = range(5)


class Fixed:
    """A model that favours the last token and, for every other row, the second class."""

    def predict_on_batch(self, inputs):
        rows, slots = inputs["mask_positions"].shape
        mlm_logits = np.zeros((rows, slots, 9), "float32")
        mlm_logits[..., 8] = 2.0
        nsp_logits = np.stack([np.zeros(rows), inputs["segment_ids"][:, 0] - 0.5], axis=1)
        return {"mlm_logits": mlm_logits, "nsp_logits": nsp_logits}


def example():
    token_ids = np.array(
        [[CLS, MASK, 6, SEP, PAD], [CLS, MASK, MASK, 8, SEP], [CLS, 5, 7, MASK, SEP]]
    )
    inputs = {
        "token_ids": token_ids,
        "segment_ids": np.array([[0] * 5, [1] * 5, [1] * 5]),
        "mask_positions": np.array([[1, 2], [1, 2], [3, 0]]),
    }
    masked = MaskedBatch(
        token_ids=token_ids,
        mask_positions=inputs["mask_positions"],
        mask_ids=np.array([[8, 6], [5, 8], [7, 0]]),
        mask_weights=np.array([[1, 1], [1, 1], [1, 0]]),
        treatment=np.array([[MASKED, KEPT], [MASKED, MASKED], [MASKED, UNUSED]]),
    )
    return inputs, masked


def test_losses_and_relation_by_hand_with_a_filled_up_last_batch():
    inputs, masked = example()
    seen = []
    loss, correct = evaluate.score_pretrainer(
        Fixed(), inputs, masked, np.array([0, 1, 0]), batch_size=2, progress=seen.append
    )
    total = np.log(8 + np.exp(2))
    np.testing.assert_allclose(loss[:, 0], [total - 2, total, total], rtol=1e-6)
    np.testing.assert_allclose(loss[:2, 1], [total, total - 2], rtol=1e-6)
    assert correct.tolist() == [True, True, False]
    assert seen == [2, 1]


def test_neighbours_are_those_the_model_sees():
    inputs, masked = example()
    left, right, word = evaluate.neighbours(inputs, masked, VOCABULARY)
    assert word.tolist() == [8, 5, 8, 7]
    assert left.tolist() == [SEP, SEP, -1, 7]  # [CLS] counts as an edge, [MASK] as unknown
    assert right.tolist() == [6, -1, 8, SEP]
    assert not (masked.treatment == RANDOM).any()
