"""Known mistakes in wiring a Transformer block: name → switches, sentences and hints."""

import itertools

from autograder.exercises.block_hints import (
    DROPOUT_HINTS,
    INPUT_HINTS,
    MASK_HINTS,
    NORM_HINTS,
    ORDER_HINTS,
    SKIP_HINTS,
    STAGE_HINTS,
)


def everywhere(name, value, stages, at=None):
    """A switch's value in all the places where the mistake may be made, the commonest first.

    Args:
        name: of the switch.
        value: its value.
        stages: names of the block's stages.
        at: the stages in which it can be made; None for all of them.
    """
    orders = ("", "/post", "/pre")
    if at is None:
        places = ["", *(f"/{stage}" for stage in stages)]
    else:
        places = [f"/{stage}" for stage in at]
    return tuple({name: f"{value}{p}{o}"} for o, p in itertools.product(orders, places))


def wrong_norms(stages):
    """Every way to take norms from each other, for all blocks or for one order."""
    pairs = {
        ("self", "ffn"): ("first_for_all", "last_for_all", "exchanged"),
        ("self", "cross", "ffn"): (
            "first_for_all", "ffn_uses_cross", "cross_uses_self", "last_for_all", "ffn_uses_self",
            "cross_uses_ffn", "self_uses_cross", "self_uses_ffn", "first_two_exchanged",
            "last_two_exchanged", "exchanged",
        ),
    }[stages]  # fmt: skip
    return tuple({"norms": f"{which}{order}"} for order in ("", "/post", "/pre") for which in pairs)


def shared(stages):
    """The mistakes that both blocks can contain.

    Args:
        stages: names of the block's stages, ("self", "ffn") or ("self", "cross", "ffn").
    """
    later = stages[1:]

    def forms(switch, *values, at=None):
        return tuple(form for v in values for form in everywhere(switch, v, stages, at))

    return {
        "norm_first_ignored": dict(
            switch=({"place": "other/pre"}, {"place": "other/post"}),
            zh="norm_first 没有起作用：两种设置下，块都是同一种次序。",
            en="norm_first has no effect: the block has one order whatever it says.",
            hints=ORDER_HINTS,
        ),
        "norm_first_inverted": dict(
            switch={"place": "other"},
            zh="norm_first 用反了：True 是先归一化再进支路，False 是相加之后归一化。",
            en="norm_first is the wrong way round: True means normalising what enters a branch, "
            "False normalising the sum.",
            hints=ORDER_HINTS,
        ),
        "one_branch_in_the_other_order": dict(
            switch=forms("place", "other", at=stages),
            zh="几条支路的次序不一致：有的先归一化，有的后归一化。",
            en="The branches disagree: one normalises first and another after the sum.",
            hints=ORDER_HINTS,
        ),
        "norm_on_the_branch": dict(
            switch=forms("place", "norm_on_branch", "pre_and_branch"),
            zh="归一化的是支路的输出：既不是前归一化，也不是后归一化。",
            en="What a branch gives is normalised: that is neither pre-LN nor post-LN.",
            hints=ORDER_HINTS,
        ),
        "norm_missing": dict(
            switch=forms("place", "missing"),
            zh="少了归一化：有的支路前后都没有。",
            en="A norm is missing: some branch has none, neither before nor after.",
            hints=NORM_HINTS,
        ),
        "normalised_twice": dict(
            # Where all else is pre-LN, a norm behind the last branch is one at the block's end.
            switch=tuple(f for f in forms("place", "both") if f != {"place": "both/ffn/pre"}),
            zh="同一条支路前后都归一化了；只该有一次。",
            en="One branch is normalised both before and after; it should be once.",
            hints=ORDER_HINTS,
        ),
        "skip_normalised": dict(
            switch=forms("place", "skip_normed", "norm_on_skip"),
            zh="旁路上的 x 被归一化了（多半是用归一化的结果覆盖了 x）；它应当原样走过去。",
            en="The x on the bypass is normalised (probably overwritten by its norm); it should "
            "pass untouched.",
            hints=SKIP_HINTS,
        ),
        "added_outside_the_norm": dict(
            switch=forms("place", "outer_skip"),
            zh="x 加了两次：归一化里面一次，外面又一次。",
            en="x is added twice: inside the norm, and once more outside.",
            hints=SKIP_HINTS,
        ),
        "wrong_norm": dict(
            switch=wrong_norms(stages),
            zh="有的支路用了别的支路的归一化。",
            en="Some branch uses the norm of another.",
            hints=NORM_HINTS,
        ),
        "norm_at_the_end": dict(
            switch=({"ending": "norm/pre"}, {"ending": "norm"}, {"ending": "norm/post"},
                    {"ending": "first_norm/pre"}, {"ending": "first_norm"}),
            zh="块的末尾多了一次归一化；整叠块的末尾才需要，那不归块管。",
            en="There is one more norm at the block's end; a stack may need one, a block doesn't.",
            hints=NORM_HINTS,
        ),
        "skip_missing": dict(
            switch=forms("skip", "missing"),
            zh="少了旁路：有的支路的输出没有加到它的输入上。",
            en="A bypass is missing: what some branch gives isn't added to what it was given.",
            hints=SKIP_HINTS,
        ),
        "branch_added_to_itself": dict(
            # Mostly x = norm(x + dropout(x)), where x is the branch by then: dropped once only.
            switch=forms("skip", "branch_and_dropped", "branch_doubled"),
            zh="支路的输出加到了它自己身上：相加之前 x 已经被覆盖了。",
            en="What a branch gives is added to itself: x was overwritten before the sum.",
            hints=SKIP_HINTS,
        ),
        "branch_unused": dict(
            switch=forms("skip", "stream_doubled"),
            zh="支路算了却没有用：加的是 x 自己。",
            en="A branch is computed and not used: x is added to itself.",
            hints=SKIP_HINTS,
        ),
        "not_a_plain_sum": dict(
            switch=forms("skip", "twice", "subtracted"),
            zh="旁路和支路不是各一份相加（x 加了两份，或者减掉了支路）。",
            en="Bypass and branch aren't added once each (x counts twice, or the branch is "
            "subtracted).",
            hints=SKIP_HINTS,
        ),
        "skip_from_the_start": dict(
            switch=forms("skip", "start", at=later),
            zh="后面的旁路走的是块最初的输入；应当是前一条支路之后的结果。",
            en="A later bypass carries what the block was given at first; it should carry the "
            "result of the branch before.",
            hints=SKIP_HINTS,
        ),
        "residual_around_everything": dict(
            switch=tuple({"ending": f"residual{order}"} for order in ("", "/pre", "/post")),
            zh="整个块外面又加了一条旁路。",
            en="There is one more bypass around the whole block.",
            hints=SKIP_HINTS,
        ),
        "branch_reads_the_start": dict(
            switch=forms("enters", "start", at=later),
            zh="后面的支路读的是块最初的输入；应当接着前一条支路的结果做。",
            en="A later branch reads what the block was given at first; it should go on from the "
            "result of the branch before.",
            hints=INPUT_HINTS,
        ),
        "branch_reads_the_bare_branch": dict(
            switch=forms("enters", "branch", at=later),
            zh="后面的支路读的是前一条支路的裸输出：还没加旁路，也没归一化。",
            en="A later branch reads the bare output of the branch before, without its bypass and "
            "norm.",
            hints=INPUT_HINTS,
        ),
        "norm_not_taken_again": dict(
            # With post-LN such a branch reads what the one before it has read.
            switch=tuple(
                {"enters": f"seen_before{place}{order}"}
                for order in ("/pre", "")
                for place in (*(f"/{stage}" for stage in later), "")
            ),
            zh="前归一化时，后面的支路之前没有重新归一化：它拿到的还是上一次归一化的结果。",
            en="With pre-LN the norm isn't taken again before a later branch: what enters is the "
            "normalised x of the branch before.",
            hints=INPUT_HINTS,
        ),
        "only_a_part_normalised": dict(
            switch=tuple(
                {"self_inputs": f"{which}{order}"}
                for order in ("", "/pre")
                for which in ("query_only_normed", "value_not_normed", "key_not_normed",
                              "query_not_normed")
            ),
            zh="前归一化时，query、key、value 里只有一部分归一化了；三个输入应当是同一个张量。",
            en="With pre-LN only some of query, key and value are normalised; in self-attention "
            "all three are one tensor.",
            hints=INPUT_HINTS,
        ),
        "mask_inverted": dict(
            switch=(*forms("masking", "inverted", at=stages[:-1]), {"masking": "inverted"}),
            zh="掩码反过来了：True 表示可以看，原样交给注意力就行。",
            en="A mask is inverted: True means may attend, and attention takes it as it is.",
            hints=MASK_HINTS,
        ),
        "causal_inside": dict(
            switch=(*forms("masking", "causal_too", "causal_instead", at=stages[:-1]),
                    {"masking": "causal_too"}),
            zh="块里面自己加了因果掩码：谁能看谁，由传进来的掩码说了算。",
            en="There is a causal mask inside the block: the masks passed in say who may look at "
            "whom.",
            hints=MASK_HINTS,
        ),
        "feed_forward_missing": dict(
            switch={"sequence": "no_ffn"},
            zh="没有前馈网络。",
            en="There is no feed-forward network.",
            hints=STAGE_HINTS,
        ),
        "a_part_used_twice": dict(
            switch=({"sequence": "ffn_twice"}, {"sequence": "self_twice"},
                    {"branches": "second_twice"}),
            zh="有的零件用了两次。",
            en="Some part is used twice.",
            hints=STAGE_HINTS,
        ),
        "dropout_missing": dict(
            switch=forms("dropped", "nothing"),
            zh="训练时，有的支路的输出没有经过 dropout。",
            en="In training the output of some branch doesn't go through dropout.",
            hints=DROPOUT_HINTS,
        ),
        "dropout_in_the_wrong_place": dict(
            # What enters an attention whose weights are all dropped doesn't show.
            switch=(*forms("dropped", "sum", "output"), *forms("dropped", "input", at=("ffn",)),
                    {"dropped": "input"}),
            zh="dropout 作用错了地方：它只作用在支路的输出上，在相加之前。",
            en="Dropout acts in the wrong place: it belongs to a branch's output, before the sum.",
            hints=DROPOUT_HINTS,
        ),
        "dropout_always_on": dict(
            switch=({"when": "always"}, {"when": "always_everywhere"}),
            zh="推理时 dropout 也开着。",
            en="Dropout is on in inference too.",
            hints=DROPOUT_HINTS,
        ),
    }  # fmt: skip


def mask_not_passed(name, value, zh, en):
    """A mask that is lost: in both orders, or in one of them, each by a name of its own.

    Args:
        name: of the misconception.
        value: of the switch `masking`.
        zh, en: which mask doesn't reach which attention; without a full stop.
    """
    orders = {
        "": ("", "", ""),
        "_in_pre_ln": ("/pre", "（只在前归一化时）", ", but with post-LN it does"),
        "_in_post_ln": ("/post", "（只在后归一化时）", ", but with pre-LN it does"),
    }
    return {
        f"{name}{end}": dict(
            switch={"masking": f"{value}{place}"},
            zh=f"{zh}{more_zh}。",
            en=f"{en}{more_en}.",
            hints=MASK_HINTS,
        )
        for end, (place, more_zh, more_en) in orders.items()
    }
