"""Answers to the measuring notebook: several right ones for each exercise, and known mistakes.

What a mistake costs is worked out by hand from what the cases look at, never copied from a run.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Form:
    """One way to answer one exercise.

    Args:
        exercise: its id.
        edits: pairs (old, new) that turn the reference answer into this one.
        lost: points that it must lose; 0 for a right answer.
        named: the mistake that must be named, or "".
        why: why it loses them, for the reader of this table.
    """

    exercise: str
    edits: tuple[tuple[str, str], ...]
    lost: float = 0.0
    named: str = ""
    why: str = ""

    def text(self, reference: str) -> str:
        """The answer's text.

        Raises:
            ValueError: an edit doesn't fit the reference.
        """
        for old, new in self.edits:
            if reference.count(old) != 1:
                raise ValueError(f"{self.exercise}: {old!r} occurs {reference.count(old)} times")
            reference = reference.replace(old, new)
        return reference


RIGHT = (
    Form(
        "bench_positions",
        (
            (
                'rates = ops.exp(-math.log(10000.0) * ops.arange(half, dtype="float32") / half)',
                'rates = 10000.0 ** (-ops.arange(half, dtype="float32") / half)',
            ),
            ("angles = times[:, None] * rates[None, :]", "angles = ops.outer(times, rates)"),
        ),
    ),
    Form(
        "bench_positions",
        (("times[:, None] * rates[None, :]", "ops.expand_dims(times, 1) * rates"),),
    ),
    Form(
        "bench_masked_mean",
        (
            ("total = ops.sum(x * kept, axis=1)", 'total = ops.einsum("btd,btk->bd", x, kept)'),
            (
                "return total / ops.sum(kept, axis=1)",
                "count = ops.sum(kept, axis=1)\n    return total / count",
            ),
        ),
    ),
    Form(
        "bench_masked_mean",
        (("x * kept", "ops.where(mask[:, :, None], x, 0.0)"),),
    ),
    Form(
        "bench_attention",
        (
            (
                "scores = ops.matmul(query, ops.swapaxes(key, -1, -2))\n",
                'scores = ops.einsum("bth,bsh->bts", query, key)\n',
            ),
        ),
    ),
    Form(
        "bench_attention",
        (
            (
                "scores = scores / math.sqrt(query.shape[-1])",
                "scores = scores * query.shape[-1] ** -0.5",
            ),
            (
                "weights = ops.softmax(scores, axis=-1)",
                "raised = ops.exp(scores - ops.max(scores, axis=-1, keepdims=True))\n"
                "    weights = raised / ops.sum(raised, axis=-1, keepdims=True)",
            ),
        ),
    ),
    Form(
        "bench_layer_norm",
        (
            (
                "variance = ops.mean(ops.square(x - mean), axis=-1, keepdims=True)",
                "variance = ops.var(x, axis=-1, keepdims=True)",
            ),
        ),
    ),
    Form(
        "bench_layer_norm",
        (
            (
                "(x - mean) / ops.sqrt(variance + self.epsilon)",
                "(x - mean) * ops.rsqrt(variance + self.epsilon)",
            ),
        ),
    ),
    Form("bench_feed_forward", (("ops.relu(self.widen(x))", "ops.maximum(self.widen(x), 0.0)"),)),
    Form(
        "bench_feed_forward",
        (("return x + self.narrow(hidden)", "out = self.narrow(hidden)\n        return out + x"),),
    ),
    Form(
        "bench_next_word",
        (
            (
                "rows = ops.take(self.table, ids, axis=0)",
                "rows = ops.matmul(ops.one_hot(ids, self.vocabulary), self.table)",
            ),
        ),
    ),
    Form(
        "bench_next_word",
        (
            (
                "losses = -ops.sum(chosen * ops.log_softmax(guesses, axis=-1), axis=-1)",
                "losses = ops.logsumexp(guesses, axis=-1) - ops.sum(chosen * guesses, axis=-1)",
            ),
            ("return weight - rate * gradient", "step = rate * gradient\n    return weight - step"),
        ),
    ),
)

BOTH = "changes every output, in all cases"

WRONG = (
    Form(
        "bench_positions",
        (("[ops.sin(angles), ops.cos(angles)]", "[ops.cos(angles), ops.sin(angles)]"),),
        2,
        "cosines_first",
        BOTH,
    ),
    Form(
        "bench_positions",
        (('dtype="float32") / half)', 'dtype="float32") / width)'),),
        2,
        "rates_by_the_whole_width",
        BOTH,
    ),
    Form(
        "bench_masked_mean",
        (("return total / ops.sum(kept, axis=1)", "return total / x.shape[1]"),),
        2,
        "divided_by_all_positions",
        "right where there is no padding",
    ),
    Form(
        "bench_masked_mean",
        (
            ("total = ops.sum(x * kept, axis=1)", "total = ops.sum(x, axis=1)"),
            ("total / ops.sum(kept, axis=1)", "total / kept.shape[1]"),
        ),
        2,
        "padding_averaged_too",
        "right where there is no padding",
    ),
    Form(
        "bench_attention",
        (("    scores = scores / math.sqrt(query.shape[-1])\n", ""),),
        4,
        "unscaled",
        BOTH,
    ),
    Form(
        "bench_attention",
        (
            ("    scores = ops.where(mask, scores, -1e4)\n", ""),
            (
                "ops.softmax(scores, axis=-1)",
                'ops.softmax(scores, axis=-1) * ops.cast(mask, "float32")',
            ),
        ),
        2,
        "masked_after_softmax",
        "right where every key is open",
    ),
    Form(
        "bench_layer_norm",
        (("ops.sqrt(variance + self.epsilon)", "(variance + self.epsilon)"),),
        4,
        "root_forgotten",
        BOTH,
    ),
    Form(
        "bench_layer_norm",
        (("return normal * self.scale + self.shift", "return normal * self.scale"),),
        3,
        "",
        "the shift is zero at first, so only given weights show it",
    ),
    Form(
        "bench_feed_forward",
        (("return x + self.narrow(hidden)", "return self.narrow(hidden)"),),
        3,
        "residual_missing",
        "output and gradient both lack a term",
    ),
    Form(
        "bench_feed_forward",
        (("return x + self", "return ops.stop_gradient(x) + self"),),
        1,
        "",
        "the output is right, its gradient lacks a term",
    ),
    Form(
        "bench_next_word",
        (("ops.sum(losses * real) / ops.sum(real)", "ops.mean(losses * real)"),),
        5,
        "padding_in_the_loss",
        "the scores are right",
    ),
    Form(
        "bench_next_word",
        (("ids[:, 1:], scores[:, :-1]", "ids, scores"),),
        5,
        "labels_not_shifted",
        "the scores are right",
    ),
    Form(
        "bench_next_word",
        (("weight - rate * gradient", "weight + rate * gradient"),),
        3,
        "uphill",
        "scores and loss are right",
    ),
    Form(
        "bench_next_word",
        (
            (
                'self.vocabulary), name="kernel")',
                'self.vocabulary), name="kernel", trainable=False)',
            ),
        ),
        3,
        "kernel_never_moves",
        "scores and loss are right",
    ),
    Form(
        "bench_next_word",
        (("ops.matmul(rows, self.kernel)", "ops.matmul(ops.stop_gradient(rows), self.kernel)"),),
        3,
        "table_never_moves",
        "scores and loss are right",
    ),
)


def _turns() -> tuple[Form, ...]:
    """The mistakes in an order in which any three neighbours are of different exercises."""
    last = [form for form in WRONG if form.exercise == "bench_next_word"]
    others = [form for form in WRONG if form.exercise != "bench_next_word"]
    others = others[::2] + others[1::2]
    return tuple(
        form for three in zip(last, others[::2], others[1::2], strict=True) for form in three
    )


TURNS = _turns()
