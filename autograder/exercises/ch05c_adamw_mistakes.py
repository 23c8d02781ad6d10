"""Mistakes in a step of AdamW: switches, sentences and hints."""

MOMENT_HINTS = (
    (
        "从 0 开始走一步：m 应当是梯度的 0.1 倍，v 应当是它的平方的 0.001 倍。",
        "Make one step from zeros: m should be 0.1 times the gradient, v 0.001 times its square.",
    ),
    (
        "两个都是滑动平均：旧的占多少，新的占多少，加起来是几？",
        "Both are running averages: which share has the old value, which the new, and what do the "
        "shares add up to?",
    ),
)
CORRECTION_HINTS = (
    (
        "从 0 开始走第 1 步：校正以后，m̂ 应当正好是梯度。",
        "Make step 1 from zeros: corrected, m̂ should be the gradient itself.",
    ),
    (
        "走了 t 步，最初的那个 0 还占多少？校正正好把它除掉。",
        "After t steps, what share does the 0 of the start still have? That is what correction "
        "divides away.",
    ),
)
STORED_HINTS = (
    (
        "返回的 m 和 v，是下一步要接着算的，还是这一步用来除的？",
        "The m and v that come back: are they what the next step goes on from, or what this one "
        "divided by?",
    ),
    (
        "接连走两步，第二步从第一步的结果开始，手算对一遍。",
        "Make two steps, the second from what the first gave, and work them out by hand as well.",
    ),
)
EPSILON_HINTS = (
    (
        "取 ε = 1，v̂ = 4：分母应当是多少？",
        "Take ε = 1 and v̂ = 4: what should the step be divided by?",
    ),
    ("先开方，后加 ε。", "The root first, ε afterwards."),
)
DECAY_HINTS = (
    (
        "梯度、m、v 全取 0，走一步：参数应当变成多少？m 和 v 呢？",
        "Let the gradient, m and v be 0 and make a step: what should become of the weight, and of "
        "m and v?",
    ),
    (
        "衰减的一项和 Adam 的一项是各管各的：两项都乘学习率，都用旧的参数算。",
        "Decay and Adam mind their own business: both terms are multiplied by the rate, and both "
        "are computed from the old weight.",
    ),
)
DIRECTION_HINTS = (
    (
        "只看符号：梯度为正的时候，参数该变大还是变小？",
        "Look at signs alone: where the gradient is positive, should the weight grow or shrink?",
    ),
    (
        "学习率加倍，参数动得远一倍吗？",
        "With twice the rate, does the weight move twice as far?",
    ),
)
SETTING_HINTS = (
    (
        "把五个设置一个一个换掉：每换一个，结果都变吗？",
        "Change the five settings one by one: does the result change each time?",
    ),
    (
        "函数里的数，哪些本该是参数？",
        "Of the numbers in your function, which should be arguments?",
    ),
)
RETURN_HINTS = (
    (
        "约定里返回的三样是什么，次序怎样？",
        "Which three things does the contract return, and in which order?",
    ),
    (
        "返回的三样都是走完这一步以后的。",
        "All three are as they stand after this step.",
    ),
)

ADAMW = {
    "decay_in_the_gradient": (
        {"decay": "in_gradient"},
        "衰减加进了梯度，于是也进了 m 和 v：这是带 L2 的 Adam，不是 AdamW。",
        "Decay is added to the gradient, and so gets into m and v: that is Adam with L2, and not "
        "AdamW.",
        DECAY_HINTS,
    ),
    "decay_divided_too": (
        {"decay": "in_numerator"},
        "衰减的一项也除以了 √v̂ + ε：它应当单独一项，不除。",
        "The term of decay is divided by √v̂ + ε as well; it stands apart and isn't divided.",
        DECAY_HINTS,
    ),
    "no_decay": (
        {"decay": "none"},
        "没有衰减。",
        "There is no decay.",
        DECAY_HINTS,
    ),
    "decay_without_the_rate": (
        {"decay": "without_the_rate"},
        "衰减的一项没有乘学习率。",
        "The term of decay isn't multiplied by the learning rate.",
        DECAY_HINTS,
    ),
    "decay_of_the_new_weight": (
        {"decay": "new_weight"},
        "衰减用的是已经动过的参数；约定用旧的。",
        "It is the weight already moved that decays; the old one was agreed on.",
        DECAY_HINTS,
    ),
    "decay_makes_it_grow": (
        {"decay": "grows"},
        "衰减的符号反了：参数越衰减越大。",
        "Decay has the wrong sign: it makes weights grow.",
        DECAY_HINTS,
    ),
    "decay_with_the_corrected_rate": (
        {"decay": "with_corrected_rate"},
        "校正并进了学习率，衰减的一项也跟着乘了它；衰减用的是原来的学习率。",
        "The correction is folded into the rate, and decay is multiplied by that; decay uses the "
        "rate as it is given.",
        DECAY_HINTS,
    ),
    "decay_of_something_else": (
        ({"decay": "constant"}, {"decay": "of_the_update"}),
        "衰减的一项没有乘旧的参数。",
        "The term of decay isn't multiplied by the old weight.",
        DECAY_HINTS,
    ),
    "no_correction": (
        {"correction": "none"},
        "m 和 v 都没有校正。",
        "Neither m nor v is corrected.",
        CORRECTION_HINTS,
    ),
    "half_a_correction": (
        ({"correction": "momentum_only"}, {"correction": "velocity_only"}),
        "m 和 v 只校正了一个。",
        "Only one of m and v is corrected.",
        CORRECTION_HINTS,
    ),
    "wrong_power_in_the_correction": (
        tuple(
            {"correction": form}
            for form in (
                "step_from_zero",
                "step_one_too_far",
                "without_powers",
                "times_the_step",
                "first_step_again",
            )
        ),
        "校正里 β 的次数不对：第 t 步是 t 次方，t 从 1 数起。",
        "The power of β in the correction is wrong: in step t it is t, which counts from 1.",
        CORRECTION_HINTS,
    ),
    "corrected_the_wrong_way": (
        ({"correction": "times_instead"}, {"correction": "exchanged"}),
        "校正反了：应当除，却乘了；或者 m 和 v 用了对方的。",
        "The correction is the wrong way round: multiplied and not divided, or each has the "
        "other's.",
        CORRECTION_HINTS,
    ),
    "corrected_ones_stored": (
        {"returned": "corrected"},
        "返回的是校正过的 m̂ 和 v̂：下一步会在它们上面再校正一遍。",
        "m̂ and v̂ come back, the corrected ones; the next step would correct them again.",
        STORED_HINTS,
    ),
    "old_moments_used": (
        {"used": "old"},
        "更新参数用的是旧的 m 和 v，这一步的梯度还没有算进去。",
        "The weight is moved by the old m and v, before this step's gradient enters them.",
        MOMENT_HINTS,
    ),
    "gradient_in_place_of_momentum": (
        {"used": "gradient"},
        "更新参数用的是这一步的梯度，没有用 m。",
        "The weight is moved by this step's gradient and not by m.",
        MOMENT_HINTS,
    ),
    "old_moments_returned": (
        {"returned": "old_moments"},
        "返回的是旧的 m 和 v：下一步接不上。",
        "The old m and v come back, and the next step has nothing to go on from.",
        STORED_HINTS,
    ),
    "moments_begun_anew": (
        {"moments": "begun_anew"},
        "传进来的 m 和 v 没有用上：每一步都从 0 开始。",
        "The m and v that are passed in aren't used: every step begins with zeros.",
        STORED_HINTS,
    ),
    "velocity_not_squared": (
        ({"moments": "velocity_of_gradient"}, {"moments": "velocity_of_size"}),
        "v 平均的应当是梯度的平方。",
        "v should average the squares of gradients.",
        MOMENT_HINTS,
    ),
    "velocity_of_the_momentum": (
        {"moments": "velocity_of_momentum"},
        "v 平均的是 m 的平方；应当是梯度的平方。",
        "v averages squares of m; it should be squares of gradients.",
        MOMENT_HINTS,
    ),
    "moments_are_sums": (
        (
            {"moments": "sums"},
            {"moments": "momentum_is_a_sum"},
            {"moments": "velocity_is_a_sum"},
        ),
        "新的一项没有乘 1 − β：得到的是和，不是平均。",
        "The new term isn't multiplied by 1 − β: that makes sums, not averages.",
        MOMENT_HINTS,
    ),
    "shares_exchanged": (
        tuple(
            {"moments": form}
            for form in (
                "weights_exchanged",
                "momentum_weights_exchanged",
                "velocity_weights_exchanged",
            )
        ),
        "β 和 1 − β 用反了：旧的只剩一点点，新的占了大头。",
        "β and 1 − β are swapped: the new term has the large share and the old one the small.",
        MOMENT_HINTS,
    ),
    "betas_exchanged": (
        ({"betas": "exchanged"}, {"betas": "first_twice"}),
        "beta_1 和 beta_2 用反了，或者两处都用了 beta_1。",
        "beta_1 and beta_2 are swapped, or beta_1 is used for both.",
        MOMENT_HINTS,
    ),
    "root_missing": (
        {"root": "not_taken"},
        "分母没有开方：用的是 v̂，不是 √v̂。",
        "The root is missing: it divides by v̂ and not by √v̂.",
        EPSILON_HINTS,
    ),
    "epsilon_inside_the_root": (
        {"at": "inside"},
        "ε 加在了根号里面；约定加在外面。",
        "ε is added inside the root; outside was agreed on.",
        EPSILON_HINTS,
    ),
    "epsilon_not_added": (
        ({"at": "nowhere"}, {"at": "largest"}),
        "ε 没有加到分母上。",
        "ε isn't added to what the step is divided by.",
        EPSILON_HINTS,
    ),
    "uphill": (
        ({"direction": "up"}, {"direction": "up", "decay": "grows"}),
        "走反了：应当沿着梯度的反方向。",
        "It goes uphill: steps go against the gradient.",
        DIRECTION_HINTS,
    ),
    "rate_left_out": (
        {"rate": "left_out"},
        "没有乘学习率。",
        "The learning rate is left out.",
        DIRECTION_HINTS,
    ),
    "fixed_settings": (
        tuple({"constants": form} for form in ("all", "betas", "epsilon", "decay")),
        "有的设置写成了固定的数，没有用传进来的参数。",
        "Some settings are fixed numbers in place of the arguments.",
        SETTING_HINTS,
    ),
    "returned_in_another_form": (
        tuple({"returned": form} for form in ("weight_only", "velocity_first", "weight_last")),
        "返回的应当依次是：新的参数、m、v。",
        "What comes back should be the new weight, m and v, in this order.",
        RETURN_HINTS,
    ),
    "change_returned": (
        {"returned": "change"},
        "返回的第一样是改变量；要的是改变之后的参数。",
        "The first thing that comes back is the change; the changed weight is wanted.",
        RETURN_HINTS,
    ),
    "weight_as_it_was": (
        {"returned": "old_weight"},
        "返回的是旧的参数。",
        "The old weight comes back.",
        RETURN_HINTS,
    ),
}
