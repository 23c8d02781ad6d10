"""Notebook ch03a, exercises 5 and 6: splitting the features into heads and merging them."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.common import IN_TRAINING, normal
from autograder.expectations import expect
from autograder.oracles import heads

NOTEBOOK = "ch03a_self_attention"
RESHAPE_HINTS = (
    (
        "reshape 不移动任何一个数，只是换一种方式来数它们。拿 2 个词、2 个头、每头 2 维写在纸上。",
        "A reshape moves no number, it only counts them another way. Write down two tokens with "
        "two heads of size two.",
    ),
    (
        "先切最后一个轴，再决定各个轴的次序：这是两件事。",
        "Cutting the last axis is one thing, the order of the axes is another.",
    ),
)
MERGE_HINTS = (
    RESHAPE_HINTS[0],
    (
        "合头是分头倒着走：哪一步要先撤销？",
        "Merging is splitting walked backwards: which step has to be undone first?",
    ),
)
ORDER_HINTS = (
    ("打印结果的形状，与说明里的逐个对照。", "Print the shape and compare it axis by axis."),
    (
        "给每个轴起个名字（B、T、N、H），在每一行代码后面写下它们的次序。",
        "Name the axes (B, T, N, H) and write their order after every line.",
    ),
)
BLOCK_HINTS = (
    (
        "把特征编号 0, 1, 2, …：头 0 应当拿到哪几号？",
        "Number the features 0, 1, 2, …: which of them belong to head 0?",
    ),
    (
        "一个轴拆成两个时，写在前面的变化慢，写在后面的变化快。",
        "When one axis is cut into two, the first of them runs slowly and the last one fast.",
    ),
)

split_heads = Exercise(
    "split_heads",
    notebook=NOTEBOOK,
    points=3,
    library="bert_keras.layers.attention:split_heads",
)


@split_heads.case(
    points=1,
    zh="每个头拿到每个词的一段特征",
    en="each head gets one block of every token's features",
)
def blocks_of_features(student, rng):
    """All sizes differ."""
    x = normal(rng, 2, 5, 12)
    expect(student(x, 3)).equals(heads.split_heads(x, 3))


@split_heads.case(
    points=1, zh="词不会混在一起：打乱词序，结果只跟着换位", en="tokens don't mix when reordered"
)
def tokens_stay_apart(student, rng):
    """As many tokens as heads, in an order that depends on the seed."""
    x = normal(rng, 3, 4, 20)[:, rng.permutation(4)]
    expect(student(x, 4)).equals(heads.split_heads(x, 4))


@split_heads.case(
    points=1, zh="其他大小：一个头，或一个词", en="other sizes: one head, or one token"
)
def other_sizes(student, rng):
    """One head keeps all features; one token still has several heads."""
    x = normal(rng, 2, 1, 6)
    expect(student(x, 2)).equals(heads.split_heads(x, 2))
    x = normal(rng, 2, 3, 5)
    expect(student(x, 1)).equals(heads.split_heads(x, 1))


@split_heads.case(points=0, zh=IN_TRAINING.zh, en=IN_TRAINING.en)
def in_training(student, rng):
    """No points: an answer that is right on given sizes is right, but `fit` would stop at it."""
    x = normal(rng, 3, 5, 8)
    expect(student.in_training(x, 2)).equals(heads.split_heads(x, 2))


for _name, _data in {
    "bare_reshape": dict(
        switch=tuple(
            {"split": form}
            for form in ("bare_reshape", "bare_reshape_moved", "bare_reshape_of_columns")
        ),
        zh="reshape 没有先切最后一个轴：不同词的特征混进了同一个头的同一行。",
        en="The reshape doesn't cut the last axis alone: features of different tokens end up in "
        "one row of a head.",
        hints=RESHAPE_HINTS,
    ),
    "heads_left_behind_tokens": dict(
        switch={"split": "not_transposed"},
        zh="头的轴还在词的后面：(B, T, N, H)。约定头在词的前面。",
        en="The heads still come after the tokens: (B, T, N, H). They should come before them.",
        hints=ORDER_HINTS,
    ),
    "features_interleaved": dict(
        switch={"split": "interleaved"},
        zh="特征被交错分配：头 0 拿到了第 0、N、2N… 号，而不是连续的一段。",
        en="The features are dealt out in turn: head 0 gets numbers 0, N, 2N, … and not one block.",
        hints=BLOCK_HINTS,
    ),
    "head_count_and_size_swapped": dict(
        switch={"split": "sizes_swapped"},
        zh="头的个数与头的大小对调了。",
        en="The number of heads and their size are exchanged.",
        hints=BLOCK_HINTS,
    ),
    "features_before_tokens": dict(
        switch={"split": "features_before_tokens"},
        zh="最后两个轴的次序反了：应当先词、后特征。",
        en="The last two axes are in the wrong order: tokens first, features last.",
        hints=ORDER_HINTS,
    ),
    "heads_before_batch": dict(
        switch={"split": "heads_first"},
        zh="头的轴跑到了批的前面；批始终是第一个轴。",
        en="The heads stand before the batch; the batch is always the first axis.",
        hints=ORDER_HINTS,
    ),
    "heads_folded_into_batch": dict(
        switch=({"split": "folded"}, {"split": "folded_by_head"}),
        zh="头被折进了批的轴里；这里约定它自成一轴。",
        en="The heads are folded into the batch; here they get an axis of their own.",
        hints=ORDER_HINTS,
    ),
    "axes_in_wrong_order": dict(
        switch=tuple(
            {"split": f"order_{order}"}
            for order in heads.ORDERS
            if order not in ("0213", "0123", "0231", "2013")  # right, or named above
        ),
        zh="切得对，四个轴的次序不对：约定是 (B, N, T, H)。",
        en="The cut is right, but the four axes are in the wrong order: it should be (B, N, T, H).",
        hints=ORDER_HINTS,
    ),
    "heads_left_in_a_list": dict(
        switch={"split": "list_of_heads"},
        zh="各个头还分开放在列表里；它们应当成为一个张量的一个轴。",
        en="The heads are still apart in a list; they should become an axis of one tensor.",
        hints=ORDER_HINTS,
    ),
    "tokens_split_not_features": dict(
        switch={"split": "by_token"},
        zh="切的是词而不是特征：每个头都要看到所有的词。",
        en="It's the tokens that are cut and not the features: every head needs all tokens.",
        hints=BLOCK_HINTS,
    ),
    "every_head_gets_everything": dict(
        switch={"split": "everything"},
        zh="每个头都拿到了全部特征；应当各分一段。",
        en="Every head gets all features; each should get its own block.",
        hints=BLOCK_HINTS,
    ),
    "heads_in_reverse": dict(
        switch={"split": "reversed"},
        zh="头的次序反了：头 0 拿的是第一段特征。",
        en="The heads are in reverse order: head 0 gets the first block.",
        hints=BLOCK_HINTS,
    ),
}.items():
    split_heads.misconception(_name, **_data)


merge_heads = Exercise(
    "merge_heads",
    notebook=NOTEBOOK,
    points=2,
    stretch=True,
    library="bert_keras.layers.attention:merge_heads",
)


@merge_heads.case(points=1, zh="各个头并排拼回去", en="the heads are put side by side again")
def side_by_side(student, rng):
    """All sizes differ."""
    x = normal(rng, 2, 3, 5, 4)
    expect(student(x)).equals(heads.merge_heads(x))


@merge_heads.case(points=1, zh="分头再合头，还是原来的数", en="split and merged again: as before")
def undoes_split_heads(student, rng):
    """As many tokens as heads and as features per head, so that no shape gives a mistake away."""
    x = normal(rng, 2, 3, 9)
    cut = np.ascontiguousarray(heads.split_array(x, 3))
    expect(student(cut)).equals(heads.merge_heads(cut))


@merge_heads.case(points=0, zh=IN_TRAINING.zh, en=IN_TRAINING.en)
def merging_in_training(student, rng):
    """No points: an answer that is right on given sizes is right, but `fit` would stop at it."""
    x = normal(rng, 3, 2, 5, 4)
    expect(student.in_training(x)).equals(heads.merge_heads(x))


for _name, _data in {
    "bare_reshape": dict(
        switch=({"merge": "bare_reshape"}, {"merge": "bare_reshape_of_columns"}),
        zh="没有先把轴换回来就 reshape：形状对，但一行里混进了别的词。",
        en="Reshaped without moving the axes back first: the shape is right, but a row holds parts "
        "of other tokens.",
        hints=MERGE_HINTS,
    ),
    "features_interleaved": dict(
        switch={"merge": "interleaved"},
        zh="各头的特征被交错排列；应当一个头接着一个头。",
        en="The heads' features are dealt in turn; they should follow one head after the other.",
        hints=BLOCK_HINTS,
    ),
    "heads_reduced": dict(
        switch=tuple(
            {"merge": f"{how}{rest}"}
            for how in ("mean", "sum", "max", "min", "prod")
            for rest in ("", "_tiled", "_repeated")
        ),
        zh="各个头被合成了一个（平均、相加或取最大）；应当拼接，让每个头的内容都保留。",
        en="The heads are boiled down to one (mean, sum or maximum); they should be concatenated, "
        "so that each keeps what it found.",
        hints=(
            (
                "一个头是 +a，另一个是 -a，合并以后还剩什么？",
                "One head says +a, another -a: what is left of them?",
            ),
            ("合并后的最后一个轴应当有多长？", "How long should the last axis be afterwards?"),
        ),
    ),
    "heads_not_joined": dict(
        switch=({"merge": "not_joined"}, {"merge": "unchanged"}),
        zh="头还没有拼起来：最后应当是三个轴。",
        en="The heads aren't joined: three axes should be left.",
        hints=ORDER_HINTS,
    ),
    "one_head_kept": dict(
        switch=({"merge": "first_head"}, {"merge": "last_head"}),
        zh="只留下了一个头。",
        en="Only one head is kept.",
        hints=ORDER_HINTS,
    ),
    "axes_in_wrong_order": dict(
        switch=(
            *(
                {"merge": f"order_{order}"}
                for order in heads.ORDERS
                if order not in ("0213", "0123", "0231")  # right, or named above
            ),
            {"merge": "batch_second"},
        ),
        zh="合并之前轴换错了：先要让每个词的各个头挨在一起，(B, T, N, H)。",
        en="The axes are moved in the wrong way before joining: first the heads of one token must "
        "stand next to each other, (B, T, N, H).",
        hints=ORDER_HINTS,
    ),
    "heads_left_in_a_list": dict(
        switch={"merge": "list_of_heads"},
        zh="各个头还分开放在列表里；它们应当拼成一个张量。",
        en="The heads are still apart in a list; they should be joined into one tensor.",
        hints=ORDER_HINTS,
    ),
    "tokens_and_batch_flattened": dict(
        switch={"merge": "tokens_flattened"},
        zh="批和词被压成了一个轴；只有头和特征应当合并。",
        en="Batch and tokens are flattened into one axis; only heads and features should be "
        "joined.",
        hints=ORDER_HINTS,
    ),
    "joined_along_batch": dict(
        switch={"merge": "along_batch"},
        zh="头沿着批的轴接了起来；应当沿着特征的轴。",
        en="The heads are joined along the batch; it should be along the features.",
        hints=ORDER_HINTS,
    ),
    "joined_along_tokens": dict(
        switch={"merge": "along_tokens"},
        zh="头沿着词的轴接了起来；应当沿着特征的轴。",
        en="The heads are joined along the tokens; it should be along the features.",
        hints=ORDER_HINTS,
    ),
    "heads_in_reverse": dict(
        switch={"merge": "reversed"},
        zh="头的次序反了：头 0 的特征排在最前面。",
        en="The heads are in reverse order: head 0 comes first.",
        hints=BLOCK_HINTS,
    ),
}.items():
    merge_heads.misconception(_name, **_data)


def _alike(seen, rest):
    """Whether actual and right numbers agree as multisets over some axes, the heads' included."""
    actual, wanted = np.asarray(seen.actual, float), np.asarray(seen.expected, float)
    if actual.shape != wanted.shape:
        raise LookupError("the shape is another")
    if actual.ndim == 3:  # merged: heads and features are one axis
        actual, wanted = actual[:, None], wanted[:, None]
    keep = [axis for axis in range(4) if axis not in rest]

    def rows(x):
        kept = x.transpose(*keep, *rest)
        return np.sort(kept.reshape(*kept.shape[: len(keep)], -1), axis=-1)

    return np.allclose(rows(actual), rows(wanted), atol=1e-5)


for _exercise in (split_heads, merge_heads):

    @_exercise.property(
        "numbers_only_move",
        zh="结果里的数与输入不同：分头与合头只搬动数，不改变数。",
        en="The numbers differ from those of the input: splitting and merging only move numbers.",
    )
    def numbers_changed(seen):
        """As multisets, the result and the right one differ."""
        actual = np.sort(np.asarray(seen.actual, float).ravel())
        expected = np.sort(np.asarray(seen.expected).ravel())
        return actual.shape != expected.shape or not np.allclose(actual, expected, atol=1e-5)

    @_exercise.property(
        "shape_is_right",
        zh="形状不对：逐个轴对照说明。",
        en="The shape is wrong: compare it with the contract axis by axis.",
    )
    def shape_is_wrong(seen):
        return np.shape(seen.actual) != np.shape(seen.expected)

    @_exercise.property(
        "items_keep_their_numbers",
        zh="有的数跑到了批中的另一项里。",
        en="Some numbers end up in another item of the batch.",
    )
    def items_are_mixed(seen):
        return not numbers_changed(seen) and not _alike(seen, rest=(1, 2, 3))

    @_exercise.property(
        "tokens_keep_their_numbers",
        zh="有的数跑到了另一个词那里：先看清楚哪个轴是词。",
        en="Some numbers end up with another token: make sure which axis holds the tokens.",
    )
    def tokens_are_mixed(seen):
        return _alike(seen, rest=(1, 2, 3)) and not _alike(seen, rest=(1, 3))

    @_exercise.property(
        "numbers_are_in_place",
        zh="数都在，位置不对：有的数跑到了别的词或别的头那里。",
        en="All numbers are there but in the wrong places: some belong to another token or head.",
    )
    def numbers_are_misplaced(seen):
        return not numbers_changed(seen) and np.shape(seen.actual) == np.shape(seen.expected)
