"""Notebook ch03b, exercise 9: the debugging drill."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.block_mistakes import shared
from autograder.exercises.block_parts import add_block_properties, block_weights
from autograder.exercises.ch03b_1a_waves import NOTEBOOK
from autograder.exercises.ch03b_6_decoder import HEADS, HIDDEN, MIDDLE, PARTS, RETURNED, causal
from autograder.exercises.common import normal, real_tokens
from autograder.exercises.decoder_mistakes import DECODER
from autograder.exercises.drill_parts import ask_for_the_name, tell_a_wrong_name
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.messages import Text
from autograder.oracles import blocks

# The keys of solutions/ch03b_blocks/drill.py, in its order; a test compares them.
DRILL_BUGS = (
    "wrong_norm",
    "skip_from_the_source",
    "masks_exchanged",
    "keys_from_the_decoder",
    "branch_added_to_itself",
    "norm_on_the_branch",
)

drill = Exercise(
    "drill_ch03b_blocks",
    notebook=NOTEBOOK,
    points=6,
    kind="drill",
    defines=("suspect", "repaired"),
    forbids=("bert_keras.layers.decoder.DecoderBlock",),
    variants=DRILL_BUGS,
)

# By name it would answer the first question, whether the fault is the old one or new.
ILL = Text(
    "repaired 有一处毛病，而且就是名单上的一种：拿它和一个健康的块比一比。",
    "repaired has a fault, and it is one of those in the list: compare it with a healthy block.",
)
ILL_HINTS = (
    (
        "一次关掉一样东西（一个掩码、一条支路、一个归一化），看看谁变了、谁没变。",
        "Switch one thing off at a time (a mask, a branch, a norm) and watch what changes and what "
        "doesn't.",
    ),
    (
        "这一题前面那一格造好了一个健康的 block 和它的输入：整个调用一次，拿输出和 repaired 的比。",
        "The cell before this exercise makes a healthy block and inputs for it: call it as a whole "
        "and compare what it gives with what repaired gives.",
    ),
)

# What can't be told from something else, or can't be, where every norm comes after a sum.
ONLY_IN_PRE_LN = ("only_a_part_normalised", "norm_not_taken_again")
PRE_LN = Text(
    "这是前归一化：归一化站在支路之前。要的是后归一化的块：先相加，后归一化。",
    "This is pre-LN: the norm stands in front of the branch. A post-LN block is asked for, where "
    "it comes after the sum.",
)

ask_for_the_name(drill)


def _expect(student, rng, lengths, masks):
    """Call `repaired` on a target and a source of these lengths."""
    length, source_length = lengths
    weights = block_weights(rng, PARTS, HIDDEN, MIDDLE)
    block = fixture("parts_of_a_decoder_block", HEADS, list(weights), *weights.values())
    x = 2 * normal(rng, 3, length, HIDDEN) + 1
    source = 2 * normal(rng, 3, source_length, HIDDEN) - 1
    actual = student.named("repaired")(x, source, block, *masks)
    mask, source_mask = masks or (None, None)
    expect(actual).equals(
        blocks.decoder_block(x, source, mask, source_mask, weights, HEADS, "relu", False),
        atol=5e-5,
        rtol=1e-4,
    )


@drill.case(points=1, zh="修好之后：不带掩码", en="repaired: without masks")
def repaired_without_masks(student, rng):
    """Source and target of one length, where what is mixed up runs."""
    _expect(student, rng, (4, 4), ())


@drill.case(
    points=2, zh="修好之后：源句和译文不一样长", en="repaired: source and target of two lengths"
)
def repaired_with_two_lengths(student, rng):
    """Longer, then shorter."""
    _expect(student, rng, (3, 5), ())
    _expect(student, rng, (5, 4), ())


@drill.case(points=2, zh="修好之后：带两个掩码", en="repaired: with both masks")
def repaired_with_masks(student, rng):
    """A causal one for the target and the padding of the source."""
    short = int(rng.integers(1, 4))
    for length in (4, 5):
        padding = real_tokens([4, short, 3], 4)[:, None]
        _expect(student, rng, (length, 4), (causal(3, length), np.asarray(padding)))


tell_a_wrong_name(
    drill,
    (
        (
            "先别读代码：改动 source，输出变不变？改动后面的词呢？让源句长一个词呢？",
            "Don't read yet: change the source; does the output move? And with later words? With a "
            "source that is one token longer?",
        ),
        (
            "逐行问：这条支路吃进去什么，旁路上是谁，用的是谁的归一化？",
            "Ask of every line: what goes into this branch, who is on the bypass, whose norm is "
            "used?",
        ),
    ),
)
for _name, _data in (shared(("self", "cross", "ffn")) | DECODER).items():
    # There is one order here and no dropout: what differs by the order is not to be told apart.
    forms = _data["switch"] if isinstance(_data["switch"], tuple) else (_data["switch"],)
    forms = tuple(
        f
        for f in forms
        if not str(next(iter(f.values()))).endswith(("/pre", "/post"))
        and "branch_and_dropped" not in str(f)
    )
    if _name.startswith("dropout") or _name in ONLY_IN_PRE_LN or not forms:
        continue
    _data = {**_data, "switch": forms}
    told = {"zh": PRE_LN.zh, "en": PRE_LN.en} if _name == "norm_first_inverted" else {}
    if _name in DRILL_BUGS:
        told = {"zh": ILL.zh, "en": ILL.en, "hints": ILL_HINTS}
        told["hides_properties"] = True
    drill.misconception(_name, **{**_data, **told})
add_block_properties(drill, RETURNED)
