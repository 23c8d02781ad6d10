"""A picture of the scores of all spans: rows are first tokens, columns last ones."""

import numpy as np

from bert_keras.analysis.svg import svg_picture, svg_text, text_width

_CELL, _TOP = 26, 28
_FROM, _TO = (247, 251, 255), (8, 48, 107)


def span_triangle(tokens, totals, legal, best, words):
    """Draw the score of every span as a square; those that are not legal stay empty.

    Args:
        tokens: list of n str.
        totals: float array of shape (n, n), [first, last].
        legal: bool array of shape (n, n), True at legal spans.
        best: pair (first, last), which gets a frame.
        words: pair of str: what to call the rows and the columns.

    Returns:
        `Picture`.

    Raises:
        ValueError: shapes don't fit, or no span is legal.
    """
    totals, legal = np.asarray(totals, float), np.asarray(legal, bool)
    size = len(tokens)
    if totals.shape != (size, size) or legal.shape != (size, size) or not legal.any():
        raise ValueError(f"{size} tokens, totals {totals.shape}, {int(legal.sum())} legal spans")
    low, high = totals[legal].min(), totals[legal].max()
    left = max(*(text_width(str(token)) for token in tokens), text_width(words[0], 12)) + 18
    # Under the columns single characters stand as they are, and longer tokens on their side.
    long = [text_width(str(token)) for token in tokens if len(str(token)) > 1]
    below = max([14.0, *long]) + 12
    elements = []
    for first in range(size):
        y = _TOP + _CELL * first
        elements.append(svg_text(left - 8, y + 18, tokens[first], 13, "end"))
        for last in range(size):
            x = left + _CELL * last
            fill, edge = "#ffffff", "#e4e4e4"
            if legal[first, last]:
                share = (totals[first, last] - low) / (high - low) if high > low else 1.0
                fill, edge = _shade(share), "#ffffff"
            elements.append(_box(x, y, fill, edge, 1.0))
            if not legal[first, last]:
                elements.append(svg_text(x + _CELL / 2, y + 17, "·", 12, colour="#b0b0b0"))
    bottom = _TOP + _CELL * size
    for last, token in enumerate(tokens):
        x = left + _CELL * (last + 0.5)
        if len(str(token)) == 1:
            elements.append(svg_text(x, bottom + 18, token, 13))
            continue
        turned = svg_text(0, 5, token, 13, "end")
        elements.append(
            f'<g transform="translate({x:.1f} {bottom + 8:.1f}) rotate(-90)">{turned}</g>'
        )
    first, last = best
    elements.append(_box(left + _CELL * last, _TOP + _CELL * first, "none", "#d55e00", 3.0))
    elements.append(svg_text(left - 8, _TOP - 10, words[0], 12, "end", bold=True))
    middle = left + _CELL * size / 2
    elements.append(svg_text(middle, bottom + below + 12, words[1], 12, bold=True))
    width = max(left + _CELL * size, middle + text_width(words[1], 12)) + 12
    joint = " ".join(str(token) for token in tokens[first : last + 1])
    summary = (
        f"{words[0]} {first}, {words[1]} {last}: {joint}, {totals[first, last]:.2f}; "
        f"{int(legal.sum())} / {size * size}"
    )
    return svg_picture(elements, width, bottom + below + 22, summary)


def _shade(share):
    """Pale at 0, dark blue at 1; darkness alone tells them apart."""
    ends = zip(_FROM, _TO, strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in ends)


def _box(x, y, fill, edge, stroke):
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{_CELL}" height="{_CELL}" fill="{fill}" '
        f'stroke="{edge}" stroke-width="{stroke}"/>'
    )
