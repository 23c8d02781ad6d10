"""Mistakes in choosing whole words: switches, sentences and hints."""

from autograder.exercises.ch05b_choose_hints import NUMBER_HINTS, SEED_HINTS

FIT_HINTS = (
    (
        "词的长度是 2、1、3、1，预算是 3，次序恰好是 2、3、1、1：每一步还剩多少，拿走了谁？",
        "Words of 2, 1, 3 and 1 tokens, a budget of 3, and the order 2, 3, 1, 1: how much is left "
        "at each step, and who is taken?",
    ),
    (
        "放不下的词不拿，也不拆；后面短的词说不定还放得下。",
        "A word that doesn't fit is neither taken nor cut; a shorter one that comes later may fit.",
    ),
)
ORDER_HINTS = (
    (
        "四个词，一共有几种次序？调用一千次，每个词有几次排在最前面？",
        "How many orders do four words have? Call it a thousand times: how often does each word "
        "come first?",
    ),
    (
        "打乱的是词，一个词一个号码；不是词元。",
        "It is words that are shuffled, each once, not tokens.",
    ),
)
WORD_HINTS = (
    (
        "打印每个词有哪些位置：−1 在里面吗？编号 0 的词在里面吗？",
        "Print the positions of every word: is −1 among the words? Is the word with number 0?",
    ),
    (
        "数一数 N：不是 −1 的词元有几个？",
        "Count N: how many tokens have another number than −1?",
    ),
)
FORM_HINTS = (
    (
        "挑中的词占着位置 4、5 和 1：应当返回什么？",
        "The picked words stand at positions 4, 5 and 1: what should come back?",
    ),
    (
        "返回的是词元的位置，一个列表，从小到大。",
        "Positions of tokens are wanted, in one list and ascending.",
    ),
)

WHOLE_WORDS = {
    "stops_at_the_first_that_does_not_fit": (
        {"fit": "stops"},
        "遇到第一个放不下的词就停了：应当跳过它，接着看后面的。",
        "It stops at the first word that doesn't fit; that one should be passed over and the next "
        "tried.",
        FIT_HINTS,
    ),
    "words_are_cut": (
        ({"fit": "cut"}, {"fit": "cut_at_the_end"}),
        "词被拆开了：为了凑满预算，只拿了一个词的一部分。",
        "Words are cut: only a part of one is taken, to fill the budget.",
        FIT_HINTS,
    ),
    "budget_exceeded": (
        {"fit": "overshoots"},
        "超出了预算：预算还有剩就拿，没有看这个词放不放得下。",
        "The budget is exceeded: as long as anything is left the next word is taken, whether it "
        "fits or not.",
        FIT_HINTS,
    ),
    "must_leave_something": (
        {"fit": "strictly_less"},
        "正好放得下的词也没拿：词元数等于剩下的预算，也算放得下。",
        "A word that just fits isn't taken: as many tokens as are left of the budget do fit.",
        FIT_HINTS,
    ),
    "budget_not_reduced": (
        {"fit": "never_less"},
        "拿走一个词以后，预算没有减：每个词都拿整份预算去比。",
        "What is taken isn't subtracted from the budget: every word is compared with all of it.",
        FIT_HINTS,
    ),
    "one_word_only": (
        ({"fit": "one_word"}, {"fit": "first_word_only"}),
        "只看了一个词就收工，预算还有剩：循环里是不是有 return 或 break？",
        "After one word it is all over, although some of the budget is left: is there a return or "
        "a break in the loop?",
        FIT_HINTS,
    ),
    "budget_counts_words": (
        (
            {"unit": "words"},
            {"unit": "tokens_as_words"},
            {"unit": "share_of_words"},
            {"fit": "less_by_one"},
        ),
        "预算是按词数算的：N 应当是普通词元的个数；拿走一个词，用掉的是它的词元数，不是 1。",
        "The budget counts words. N is a number of tokens, and a word that is taken costs as many "
        "as it has tokens, not 1.",
        FIT_HINTS,
    ),
    "single_tokens_chosen": (
        {"level": "tokens"},
        "挑的是一个个词元，不管它们属于哪个词。",
        "Single tokens are picked, whichever word they belong to.",
        FIT_HINTS,
    ),
    "order_not_random": (
        (
            {"order": "in_order"},
            {"order": "by_number"},
            {"order": "longest_first"},
            {"order": "shortest_first"},
        ),
        "词的次序不是随机的：总是从头起，或者按长短、按号码排。",
        "Words don't come in random order, but from the start, or sorted by length or number.",
        ORDER_HINTS,
    ),
    "long_words_preferred": (
        {"order": "by_tokens"},
        "打乱的是词元，不是词：长的词更容易排在前面。",
        "Tokens are shuffled, not words: long words tend to come first.",
        ORDER_HINTS,
    ),
    "special_tokens_as_a_word": (
        {"specials": "as_a_word"},
        "−1 也当成了一个词：特殊词元和填充不能挑，也不算在 N 里。",
        "−1 is taken for a word: special tokens and padding can't be picked and don't count in N.",
        WORD_HINTS,
    ),
    "word_zero_left_out": (
        {"specials": "zero_left_out"},
        "号码是 0 的词漏了：只有 −1 才不是词。",
        "The word with number 0 is left out; only −1 is no word.",
        WORD_HINTS,
    ),
    "share_of_all_tokens": (
        {"count": "of_the_length"},
        "预算是按整行的长度 T 算的，特殊词元和填充也数了进去。",
        "The budget is a share of the whole row, T, in which special tokens and padding count too.",
        NUMBER_HINTS,
    ),
    "rounded_down": (
        ({"count": "floor"}, {"count": "floor_without_minimum"}),
        "预算一律舍去了小数：约定四舍五入。",
        "The budget is always rounded down; it should go to the nearest.",
        NUMBER_HINTS,
    ),
    "rounded_up": (
        {"count": "ceiling"},
        "预算一律进了一：约定四舍五入。",
        "The budget is always rounded up; it should go to the nearest.",
        NUMBER_HINTS,
    ),
    "at_least_one_forgotten": (
        {"count": "no_minimum"},
        "普通词元少时预算成了 0：约定至少一个。",
        "With few ordinary tokens the budget becomes 0; it should be one at least.",
        NUMBER_HINTS,
    ),
    "more_than_the_slots": (
        {"count": "uncapped"},
        "挑的个数超过了 max_predictions。",
        "More are picked than max_predictions.",
        NUMBER_HINTS,
    ),
    "not_ascending": (
        {"returned": "as_drawn"},
        "位置没有从小到大排。",
        "The positions aren't in ascending order.",
        FORM_HINTS,
    ),
    "something_else_returned": (
        (
            {"returned": "numbers"},
            {"returned": "numbers_of_words"},
            {"returned": "mask"},
            {"returned": "groups"},
            {"returned": "first_tokens"},
            {"returned": "floats"},
        ),
        "返回的不是全部词元的位置：是词的号码、一行 True 和 False、一组一组的列表、小数（如 1.0），"
        "或者只有每个词的第一个词元。",
        "What comes back isn't the positions of all tokens, but numbers of words, a row of True "
        "and False, a list of lists, floats such as 1.0, or only the first token of every word.",
        FORM_HINTS,
    ),
    "seed_not_used": (
        ({"seed_use": "ignored"}, {"seed_use": "fixed"}),
        "种子没有用上：同一个种子给出不同的结果，或者换了种子结果还一样。",
        "The seed isn't used: one seed gives different results, or different seeds the same.",
        SEED_HINTS,
    ),
}
