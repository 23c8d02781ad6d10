"""Mistakes in a schedule of straight lines: switches and sentences."""

RISE_HINTS = (
    (
        "第 0 次更新的学习率是多少？预热的最后一次（第 warmup_steps − 1 次）呢？",
        "What is the rate of update 0? And of the last one of the warm-up, number "
        "warmup_steps − 1?",
    ),
    (
        "编号从 0 数起：预热一共 warmup_steps 次，最后一次正好到最高。",
        "Numbers begin at 0: the warm-up has warmup_steps updates, and the last of them reaches "
        "the peak.",
    ),
)
FALL_HINTS = (
    (
        "降的那一段从哪一次开始，到哪一次正好是 0？把这两个编号代进你的式子。",
        "At which update does the fall begin, and at which is it exactly 0? Put both numbers into "
        "your formula.",
    ),
    (
        "降的一段有多少次更新？分母就是这么多。",
        "How many updates long is the fall? Divide by that number.",
    ),
)
PHASE_HINTS = (
    (
        "画出升和降两条直线，把你的曲线画在上面：每一段跟的是哪一条？",
        "Draw both straight lines and your curve on top: which of the two does it follow, and "
        "where?",
    ),
    (
        "两条线在预热结束的地方相交；每一处该用哪一条？",
        "The two lines cross where the warm-up ends; which is to be used on which side?",
    ),
)
END_HINTS = (
    (
        "算一算第 2 · total_steps 次更新的学习率。",
        "Ask for update 2 · total_steps.",
    ),
    (
        "降的那条直线过了终点还会往下走；走完以后学习率该是多少？",
        "The falling line goes on downwards past the end; what should the rate be there?",
    ),
)
ARGUMENT_HINTS = (
    (
        "换一个 peak、换一个 warmup_steps、换一个 total_steps：结果各自怎么变？",
        "Change peak, then warmup_steps, then total_steps: what does each do to the result?",
    ),
    (
        "最高的学习率在哪一次？它应当正好等于 peak。",
        "At which update is the rate highest? It should be peak, exactly.",
    ),
)
TENSOR_HINTS = (
    (
        "让 step 是一个张量，装着 0 到 9：哪一步出错？",
        "Let step be a tensor of the numbers 0 to 9: which operation fails?",
    ),
    (
        "张量里有许多个数：要用 ops 里逐个元素算的函数；整数张量先转成浮点数。",
        "A tensor holds many numbers: it needs the functions of ops, which work element by "
        "element; whole numbers are cast to floats first.",
    ),
)

SCHEDULE = {
    "first_update_wasted": (
        {"rise": "from_zero"},
        "预热从 0 升起：第 0 次更新的学习率是 0，白算了一批；到最后一次也还没有到最高。",
        "The warm-up begins at 0: update 0 does nothing, and the last one of the warm-up falls "
        "short of the peak.",
        RISE_HINTS,
    ),
    "rise_has_another_length": (
        ({"rise": "one_more"}, {"rise": "of_total"}),
        "升的一段分母不对：预热一共是 warmup_steps 次更新。",
        "The rise is divided by another number: the warm-up has warmup_steps updates.",
        RISE_HINTS,
    ),
    "no_warm_up": (
        ({"rise": "flat"}, {"phase": "never"}),
        "没有预热：一开始就不是从小的学习率升上来的。",
        "There is no warm-up: the rate doesn't rise from a small one.",
        PHASE_HINTS,
    ),
    "fall_counted_from_the_start": (
        ({"fall": "of_total"}, {"fall": "counted_from_warmup"}),
        "降的一段除的是 total_steps：它从预热结束才开始，只有 total_steps − warmup_steps 次。"
        "（这样一来，预热之后学习率会突然跳变，或者到终点还没有降到 0。）",
        "The fall is divided by total_steps; it begins at the end of the warm-up and is only "
        "total_steps − warmup_steps updates long. (So the rate jumps there, or isn't 0 at the "
        "end.)",
        FALL_HINTS,
    ),
    "fall_off_by_one": (
        ({"fall": "one_less"}, {"fall": "one_more"}, {"fall": "from_one"}),
        "降的一段错开了一次更新：第 warmup_steps 次还是最高，第 total_steps 次正好是 0。",
        "The fall is off by one update: number warmup_steps still has the peak, and number "
        "total_steps is the first with 0.",
        FALL_HINTS,
    ),
    "no_fall": (
        ({"fall": "flat"}, {"phase": "up_to_the_peak"}, {"fall": "flat", "end": "negative"}),
        "预热以后学习率一直是最高，没有往下降。",
        "After the warm-up the rate stays at its peak and never falls.",
        PHASE_HINTS,
    ),
    "rises_for_ever": (
        {"phase": "always"},
        "预热以后学习率还在往上升。",
        "The rate goes on rising after the warm-up.",
        PHASE_HINTS,
    ),
    "another_curve": (
        ({"fall": "cosine"}, {"fall": "root"}),
        "降的一段不是直线。",
        "The fall isn't a straight line.",
        FALL_HINTS,
    ),
    "edge_of_the_warm_up": (
        ({"phase": "up_to"}, {"phase": "one_too_few"}),
        "升和降的分界错开了一次更新：编号小于 warmup_steps 的才升。",
        "The border between rise and fall is off by one: what rises has a number below "
        "warmup_steps.",
        PHASE_HINTS,
    ),
    "lines_joined_otherwise": (
        ({"phase": "larger"}, {"phase": "product"}, {"phase": "capped_product"}),
        "升和降两条线乘在了一起，或者取了较大的那条；每一次更新只用其中一条。",
        "The two lines are multiplied, or the larger one is taken; each update uses one of them.",
        PHASE_HINTS,
    ),
    "negative_past_the_end": (
        {"end": "negative"},
        "走完以后学习率变成了负的：参数会沿着梯度往上走。",
        "Past the end the rate becomes negative, and weights go uphill.",
        END_HINTS,
    ),
    "not_zero_past_the_end": (
        ({"end": "positive"}, {"end": "held"}),
        "走完以后学习率不是 0。",
        "Past the end the rate isn't 0.",
        END_HINTS,
    ),
    "peak_left_out": (
        {"height": "left_out"},
        "没有乘上 peak：返回的是 0 到 1 之间的份额。",
        "peak is left out: what comes back is a share between 0 and 1.",
        ARGUMENT_HINTS,
    ),
    "warmup_and_total_exchanged": (
        {"arguments": "exchanged"},
        "warmup_steps 和 total_steps 用反了。",
        "warmup_steps and total_steps are swapped.",
        ARGUMENT_HINTS,
    ),
    "whole_division": (
        {"division": "whole"},
        "用了整除：学习率只剩 0 和 peak 的整数倍。",
        "The division drops fractions: only 0 and multiples of peak are left.",
        TENSOR_HINTS,
    ),
    "single_numbers_only": (
        {"numbers": "pythons"},
        "Python 的 if、min、max 只会处理单个的数；step 也可能是装着许多编号的张量。",
        "Python's if, min and max deal with single numbers; step may be a tensor of many.",
        TENSOR_HINTS,
    ),
    "whole_numbers_not_cast": (
        {"precision": "whole_numbers"},
        "整数张量没有先转成浮点数：它不能和小数一起算。",
        "Tensors of integers aren't cast to floats first, and can't be combined with fractions.",
        TENSOR_HINTS,
    ),
}
