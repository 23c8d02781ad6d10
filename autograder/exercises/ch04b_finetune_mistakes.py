"""Mistakes in the loss of fine-tuning: switches, sentences and hints."""

from autograder.exercises.ch01a_2_rnn import GRADIENT_LOST
from autograder.exercises.ch01a_loss_mistakes import CROSS_HINTS
from autograder.exercises.ch04b_lm_mistakes import LM_LOSS

MIX_HINTS = (
    (
        "任务损失是 2，语言模型损失是 3，λ 取 0.5：结果应当是多少？λ 取 0 呢？",
        "A task's loss of 2, a language model's loss of 3, λ = 0.5: what should come out? And with "
        "λ = 0?",
    ),
    (
        "λ 乘在哪一项上？把它从 0.5 改成 2，结果变了多少？",
        "Which of the two does λ multiply? Make it 2 instead of 0.5: by how much does the result "
        "change?",
    ),
)
PART_HINTS = (
    (
        "lm_weight 取 0，只剩任务损失：它对吗？再把 lm_weight 取得很大，看另一项。",
        "With lm_weight 0 only the task's loss is left: is it right? Then make lm_weight large and "
        "look at the other.",
    ),
    (
        "语言模型的损失你已经写过了：它自己会错开，也会看掩码。",
        "You have written the language model's loss already: it shifts, and it minds the mask.",
    ),
)
TASK_HINTS = (
    (
        "三段文字，任务的交叉熵各是 1、2、6：任务那一项应当是几？",
        "Three texts with cross-entropies of 1, 2 and 6 for the task: what should the task's part "
        "be?",
    ),
    (
        "把同一批文字抄一遍接在后面，B 大了一倍：任务那一项变了吗？",
        "Repeat the batch behind itself, so that B is twice as large: does the task's part change?",
    ),
)
NUMBER_HINTS = (
    (
        "打印结果的形状：训练时要对它求梯度，只能是一个数，形状 ()。",
        "Print the shape of the result: training takes its gradient, so it has to be one number, "
        "of shape ().",
    ),
    (
        "每段文字一个数的时候，任务的平均还没有求。",
        "As long as there is a number for every text, the task's mean hasn't been taken.",
    ),
)

FINETUNE = {
    "task_loss_missing": (
        ({"mixing": "lm_only_weighted"}, {"mixing": "lm_only"}),
        "只有语言模型的损失，任务的损失没有加。",
        "There is the language model's loss only; the task's is missing.",
        MIX_HINTS,
    ),
    "lm_loss_missing": (
        {"mixing": "task_only"},
        "只有任务的损失，语言模型的损失没有加。",
        "There is the task's loss only; the language model's is missing.",
        MIX_HINTS,
    ),
    "weight_ignored": (
        ({"share": "one"}, {"share": "default"}),
        "lm_weight 没有用上：用了固定的数。",
        "lm_weight isn't used, but a fixed number.",
        MIX_HINTS,
    ),
    "weight_on_the_task": (
        ({"mixing": "on_the_task"}, {"mixing": "on_both"}),
        "λ 乘到了任务的损失上；只乘语言模型的那一项。",
        "λ multiplies the task's loss; it belongs to the language model's alone.",
        MIX_HINTS,
    ),
    "weights_add_up_to_one": (
        ({"mixing": "shared_out"}, {"mixing": "shared_out_turned"}),
        "任务的损失乘了 1 − λ：这里不是两项瓜分一份权重，任务那一项的系数总是 1。",
        "The task's loss is multiplied by 1 − λ: the two don't share a whole, the task counts in "
        "full.",
        MIX_HINTS,
    ),
    "not_a_sum": (
        (
            {"mixing": "product"},
            {"mixing": "minus"},
            {"mixing": "divided"},
            {"mixing": "halved"},
        ),
        "两项合在一起的方式不对：应当相加，其中一项乘 λ。",
        "The two are combined in another way: they should be added, one of them times λ.",
        MIX_HINTS,
    ),
    "perplexity_added": (
        {"lm_returned": "perplexity"},
        "加上去的是困惑度，不是损失。",
        "It is the perplexity that is added, and not the loss.",
        PART_HINTS,
    ),
    "softmax_before_the_loss": (
        {"task": "softmax_first"},
        LM_LOSS["softmax_before_the_loss"][1],
        LM_LOSS["softmax_before_the_loss"][2],
        CROSS_HINTS,
    ),
    "logits_taken_for_probabilities": (
        {"task": "taken_for_probabilities"},
        LM_LOSS["logits_taken_for_probabilities"][1],
        LM_LOSS["logits_taken_for_probabilities"][2],
        LM_LOSS["logits_taken_for_probabilities"][3],
    ),
    "softmax_over_the_batch": (
        {"task": "softmax_over_batch"},
        "softmax 的方向错了：要在 C 个类别之间分配概率。",
        "The softmax runs along another axis: it shares out probability among the C classes.",
        CROSS_HINTS,
    ),
    "logarithm_missing": (
        {"task": "probability"},
        "任务的损失没有取对数。",
        "The task's loss has no logarithm.",
        CROSS_HINTS,
    ),
    "squared_error": (
        {"task": "squared_error"},
        "任务的损失用了平方误差；约定是交叉熵。",
        "The task's loss is a squared error; a cross-entropy is asked for.",
        CROSS_HINTS,
    ),
    "not_the_label": (
        ({"task": "likeliest"}, {"task": "every_class"}),
        "任务的损失里，挑出来的不是标签那一类。",
        "In the task's loss it isn't the label's class that is picked out.",
        CROSS_HINTS,
    ),
    "task_summed": (
        ({"task_mean": "sum"}, {"task_mean": "by_classes"}, {"task_mean": "first"}),
        "任务的损失不是整批的平均：应当对 B 个文本求平均。",
        "The task's loss isn't the mean over the batch: it should be that of all B texts.",
        TASK_HINTS,
    ),
    "lm_not_shifted": (
        ({"shift": "none"}, {"shift": "cut_only"}),
        "语言模型的那一项没有错开：位置 t 的 logits 跟词元 t 比了。",
        "The language model's part isn't shifted: logits at position t are compared with token t.",
        PART_HINTS,
    ),
    "lm_shifted_twice": (
        {"shift": "twice"},
        "语言模型的那一项错开了两次：causal_lm_loss 自己会错开。",
        "The language model's part is shifted twice: causal_lm_loss shifts by itself.",
        PART_HINTS,
    ),
    "lm_padding_counts": (
        (
            {"masked": "not", "denominator": "batch_times_length"},
            {"masked": "not", "denominator": "real_count"},
        ),
        "语言模型的那一项把填充也算了进去。",
        "Padding counts in the language model's part.",
        PART_HINTS,
    ),
    "not_a_single_number": (
        ({"returned": "pair"}, {"returned": "triple"}, {"returned": "each"}),
        "应当只返回一个数：两项之和。",
        "A single number should come back: the sum of both.",
        NUMBER_HINTS,
    ),
    "task_gradient_lost": (
        {"gradient": "task_lost"},
        "数值对，但没有梯度传回任务的 logits。",
        "The numbers are right, but no gradient gets back to the task's logits.",
        GRADIENT_LOST["hints"],
    ),
    "lm_gradient_lost": (
        {"gradient": "lm_lost"},
        "数值对，但没有梯度传回语言模型的 logits。",
        "The numbers are right, but no gradient gets back to the language model's logits.",
        GRADIENT_LOST["hints"],
    ),
    "gradient_lost": (
        {"gradient": "lost"},
        GRADIENT_LOST["zh"],
        GRADIENT_LOST["en"],
        GRADIENT_LOST["hints"],
    ),
}
