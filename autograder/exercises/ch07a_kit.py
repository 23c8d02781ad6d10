"""What the exercises of notebook ch07a share: attention to measure, mistakes in taking its mean."""

import numpy as np

from autograder.exercises.common import derived, real_tokens
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.messages import Text
from autograder.oracles.head_queries import unchanged

NOTEBOOK = "ch07a_heads"
LIBRARY = "bert_keras.analysis.heads"
CHANGED = Text(
    "传进来的 weights 被改动了。",
    "weights, which was handed in, is changed.",
)


def padding(lengths, size, left=()):
    """A padding mask (B, size); rows whose numbers are in `left` have their padding on the left."""
    mask = real_tokens(lengths, size)
    for row in left:
        mask[row] = mask[row, ::-1]
    return mask


def some_attention(rng, mask, heads, closed=None):
    """Attention weights (B, N, T, T), float32, as a model would have them.

    No two heads are equally sharp. A padding query looks at everything, padding too, and is
    sharper than most others, so that it shows wherever it gets in.

    Args:
        rng: generator.
        mask: bool (B, T), True = a real token.
        heads: int, N.
        closed: None, or a bool array that broadcasts to (B, N, T, T) of what may not be looked at.
    """
    batch, length = mask.shape
    sharp = rng.permutation(np.linspace(0.6, 2.4, heads)) if heads > 1 else np.array([1.2])
    scores = rng.standard_normal((batch, heads, length, length)) * sharp[:, None, None]
    open_keys = np.broadcast_to(mask[:, None, None, :], scores.shape).copy()
    if closed is not None:
        open_keys &= ~closed
    for row, query in np.argwhere(~mask):
        open_keys[row, :, query] = True
        scores[row, :, query] *= 3
    scores = np.where(open_keys, scores, -np.inf)
    grown = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return (grown / grown.sum(axis=-1, keepdims=True)).astype(np.float32)


def one_hot_attention(rng, mask, heads):
    """Attention of which every real query looks at one real key."""
    length = mask.shape[1]
    keys = np.stack(
        [rng.choice(np.flatnonzero(row), size=(heads, length)) for row in mask]
    )  # (B, N, T)
    return np.eye(length, dtype=np.float32)[keys]


def ask_whether_weights_change(student, given):
    """The first argument should be afterwards what it was before."""
    both = student.followed_by(fixture("array_afterwards"), fixture("lent_array", *given))
    left = derived(both, lambda found: np.asarray(np.array_equal(found[1], given[0])))
    expect(left).equals(unchanged(), otherwise=CHANGED)


AVERAGE_HINTS = (
    (
        "两行，真词元各是 1 个和 3 个，每个查询的数是 8 和 2、2、2：平均应当是 3.5。你的呢？",
        "Two rows with 1 and 3 real tokens, whose queries have the numbers 8 and 2, 2, 2: the mean "
        "should be 3.5. What is yours?",
    ),
    (
        "把所有行里要算的查询排成一列，再平均：和与个数都只数它们，每个查询的分量一样。",
        "Put the queries that count, of all rows, into one line and take the mean: sum and number "
        "are of these alone, and each weighs the same.",
    ),
)
AXIS_HINTS = (
    (
        "weights 的四个轴是 [行, 头, 查询, 键]：哪个轴上的数加起来是 1？",
        "The axes of weights are [row, head, query, key]: along which one do the numbers add up "
        "to 1?",
    ),
    (
        "先对键（最后一个轴）算，留下 (B, N, T)；再只看要算的查询。",
        "First the keys, the last axis, which leaves (B, N, T); then keep the queries that count.",
    ),
)
FORM_HINTS = (
    (
        "在纸上写出每一步的形状：(B, N, T, T) → (B, N, T) → ？",
        "Write down the shape of every step: (B, N, T, T) → (B, N, T) → ?",
    ),
    (
        "平均掉的是行和查询；每个头留一个数。",
        "Rows and queries go into the mean; a number for each head stays.",
    ),
)
INDEX_HINTS = (
    (
        "x 是 (B, N, T)，掩码是 (B, T)：x[掩码] 拿掩码去对 x 的头两个轴，也就是 B 和 N。",
        "x is (B, N, T), the mask (B, T): x[mask] holds the mask against the first two axes of x, "
        "which are B and N.",
    ),
    (
        "先换轴，让查询挨着行：(B, T, N)；再用掩码，得到 (Q, N)。",
        "Exchange axes first, so that queries stand beside rows: (B, T, N); then the mask gives "
        "(Q, N).",
    ),
)
CHANGE_HINTS = (
    (
        "哪一行往传进来的数组里写了东西：weights[...] = …、+=、*=，或者 out=weights？",
        "Which line writes into the array: weights[...] = …, +=, *=, or out=weights?",
    ),
    (
        "np.where 造一个新的数组；weights.copy() 也行。",
        "np.where makes a new array; weights.copy() does, too.",
    ),
)

# Name → (switches, zh, en, hints): in taking the mean over queries. Where not all exercises can go
# wrong in the same way, they leave some of them out.
AVERAGES = {
    "padding_counts": (
        ({"average": "all_queries"}, {"average": "divided_by_all"}),
        "填充位置的查询也算进去了（算进了和，或者算进了个数）。",
        "Queries at padding count, in the sum or in the number.",
        AVERAGE_HINTS,
    ),
    "mask_on_the_keys": (
        {"average": "keys_masked"},
        "掩码用在了键上：那里本来就是 0；该去掉的是填充位置的查询。",
        "The mask is put on the keys, which are 0 there in any case; it is queries at padding that "
        "have to go.",
        AVERAGE_HINTS,
    ),
    "mask_on_the_heads": (
        {"average": "heads_masked"},
        "掩码 (B, T) 对上的是行和头两个轴，不是行和查询。",
        "The mask, (B, T), is held against the axes of rows and heads, not of rows and queries.",
        INDEX_HINTS,
    ),
    "mean_of_the_rows_means": (
        ({"average": "rows"}, {"average": "rows_with_any"}),
        "先每行平均，再把各行平均：这样短的行分量太重。所有行的查询要放在一起平均。",
        "Each row has its mean, and then these are averaged: short rows count too much. One mean "
        "over the queries of all rows is wanted.",
        AVERAGE_HINTS,
    ),
    "another_divisor": (
        (
            {"average": "divided_by_rows"},
            {"average": "not_divided"},
            {"average": "by_the_longest"},
            {"average": "divided_by_length"},
            {"average": "heads_too"},
        ),
        "除数不对：应当是要算的查询的个数，所有行合起来。",
        "The divisor is wrong: it should be the number of queries that count, of all rows.",
        AVERAGE_HINTS,
    ),
    "mask_inverted": (
        {"average": "padding"},
        "掩码反了：平均的是不该算的查询。",
        "The mask is inverted: the mean is over the queries that shouldn't count.",
        AVERAGE_HINTS,
    ),
    "first_row_only": (
        {"average": "first_row"},
        "只看了第一行。",
        "Only the first row is looked at.",
        AVERAGE_HINTS,
    ),
    "padding_taken_for_the_end": (
        {"average": "assumed_on_the_right"},
        "当作填充总在末尾，只取了每行的前几个查询：哪些是真的，由掩码说了算。",
        "Padding is taken to be at the end, and the first queries of each row are used; it is the "
        "mask that says which are real.",
        AVERAGE_HINTS,
    ),
    "axes_run_together": (
        {"average": "reshaped"},
        "头和查询的轴混在一起了：reshape 不会换轴，只会按原来的次序重新切。",
        "The axes of heads and queries are mixed up: reshape doesn't exchange axes, it only cuts "
        "the same sequence of numbers in another way.",
        FORM_HINTS,
    ),
    "not_a_number_for_each_head": (
        ({"average": "one_number"}, {"average": "by_row"}),
        "平均的轴不对：每个头一个数，所有行合起来。",
        "The mean is over the wrong axes: one number for each head is wanted, for all rows "
        "together.",
        FORM_HINTS,
    ),
    "queries_for_keys": (
        {"axis": "queries"},
        "查询和键弄反了：看的是这个词被谁看，不是它看谁（或者去掉的是填充的键，不是填充的查询）。",
        "Queries and keys are mixed up: this is who looks at a token, not what it looks at (or it "
        "is keys at padding that are left out, not queries).",
        AXIS_HINTS,
    ),
}
WEIGHTS_CHANGED = (
    {"edits": "in_place"},
    CHANGED.zh,
    CHANGED.en,
    CHANGE_HINTS,
)


def measured(seen, parts):
    """The numbers that came back and those that should have.

    Raises:
        LookupError: the observation is about something else, or the shape is another.
    """
    if seen.prediction.parts != parts:
        raise LookupError("about something else")
    got = np.asarray(seen.actual, float)
    if got.shape != seen.expected.shape:
        raise LookupError("another shape")
    return got, seen.expected


def add_measure_properties(exercise, part, mask_place, shape="(N,)"):
    """Register what every right measure of heads has, the special ones first.

    Args:
        exercise: the exercise.
        part: name of what it returns.
        mask_place: where among the arguments the padding mask stands.
        shape: the shape of the result, as it is written in the contract.
    """
    parts = (part,)

    @exercise.property(
        "shape_is_right",
        zh=f"形状不对：应当是 {shape} 的浮点数组。",
        en=f"The shape is wrong: a float array of shape {shape} is wanted.",
    )
    def shape_is_wrong(seen):
        return seen.prediction.parts == parts and np.shape(seen.actual) != seen.expected.shape

    @exercise.property(
        "all_is_finite",
        zh="结果里有 NaN 或无穷大。",
        en="There are NaN or infinities in the result.",
    )
    def something_is_not_finite(seen):
        got, _ = measured(seen, parts)
        return not np.isfinite(got).all()

    @exercise.property(
        "right_without_padding",
        zh="没有填充时就不对：先不管掩码，看一个查询怎么算。",
        en="It is wrong even without padding: leave the mask aside and look at what is computed "
        "for a single query.",
    )
    def wrong_without_padding(seen):
        got, wanted = measured(seen, parts)
        return bool(seen.args[mask_place].all()) and not np.allclose(got, wanted, atol=1e-5)

    @exercise.property(
        "right_with_padding",
        zh="有填充时不对：哪些查询要算，一共几个？",
        en="It is wrong where there is padding: which queries count, and how many are they?",
        alone=True,
    )
    def wrong_with_padding(seen):
        got, wanted = measured(seen, parts)
        return not seen.args[mask_place].all() and not np.allclose(got, wanted, atol=1e-5)

    @exercise.property("weights_are_left_alone", zh=CHANGED.zh, en=CHANGED.en)
    def something_is_changed(seen):
        return seen.prediction.parts == ("unchanged",)
