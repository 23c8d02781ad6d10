"""Notebook ch01b, exercise 7: the debugging drill."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch01b_2_word_vectors import NOTEBOOK, bags, tables
from autograder.exercises.drill_parts import ask_for_the_name, released_bug, tell_a_wrong_name
from autograder.expectations import expect
from autograder.messages import Text
from autograder.oracles import word_losses

# The keys of solutions/ch01b_words_and_windows/drill.py, in its order; a test compares them.
DRILL_BUGS = (
    "full_gradient_to_every_word",
    "repeated_word_once",
    "padding_takes_a_share",
    "batch_not_averaged",
    "wrong_table",
    "target_not_subtracted",
)

drill = Exercise(
    "drill_ch01b_words_and_windows",
    notebook=NOTEBOOK,
    points=4,
    kind="drill",
    defines=("suspect", "repaired"),
    variants=DRILL_BUGS,
)


ask_for_the_name(drill)


def _judge(student, rng, ids, vocabulary, size):
    targets = rng.integers(1, vocabulary, len(ids)).astype(np.int32)
    arguments = (ids, targets, *tables(rng, vocabulary, size))
    found = student.named("repaired")(*arguments)
    wanted = word_losses.cbow_gradients(*arguments, released_bug(drill, student))
    expect(found).equals(wanted, atol=1e-5, rtol=1e-4)


@drill.case(points=1, zh="修好之后：每个位置都有词", en="repaired: a word in every place")
def repaired_full_contexts(student, rng):
    """All sizes differ; no word comes twice in a context."""
    ids = np.stack([1 + rng.permutation(8)[:4] for _ in range(3)]).astype(np.int32)
    _judge(student, rng, ids, 9, 5)


@drill.case(
    points=1, zh="修好之后：有空位，有重复的词", en="repaired: empty places and repeated words"
)
def repaired_with_padding(student, rng):
    """Empty places in front, behind and in the middle; one word three times in one context."""
    ids = bags(rng, 5, 6, 7)
    ids[0, :3] = ids[0, 0]
    _judge(student, rng, ids, 7, 4)


@drill.case(points=1, zh="修好之后：一大批例子", en="repaired: a large batch")
def repaired_large_batch(student, rng):
    """So that a sum over examples and a mean are far apart."""
    _judge(student, rng, bags(rng, 23, 4, 12), 12, 3)


# What an unrepaired copy of the patient would be told by name is the answer to the first question.
STILL_ILL = Text(
    "repaired 里原来的毛病还在：给它和 patient 同一批小例子，比一比梯度是不是还一样。",
    "repaired still has the old bug: give it and patient the same small batch and see whether "
    "their gradients still agree.",
)
# A bug that came in with the repair isn't the answer to anything, so it is told by name.
SLIPS = {
    "full_gradient_to_every_word": (
        "每个邻居都拿到了整份梯度：前向取了平均，反向时就要分成同样多份。",
        "Every neighbour gets the whole gradient; the way forward takes a mean, so on the way back "
        "it has to be shared out.",
    ),
    "repeated_word_once": (
        "出现两次的邻居只分到一次。",
        "A neighbour that comes twice gets its share only once.",
    ),
    "padding_takes_a_share": (
        "空位（0）也分到了梯度。",
        "Empty places (0) get a gradient, too.",
    ),
    "batch_not_averaged": (
        "损失对一批取了平均，梯度却是求和。",
        "The loss is averaged over the batch, but the gradients are summed.",
    ),
    "wrong_table": (
        "传回隐藏向量时，乘的是另一张表。",
        "On the way back to the hidden vector, the other table is used.",
    ),
    "target_not_subtracted": (
        "softmax 之后没有减去目标。",
        "The target isn't subtracted after the softmax.",
    ),
}
NEW_HERE = Text(
    "这是修的时候新添的，patient 里没有。",
    " This came in with the repair; patient doesn't have it.",
)

ILL_HINTS = (
    (
        "损失是对的。在一张表里挑一个数，加上千分之一再算一次损失：差值除以千分之一，就是那一格梯度应有的样子。",
        "The loss is right. Pick a number of a table, add a thousandth, take the loss again: the "
        "difference over a thousandth is what that cell of the gradient should be.",
    ),
    (
        "分别用一个例子、两个例子、有空位的、有重复词的上下文来试：从哪一种开始对不上？",
        "Try one example, two examples, a context with an empty place, one with a word that comes "
        "twice: with which of them does it begin to differ?",
    ),
)
OTHER_HINTS = (
    (
        "先只看损失对不对，再分别看两张表的梯度。",
        "Look at the loss first, then at the gradient of each table by itself.",
    ),
    ILL_HINTS[0],
)
tell_a_wrong_name(
    drill,
    (
        (
            "先别读代码：用有限差分逐格核对两张表的梯度，看哪些格子不对。",
            "Don't read yet: hold both gradients against finite differences and see which cells "
            "are off.",
        ),
        (
            "不对的格子是常数倍，是只在某些行，还是处处不同？",
            "Are they off by a constant factor, in some rows only, or everywhere?",
        ),
    ),
)
for _name, (_zh, _en) in SLIPS.items():
    drill.misconception(
        f"new_{_name}",
        switch={"slip": _name},
        zh=_zh + NEW_HERE.zh,
        en=_en + NEW_HERE.en,
        hints=OTHER_HINTS,
    )
    drill.misconception(
        f"still_{_name}",
        switch={"still": _name},
        zh=STILL_ILL.zh,
        en=STILL_ILL.en,
        hints=ILL_HINTS,
        hides_properties=True,
    )
for _name, (_switch, _zh, _en) in {
    "gradient_downhill": (
        {"direction": "downhill"},
        "梯度的正负号反了：它指向下坡，而梯度指向上坡。",
        "The gradients have the wrong sign: they point downhill, and a gradient points uphill.",
    ),
    "one_table_repaired": (
        (
            {"batch": "first_summed"},
            {"batch": "second_summed"},
            {"direction": "forgotten_in_the_first"},
            {"direction": "forgotten_in_the_second"},
        ),
        "两张表的梯度只对了一张：同样的改动，另一张也需要。",
        "Only one of the two gradients is right: the other needs the same change.",
    ),
    "shared_among_all_places": (
        (
            {"spread": "window"},
            {"spread": "distinct"},
            {"spread": "distinct", "repeats": "once"},
            {"spread": "window", "padding": "taken_along"},
        ),
        "把梯度分给邻居时除错了数：前向时除以几，反向时就除以几。",
        "On the way back it is divided by the wrong number: it should be the one that the way "
        "forward divides by.",
    ),
    "summed_both_ways": (
        {"forward": "sum"},
        "前向时邻居的向量只加不除；这里约定取平均。",
        "On the way forward the neighbours' vectors are added up; here it is their mean.",
    ),
    "padding_averaged_in": (
        {"forward": "with_padding"},
        "前向时把空位也平均进去了。",
        "On the way forward empty places are averaged in.",
    ),
    "sum_in_the_outer_product": (
        {"outer": "sum"},
        "第二张表的梯度用了邻居向量之和，而不是隐藏向量。",
        "The gradient of the second table uses the sum of the neighbours and not the hidden "
        "vector.",
    ),
    "averaged_over_neighbours": (
        {"batch": "per_word"},
        "一批的梯度除以了邻居的总数；应当除以例子的个数。",
        "The gradient of a batch is divided by the number of neighbours; it should be that of the "
        "examples.",
    ),
    "not_all_returned": (
        ({"returned": "gradients_only"}, {"returned": "loss_only"}),
        "返回的不全：要返回三项，损失、第一张表的梯度、第二张表的梯度。",
        "Something isn't returned: there are three things, the loss, the gradient of the first "
        "table and that of the second.",
    ),
    "results_in_another_order": (
        ({"returned": "swapped"}, {"returned": "gradients_first"}),
        "返回的次序不对：损失、第一张表的梯度、第二张表的梯度。",
        "The order is wrong: loss, gradient of the first table, gradient of the second.",
    ),
}.items():
    drill.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=OTHER_HINTS)


@drill.property(
    "three_things_returned",
    zh="应当返回三项：损失和两张表的梯度。",
    en="It should return three things: the loss and the gradients of both tables.",
)
def no_three_things(seen):
    return isinstance(seen.expected, tuple) and not (
        isinstance(seen.actual, tuple) and len(seen.actual) == 3
    )


def _is_off(seen, which):
    """Whether one of the three things, all of them being there, isn't what it should be."""
    if not isinstance(seen.expected, tuple) or no_three_things(seen):
        return False
    got, want = (np.asarray(each[which]) for each in (seen.actual, seen.expected))
    return got.shape != want.shape or not np.allclose(got, want, atol=1e-4)


@drill.property("loss_is_right", zh="损失的值不对。", en="The loss is off.")
def loss_is_wrong(seen):
    return _is_off(seen, 0)


@drill.property(
    "first_gradient_is_right",
    zh="第一张表的梯度不对。",
    en="The gradient of the first table is off.",
)
def first_is_wrong(seen):
    return _is_off(seen, 1)


@drill.property(
    "second_gradient_is_right",
    zh="第二张表的梯度不对。",
    en="The gradient of the second table is off.",
)
def second_is_wrong(seen):
    return _is_off(seen, 2)
