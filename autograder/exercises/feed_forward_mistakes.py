"""Known mistakes in a feed-forward network: name → switches, sentences and hints."""

BEND_HINTS = (
    (
        "让两个偏置都是 0，把 x 换成 −x。输出只是变号吗？那样两层和一层没有区别。",
        "Let both biases be 0 and turn x into −x. Does the output merely change its sign? Then two "
        "layers are no more than one.",
    ),
    (
        "激活函数位于两层之间：第一层之后，第二层之前，只用一次。",
        "The activation stands between the layers, after the first and before the second, once.",
    ),
)
STAGE_HINTS = (
    (
        "在每一步后面写下形状：D → F → D。",
        "Write the shape after every step: D → F → D.",
    ),
    (
        "两层各用一次，先变宽，再变窄。",
        "Each layer is used once: first wider, then narrower.",
    ),
)
SIZE_HINTS = (
    (
        "造一层，intermediate_dim 取 7、hidden_dim 取 4，为形状 (2, 3, 4) 的输入 build 一次，"
        "再打印每个参数的形状。",
        "Make the layer with intermediate_dim 7 and hidden_dim 4, build it for inputs of shape "
        "(2, 3, 4), and print the shapes of its weights.",
    ),
    (
        "构造函数收下的两个大小各归哪一层？",
        "Which of the two sizes that the constructor takes belongs to which layer?",
    ),
)
BIAS_HINTS = (
    (
        "造一层，调用一次，打印 layer.weights：两个全连接层各有哪几个参数？",
        "Make the layer, call it once, and print layer.weights: which weights has each dense "
        "layer?",
    ),
    (
        "公式里有 b₁ 和 b₂；Dense 本来就带偏置，除非你把它关掉。",
        "There are b₁ and b₂ in the formula; a Dense has a bias unless it is told otherwise.",
    ),
)
AROUND_HINTS = (
    (
        "让 output_dense 的参数全是 0：输出应当全是 0。你的呢？",
        "Let all weights of output_dense be 0: the output should be zeros. Is yours?",
    ),
    (
        "旁路和归一化属于外面的块。",
        "Bypass and norm belong to the block around this layer.",
    ),
)

FEED_FORWARD = {
    "activation_missing": dict(
        switch={"bend": "nowhere"},
        zh="没有激活函数：两个线性层连在一起，还是一个线性层。",
        en="There is no activation: two linear layers in a row are one linear layer.",
        hints=BEND_HINTS,
    ),
    "activation_at_the_end": dict(
        switch={"bend": "end"},
        zh="激活函数放在了第二层之后；应当在两层之间。",
        en="The activation comes after the second layer; it belongs between the two.",
        hints=BEND_HINTS,
    ),
    "activation_after_both": dict(
        switch={"bend": "both"},
        zh="两层之后都有激活函数；第二层之后不该有，输出要能取任何值。",
        en="There is an activation after both layers; there should be none after the second, whose "
        "output may be anything.",
        hints=BEND_HINTS,
    ),
    "activation_twice": dict(
        switch={"bend": "twice"},
        zh="激活函数用了两次：Dense 里有了，call 里又来一次。",
        en="The activation is applied twice: the Dense has it already, and call does it again.",
        hints=BEND_HINTS,
    ),
    "activation_at_the_start": dict(
        switch={"bend": "start"},
        zh="激活函数用在了第一层之前。",
        en="The activation comes before the first layer.",
        hints=BEND_HINTS,
    ),
    "activation_written_in": dict(
        switch=tuple({"which": name} for name in ("gelu", "relu", "tanh", "sigmoid", "silu")),
        zh="激活函数写死了，没有用构造时给的那一个。",
        en="The activation is fixed; it should be the one that the constructor is given.",
        hints=(
            (
                '分别用 activation="relu" 和 "tanh" 各造一层，输出一样吗？',
                'Make one layer with activation="relu" and one with "tanh": do outputs differ?',
            ),
            (
                "构造函数把给它的激活函数存在哪里？你用的是它吗？",
                "Where does the constructor keep the activation it was given, and do you use that?",
            ),
        ),
    ),
    "one_layer_only": dict(
        switch=(
            {"stages": "first_only"},
            {"stages": "last_only"},
        ),
        zh="只用了一层：应当先变宽，再变窄。",
        en="Only one layer is used: it should first widen and then narrow.",
        hints=STAGE_HINTS,
    ),
    "a_layer_used_twice": dict(
        switch=({"stages": "output_twice"}, {"stages": "first_twice"}, {"stages": "middle_twice"}),
        zh="有一层用了两次。",
        en="One layer is used twice.",
        hints=STAGE_HINTS,
    ),
    "layers_exchanged": dict(
        switch={"stages": "exchanged"},
        zh="两层对调了：intermediate_dense 在前（F 个输出），output_dense 在后（D 个输出）。",
        en="The layers are exchanged: intermediate_dense comes first (F outputs), output_dense "
        "second (D outputs).",
        hints=STAGE_HINTS,
    ),
    "middle_of_another_size": dict(
        switch=({"sizes": "no_middle"}, {"sizes": "exchanged"}, {"sizes": "four_times"}),
        zh="第一层的输出个数不是 intermediate_dim：用了 hidden_dim，或者写死了。",
        en="The first layer doesn't have intermediate_dim outputs, but hidden_dim, or a fixed "
        "number.",
        hints=SIZE_HINTS,
    ),
    "output_of_another_size": dict(
        switch={"sizes": "no_end"},
        zh="输出的大小不是 hidden_dim。",
        en="The output's size isn't hidden_dim.",
        hints=SIZE_HINTS,
    ),
    "biases_missing": dict(
        switch=tuple(
            {"biases": which}
            for which in ("missing", "missing_in_intermediate_dense", "missing_in_output_dense")
        ),
        zh="有的层没有偏置；约定两层都带。",
        en="There is a layer without bias; both should have one.",
        hints=BIAS_HINTS,
    ),
    "residual_added": dict(
        switch={"around": "residual"},
        zh="输入加到了输出上：旁路属于外面的块，不属于前馈网络。",
        en="The input is added to the output: the bypass belongs to the block around, not to this "
        "layer.",
        hints=AROUND_HINTS,
    ),
    "output_normalised": dict(
        switch={"around": "normalised"},
        zh="输出被归一化了：归一化属于外面的块。",
        en="The output is normalised: that belongs to the block around this layer.",
        hints=AROUND_HINTS,
    ),
    "dropout_inside": dict(
        switch={"dropping": "inside"},
        zh="训练时这一层自己丢掉了一些数：dropout 属于外面的块，放在这里就丢了两次。",
        en="In training this layer drops some numbers: dropout belongs to the block around it, and "
        "with another one here things are dropped twice.",
        hints=(
            (
                "同一个输入，用 training=True 和 training=False 各调用一次，结果一样吗？",
                "Call it on one input with training=True and with training=False: do the results "
                "agree?",
            ),
            (
                "这里只有两个全连接层和一个激活函数。",
                "Two dense layers and an activation are all there is in here.",
            ),
        ),
    ),
    "layers_made_in_call": dict(
        random=True,
        switch={"layers": "fresh"},
        zh="在 call 里新建了层：每次调用都是一组新的随机参数，永远学不到东西。",
        en="Layers are made inside call: every call draws new random weights, and nothing can ever "
        "be learned.",
        hints=(
            ("同样的输入调用两次，结果一样吗？", "Call it twice on one input: do results agree?"),
            (
                "参数要跟着层活下去：层在构造函数里建，在 call 里用。",
                "Weights must live as long as the layer: it is made in the constructor and used in "
                "call.",
            ),
        ),
    ),
}
