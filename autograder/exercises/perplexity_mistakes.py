"""Named mistakes of perplexities and of the pair returned: switches, sentence, hints."""

MEAN_HINTS = (
    (
        "如果每个词元的概率都是 1/8，困惑度应当正好是 8。",
        "If every token has probability 1/8, the perplexity should be exactly 8.",
    ),
    (
        "平均的是谁，除以几？结尾也算一个词元，各个句子的词元放在一起平均。",
        "What is averaged, and divided by how many? Ends are tokens too, and the tokens of all "
        "sentences go into one mean.",
    ),
)
RETURN_HINTS = (
    ("返回值有几项？依次是什么？", "How many things are returned, and in which order?"),
    (
        "第一项的长度应当等于测试文本的词数加句数。",
        "The first should be as long as the test has words and sentences together.",
    ),
)
RESULTS = {
    "entropy_for_perplexity": (
        ({"mean": "entropy"}, {"mean": "entropy_in_bits"}),
        "返回的是交叉熵，不是困惑度：还差最后一步指数。",
        "That is the cross-entropy and not yet the perplexity: the last step, the exponential, is "
        "missing.",
        MEAN_HINTS,
    ),
    "two_bases": (
        ({"base": "two_of_nats"}, {"base": "e_of_bits"}, {"base": "e_of_tens"}),
        "取对数和取指数用了不同的底。",
        "The logarithm and the exponential have different bases.",
        MEAN_HINTS,
    ),
    "perplexity_below_one": (
        {"mean": "sign"},
        "少了负号：困惑度不会小于 1。",
        "A minus sign is missing: a perplexity is never below one.",
        MEAN_HINTS,
    ),
    "logs_summed": (
        ({"mean": "sum"}, {"mean": "sentence_sums"}),
        "负对数只是求和，没有除以词元的个数。",
        "The negative logarithms are summed and not divided by the number of tokens.",
        MEAN_HINTS,
    ),
    "mean_by_sentence": (
        ({"mean": "per_sequence"}, {"mean": "sequence_logs"}),
        "先在每个句子里平均，再在句子之间平均：短句子的词元就比长句子的分量重了。",
        "It is averaged within sentences first and then over them: tokens of short sentences get "
        "more weight than those of long ones.",
        MEAN_HINTS,
    ),
    "ends_not_in_the_mean": (
        {"mean": "words_only"},
        "平均时只除以词数，没有把结尾算作词元。",
        "The mean divides by the number of words and forgets that ends are tokens.",
        MEAN_HINTS,
    ),
    "probabilities_averaged": (
        ({"mean": "inverse_of_mean"}, {"mean": "of_inverses"}),
        "平均的是概率（或其倒数）本身；困惑度平均的是对数。",
        "Probabilities (or their inverses) are averaged; a perplexity averages logarithms.",
        MEAN_HINTS,
    ),
    "pair_swapped": (
        {"returned": "swapped"},
        "返回的两项次序反了：先概率，后困惑度。",
        "The pair is the wrong way round: probabilities first, perplexity second.",
        RETURN_HINTS,
    ),
    "one_thing_returned": (
        ({"returned": "perplexity_only"}, {"returned": "probabilities_only"}),
        "只返回了一项；约定返回（概率，困惑度）。",
        "Only one thing is returned; it should be the pair of probabilities and perplexity.",
        RETURN_HINTS,
    ),
    "logs_returned": (
        ({"returned": "logs"}, {"returned": "minus_logs"}),
        "返回的是概率的对数；约定返回概率本身。",
        "Logarithms of the probabilities are returned; it should be the probabilities themselves.",
        RETURN_HINTS,
    ),
    "sentences_kept_apart": (
        ({"returned": "by_sequence"}, {"returned": "one_per_sequence"}),
        "概率是按句子返回的；约定把所有词元的概率排成一列。",
        "Probabilities come sentence by sentence; those of all tokens should stand in one row.",
        RETURN_HINTS,
    ),
}
