"""Pictures of BERT's input: packed rows of tokens, and the three embeddings that add up.

Colours tell parts apart and numbers are printed in the cells, so nothing hangs on colour alone.
"""

import numpy as np

from bert_keras.analysis.svg import GREY, INK, svg_picture, svg_text, text_width

_EDGE = "#ffffff"
# Segment 0, segment 1, padding: told apart in grey print, too.
_SEGMENTS, _PAD = ("#a9cce8", "#f6c48b"), "#ececec"
_BELOW, _ABOVE = (0, 114, 178), (213, 94, 0)  # the ends of the scale; 0 is white
_HIGH, _CELL, _GAP, _MARGIN = 24, 17, 14, 8


def packed_strips(groups, names):
    """Draw packed rows: the tokens in the colour of their segment, and below what goes with them.

    Args:
        groups: list of (name, tokens, segments, mask), one for each row: str, list of T str, list
            of T ints that are 0 or 1, and list of T bools, True at real tokens.
        names: pair of str, what the two lines below the tokens are called: segments and mask.

    Returns:
        `Picture`.

    Raises:
        ValueError: there is nothing to draw, the lists differ in length, or a segment is neither
            0 nor 1.
    """
    if not groups:
        raise ValueError("there is no row to draw")
    left = max(text_width(name, 13) for name in [*names, *(g[0] for g in groups)]) + 2 * _MARGIN
    elements, spoken, y, widest = [], [], float(_MARGIN), left
    for name, tokens, segments, mask in groups:
        if not len(tokens) == len(segments) == len(mask) > 0:
            raise ValueError("a row needs as many segments and mask values as tokens, one at least")
        if not set(map(int, segments)) <= {0, 1}:
            raise ValueError(f"segments are 0 or 1, not {sorted(set(map(int, segments)))}")
        elements.append(svg_text(_MARGIN, y + _HIGH - 7, name, 13, "start"))
        for line, label in enumerate(names, 1):
            elements.append(svg_text(_MARGIN, y + _HIGH + 16 * line - 2, label, 11, "start", GREY))
        x = left
        for token, segment, is_real in zip(tokens, segments, mask, strict=True):
            wide = max(text_width(str(token), 13) + 12, 24)
            fill = _SEGMENTS[int(segment)] if is_real else _PAD
            elements.append(_box(x, y, wide, _HIGH, fill))
            middle = x + wide / 2
            ink = INK if is_real else GREY
            elements.append(svg_text(middle, y + _HIGH - 7, token, 13, colour=ink))
            elements.append(svg_text(middle, y + _HIGH + 14, int(segment), 11, colour=ink))
            sign = "✓" if is_real else "–"
            elements.append(svg_text(middle, y + _HIGH + 30, sign, 11, colour=ink))
            x += wide
        widest = max(widest, x)
        y += _HIGH + 32 + _GAP
        shown = " ".join(
            f"{token}/{int(segment)}" if is_real else "-"
            for token, segment, is_real in zip(tokens, segments, mask, strict=True)
        )
        spoken.append(f"{name}: {shown}")
    return svg_picture(elements, widest + _MARGIN, y, " | ".join(spoken))


def embedding_sum(tokens, parts):
    """Draw strips of numbers that add up: one column for each token, one strip for each table.

    Args:
        tokens: list of T str.
        parts: list of (name, rows): str and float array of shape (T, D). The last one is the
            total, and is drawn apart from the others.

    Returns:
        `Picture`.

    Raises:
        ValueError: there are fewer than two strips, or their shapes differ.
    """
    strips = [(name, np.asarray(rows, dtype=float)) for name, rows in parts]
    shapes = {rows.shape for _, rows in strips}
    if len(strips) < 2 or len(shapes) != 1:
        raise ValueError("two strips at least, all of the shape (T, D)")
    num_tokens, size = shapes.pop()
    if num_tokens != len(tokens) or size == 0:
        raise ValueError(f"{len(tokens)} tokens, but strips of shape {(num_tokens, size)}")
    wide = max(38.0, *(text_width(str(token), 13) + 8 for token in tokens))
    left = max(text_width(name, 13) for name, _ in strips) + 20 + 2 * _MARGIN
    largest = max(np.abs(rows).max() for _, rows in strips) or 1.0
    elements, spoken, y = [], [], float(_MARGIN)
    for t, token in enumerate(tokens):
        elements.append(svg_text(left + wide * (t + 0.5), y + 14, token, 13))
    y += 22
    for number, (name, rows) in enumerate(strips):
        is_total = number == len(strips) - 1
        sign = "=" if is_total else "+" if number else ""
        middle = y + _CELL * size / 2 + 5
        elements.append(svg_text(_MARGIN, middle, sign, 16, "start"))
        elements.append(svg_text(_MARGIN + 18, middle, name, 13, "start"))
        for t, row in enumerate(rows):
            for d, value in enumerate(row):
                x, top = left + wide * t, y + _CELL * d
                elements.append(_box(x, top, wide, _CELL, _shade(value / largest)))
                ink = "#ffffff" if abs(value) > 0.8 * largest else "#000000"
                elements.append(
                    svg_text(x + wide / 2, top + 12.5, _number(value), 10.5, colour=ink)
                )
        y += _CELL * size + _GAP
        firsts = ", ".join(_number(value) for value in rows[0])
        spoken.append(f"{name} ({tokens[0]}): {firsts}")
    return svg_picture(elements, left + wide * num_tokens + _MARGIN, y, " | ".join(spoken))


def _number(value):
    return f"{round(float(value), 1) + 0.0:.1f}"  # never -0.0


def _shade(share):
    """White at 0, blue below, orange above."""
    end = _ABOVE if share > 0 else _BELOW
    return "#" + "".join(f"{round(255 + (c - 255) * min(abs(share), 1.0)):02x}" for c in end)


def _box(x, y, width, height, fill):
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height}" '
        f'fill="{fill}" stroke="{_EDGE}" stroke-width="1.5"/>'
    )
