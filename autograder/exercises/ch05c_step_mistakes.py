"""Mistakes in a training step: switches, sentences and hints."""

CALL_HINTS = (
    (
        "在模型里放一个 Dropout 层，用同一批走两步：两次的损失有什么不同？",
        "Put a Dropout layer into the model and make two steps on one batch: how do the losses "
        "differ?",
    ),
    (
        "约定里写了调用模型时要带的那个参数。",
        "The contract names the argument that the model is called with.",
    ),
)
CLIP_HINTS = (
    (
        "自己算两个小梯度：[3, 0] 和 [4]。总范数是多少？裁剪到 1 以后各是多少？",
        "Take two small gradients, [3, 0] and [4]. What is their global norm, and what are they "
        "after clipping to 1?",
    ),
    (
        "裁剪以后方向不变，总范数正好是上限；本来就小的，一点也不动。",
        "Clipping keeps the direction and makes the global norm exactly the limit; what was small "
        "enough stays as it is.",
    ),
)
NORM_HINTS = (
    (
        "两个梯度 [3, 0] 和 [4]，总范数应当是 5：你的是多少？",
        "The global norm of the gradients [3, 0] and [4] is 5. What is yours?",
    ),
    (
        "所有梯度拼成一个长向量，它的长度就是总范数。",
        "Put all gradients into one long vector; its length is the global norm.",
    ),
)
ROWS_HINTS = (
    (
        "打印嵌入表那个梯度的类型和它的 indices：同一个编号出现了几次？",
        "Print the type of the table's gradient, and its indices: how often is one number there?",
    ),
    (
        "同一行的几份梯度要先加在一起，再算平方。",
        "The shares of one row are to be added up first, and squared then.",
    ),
)
TOLD_HINTS = (
    (
        "取一个很小的 clip_norm：返回的范数应当跟着变吗？",
        "Take a very small clip_norm: should the norm that comes back change with it?",
    ),
    (
        "先后次序：损失、梯度、范数、裁剪、更新。返回的两样各在哪一步就定下来了？",
        "The order is loss, gradients, norm, clipping, update. At which of these are the two "
        "numbers settled?",
    ),
)
UPDATE_HINTS = (
    (
        "走一步，前后各打印一次每个变量：哪些动了，哪些没动，哪些不该动？",
        "Make a step and print every variable before and after: which moved, which didn't, and "
        "which shouldn't?",
    ),
    (
        "optimizer 要的是两串一样长的东西：梯度和变量，次序相同。",
        "The optimizer takes two lists of one length: gradients and variables, in one order.",
    ),
)
TAPE_HINTS = (
    (
        "梯度带只记 with 里面算的。从模型的输入到损失，每一行都在里面吗？",
        "The tape records what is computed inside with. From the model's inputs to the loss, is "
        "every line in there?",
    ),
    (
        "把算损失的那一行也缩进 with 里；求梯度之前，损失要一直是张量，不能变成普通的数。",
        "Indent the line of the loss into with as well; and until the gradient is taken the loss "
        "has to stay a tensor and not become a plain number.",
    ),
)
LOSS_HINTS = (
    (
        "函数里出现的名字，哪些是参数，哪些是笔记本里别处定义的？",
        "Which names in the function are its arguments, and which are defined elsewhere in the "
        "notebook?",
    ),
    (
        "检查时换的是别的模型、别的损失；损失函数是第二个参数。",
        "The check hands in another model with another loss; the loss function is the second "
        "argument.",
    ),
)
APPLY_HINTS = (
    (
        "optimizer.apply 调用了几次？每次给它几个变量？",
        "How often is optimizer.apply called, and with how many variables each time?",
    ),
    (
        "只调用一次，一整串梯度配一整串变量。它在循环里面吗？",
        "One call, with all gradients and all variables. Does yours stand in a loop?",
    ),
)

STEP = {
    "not_in_training": (
        ({"mode": "inference"}, {"told_loss": "in_inference"}),
        "调用模型时没有说这是训练：dropout 之类的层没有起作用。",
        "The model isn't told that this is training: dropout and the like don't act.",
        CALL_HINTS,
    ),
    "updated_before_clipping": (
        {"clip": "none"},
        "更新用的是没有裁剪过的梯度。",
        "The update is made with gradients that weren't clipped.",
        CLIP_HINTS,
    ),
    "clipped_one_by_one": (
        {"clip": "per_tensor"},
        "每个梯度按自己的范数裁剪：方向变了。要按总范数，全部乘同一个数。",
        "Every gradient is clipped by its own norm, which changes the direction; all of them are "
        "multiplied by one number, from the global norm.",
        CLIP_HINTS,
    ),
    "components_clipped": (
        {"clip": "by_value"},
        "裁剪的是一个个分量；要按总范数，全部乘同一个数。",
        "Single components are clipped; all gradients are multiplied by one number, from the "
        "global norm.",
        CLIP_HINTS,
    ),
    "small_gradients_enlarged": (
        {"clip": "always"},
        "总范数小于上限时，梯度被放大了；那时应当原样用。",
        "Gradients whose norm is below the limit are enlarged; they are to be used as they are.",
        CLIP_HINTS,
    ),
    "the_small_ones_clipped": (
        {"clip": "only_small"},
        "大和小弄反了：总范数小的被放大到上限，大的反而原样用了。看看是 minimum 还是 maximum。",
        "Large and small are mixed up: gradients with a small norm are stretched to the limit, and "
        "those that are too large stay. Is it minimum or maximum?",
        CLIP_HINTS,
    ),
    "factor_is_wrong": (
        tuple(
            {"clip": form}
            for form in (
                "inverted",
                "always_inverted",
                "by_the_limit",
                "divided_twice",
                "to_one_always",
                "to_one_above_the_limit",
            )
        ),
        "裁剪时乘的数不对：乘完以后，总范数应当正好等于上限。",
        "The factor of clipping is wrong: after it the global norm should be the limit, exactly.",
        CLIP_HINTS,
    ),
    "limit_is_fixed": (
        {"limit": "one"},
        "上限写成了 1，没有用 clip_norm。",
        "The limit is fixed at 1 and isn't clip_norm.",
        CLIP_HINTS,
    ),
    "norm_is_no_norm": (
        tuple(
            {"norm": form}
            for form in (
                "squared",
                "sum_of_norms",
                "largest",
                "mean_of_norms",
                "root_of_mean",
                "largest_component",
                "absolute",
                "last_one",
            )
        ),
        "总范数算得不对：应当是所有分量的平方加在一起，再开方。",
        "The global norm is wrong: it is the root of the sum of all components' squares.",
        NORM_HINTS,
    ),
    "rows_not_added_up": (
        {"norm": "rows_apart"},
        "嵌入表里查了几次的一行，它的几份梯度没有先加起来，范数就错了。",
        "A row of the table that was looked up several times has its shares squared one by one, "
        "and the norm is wrong.",
        ROWS_HINTS,
    ),
    "norm_after_clipping": (
        {"told_norm": "after"},
        "返回的是裁剪之后的总范数；要的是裁剪之前的。",
        "The norm that comes back is the one after clipping; before clipping is wanted.",
        TOLD_HINTS,
    ),
    "loss_after_the_update": (
        {"told_loss": "after"},
        "返回的是更新之后的损失；要的是更新之前的。",
        "The loss that comes back is the one after the update; before the update is wanted.",
        TOLD_HINTS,
    ),
    "frozen_weights_move": (
        {"reached": "all"},
        "冻住的参数也动了：要的是可训练的变量。",
        "Frozen weights move as well; the trainable ones are wanted.",
        UPDATE_HINTS,
    ),
    "weights_never_move": (
        {"reached": "none"},
        "参数没有动：没有更新。",
        "The weights don't move: there is no update.",
        UPDATE_HINTS,
    ),
    "some_weights_left_out": (
        tuple({"reached": form} for form in ("all_but_the_table", "table_only", "first_half")),
        "有的可训练的参数没有更新。",
        "Some trainable weights aren't updated.",
        UPDATE_HINTS,
    ),
    "updated_by_hand": (
        {"update": "by_hand"},
        "更新是自己写的“学习率乘梯度”，没有用传进来的 optimizer。",
        "The update is rate times gradient by hand, and not the optimizer's.",
        UPDATE_HINTS,
    ),
    "updated_twice": (
        {"update": "twice"},
        "一步里更新了两次。",
        "One step updates twice.",
        UPDATE_HINTS,
    ),
    "uphill": (
        {"direction": "up"},
        "走反了：损失会越来越大。",
        "It goes uphill: the loss will grow.",
        UPDATE_HINTS,
    ),
    "loss_outside_the_tape": (
        {"tape": "elsewhere"},
        "梯度是 None：损失没有在梯度带里从模型的输出算出来。",
        "The gradients are None: the loss isn't computed from the model's outputs inside the tape.",
        TAPE_HINTS,
    ),
    "loss_fn_not_used": (
        {"loss": "of_the_notebook"},
        "损失用的是笔记本里的那一个，不是传进来的 loss_fn。",
        "The loss is the notebook's own, and not the loss_fn that is handed in.",
        LOSS_HINTS,
    ),
    "applied_one_by_one": (
        {"calls": "one_by_one"},
        "optimizer.apply 一个变量调用一次；只应当调用一次，梯度和变量各传整个列表。",
        "optimizer.apply is called for each variable; it is called once, with the whole lists of "
        "gradients and variables.",
        APPLY_HINTS,
    ),
    "returned_in_another_form": (
        ({"returned": "exchanged"}, {"returned": "loss_only"}),
        "应当返回一对：先是损失，后是总范数。",
        "A pair should come back: the loss first, then the global norm.",
        TOLD_HINTS,
    ),
}
