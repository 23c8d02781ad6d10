"""A picture of a Transformer block: its bypass, branches, norms and dropout, and all shapes."""

from bert_keras.analysis.svg import GREY, INK, svg_picture, svg_text

_STREAM, _NORM, _SOURCE = "#0072b2", "#009e73", "#d55e00"
_TIPS = {INK: "tip", _STREAM: "tip-stream", _SOURCE: "tip-source"}  # arrow heads by colour
_NORM_WIDTH = 178
_BYPASS, _BOX, _BOX_WIDTH = 58, 112, 206  # where the bypass and the boxes of a panel stand
_PANEL, _BRANCH = 352, 152  # width of a panel, and height of one branch with its norm
_FORMULAS = {False: "norm(x + branch(x))", True: "x + branch(norm(x))"}
_BRANCHES = {
    "self_attention": ("q, k, v: (B, N, T, H)", "weights: (B, N, T, T)"),
    "cross_attention": ("q: (B, N, T, H) · k, v: (B, N, S, H)", "weights: (B, N, T, S)"),
    "feed_forward": ("(B, T, D) → (B, T, F)", "→ (B, T, D)"),
}
_KINDS = {
    "encoder": ("self_attention", "feed_forward"),
    "decoder": ("self_attention", "cross_attention", "feed_forward"),
}
_WORDS = {
    "en": {
        "post": "post-LN",
        "pre": "pre-LN",
        "bypass": "bypass",
        "encoder": "Encoder block",
        "decoder": "Decoder block",
        "says": " (norm_first=False) every norm is on the bypass, after the sum; with pre-LN "
        "(norm_first=True) it is in front of its branch and the bypass stays free. What a branch "
        "gives goes through dropout before it is added. "
        "Branches in order: ",
        "with": ". With post-LN",
    },
    "zh": {
        "post": "后归一化",
        "pre": "前归一化",
        "bypass": "旁路",
        "encoder": "编码器块",
        "decoder": "解码器块",
        "says": "（norm_first=False）时，归一化放在旁路上、相加之后；前归一化（norm_first=True）"
        "时，它位于支路的入口，旁路畅通无阻。支路的输出先经过 dropout 再相加。依次经过的支路：",
        "with": "。后归一化",
    },
}


def _line(*points, colour=INK, width=1.3, tip=True):
    path = " ".join(f"{x},{y}" for x, y in points)
    end = f' marker-end="url(#{_TIPS[colour]})"' if tip else ""
    return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width}"{end}/>'


def _norm(name, x, y):
    """The norm of a branch under its own name, since it matters whose norm stands where."""
    return (
        f'<rect x="{x}" y="{y}" width="{_NORM_WIDTH}" height="24" rx="5" fill="#eaf6f1" '
        f'stroke="{_NORM}" stroke-width="1.3"/>'
        + svg_text(x + _NORM_WIDTH / 2, y + 16.5, f"{name}_layer_norm", 12)
    )


def _dropout(x, y):
    """Between the end of a branch and the sum, on the arrow at height `y`."""
    return (
        f'<rect x="{x}" y="{y - 9}" width="62" height="18" rx="5" fill="#f2f2f2" '
        f'stroke="{GREY}" stroke-width="1"/>' + svg_text(x + 31, y + 4, "dropout", 11)
    )


def _tip(colour):
    return (
        f'<marker id="{_TIPS[colour]}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
        f'markerHeight="7" orient="auto"><path d="M0,0 L8,4 L0,8 z" fill="{colour}"/></marker>'
    )


def _branch(name, left, top, norm_first):
    """One branch: it leaves the bypass at `top` and is added to it again further down."""
    stream, box = left + _BYPASS, left + _BOX
    middle, y, plus = box + _BOX_WIDTH / 2, top + 38, top + 106
    first = top + 24 if norm_first else y  # the arrow that leaves the bypass ends here
    parts = [_line((stream, top + 8), (middle, top + 8), (middle, first))]
    if norm_first:
        y = first + 44
        parts.append(_norm(name, middle - _NORM_WIDTH / 2, first + 2))
        parts.append(_line((middle, first + 26), (middle, y)))
    parts.append(
        f'<rect x="{box}" y="{y}" width="{_BOX_WIDTH}" height="52" rx="5" fill="#f4f8fc" '
        f'stroke="{_STREAM}" stroke-width="1.3"/>'
    )
    for row, line in enumerate((name, *_BRANCHES[name])):
        size, colour = (11.5, GREY) if row else (13, INK)
        parts.append(svg_text(middle, y + 15 + 15.5 * row, line, size, colour=colour))
    if name == "cross_attention":
        right = box + _BOX_WIDTH
        parts.append(_line((right + 22, y + 26), (right + 2, y + 26), colour=_SOURCE))
        parts.append(svg_text(right + 26, y + 22, "source", 12, "start", _SOURCE))
        parts.append(svg_text(right + 26, y + 38, "(B, S, D)", 11, "start", GREY))
    end = max(plus, y + 65)
    parts.append(_line((middle, y + 52), (middle, end), (stream + 10, end)))
    parts.append(_dropout(middle - 88, end))
    parts.append(
        f'<circle cx="{stream}" cy="{end}" r="9" fill="#ffffff" stroke="{INK}" '
        'stroke-width="1.3"/>' + svg_text(stream, end + 5, "+", 16)
    )
    if not norm_first:
        parts.append(_norm(name, stream - 48, end + 17))
    return parts


def _panel(names, left, top, words, norm_first):
    """One way of wiring; the argument of the layers that asks for it stands in the title."""
    stream = left + _BYPASS
    title = f"{words['pre' if norm_first else 'post']} (norm_first={norm_first})"
    parts = [
        svg_text(left + 8, top, title, 13.5, "start"),
        svg_text(left + 8, top + 19, _FORMULAS[norm_first], 12.5, "start", GREY),
    ]
    top += 24
    bottom = top + 52 + _BRANCH * len(names)
    parts += [
        svg_text(stream, top + 26, "x", 13.5),
        svg_text(stream + 12, top + 26, "(B, T, D)", 11.5, "start", GREY),
        _line((stream, top + 34), (stream, bottom), colour=_STREAM, width=3.2, tip=False),
        svg_text(stream - 8, top + 96, words["bypass"], 12, "end", _STREAM),
    ]
    for n, name in enumerate(names):
        parts += _branch(name, left, top + 38 + _BRANCH * n, norm_first)
    parts.append(_line((stream, bottom - 12), (stream, bottom + 6), colour=_STREAM))
    parts.append(svg_text(stream, bottom + 22, "output", 13.5))
    parts.append(svg_text(stream + 28, bottom + 22, "(B, T, D)", 11.5, "start", GREY))
    return parts


def block_flow(kind, language="en"):
    """Draw what happens to x in a block, post-LN on the left and pre-LN on the right.

    Args:
        kind: "encoder" or "decoder".
        language: "zh" or "en".

    Returns:
        `Picture`. Names are those of the block's attributes, letters those of the course.

    Raises:
        ValueError: there is no such block.
    """
    if kind not in _KINDS:
        raise ValueError(f"kind must be one of {', '.join(_KINDS)}, not {kind!r}")
    names, words = _KINDS[kind], _WORDS[language]
    spread = _PANEL + (52 if kind == "decoder" else 0)
    width, height = 2 * spread + 8, 136 + _BRANCH * len(names)
    parts = _panel(names, 8, 24, words, norm_first=False)
    parts += _panel(names, 8 + spread, 24, words, norm_first=True)
    summary = words[kind] + words["with"] + words["says"] + ", ".join(names)
    tips = f"<defs>{''.join(_tip(colour) for colour in _TIPS)}</defs>"
    return svg_picture(parts, width, height, summary, tips)
