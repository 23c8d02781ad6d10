"""A picture of a claim above the statements found for it: shared words, scores and verdicts."""

from bert_keras.analysis.svg import GREY, INK, svg_picture, svg_text, text_width

_SIZE, _LINE, _BAR = 13, 30, 90
_SHARED, _PLAIN, _EDGE = "#a9cce8", "#ffffff", "#0072b2"
# Supported, refuted, not enough information.
_VERDICTS = ("#00795a", "#d55e00", "#c8c8c8")


def evidence_strips(claim, rows, names, language="en"):
    """Draw a claim, and below it the statements that were found, the best first.

    Args:
        claim: list of str, its words.
        rows: list of (words, score, probabilities, is_decisive): the words of a statement; its
            score, at least 0; three probabilities, or None to leave them out; whether this one
            decided, which frames it.
        names: four str: how the scores are called, and the three verdicts.
        language: "zh" or "en"; Chinese words stand close together.

    Returns:
        `Picture`. Words of statements that stand in the claim have a ground of their own.

    Raises:
        ValueError: there is nothing to draw, or a statement has not three probabilities.
    """
    if not claim or not rows:
        raise ValueError("there must be a claim and a statement")
    if any(p is not None and len(p) != 3 for _, _, p, _ in rows):
        raise ValueError("a statement has three probabilities, or None")
    space = 0 if language == "zh" else 4
    wanted = set(claim)
    highest = max(max(score for _, score, _, _ in rows), 1e-9)
    left, elements, spoken = _BAR + 56, [], []
    elements += _words(left, 8, claim, claim, space)[0]
    reached = _words(left, 8, claim, claim, space)[1]
    elements.append(svg_text(10, 24, names[0], 12, "start", GREY))
    shows_verdicts = any(p is not None for _, _, p, _ in rows)
    texts = [_words(left, 0, words, wanted, space)[1] for words, *_ in rows]
    right = max([reached, *texts]) + 24
    y = 8 + _LINE + 8
    for (words, score, chances, is_decisive), end in zip(rows, texts, strict=True):
        long = _BAR * score / highest
        elements.append(f'<rect x="10" y="{y + 5}" width="{long:.1f}" height="12" fill="#8a8a8a"/>')
        elements.append(svg_text(14 + long, y + 16, f"{score:.1f}", 11, "start", GREY))
        elements += _words(left, y, words, wanted, space)[0]
        if is_decisive:
            elements.append(
                f'<rect x="{left - 5}" y="{y - 3}" width="{end - left + 10:.1f}" height="28" '
                f'fill="none" stroke="{INK}" stroke-width="1.8"/>'
            )
        told = ""
        if chances is not None:
            x = right
            for chance, fill, name in zip(chances, _VERDICTS, names[1:], strict=True):
                wide = 150 * float(chance)
                elements.append(
                    f'<rect x="{x:.1f}" y="{y + 3}" width="{wide:.1f}" height="16" fill="{fill}"/>'
                )
                x += wide
                told += f" {name} {chance:.2f}"
        spoken.append(f"{score:.1f} {' '.join(words)}{told}{' *' if is_decisive else ''}")
        y += _LINE
    width = right + (160 if shows_verdicts else 0)
    if shows_verdicts:
        x = left
        for name, fill in zip(names[1:], _VERDICTS, strict=True):
            elements.append(f'<rect x="{x:.1f}" y="{y + 4}" width="14" height="14" fill="{fill}"/>')
            elements.append(svg_text(x + 20, y + 16, name, 12, "start", GREY))
            x += 44 + text_width(name, 12)
        width, y = max(width, x), y + _LINE
    summary = f"{' '.join(claim)} | " + " | ".join(spoken)
    return svg_picture(elements, width + 8, y + 8, summary)


def _words(x, y, words, wanted, space):
    """Words in a row, those of the claim on a ground of their own; where the row ends."""
    wanted, parts = set(wanted), []
    for word in words:
        wide = text_width(str(word), _SIZE) + 4
        fill, edge = (_SHARED, _EDGE) if word in wanted else (_PLAIN, "none")
        parts.append(
            f'<rect x="{x:.1f}" y="{y}" width="{wide:.1f}" height="22" fill="{fill}" '
            f'stroke="{edge}" stroke-width="0.6"/>'
        )
        parts.append(svg_text(x + wide / 2, y + 16, word, _SIZE))
        x += wide + space
    return parts, x
