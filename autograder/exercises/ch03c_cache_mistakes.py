"""Mistakes in a step of attention that keeps keys and values: switches, sentences, hints."""

CACHE_HINTS = (
    (
        "打印 keys 的形状：调用前后各是多少？哪个轴变长了？",
        "Print the shape of keys before and after. Which axis has grown?",
    ),
    (
        "新词元的键和值排在旧的后面，词元轴是第三个轴。",
        "The new token's key and value stand behind the old ones; tokens are on the third axis.",
    ),
)
LOOK_HINTS = (
    (
        "缓存是空的时候，新词元看谁？",
        "Whom does the new token look at when nothing is kept?",
    ),
    (
        "它看的是自己和前面所有的词元，一个也不用遮。",
        "It looks at itself and at all tokens before it, and nothing has to be masked.",
    ),
)
DENSE_HINTS = (
    (
        "x 要过几个投影？每一个的结果叫什么、给了谁？",
        "How many projections does x pass? What is each result called, and who gets it?",
    ),
    (
        "缓存里的键和值已经投影过了，不必再动。",
        "The keys and values that were kept are projected already; leave them alone.",
    ),
)
HEAD_HINTS = (
    (
        "投影之后是 (B, 1, D)；缓存是 (B, N, t, H)。中间差一步什么？",
        "After a projection it is (B, 1, D); the cache is (B, N, t, H). What step is between?",
    ),
    (
        "split_heads 和 merge_heads 各用在哪里？",
        "Where do split_heads and merge_heads go?",
    ),
)
FORM_HINTS = (
    (
        "对照说明：返回三样，次序是什么？",
        "Compare with the contract: three things come back, in which order?",
    ),
    ("打印三样的形状。", "Print the shapes of all three."),
)

CACHE = {
    "new_token_in_front": (
        ({"place": "first"}, {"place": "keys_first"}, {"place": "values_first"}),
        "新词元的键或值接到了最前面；都应当在最后。",
        "The new token's key, its value or both are put in front; they belong at the end.",
        CACHE_HINTS,
    ),
    "cache_does_not_grow": (
        (
            {"returned_cache": "as_before"},
            {"place": "last_replaced"},
            {"place": "oldest_dropped"},
            {"place": "values_not_kept"},
        ),
        "缓存没有变长：返回的还是旧的，或者挤掉了一个旧的。",
        "The cache doesn't grow: the old one comes back, or a token of it is lost.",
        CACHE_HINTS,
    ),
    "only_the_new_one_kept": (
        {"returned_cache": "new_only"},
        "返回的只有新词元的键和值，前面的丢了。",
        "Only the new token's key and value come back; those before are lost.",
        CACHE_HINTS,
    ),
    "keys_and_values_exchanged": (
        (
            {"returned_cache": "exchanged"},
            {"dense": "key_and_value_exchanged"},
            {"looked_at": "exchanged"},
        ),
        "键和值弄反了。",
        "Keys and values are swapped.",
        DENSE_HINTS,
    ),
    "does_not_see_itself": (
        ({"looked_at": "before_only"}, {"looked_at": "last_before"}),
        "新词元看不见自己：用的是没有接上它的缓存。",
        "The new token doesn't see itself: the cache is used as it was before.",
        LOOK_HINTS,
    ),
    "sees_only_itself": (
        {"looked_at": "itself_only"},
        "新词元只看见了自己：缓存没有用上。",
        "The new token sees itself only: what was kept isn't used.",
        LOOK_HINTS,
    ),
    "triangle_for_one_query": (
        {"looked_at": "first_under_a_triangle"},
        "给唯一的查询加了三角形的因果掩码，它就只看得见最早的词元了。",
        "A causal triangle for a single query lets it see nothing but the very first token.",
        LOOK_HINTS,
    ),
    "one_cache_for_both": (
        ({"looked_at": "keys_as_values"}, {"looked_at": "values_as_keys"}),
        "键和值用成了同一样。",
        "Keys and values are one and the same.",
        DENSE_HINTS,
    ),
    "another_projection": (
        tuple(
            {"dense": form}
            for form in (
                "key_for_query",
                "key_for_value",
                "value_for_key",
                "query_for_key",
                "query_for_all",
            )
        ),
        "投影用错了：query、key、value 各有自己的。",
        "A projection is used for another: query, key and value have their own.",
        DENSE_HINTS,
    ),
    "output_not_projected": (
        ({"output": "not"}, {"output": "query_projection"}),
        "合起来的头没有经过 output_dense。",
        "The merged heads don't pass output_dense.",
        DENSE_HINTS,
    ),
    "residual_added": (
        {"output": "with_x"},
        "输出加上了 x：残差是块的事，不在注意力里。",
        "x is added to the output: the residual is the block's business, not the attention's.",
        DENSE_HINTS,
    ),
    "scaled_otherwise": (
        tuple({"scale": form} for form in ("twice", "none", "root_of_model")),
        "分数的缩放不对：除以 √H，一次。",
        "The scores are scaled otherwise: it should be by √H, once.",
        HEAD_HINTS,
    ),
    "heads_cut_otherwise": (
        tuple({"split": form} for form in ("interleaved", "sizes_swapped", "not_transposed")),
        "头分得不对：第 n 个头拿第 n 段连续的特征。",
        "Heads are cut otherwise: head n gets the n-th block of features.",
        HEAD_HINTS,
    ),
    "another_form_returned": (
        tuple(
            {"returned": form}
            for form in (
                "output_only",
                "cache_first",
                "nested",
                "without_token_axis",
                "weights_too",
            )
        ),
        "返回的不是三样（output, keys, values）。",
        "What comes back isn't the triple (output, keys, values).",
        FORM_HINTS,
    ),
}
