"""Mistakes in putting words beside an answer: switches, sentences and hints."""

from autograder.exercises.ch07c_kit import CHANGE_HINTS, LISTS_CHANGED

SHIFT_HINTS = (
    (
        "文章 a b c d，答案 c（2 到 2），插两个词：position 是 0、2、3、4 时，c 各在哪里？",
        "The text is a b c d and the answer c, 2 to 2; two words are put in. Where is c with "
        "position 0, 2, 3 and 4?",
    ),
    (
        "插在答案前面（紧挨着也算前面）时，两个位置都往后挪，挪的步数是干扰句的词数。",
        "If they come before the answer, right before it too, both places move on, by as many "
        "steps as the distractor has words.",
    ),
)
PLACE_HINTS = (
    (
        "position 是 0 时干扰句应当在最前面，等于词数时在最后面。",
        "With position 0 the distractor should come first of all, and last of all with the number "
        "of words.",
    ),
    (
        "新文章有三段：position 之前的词，干扰句的词，剩下的词；一个也不丢。",
        "The new text has three parts: the words before position, those of the distractor, and "
        "the rest; none gets lost.",
    ),
)
INSIDE_HINTS = (
    (
        "答案是 2 到 4：position 是 2、3、4、5 时，哪几个把答案拆开了？",
        "The answer is 2 to 4: which of the positions 2, 3, 4 and 5 would tear it apart?",
    ),
    (
        "紧挨在答案前面和后面都可以；答案里第二个词到最后一个词之前，不可以。",
        "Right before the answer and right behind it is fine; before its second word and so on up "
        "to its last it isn't.",
    ),
)
OUTSIDE_HINTS = (
    (
        "四个词的文章，position 可以是哪几个数？数一数有几个空当。",
        "In a text of four words, which positions are there? Count the gaps.",
    ),
    (
        "0 和文章的词数都可以；负数和更大的数，Python 的切片不会报错，要自己查。",
        "0 and the number of words are both fine; for negative numbers and larger ones Python's "
        "slices raise nothing, so it is up to you.",
    ),
)
SECOND_HINTS = (
    (
        '答案是 ["red", "cup"]：下面哪几个干扰句不行？red cup；cup red；a red cup；red a cup；'
        "red cups。",
        'The answer is ["red", "cup"]: which of these distractors must be refused? red cup; cup '
        "red; a red cup; red a cup; red cups.",
    ),
    (
        "在干扰句的每个起点，取和答案一样多的词，跟答案的词逐个比。",
        "At every start in the distractor take as many words as the answer has, and compare word "
        "by word.",
    ),
)
LAST_HINTS = (
    (
        "答案是 (2, 4)，一共几个词？",
        "The answer is (2, 4): how many words is that?",
    ),
    (
        "两头都算在内；Python 的切片不含末尾，要多取一个。",
        "Both ends are included; Python's slices leave out the end, so take one more.",
    ),
)
REFUSE_HINTS = (
    (
        "该拒绝的时候，你的函数返回什么，还是抛出了别的异常？",
        "Where it should refuse, does your function return something, or raise another error?",
    ),
    (
        "说好了抛出 ValueError：用 raise，在做任何别的事之前。",
        "It was agreed to raise a ValueError: with raise, before anything else is done.",
    ),
)
FORM_HINTS = (
    (
        "返回的是一对：新的词的列表，和新的 (first, last)。",
        "A pair comes back: the new list of words, and the new (first, last).",
    ),
    (
        "干扰句的词一个一个放进列表，不是整句放进去。",
        "The distractor's words go into the list one by one, not as a whole.",
    ),
)

DISTRACTORS = {
    "answer_not_moved": (
        ({"shift": "never"}, {"shift": "after"}),
        "干扰句插在答案前面时，答案的位置没有往后挪。",
        "Words are put in before the answer, and its places don't move on.",
        SHIFT_HINTS,
    ),
    "right_before_not_moved": (
        {"shift": "strictly_before"},
        "紧挨着插在答案前面（position 等于 first）时，答案也要往后挪。",
        "Right before the answer, with position equal to first, the answer has to move on, too.",
        SHIFT_HINTS,
    ),
    "moved_without_need": (
        ({"shift": "always"}, {"shift": "behind_the_last_too"}),
        "干扰句插在答案后面，答案的位置也挪了。",
        "Words are put in behind the answer, and its places move all the same.",
        SHIFT_HINTS,
    ),
    "moved_by_another_number": (
        (
            {"by": "one"},
            {"by": "one_more"},
            {"by": "one_less"},
            {"by": "minus"},
            {"by": "letters"},
        ),
        "答案挪的步数不对：应当是干扰句的词数，往后。",
        "The answer moves by the wrong number: it should be that of the distractor's words, "
        "onwards.",
        SHIFT_HINTS,
    ),
    "one_end_moved": (
        ({"moved": "first_alone"}, {"moved": "last_alone"}),
        "答案的两个位置只挪了一个。",
        "Only one of the answer's two places moves.",
        SHIFT_HINTS,
    ),
    "answer_looked_for": (
        {"moved": "looked_for"},
        "新位置是照着词去找的：同样的词在前面也有时，就找错了地方。位置要算出来。",
        "The new place is looked for by its words, and found elsewhere if those stand earlier in "
        "the text. It has to be computed.",
        SHIFT_HINTS,
    ),
    "last_taken_as_excluded": (
        ({"last": "excluded"}, {"moved": "end_excluded"}),
        "last 当成了不含在内：答案的最后一个词就是 words[last]。",
        "last is taken as excluded; the answer's last word is words[last].",
        LAST_HINTS,
    ),
    "another_place": (
        (
            {"place": "behind_the_word"},
            {"place": "at_the_end"},
            {"place": "at_the_start"},
            {"place": "one_earlier"},
        ),
        "干扰句插错了地方：应当在第 position 个词之前。",
        "The distractor is put in at the wrong place; it comes before word position.",
        PLACE_HINTS,
    ),
    "words_written_over": (
        {"put": "written_over"},
        "干扰句盖掉了原来的词：应当插进去，一个也不丢。",
        "The distractor takes the place of words; it should come between them, and none be lost.",
        PLACE_HINTS,
    ),
    "inside_allowed": (
        ({"inside": "allowed"}, {"inside": "last_allowed"}, {"inside": "first_not_last"}),
        "插进答案中间没有（都）抛出 ValueError。",
        "Positions inside the answer aren't (all) refused with a ValueError.",
        INSIDE_HINTS,
    ),
    "beside_refused": (
        ({"inside": "first_too"}, {"inside": "behind_too"}, {"inside": "both_sides_too"}),
        "紧挨着答案的位置也拒绝了：那里可以插。",
        "A position right beside the answer is refused; it is a right one.",
        INSIDE_HINTS,
    ),
    "range_not_checked": (
        (
            {"outside": "allowed"},
            {"outside": "too_large_only"},
            {"outside": "negative_only"},
            {"outside": "one_behind_allowed"},
        ),
        "position 超出范围，没有（都）抛出 ValueError。",
        "A position out of range isn't (always) refused with a ValueError.",
        OUTSIDE_HINTS,
    ),
    "ends_refused": (
        ({"outside": "end_too"}, {"outside": "start_too"}),
        "文章的开头或末尾也拒绝了：0 和文章的词数都可以。",
        "The start or the end of the text is refused; 0 and the number of words are both right.",
        OUTSIDE_HINTS,
    ),
    "second_answer_allowed": (
        (
            {"contains": "never"},
            {"contains": "at_the_start"},
            {"contains": "at_the_end"},
            {"contains": "the_same"},
            {"contains": "last_place_missed"},
        ),
        "干扰句里连着出现了答案的词，没有（都）抛出 ValueError。",
        "A distractor with the answer's words in a row isn't (always) refused with a ValueError.",
        SECOND_HINTS,
    ),
    "scattered_words_refused": (
        (
            {"contains": "any_word"},
            {"contains": "all_words"},
            {"contains": "in_order"},
            {"contains": "first_word"},
            {"contains": "as_a_part"},
        ),
        "答案的词散着出现（或只出现一部分）的干扰句也拒绝了：连着全部出现才不行。",
        "A distractor with the answer's words scattered, or only some of them, is refused; it is "
        "all of them in a row that mustn't be.",
        SECOND_HINTS,
    ),
    "strings_compared": (
        (
            {"contains": "joined"},
            {"contains": "joined_without_blanks"},
            {"contains": "joined_to_a_blank"},
        ),
        "比的是拼起来的字符串：cup 会在 cups 里找到。要比词。",
        "Joined strings are compared, in which cup is found inside of cups; compare words.",
        SECOND_HINTS,
    ),
    "case_ignored": (
        {"contains": "any_case"},
        "比词时没有管大小写：Cup 和 cup 是两个词。",
        "Capitals are ignored in comparing; Cup and cup are two words.",
        SECOND_HINTS,
    ),
    "text_searched_instead": (
        {"contains": "answer_in_text"},
        "找反了：应当在干扰句里找答案，不是在文章里找干扰句。",
        "It is turned round: look for the answer in the distractor, not for the distractor in the "
        "text.",
        SECOND_HINTS,
    ),
    "nothing_refused": (
        {"refusal": "no"},
        "该拒绝的一次也没有抛出 ValueError。",
        "Nothing is refused with a ValueError.",
        REFUSE_HINTS,
    ),
    "another_form": (
        (
            {"returned": "exchanged"},
            {"returned": "words_alone"},
            {"returned": "answer_alone"},
            {"returned": "joined"},
            {"returned": "flat"},
            {"returned": "answer_words"},
            {"put": "nested"},
            {"put": "joined"},
        ),
        "返回的不是 (words, answer)：一个词的列表，一对位置。",
        "What comes back isn't (words, answer), a list of words and a pair of places.",
        FORM_HINTS,
    ),
    "lists_changed": (
        {"edits": "in_place"},
        LISTS_CHANGED.zh,
        LISTS_CHANGED.en,
        CHANGE_HINTS,
    ),
}
