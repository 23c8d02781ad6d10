"""Known mistakes in going around a branch: name → switches, sentences and hints."""

ORDER_HINTS = (
    (
        "照着公式画一遍：x 在哪里分成两路，在哪里合起来？归一化站在支路上，还是合起来之后？",
        "Draw the formula: where does x part in two, where do both ways meet? Does the norm "
        "stand on the branch, or after the meeting?",
    ),
    (
        "让支路的输出全是 0：后归一化应得归一化了的 x，前归一化应得 x 本身。你的呢？",
        "Let the branch give zeros: post-LN should give x normalised, pre-LN x itself. And yours?",
    ),
)
SKIP_HINTS = (
    (
        "让支路的输出全是 0，x 还在吗？",
        "Let the branch give zeros: is x still there?",
    ),
    (
        "旁路上走的是原来的 x，不多不少一份。",
        "What passes on the bypass is x as it was, once, no more and no less.",
    ),
)
BRANCH_HINTS = (
    (
        "换一个支路，输出会跟着变吗？",
        "Take another branch: does the output move with it?",
    ),
    (
        "支路只走一次；它的输出加到旁路上。",
        "The branch is gone through once, and what it gives is added to the bypass.",
    ),
)


def mistakes(way):
    """The mistakes of one of the two exercises.

    Args:
        way: `post` or `pre`, the order that is asked for.
    """
    pre = way == "pre"
    end = "_pre" if pre else ""
    other = "post" if pre else "pre"
    found = {
        "other_order": dict(
            switch={"form": other},
            zh="这是另一种次序：先加后归一化，还是先归一化再进支路，两题正好相反。",
            en="This is the other order: whether to add first and then normalise, or to normalise "
            "what enters the branch, is just what sets the two exercises apart.",
            hints=ORDER_HINTS,
        ),
        "norm_on_the_branch": dict(
            switch={"form": "norm_on_branch"},
            zh="归一化的是支路的输出：既不是后归一化，也不是前归一化。",
            en="What the branch gives is normalised: that is neither post-LN nor pre-LN.",
            hints=ORDER_HINTS,
        ),
        "both_ways_normalised": dict(
            switch={"form": "norm_on_both"},
            zh="旁路和支路的输出各归一化了一次，然后才相加；归一化只该有一次，而且旁路上的 x "
            "不经过它。",
            en="Bypass and branch are normalised each by itself before they are added; there "
            "should be one norm, and x on the bypass doesn't go through it.",
            hints=ORDER_HINTS,
        ),
        "skip_missing": dict(
            switch=(
                {"form": f"skip_missing{end}"},
                {"form": "skip_missing" if pre else "skip_missing_pre"},
                {"form": "branch_alone"},
            ),
            zh="没有旁路：x 本身没有加上去。",
            en="There is no bypass: x itself isn't added.",
            hints=SKIP_HINTS,
        ),
        "skip_normalised": dict(
            switch=({"form": "skip_normed"}, {"form": "norm_on_skip"}),
            zh="旁路上的 x 被归一化了；它应当原样走过去。",
            en="The x on the bypass is normalised; it should pass untouched.",
            hints=SKIP_HINTS,
        ),
        "normalised_twice": dict(
            switch=({"form": "norm_twice"}, {"form": "norm_twice_normed_skip"},
                    {"form": "norm_of_branch_of_norm"}),
            zh="归一化用了两次：只该用一次。",
            en="The norm is used twice; once is enough.",
            hints=ORDER_HINTS,
        ),
        "norm_missing": dict(
            switch={"form": "norm_missing"},
            zh="没有归一化。",
            en="Nothing is normalised.",
            hints=ORDER_HINTS,
        ),
        "a_norm_of_its_own": dict(
            switch=tuple({"owned": epsilon} for epsilon in ("1e-3", "1e-6", "1e-5", "1e-12")),
            zh="没有用传进来的 norm，而是自己另造了一个归一化。",
            en="The norm that is passed in isn't used: another one is made instead.",
            hints=(
                (
                    "换一个 norm 传进去，输出会跟着变吗？",
                    "Pass in another norm: does the output move with it?",
                ),
                (
                    "三个参数都是别人给的，直接调用就行，不用再造什么。",
                    "All three arguments are given: call them; nothing needs to be made.",
                ),
            ),
        ),
        "added_outside_the_norm": dict(
            switch={"form": "outer_skip"},
            zh="x 加了两次：在归一化里面一次，外面又一次。",
            en="x is added twice: once inside the norm, and once more outside.",
            hints=SKIP_HINTS,
        ),
        "branch_added_to_itself": dict(
            switch={"form": f"branch_doubled{end}"},
            zh="支路的输出加到了它自己身上，x 不见了（多半是先覆盖了 x）。",
            en="What the branch gives is added to itself, and x is gone (probably overwritten).",
            hints=SKIP_HINTS,
        ),
        "branch_unused": dict(
            switch=({"form": f"stream_doubled{end}"}, {"form": "branch_missing"}),
            zh="支路的输出没有用上。",
            en="What the branch gives isn't used.",
            hints=BRANCH_HINTS,
        ),
        "bypass_twice": dict(
            switch={"form": f"skip_twice{end}"},
            zh="x 加了两份。",
            en="x is added twice over.",
            hints=SKIP_HINTS,
        ),
        "not_a_sum": dict(
            switch=tuple(
                {"form": form}
                for form in (f"subtracted{end}", f"multiplied{end}", f"averaged{end}", "joined")
            ),
            zh="两路不是相加（相减、相乘、取平均，或拼在一起）。",
            en="The two ways aren't added (but subtracted, multiplied, averaged or joined).",
            hints=BRANCH_HINTS,
        ),
        "branch_comes_last": dict(
            switch=({"form": "branch_of_sum"}, {"form": "branch_last"}),
            zh="支路站到了最后：加好的、归一化好的又进了一次支路。",
            en="The branch stands at the end: what is added and normalised goes into it again.",
            hints=BRANCH_HINTS,
        ),
    }  # fmt: skip
    return found
