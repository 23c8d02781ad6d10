"""Mistakes in what a word gives away: switches, sentences and hints."""

APPLIES_HINTS = (
    (
        "拿纸上那四道题，一道一道写：这道题用得上吗？第三道两个答案都有 not，算不算？",
        "Take the four questions on paper one by one: does the cue apply? In the third both "
        "choices have it; does that count?",
    ),
    (
        "用得上要两件事都成立：至少一个答案有它，至少一个答案没有它。跟哪个是正确的无关。",
        "Two things must hold for it to apply: some choice has it, and some choice lacks it. Which "
        "one is right plays no part.",
    ),
)
TELLS_HINTS = (
    (
        "三个答案，正确的有这个词，错的里也有一个有：算产出吗？",
        "Of three choices the right one has the word, and so has a wrong one: is that productive?",
    ),
    (
        "产出要两件事都成立：正确的答案有它，别的一个也没有。",
        "Two things must hold to be productive: the right choice has it, and no other one does.",
    ),
)
SHARE_HINTS = (
    (
        "四道题，用得上的 2 道，产出的 1 道：应当得到 1/2 和 2/4。你的呢？",
        "Four questions, it applies to 2 and is productive in 1: that makes 1/2 and 2/4. What are "
        "yours?",
    ),
    (
        "产出率的分母是用得上的题数，覆盖率的分母是所有的题数。",
        "Productivity is divided by the number of questions to which the cue applies, coverage by "
        "that of all.",
    ),
)
WORD_HINTS = (
    (
        "{nothing, at} 里有 not 吗？照你的代码算一算。",
        "Is the cue not in {nothing, at}? See what your code says.",
    ),
    (
        "整个词相等才算；在集合里找，不是在字符串里找。",
        "It has to be all of a word: look in the set, not inside of strings.",
    ),
)
NOTHING_HINTS = (
    (
        "线索一道题也用不上时，产出率的分母是几？",
        "If the cue never applies, what is productivity divided by?",
    ),
    (
        "说好了 0/0 当作 0.0：先看分母是不是 0。",
        "It was agreed that 0/0 is 0.0: look at the divisor first.",
    ),
)
LABEL_HINTS = (
    (
        "labels 里的数是什么？列表里的位置，从 0 数起。",
        "What are the numbers in labels? Places in the list, counted from 0.",
    ),
    (
        "答案有几个都行，正确的在哪里都行：每一道都照它自己的 label 去找。",
        "There may be any number of choices and the right one may stand anywhere: look it up for "
        "every question by its own label.",
    ),
)

CUES = {
    "applies_where_all_have_it": (
        ({"applies": "somewhere"}, {"applies": "not_everywhere"}),
        "“用得上”少看了一半：要有的答案有、有的答案没有。",
        "Only half of “applies” is looked at: some choices must have the cue, and some must lack "
        "it.",
        APPLIES_HINTS,
    ),
    "applies_always": (
        ({"applies": "always"}, {"below": "questions"}),
        "产出率除以了所有的题，应当除以用得上的题。",
        "Productivity is divided by the number of all questions, not of those to which the cue "
        "applies.",
        SHARE_HINTS,
    ),
    "applies_by_the_label": (
        (
            {"applies": "right_has_it"},
            {"applies": "right_has_it_some_lack_it"},
            {"applies": "wrong_has_it"},
        ),
        "“用得上”看了哪个是正确答案：它只看各个答案有没有这个词。",
        "Whether the cue applies is made to depend on the label; it is only about which choices "
        "have the word.",
        APPLIES_HINTS,
    ),
    "applies_in_some_numbers_only": (
        (
            {"applies": "one_alone"},
            {"applies": "one_lacks_it"},
            {"applies": "more_than_one"},
        ),
        "“用得上”数错了：有它的答案可以是一个，也可以是几个，只要不是全部。",
        "“Applies” is counted wrongly: one choice may have the cue or several, as long as it isn't "
        "all of them.",
        APPLIES_HINTS,
    ),
    "others_may_have_it": (
        (
            {"productive": "right_has_it_some_lack_it"},
            {"productive": "right_has_it"},
            {"productive": "first_that_has_it"},
        ),
        "产出算宽了：正确答案有这个词，别的答案也有，不算。",
        "Productive is taken too widely: where another choice has the word as well as the right "
        "one it doesn't count.",
        TELLS_HINTS,
    ),
    "right_choice_ignored": (
        (
            {"productive": "one_alone"},
            {"productive": "wrong_one_alone"},
            {"productive": "right_alone_lacks_it"},
            {"productive": "right_lacks_it"},
            {"productive": "either_alone"},
            {"above": "not_productive"},
        ),
        "产出数的不是“只有正确答案有它”的题。",
        "What is counted as productive isn't “the right choice alone has it”.",
        TELLS_HINTS,
    ),
    "another_right_choice": (
        ({"right": "first"}, {"right": "from_one"}, {"right": "last"}),
        "正确答案找错了：label 是它在列表里的位置，从 0 数起。",
        "The right choice is looked up wrongly: label is its place in the list, from 0.",
        LABEL_HINTS,
    ),
    "first_two_choices_only": (
        ({"rows": "first_two_choices"}, {"rows": "two_choices_counted"}),
        "只看了前两个答案。",
        "Only the first two choices are looked at.",
        LABEL_HINTS,
    ),
    "choices_counted": (
        (
            {"rows": "choices"},
            {"rows": "choices", "productive": "right_has_it"},
            {"rows": "choices", "productive": "right_has_it", "below": "questions"},
        ),
        "数的是答案，应当数题：一道题至多算一次。",
        "Choices are counted instead of questions; each question counts once at most.",
        SHARE_HINTS,
    ),
    "inside_of_words": (
        ({"match": "inside_a_word"}, {"match": "start_of_a_word"}),
        "词的一部分也当成了线索：要整个词相等。",
        "Parts of words count as the cue; it has to be all of a word.",
        WORD_HINTS,
    ),
    "case_ignored": (
        {"match": "any_case"},
        "大小写不同的词也当成了线索：要和集合里的词一模一样。",
        "Words that differ in capitals count as the cue; it has to be just the word in the set.",
        WORD_HINTS,
    ),
    "division_by_zero": (
        (
            {"nothing": "error"},
            {"nothing": "nan"},
            {"nothing": "one"},
            {"nothing": "half"},
            {"nothing": "minus_one"},
        ),
        "线索一道题也用不上时，产出率应当是 0.0。",
        "If the cue never applies, productivity should be 0.0.",
        NOTHING_HINTS,
    ),
    "another_coverage": (
        (
            {"covered": "count"},
            {"covered": "productive"},
            {"covered": "rest"},
            {"covered": "turned"},
        ),
        "覆盖率不对：应当是用得上的题占所有题的几成。",
        "Coverage is wrong: it should be the share of all questions to which the cue applies.",
        SHARE_HINTS,
    ),
    "no_shares": (
        ({"below": "not_divided"}, {"returned": "counts"}, {"scale": "percent"}),
        "返回的不是 0 到 1 的份额。",
        "What comes back aren't shares from 0 to 1.",
        SHARE_HINTS,
    ),
    "another_form": (
        ({"returned": "exchanged"}, {"returned": "productivity_alone"}, {"returned": "product"}),
        "返回的不是 (productivity, coverage)。",
        "What comes back isn't (productivity, coverage).",
        SHARE_HINTS,
    ),
}
