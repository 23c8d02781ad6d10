"""Mistakes in matching the names of tensors: switches and sentences."""

from autograder.exercises.ch05c_names_hints import (
    ANY_ENDING_HINTS,
    ENDING_HINTS,
    FORM_HINTS,
    LAYER_HINTS,
    LETTERS_HINTS,
    NOTHING_HINTS,
    NUMBER_HINTS,
    PAIR_HINTS,
    PREFIX_HINTS,
    PUT_BACK_HINTS,
    REFUSAL_HINTS,
    ROW_HINTS,
    SKIP_HINTS,
    SKIP_WHOLE_HINTS,
    TRANSPOSE_HINTS,
    WHOLE_HINTS,
)

NAMES = {
    "gamma_and_beta_exchanged": (
        ({"norms": "exchanged"}, {"norms": "exchanged_in_new_files"}),
        "层归一化的两种参数放反了：weight 是 gamma，bias 是 beta。",
        "The two weights of a norm are exchanged: weight is gamma, bias is beta.",
        ENDING_HINTS,
    ),
    "norms_taken_for_dense": (
        ({"norms": "as_dense"}, {"norms": "beta_as_bias"}, {"norms": "gamma_as_kernel"}),
        "层归一化的参数用了全连接层的名字：它们叫 gamma 和 beta。",
        "Weights of norms get the names of dense layers; they are called gamma and beta.",
        ENDING_HINTS,
    ),
    "old_spelling_unknown": (
        {"old": "refused"},
        "老文件里的 LayerNorm.gamma 和 LayerNorm.beta 没有认出来。",
        "LayerNorm.gamma and LayerNorm.beta, as old files have them, aren't recognised.",
        ENDING_HINTS,
    ),
    "new_spelling_unknown": (
        {"old": "only"},
        "只认得老文件的写法；LayerNorm.weight 和 LayerNorm.bias 没有认出来。",
        "Only the spelling of old files is known; LayerNorm.weight and LayerNorm.bias aren't.",
        ENDING_HINTS,
    ),
    "nothing_transposed": (
        {"transpose": "never"},
        "没有一个要转置：全连接层的矩阵是“出 × 入”存的，要转。",
        "Nothing is to be transposed; kernels of dense layers, stored as out × in, have to be.",
        TRANSPOSE_HINTS,
    ),
    "too_much_transposed": (
        tuple(
            {"transpose": form}
            for form in (
                "all_weights",
                "kernels_and_tables",
                "always",
                "all_but_biases",
                "all_but_tables",
                "dense_layers",
            )
        ),
        "不该转置的也要转置了：嵌入表和向量都不转。",
        "Some tensors are transposed that shouldn't be: tables and vectors are not.",
        TRANSPOSE_HINTS,
    ),
    "others_transposed": (
        ({"transpose": "inverted"}, {"transpose": "tables"}),
        "该转置的和不该转置的弄反了。",
        "What is to be transposed and what isn't are mixed up.",
        TRANSPOSE_HINTS,
    ),
    "query_key_value_mixed_up": (
        ({"mixed": "key_and_value"}, {"mixed": "query_and_key"}),
        "查询、键、值弄混了。",
        "Query, key and value are mixed up.",
        ROW_HINTS,
    ),
    "outputs_mixed_up": (
        ({"mixed": "outputs"}, {"mixed": "outputs_of_blocks"}),
        "注意力的输出层和前馈网络的输出层弄混了。",
        "The output of attention and the output of the feed-forward network are mixed up.",
        ROW_HINTS,
    ),
    "norms_mixed_up": (
        ({"mixed": "norms"}, {"mixed": "norms_of_blocks"}),
        "一块里的两个层归一化弄混了。",
        "The two norms of a block are mixed up.",
        ROW_HINTS,
    ),
    "tables_mixed_up": (
        {"mixed": "positions_and_segments"},
        "位置和片段的嵌入表弄混了。",
        "The tables of positions and of segments are mixed up.",
        ROW_HINTS,
    ),
    "two_digits_unknown": (
        ({"layer": "one_digit"}, {"layer": "first_digit"}, {"layer": "last_digit"}),
        "块的编号只读了一位：10 和 11 不对。",
        "Only one digit of a block's number is read: 10 and 11 go wrong.",
        LAYER_HINTS,
    ),
    "blocks_counted_otherwise": (
        ({"layer": "from_one"}, {"layer": "from_one_there"}, {"layer": "always_0"}),
        "块的编号不对：两边都从 0 数起，原样搬过去。",
        "The number of the block is wrong: both sides count from 0, and it is taken as it is.",
        LAYER_HINTS,
    ),
    "number_not_put_back": (
        {"layer": "not_put_back"},
        "路径里还留着 #：块的编号没有填回去。",
        "There is still a # in the path: the number of the block isn't put back.",
        PUT_BACK_HINTS,
    ),
    "number_may_be_anything": (
        {"layer": "anything"},
        "块的编号那里写什么都收下了：encoder.layer.x 不是一块，应当抛出 ValueError。",
        "Anything is let in where a block's number belongs: encoder.layer.x is no block, and "
        "ValueError is due.",
        NUMBER_HINTS,
    ),
    "prefix_not_taken_away": (
        ({"prefix": "refused"}, {"prefix": "skipped"}),
        "开头带 bert. 的名字没有认出来。",
        "Names with bert. in front aren't recognised.",
        PREFIX_HINTS,
    ),
    "prefix_needed": (
        {"prefix": "needed"},
        "只认得开头带 bert. 的名字；没有它也应当认得。",
        "Only names with bert. in front are recognised; those without should be too.",
        PREFIX_HINTS,
    ),
    "skipped_before_the_prefix": (
        {"prefix": "after_the_skipped"},
        "先认不要的、后去前缀：开头带 bert. 的 embeddings.position_ids 就没有认出来。",
        "What isn't wanted is looked for before bert. is taken away, and "
        "bert.embeddings.position_ids isn't found.",
        PREFIX_HINTS,
    ),
    "prefix_takes_letters_along": (
        {"prefix": "letters_stripped"},
        "去前缀的时候，把后面的字母也去掉了：embeddings 的头一个 e、encoder 的 e 都没了。",
        "Taking the prefix away takes letters of what follows along: the first e of embeddings, "
        "and that of encoder.",
        LETTERS_HINTS,
    ),
    "path_has_another_form": (
        tuple(
            {"path": form}
            for form in (
                "with_the_backbone",
                "with_dots",
                "without_the_ending",
                "theirs_in_front",
                "leading_slash",
            )
        ),
        "路径的形式不对：从骨干以下开始（前面不带 bert_backbone/），用 / 隔开，最后一段是变量的"
        "名字。",
        "Paths have another form: they begin below the backbone (without bert_backbone/), / stands "
        "between the parts, and the last part is the variable's name.",
        FORM_HINTS,
    ),
    "pooler_unknown": (
        {"pooler": "unknown"},
        "池化层没有认出来：它不在块里，也要装。",
        "The pooler isn't recognised: it stands in no block, and is loaded as well.",
        ROW_HINTS,
    ),
    "position_ids_not_skipped": (
        {"skipped": "position_ids_refused"},
        "embeddings.position_ids 应当返回 None。",
        "embeddings.position_ids should give None.",
        SKIP_HINTS,
    ),
    "heads_not_skipped": (
        {"skipped": "heads_refused"},
        "cls. 开头的应当返回 None。",
        "What begins with cls. should give None.",
        SKIP_HINTS,
    ),
    "slots_not_skipped": (
        tuple(
            {"skipped": form}
            for form in ("slots_refused", "step_refused", "slots_refused_with_the_step")
        ),
        "优化器留下的（/adam_m、/adam_v、global_step）应当返回 None。",
        "What the optimizer left there (/adam_m, /adam_v, global_step) should give None.",
        SKIP_HINTS,
    ),
    "slots_loaded": (
        {"skipped": "slots_loaded"},
        "优化器的动量（/adam_m、/adam_v）被当成了参数。",
        "The optimizer's moments (/adam_m, /adam_v) are taken for weights.",
        SKIP_HINTS,
    ),
    "too_much_skipped": (
        tuple({"skipped": form} for form in ("heads_anywhere", "slots_anywhere", "words_anywhere")),
        "名字里哪里有 cls、adam 都返回了 None；约定是以 cls. 开头，以 /adam_m 或 /adam_v 结尾。",
        "None is returned wherever cls or adam stands in a name; agreed on were names that begin "
        "with cls., and names that end in /adam_m or /adam_v.",
        SKIP_WHOLE_HINTS,
    ),
    "nothing_skipped": (
        {"skipped": "nothing"},
        "该返回 None 的名字都报了错。",
        "Names that should give None all raise.",
        SKIP_HINTS,
    ),
    "strangers_skipped": (
        tuple({"unknown": form} for form in ("skipped", "places_skipped", "endings_skipped")),
        "不认识的名字返回了 None；应当抛出 ValueError，否则会悄悄漏装。",
        "Names it doesn't know give None; they should raise ValueError, or a tensor is lost "
        "without a word.",
        SKIP_HINTS,
    ),
    "refused_by_accident": (
        tuple(
            {"unknown": form} for form in ("refused_otherwise", "places_run_out", "endings_run_out")
        ),
        "不认识的名字抛出的不是 ValueError：字典里没有、下标超出之类的错误，要自己换成 "
        "ValueError。",
        "Names it doesn't know raise something else, such as KeyError, where a dict or a list ran "
        "out; ValueError was agreed on.",
        REFUSAL_HINTS,
    ),
    "error_only_returned": (
        {"unknown": "returned"},
        "不认识的名字，错误是 return 回来的，没有用 raise 抛出：程序照样往下走。",
        "For names it doesn't know an error is returned and not raised, and the program just goes "
        "on.",
        REFUSAL_HINTS,
    ),
    "longer_names_let_in": (
        tuple({"longer": form} for form in ("behind", "in_front", "anywhere")),
        "名字只对上一部分就收下了：前面或后面还多出一段的，BERT 里没有，应当抛出 ValueError。",
        "A name is let in where only a part of it matches; with more before or after it there is "
        "no such tensor in a BERT, and ValueError is due.",
        WHOLE_HINTS,
    ),
    "endings_not_looked_at": (
        tuple(
            {"endings": form}
            for form in (
                "of_other_layers_too",
                "of_norms_too",
                "any_of_dense",
                "any_of_tables",
                "any",
            )
        ),
        "不存在的结尾也收下了：全连接层没有 gamma，嵌入表没有 bias。",
        "Endings that don't exist are taken: dense layers have no gamma, and tables no bias.",
        ANY_ENDING_HINTS,
    ),
    "returned_in_another_form": (
        ({"returned": "exchanged"}, {"returned": "path_only"}, {"returned": "truth_as_text"}),
        "应当返回一对：先是路径，后是要不要转置（True 或 False，不是文字）。",
        "A pair should come back: the path first, then whether to transpose (True or False, and "
        "no string).",
        PAIR_HINTS,
    ),
    "nothing_returned": (
        {"returned": "nothing"},
        "编码器要的张量，得到的是 None：函数的最后是不是少了 return？",
        "For tensors that the encoder takes, None comes back: is a return missing at the end?",
        NOTHING_HINTS,
    ),
}
