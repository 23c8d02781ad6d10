"""Notebook ch04a, exercise 9: the debugging drill."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch04a_1_lms import NOTEBOOK, kernels_of
from autograder.exercises.ch04a_loss_mistakes import LOSS
from autograder.exercises.ch04a_mix_mistakes import MIX
from autograder.exercises.ch04a_reading_mistakes import BACKWARD
from autograder.exercises.common import derived, normal, real_tokens
from autograder.exercises.drill_parts import STILL_ILL, ask_for_the_name, tell_a_wrong_name
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.oracles.elmo_drill import training_step as oracle

# The keys of solutions/ch04a_elmo/drill.py, in its order; a test compares them.
DRILL_BUGS = (
    "reversal_ignores_lengths",
    "backward_fed_with_forward",
    "not_turned_back",
    "labels_off_by_one",
    "padding_in_the_loss",
    "softmax_missing",
    "forward_twice",
)

# The same bugs as misconceptions of the pieces.
ILLS = (
    "padding_read_first",
    "fed_with_the_other_direction",
    "not_turned_back",
    "own_token_predicted",
    "padding_counts",
    "softmax_missing",
    "one_direction_twice",
)

drill = Exercise(
    "drill_ch04a_elmo",
    notebook=NOTEBOOK,
    points=6,
    kind="drill",
    defines=("suspect", "repaired"),
    needs={
        "forward_lm": "bert_keras.models.elmo_pieces:forward_lm",
        "backward_lm": "bert_keras.models.elmo_pieces:backward_lm",
        "elmo_features": "bert_keras.models.elmo_pieces:elmo_features",
        "ops": "autograder.stand_ins.ch01a_seq2seq:plain_ops",
    },
    variants=DRILL_BUGS,
)

ILL_HINTS = (
    (
        "每次只动一样：最后一个真词元、第一个词元、填充的编号、scores 都加上 1。"
        "loss 和 mixed，哪个跟着动了，哪个应当动？",
        "Change one thing at a time: the last real token, the first one, the ids at padding, or "
        "add 1 to all scores. Which of loss and mixed moves with it, and which should?",
    ),
    (
        "你自己的 backward_lm、bilm_loss、elmo_features 和 ScalarMix 在同样的输入上得到什么？"
        "一步步比。",
        "What do your own backward_lm, bilm_loss, elmo_features and ScalarMix give for the same "
        "input? Compare step by step.",
    ),
)


def a_step(rng, lengths, width, size, vocabulary_size, layers):
    """Inputs of one step: ids, mask, table, both stacks, the scorer, scores and scale."""
    mask = real_tokens(lengths, width)
    ids = rng.integers(0, vocabulary_size, mask.shape)
    ids[mask.sum(axis=1).argmax(), 1] = 0  # a real token, whatever its id
    ids = np.where(mask, ids, 1).astype("int32")
    table = normal(rng, vocabulary_size, size)
    stacks = [kernels_of(rng, *[size] * (layers + 1)) for _ in range(2)]
    scorer = normal(rng, size, vocabulary_size), normal(rng, vocabulary_size)
    scores = (rng.permutation(np.linspace(-1.0, 1.5, layers + 1))).astype("float32")
    return ids, mask, table, *stacks, *scorer, scores, np.asarray(np.float32(1.7))


def one_step(student, inputs):
    """The repaired step beside the oracle's; what stands at padding isn't judged."""
    ids, mask, table, forward, backward, kernel, bias, scores, scale = inputs
    found = student.named("repaired")(
        ids,
        mask,
        table,
        fixture("readers", *forward),
        fixture("readers", *backward),
        fixture("score_with", kernel, bias),
        scores,
        scale,
    )

    def at_real_tokens(pair):
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            return pair
        loss, mixed = pair
        if np.shape(mixed)[:2] == mask.shape and np.ndim(mixed) == 3:
            mixed = np.where(mask[..., None], mixed, np.float32(0))
        return loss, mixed

    expect(derived(found, at_real_tokens)).equals(oracle(*inputs), atol=2e-5, rtol=2e-5)


ask_for_the_name(drill)


# Each of these has a batch with padding: some bugs show in no other, and an unrepaired copy of the
# patient should earn nothing.
@drill.case(
    points=2,
    zh="修好之后：一批没有填充，一批长短悬殊",
    en="repaired: a batch without padding, and one with lengths far apart",
)
def repaired_beside_a_full_row(student, rng):
    """Two layers, all sizes differ; one row has a single token."""
    one_step(student, a_step(rng, (5, 5), 5, 3, 7, 2))
    one_step(student, a_step(rng, (2, 6, 1, 4), 6, 3, 5, 2))


@drill.case(
    points=3,
    zh="修好之后：三层；每一行都有填充的一批",
    en="repaired: three layers; and a batch with padding in every row",
)
def repaired_with_padding_everywhere(student, rng):
    """Three layers without padding first."""
    one_step(student, a_step(rng, (4, 4, 4), 4, 2, 5, 3))
    one_step(student, a_step(rng, (3, 2), 7, 4, 6, 2))


tell_a_wrong_name(
    drill,
    (
        (
            "先别读代码，做实验：loss 和 mixed 哪个不对？有填充才错，还是总是错？",
            "Don't read yet, experiment: which is wrong, loss or mixed? Always, or only with "
            "padding?",
        ),
        (
            "逐行问：这一行之后，位置 t 上放的是哪个词元的状态，它读过哪些词元？",
            "Ask of every line: whose state stands at position t after it, and which tokens has it "
            "read?",
        ),
    ),
)

# What a training step does to its pieces; a piece that returns something else can't happen here.
_ELSEWHERE = ("returned", "kept", "gradient", "start", "scale_start", "size", "scale_size")
_ELSEWHERE += ("names", "owned", "learns")
_KNOWN = BACKWARD | LOSS | MIX
for _name, (_switch, _zh, _en, _hints) in _KNOWN.items():
    _forms = (_switch,) if isinstance(_switch, dict) else _switch
    _forms = tuple(form for form in _forms if not set(form) & set(_ELSEWHERE))
    if not _forms:
        continue
    told = {"zh": _zh, "en": _en, "hints": _hints}
    if _name in ILLS:
        told = {"zh": STILL_ILL.zh, "en": STILL_ILL.en, "hints": ILL_HINTS}
        told["hides_properties"] = True
    drill.misconception(_name, switch=_forms, **told)

for _name, _forms in {
    "fed_with_the_other_direction": {"source": "forward"},
    "one_direction_twice": (
        {"feature_sides": "forward_twice"},
        {"feature_sides": "backward_twice"},
    ),
}.items():
    drill.misconception(
        _name,
        switch=_forms,
        zh=STILL_ILL.zh,
        en=STILL_ILL.en,
        hints=ILL_HINTS,
        hides_properties=True,
    )

drill.misconception(
    "features_laid_out_otherwise",
    switch=(
        {"feature_sides": "backward_first"},
        {"feature_embedding": "with_zeros"},
        {"feature_joined": "interleaved"},
    ),
    zh="损失对，特征的排法不对：嵌入放两遍；前向在前、后向在后。",
    en="The loss is right and the features are laid out otherwise: the embedding twice, then "
    "forward first, backward second.",
    hints=(
        (
            "mixed 的前 D 个数是谁的，后 D 个呢？",
            "Whose numbers are the first D of mixed, and whose the last D?",
        ),
        (
            "跟 elmo_features 的结果一个个比。",
            "Compare them with those of elmo_features, one by one.",
        ),
    ),
)


def _pair(seen):
    """Whether loss and mixed are wrong.

    Raises:
        LookupError: the observation is about the name of the bug, or has another form.
    """
    if seen.prediction.parts != ("loss", "mixed") or form_is_wrong(seen):
        raise LookupError("no training step here")
    return [
        not np.allclose(np.asarray(got), want, atol=1e-4, rtol=1e-4)
        for got, want in zip(seen.actual, seen.expected, strict=True)
    ]


@drill.property(
    "loss_and_mixed_come_back",
    zh="repaired 应当返回一对：loss，形状 ()；mixed，形状 (B, T, 2D)。",
    en="repaired should return a pair: loss, of shape (), and mixed, of shape (B, T, 2 D).",
)
def form_is_wrong(seen):
    if seen.prediction.parts != ("loss", "mixed"):
        return False
    if not isinstance(seen.actual, (tuple, list)) or len(seen.actual) != 2:
        return True
    return [np.shape(p) for p in seen.actual] != [np.shape(p) for p in seen.expected]


@drill.property("mixed_is_right", zh="mixed 不对。", en="mixed is wrong.")
def mixed_is_wrong(seen):
    return _pair(seen)[1]


@drill.property(
    "loss_is_right",
    zh="mixed 对，loss 不对：状态没有问题，看损失怎样算。",
    en="mixed is right and loss isn't: the states are fine, so look at how the loss is made.",
)
def only_the_loss_is_wrong(seen):
    loss, mixed = _pair(seen)
    return loss and not mixed
