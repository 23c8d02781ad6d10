"""Notebook ch04b, exercise 2: the loss of a causal language model."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch01a_2_rnn import works_in_training
from autograder.exercises.ch04b_lm_mistakes import LM_LOSS
from autograder.exercises.common import gradients, normal, real_tokens
from autograder.expectations import expect
from autograder.messages import Text
from autograder.oracles.gpt_losses import causal_lm_loss as oracle
from autograder.oracles.gpt_losses import causal_lm_loss_gradient

NOTEBOOK = "ch04b_gpt"
EOS = 0  # also fills the padding
PIECES = "bert_keras.models.gpt_pieces"
OPS = {"ops": "autograder.stand_ins.ch01a_seq2seq:plain_ops"}

causal_lm_loss = Exercise(
    "causal_lm_loss",
    notebook=NOTEBOOK,
    points=5,
    forbids=(f"{PIECES}.causal_lm_loss", f"{PIECES}.gpt_finetune_loss"),
    needs=OPS,
)


def some_text(rng, lengths, width, size, end=False):
    """Logits far from even, ids and mask; [EOS] fills the padding and, if asked, ends each row."""
    mask = real_tokens(lengths, width)
    token_ids = rng.integers(1, size, mask.shape).astype(np.int32)
    token_ids[~mask] = EOS
    if end:
        token_ids[np.arange(len(lengths)), np.asarray(lengths) - 1] = EOS
    return 1.7 * normal(rng, *mask.shape, size), token_ids, mask


@causal_lm_loss.case(
    points=1,
    zh="没有填充：每个位置预测下一个词元；logits 相差几百也行",
    en="no padding: every position predicts the next token, and logits may be hundreds apart",
)
def no_padding(student, rng):
    """All sizes differ; a single row; as many rows as tokens; then a token that is far behind."""
    for batch, length in ((3, 6), (1, 5), (4, 4)):
        inputs = some_text(rng, (length,) * batch, length, 7)
        expect(student(*inputs)).equals(oracle(*inputs))
    logits, ids, mask = some_text(rng, (4, 4), 4, 5)
    logits[1, 2, ids[1, 3]] -= 300
    expect(student(logits, ids, mask)).equals(oracle(logits, ids, mask))


@causal_lm_loss.case(
    points=1,
    zh="掩码：False 的不算，不管在哪里；真词元分量一样；没有可预测的得 0",
    en="the mask: what is False doesn't count, wherever it is; all others count the same; nothing "
    "to predict gives 0",
)
def padded(student, rng):
    """Lengths far apart; more padding; False on the left and in between; rows of one token."""
    logits, ids, mask = some_text(rng, (4, 2, 8, 1), 8, 5)
    expect(student(logits, ids, mask)).equals(oracle(logits, ids, mask))
    more = np.concatenate([logits, 2 * normal(rng, 4, 2, 5)], axis=1)
    ids = np.pad(ids, ((0, 0), (0, 2)))
    mask = np.pad(mask, ((0, 0), (0, 2)))
    expect(student(more, ids, mask)).equals(oracle(more, ids, mask))
    logits, ids, mask = some_text(rng, (7, 7, 5, 7), 7, 5)
    mask[0, : int(rng.integers(2, 5))] = False
    mask[1, int(rng.integers(2, 5))] = False
    mask[2, 1] = False
    expect(student(logits, ids, mask)).equals(oracle(logits, ids, mask))
    nothing = some_text(rng, (1, 1, 1), 4, 6)
    expect(student(*nothing)).equals(oracle(*nothing))


@causal_lm_loss.case(
    points=1,
    zh="[EOS] 也用来填充：真的那个照样要预测",
    en="[EOS] also fills the padding: the real one is still predicted",
)
def end_and_padding_share_an_id(student, rng):
    """What counts is the mask, not the id."""
    inputs = some_text(rng, (3, 6, 2, 5), 7, 6, end=True)
    expect(student(*inputs)).equals(oracle(*inputs))


@causal_lm_loss.case(
    points=1, zh="梯度：最后一个位置和填充处是 0", en="gradient: zero at the end and at padding"
)
def gradient(student, rng):
    """Against finite differences of the oracle."""
    logits, ids, mask = some_text(rng, (3, 4), 4, 3, end=True)
    found = student.gradient(logits, ids, mask, wrt=(0,), cotangent=np.float32(1))
    expect(gradients(found, (logits,))).equals(
        causal_lm_loss_gradient(logits, ids, mask), atol=1e-4, rtol=1e-3
    )


@causal_lm_loss.case(
    points=1,
    zh="训练时也能用：那时批次大小还不知道",
    en="it works in training, where the batch size isn't known yet",
)
def in_training(student, rng):
    """Nor is the loss a number yet; see `works_in_training`."""
    inputs = some_text(rng, (3, 2, 5), 5, 4)
    works_in_training(student, inputs, oracle(*inputs), unknown=(0, 1, 2))


for _name, (_switch, _zh, _en, _hints) in LM_LOSS.items():
    causal_lm_loss.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


EVEN_UNPADDED = Text(
    "连没有填充的一批都不对：先查错开和交叉熵本身，再查掩码。",
    "Wrong even without padding: look at the shift and the cross-entropy itself before the mask.",
)

WITH_PADDING = Text(
    "有填充的一批不对：看掩码用在了哪里，分母数的是什么。",
    "Wrong where there is padding: see where the mask acts and what the denominator counts.",
)


def add_loss_properties(exercise, mask, unpadded=EVEN_UNPADDED, padded=WITH_PADDING):
    """Register what is told of a wrong loss with an exercise.

    Args:
        exercise: the exercise.
        mask: int, which argument is the padding mask.
        unpadded: Text, what is told where a batch without padding is wrong.
        padded: Text, what is told where nothing but batches with padding is wrong.
    """

    def loss_of(seen):
        """The loss, where the observation is about one.

        Raises:
            LookupError: it is about gradients, or no single number came back.
        """
        if seen.prediction.parts != ("loss",) or np.shape(seen.actual) != ():
            raise LookupError("no loss here")
        return float(np.asarray(seen.actual))

    @exercise.property(
        "one_number_comes_back",
        zh="应当返回一个数，形状是 ()。",
        en="One number should come back, of shape ().",
    )
    def no_number(seen):
        return seen.prediction.parts == ("loss",) and np.shape(seen.actual) != ()

    @exercise.property(
        "loss_is_finite",
        zh="损失是 NaN 或无穷大。",
        en="The loss is NaN or infinite.",
    )
    def not_finite(seen):
        return not np.isfinite(loss_of(seen))

    @exercise.property("loss_is_not_negative", zh="损失是负数。", en="The loss is negative.")
    def loss_is_negative(seen):
        return loss_of(seen) < -1e-6

    @exercise.property(
        "loss_is_stable",
        zh="logits 相差几百时不对：某一步的数太小或太大了。",
        en="Wrong where logits are hundreds apart: some step makes numbers too small or too large.",
    )
    def unstable(seen):
        loss_of(seen)
        return float(np.ptp(seen.args[mask - 2])) > 200

    @exercise.property(
        "right_without_padding",
        zh=unpadded.zh,
        en=unpadded.en,
    )
    def wrong_without_padding(seen):
        loss_of(seen)
        return bool(seen.args[mask].all()) and float(np.ptp(seen.args[mask - 2])) < 200

    @exercise.property(
        "padding_does_not_count",
        zh=padded.zh,
        en=padded.en,
        alone=True,
    )
    def wrong_with_padding(seen):
        loss_of(seen)
        return not seen.args[mask].all()

    @exercise.property(
        "gradient_gets_back",
        zh="梯度不对，或者没有传回去。",
        en="The gradient is wrong or doesn't get back.",
        alone=True,
    )
    def gradient_is_wrong(seen):
        return seen.prediction.parts[0].startswith("d_")


add_loss_properties(causal_lm_loss, mask=2)
