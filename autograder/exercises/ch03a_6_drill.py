"""Notebook ch03a, exercise 9: the debugging drill."""

from autograder.exercise import Exercise
from autograder.exercises.attention_mistakes import SHARED
from autograder.exercises.attention_properties import add_output_property, add_properties
from autograder.exercises.ch03a_1_attention import ATTENTION_LAYERS, OWN
from autograder.exercises.common import NOT_FINITE, derived, normal, some_open
from autograder.exercises.drill_parts import STILL_ILL, ask_for_the_name, tell_a_wrong_name
from autograder.expectations import expect
from autograder.oracles import attention

NOTEBOOK = "ch03a_self_attention"

# The keys of solutions/ch03a_self_attention/drill.py, in its order; a test compares them.
DRILL_BUGS = (
    "mask_after_softmax",
    "softmax_over_queries",
    "scaled_by_key_length",
    "mask_fill_too_weak",
    "mask_discarded",
    "mask_multiplied",
)

# The same bugs as misconceptions of the formula.
ILLS = (
    "mask_after_softmax",
    "softmax_axis",
    "scaled_by_sequence_length",
    "mask_fill_too_weak",
    "mask_without_effect",
    "closed_keys_score_zero",
)

drill = Exercise(
    "drill_ch03a_self_attention",
    notebook=NOTEBOOK,
    points=4,
    kind="drill",
    defines=("suspect", "repaired"),
    forbids=(*ATTENTION_LAYERS, "bert_keras.layers.attention.scaled_dot_product"),
    variants=DRILL_BUGS,
)

ILL_HINTS = (
    (
        "逐个关掉每一个键，看看权重每次怎样变化。",
        "Close one key after the other and watch what the weights do each time.",
    ),
    (
        "你自己写的 scaled_dot_product 在同样的输入上得到什么？从第一处不同往回找。",
        "What does your own scaled_dot_product give for the same input? Go back from the first "
        "place where they differ.",
    ),
)


ask_for_the_name(drill)


@drill.case(points=1, zh="修好之后：不带掩码", en="repaired: without a mask")
def repaired_without_a_mask(student, rng):
    """All sizes differ."""
    query, key, value = normal(rng, 4, 5, 6), normal(rng, 4, 7, 6), normal(rng, 4, 7, 3)
    actual = student.named("repaired")(query, key, value)
    expect(actual).equals(attention.scaled_dot_product(query, key, value))


@drill.case(points=1, zh="修好之后：带掩码，多个头", en="repaired: with a mask and several heads")
def repaired_with_a_mask(student, rng):
    """One mask for all heads."""
    query, key, value = normal(rng, 2, 3, 5, 4), normal(rng, 2, 3, 7, 4), normal(rng, 2, 3, 7, 6)
    mask = some_open(rng, 2, 1, 5, 7)
    mask[0, :, 3] = True  # a query that may look at everything,
    mask[1, :, :, 4] = False  # and a key that nobody may look at, as padding is
    mask[1, :, :, 2] |= ~mask[1].any(axis=-1)
    actual = student.named("repaired")(query, key, value, mask)
    expect(actual).equals(attention.scaled_dot_product(query, key, value, mask))


@drill.case(
    points=1, zh="修好之后：没有可看的键也不出 NaN", en="repaired: no open key gives no NaN"
)
def repaired_without_an_open_key(student, rng):
    """Which finite numbers is free."""
    query, key, value = normal(rng, 2, 6, 5), normal(rng, 2, 6, 5), normal(rng, 2, 6, 3)
    mask = some_open(rng, 2, 6, 6)
    mask[1, 3] = False
    actual = student.named("repaired")(query, key, value, mask)
    expect(derived(actual, attention.finite_rows)).equals(
        attention.finite_queries(query, key, value, mask), otherwise=NOT_FINITE
    )
    expect(derived(actual, lambda pair: attention.blank_closed(pair, mask))).equals(
        attention.open_queries(query, key, value, mask)
    )


tell_a_wrong_name(
    drill,
    (
        (
            "先别读代码：给它一个小输入，看哪里不对劲——行和？关闭的键？大小？",
            "Don't read yet: feed it something small and see what looks off. Row sums? Closed "
            "keys? Sizes?",
        ),
        (
            "逐行问：这一行之后，形状和数值应当是什么？",
            "Ask of every line: what shape and which numbers should there be after it?",
        ),
    ),
)
for _name, _data in (SHARED | OWN).items():
    if not _name.startswith(("dropout", "dropped", "gradient")):
        told = {}
        if _name in ILLS:
            told = {"zh": STILL_ILL.zh, "en": STILL_ILL.en, "hints": ILL_HINTS}
            told["hides_properties"] = True
        drill.misconception(_name, **{**_data, **told})
add_properties(drill)
add_output_property(drill)
