"""Mistakes in freezing a part of a model and in thawing it: switches, sentences and hints."""

from autograder.exercises.ch04a_reading_mistakes import INPUT_CHANGED_HINTS

MOVE_HINTS = (
    (
        "冻结以后打印 model.trainable_variables 的路径：谁在，谁不在？",
        "After freezing, print the paths of model.trainable_variables: which are there, and which "
        "aren't?",
    ),
    (
        "把不在 backbone 里的层一个个看一遍：它原来是什么样，现在是什么样？",
        "Go through the layers outside the backbone: how was each before, and how is it now?",
    ),
)
OWN_HINTS = (
    (
        "冻结以后打印 backbone.trainable 和 backbone.trainable_variables：里面还有谁？",
        "After freezing, print backbone.trainable and backbone.trainable_variables: who is left?",
    ),
    (
        "你设的是谁的 trainable：骨干的，还是骨干里面各层的？",
        "Whose trainable do you set: that of the backbone, or those of the layers in it?",
    ),
)
STATISTICS_HINTS = (
    (
        "训练一步，比较 moving_mean 前后的值：它不靠梯度，靠什么在动？",
        "Compare moving_mean before and after a step of training: no gradient moves it, so what "
        "does?",
    ),
    (
        "是层自己知道它冻住了，还是只有它的变量知道？",
        "Does the layer itself know that it is frozen, or do only its variables?",
    ),
)
KIND_HINTS = (
    (
        "backbone 可能是什么？三种都试一次：一层、一个小模型、一个列表。",
        "What may backbone be? Try all three: a layer, a smaller model, a list.",
    ),
    (
        "错误信息里的类型，是你以为的那一种吗？",
        "Is the type in the error message the one that you had in mind?",
    ),
)
PATH_HINTS = (
    (
        "约定返回的是什么的路径，按什么次序？打印你的返回值，跟 model.trainable_variables 比一比。",
        "Paths of what are to come back, and in which order? Print yours beside "
        "model.trainable_variables.",
    ),
    (
        "先冻结还是先列清单？",
        "Which comes first, freezing or making the list?",
    ),
)

FREEZING = {
    "nothing_frozen": (
        {"frozen": "nothing"},
        "什么也没有冻住。",
        "Nothing is frozen.",
        MOVE_HINTS,
    ),
    "whole_model_frozen": (
        ({"frozen": "everything"}, {"frozen": "all_but_the_head"}),
        "冻过头了：骨干外面的层也不学了。",
        "Too much is frozen: layers outside the backbone don't learn either.",
        MOVE_HINTS,
    ),
    "the_rest_frozen": (
        ({"frozen": "outside"}, {"frozen": "outside", "outside": "thawed"}),
        "冻反了：骨干在训练，外面的不动。",
        "The wrong part is frozen: the backbone learns, and the rest doesn't.",
        MOVE_HINTS,
    ),
    "only_a_part_of_the_backbone": (
        ({"frozen": "first"}, {"frozen": "last"}, {"frozen": "outer_layers"}),
        "骨干只冻了一部分。",
        "Only a part of the backbone is frozen.",
        MOVE_HINTS,
    ),
    "own_weights_left": (
        {"frozen": "children"},
        "骨干里面的层都冻住了，骨干自己没有：它自己的参数还在训练。（以后给它设 "
        "trainable = True，也解冻不了那些层。）",
        "The layers inside the backbone are frozen and the backbone itself isn't: weights of its "
        "own go on learning. (And thawing it by its trainable will not thaw those layers.)",
        OWN_HINTS,
    ),
    "frozen_before_thaws": (
        {"outside": "thawed"},
        "外面本来冻着的层解冻了：约定原来怎样还是怎样。",
        "A layer outside that was frozen thaws by this; it should stay as it was.",
        MOVE_HINTS,
    ),
    "statistics_move": (
        {"statistics": "moving"},
        "参数不动了，BatchNormalization 的滑动平均还在动：冻住的只是变量，不是层。",
        "The weights are still, but BatchNormalization's moving averages aren't: the variables are "
        "frozen and the layer isn't.",
        STATISTICS_HINTS,
    ),
    "kernels_or_biases_only": (
        ({"only": "kernels"}, {"only": "biases"}),
        "骨干里只冻了一种参数（矩阵或者偏置），别的还在训练。",
        "Only one kind of weight in the backbone is frozen (matrices or biases); the others learn.",
        MOVE_HINTS,
    ),
    "one_kind_of_backbone_only": (
        (
            {"frozen": "as_one"},
            {"frozen": "as_many"},
            {"frozen": "children_of_a_model"},
            {"frozen": "as_model"},
        ),
        "只认一种 backbone：一层、一个小模型、一个列表，三种都要能用。",
        "Only one kind of backbone works; a layer, a smaller model and a list should all do.",
        KIND_HINTS,
    ),
    "values_changed": (
        {"values": "changed"},
        "参数的值变了；冻结只决定训练时谁能动。",
        "Weights have other values now; freezing only decides which of them may move in training.",
        MOVE_HINTS,
    ),
    "paths_not_sorted": (
        {"listed": "as_in_the_model"},
        "返回的路径对，但没有排序。",
        "The right paths come back, but not sorted.",
        PATH_HINTS,
    ),
    "other_paths_returned": (
        (
            {"returned": "frozen"},
            {"returned": "all"},
            {"returned": "all_weights"},
            {"returned": "with_statistics"},
            {"returned": "outside"},
            {"returned": "backbone"},
        ),
        "返回的不是（正好）还能训练的那些变量。",
        "It isn't just the variables that still train which come back.",
        PATH_HINTS,
    ),
    "no_paths_returned": (
        ({"returned": "names"}, {"returned": "layers"}, {"returned": "objects"}),
        "返回的不是变量的路径（variable.path），而是名字、层，或者变量本身。",
        "It isn't paths of variables (variable.path) that come back, but names, layers or the "
        "variables themselves.",
        PATH_HINTS,
    ),
}

COUNT_HINTS = (
    (
        "五层：第 0、1、4、5 轮各有几层可训练？写成一个表，再打印你的。",
        "Five layers: how many learn in epochs 0, 1, 4 and 5? Make a table, then print yours.",
    ),
    (
        "Python 的切片里，负的起点和 −0 各是什么意思？",
        "In Python's slices, what do a negative start and −0 mean?",
    ),
)
STATE_HINTS = (
    (
        "先让所有层都可训练，再问第 0 轮；然后让所有层都冻住，再问第 3 轮。两次都对吗？",
        "Make all layers trainable and ask for epoch 0; then freeze all and ask for epoch 3. Are "
        "both right?",
    ),
    (
        "每一层你都给了值吗，还是只给了其中一些？",
        "Do you set every layer, or only some of them?",
    ),
)
NAME_HINTS = (
    (
        "打印返回值：里面是这一轮可训练的层吗，次序是从下到上吗？",
        "Print what comes back: is it the layers that learn in this epoch, from bottom to top?",
    ),
    (
        "返回的应当是层、层的名字，还是个数？",
        "Should layers come back, or their names, or how many there are?",
    ),
)

THAWING = {
    "thawed_from_the_bottom": (
        {"which": "from_the_bottom"},
        "从下往上解冻了；应当从最上面的头开始。",
        "It thaws from the bottom; it should begin with the head at the top.",
        COUNT_HINTS,
    ),
    "only_one_layer_at_a_time": (
        ({"which": "only_that_one"}, {"which": "only_from_the_bottom"}),
        "每轮只有一层可训练；解冻过的要留在里面。",
        "One layer at a time learns; those that have thawed should go on.",
        COUNT_HINTS,
    ),
    "one_epoch_off": (
        (
            {"count": "epoch"},
            {"count": "none_at_first"},
            {"count": "two_more"},
            {"count": "epoch", "late": "wraps"},
        ),
        "差了一轮：第 0 轮只有最上面一层，第 1 轮两层。",
        "It is an epoch off: the top layer alone in epoch 0, two layers in epoch 1.",
        COUNT_HINTS,
    ),
    "starts_again_after_the_last": (
        ({"late": "wraps"}, {"late": "modulo"}),
        "所有层都解冻以后，轮数再多，又有层冻了回去。",
        "After all layers have thawed, some freeze again in later epochs.",
        COUNT_HINTS,
    ),
    "runs_beyond_the_list": (
        ({"late": "raises"}, {"late": "indexed"}),
        "轮数比层数多时，编号超出了列表（出错，或者名字重复）；应当一直是全部。",
        "With more epochs than layers the numbers run beyond the list (an error, or names that "
        "come twice); it should stay at all of them.",
        COUNT_HINTS,
    ),
    "never_freezes": (
        {"sets": "thaws_only"},
        "只解冻，不冻结：原来可训练的下层还在训练。",
        "It thaws and never freezes: lower layers that were trainable go on learning.",
        STATE_HINTS,
    ),
    "never_thaws": (
        ({"sets": "freezes_only"}, {"sets": "nothing"}),
        "只冻结，不解冻（或者什么也没设）：原来冻着的层轮到了也不学。",
        "It freezes and never thaws, or sets nothing: layers that were frozen don't learn when "
        "their turn comes.",
        STATE_HINTS,
    ),
    "relies_on_earlier_epochs": (
        ({"sets": "frozen_at_first"}, {"sets": "newest_on_top"}),
        "只在第 0 轮冻结，以后只管新的一层：要是没有一轮一轮地调用过，状态就不对。",
        "It freezes in epoch 0 and later sees to the newest layers only: unless it was called in "
        "every epoch before, the state is wrong.",
        STATE_HINTS,
    ),
    "variables_instead_of_layers": (
        ({"by": "variables"}, {"by": "variables", "sets": "freezes_only"}),
        "设的是变量的 trainable，不是层的：BatchNormalization 的滑动平均动不动，看的是层。",
        "It is the variables' trainable that is set and not the layer's: whether "
        "BatchNormalization's moving averages move goes by the layer.",
        STATISTICS_HINTS,
    ),
    "frozen_instead_of_thawed": (
        {"sets": "inverted"},
        "正好反了：该训练的冻住了，该冻的在训练。",
        "Just the other way round: what should learn is frozen, and what should be frozen learns.",
        STATE_HINTS,
    ),
    "names_top_to_bottom": (
        ({"listed": "downwards"}, {"listed": "sorted"}),
        "名字的次序不对：从下到上。",
        "The names come in another order than bottom to top.",
        NAME_HINTS,
    ),
    "layers_returned": (
        {"returned": "objects"},
        "返回的列表里不是层的名字（layer.name），而是层本身或者编号。",
        "It isn't the layers' names (layer.name) that come back, but the layers themselves or "
        "their numbers.",
        NAME_HINTS,
    ),
    "other_names_returned": (
        ({"returned": "resting"}, {"returned": "all"}, {"returned": "newest"}),
        "返回的不是（正好）这一轮可训练的层的名字。",
        "It isn't just the names of the layers that learn in this epoch which come back.",
        NAME_HINTS,
    ),
    "list_changed": (
        {"changed": "reversed"},
        "传进来的列表被倒了过来，调用者手里的也跟着变了：下一轮再调用，次序就反了。",
        "The list that was handed in is reversed, and with it the caller's: in the next epoch the "
        "order will be wrong.",
        INPUT_CHANGED_HINTS,
    ),
}
