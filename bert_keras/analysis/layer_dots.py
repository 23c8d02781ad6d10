"""A dot for every head, layer by layer: how a measure changes on the way up."""

import numpy as np

from bert_keras.analysis.svg import GREY, INK, svg_picture, svg_text

_DOT, _MARK, _SLOT, _HIGH, _TOP, _BELOW = "#0072b2", "#d55e00", 54, 190, 34, 42


def layer_dots(panels, layer_word="layer"):
    """Draw a panel for each measure: a column for every layer, and in it a dot for every head.

    The heads of a layer stand a little apart, in their order. A bar marks the layer's mean; the
    outermost heads of each panel have their names beside them.

    Args:
        panels: list of (title, values, line): a str, a float array of shape (L, N), and a pair of
            a number and its name for a dashed line across the panel, or None.
        layer_word: str, what to write below.

    Returns:
        `Picture`.

    Raises:
        ValueError: there is nothing to draw, or panels differ in shape.
    """
    arrays = [np.asarray(values, dtype="float64") for _, values, _ in panels]
    if not arrays or any(a.shape != arrays[0].shape or a.ndim != 2 or not a.size for a in arrays):
        raise ValueError("each panel needs values of one shape (L, N)")
    elements, spoken, left = [], [], 0.0
    layers, heads = arrays[0].shape
    for (title, _, line), values in zip(panels, arrays, strict=True):
        top = max(float(values.max()), line[0] if line else 0.0) or 1.0
        step = _round_step(top)
        top = step * np.ceil(top / step + 1e-9)
        axis = left + 44
        right = axis + _SLOT * layers

        def y_of(value, top=top):
            return _TOP + _HIGH * (1 - value / top)

        elements.append(svg_text(left + 8, 16, title, 13, "start", bold=True))
        for tick in np.arange(0, top + step / 2, step):
            y = y_of(tick)
            elements.append(_line(axis, y, right, y, "#dddddd", 1))
            elements.append(svg_text(axis - 5, y + 4, f"{tick:.3g}", 11, "end", GREY))
        if line:
            y = y_of(line[0])
            elements.append(_line(axis, y, right, y, INK, 1.2, ' stroke-dasharray="5 4"'))
            elements.append(svg_text(right + 5, y + 4, line[1], 11, "start"))  # where no dot is
        names = []  # drawn last, so that no dot lies on them
        lowest, highest = (
            np.unravel_index(n, values.shape) for n in (values.argmin(), values.argmax())
        )
        for layer, row in enumerate(values):
            x0 = axis + _SLOT * layer
            y = y_of(row.mean())
            elements.append(_line(x0 + 4, y, x0 + _SLOT - 4, y, _MARK, 2.5))
            for head, value in enumerate(row):
                x = x0 + 8 + (_SLOT - 16) * (head + 0.5) / heads
                elements.append(
                    f'<circle cx="{x:.1f}" cy="{y_of(value):.1f}" r="3.4" fill="{_DOT}" '
                    'fill-opacity="0.75"/>'
                )
                if (layer, head) in (lowest, highest):
                    name = f"{layer + 1}-{head + 1}"
                    # Above the highest dot there is no other; below the lowest may be the axis.
                    if (layer, head) == highest:
                        names.append(svg_text(x, y_of(value) - 7, name, 11))
                    else:
                        names.append(svg_text(x + 6, y_of(value) + 4, name, 11, "start"))
            elements.append(svg_text(x0 + _SLOT / 2, _TOP + _HIGH + 16, layer + 1, 12))
        # A white rim keeps them legible where they cross a line.
        rim = 'stroke="#ffffff" stroke-width="3" stroke-linejoin="round" paint-order="stroke"'
        elements.append(f"<g {rim}>{''.join(names)}</g>")
        elements.append(svg_text((axis + right) / 2, _TOP + _HIGH + 32, layer_word, 12))
        means = ", ".join(f"{layer + 1}: {row.mean():.3g}" for layer, row in enumerate(values))
        ends = [(*np.unravel_index(n, values.shape), n) for n in (values.argmin(), values.argmax())]
        low, high = (f"{a + 1}-{b + 1} {values.flat[n]:.3g}" for a, b, n in ends)
        spoken.append(f"{title}: {layer_word} {means}; {low} … {high}")
        left = right + 26 + (_width_of(line[1]) if line else 0)
    return svg_picture(elements, left, _TOP + _HIGH + _BELOW, " | ".join(spoken))


def _line(x1, y1, x2, y2, colour, width, more=""):
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" '
        f'stroke-width="{width}"{more}/>'
    )


def _width_of(name):
    """About how wide a name of size 11 is; a Chinese character is a square."""
    return sum(11 if character > "\u2e7f" else 6.5 for character in name)


def _round_step(top):
    """A step of 1, 2 or 5 times a power of ten, of which four or so reach the top."""
    size = 10.0 ** np.floor(np.log10(top / 4))
    return size * next(n for n in (1, 2, 5, 10) if size * n >= top / 4 - 1e-12)
