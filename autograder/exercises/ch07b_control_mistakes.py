"""Mistakes in a control task: switches, sentences and hints."""

from autograder.exercises.ch07b_kit import CHANGE_HINTS

PLACE_HINTS = (
    (
        "words 是 “猫 狗 猫”：两个“猫”的类一样吗？多跑几个 rng 看看。",
        "Let words be “cat dog cat”: do both cats get the same class? Try some different rngs.",
    ),
    (
        "一个词只抽一次；先记住每个不同的词抽到了什么，再给每个位置查出来。",
        "A word draws once: remember what each distinct word has drawn, then look it up for every "
        "place.",
    ),
)
CHANCE_HINTS = (
    (
        "一万个不同的词，数一数每一类各有多少个。",
        "Take ten thousand different words and count how many get each class.",
    ),
    (
        "0 到 C − 1 都要抽得到，机会一样；看清楚抽数的函数包不包括上限。",
        "All of 0 to C − 1 should come up equally often; see whether what you draw with includes "
        "its upper limit.",
    ),
)
INDEPENDENT_HINTS = (
    (
        "两个词、两个类，换四十个 rng：应当有一半左右的时候，两个词落在同一类。你的呢？",
        "Two words, two classes, forty different rngs: about half of the time both words should "
        "get the same class. Do yours?",
    ),
    (
        "每个词各抽各的，不用管别的词抽到了什么，也不用让各类一样多。",
        "Each word draws for itself, whatever the others got; classes needn't come out equally "
        "large.",
    ),
)
SOURCE_HINTS = (
    (
        "同一个种子造两个 rng，各叫一次，结果应当一样；换一个种子，应当不一样。",
        "Make two rngs from one seed and call once with each: the results should agree. With "
        "another seed they shouldn't.",
    ),
    (
        "只用传进来的 rng 来抽；np.random 里现成的函数和自己新造的 rng 都不行。",
        "Draw from the rng that is handed in alone; neither ready-made functions of np.random nor "
        "an rng of your own will do.",
    ),
)
ORDER_HINTS = (
    (
        "打印 set 里词的次序，重启 Python，再打印一次：一样吗？",
        "Print the order of the words in a set, restart Python, and print it again: is it the "
        "same?",
    ),
    (
        "给词排次序，要按它们在 words 里第一次出现的先后，或者按字典序；这两样不随运行而变。",
        "Go through the words as they first occur in words, or in alphabetical order: neither "
        "changes from run to run.",
    ),
)
FORM_HINTS = (
    (
        "打印结果的类型和形状：应当是 NumPy 整数数组，(n,)，和 words 一样长。",
        "Print the type and the shape of the result: it should be a NumPy array of ints, (n,), as "
        "long as words.",
    ),
    (
        "每个位置一个类，不是每个不同的词一个。",
        "A class for every place, not for every distinct word.",
    ),
)
SPELLING_HINTS = (
    (
        "Bank 和 bank 在 words 里是两个不同的字符串。",
        "Bank and bank are two different strings in words.",
    ),
    (
        "词原样拿来比，别改写它们。",
        "Compare words as they stand; don't rewrite them.",
    ),
)

CONTROL = {
    "lots_for_places": (
        {"places": "of_places"},
        "每个位置各抽了一次：同一个词在不同的地方得到了不同的类。",
        "Every place draws for itself: one and the same word gets different classes in different "
        "places.",
        PLACE_HINTS,
    ),
    "a_class_never_comes_up": (
        (
            {"lots": "last_never"},
            {"lots": "first_never"},
            {"lots": "always_0", "source": "fixed"},
        ),
        "有一类一个词也没有：抽的范围小了一个。",
        "One class never comes up: the range of the draw is too small by one.",
        CHANCE_HINTS,
    ),
    "classes_counted_from_one": (
        ({"lots": "from_one"}, {"lots": "one_more"}),
        "抽到了 C：类应当是 0 到 C − 1。",
        "C comes up; classes should be 0 to C − 1.",
        CHANCE_HINTS,
    ),
    "classes_in_turn": (
        (
            {"order": "in_turn", "source": "fixed"},
            {"order": "in_turn", "source": "rng"},
        ),
        "类是轮流给的，不是抽的：相邻的两个词从不同类。",
        "Classes go round in turn instead of by lot: neighbouring words never share one.",
        INDEPENDENT_HINTS,
    ),
    "equal_numbers": (
        {"order": "equal_numbers"},
        "把各类分得一样多，再打乱：这样各词互相牵连，两个词、两个类时从不同类。",
        "Classes are dealt out in equal numbers and shuffled: words depend on each other then, and "
        "two words with two classes never share one.",
        INDEPENDENT_HINTS,
    ),
    "own_random_numbers": (
        {"source": "another"},
        "用了别的随机数：同一个种子的 rng，两次结果不一样。",
        "Other random numbers are used: with rngs of one seed, two results differ.",
        SOURCE_HINTS,
    ),
    "rng_not_used": (
        ({"source": "fixed"}, {"source": "hashes"}),
        "没有用 rng：换一个 rng，结果还是一样。",
        "rng isn't used: with another one the result is the same.",
        SOURCE_HINTS,
    ),
    "order_of_a_set": (
        {"words": "by_hash"},
        "词的次序是 set 的次序：它每次运行 Python 都不同，同一个种子也就得不到同样的结果。",
        "Words are gone through in the order of a set, which differs from run to run of Python; "
        "one seed doesn't give one result then.",
        ORDER_HINTS,
    ),
    "capitals_ignored": (
        {"spelling": "ignored"},
        "只差大小写的词当成了一个。",
        "Words that differ in capitals only are taken for one.",
        SPELLING_HINTS,
    ),
    "another_form": (
        (
            {"form": "list"},
            {"form": "dict"},
            {"form": "for_distinct_words"},
            {"form": "floats"},
            {"form": "one_hot"},
        ),
        "返回的不是 (n,) 的整数数组。",
        "What comes back isn't an int array of shape (n,).",
        FORM_HINTS,
    ),
    "words_changed": (
        {"edits": "in_place"},
        "传进来的 words 被改动了（排了序，或者改写了）。",
        "words, which was handed in, is changed: it was sorted, or rewritten.",
        CHANGE_HINTS,
    ),
}
