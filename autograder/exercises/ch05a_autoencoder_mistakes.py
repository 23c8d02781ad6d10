"""Mistakes in an autoencoder's two layers: switches, sentences and hints."""

ENCODE_HINTS = (
    (
        "B、D、H 各取 1，数取 x = 2、W = 0.5、b = 1：纸上算出 hidden，再跟你的函数对。",
        "Let B, D and H be 1, x = 2, W = 0.5, b = 1: work hidden out on paper and compare.",
    ),
    (
        "在每一步旁边写下它的形状；激活函数作用在哪一步的结果上，只在那里吗？",
        "Write its shape beside every step. On which step's result does the activation act, and "
        "only there?",
    ),
)
DECODE_HINTS = (
    (
        "重建要能取到任何实数：比 1 大的像素，你的函数给得出来吗？",
        "A reconstruction may be any real number: can your function give one above 1?",
    ),
    (
        "让 hidden 全是 0，剩下的应当正好是哪一个参数？",
        "Let hidden be all zeros: just which argument should be left?",
    ),
)
BIAS_HINTS = (
    (
        "把两个核都设成 0，再调用：两个结果里还剩什么？",
        "Set both kernels to 0 and call it: what is left in the two results?",
    ),
    (
        "五个参数，每个都该出现一次。逐个数一数。",
        "Five arguments, and each should occur once. Count them.",
    ),
)
KERNEL_HINTS = (
    (
        "(B, D) 乘一个 (D, H) 的核得到 (B, H)；往回走时，形状要怎么变？",
        "(B, D) times a kernel (D, H) gives (B, H); how do shapes change on the way back?",
    ),
    (
        "让 D 和 H 不相等再试：哪一步报错，或者结果跟哪个参数无关？",
        "Try it where D and H differ: which step raises, or which argument has no effect?",
    ),
)
FORM_HINTS = (
    (
        "对照约定：返回几样东西，什么次序，各是什么形状？",
        "Compare with the contract: how many things, in what order, of what shapes?",
    ),
    ("打印返回值的类型和每一项的形状。", "Print the type of what you return and each shape."),
)

FORWARD = {
    "activation_missing": dict(
        switch={"bend_where": "nowhere"},
        zh="隐藏层没有经过 tanh：两层连在一起还只是一次线性变换。",
        en="The hidden layer lacks its tanh: two layers in a row are still one linear map.",
        hints=ENCODE_HINTS,
    ),
    "activation_on_the_reconstruction": dict(
        switch=({"bend_where": "both"}, {"bend_where": "output"}),
        zh="重建也经过了 tanh：它应当是线性的，否则超不出 −1 到 1。",
        en="The reconstruction goes through a tanh too: it should be linear, or it can't leave "
        "the range from −1 to 1.",
        hints=DECODE_HINTS,
    ),
    "another_activation": dict(
        switch=tuple({"bend": name} for name in ("relu", "sigmoid", "gelu", "softmax", "silu")),
        zh="激活函数不是 tanh。",
        en="The activation isn't tanh.",
        hints=ENCODE_HINTS,
    ),
    "biases_missing": dict(
        switch=tuple({"biases": which} for which in ("none", "decoder_only", "encoder_only")),
        zh="有的偏置没有加上。",
        en="A bias isn't added.",
        hints=BIAS_HINTS,
    ),
    "bias_after_the_activation": dict(
        switch={"biases": "after_the_bend"},
        zh="编码器的偏置加在了 tanh 外面；它应当在里面。",
        en="The encoder's bias is added outside the tanh; it belongs inside.",
        hints=ENCODE_HINTS,
    ),
    "biases_subtracted": dict(
        switch={"biases": "subtracted"},
        zh="偏置是减去的；应当加上。",
        en="Biases are subtracted; they should be added.",
        hints=BIAS_HINTS,
    ),
    "biases_exchanged": dict(
        switch={"biases": "exchanged"},
        zh="两个偏置用反了。",
        en="The two biases are exchanged.",
        hints=BIAS_HINTS,
    ),
    "kernels_exchanged": dict(
        switch={"kernels": "exchanged"},
        zh="两个核用反了：编码用了解码器的核。",
        en="The two kernels are exchanged: the decoder's is used to encode.",
        hints=KERNEL_HINTS,
    ),
    "kernels_transposed": dict(
        switch={"kernels": "transposed"},
        zh="核被转置了；这里的核已经是（输入，输出）的次序。",
        en="The kernels are transposed; here they already are (inputs, outputs).",
        hints=KERNEL_HINTS,
    ),
    "decoder_kernel_unused": dict(
        switch={"kernels": "tied"},
        zh="解码用的是编码核的转置，decoder_kernel 没有用上。（共用一个核也是一种自编码器，"
        "但不是这里约定的。）",
        en="Decoding uses the encoder's kernel turned round, and decoder_kernel isn't used. (Tied "
        "kernels make an autoencoder too, but not the one agreed on here.)",
        hints=KERNEL_HINTS,
    ),
    "decoded_before_the_activation": dict(
        switch={"decoded": "before_the_bend"},
        zh="解码的是 tanh 之前的数；应当从 hidden 往回走。",
        en="What is decoded are the numbers from before the tanh; start from hidden.",
        hints=DECODE_HINTS,
    ),
    "hidden_returned_before_the_activation": dict(
        switch={"returned": "scores_first"},
        zh="返回的 hidden 是 tanh 之前的数；重建是对的。",
        en="The hidden that comes back is from before its tanh; the reconstruction is right.",
        hides_properties=True,
        hints=(
            (
                "打印 hidden 里最大和最小的数：过了 tanh，它们该在什么范围里？",
                "Print the largest and the smallest number of hidden: in which range should they "
                "be after a tanh?",
            ),
            (
                "解码用的是哪个数组，返回的又是哪个？",
                "Which array do you decode, and which do you return?",
            ),
        ),
    ),
    "input_added_again": dict(
        switch=({"around": "input_added"}, {"around": "input_subtracted"}),
        zh="重建里混进了 x 本身（加上或减去）：那样什么也不用学。",
        en="x itself gets into the reconstruction (added or subtracted): nothing need be learned "
        "then.",
        hints=DECODE_HINTS,
    ),
    "pair_swapped": dict(
        switch={"returned": "swapped"},
        zh="次序反了：先 hidden，后 reconstruction。",
        en="The order is reversed: hidden first, then reconstruction.",
        hints=FORM_HINTS,
    ),
    "something_else_returned": dict(
        switch=tuple(
            {"returned": form} for form in ("reconstruction_only", "hidden_only", "input_first")
        ),
        zh="返回的不是 (hidden, reconstruction) 这一对。",
        en="What comes back isn't the pair (hidden, reconstruction).",
        hints=FORM_HINTS,
    ),
}
