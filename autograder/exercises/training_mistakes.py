"""Known mistakes in a training loop: name → switches, sentences and hints."""

LOSS_HINTS = (
    (
        "只走一步，把 logits 打印出来，手算一遍第一个损失。",
        "Take one step only, print the logits, and work out the first loss by hand.",
    ),
    (
        "loss_of 收的是什么？它建好的时候就说了。",
        "What does loss_of expect to be given? It was told so when it was made.",
    ),
)
PART_HINTS = (
    (
        "一批有几个例子？把进 loss_of 的两样东西的形状打印出来。",
        "How many examples are in the batch? Print the shapes of both things that loss_of gets.",
    ),
    (
        "loss_of 自己会对整批取平均；两样东西都要是整批的，得到的数也不用再加工。",
        "loss_of takes the mean over the batch itself: give it the whole batch twice over, and "
        "leave the number that comes back as it is.",
    ),
)
MODE_HINTS = (
    (
        "在模型里放一个 Dropout 层，用同一批输入调用两次：结果一样吗？",
        "Put a Dropout layer into the model and call it twice on one batch: the same result?",
    ),
    (
        "约定里写了调用模型时要带的那个参数。",
        "The contract names the argument that the call of the model takes.",
    ),
)
NOTED_HINTS = (
    (
        "只走两步，把两个损失打印出来，再想：第一步更新之前，损失应当是多少？",
        "Take two steps and print both losses: what should the loss be before the first update?",
    ),
    (
        "看缩进和先后：每一步里先算损失和梯度，再更新，记下的是算出来的那个损失。",
        "Look at indentation and order: in each step the loss and its gradients come first, then "
        "the update, and the loss that is noted is the one computed at the start.",
    ),
)
UPDATE_HINTS = (
    (
        "在每一步前后打印一个参数：它动了吗？朝哪个方向？",
        "Print one weight before and after every step: does it move, and which way?",
    ),
    (
        "循环外已经造好了一个优化器；它要的是全部梯度和全部可训练的参数，次序相同。",
        "There is an optimizer outside the loop; it wants all gradients and all trainable weights, "
        "in the same order.",
    ),
)
MISTAKES = {
    "weights_never_move": (
        {"reached": "none"},
        "参数一步也没有动：没有更新，或者损失和参数之间断了（例如变成了 NumPy）。",
        "The weights never move: there is no update, or the loss is cut off from them (by a step "
        "through NumPy, say).",
        UPDATE_HINTS,
    ),
    "some_weights_left_out": (
        (
            {"reached": "last_layer"},
            {"reached": "first_layer"},
            {"reached": "kernels"},
            {"reached": "biases"},
            {"reached": "first_weight"},
            {"reached": "last_weight"},
            {"reached": "all_but_the_last"},
            {"reached": "all_but_the_first"},
        ),
        "有的参数没有更新：四组里有几组一直没动。",
        "Some weights aren't updated: of the four arrays a few stay what they were.",
        UPDATE_HINTS,
    ),
    "uphill": (
        ({"direction": "up"}, {"loss": "negative"}),
        "走反了：损失一步步变大。要沿着梯度的反方向走。",
        "It goes uphill: the loss grows. Steps go against the gradient.",
        UPDATE_HINTS,
    ),
    "not_in_training": (
        {"mode": "inference"},
        "调用模型时没有告诉它这是在训练：dropout 之类只在训练时起作用的层，一直没有起作用。",
        "The model isn't told that this is training: layers that act in training only, such as "
        "dropout, never act.",
        MODE_HINTS,
    ),
    "loss_after_the_update": (
        {"noted": "after"},
        "记下的是更新之后的损失；约定是更新之前的。（训练本身没有错。）",
        "The losses are those after the updates; before them was agreed on. (The training itself "
        "is right.)",
        NOTED_HINTS,
    ),
    "updated_after_the_loop": (
        {"when": "after_the_loop"},
        "更新写在了循环外面：走完所有步才更新一次，每一步的损失都一样。",
        "The update stands outside the loop: there is one, after all steps, and every step has the "
        "same loss.",
        NOTED_HINTS,
    ),
    "plain_gradient_descent": (
        {"update": "sgd"},
        "更新是自己写的“学习率乘梯度”，没有用循环外那个 Adam。",
        "The update is learning rate times gradient by hand, and not that of the Adam outside the "
        "loop.",
        UPDATE_HINTS,
    ),
    "new_optimizer_every_step": (
        {"update": "fresh_adam"},
        "每一步都新造了一个优化器：Adam 记着的东西全丢了。",
        "There is a new optimizer in every step: all that Adam remembers is lost.",
        UPDATE_HINTS,
    ),
    "updated_twice": (
        {"update": "adam_twice"},
        "每一步更新了两次。",
        "Every step updates twice.",
        UPDATE_HINTS,
    ),
    "learning_rate_ignored": (
        ({"rate_used": "default"}, {"rate_used": "tenth"}),
        "学习率不是给定的那个：优化器用了别的数。",
        "The learning rate isn't the one that was given: the optimizer uses another.",
        UPDATE_HINTS,
    ),
    "softmax_twice": (
        {"loss": "softmax_twice"},
        "softmax 做了两次：loss_of 收的是 logits，它自己会做 softmax。（在 TensorFlow 上，Keras "
        "有时悄悄撤掉多出来的那一次，自己试时数可能是对的；换个后端、换种写法就错了。）",
        "The softmax is taken twice: loss_of is given logits and does the softmax itself. (On "
        "TensorFlow Keras sometimes undoes the one too many in silence, and your own trial looks "
        "right; on another backend, or written another way, it isn't.)",
        LOSS_HINTS,
    ),
    "logits_negated": (
        {"loss": "negated_logits"},
        "logits 反了号：模型学的是给错误的类别高分。",
        "The logits have the wrong sign: the model learns to give wrong classes the high ones.",
        LOSS_HINTS,
    ),
    "loss_of_a_part": (
        (
            {"loss": "first_half"},
            {"loss": "without_the_last"},
            {"loss": "without_the_first"},
            {"loss": "first_two"},
            {"loss": "first_four"},
        ),
        "损失只看了这一批里的一部分例子。",
        "The loss looks at some examples of the batch only.",
        PART_HINTS,
    ),
    "loss_of_one_example": (
        ({"loss": "first_example"}, {"loss": "last_example"}),
        "损失只看了一个例子，没有看整批。",
        "The loss looks at one example and not at the whole batch.",
        PART_HINTS,
    ),
    "loss_is_a_sum": (
        {"loss": "sum"},
        "损失是整批的和；约定是平均。",
        "The loss is the sum over the batch; the mean was agreed on.",
        PART_HINTS,
    ),
    "squared_error": (
        ({"loss": "squared"}, {"loss": "squared_of_probabilities"}),
        "用的是平方误差；这里要用的是上面那个交叉熵 loss_of。",
        "It is a squared error; what belongs here is the cross-entropy loss_of from above.",
        LOSS_HINTS,
    ),
}
