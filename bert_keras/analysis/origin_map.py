"""A picture of a decoder block that starts from BERT's: which of its weights came from where."""

from bert_keras.analysis.svg import GREY, INK, svg_picture, svg_text, text_width

_PARTS = ("self_attention", "cross_attention", "feed_forward")
_WIDE, _HIGH, _STEP, _APART = 214, 34, 44, 200
# Fill and edge: copied, as it was, and in neither list or in both.
_LOOKS = {
    "copied": ("#d5e7f5", "#0072b2"),
    "fresh": ("#fbe3cf", "#d55e00"),
    "missing": ("#ffffff", "#999999"),
}
_WORDS = {
    "en": {
        "encoder": "BERT's block",
        "decoder": "decoder block",
        "copied": "copied",
        "fresh": "as it was",
        "missing": "in neither list",
        "numbers": "numbers",
        "and": ", ",
    },
    "zh": {
        "encoder": "BERT 的块",
        "decoder": "解码器块",
        "copied": "抄过来",
        "fresh": "保持原样",
        "missing": "两张名单上都没有",
        "numbers": "个参数",
        "and": "，",
    },
}


def origin_map(decoder_block, copied, fresh, language="en"):
    """Draw a block of BERT and a decoder block that started from it, sublayer by sublayer.

    Args:
        decoder_block: `DecoderBlock`, built.
        copied: list of str, paths of the weights that were copied; others than this block's may
            be among them.
        fresh: list of str, paths of the weights that stayed as they were.
        language: "zh" or "en".

    Returns:
        `Picture`. A sublayer of which any weight is on neither list is drawn empty.
    """
    words = _WORDS[language]
    tops = {kind: 0 for kind in _LOOKS}
    right, elements, spoken, y = 12 + _WIDE + _APART, [], [], 40
    elements.append(svg_text(12 + _WIDE / 2, 24, words["encoder"], 14, bold=True))
    elements.append(svg_text(right + _WIDE / 2, 24, words["decoder"], 14, bold=True))
    for part in _PARTS:
        for name in (part, f"{part}_layer_norm"):
            weights = getattr(decoder_block, name).weights
            kind = _kind([weight.path for weight in weights], set(copied), set(fresh))
            numbers = sum(_size(weight.shape) for weight in weights)
            tops[kind] += numbers
            note = f"{numbers:,} {words['numbers']}"
            if part != "cross_attention":
                elements.append(_box(12, y, name, note, *_LOOKS["copied"]))
            elements.append(_box(right, y, name, note, *_LOOKS[kind]))
            colour = _LOOKS[kind][1]
            middle = 12 + _WIDE + _APART / 2
            if kind == "copied" and part != "cross_attention":
                elements.append(_arrow(12 + _WIDE + 6, right - 6, y + _HIGH / 2))
                elements.append(svg_text(middle, y + 12, words[kind], 12, colour=colour))
            else:
                elements.append(svg_text(right - 10, y + 21, words[kind], 12, "end", colour=colour))
            spoken.append(f"{name}: {words[kind]} ({note})")
            y += _STEP
    total = words["and"].join(
        f"{words[kind]} {count:,}" for kind, count in tops.items() if count or kind != "missing"
    )
    elements.append(svg_text(right + _WIDE, y + 14, total, 12.5, "end"))
    width = right + _WIDE + 12 + max(0, text_width(total, 12.5) - right - _WIDE)
    defs = (
        '<defs><marker id="origin-tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
        'markerHeight="7" orient="auto"><path d="M0,0 L8,4 L0,8 z" fill="#0072b2"/></marker></defs>'
    )
    return svg_picture(elements, width, y + 28, "; ".join([*spoken, total]), defs)


def _kind(paths, copied, fresh):
    for kind, mine, other in (("copied", copied, fresh), ("fresh", fresh, copied)):
        if all(path in mine and path not in other for path in paths):
            return kind
    return "missing"


def _size(shape):
    size = 1
    for length in shape:
        size *= length
    return size


def _box(x, y, name, note, fill, edge):
    return (
        f'<rect x="{x}" y="{y}" width="{_WIDE}" height="{_HIGH}" rx="5" fill="{fill}" '
        f'stroke="{edge}" stroke-width="1.3"/>'
        + svg_text(x + _WIDE / 2, y + 15, name, 12.5, colour=INK)
        + svg_text(x + _WIDE / 2, y + 29, note, 11, colour=GREY)
    )


def _arrow(start, end, y):
    return (
        f'<line x1="{start}" y1="{y}" x2="{end}" y2="{y}" stroke="#0072b2" stroke-width="1.6" '
        'marker-end="url(#origin-tip)"/>'
    )
