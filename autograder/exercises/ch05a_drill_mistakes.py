"""What only the drill of notebook ch05a is told: faults of its list, and mistakes of its own."""

from autograder.exercises.ch05a_pack_mistakes import PACK
from autograder.messages import Text

# What an unrepaired copy of the patient would be told by name is the answer to the first question.
STILL_ILL = Text(
    "repaired 里有名单上的一种毛病（没修掉，或者是新添的）：短的、长得要裁的、带 [MASK] 的、"
    "有生词的，各拿一对，看它和 patient 的三样结果哪里不同；处处都一样，就是还没有修到。",
    "repaired has one of the faults in the list (still, or newly): give it and patient a short "
    "pair, one that has to be cut, one with [MASK] and one with an unknown word, and see where "
    "their three results differ; if nowhere, nothing is repaired yet.",
)
ILL_HINTS = (
    (
        "把词元编号换回文字来看；短的、长得要裁的、带 [MASK] 的、有生词的，各试一对。",
        "Turn token ids back into text and look. Try a short pair, one that has to be cut, one "
        "with [MASK], and one with an unknown word.",
    ),
    (
        "编号都对，就看片段；也对，就把三张表里的两张设成 0，看第三张。",
        "Where the ids are right look at segments; where those are, set two of the three tables to "
        "0 and look at the third.",
    ),
)

STILL = {
    "zh": STILL_ILL.zh,
    "en": STILL_ILL.en,
    "hints": ILL_HINTS,
    "hides_properties": True,
}
OWN = {
    "mask_split": dict(
        switch=({"specials": "split"}, {"specials": "unknown"}, {"specials": "dropped"}),
        **STILL,
    ),
    "only_mask_kept_whole": dict(
        switch={"specials": "only_mask"},
        zh="[MASK] 是一整个词元了，别的特殊词元（[UNK]、[SEP] 等）写在文字里还是会被切碎。",
        en="[MASK] is one whole token now, but the other special tokens ([UNK], [SEP] and so on) "
        "still fall into pieces where a text has them.",
        hints=(
            (
                "把文字里的 [MASK] 换成 [UNK] 或 [SEP]，再换回文字看看。",
                "Write [UNK] or [SEP] into a text in place of [MASK] and turn the ids back into "
                "text.",
            ),
            (
                "说明里说的是“[MASK] 之类的特殊词元”：名字都在 SPECIAL_TOKENS 里。",
                "The contract speaks of special tokens, “such as [MASK]”: all their names are in "
                "SPECIAL_TOKENS.",
            ),
        ),
    ),
    "special_tokens_between_spaces_only": dict(
        switch={"specials": "between_spaces"},
        zh="特殊词元两边有空白时才认得出来；紧挨着文字的（比如“x[MASK]y”）还是会被切碎。",
        en="Special tokens are only recognised between spaces; one that touches a word, as in "
        "“x[MASK]y”, still falls into pieces.",
        hints=(
            (
                "把“x[MASK]y”切成词元，换回文字看看。",
                "Turn “x[MASK]y” into tokens, and those back into text.",
            ),
            (
                "切成几段的那一步，靠的是空白，还是特殊词元本身？",
                "What decides where a text falls into parts: white space, or the special tokens "
                "themselves?",
            ),
        ),
    ),
    "case_kept": dict(
        switch={"case": "kept"},
        zh="大写没有变成小写。",
        en="Capitals don't become small letters.",
        hints=(
            (
                "文字里有大写字母时，得到了哪些词元？",
                "Which tokens come of a text with capitals?",
            ),
            (
                "分词的那个函数默认会怎么做？",
                "What does the function that cuts words do by default?",
            ),
        ),
    ),
    "texts_exchanged": dict(
        switch={"texts": "turned"},
        zh=PACK["texts_exchanged"]["zh"],
        en=PACK["texts_exchanged"]["en"],
        hints=PACK["texts_exchanged"]["hints"],
    ),
    "results_in_another_order": dict(
        switch={"returned": "reversed"},
        zh="三样结果的次序不对：编号、片段、嵌入。",
        en="The three results are in another order: ids, segments, embeddings.",
        hints=(
            ("对照约定里返回的三样东西。", "Compare with the three things of the contract."),
            ("打印三样的形状。", "Print the shapes of all three."),
        ),
    ),
}
