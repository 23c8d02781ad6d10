"""Bugs of the drill of chapter 5c, and what else goes wrong in repairing them."""

from autograder.exercises.ch05c_adamw_mistakes import ADAMW
from autograder.exercises.ch05c_schedule_mistakes import SCHEDULE
from autograder.messages import Text

# The keys of solutions/ch05c_pretraining/drill.py, in its order; a test compares them.
ILLS = {
    "decay_on_norms": ({"decays": "everything"}, {"decays": "all_but_biases"}),
    "decay_in_the_gradient": ({"decay": "in_gradient"}, {"decay_added": "before_clipping"}),
    "no_bias_correction": ({"correction": "none"},),
    "clipped_per_tensor": ({"clip": "per_tensor"},),
    "clipped_after_update": ({"clip": "none"},),
    "rate_below_zero": ({"end": "negative"},),
    "kernels_not_transposed": ({"transpose": "never"},),
    "gamma_beta_exchanged": ({"norms": "exchanged"}, {"norms": "exchanged_in_new_files"}),
}
# What an unrepaired copy of the patient would be told by name is the answer to the first question.
STILL_ILL = Text(
    "repaired 里有名单上的一种错误（没改掉，或者是新添的）：给它和 patient 同一个小检查点、同样的"
    "梯度，看看得到的参数和范数是不是一样。",
    "repaired has one of the bugs in the list (still, or newly): give it and patient one small "
    "checkpoint and the same gradients, and see whether weights and norm agree.",
)
ILL_HINTS = (
    (
        "每次只动一样：梯度全取 0；编号取得远在终点以后；只留一个张量；把一个梯度放大一百倍。"
        "哪些参数跟着动了，该不该动？",
        "Change one thing at a time: gradients of 0; an update far past the end; one tensor "
        "alone; one gradient a hundred times as large. Which weights move, and should they?",
    ),
    (
        "学习率是 0 的时候，得到的参数应当正好是文件里的那些（矩阵转置以后）。",
        "With a rate of 0 the weights should be just those of the file, kernels transposed.",
    ),
)
OWN_HINTS = (
    (
        "把 patient 里做这件事的那一行，跟约定里的那句话对一遍。",
        "Hold the line that does this in patient against its sentence in the contract.",
    ),
    (
        "取一个张量、一个梯度，手算这一步。",
        "Take one tensor and one gradient, and work the step out by hand.",
    ),
)
OWN = {
    "nothing_decays": (
        {"decays": "nothing"},
        "什么都不衰减了；矩阵和嵌入表应当衰减。",
        "Nothing decays any more; kernels and tables should.",
    ),
    "wrong_ones_decay": (
        ({"decays": "the_exempt"}, {"decays": "kernels_only"}),
        "衰减的不是该衰减的：矩阵和嵌入表衰减，偏置、gamma、beta 不衰减。",
        "The wrong weights decay: kernels and tables should, biases, gammas and betas shouldn't.",
    ),
    "small_gradients_enlarged": (
        {"clip": "always"},
        "总范数小于 1 时，梯度被放大了。",
        "Gradients with a norm below 1 are enlarged.",
    ),
    "norm_after_clipping": (
        {"told_norm": "after"},
        "返回的是裁剪之后的总范数。",
        "The norm that comes back is the one after clipping.",
    ),
    "adam_counts_from_zero": (
        {"counted": "from_zero"},
        "AdamW 的步数从 0 数起了：第 0 次更新是第 1 步。",
        "AdamW's steps count from 0; update 0 is step 1.",
    ),
    "state_not_used": (
        {"begun": "from_zeros"},
        "没有用 state：m 和 v 又从 0 开始。",
        "state isn't used: m and v begin with zeros again.",
    ),
    "kernels_and_tables_transposed": (
        ({"transpose": "all_weights"}, {"transpose": "kernels_and_tables"}),
        "嵌入表也转置了。",
        "Tables are transposed as well.",
    ),
}
# Pieces of one's own in place of those that are lent; what comes back is the drill's affair.
_PIECES = (
    "no_warm_up",
    "no_fall",
    "first_update_wasted",
    "fall_counted_from_the_start",
    "edge_of_the_warm_up",
    "not_zero_past_the_end",
    "decay_divided_too",
    "decay_without_the_rate",
    "decay_makes_it_grow",
    "half_a_correction",
    "root_missing",
    "uphill",
    "rate_left_out",
)
PIECES = {name: (SCHEDULE | ADAMW)[name] for name in _PIECES}
