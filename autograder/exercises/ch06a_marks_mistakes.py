"""Mistakes in putting marks around two names: switches, sentences and hints."""

SPAN_HINTS = (
    (
        "词元是 [10, 11, 12, 13]，head 是 (1, 3)：哪两个词元应当在记号中间？",
        "Tokens [10, 11, 12, 13] and head (1, 3): which two tokens belong between the marks?",
    ),
    (
        "末端不含：第 end 个词元已经在名字外面，后记号就放在它前面。",
        "Ends are exclusive: token number end is outside the name, and the second mark goes right "
        "in front of it.",
    ),
)
SHIFT_HINTS = (
    (
        "放好一个名字的两个记号以后，后面的词元各往后移了几格？前面的呢？",
        "When the two marks of one name are in, by how much have the tokens behind it moved? And "
        "those in front of it?",
    ),
    (
        "tail 在前面的时候再走一遍：谁该移，移几格？",
        "Go through it once more with tail in front: which one has to move, and by how much?",
    ),
)
PLACE_HINTS = (
    (
        "用返回的位置去查新列表：那里应当是 marker_ids 的第 0 个和第 2 个。",
        "Look up the places in the new list: what stands there should be number 0 and number 2 of "
        "marker_ids.",
    ),
    (
        "位置是新列表里的位置：在它前面放进了几个记号？",
        "Places are those in the new list: how many marks were put in before them?",
    ),
)
MARK_HINTS = (
    (
        "记号取 1、2、3、4，在纸上写出整个新列表，再跟你的比。",
        "Take the marks 1, 2, 3, 4, write the whole new list down and compare.",
    ),
    (
        "marker_ids 的次序：head 前、head 后、tail 前、tail 后，跟谁先出现无关。",
        "The order of marker_ids is before head, after head, before tail, after tail, whichever of "
        "them comes first in the sentence.",
    ),
)
EDGE_HINTS = (
    (
        "试两种边上的情形：名字是句末最后一个词元；两个名字紧挨着。",
        "Try two edges: a name that is the last token of the sentence, and names that touch.",
    ),
    (
        "紧挨着时，前一个名字的后记号和后一个名字的前记号站在同一个缝里：谁在左边？",
        "Where names touch, the mark after one and the mark before the other share a gap: which of "
        "them stands on the left?",
    ),
)
REFUSAL_HINTS = (
    (
        "(2, 5) 和 (4, 6)、(2, 4) 和 (4, 6)、(3, 4) 和 (2, 6)：哪几对交叠？反过来给呢？",
        "(2, 5) and (4, 6), (2, 4) and (4, 6), (3, 4) and (2, 6): which of them overlap? And the "
        "other way round?",
    ),
    (
        "两段交叠，就是有一个词元同时在两段里；与谁是 head 无关。",
        "Two spans overlap where some token is in both, whichever of them is head.",
    ),
)
RAISE_HINTS = (
    REFUSAL_HINTS[0],
    (
        "两段交叠，就是有一个词元同时在两段里。抛出要用 raise：return ValueError(…) 只是把它当成"
        "一个结果交回去。",
        "Two spans overlap where some token is in both. An error is raised with raise; return "
        "ValueError(…) hands it back like any other result.",
    ),
)
FORM_HINTS = (
    (
        "打印返回值：应当是三样，第一样是列表，后两样是整数。",
        "Print what comes back: three things, first a list and then two ints.",
    ),
    (
        "对照说明里“返回”那一条。",
        "Compare with what the contract says under Returns.",
    ),
)

MARKS = {
    "end_taken_as_inside": (
        {"end": "one_late"},
        "后记号晚了一格：末端不含，第 end 个词元不在名字里。",
        "The second marks are one token late: ends are exclusive, and token number end isn't part "
        "of the name.",
        SPAN_HINTS,
    ),
    "end_one_early": (
        {"end": "one_early"},
        "后记号早了一格：名字的最后一个词元落在了外面。",
        "The second marks are one token early, and the last token of the name is outside.",
        SPAN_HINTS,
    ),
    "nothing_moves": (
        (
            {"shift": "none"},
            {"shift": "never"},
            {"shift": "none", "places": "old"},
            {"shift": "never", "places": "old"},
        ),
        "没有算上前面已经放进去的记号：后放的放错了地方。",
        "Marks that are in already aren't reckoned with, and later ones get into wrong places.",
        SHIFT_HINTS,
    ),
    "tail_always_moves": (
        (
            {"shift": "tail_by_two"},
            {"shift": "tail_by_two", "places": "tail_by_two"},
            {"shift": "tail_by_one"},
        ),
        "tail 总是往后移：它在前面的时候，该移的是 head。",
        "It is always tail that moves; where tail comes first it should be head.",
        SHIFT_HINTS,
    ),
    "places_of_the_old_list": (
        ({"places": "old"}, {"places": "old_plus_one"}),
        "返回的是旧列表里的位置，没有算上前面的记号。",
        "The places are those of the old list; marks in front of them aren't counted.",
        PLACE_HINTS,
    ),
    "places_move_with_tail_only": (
        ({"places": "tail_by_two"}, {"places": "tail_by_three"}),
        "列表对，位置不对：总是给 tail 加 2；它在前面的时候，该加的是 head。",
        "The list is right, the places aren't: 2 is always added to tail, and where tail comes "
        "first it should be added to head.",
        PLACE_HINTS,
    ),
    "places_moved_by_one": (
        {"places": "later_by_one"},
        "列表对，位置不对：在它前面放进了两个记号，只算了一个。",
        "The list is right, the places aren't: two marks stand in front, and one is counted.",
        PLACE_HINTS,
    ),
    "places_of_the_names": (
        ({"places": "names"}, {"places": "last_tokens"}),
        "返回的是名字里词元的位置；应当是前记号的位置。",
        "The places are those of tokens of the names; they should be those of the marks before "
        "them.",
        PLACE_HINTS,
    ),
    "places_of_other_marks": (
        {"places": "second_marks"},
        "返回的是后记号的位置；应当是前记号的。",
        "The places are those of the marks after the names; they should be those before them.",
        PLACE_HINTS,
    ),
    "places_in_order": (
        {"places": "in_order"},
        "两个位置按先后排了；应当先 head 后 tail。",
        "The places come in the order of the sentence; head's should be first, then tail's.",
        PLACE_HINTS,
    ),
    "places_exchanged": (
        {"places": "exchanged"},
        "两个位置换了次序：先 head，后 tail。",
        "The two places are exchanged: head's comes first.",
        PLACE_HINTS,
    ),
    "marks_by_order": (
        (
            {"given": "by_order"},
            {"given": "by_order", "places": "in_order"},
            {"given": "by_order", "places": "of_the_ids"},
        ),
        "先出现的名字总是得到 head 的记号：记号跟着 head 和 tail 走，与先后无关。",
        "The name that comes first always gets head's marks; marks belong to head and tail, "
        "whatever their order.",
        MARK_HINTS,
    ),
    "marks_exchanged": (
        (
            {"given": "inside_exchanged"},
            {"given": "names_exchanged"},
            {"given": "befores_first"},
        ),
        "四个记号用错了地方：对照 marker_ids 的次序。",
        "The four marks are in each other's places: compare with the order of marker_ids.",
        MARK_HINTS,
    ),
    "marks_missing": (
        ({"given": "before_only"}, {"given": "after_only"}),
        "每个名字只有一个记号：前后各要一个。",
        "Each name has one mark only; there should be one on either side.",
        MARK_HINTS,
    ),
    "a_mark_used_twice": (
        ({"given": "before_twice"}, {"given": "heads_twice"}),
        "有的记号用了两次，有的没有用上。",
        "Some marks are used twice and others never.",
        MARK_HINTS,
    ),
    "names_lost": (
        ({"names": "replaced"}, {"names": "first_token"}),
        "名字的词元丢了：记号应当放在它们前后，不是取代它们。",
        "Tokens of the names are lost: marks go around them, not in their place.",
        SPAN_HINTS,
    ),
    "last_mark_lost": (
        {"at_the_end": "lost"},
        "名字在句末时，后记号没有了。",
        "Where a name ends the sentence, its second mark is missing.",
        EDGE_HINTS,
    ),
    "touching_marks_crossed": (
        (
            {"touching": "crossed"},
            *(
                {"touching": rule, "places": places}
                for rule in ("lower_id_first", "tail_mark_first", "head_mark_first")
                for places in ("first_marks", "counted")
            ),
        ),
        "两个名字紧挨着时，中间的两个记号次序反了：同一个位置上，先是前一个的后记号。",
        "Where names touch, the two marks between them are in the wrong order: at one and the same "
        "place the mark after the first name comes first.",
        EDGE_HINTS,
    ),
    "overlap_not_refused": (
        (
            {"refusal": "never"},
            {"refusal": "same_only"},
            {"refusal": "same_start_only"},
            {"refusal": "by_one_allowed"},
            {"refusal": "tail_starts_in_head"},
            {"refusal": "head_starts_in_tail"},
            {"refusal": "no_nesting"},
            {"refusal": "nesting_only"},
        ),
        "有的交叠没有抛出 ValueError。",
        "Some spans that overlap raise no ValueError.",
        RAISE_HINTS,
    ),
    "too_much_refused": (
        ({"refusal": "touching_too"}, {"refusal": "head_must_be_first"}),
        "不交叠的也抛出了 ValueError：紧挨着不算交叠，tail 在前也可以。",
        "Spans that don't overlap raise a ValueError: touching isn't overlapping, and tail may "
        "come first.",
        REFUSAL_HINTS,
    ),
    "something_else_returned": (
        (
            {"returned": "row_only"},
            {"returned": "places_only"},
            {"returned": "places_first"},
            {"returned": "reversed"},
        ),
        "返回的不是那三样：新列表、head 的位置、tail 的位置。",
        "What comes back isn't the three: the new list, head's place, tail's place.",
        FORM_HINTS,
    ),
}
