"""A picture of confidence against accuracy: is what is called 90 % right in 90 %?"""

import numpy as np

from bert_keras.analysis.svg import GREY, INK, svg_picture, svg_text, text_width

_BAR, _GAP_BELOW, _GAP_ABOVE = "#0072b2", "#f3c778", "#8fd3be"
_SIDE, _TOP, _LEFT, _APART = 230, 40, 48, 34


def reliability_bins(probabilities, labels, num_bins):
    """Sort rows by confidence.

    Args:
        probabilities: float array of shape (n, C).
        labels: int array of shape (n,).
        num_bins: int; bin b holds confidences above b / num_bins up to (b + 1) / num_bins.

    Returns:
        Three float arrays of shape (num_bins,): mean confidence, accuracy, and the share of all
        rows. Where a bin is empty the first two are NaN.
    """
    probabilities = np.asarray(probabilities, "float64")
    confidence = probabilities.max(axis=-1)
    right = probabilities.argmax(axis=-1) == np.asarray(labels)
    bins = np.searchsorted(np.arange(1, num_bins) / num_bins, confidence, side="left")
    counts = np.bincount(bins, minlength=num_bins)
    with np.errstate(invalid="ignore"):
        sums = (np.bincount(bins, one, num_bins) for one in (confidence, right.astype("float64")))
        mean_confidence, accuracy = (one / counts for one in sums)
    return mean_confidence, accuracy, counts / len(right)


def reliability_diagram(panels, names):
    """Draw a panel for each set of probabilities, side by side.

    The blue bar of a bin goes up to its accuracy; from there an outlined piece goes to its mean
    confidence: orange where it is more sure than right, green where it is less. On the diagonal
    both are the same. The strip below shows how many rows each bin has.

    Args:
        panels: list of (title, probabilities, labels, num_bins).
        names: five str: confidence, accuracy, "more sure than right", "less sure than right",
            share of the rows.

    Returns:
        `Picture`.

    Raises:
        ValueError: there is nothing to draw.
    """
    if not panels or not all(len(labels) for _, _, labels, _ in panels):
        raise ValueError("each panel needs a row")
    x_name, y_name, over, under, share_name = names
    elements, spoken = [], []
    bottom, strip = _TOP + _SIDE, 34
    for number, (title, probabilities, labels, num_bins) in enumerate(panels):
        left = _LEFT + number * (_SIDE + _LEFT + _APART)
        found = reliability_bins(probabilities, labels, num_bins)
        elements.append(svg_text(left + _SIDE / 2, 20, title, 13, bold=True))
        for tick in (0, 0.25, 0.5, 0.75, 1):
            y = bottom - _SIDE * tick
            elements.append(_line(left, y, left + _SIDE, y, "#dddddd"))
            elements.append(svg_text(left - 6, y + 4, f"{tick:.0%}", 10, "end", GREY))
            where = left + _SIDE * tick, bottom + strip + 16
            elements.append(svg_text(*where, f"{tick:.0%}", 10, "middle", GREY))
        wide, bars = _SIDE / num_bins, []
        for place, (confidence, accuracy, share) in enumerate(zip(*found, strict=True)):
            if not share:
                continue
            x = left + place * wide
            elements.append(_box(x + 1, bottom - _SIDE * accuracy, wide - 2, bottom, _BAR, 0.75))
            low, high = sorted((accuracy, confidence))
            colour = _GAP_BELOW if confidence > accuracy else _GAP_ABOVE
            ends = bottom - _SIDE * high, wide - 2, bottom - _SIDE * low
            elements.append(_box(x + 1, *ends, colour, 1, INK))
            high = strip * share / found[2].max()
            elements.append(_box(x + 1, bottom + strip - high, wide - 2, bottom + strip, GREY, 0.6))
            bars.append(f"{confidence:.0%} / {accuracy:.0%} ({share:.0%})")
        elements.append(_line(left, bottom, left + _SIDE, bottom - _SIDE, INK, "5 4"))
        spoken.append(f"{title}: {x_name} / {y_name} " + ", ".join(bars))
        elements.append(svg_text(left + _SIDE / 2, bottom + strip + 34, x_name, 12))
        elements.append(svg_text(left - 36, _TOP - 8, y_name, 12, "start"))
    y, x = bottom + strip + 52, float(_LEFT)
    keys = ((_BAR, 0.75, y_name), (_GAP_BELOW, 1, over), (_GAP_ABOVE, 1, under))
    for colour, shade, name in (*keys, (GREY, 0.6, share_name)):
        elements.append(_box(x, y, 14, y + 14, colour, shade))
        elements.append(svg_text(x + 19, y + 12, name, 12, "start", GREY))
        x += 36 + text_width(name, 12)
    width = max(x, _LEFT + len(panels) * (_SIDE + _LEFT + _APART) - _APART)
    return svg_picture(elements, width, y + 24, " | ".join(spoken))


def _line(x1, y1, x2, y2, colour, dashes=""):
    more = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"{more}/>'
    )


def _box(x, top, width, bottom, colour, shade, edge="none"):
    return (
        f'<rect x="{x:.1f}" y="{top:.1f}" width="{width:.1f}" height="{max(bottom - top, 0):.1f}" '
        f'fill="{colour}" fill-opacity="{shade}" stroke="{edge}" stroke-width="0.8"/>'
    )
