"""Mistakes in reading spans off tags: switches, sentences and hints."""

ORPHAN_HINTS = (
    (
        "标签是 O、I-PER、I-PER、O：按约定，有几个片段？从哪里到哪里？",
        "Tags O, I-PER, I-PER, O: how many spans are there by the contract, and from where to "
        "where?",
    ),
    (
        "I 接不上前面的，就跟 B 一样。“接得上”要看两样：前一个词在不在片段里，种类是不是一样。",
        "An I that continues nothing is like a B. Whether it continues depends on two things: is "
        "the word before it in a span, and is the kind the same?",
    ),
)
KIND_HINTS = (
    (
        "标签是 B-PER、I-LOC：是一个片段，还是两个？种类各是什么？",
        "Tags B-PER, I-LOC: one span or two, and of which kinds?",
    ),
    (
        "看到 I 时，不光要看前面有没有片段，还要看它的种类。",
        "At an I it isn't enough that there is a span before it: look at its kind, too.",
    ),
)
BEGIN_HINTS = (
    (
        "两个人名紧挨着：B-PER、B-PER、I-PER。应当有几个片段？",
        "Two names touch: B-PER, B-PER, I-PER. How many spans should there be?",
    ),
    (
        "B 总是开始一个新的：前面那个还开着，就先把它收好。",
        "A B always begins a span; if one is still open, it ends here.",
    ),
)
OUTSIDE_HINTS = (
    (
        "标签是 B-PER、O、I-PER：按约定，有几个片段？各从哪里到哪里？",
        "Tags B-PER, O, I-PER: how many spans are there by the contract, and from where to where?",
    ),
    (
        "O 不在任何片段里：前面那个还开着，到这里就结束。",
        "An O is in no span; one that is still open ends before it.",
    ),
)
END_HINTS = (
    (
        "句子的最后一个标签是 I-PER：循环结束时，这个片段收好了没有？",
        "The last tag of a sentence is I-PER: when the loop is over, has that span been put away?",
    ),
    (
        "循环结束以后再问一次：还有没有开着的？",
        "Ask once more after the loop: is one still open?",
    ),
)
PLACE_HINTS = (
    (
        "标签是 O、B-PER、I-PER：start 和 end 各是几？tags[start:end] 是哪两个？",
        "Tags O, B-PER, I-PER: what are start and end, and which two are tags[start:end]?",
    ),
    (
        "从 0 数起，末端不含：end − start 就是词数。",
        "Count from 0, ends are exclusive: end − start is the number of words.",
    ),
)
DASH_HINTS = (
    (
        "标签是 B-work-of-art：你把它分成了几份？等号左边接得住几份？",
        "The tag B-work-of-art: into how many parts do you cut it, and how many does the left side "
        "of = take?",
    ),
    (
        "只在第一个 - 那里分开，得到的总是两份。",
        "Cut at the first - only, and there are always two parts.",
    ),
)
NAME_HINTS = (
    (
        "打印一个片段：种类应当是 PER，不是 B-PER，也不是 P。",
        "Print a span: its kind should be PER, neither B-PER nor P.",
    ),
    (
        "只在第一个 - 那里分开：它前面是 B 或 I，后面全是种类，里面还可以有 -。",
        "Part a tag at its first - only: before it stands B or I, and all that follows is the "
        "kind, which may have more of them.",
    ),
)
LOST_HINTS = (
    (
        "数一数：每个 B 都开始一个片段，片段不能比 B 少。",
        "Count: every B begins a span, so there are never fewer spans than Bs.",
    ),
    (
        "同一种类可以有好几个片段，一个片段可以只有一个词。",
        "A kind may have several spans, and a span may be a single word.",
    ),
)
FORM_HINTS = (
    (
        "对照说明里“返回”那一条：每一项是哪三样，什么次序？",
        "Compare with what the contract says under Returns: which three things is an entry made "
        "of, and in which order?",
    ),
    (
        "应当是 [('PER', 0, 2), …] 的样子，按句中的次序。",
        "It should look like [('PER', 0, 2), …], in the order of the sentence.",
    ),
)

SPANS = {
    "loose_i_dropped": (
        (
            {"orphans": "dropped", "others": "drop"},
            {"orphans": "dropped"},
            {"orphans": "dropped", "others": "go_on"},
            {"orphans": "dropped", "others": "rename"},
        ),
        "接不上的 I 丢掉了：按约定它自己开始一个片段。",
        "An I that continues nothing is dropped; by the contract it begins a span.",
        ORPHAN_HINTS,
    ),
    "i_after_another_kind_dropped": (
        {"others": "drop"},
        "别的种类后面的 I 丢掉了：按约定它自己开始一个片段。",
        "An I after another kind is dropped; by the contract it begins a span.",
        ORPHAN_HINTS,
    ),
    "kind_not_compared": (
        ({"others": "go_on"}, {"others": "rename"}),
        "I 接在了别的种类后面：没有比较种类。",
        "An I goes on with a span of another kind; kinds aren't compared.",
        KIND_HINTS,
    ),
    "b_continues": (
        {"again": "merged"},
        "同种的两个片段紧挨着时合成了一个：B 总是开始一个新的。",
        "Spans of one kind that touch become one; a B always begins a new one.",
        BEGIN_HINTS,
    ),
    "o_does_not_end": (
        {"outside": "open"},
        "O 没有结束前面的片段。",
        "An O doesn't end the span before it.",
        OUTSIDE_HINTS,
    ),
    "every_word_alone": (
        ({"extent": "every_token"}, {"extent": "first_token"}),
        "片段只有一个词：后面的 I 没有接上。",
        "Spans have one word each: an I that goes on isn't joined to them.",
        BEGIN_HINTS,
    ),
    "last_span_lost": (
        ({"last": "lost"}, {"last": "short"}),
        "句末还开着的片段没有收好：丢了，或者少了最后一个词。",
        "The span that is still open at the end of the sentence is lost, or lacks its last word.",
        END_HINTS,
    ),
    "ends_misplaced": (
        ({"end": "inclusive"}, {"end": "one_late"}, {"end": "length"}),
        "end 不是最后一个词的位置加 1。",
        "end isn't the place of the last word plus 1.",
        PLACE_HINTS,
    ),
    "counted_from_one": (
        ({"start": "from_one"}, {"start": "from_one", "end": "inclusive"}),
        "位置从 1 数起了：应当从 0 数起。",
        "Places are counted from 1; they should be from 0.",
        PLACE_HINTS,
    ),
    "kind_cut_wrongly": (
        (
            {"naming": "whole_tag"},
            {"naming": "between_dashes"},
            {"naming": "after_the_last_dash"},
            {"naming": "prefix"},
            {"naming": "small"},
        ),
        "种类不对：它是第一个 - 后面的全部。",
        "The kind is wrong: it is all that follows the first -.",
        NAME_HINTS,
    ),
    "dash_in_the_kind": (
        {"naming": "two_parts"},
        "种类里有 - 时报错：split 得到的不止两份。",
        "A kind with a - in it raises an error: split gives more than two parts.",
        DASH_HINTS,
    ),
    "outside_counted": (
        ({"outside": "counted"}, {"outside": "counted", "naming": "whole_tag"}),
        "O 也成了片段：它在所有片段外面。",
        "O becomes a span, too; it is outside of all spans.",
        OUTSIDE_HINTS,
    ),
    "spans_lost": (
        (
            {"lost": "single"},
            {"lost": "of_a_kind_again"},
            {"lost": "but_the_first"},
            {"lost": "at_the_start"},
        ),
        "有的片段丢了：只有一个词的、同种类的第二个、第一个以后的，或者句首的。",
        "Some spans are lost: those of one word, a second one of a kind, all after the first, or "
        "one at the start.",
        LOST_HINTS,
    ),
    "another_order": (
        ({"order": "by_kind"}, {"order": "reversed"}, {"order": "by_kind_in_turn"}),
        "片段的次序变了：应当按在句中的次序。",
        "The spans are in another order than that of the sentence.",
        FORM_HINTS,
    ),
    "something_else_returned": (
        (
            {"returned": "kind_last"},
            {"returned": "ends_only"},
            {"returned": "ends_in_a_pair"},
            {"returned": "kinds_only"},
            {"returned": "by_kind"},
        ),
        "返回的不是 (kind, start, end) 的列表。",
        "What comes back isn't a list of (kind, start, end).",
        FORM_HINTS,
    ),
}
