"""Mistakes in laying out what is to be mixed: switches, sentences and hints."""

from autograder.exercises.ch04a_reading_mistakes import INPUT_CHANGED_HINTS

LAY_HINTS = (
    (
        "取 B = T = 1、D = 2、一层，用三组认得出的数（1、2；3、4；5、6）算一遍。",
        "Take B = T = 1, D = 2 and one layer, with numbers that you recognise (1, 2; 3, 4; 5, 6).",
    ),
    (
        "结果里每一个张量的形状是什么？前一半数是谁的，后一半呢？",
        "What shape has each tensor of the result? Whose numbers are its first half, and whose the "
        "second?",
    ),
)

FEATURES = {
    "embedding_once": (
        {"embedding": "once"},
        "嵌入只放了一遍，比别的层窄一半；要放两遍。",
        "The embedding goes in once and is half as wide as the layers; it should go in twice.",
        LAY_HINTS,
    ),
    "embedding_missing": (
        {"embedding": "none"},
        "少了最底下的嵌入：一共应当有 L + 1 个。",
        "The embedding at the bottom is missing: there should be L + 1 in all.",
        LAY_HINTS,
    ),
    "embedding_beside_zeros": (
        ({"embedding": "with_zeros"}, {"embedding": "after_zeros"}),
        "嵌入旁边补的是 0；应当再放一遍它自己。",
        "Zeros stand beside the embedding; it should be the embedding once more.",
        LAY_HINTS,
    ),
    "embedding_last": (
        {"embedding": "last"},
        "嵌入放在了列表的最后；它是最底下一层，应当在最前面。",
        "The embedding stands at the end of the list; as the lowest layer it should come first.",
        LAY_HINTS,
    ),
    "backward_first": (
        {"sides": "backward_first"},
        "后向放在了前面：约定前向在前、后向在后。",
        "The backward state comes first; it should be forward first, backward second.",
        LAY_HINTS,
    ),
    "one_direction_twice": (
        ({"sides": "forward_twice"}, {"sides": "backward_twice"}),
        "同一个方向放了两遍，另一个没有用上。",
        "One direction goes in twice and the other not at all.",
        LAY_HINTS,
    ),
    "directions_added": (
        ({"joined": "added"}, {"joined": "averaged"}),
        "两个方向相加（或平均）了；应当并排放，宽度是 2D。",
        "Both directions are added or averaged; they should stand side by side, 2 D wide.",
        LAY_HINTS,
    ),
    "joined_along_another_axis": (
        ({"joined": "positions"}, {"joined": "batch"}, {"joined": "stacked"}),
        "拼接的轴不对：要沿着最后一轴（特征）拼。",
        "They are joined along another axis than the last, that of the features.",
        LAY_HINTS,
    ),
    "features_interleaved": (
        ({"joined": "interleaved"}, {"embedding": "repeated"}),
        "两个方向的数交错排着；应当前一半是前向，后一半是后向。",
        "The numbers of both directions alternate; the first half should be forward, the second "
        "backward.",
        LAY_HINTS,
    ),
    "layers_in_another_order": (
        ({"layers": "top_first"}, {"layers": "backward_top_first"}),
        "层的次序反了（或者只反了一个方向）：从底层到顶层。",
        "The layers are in reverse, or those of one direction are: bottom to top is right.",
        LAY_HINTS,
    ),
    "directions_in_separate_entries": (
        ({"layers": "all_forward_first"}, {"joined": "pairs"}),
        "两个方向没有拼成一个张量，各占各的。",
        "Both directions aren't joined into one tensor, but stand on their own.",
        LAY_HINTS,
    ),
    "a_layer_left_out": (
        ({"layers": "top_left_out"}, {"layers": "bottom_left_out"}),
        "少了一层：L 层的状态全都要。",
        "A layer is missing: all L of them are wanted.",
        LAY_HINTS,
    ),
    "merged_into_one": (
        (
            {"kept": "one_tensor"},
            {"kept": "concatenated"},
            {"kept": "one_tensor_inside"},
            {"kept": "sum"},
            {"kept": "mean"},
            {"kept": "last"},
        ),
        "返回的是一个张量；应当是列表，一层一个。",
        "A single tensor comes back; it should be a list with one for each layer.",
        LAY_HINTS,
    ),
    "list_changed": (
        tuple({"changed": which} for which in ("longer", "first_longer", "last_longer")),
        "传进来的列表被改动了：调用者手里的也跟着变了。",
        "A list that was handed in is changed, and with it the caller's.",
        INPUT_CHANGED_HINTS,
    ),
}
