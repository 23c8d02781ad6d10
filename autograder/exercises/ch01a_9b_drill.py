"""Notebook ch01a, exercise 10: the debugging drill."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch01a_2_rnn import RECURRENT_LAYERS
from autograder.exercises.ch01a_6_shift import some_targets
from autograder.exercises.ch01a_7_model import model_weights, some_ids
from autograder.exercises.ch01a_loss_mistakes import LOSS
from autograder.exercises.ch01a_model_mistakes import MODEL
from autograder.exercises.ch01a_shift_mistakes import SHIFT
from autograder.exercises.common import real_tokens
from autograder.exercises.drill_parts import ask_for_the_name, tell_a_wrong_name
from autograder.expectations import expect
from autograder.messages import Text
from autograder.oracles.seq2seq import training_loss as oracle

NOTEBOOK = "ch01a_seq2seq"

# The keys of solutions/ch01a_seq2seq/drill.py, in its order; a test compares them.
DRILL_BUGS = (
    "inputs_not_shifted",
    "source_padding_read",
    "carry_not_handed_over",
    "target_padding_counted",
    "mask_after_the_mean",
    "softmax_twice",
)

# The same bugs as misconceptions of the pieces.
ILLS = (
    "no_shift",
    "source_padding_is_read",
    "carry_lost",
    "padding_counts",
    "softmax_before_the_loss",
)

drill = Exercise(
    "drill_ch01a_seq2seq",
    notebook=NOTEBOOK,
    points=4,
    kind="drill",
    defines=("suspect", "repaired"),
    needs={
        "lstm_step": "bert_keras.layers.recurrent:lstm_step",
        "masked_unroll": "bert_keras.layers.recurrent:masked_unroll",
        "shift_right": "bert_keras.models.sequence_pieces:shift_right",
        "encoder_decoder": "bert_keras.models.sequence_pieces:encoder_decoder",
        "sequence_loss": "bert_keras.models.sequence_pieces:sequence_loss",
    },
    forbids=RECURRENT_LAYERS,
    variants=DRILL_BUGS,
)

# What an unrepaired copy of the patient would be told by name is the answer to the first question.
STILL_ILL = Text(
    "repaired 里有名单上的一种毛病（没修掉，或者是新添的）：给它和 patient 同一批小输入，"
    "看看是不是一样。",
    "repaired has one of the faults in the list (still, or newly): give it and patient the same "
    "small batch and see whether they agree.",
)

ILL_HINTS = (
    (
        "每次只动一样：源句的填充、译文的填充、译文的某一个词元，或者把输出的矩阵和偏置一起放大十倍。"
        "logits 和损失，哪个跟着动了？",
        "Change one thing at a time: the source's padding, the target's padding, one token of the "
        "target; or make output matrix and bias ten times as large. Which of logits and loss moves "
        "with it?",
    ),
    (
        "你自己的 encoder_decoder 和 sequence_loss 在同样的输入上得到什么？先比 logits，再比损失。",
        "What do your own encoder_decoder and sequence_loss give for the same input? Compare the "
        "logits first, then the loss.",
    ),
)


def pairs(rng, source_lengths, target_lengths, width, target_width):
    """Sources and targets with their masks; padding has an id that other tokens have too."""
    source_ids = some_ids(rng, 8, len(source_lengths), width)
    token_ids, token_mask = some_targets(rng, target_lengths, target_width, pad=2)
    return source_ids, real_tokens(source_lengths, width), token_ids, token_mask


ask_for_the_name(drill)


@drill.case(points=1, zh="修好之后：没有填充的一批", en="repaired: a batch without padding")
def repaired_without_padding(student, rng):
    """All sizes differ; 16 target tokens, since [BOS] and [EOS] are the last of them."""
    weights = model_weights(rng, 8, 16, 5, 3, 4)
    batch = pairs(rng, (6, 6), (3, 3), 6, 5)
    expect(student.named("repaired")(*batch, weights)).equals(oracle(*batch, weights), atol=2e-5)


@drill.case(points=2, zh="修好之后：源句和译文都有填充", en="repaired: padded sources and targets")
def repaired_with_padding(student, rng):
    """Twice: lengths far apart, and encoder and decoder of one size."""
    weights = model_weights(rng, 8, 16, 3, 5, 4)
    batch = pairs(rng, (5, 2, 3), (2, 0, 5), 5, 7)
    expect(student.named("repaired")(*batch, weights)).equals(oracle(*batch, weights), atol=2e-5)
    weights = model_weights(rng, 8, 16, 4, 4, 6)
    batch = pairs(rng, (1, 4, 2, 3), (1, 4, 2, 0), 4, 6)
    expect(student.named("repaired")(*batch, weights)).equals(oracle(*batch, weights), atol=2e-5)


tell_a_wrong_name(
    drill,
    (
        (
            "先别读代码，做实验：logits 就不对，还是只有损失不对？有填充才错，还是总是错？",
            "Don't read yet, experiment: are the logits wrong, or only the loss? Always, or only "
            "with padding?",
        ),
        (
            "逐行问：这一行之后，哪些东西还知道哪里是填充？",
            "Ask of every line: which things still know, after it, where the padding is?",
        ),
    ),
)
# What a training step does to its pieces; a piece that returns something else can't happen here.
_ELSEWHERE = ("returned", "order", "gradient")
_SHIFTED = ("no_shift", "shifted_the_wrong_way", "begin_lost", "mask_of_the_inputs")
_KNOWN = {name: SHIFT[name] for name in _SHIFTED} | MODEL | LOSS
# Neither shows in a training step: its targets have no 0, and are padded by another number.
for _name in ("decoder_stops_at_padding", "mask_guessed_from_the_labels"):
    del _KNOWN[_name]
for _name, (_switch, _zh, _en, _hints) in _KNOWN.items():
    _forms = (_switch,) if isinstance(_switch, dict) else _switch
    _forms = tuple(form for form in _forms if not set(form) & set(_ELSEWHERE))
    if not _forms:
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
    zh="损失对，但返回的第一样是 softmax 之后的概率（或它的对数）；要返回 logits 本身。",
    en="The loss is right, but what comes back beside it are probabilities (or their logarithms), "
    "from after a softmax; it should be the logits themselves.",
    hints=(
        (
            "返回的第一样，一行加起来正好是 1 吗？logits 会这样吗？",
            "Does every row of the first thing returned add up to 1? Do logits?",
        ),
        (
            "损失拿到的是什么，就返回什么。",
            "Return the very thing that the loss is given.",
        ),
    ),
)


def _pair(seen):
    """Logits and loss.

    Raises:
        LookupError: the observation is about the name of the bug, or has another form.
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
    shapes = [np.shape(part) for part in seen.actual]
    return shapes != [part.shape for part in seen.expected]


@drill.property(
    "logits_are_right",
    zh="logits 已经不对：损失还在其次。",
    en="The logits are wrong already; the loss comes after them.",
)
def logits_are_wrong(seen):
    logits, _, wanted, _ = _pair(seen)
    return not np.allclose(logits, wanted, atol=2e-5)


@drill.property(
    "loss_follows_from_logits",
    zh="logits 对，损失不对。",
    en="The logits are right and the loss is wrong.",
)
def loss_is_wrong(seen):
    logits, loss, wanted, wanted_loss = _pair(seen)
    return np.allclose(logits, wanted, atol=2e-5) and not np.allclose(loss, wanted_loss, atol=2e-5)
