"""Mistakes in cutting text into words: switches, sentences and hints."""

SPACE_HINTS = (
    (
        "把制表符、换行、连续两个空格各放进一段文字，打印结果。",
        "Put a tab, a line end and two spaces in a row into a text and print the result.",
    ),
    (
        "有的字符不止符合表里的一行：制表符是控制字符，isspace 也说它是空白。哪一行在前？",
        "Some characters fit more than one line of the table: a tab is a control character, and "
        "isspace takes it for white space. Which line comes first?",
    ),
)
CONTROL_HINTS = (
    (
        "字符的类别（Unicode category）是两个字母；说明里要丢掉的是哪几类？",
        "A character's Unicode category has two letters; which ones does the contract drop?",
    ),
    (
        "丢掉的字符，它左右的字母还连在一起吗？",
        "Where a character is dropped, do the letters left and right of it stay together?",
    ),
)
FOLD_HINTS = (
    (
        "é 也可以写成 e 后面跟一个 U+0301。走到 U+0301 的时候，折完还剩什么？≠ 呢？",
        "é may also be an e with U+0301 behind it. What does folding leave of that U+0301? And of "
        "≠?",
    ),
    (
        "折完剩下的可能是空字符串，也可能是标点：你的每一个 if 这时各怎么回答？",
        "Folding may leave an empty string, or punctuation: how does each of your conditions "
        "answer then?",
    ),
)
CASE_HINTS = (
    (
        "同一段文字，lowercase 取 True 和 False 各试一次，比较大写字母。",
        "Try one text with lowercase True and False and compare its capitals.",
    ),
    (
        "小写和去掉附加符号是同一个参数管的，两件事一起做，或者都不做。",
        "One argument rules both: small letters and no accents go together, or neither is done.",
    ),
)
ACCENT_HINTS = (
    (
        "é 用 NFD 拆开以后有几个字符？各是什么类别？",
        "How many characters does é have after NFD, and of which categories?",
    ),
    (
        "拆开之后要去掉的只是附加符号；字母本身要留着，也不要换成别的写法。",
        "After taking it apart only the accent goes; the letter stays, and isn't replaced by "
        "another one.",
    ),
)
CHINESE_HINTS = (
    (
        "把“a天b地”逐个字符走一遍：每一步，手里那个词是什么？",
        "Write letters and Chinese characters in turn, with no space between, and walk through "
        "that text character by character: which word is in your hands at each step?",
    ),
    (
        "汉字的前面和后面都要断开；假名不是汉字。",
        "There is a border in front of a Chinese character and behind it; kana aren't Chinese.",
    ),
)
MARK_HINTS = (
    (
        "“(a)”应当是三个词；“!!”是两个。你的呢？",
        "“(a)” should be three words and “!!” two. What are yours?",
    ),
    (
        "哪些字符算标点，问借给你的那个函数；€ 和 ° 它怎么说？",
        "Ask the function that is lent to you which characters count; what does it say of € and °?",
    ),
)
END_HINTS = (
    (
        "只有一个词、末尾没有空格的文字，得到什么？",
        "What comes of a text of one word without a space at its end?",
    ),
    (
        "走完所有的字符以后，手里可能还有半个词；手里没有词的时候，就什么也不要放。",
        "After the last character there may be a word in your hands; and where there is none, "
        "nothing should be stored.",
    ),
)
EMPTY_HINTS = (
    (
        "连着放两个空格，一个汉字和一个标点挨着放：你在它们中间得到了什么？",
        "Put two blanks in a row, and a mark beside another: what do you get between them?",
    ),
    (
        "手里没有词的时候，就什么也不要放；或者最后只留非空的。",
        "Where there is no word in your hands, store nothing; or keep only what isn't empty.",
    ),
)
LINES_HINTS = (
    (
        "把说明里的表从上往下念一遍：每一行管哪些字符，你的代码里哪一句是它？",
        "Read the table of the contract from the top: which line of your code does what each line "
        "of it asks?",
    ),
    (
        "split 只认得空白。别的都要一个字符一个字符地看过才知道。",
        "split knows white space and no more. Everything else takes a look at every character.",
    ),
)
FORM_HINTS = (
    (
        "对照约定：返回的是什么类型，词按什么次序？",
        "Compare with the contract: which type comes back, and in what order are the words?",
    ),
    ("打印返回值，看看每一项是什么。", "Print what you return and look at every item."),
)

BASIC = {
    "parted_at_white_space_alone": dict(
        switch=tuple(
            {"chinese": "together", "marks": "none", "controls": "kept"}
            | case
            | {"accents": "never"}
            for case in ({}, {"case": "always"}, {"case": "never"})
        ),
        zh="文字只在空白的地方断开了：表里别的几行（丢掉的字符、汉字、标点、附加符号）都还没有做。",
        en="The text is parted at white space and nothing else: the other lines of the table "
        "(characters to drop, Chinese, punctuation) and the accents are still to be done.",
        hints=LINES_HINTS,
    ),
    "case_kept": dict(
        switch=({"case": "never"}, {"case": "never", "accents": "with_case"}),
        zh="lowercase 为 True 时，大写没有变成小写。",
        en="With lowercase, capitals don't become small letters.",
        hints=CASE_HINTS,
    ),
    "lowercase_not_asked": dict(
        switch=(
            {"case": "always", "accents": "with_case"},
            {"case": "always"},
            {"case": "inverted", "accents": "with_case"},
            {"case": "inverted"},
        ),
        zh="参数 lowercase 没有管住大小写：False 的时候也变成了小写（或者正好反了）。",
        en="The argument lowercase doesn't rule case: letters become small with False too (or the "
        "other way round).",
        hints=CASE_HINTS,
    ),
    "case_folded_too_far": dict(
        switch={"case": "casefold"},
        zh="用的是 casefold：它把 ß 换成了 ss；约定是 lower。",
        en="casefold is used, which makes ss of ß; it should be lower.",
        hints=CASE_HINTS,
    ),
    "folded_after_cutting": dict(
        switch=({"fold": "last"}, {"fold": "last_without_empty_ones"}),
        zh="切完才折小写：应当先折，折出来的字符里还会有标点（≠ 里就有 =）。",
        en="Characters are folded after the text is cut; fold first, for what comes of it may be "
        "punctuation (as the = in ≠).",
        hints=FOLD_HINTS,
    ),
    "words_part_where_an_accent_vanishes": dict(
        switch={"spaces": "split_where_nothing_is_left"},
        zh="自成一个字符的附加符号，丢掉以后词也断开了；左右应当连着。",
        en="Where an accent is a character by itself, the word is parted as it goes; both sides "
        "should stay together.",
        hints=FOLD_HINTS,
    ),
    "accents_kept": dict(
        switch=(
            {"accents": "never"},
            {"form": "NFC"},
            {"form": "decomposed"},
            {"accents": "never", "form": "NFD_always"},
        ),
        zh="lowercase 为 True 时，附加符号还在（没有拆开，或者拆开了没有去掉）。",
        en="With lowercase, accents are still there (not taken apart, or not taken away).",
        hints=ACCENT_HINTS,
    ),
    "accents_not_asked": dict(
        switch=({"accents": "always"}, {"accents": "inverted"}),
        zh="lowercase 为 False 时也去掉了附加符号（或者正好反了）。",
        en="Accents go with lowercase=False too (or the other way round).",
        hints=CASE_HINTS,
    ),
    "taken_apart_anyway": dict(
        switch={"form": "NFD_always"},
        zh="lowercase 为 False 时，带附加符号的字母也被拆成了两个字符。",
        en="With lowercase=False, letters with accents are taken apart into two characters.",
        hints=ACCENT_HINTS,
    ),
    "another_normal_form": dict(
        switch={"form": "NFKD"},
        zh="用的是 NFKD：它把全角标点之类也换成了别的字符；约定是 NFD。",
        en="NFKD is used, which replaces wide punctuation and the like by other characters; it "
        "should be NFD.",
        hints=ACCENT_HINTS,
    ),
    "control_characters_kept": dict(
        switch=(
            {"controls": "kept"},
            {"controls": "format_kept"},
            {"controls": "category_cc_only"},
            {"controls": "replacement_kept"},
            {"controls": "private_kept"},
        ),
        zh="该丢掉的字符（控制字符、看不见的格式字符、U+FFFD）没有全丢。",
        en="Not all characters that should go are dropped (control and format characters, U+FFFD).",
        hints=CONTROL_HINTS,
    ),
    "words_part_at_control_characters": dict(
        switch={"controls": "split_there"},
        zh="丢掉控制字符的地方，词也断开了。",
        en="Where a control character is dropped, the word is parted too.",
        hints=CONTROL_HINTS,
    ),
    "white_space_before_control_characters": dict(
        switch={"controls": "white_space_first"},
        zh="isspace 也认的控制字符（换页符 U+000C 之类）把词断开了；表里先说丢掉，后说空白。",
        en="Control characters that isspace knows (a form feed, U+000C, and the like) part words; "
        "in the table, dropping comes before white space.",
        hints=SPACE_HINTS,
    ),
    "tabs_and_newlines_lost": dict(
        switch=({"controls": "dropped_with_tabs"}, {"spaces": "tabs_joined"}),
        zh="制表符和换行被当作控制字符丢掉了，左右的词连在了一起；它们是空白。",
        en="Tabs and line ends are dropped like control characters, and the words beside them run "
        "together; they are white space.",
        hints=SPACE_HINTS,
    ),
    "only_blanks_part_words": dict(
        switch=({"spaces": "blank_only"}, {"spaces": "ascii_only"}),
        zh="有的空白没有把词分开（只认得普通空格；不间断空格、全角空格也是空白）。",
        en="Some white space doesn't part words (only plain blanks do; no-break and ideographic "
        "spaces are white space too).",
        hints=SPACE_HINTS,
    ),
    "chinese_stays_together": dict(
        switch=({"chinese": "together"}, {"chinese": "before_only"}),
        zh="汉字没有各自成词（没有断开，或者只在它前面断了）。",
        en="Chinese characters aren't words of their own (there is no border, or only one in "
        "front).",
        hints=CHINESE_HINTS,
    ),
    "other_scripts_parted": dict(
        switch=({"chinese": "letters_too"}, {"chinese": "not_ascii"}),
        zh="不是汉字的字母（比如假名、带附加符号的字母）也被逐个拆开了。",
        en="Letters that aren't Chinese (kana, or letters with accents) are parted one by one too.",
        hints=CHINESE_HINTS,
    ),
    "punctuation_stays_attached": dict(
        switch=(
            {"marks": "none"},
            {"marks_stay": "at_the_end"},
            {"marks_stay": "at_the_start"},
        ),
        zh="标点没有自成一词，粘在词上了。",
        en="Punctuation marks aren't words of their own but stick to a word.",
        hints=MARK_HINTS,
    ),
    "punctuation_dropped": dict(
        switch=({"marks_stay": "dropped"}, {"marks_stay": "vanishes"}),
        zh="标点被丢掉了；每个标点都应当自成一词。",
        en="Punctuation is dropped; every mark should be a word of its own.",
        hints=MARK_HINTS,
    ),
    "some_punctuation_missed": dict(
        switch=({"marks": "ascii_only"}, {"marks": "category_only"}),
        zh="有些标点没有认出来（中文标点，或者 $、+ 这样的 ASCII 符号）。",
        en="Some punctuation isn't recognised (Chinese marks, or ASCII signs such as $ and +).",
        hints=MARK_HINTS,
    ),
    "other_signs_parted": dict(
        switch={"marks": "symbols_too"},
        zh="不算标点的符号（€、°、→）也被拆开了。",
        en="Signs that aren't punctuation (€, °, →) are parted too.",
        hints=MARK_HINTS,
    ),
    "last_word_lost": dict(
        switch={"returned": "last_word_lost"},
        zh="文字末尾的那个词不见了。",
        en="The word at the end of the text is lost.",
        hints=END_HINTS,
    ),
    "empty_words_kept": dict(
        switch={"returned": "with_empty_ones"},
        zh="结果里混进了空的词。",
        en="There are empty words in the result.",
        hints=EMPTY_HINTS,
    ),
    "wrong_things_returned": dict(
        switch=tuple({"returned": form} for form in ("joined", "once", "characters", "reversed")),
        zh="返回的不是这段文字的词，按出现的次序列成一个列表。",
        en="What comes back isn't the list of the text's words in their order.",
        hints=FORM_HINTS,
    ),
}
