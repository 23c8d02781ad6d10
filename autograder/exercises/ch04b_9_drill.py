"""Notebook ch04b, exercise 9: the debugging drill."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch01a_2_rnn import works_in_training
from autograder.exercises.ch04b_1_logits import MASKS, blocks_of, planted, tables
from autograder.exercises.ch04b_2_loss import OPS, PIECES, some_text
from autograder.exercises.ch04b_lm_mistakes import LM_LOSS
from autograder.exercises.ch04b_logits_mistakes import LOGITS
from autograder.exercises.common import derived, gradients
from autograder.exercises.drill_parts import ask_for_the_name, tell_a_wrong_name
from autograder.expectations import expect
from autograder.messages import Text
from autograder.oracles.gpt import blanked
from autograder.oracles.gpt_step import gpt_step, gpt_step_gradient

NOTEBOOK = "ch04b_gpt"
CLOSE = {"atol": 5e-5, "rtol": 5e-5}

# The keys of solutions/ch04b_gpt/drill.py, in its order; a test compares them.
DRILL_BUGS = (
    "labels_not_shifted",
    "shifted_twice",
    "flattened_before_shift",
    "end_token_masked",
    "tying_lost",
    "future_visible",
    "activation_before_projection",
)

# The same bugs as misconceptions of the pieces.
ILLS = (
    "not_shifted",
    "shifted_twice",
    "flattened_before_the_shift",
    "end_token_left_out",
    "tying_lost",
    "future_visible",
    "activation_before_the_output",
)

drill = Exercise(
    "drill_ch04b_gpt",
    notebook=NOTEBOOK,
    points=8,
    kind="drill",
    defines=("suspect", "repaired"),
    needs={
        **MASKS,
        **OPS,
        "causal_lm_loss": f"{PIECES}:causal_lm_loss",
        "gpt_logits": f"{PIECES}:gpt_logits",
    },
    variants=DRILL_BUGS,
)

# What an unrepaired copy of the patient would be told by name is the answer to the first question.
STILL_ILL = Text(
    "repaired 里有名单上的一种毛病（没修掉，或者是新添的）：给它和 patient 同一批小输入，"
    "看看 logits、损失和梯度是不是一样。",
    "repaired has one of the faults in the list (still, or newly): give it and patient the same "
    "small batch and see whether logits, loss and gradients agree.",
)
ILL_HINTS = (
    (
        "每次只动一样：最后一个词元、第二句的第一个词元、填充处的编号，或者把词元表放大一倍。"
        "哪些 logits、哪个损失跟着动了？",
        "Change one thing at a time: the last token, the second row's first token, the id of a "
        "pad; or make the token table twice as large. Which logits move, and does the loss?",
    ),
    (
        "你自己的 gpt_logits 和 causal_lm_loss 在同样的输入上得到什么？先比 logits，再比损失，"
        "最后比词元表的梯度。",
        "What do your own gpt_logits and causal_lm_loss give for the same input? Compare the "
        "logits first, then the loss, and the token table's gradient last.",
    ),
)


def a_step(rng, lengths, width, size, dim, count, end=True):
    """Ids, mask and tables, as the drill has them, and the kernels of the blocks.

    Rows end with [EOS], which fills the padding too, unless they are said to be cut off.
    """
    _, ids, mask = some_text(rng, lengths, width, size, end)
    return (ids, mask, *tables(rng, size, dim, width + 2)), planted(rng, dim, count)


def _judge(student, inputs, kernels):
    found = student.named("repaired")(*inputs, blocks_of(kernels))
    expect(derived(found, lambda pair: _blanked(pair, inputs[1]))).equals(
        gpt_step(*inputs, kernels), **CLOSE
    )


def _blanked(pair, mask):
    """Logits, with zeros at padding, and loss; anything else as it is."""
    if isinstance(pair, (tuple, list)) and len(pair) == 2:
        return blanked(pair[0], mask[:, : (*np.shape(pair[0]), 0, 0)[1]]), pair[1]
    return pair


ask_for_the_name(drill)


# Every patient fails the gradients, and some fail nothing else but training: hence the points.
@drill.case(points=1, zh="修好之后：没有填充的一批", en="repaired: a batch without padding")
def repaired_without_padding(student, rng):
    """All sizes differ, and rows are cut off; then a single one with its end."""
    _judge(student, *a_step(rng, (5, 5, 5), 5, 8, 6, 2, end=False))
    _judge(student, *a_step(rng, (6,), 6, 9, 4, 1))


@drill.case(
    points=1,
    zh="修好之后：有填充，句末的 [EOS] 也用来填充",
    en="repaired: padding, filled with the [EOS] that also ends the rows",
)
def repaired_with_padding(student, rng):
    """Lengths far apart."""
    _judge(student, *a_step(rng, (3, 6, 2, 5), 7, 8, 5, 2))


@drill.case(
    points=4,
    zh="修好之后：损失的梯度传回两张表",
    en="repaired: the loss's gradient reaches both tables",
)
def repaired_gradients(student, rng):
    """Against finite differences of the oracle."""
    inputs, kernels = a_step(rng, (3, 2), 3, 5, 3, 1)
    found = student.named("repaired").gradient(
        *inputs, blocks_of(kernels), wrt=(2, 3), output=1, cotangent=np.float32(1)
    )
    expect(gradients(found, inputs[2:])).equals(
        gpt_step_gradient(*inputs, kernels), atol=2e-3, rtol=2e-3
    )


@drill.case(
    points=1,
    zh="修好之后：训练时也能用",
    en="repaired: it works in training",
)
def repaired_in_training(student, rng):
    """Where the batch size isn't known yet; the length is."""
    inputs, kernels = a_step(rng, (4, 4, 4), 4, 7, 4, 1)
    works_in_training(
        student.named("repaired"),
        (*inputs, blocks_of(kernels)),
        gpt_step(*inputs, kernels),
        unknown=(0, 1),
    )


tell_a_wrong_name(
    drill,
    (
        (
            "先别读代码，做实验：logits 就不对，还是只有损失不对？都对，就看梯度。",
            "Don't read yet, experiment: are the logits wrong, or only the loss? If neither is, "
            "look at gradients.",
        ),
        (
            "逐行问：这一行之后，位置 t 看过哪些词元，要预测的又是哪一个？",
            "Ask of every line: which tokens has position t seen after it, and which one is it to "
            "predict?",
        ),
    ),
)
# With padding on the right a causal mask alone hides it, places count as columns do, and masks
# joined with OR close as much as the one of padding; no batch here has nothing to predict; and what
# comes back is always the pair.
_NOT_HERE = (
    "padding_visible",
    "positions_skip_padding",
    "masks_joined_wrongly",
    "nothing_to_predict",
    "mask_taken_for_lengths",
    "token_before_decides_too",
)
for _name, (_switch, _zh, _en, _hints) in (LOGITS | LM_LOSS).items():
    _forms = (_switch,) if isinstance(_switch, dict) else _switch
    _forms = tuple(form for form in _forms if "returned" not in form)
    if _name in _NOT_HERE or not _forms:
        continue
    told = {"zh": _zh, "en": _en, "hints": _hints}
    if _name in ILLS:
        told = {
            "zh": STILL_ILL.zh,
            "en": STILL_ILL.en,
            "hints": ILL_HINTS,
            "hides_properties": True,
        }
    drill.misconception(_name, switch=_forms, **told)
drill.misconception(
    "softmax_returned",
    switch=({"shown": "softmax"}, {"shown": "log_softmax"}),
    zh="返回的第一样是 softmax 之后的概率（或它的对数）；要返回 logits 本身。",
    en="What comes back beside the loss are probabilities (or their logarithms), from after a "
    "softmax; it should be the logits themselves.",
    hints=(
        (
            "返回的第一样，一行加起来正好是 1 吗？logits 会这样吗？",
            "Does every row of the first thing returned add up to 1? Do logits?",
        ),
        ("损失拿到的是什么，就返回什么。", "Return the very thing that the loss is given."),
    ),
)
drill.misconception(
    "shifted_logits_returned",
    switch={"shown": "cut"},
    zh="返回的 logits 少了最后一个位置；要返回所有位置的。",
    en="The logits that come back lack the last position; all are wanted.",
    hints=(
        (
            "返回的 logits 形状是 (B, T, V) 吗？",
            "Is the shape of the logits that come back (B, T, V)?",
        ),
        ("错开只是损失里面的事。", "Shifting is the loss's business alone."),
    ),
)


def _pair(seen):
    """Logits and loss, and what they should be.

    Raises:
        LookupError: the observation is about the name of the bug or gradients, or has another form.
    """
    if seen.prediction.parts != ("logits", "loss"):
        raise LookupError("no training step here")
    logits, loss = seen.actual
    return np.asarray(logits), np.asarray(loss), *seen.expected


@drill.property(
    "logits_and_loss_come_back",
    zh="repaired 应当返回一对：logits 和损失。",
    en="repaired should return a pair: logits and loss.",
)
def form_is_wrong(seen):
    if seen.prediction.parts != ("logits", "loss"):
        return False
    if not isinstance(seen.actual, (tuple, list)):
        return True
    shapes = [np.shape(part) for part in seen.actual]
    return shapes != [np.shape(part) for part in seen.expected]


@drill.property(
    "logits_are_right",
    zh="logits 已经不对：损失还在其次。",
    en="The logits are wrong already; the loss comes after them.",
)
def logits_are_wrong(seen):
    logits, _, wanted, _ = _pair(seen)
    return not np.allclose(logits, wanted, **CLOSE)


@drill.property(
    "loss_follows_from_logits",
    zh="logits 对，损失不对。",
    en="The logits are right and the loss is wrong.",
)
def loss_is_wrong(seen):
    logits, loss, wanted, wanted_loss = _pair(seen)
    return np.allclose(logits, wanted, **CLOSE) and not np.allclose(loss, wanted_loss, **CLOSE)


@drill.property(
    "gradients_get_back",
    zh="数值对，梯度不对：有的路上传不回词元表或位置表。",
    en="The numbers are right and a gradient is wrong: on some way none gets back to a table.",
    alone=True,
)
def gradient_is_wrong(seen):
    return seen.prediction.parts[0].startswith("d_")
