"""Mistakes in cutting a word into pieces: switches, sentences and hints."""

LONGEST_HINTS = (
    (
        "词表是 {a, ab, ##b, ##c, ##bc}：在纸上切“abc”，先试哪一段？",
        "Let the vocabulary be {a, ab, ##b, ##c, ##bc} and cut “abc” on paper: which stretch is "
        "tried first?",
    ),
    (
        "从这个子词的开头起，先试到词的末尾，不认得就缩短一个字符，第一个认得的就是它。",
        "From where a piece begins, first try all that is left; where that isn't known, one "
        "character less; the first that is known is it.",
    ),
)
PREFIX_HINTS = (
    (
        "打印每一次到词表里查的那个字符串：第一个子词和后面的有什么不同？",
        "Print every string that you look up: how do the first piece's differ from later ones?",
    ),
    (
        "同样的字母，在词首和在词中是词表里两个不同的词元。",
        "The same letters are two different tokens at the beginning of a word and inside it.",
    ),
)
UNKNOWN_HINTS = (
    (
        "词表是 {un, ##aff, ##able}，词是“unaffxyz”：应当返回几个子词？",
        "Let the vocabulary be {un, ##aff, ##able} and the word “unaffxyz”: how many pieces "
        "should come back?",
    ),
    (
        "切到一半切不下去了，前面已经切好的几个子词还要不要？",
        "Halfway through nothing fits any more: what becomes of the pieces found so far?",
    ),
)
GREEDY_HINTS = (
    (
        "词表是 {ab, a, ##bc}，词是“abc”：先取的是哪一块？取了它，后面还切得通吗？",
        "Let the vocabulary be {ab, a, ##bc} and the word “abc”: which piece is taken first, and "
        "does it lead to the end?",
    ),
    (
        "取了最长的就不再换；走不通，答案就有了。",
        "The longest is taken for good; where it leads nowhere, that is the answer.",
    ),
)
UNKNOWN_NAME_HINTS = (
    (
        '用 unknown="<unk>" 调用一次：结果里是哪一个？',
        'Call it with unknown="<unk>": which of the two do you get?',
    ),
    (
        "不同的词表，未知词元的名字也不同，所以它是参数。",
        "Vocabularies have different names for it; that is why it is an argument.",
    ),
)
FOUND_HINTS = (
    (
        "拿一个词表里整个都有的词，打印每次去查的字符串：这个词自己出现过吗？",
        "Take a word that the vocabulary has as a whole and print every string that is looked up: "
        "does the word itself come up?",
    ),
    (
        "出现了却说没有，就看 in 后面：是参数 vocabulary，还是别的单元格里的词表？",
        "If it does and isn't found, look behind the in: is it the argument vocabulary, or one of "
        "another cell?",
    ),
)
MOVE_HINTS = (
    (
        "在循环开头打印 start：第二次是多少？",
        "Print start where the loop begins: what is it the second time?",
    ),
    (
        "取下一块子词以后，下一块从哪里开始？",
        "Once a piece is taken, where does the next one begin?",
    ),
)
LIMIT_HINTS = (
    (
        "拿一个长度正好是 max_word_length 的词，和一个长一个字符的词，各试一次。",
        "Try a word of just max_word_length characters, and one that is a character longer.",
    ),
    (
        "太长的词不用切，但也要返回和别的未知词同样的一对。",
        "A word that is too long isn't cut, but the same pair comes back as for any unknown word.",
    ),
)
OFFSET_HINTS = (
    (
        "用 (开始, 结束) 从词里取切片：取出来的正好是那个子词（不算 ##）吗？",
        "Slice the word by (start, end): do you get the very piece, without its ##?",
    ),
    (
        "## 不是词里的字符，不占位置；未知词占整个词。",
        "## are no characters of the word and take no room; an unknown word takes all of it.",
    ),
)
FORM_HINTS = (
    (
        "对照约定：返回几样东西，什么次序？",
        "Compare with the contract: how many things, in what order?",
    ),
    ("打印返回值，看看每一项是什么。", "Print what you return and look at every item."),
)


def _with_unknown_right(*offsets):
    """Each mistake twice: for unknown words too, and where those keep the frame's own offsets."""
    return tuple({"offsets": f"{start}{how}"} for how in offsets for start in ("", "known_"))


WORDPIECE = {
    "shortest_piece": dict(
        switch={"match": "shortest"},
        zh="每次取的是最短的子词；应当取最长的。",
        en="The shortest piece is taken every time; it should be the longest.",
        hints=LONGEST_HINTS,
    ),
    "letters_only": dict(
        switch={"match": "whole_or_letters"},
        zh="只试了整个词和单个字符，中间的长度没有试。",
        en="Only the whole word and single characters are tried, and no length between.",
        hints=LONGEST_HINTS,
    ),
    "last_character_never_included": dict(
        switch={"match": "longest_but_never_whole"},
        zh="整个词从来没有试过：词表里有的词也切成了几块。",
        en="The whole word is never tried: words that the vocabulary has are cut, too.",
        hints=LONGEST_HINTS,
    ),
    "nothing_is_found": dict(
        switch={"match": "one_short"},
        zh="什么词都成了未知词：要么到词末尾的那一段从来没有试过，要么查的不是参数 vocabulary。",
        en="Every word comes out unknown: either the stretch that reaches the word's end is never "
        "tried, or what is asked isn't the argument vocabulary.",
        hints=FOUND_HINTS,
    ),
    "start_stays": dict(
        switch={"match": "never_moves_on"},
        zh="找到一块子词以后，start 没有往前走：循环停不下来。",
        en="Once a piece is found, start doesn't move on: the loop never ends.",
        hints=MOVE_HINTS,
    ),
    "other_cuts_tried": dict(
        switch={"match": "backtracks"},
        zh="最长的子词走不通时，又退回去试了短的；WordPiece 不回头，走不通就是未知词。",
        en="Where the longest piece leads nowhere, shorter ones are tried; WordPiece never goes "
        "back, and such a word is unknown.",
        hints=GREEDY_HINTS,
    ),
    "prefix_missing": dict(
        switch=({"prefix": "missing"}, {"prefix": "looked_up_with_shown_without"}),
        zh="不在词首的子词没有带 ##。",
        en="Pieces that continue a word lack their ##.",
        hints=PREFIX_HINTS,
    ),
    "looked_up_without_prefix": dict(
        switch={"prefix": "looked_up_without_shown_with"},
        zh="词中的子词，到词表里查的时候没有带 ##，查到了才加上去。",
        en="Pieces inside a word are looked up without their ##, which is only added afterwards.",
        hints=PREFIX_HINTS,
    ),
    "prefix_on_the_first_piece": dict(
        switch=({"prefix": "everywhere"}, {"prefix": "shown_on_all"}, {"prefix": "first_only"}),
        zh="词首的子词也带了 ##（或者只有它带了）。",
        en="The first piece has ## too (or nothing but the first has it).",
        hints=PREFIX_HINTS,
    ),
    "another_prefix": dict(
        switch=({"prefix": "single_sign"}, {"prefix": "behind"}),
        zh="不在词首的子词，前面应当正好是两个 #。",
        en="What stands in front of a piece that continues a word should be two # exactly.",
        hints=PREFIX_HINTS,
    ),
    "pieces_kept": dict(
        switch=({"failure": "pieces_kept"}, {"failure": "stops"}),
        zh="词的一部分切不下去，前面切好的几个子词却留下了；整个词应当是一个未知词。",
        en="A part of the word can't be cut, but the pieces found before are kept; the whole word "
        "should be a single unknown one.",
        hints=UNKNOWN_HINTS,
    ),
    "character_skipped": dict(
        switch=({"failure": "letter_unknown"}, {"failure": "letter_kept"}, {"failure": "skips"}),
        zh="切不下去的字符被单独跳过，后面接着切；整个词应当是一个未知词。",
        en="A character that can't be cut is passed over by itself and cutting goes on; the whole "
        "word should be a single unknown one.",
        hints=UNKNOWN_HINTS,
    ),
    "unknown_raises": dict(
        switch={"failure": "crash"},
        zh="切不下去时报错（或者停不下来）；应当返回未知词。",
        en="A word that can't be cut raises an error (or never ends); it should be unknown.",
        hints=UNKNOWN_HINTS,
    ),
    "unknown_token_written_in": dict(
        switch={"unknown_token": "written_in"},
        zh="未知词的词元是写死的；应当用参数 unknown。",
        en="The token for unknown words is written in; use the argument unknown.",
        hints=UNKNOWN_NAME_HINTS,
    ),
    "word_itself_for_unknown": dict(
        switch=({"unknown_token": "the_word"}, {"unknown_token": "none"}),
        zh="未知词返回的是词本身（或什么也没有）；应当是 unknown。",
        en="For an unknown word the word itself comes back (or nothing); it should be unknown.",
        hints=UNKNOWN_HINTS,
    ),
    "long_word_cut": dict(
        switch=(
            {"too_long": "cut_as_usual"},
            {"too_long_at": "fixed_100"},
            {"too_long": "cut_short"},
            {"too_long": "empty"},
        ),
        zh="长过 max_word_length 的词没有当作未知词。",
        en="A word longer than max_word_length isn't treated as unknown.",
        hints=LIMIT_HINTS,
    ),
    "limit_off_by_one": dict(
        switch={"too_long_at": "at"},
        zh="长度的界限差了一个：正好 max_word_length 个字符还不算太长。",
        en="The limit is off by one: just max_word_length characters aren't too many.",
        hints=LIMIT_HINTS,
    ),
    "end_is_inclusive": dict(
        switch=_with_unknown_right("end_inclusive", "from_one_inclusive"),
        zh="位置的结束是最后一个字符；约定是它的下一个（不含结束）。",
        en="Offsets end at the last character; by the contract the end is exclusive.",
        hints=OFFSET_HINTS,
    ),
    "prefix_counted_in_offsets": dict(
        switch=_with_unknown_right("of_shown_pieces", "ends_of_shown_pieces"),
        zh="位置把 ## 也数进去了；它们不是词里的字符。",
        en="Offsets count the ## too; those aren't characters of the word.",
        hints=OFFSET_HINTS,
    ),
    "other_offsets": dict(
        switch=(
            *_with_unknown_right("start_and_length", "from_one", "starts_only", "within_pieces"),
            {"offsets": "searched"},
        ),
        zh="位置不是这个子词的 (开始, 结束)，从词的第一个字符 0 数起"
        "（也不是同样的字母第一次出现的地方）。",
        en="Offsets aren't this piece's (start, end), counted from 0 at the word's first character "
        "(nor where the same letters occur first).",
        hints=OFFSET_HINTS,
    ),
    "offsets_of_unknown": dict(
        switch=tuple(
            {"offsets": how}
            for how in ("unknown_is_empty", "unknown_without", "unknown_by_its_name")
        ),
        zh="未知词的位置不对：它代表整个词。",
        en="The offsets of an unknown word are wrong: it stands for the whole word.",
        hints=OFFSET_HINTS,
    ),
    "pieces_reversed": dict(
        switch={"order": "reversed"},
        zh="子词的次序反了。",
        en="The pieces are in reverse order.",
        hints=FORM_HINTS,
    ),
    "wrong_things_returned": dict(
        switch=tuple(
            {"returned": form}
            for form in ("pieces_only", "swapped", "zipped", "zipped_pairs", "joined")
        ),
        zh="返回的不是（子词的列表，位置的列表）这一对。",
        en="What comes back isn't the pair (list of pieces, list of offsets).",
        hints=FORM_HINTS,
    ),
}
