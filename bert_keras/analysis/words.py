"""Pictures of words: who stands near whom, and how far a stack of windows sees."""

import numpy as np

from bert_keras.analysis.svg import GREY, svg_picture, svg_text, text_width

_LINE, _LIT, _BAR = "#c8c8c8", "#d55e00", "#9fc3e3"


def nearest_words(vectors, word_id, count=8, leave_out=(0,)):
    """Find the words whose vectors point most nearly the same way.

    Args:
        vectors: float array of shape (V, D), one row for each word.
        word_id: int, the word whose neighbours are wanted; or a float array of shape (D,).
        count: int, how many neighbours.
        leave_out: ids that are never neighbours; the word itself never is either.

    Returns:
        The pair (ids, cosines): int and float arrays of shape (count,), nearest first.
    """
    vectors = np.asarray(vectors, "float64")
    unit = vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-12)  # (V, D)
    left_out = list(leave_out)
    if np.ndim(word_id) == 0:
        asked = unit[word_id]
        left_out.append(int(word_id))
    else:
        asked = np.asarray(word_id, "float64")
        asked = asked / max(np.linalg.norm(asked), 1e-12)
    cosines = unit @ asked  # (V,)
    cosines[left_out] = -np.inf
    best = np.argsort(-cosines, kind="stable")[:count]
    return best, cosines[best]


def neighbour_lists(columns):
    """Draw words with their nearest neighbours, a column for each; bars show the cosine.

    Args:
        columns: list of (word, neighbours), neighbours being a list of (word, cosine).

    Returns:
        `Picture`.
    """
    line, top, gap, full = 22, 34, 40, 80  # `full`: how long the bar of cosine 1 is
    elements, x, height = [], 8.0, 0.0
    for word, neighbours in columns:
        bars = x + 10 + max((text_width(n, 13) for n, _ in neighbours), default=0)
        end = max(bars + full + 34, x + text_width(word, 15))
        elements.append(svg_text(x, 22, word, 15, "start", bold=True))
        for row, (name, cosine) in enumerate(neighbours):
            y = top + line * row
            long = full * min(max(float(cosine), 0.0), 1.0)
            elements.append(
                f'<rect x="{bars:.1f}" y="{y + 3:.1f}" width="{long:.1f}" height="{line - 10}" '
                f'fill="{_BAR}"/>'
            )
            elements.append(svg_text(x, y + 14, name, 13, "start"))
            elements.append(svg_text(bars + full + 34, y + 14, f"{cosine:.2f}", 11, "end", GREY))
            height = max(height, y + line)
        x = end + gap
    summary = "; ".join(f"{word}: {', '.join(n for n, _ in near)}" for word, near in columns)
    return svg_picture(elements, x - gap + 8, height + 6, summary)


def stack_of_windows(tokens, lit, kernel_sizes, dilation_rates=None, names=None):
    """Draw a stack of convolutions over a sentence, with what one output depends on lit up.

    Args:
        tokens: list of T str, the words at the bottom.
        lit: list of bool arrays of shape (T,), from the words up to the topmost layer: whether
            the output in question depends on that place of that layer.
        kernel_sizes: list of ints, one for each layer from the bottom up.
        dilation_rates: list of ints, or None for all 1.
        names: list of str beside the rows, as many as `lit` has; by default their numbers.

    Returns:
        `Picture`.

    Raises:
        ValueError: the number of rows is not that of the layers and one more, or a row has
            another length than the sentence.
    """
    rates = list(dilation_rates or [1] * len(kernel_sizes))
    lit = [np.asarray(row, bool) for row in lit]
    if len(lit) != len(kernel_sizes) + 1 or any(row.shape != (len(tokens),) for row in lit):
        raise ValueError(
            f"{len(kernel_sizes)} layers over {len(tokens)} words take "
            f"{len(kernel_sizes) + 1} rows of that length"
        )
    names = [str(row) for row in range(len(lit))] if names is None else list(names)
    left = max(text_width(name, 12) for name in names) + 18
    side = max(34.0, *(text_width(token, 13) + 10 for token in tokens))
    level, radius = 46, 8
    bottom = 18 + level * len(kernel_sizes)
    at = [left + side * (t + 0.5) for t in range(len(tokens))]
    edges, nodes = [], []
    for layer, (size, rate) in enumerate(zip(kernel_sizes, rates, strict=True)):
        y = bottom - level * layer
        for t in range(len(tokens)):
            for row in range(size):
                s = t + rate * (row - size // 2)
                if not 0 <= s < len(tokens):
                    continue
                on = bool(lit[layer + 1][t] and lit[layer][s])
                edge = (
                    f'<line x1="{at[s]:.1f}" y1="{y}" x2="{at[t]:.1f}" y2="{y - level}" '
                    f'stroke="{_LIT if on else _LINE}" stroke-width="{1.6 if on else 0.6}"/>'
                )
                edges.append((on, edge))
    for layer, row in enumerate(lit):
        y = bottom - level * layer
        nodes.append(svg_text(left - 10, y + 4, names[layer], 12, "end", GREY))
        for t, on in enumerate(row):
            nodes.append(
                f'<circle cx="{at[t]:.1f}" cy="{y}" r="{radius}" fill="{_LIT if on else "#ffffff"}"'
                f' stroke="{_LIT if on else GREY}"/>'
            )
    for t, token in enumerate(tokens):
        nodes.append(svg_text(at[t], bottom + 28, token, 13, "middle", bold=bool(lit[0][t])))
    lines = [edge for _, edge in sorted(edges, key=lambda pair: pair[0])]  # the lit ones on top
    seen = [token for token, on in zip(tokens, lit[0], strict=True) if on]
    summary = f"{len(kernel_sizes)} layers, {len(seen)} words: {' '.join(seen)}"
    return svg_picture([*lines, *nodes], left + side * len(tokens) + 8, bottom + 40, summary)
