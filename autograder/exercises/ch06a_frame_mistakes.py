"""Mistakes in scoring whole commands: switches, sentences and hints."""

JUDGED_HINTS = (
    (
        "一句的标签是 [−1, 2, 0, −1]，模型给的是 [5, 2, 0, 3]：槽全对吗？",
        "Tags [−1, 2, 0, −1], and the model says [5, 2, 0, 3]: are all slots right?",
    ),
    (
        "哪些位置要判，只看正确的标签是不是 −1；0 是一种标签，要判。",
        "Which places are judged is read off the right tags, whether they are −1; 0 is a tag and "
        "is judged.",
    ),
)
WHOLE_HINTS = (
    (
        "两句话：一句意图对、槽有一个错，一句意图错、槽全对。几成算对？",
        "Two sentences, one with the right intent and a wrong tag, the other with a wrong intent "
        "and all tags right: what share is right?",
    ),
    (
        "先对每一句说对或错，再看对的占几成。",
        "First say right or wrong of every sentence, then take the share.",
    ),
)
EMPTY_HINTS = (
    (
        "一句话的标签全是 −1，意图对：算对还是算错？",
        "All tags of a sentence are −1 and its intent is right: is it right?",
    ),
    (
        "一个要判的都没有，就没有一个错的：只看意图，可它还是一句。",
        "Where nothing is judged, nothing is wrong: the intent decides, and it still is a "
        "sentence.",
    ),
)
FORM_HINTS = (
    (
        "三句里对了两句：应当返回 0.666…，你的是什么？",
        "Two of three sentences are right: 0.666… should come back; what does?",
    ),
    (
        "返回的是一个 0 到 1 的数：对的占几成。",
        "One number from 0 to 1 comes back, the share of what is right.",
    ),
)

FRAMES = {
    "unjudged_places_count": (
        ({"judged": "everywhere"}, {"judged": "either"}),
        "不判的位置（−1）也要求相等了。",
        "Places that aren't judged (−1) have to agree, too.",
        JUDGED_HINTS,
    ),
    "tag_zero_left_out": (
        ({"judged": "above_zero"}, {"judged": "found_and_told"}),
        "标签是 0 的位置没有判：只有 −1 才不判。",
        "Places with tag 0 aren't judged; only −1 means that.",
        JUDGED_HINTS,
    ),
    "judged_by_the_prediction": (
        ({"judged": "predicted"}, {"judged": "predicted_above_zero"}),
        "哪些位置要判，看成了模型给的标签；应当看正确的。",
        "Which places are judged is read off what the model says; it should be read off the right "
        "tags.",
        JUDGED_HINTS,
    ),
    "intent_or_slots": (
        {"together": "or"},
        "意图对或者槽对就算对了；两样都要对。",
        "Either intent or slots are enough; both have to be right.",
        WHOLE_HINTS,
    ),
    "one_part_only": (
        ({"together": "intent_only"}, {"together": "slots_only"}),
        "只看了意图，或者只看了槽。",
        "Only the intent is looked at, or only the slots.",
        WHOLE_HINTS,
    ),
    "two_shares_combined": (
        ({"together": "product"}, {"together": "mean"}, {"together": "least"}),
        "先各算各的比例，再合起来（相乘、平均或取小）：应当先说每一句对不对。",
        "Two shares are combined, by a product, a mean or the smaller one; every sentence should "
        "be judged first.",
        WHOLE_HINTS,
    ),
    "tokens_averaged": (
        (
            {"averaged": "tokens"},
            {"averaged": "tokens", "together": "slots_only"},
            {"averaged": "tokens", "together": "mean"},
            {"averaged": "tokens", "nothing": "divided"},
            {"averaged": "tokens", "together": "slots_only", "nothing": "divided"},
            {"averaged": "tokens", "together": "mean", "nothing": "divided"},
            {"averaged": "sentence_shares"},
            {"averaged": "sentence_shares", "together": "slots_only"},
            {"averaged": "sentence_shares", "together": "mean"},
            {"averaged": "sentence_shares", "nothing": "divided"},
            {"averaged": "sentence_shares", "nothing": "wrong"},
            {"averaged": "sentence_shares", "together": "slots_only", "nothing": "divided"},
            {"averaged": "judged_tokens"},
        ),
        "算的是词元对了几成；一句里错一个词元，整句就算错。",
        "It is a share of tokens; one wrong token makes the whole sentence wrong.",
        WHOLE_HINTS,
    ),
    "not_every_slot": (
        (
            {"tags": "any"},
            {"tags": "any_strictly"},
            {"tags": "any_or_open"},
            {"tags": "most"},
            {"tags": "number"},
        ),
        "槽对了一部分就算对了；每个要判的位置都要对。",
        "Slots count as right where some are; every judged place has to be.",
        WHOLE_HINTS,
    ),
    "open_places_make_it_wrong": (
        {"tags": "compared_with_length"},
        "凡是有 −1 的句子都算成了错：只看要判的位置对不对。",
        "Every sentence that has a −1 in it counts as wrong; only its judged places should matter.",
        JUDGED_HINTS,
    ),
    "nothing_judged_is_wrong": (
        {"nothing": "wrong"},
        "没有位置要判的句子算成了错：应当只看意图。",
        "A sentence without a judged place counts as wrong; its intent should decide.",
        EMPTY_HINTS,
    ),
    "nothing_judged_is_left_out": (
        ({"nothing": "left_out"}, {"nothing": "right_anyway"}),
        "没有位置要判的句子丢掉了，或者不看意图就算对了：应当只看意图。",
        "A sentence without a judged place is left out, or right whatever its intent; the intent "
        "should decide.",
        EMPTY_HINTS,
    ),
    "batch_as_a_whole": (
        ({"averaged": "whole_batch"}, {"averaged": "first_sentence"}),
        "整批只判了一次，或者只看了一句：应当一句一句地判。",
        "The batch is judged once, or one sentence only; every sentence should be judged.",
        WHOLE_HINTS,
    ),
    "another_scale": (
        (
            {"returned": "number"},
            {"returned": "count"},
            {"returned": "percent"},
            {"returned": "errors"},
            {"returned": "each"},
        ),
        "返回的不是对的比例（0 到 1 的一个数）：是个数、百分数、错的比例，或者每句一个。",
        "It isn't the share of right sentences (one number from 0 to 1) that comes back, but a "
        "count, a percentage, the share of wrong ones, or one result for each.",
        FORM_HINTS,
    ),
}
