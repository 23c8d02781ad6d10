"""Mistakes in the loss of distillation: switches, sentences and hints."""

TEMPERATURE_HINTS = (
    (
        "alpha = 1，学生的 logits 是 [0, 0]，老师的是 [2 ln 3, 0]，T = 2：老师的概率应当是 "
        "3/4 和 1/4。",
        "alpha = 1, the student's logits are [0, 0], the teacher's [2 ln 3, 0], T = 2: the "
        "teacher's probabilities should be 3/4 and 1/4.",
    ),
    (
        "软的那一部分里，两边的 logits 都先除以 T，再做 softmax；硬的那一部分里没有 T。",
        "In the soft part the logits of both are divided by T before the softmax; in the hard part "
        "there is no T.",
    ),
)
FACTOR_HINTS = (
    (
        "接着上一个例子：KL 是 0.1308，乘 4 得 0.5232。你得到的是几分之几？",
        "With alpha = 1, student [0, 0], teacher [2 ln 3, 0] and T = 2 the KL is 0.1308, and times "
        "4 it makes 0.5232. Which fraction of it do you get?",
    ),
    (
        "T 从 2 改到 8，软的那一部分的梯度应当差不多大：乘的是 T 的几次方？",
        "From T = 2 to T = 8 the gradient of the soft part should hardly become smaller: which "
        "power of T takes care of that?",
    ),
)
KL_HINTS = (
    (
        "学生和老师的 logits 完全相同，alpha = 1：损失应当正好是 0。",
        "With the same logits for student and teacher and alpha = 1 the loss should be exactly 0.",
    ),
    (
        "KL(老师‖学生)：对所有的类求和，老师的概率乘上两个对数之差，老师的在前。",
        "KL(teacher‖student): a sum over classes, of the teacher's probability times the "
        "difference of both logarithms, the teacher's first.",
    ),
)
HARD_HINTS = (
    (
        "alpha = 0：损失就是普通的交叉熵，跟 T 和老师都没有关系。改一改它们，你的变吗？",
        "alpha = 0: the loss is a plain cross-entropy and has nothing to do with T or the teacher. "
        "Does yours move with them?",
    ),
    (
        "交叉熵用学生原来的 logits 和 labels；Keras 的交叉熵要知道给它的是 logits。",
        "The cross-entropy takes the student's logits as they are, and labels; Keras's has to be "
        "told that these are logits.",
    ),
)
WEIGHT_HINTS = (
    (
        "拿 alpha = 1 和 alpha = 0 各算一次：各剩下哪一部分？",
        "Take alpha = 1 and alpha = 0: which part is left?",
    ),
    (
        "老师的分量是 alpha，标签的是 1 − alpha；两部分各先乘好，再相加。",
        "The teacher's weight is alpha, the labels' 1 − alpha; each part is weighed before they "
        "are added.",
    ),
)
MEAN_HINTS = (
    (
        "把同一批例子放两遍，损失应当不变；多加一类、logit 极小，也应当不变。",
        "With every example twice the loss should stay, and with one more class of a very low "
        "logit as well.",
    ),
    (
        "类别上求和，批次上求平均：两部分都是。",
        "A sum over classes and a mean over the batch, in both parts.",
    ),
)
LOG_HINTS = (
    (
        "logits 是 [300, 0]：softmax 的第二个数在 float32 里是几？它的对数呢？",
        "Logits [300, 0]: what is the softmax's second number in float32? And its logarithm?",
    ),
    (
        "别先算概率再取对数：ops 里有一个函数，一步算出 softmax 的对数。",
        "Don't take probabilities and then their logarithm: ops has a function that does both at "
        "once.",
    ),
)
GRADIENT_HINTS = (
    (
        "老师不学：对 teacher_logits 的梯度应当是 0，对 student_logits 的不是。",
        "The teacher doesn't learn: the gradient by teacher_logits should be 0, and that by "
        "student_logits shouldn't.",
    ),
    (
        "ops 里有一个函数，数值原样放过去，梯度拦下来；NumPy 会把两边的都拦下来。",
        "ops has a function that lets numbers pass and no gradient; NumPy stops those of both.",
    ),
)

DISTILLING = {
    "square_of_t_missing": (
        (
            {"factor": "missing"},
            {"factor": "plain"},
            {"factor": "over_the_square"},
            {"factor": "of_the_whole"},
        ),
        "软的那一部分没有乘 T²（或者乘的不是它，或者连硬的也乘了）。",
        "The soft part isn't multiplied by T² (but by something else, or the hard part is, too).",
        FACTOR_HINTS,
    ),
    "mean_over_classes_too": (
        {"reduction": "classes_too"},
        "软的那一部分在类别上也求了平均；类别上应当求和。",
        "The soft part is a mean over classes as well; over classes it should be a sum.",
        MEAN_HINTS,
    ),
    "not_a_mean_over_the_batch": (
        (
            {"reduction": "sums"},
            {"reduction": "soft_sum"},
            {"reduction": "by_batch_twice"},
            {"returned": "each"},
        ),
        "批次上没有求平均（或者多除了一次 B）。",
        "There is no mean over the batch (or B divides twice).",
        MEAN_HINTS,
    ),
    "divergence_turned": (
        ({"direction": "student_first"}, {"direction": "both_ways"}),
        "KL 的方向反了：应当是 KL(老师‖学生)。",
        "The divergence is the other way round; it should be KL(teacher‖student).",
        KL_HINTS,
    ),
    "cross_entropy_instead": (
        {"soft": "cross_entropy"},
        "算的是交叉熵，不是 KL：差一个老师的熵。",
        "It is a cross-entropy and no KL; the teacher's entropy is what they differ by.",
        KL_HINTS,
    ),
    "another_divergence": (
        (
            {"soft": "negative"},
            {"soft": "logs_weigh"},
            {"soft": "log_of_one_only"},
            {"soft": "ratio_without_log"},
            {"soft": "squared_logits"},
            {"soft": "mean_squared_logits"},
            {"soft": "squared_shares"},
            {"soft": "mean_squared_shares"},
        ),
        "软的那一部分不是 KL：概率和对数用错了地方，或者算的是平方差。",
        "The soft part is no KL: probabilities and logarithms are in the wrong places, or it is "
        "a squared difference.",
        KL_HINTS,
    ),
    "teacher_taken_for_labels": (
        {"soft": "hard_teacher"},
        "只用了老师最看好的那一类；要的是它全部的概率。",
        "Only the teacher's favourite class is used; all of its probabilities count.",
        KL_HINTS,
    ),
    "temperature_on_one_side": (
        ({"heat": "student_only"}, {"heat": "teacher_only"}),
        "只有一边除以了 T。",
        "Only one of the two is divided by T.",
        TEMPERATURE_HINTS,
    ),
    "temperature_used_otherwise": (
        (
            {"heat": "none"},
            {"heat": "multiplied"},
            {"heat": "after_the_softmax"},
            {"heat": "root"},
        ),
        "软的那一部分里 T 用错了：logits 应当先除以 T，再做 softmax。",
        "T is misused in the soft part: logits should be divided by it, before the softmax.",
        TEMPERATURE_HINTS,
    ),
    "labels_at_the_temperature": (
        {"hard": "at_the_temperature"},
        "跟标签的交叉熵也除以了 T；它的温度应当是 1。",
        "The cross-entropy with the labels is at temperature T, too; it should be at 1.",
        HARD_HINTS,
    ),
    "another_hard_part": (
        (
            {"hard": "of_the_teacher"},
            {"hard": "logits_as_shares"},
            {"hard": "softmax_twice"},
            {"hard": "negative"},
        ),
        "跟标签的交叉熵不对：用的不是学生的 logits，或者 logits 被当成了概率。",
        "The cross-entropy with the labels is wrong: it isn't the student's logits, or they are "
        "taken for probabilities.",
        HARD_HINTS,
    ),
    "weights_turned": (
        {"weights": "turned"},
        "alpha 用反了：它是老师的分量。",
        "alpha is the wrong way round; it is the teacher's weight.",
        WEIGHT_HINTS,
    ),
    "other_weights": (
        (
            {"weights": "labels_full"},
            {"weights": "both_full"},
            {"weights": "teacher_full"},
            {"weights": "teacher_full_labels_alpha"},
            {"weights": "both_alpha"},
            {"weights": "halves"},
            {"weights": "teacher_alone"},
            {"weights": "teacher_alone_weighed"},
            {"weights": "labels_alone"},
            {"weights": "labels_alone_weighed"},
        ),
        "两部分的分量不对：老师 alpha，标签 1 − alpha。",
        "The weights of both parts are wrong: alpha for the teacher, 1 − alpha for the labels.",
        WEIGHT_HINTS,
    ),
    "logarithm_of_a_softmax": (
        (
            {"logs": "of_the_softmax"},
            {"logs": "clipped"},
            {"logs": "moved"},
            {"logs": "of_the_softmax", "hard_logs": "of_the_softmax"},
            {"hard_logs": "of_the_softmax"},
            {"hard_logs": "clipped"},
            {"logs": "moved", "hard_logs": "moved"},
            {"logs": "clipped", "hard_logs": "clipped"},
        ),
        "先算概率再取对数：logits 相差很大时，概率成了 0，结果就不对了。",
        "Probabilities come first and their logarithms second: where logits are far apart a "
        "probability is 0, and the result is wrong.",
        LOG_HINTS,
    ),
    "teacher_learns": (
        {"gradient": "teacher_too"},
        "梯度流进了 teacher_logits；老师不学。",
        "A gradient flows into teacher_logits; the teacher doesn't learn.",
        GRADIENT_HINTS,
    ),
    "student_learns_nothing": (
        ({"gradient": "nowhere"}, {"gradient": "teacher_only"}),
        "梯度到不了 student_logits：数值对，可是学生学不到东西。",
        "No gradient gets to student_logits: the numbers are right, and the student learns "
        "nothing.",
        GRADIENT_HINTS,
    ),
    "not_the_loss": (
        ({"returned": "pair"}, {"returned": "negative"}),
        "应当返回一个数：两部分加权以后的和。",
        "One number should come back: the weighed sum of both parts.",
        WEIGHT_HINTS,
    ),
}
