"""Named mistakes of how far a stack of convolutions sees: switches, sentence, hints."""

FIELD_HINTS = (
    (
        "在纸上画两层宽度为 3 的窗口，从最上面的一个点往下数。",
        "Draw two layers of width three on paper and count downwards from one point at the top.",
    ),
    (
        "加上一层，左右各多看见几个？原来的那些还在。",
        "How many more does one layer add to the left and to the right? The old ones stay.",
    ),
)
RATE_HINTS = (
    (
        "宽度 3、间隔 4 的一层，左右各够到多远？",
        "How far to the left and right does one layer of width 3 reach with places 4 apart?",
    ),
    (
        "间隔不增加看见的个数，而是把最远的那个推得更远。各层用各层自己的间隔。",
        "Gaps don't add places; they push the outermost ones further out. Every layer has its own.",
    ),
)
FIELD = {
    "windows_added_up": (
        (
            {"formula": "sum_of_windows"},
            {"formula": "sum_of_windows_and_one"},
            {"formula": "sum_of_spans"},
        ),
        "把各层的宽度直接加了起来：中间那个位置每一层都重复算了一次。",
        "The widths are simply added up: the place in the middle is counted once for every layer.",
        FIELD_HINTS,
    ),
    "windows_multiplied": (
        (
            {"formula": "product_of_windows"},
            {"formula": "product_of_spans"},
            {"formula": "product_with_rates"},
        ),
        "把各层的宽度乘了起来：下一层的窗口互相重叠，不是各看各的。",
        "The widths are multiplied: windows of the layer below overlap, they don't see separate "
        "places.",
        FIELD_HINTS,
    ),
    "own_place_forgotten": (
        {"formula": "no_own_place"},
        "少了 1：自己那个位置也看得见。",
        "One is missing: a place sees itself, too.",
        FIELD_HINTS,
    ),
    "own_place_twice": (
        {"formula": "two_too_many"},
        "多了 1：自己那个位置只算一次。",
        "One too many: a place counts itself only once.",
        FIELD_HINTS,
    ),
    "one_side_only": (
        ({"formula": "one_side"}, {"formula": "one_side_and_itself"}),
        "只数了一边；窗口向左也向右。",
        "Only one side is counted; windows reach to the left and to the right.",
        FIELD_HINTS,
    ),
    "both_sides_twice": (
        {"formula": "both_sides_doubled"},
        "左右各算了一整个窗口：K − 1 已经包括了两边。",
        "Each side is given a whole window: K − 1 holds both sides already.",
        FIELD_HINTS,
    ),
    "one_layer_only": (
        ({"formula": "last_layer"}, {"formula": "first_layer"}, {"formula": "widest_layer"}),
        "只数了一层。",
        "Only one of the layers is counted.",
        FIELD_HINTS,
    ),
    "all_layers_alike": (
        (
            {"formula": "layers_times_last"},
            {"formula": "layers_times_first"},
            {"dilation": "of_the_last"},
            {"dilation": "of_the_first"},
            {"dilation": "largest"},
        ),
        "把所有的层当成一样的了：每层有自己的宽度和间隔。",
        "All layers are taken to be alike: each has a width and a rate of its own.",
        FIELD_HINTS,
    ),
    "gaps_ignored": (
        {"dilation": "ignored"},
        "没有用上间隔。",
        "The dilation isn't used.",
        RATE_HINTS,
    ),
    "gaps_made_up": (
        ({"dilation": "powers"}, {"dilation": "powers_if_given"}),
        "间隔按 1、2、4……自己定了；应当用传进来的 dilation_rates。",
        "The dilations are made up as 1, 2, 4, …; they should be those that come as "
        "dilation_rates.",
        RATE_HINTS,
    ),
    "missing_rates_not_handled": (
        {"missing": "raises"},
        "没有处理 dilation_rates 是 None 的情形：那表示间隔全是 1。",
        "It doesn't handle dilation_rates being None, which means 1 everywhere.",
        RATE_HINTS,
    ),
    "gaps_used_the_wrong_way": (
        (
            {"formula": "window_times_rate"},
            {"formula": "gaps_alone"},
            {"dilation": "less_one"},
            {"dilation": "plus_one"},
            {"dilation": "multiplied_up"},
            {"dilation": "of_the_layer_below"},
        ),
        "间隔用得不对：一层最左和最右的位置相距 (K − 1) 个间隔，间隔就是这一层自己的。",
        "The dilation is used the wrong way: the outermost places of a layer are K − 1 gaps apart, "
        "gaps of that layer's own rate.",
        RATE_HINTS,
    ),
    "field_is_a_float": (
        {"returned": "float"},
        "返回了小数；个数是整数，整除用 //。",
        "A float is returned; a number of places is whole, and // divides without a fraction.",
        FIELD_HINTS,
    ),
}
