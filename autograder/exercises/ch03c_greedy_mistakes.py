"""Mistakes in greedy decoding with a Transformer: switches, sentences and hints."""

from autograder.exercises.ch01a_greedy_mistakes import GREEDY as WITH_STATES

PREFIX_HINTS = (
    (
        "在纸上走三步：每一步交给 decode 的 target_ids 是什么？",
        "Walk three steps on paper: what are the target_ids that decode is given in each?",
    ),
    (
        "解码器没有状态：它知道的，只有你这一次交给它的那些词元和它们的位置。",
        "The decoder has no state: all it knows are the tokens that you hand it this time, and "
        "their positions.",
    ),
)
PLACE_HINTS = (
    (
        "decode 返回 (B, T, V)：哪一行是下一个词元的分数？",
        "decode returns (B, T, V): which row has the scores of the next token?",
    ),
    (
        "第 t 个位置的 logits，是第 t 个词元后面的那个词元的。",
        "The logits at position t are those of the token that comes after token t.",
    ),
)
SOURCE_HINTS = (
    (
        "源句在整个循环里变吗？读它的那一行该放在哪里？",
        "Does the source change during the loop? Where does the line that reads it belong?",
    ),
    (
        "encode 和 decode 都要知道哪里是填充。",
        "Both encode and decode have to know where the padding is.",
    ),
)

ID_HINTS = (
    (
        "换一套编号：begin_id 是 7，end_id 是 5，你的函数还对吗？",
        "Take other ids, 7 for begin_id and 5 for end_id: is your function still right?",
    ),
    (
        "函数里用的名字，是参数，还是 notebook 里前面定义的？",
        "Look at the names inside the function: are they its arguments, or defined further up in "
        "the notebook?",
    ),
)

# What doesn't depend on how the next token's scores are found is the same as with states.
SHARED = (
    "never_stops_early",
    "stops_with_the_first_row_to_end",
    "only_one_row_is_watched",
    "all_must_end_at_once",
    "ended_rows_speak_on",
    "filled_with_another_token",
    "begins_with_another_token",
    "not_the_likeliest",
    "one_choice_for_all_rows",
    "never_says_the_end",
    "one_token_off",
    "begin_returned_too",
    "end_cut_off",
    "time_comes_first",
    "something_else_returned",
)

GREEDY = {
    **{name: WITH_STATES[name] for name in SHARED},
    "only_the_last_token_decoded": (
        ({"prefix": "last_only"}, {"prefix": "last_two"}, {"prefix": "begin_and_last"}),
        "交给 decode 的只有最后一两个词元；应当是 begin_id 和说过的全部。",
        "decode is given the last one or two tokens only; it should be begin_id and all that was "
        "said.",
        PREFIX_HINTS,
    ),
    "always_given_the_first_token": (
        ({"prefix": "begin_only"}, {"prefix": "begin_repeated"}),
        "每一步都像第一步一样：交给 decode 的只有 begin_id，或者看的总是第一个位置的 logits。",
        "Every step is like the first: decode is given nothing but begin_id, or it is always the "
        "first position whose logits are read.",
        PREFIX_HINTS,
    ),
    "begin_lost_on_the_way": (
        {"prefix": "without_begin"},
        "从第二步起，交给 decode 的开头少了 begin_id。",
        "From the second step on, begin_id is missing from what decode is given.",
        PREFIX_HINTS,
    ),
    "newest_token_in_front": (
        {"prefix": "newest_first"},
        "新词元接到了前面；应当接在后面。",
        "The new token is put in front; it belongs behind the others.",
        PREFIX_HINTS,
    ),
    "token_appended_twice": (
        {"prefix": "said_twice"},
        "每个新词元接上了两次。",
        "Every new token is appended twice.",
        PREFIX_HINTS,
    ),
    "all_rows_hear_the_first": (
        {"prefix": "first_row"},
        "所有行后面接的都是第一行说的词元。",
        "All rows are continued with what the first row said.",
        PREFIX_HINTS,
    ),
    "another_position_read": (
        ({"place": "mean"}, {"place": "largest_anywhere"}),
        "看的不是最后一个位置的 logits。",
        "It isn't the logits of the last position that are looked at.",
        PLACE_HINTS,
    ),
    "source_read_at_every_step": (
        ({"encoded": "every_time"}, {"encoded": "every_time_and_before"}),
        "每一步都重新读了一遍源句；encode 只调用一次。"
        "（检查用的模型会累：同一句再读一遍，读出来的就不一样。）",
        "The source is read again at every step; encode should be called once. (The model of the "
        "checks tires: a source that it reads twice comes out different.)",
        SOURCE_HINTS,
    ),
    "ids_of_the_notebook": (
        ({"ids": "both_fixed"}, {"ids": "end_fixed"}),
        "用的是 notebook 里词表的编号（BEGIN、END，即 2 和 3），不是参数 begin_id 和 end_id。",
        "The ids are those of the notebook's vocabulary (BEGIN and END, 2 and 3), not the "
        "arguments begin_id and end_id.",
        ID_HINTS,
    ),
    "source_padding_is_seen": (
        (
            {"encode_mask": "ones", "decode_mask": "ones"},
            {"encode_mask": "ones"},
            {"decode_mask": "ones"},
        ),
        "源句的填充被当成了词元：encode 或 decode 没有拿到 padding_mask。",
        "The source's padding is taken for tokens: encode or decode isn't given padding_mask.",
        SOURCE_HINTS,
    ),
    "source_mask_inverted": (
        (
            {"encode_mask": "inverted", "decode_mask": "inverted"},
            {"encode_mask": "inverted"},
            {"decode_mask": "inverted"},
        ),
        "padding_mask 反了。",
        "padding_mask is inverted.",
        SOURCE_HINTS,
    ),
}
