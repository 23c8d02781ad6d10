"""Mistakes in the loss of a causal language model: switches, sentences and hints."""

from autograder.exercises.ch01a_loss_mistakes import LOSS, MEAN_HINTS

SHIFT_HINTS = (
    (
        "一句四个词元：写下每一对“哪个位置的 logits，预测哪个词元”，一共几对？",
        "A row of four tokens: write down every pair of a position's logits and the token that "
        "they predict. How many pairs are there?",
    ),
    (
        "造一份 logits，让每个位置都把概率全给它的下一个词元：损失应当接近 0，你的是多少？",
        "Make logits that give the next token all the probability at every position: the loss "
        "should be near 0. What is yours?",
    ),
)
ROW_HINTS = (
    (
        "只改第二句的第一个词元：第一句的损失动了吗？",
        "Change nothing but the first token of the second row: does the first row's loss move?",
    ),
    (
        "每一句少一个可预测的词元。两句各四个词元，一共预测几个？",
        "Every row has one token less to predict. Two rows of four tokens: how many predictions?",
    ),
)
OFF_BY_ONE_HINTS = (
    (
        "一句是 a、b、c、填充，掩码是 T T T F。要预测的是 b、c 和填充：各算不算？"
        "你取出来的是掩码的哪三格？",
        "A row reads a, b, c, pad, with the mask T T T F. To be predicted are b, c and the pad: "
        "which of them count, and which three cells of the mask did you take?",
    ),
    (
        "改动 c 那个位置的 logits（它预测的是填充）：损失不该动。再改动 b 的（它预测 c）：应该动。",
        "Change the logits at c, which predict the pad: the loss shouldn't move. Then those at b, "
        "which predict c: it should.",
    ),
)
PLACE_HINTS = (
    (
        "一句四个词元，掩码是 F F T T：算的是哪几个词元？",
        "A row of four tokens with the mask F F T T: which tokens count?",
    ),
    (
        "掩码的一格只管它自己那个词元：别去数有几个 True，也别去看前一格。",
        "Each cell of the mask is about its own token: don't count the cells that are True, and "
        "don't look at the cell before.",
    ),
)
EMPTY_HINTS = (
    (
        "每一句都只有一个真词元：没有可预测的，分子、分母各是多少？",
        "Every row has a single real token: nothing to predict. What are numerator and "
        "denominator?",
    ),
    (
        "分母是 0 的时候，除以一个不小于 1 的数，结果就是 0。",
        "With nothing to count, a divisor that is at least 1 gives 0.",
    ),
)

_OWN = {
    "not_shifted": (
        ({"shift": "none"}, {"shift": "cut_only"}, {"shift": "cut_in_front"}),
        "没有错开：位置 t 的 logits 跟词元 t 比了，那是模型刚读到的词元。",
        "Nothing is shifted: the logits at position t are compared with token t, which the model "
        "has just read.",
        SHIFT_HINTS,
    ),
    "shifted_twice": (
        {"shift": "twice"},
        "错开了两格：位置 t 的 logits 跟词元 t + 2 比了。",
        "Shifted twice: the logits at position t are compared with token t + 2.",
        SHIFT_HINTS,
    ),
    "shifted_the_wrong_way": (
        {"shift": "wrong_way"},
        "错开的方向反了：位置 t 的 logits 跟词元 t − 1 比了。",
        "Shifted the wrong way: the logits at position t are compared with token t − 1.",
        SHIFT_HINTS,
    ),
    "rolled": (
        ({"shift": "rolled"}, {"shift": "rolled_ids"}, {"shift": "filled"}),
        "最后一个位置也算了进去：它后面没有词元，却拿转回来（或补上）的一个去比。",
        "The last position counts too: nothing follows it, and it is compared with a token that "
        "was rolled round or filled in.",
        SHIFT_HINTS,
    ),
    "flattened_before_the_shift": (
        {"shift": "flattened"},
        "先把整批拉成一长条再错开：每一句的最后一个位置要去预测下一句的开头。",
        "The batch is flattened before the shift: the last position of a row has to predict the "
        "first token of the next.",
        ROW_HINTS,
    ),
    "shifted_along_the_batch": (
        {"shift": "along_batch"},
        "沿着批次错开了：应当沿着时间。",
        "Shifted along the batch; it should be along time.",
        SHIFT_HINTS,
    ),
    "mask_not_shifted": (
        ({"mask_of": "inputs"}, {"mask_of": "not_the_last"}),
        "掩码跟标签错开了一格：算不算，要看被预测的词元是不是真的。",
        "The mask is off by one against the labels: what counts is whether the predicted token is "
        "real.",
        OFF_BY_ONE_HINTS,
    ),
    "mask_taken_for_lengths": (
        {"mask_of": "lengths"},
        "掩码只拿来数了个数，以为真词元都在左边：其实 False 写在哪里，就是哪里不算。",
        "The mask is only counted, as if all real tokens stood on the left: what doesn't count is "
        "where it is False.",
        PLACE_HINTS,
    ),
    "token_before_decides_too": (
        {"mask_of": "both"},
        "前一个词元是 False，后一个就也没有算：算不算，只看要预测的那个词元自己。",
        "A token whose neighbour before it is False isn't counted either; only the predicted "
        "token's own cell decides.",
        PLACE_HINTS,
    ),
    "end_token_left_out": (
        {"masked": "nonzero_labels"},
        "凡是跟填充编号相同的词元都没有算：[EOS] 兼作填充时，真的那个也丢了，模型学不会停。",
        "Every token that has padding's id is left out: where [EOS] also fills the padding, the "
        "real one is lost, and the model never learns to stop.",
        (
            (
                "一句是 a b [EOS]，后面用 [EOS] 填充：应当算几个预测？",
                "A row reads a b [EOS], filled up with [EOS]: how many predictions count?",
            ),
            (
                "哪些是真词元，参数里已经说了，不用从编号去猜。",
                "An argument says which tokens are real; there is no need to guess it from ids.",
            ),
        ),
    ),
    "first_tokens_counted": (
        {"counted": "all_real"},
        "分母把每句的第一个词元也数进去了：它没有人预测。",
        "The denominator counts the first token of every row too, which nobody predicts.",
        MEAN_HINTS,
    ),
    "divided_by_all_places": (
        {"counted": "all_places"},
        "分母数错了：除以了 B × T，连填充和每句的第一个词元都数了。",
        "Divided by B × T, which counts padding and the first token of every row.",
        MEAN_HINTS,
    ),
    "nothing_to_predict": (
        {"empty": "nan"},
        "没有可预测的词元时得到了 NaN；约定是 0。",
        "With nothing to predict it gives NaN; it should be 0.",
        EMPTY_HINTS,
    ),
}
_OWN["softmax_then_logarithm"] = (
    (
        {"scores": "log_of_softmax"},
        {"scores": "log_of_softmax_clipped"},
        # A tiny number that keeps the logarithm from 0.
        *({"fed": tiny} for tiny in ("1e-9", "1e-8", "1e-12", "1e-10", "1e-7", "1e-6", "1e-5")),
    ),
    "先做 softmax、再取对数：logits 相差几百时，小的概率成了 0，或者被截断、被加上的小数盖过，"
    "损失就不对了。",
    "First a softmax, then a logarithm: with logits hundreds apart small probabilities become 0, "
    "are clipped or drown in the tiny number that is added, and the loss is wrong.",
    (
        (
            "给一个词元的 logit 比别的小 300：它的概率在单精度里是多少，对数呢？",
            "Make a token's logit smaller than the others by 300: what is its probability in "
            "single precision, and the logarithm?",
        ),
        (
            "有一个函数一步算出 softmax 的对数，不经过那个小得成了 0 的数。",
            "There is a function that gives the logarithm of a softmax in one step, without the "
            "number that is too small.",
        ),
    ),
)
_TAKEN = (
    "padding_counts",
    "mask_inverted",
    "mask_of_the_first_row",
    "mask_on_the_logits",
    "divided_by_all_positions",
    "divided_by_the_batch",
    "not_divided",
    "mean_of_means",
    "softmax_before_the_loss",
    "logits_taken_for_probabilities",
    "softmax_along_another_axis",
    "softmax_missing",
    "logarithm_missing",
    "squared_error",
    "not_the_label",
    "another_unit",
    "wrong_sign",
    "perplexity_returned",
    "not_a_single_number",
    "gradient_lost",
)
LM_LOSS = _OWN | {name: LOSS[name] for name in _TAKEN}
LM_LOSS["divided_by_all_positions"] = (
    {"denominator": "batch_times_length"},
    "分母数错了：除以了 B × (T − 1)，填充越多，损失就显得越小。",
    "Divided by B × (T − 1): the more padding, the smaller the loss looks.",
    MEAN_HINTS,
)
LM_LOSS["logarithms_taken_for_probabilities"] = (
    {"fed": "log_softmax", "scores": "taken_for_probabilities"},
    "交叉熵以为拿到的是概率，拿到的却是概率的对数（log_softmax 的结果）：全是负数，一律被截成了"
    "同一个数。",
    "The cross-entropy expects probabilities and is given their logarithms (from log_softmax): "
    "these are negative, and all of them are clipped to one and the same number.",
    (
        (
            "换几份差得很远的 logits：你的损失变了吗？它是不是总等于 ln V？",
            "Try logits that are far apart from the last: does your loss change, or is it always "
            "ln V?",
        ),
        (
            "Keras 的交叉熵有一个参数，说明拿到的是 logits 还是概率；它不写的时候当作什么？",
            "Keras's cross-entropy has an argument that says whether it is given logits or "
            "probabilities. What does it take for granted when nothing is said?",
        ),
    ),
)
LM_LOSS["mean_of_means"] = (
    (*LOSS["mean_of_means"][0], {"counted": "rows_guarded"}),
    *LOSS["mean_of_means"][1:],
)
