"""A picture of one step of a decoder that looks back, with the shape of everything in it."""

from bert_keras.analysis.svg import GREY, INK, svg_picture, svg_text

_ACCENT = "#0072b2"
_LEFT, _COLUMN = 352, 62  # where the source begins, and the width of one of its tokens


def _box(x, y, name, shape, width=96):
    return (
        f'<rect x="{x}" y="{y}" width="{width}" height="42" rx="5" fill="#f4f8fc" '
        f'stroke="{_ACCENT}" stroke-width="1.3"/>'
        + svg_text(x + width / 2, y + 18, name)
        + svg_text(x + width / 2, y + 34, shape, 11.5, colour=GREY)
    )


def _arrow(*points):
    path = " ".join(f"{x},{y}" for x, y in points)
    return (
        f'<polyline points="{path}" fill="none" stroke="{INK}" stroke-width="1.3" '
        'marker-end="url(#tip)"/>'
    )


def _row(y, numbers, shade):
    cells = []
    for s, number in enumerate(numbers):
        x, dark = _LEFT + _COLUMN * s, shade and float(number) > 0.45
        share = float(number) if shade else 0.0
        red, green, blue = (round(255 + (end - 255) * share) for end in (8, 48, 107))
        cells.append(
            f'<rect x="{x + 3}" y="{y}" width="{_COLUMN - 6}" height="26" '
            f'fill="rgb({red},{green},{blue})" stroke="#999999" stroke-width="0.8"/>'
            + svg_text(
                x + _COLUMN / 2, y + 18, f"{number:.2f}", 12, colour="#ffffff" if dark else INK
            )
        )
    return "".join(cells)


def decoder_step(words, scores, weights, summary):
    """Draw one step: the state moves, looks back, and is joined with what it found.

    Args:
        words: list of S str, the source.
        scores: S floats, before the softmax.
        weights: S floats, after it.
        summary: str, what a screen reader and a text-only page say instead.

    Returns:
        `Picture`. Names and shapes are those of `AttentionDecoderCell`.
    """
    width = _LEFT + _COLUMN * len(words) + 130
    right, middle = _LEFT + _COLUMN * len(words), _LEFT + _COLUMN * len(words) / 2
    parts = [
        _box(12, 318, "states[0]", "(B, H)"),
        _box(12, 378, "x", "(B, D)"),
        _box(160, 348, "cell", "GRU"),
        _box(160, 258, "state", "(B, H)"),
        _box(150, 108, "joined", "(B, K + H)", 116),
        _box(160, 22, "output", "(B, H)"),
        _box(middle - 58, 108, "context", "(B, K)", 116),
        _arrow((108, 339), (160, 360)),
        _arrow((108, 399), (160, 378)),
        _arrow((208, 348), (208, 302)),
        _arrow((256, 279), (_LEFT - 2, 279)),
        _arrow((208, 258), (208, 152)),
        _arrow((208, 108), (208, 66)),
        _arrow((middle - 58, 129), (268, 129)),
        _arrow((middle, 192), (middle, 152)),
        svg_text(218, 90, "output_dense (tanh)", 12, "start", GREY),
        svg_text(303, 270, "score_kernel", 12, colour=GREY),
        _row(266, scores, shade=False),
        _row(194, weights, shade=True),
        svg_text(right + 8, 284, "scores", 13, "start"),
        svg_text(right + 58, 284, "(B, S)", 11.5, "start", GREY),
        svg_text(right + 8, 212, "weights", 13, "start"),
        svg_text(right + 66, 212, "(B, S)", 11.5, "start", GREY),
        svg_text(middle + 10, 243, "masked_softmax", 12, "start", GREY),
        svg_text(middle + 10, 174, "context_vector", 12, "start", GREY),
        svg_text(right + 8, 380, "source", 13, "start"),
        svg_text(right + 58, 380, "(B, S, K)", 11.5, "start", GREY),
        _arrow((middle, 266), (middle, 222)),
    ]
    for s, word in enumerate(words):
        x = _LEFT + _COLUMN * s
        parts += [
            f'<rect x="{x + 3}" y="350" width="{_COLUMN - 6}" height="46" fill="#fdf3e7" '
            'stroke="#d55e00" stroke-width="1.1"/>',
            svg_text(x + _COLUMN / 2, 378, word),
            _arrow((x + _COLUMN / 2, 350), (x + _COLUMN / 2, 294)),
        ]
    # What is mixed is the source itself, so a line goes round the scores to the context.
    parts.append(_arrow((right - 3, 360), (right + 2, 360), (right + 2, 129), (middle + 60, 129)))
    tip = (
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
        f'markerHeight="7" orient="auto"><path d="M0,0 L8,4 L0,8 z" fill="{INK}"/></marker></defs>'
    )
    return svg_picture(parts, width, 432, summary, tip)
