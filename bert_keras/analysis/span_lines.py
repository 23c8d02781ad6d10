"""A picture of texts with spans marked in them, each with the name of its kind."""

from bert_keras.analysis.svg import GREY, INK, svg_picture, svg_text, text_width

# Light enough for black letters; the name of the kind stands below, so colour is never alone.
_FILLS = ("#a9cce8", "#f6c48b", "#b7dfb9", "#e6c1dd", "#f3e79b", "#d5d5d5")
_SIZE, _HIGH, _LINE, _WIDEST = 14, 24, 46, 860


def span_lines(groups, gap=0.0, shares=None):
    """Draw texts with their spans marked, and below each span the name of its kind.

    Every kind has its colour, the same in all groups. Long texts go on in the next line, and a
    span that is cut by that goes on there, too.

    Args:
        groups: list of (name, tokens, spans): a str, a list of str, and a list of (kind, start,
            end), end exclusive. Spans of a group don't overlap.
        gap: float, pixels between two tokens; 0 for Chinese.
        shares: optional dict from the name of a kind to a float from 0 to 1; such kinds have one
            colour, the fuller the larger their share.

    Returns:
        `Picture`.

    Raises:
        ValueError: there is nothing to draw, or spans overlap, are empty, or reach outside.
    """
    if not groups or not all(len(tokens) for _, tokens, _ in groups):
        raise ValueError("each group needs a token")
    kinds: dict[str, str] = {}
    for _, _, spans in groups:
        for kind, _, _ in spans:
            if kind in (shares or {}):
                kinds[kind] = _filled(shares[kind])
            else:
                others = [name for name in kinds if name not in (shares or {})]
                kinds.setdefault(kind, _FILLS[len(others) % len(_FILLS)])
    pad = min(3.0, gap / 3)  # of colour around a span
    left = max(text_width(name) for name, _, _ in groups) + 20
    elements, spoken, y, reached = [], [], 8.0, left
    for name, tokens, spans in groups:
        owner = _owners(spans, len(tokens))
        elements.append(svg_text(8, y + _HIGH - 7, name, 13, "start", GREY))
        x, begun = left, None
        for place, token in enumerate(tokens):
            wide = text_width(str(token), _SIZE) + gap
            if x > left and x + wide > _WIDEST:
                x, y, begun = left, y + _LINE, None
            number = owner[place]
            if number is not None:
                kind, _, end = spans[number]
                fill = kinds[kind]
                # The gap after a token is coloured where the span goes on behind it.
                inner = wide if place + 1 < end else wide - gap + 2 * pad
                elements.append(
                    f'<rect x="{x - pad:.1f}" y="{y:.1f}" width="{inner:.1f}" height="{_HIGH}" '
                    f'fill="{fill}"/>'
                )
                if begun != number:
                    elements.append(
                        f'<path d="M{x - pad:.1f} {y:.1f} v{_HIGH}" stroke="{INK}" '
                        'stroke-width="1.5"/>'
                    )
                    elements.append(svg_text(x - pad, y + _HIGH + 12, kind, 11, "start"))
                    reached = max(reached, x + text_width(str(kind), 11))
            begun = number
            # In the middle of its place, since the width of letters is only estimated.
            elements.append(svg_text(x + (wide - gap) / 2, y + _HIGH - 7, token, _SIZE))
            x += wide
            reached = max(reached, x)
        y += _LINE + 4
        spoken.append(f"{name}: " + _spoken(tokens, spans, " " if gap else ""))
    return svg_picture(elements, reached + 10, y, " | ".join(spoken))


def _filled(share):
    """Nearly white at 0, orange at 1."""
    ends = zip((247, 247, 247), (240, 160, 80), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in ends)


def _owners(spans, length):
    """For each token the number of the span it is in, or None."""
    owner: list = [None] * length
    for number, (kind, start, end) in enumerate(spans):
        if not 0 <= start < end <= length:
            raise ValueError(f"{(kind, start, end)} is no span of {length} tokens")
        if any(one is not None for one in owner[start:end]):
            raise ValueError(f"{(kind, start, end)} overlaps another span")
        owner[start:end] = [number] * (end - start)
    return owner


def _spoken(tokens, spans, joint):
    """The text with its spans in brackets."""
    words = [str(token) for token in tokens]
    for kind, start, end in spans:
        words[start] = "[" + words[start]
        words[end - 1] += f"]{kind}"
    return joint.join(words)
