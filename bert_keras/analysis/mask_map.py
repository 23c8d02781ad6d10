"""Pictures of masks: who may look at whom, with the words on both sides."""

from xml.sax.saxutils import escape

import numpy as np

from bert_keras.analysis.svg import GREY, INK, svg_picture, svg_text, text_width

_SIDE, _SIZE, _GAP = 24, 12, 30
# By the key's part: they differ in brightness as well as in hue, so a grey print tells them apart.
_FILLS = ("#a9cce8", "#d9822b")


def mask_map(words, parts, masks, legend):
    """Draw masks side by side: rows look, columns are looked at, closed cells stay empty.

    Args:
        words: list of T str.
        parts: list of T ints, 0 or 1: the part of the row that a word belongs to, which gives its
            column a colour.
        masks: list of (title, mask), the mask a bool array of shape (T, T), True = may look.
        legend: two str, what the parts are called.

    Returns:
        `Picture`.

    Raises:
        ValueError: there is nothing to draw, or the sizes don't fit.
    """
    words, parts = [str(word) for word in words], [int(part) for part in parts]
    masks = [(title, np.asarray(mask)) for title, mask in masks]
    if not words or not masks or len(parts) != len(words) or not set(parts) <= {0, 1}:
        raise ValueError("each word needs a part, 0 or 1, and there must be a word and a mask")
    if any(mask.shape != (len(words),) * 2 or mask.dtype != bool for _, mask in masks):
        raise ValueError(f"a mask of {len(words)} words is bool of shape {(len(words),) * 2}")
    longest = max(text_width(word, _SIZE) for word in words)
    left, top = longest + 14, 30 + 0.8 * longest
    panel = left + _SIDE * len(words) + max(_GAP, 0.7 * longest)
    elements, spoken, y = [], [], top
    for number, (title, mask) in enumerate(masks):
        x = number * panel + left
        elements.append(svg_text(x, 16, title, 13, "start", bold=True))
        for place, word in enumerate(words):
            at, under = x + _SIDE * (place + 0.5), y - 6
            elements.append(
                f'<text x="{at:.1f}" y="{under:.1f}" font-size="{_SIZE}" fill="{INK}" '
                f'transform="rotate(-50 {at:.1f} {under:.1f})">{escape(word)}</text>'
            )
            elements.append(svg_text(x - 6, y + _SIDE * (place + 0.5) + 4, word, _SIZE, "end"))
        for query, row in enumerate(mask):
            for key, is_open in enumerate(row):
                fill = _FILLS[parts[key]] if is_open else "#ffffff"
                elements.append(
                    f'<rect x="{x + _SIDE * key:.1f}" y="{y + _SIDE * query:.1f}" '
                    f'width="{_SIDE}" height="{_SIDE}" fill="{fill}" stroke="#c8c8c8" '
                    'stroke-width="0.5"/>'
                )
        open_keys = (
            f"{word}: " + (" ".join(words[key] for key in np.flatnonzero(row)) or "-")
            for word, row in zip(words, mask, strict=True)
        )
        spoken.append(f"{title}. " + "; ".join(open_keys))
    bottom = y + _SIDE * len(words) + 12
    x = left
    for fill, name in zip(_FILLS, legend, strict=True):
        elements.append(
            f'<rect x="{x:.1f}" y="{bottom:.1f}" width="14" height="14" fill="{fill}" '
            'stroke="#c8c8c8" stroke-width="0.5"/>'
        )
        elements.append(svg_text(x + 20, bottom + 12, name, _SIZE, "start", GREY))
        x += 44 + text_width(name, _SIZE)
    width = max(x, panel * len(masks), *(
        n * panel + left + 1.1 * text_width(title, 13) for n, (title, _) in enumerate(masks)
    ))  # fmt: skip
    return svg_picture(elements, width + 8, bottom + 24, " | ".join(spoken))
