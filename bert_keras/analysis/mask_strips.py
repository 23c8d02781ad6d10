"""Pictures of what masking did to a sentence: each token in a box, the hidden ones in colour."""

from bert_keras.analysis.svg import GREY, INK, svg_picture, svg_text, text_width

UNTOUCHED, MASKED, RANDOM, KEPT = range(4)

# Fill, edge and letters. They differ in brightness and edge as well as in hue, so a grey print and
# every kind of colour vision tell them apart.
_LOOKS = (
    ("#ececec", "#ececec", INK),
    ("#2f6197", "#2f6197", "#ffffff"),
    ("#f3b26b", "#f3b26b", INK),
    ("#ffffff", "#00795a", INK),
)
_SIZE, _HIGH, _LINE, _WORD_GAP, _WIDEST = 13, 24, 50, 5, 880


def mask_strips(groups, legend):
    """Draw sentences token by token; under each picked token stands the one to guess.

    The tokens of a word touch each other, and words stand apart. Long sentences go on in the next
    line.

    Args:
        groups: list of (name, words); words is a list of words, a word a list of (original, shown,
            fate): the token that was there, the token the model sees, and one of UNTOUCHED,
            MASKED, RANDOM, KEPT.
        legend: three str, what MASKED, RANDOM and KEPT are called.

    Returns:
        `Picture`.

    Raises:
        ValueError: there is nothing to draw, or a fate is none of the four.
    """
    if not groups or not all(words and all(words) for _, words in groups):
        raise ValueError("each group needs a word, and each word a token")
    left = max(text_width(name, _SIZE) for name, _ in groups) + 20
    elements, spoken, y, reached = [], [], 8.0, left
    for name, words in groups:
        elements.append(svg_text(8, y + _HIGH - 7, name, _SIZE, "start", GREY))
        x = left
        for word in words:
            if x > left and x + sum(map(_width, word)) > _WIDEST:
                x, y = left, y + _LINE
            for cell in word:
                elements += _box(x, y, *cell)
                x += _width(cell)
            x += _WORD_GAP
            reached = max(reached, x)
        y += _LINE + 6
        spoken.append(f"{name}: " + " ".join(_spoken(*cell) for word in words for cell in word))
    elements += _legend(left, y, legend)
    reached = max(reached, left + sum(_HIGH + text_width(word, _SIZE) + 26 for word in legend))
    return svg_picture(elements, reached + 8, y + _HIGH + 10, " | ".join(spoken))


def _width(cell):
    original, shown, fate = cell
    if not fate:
        return text_width(str(shown), _SIZE) + 10
    bold = 1.1 * text_width(str(shown), _SIZE)
    return max(bold, text_width(str(original), _SIZE - 1)) + 10


def _box(x, y, original, shown, fate):
    if fate not in range(len(_LOOKS)):
        raise ValueError(f"a fate is 0, 1, 2 or 3, not {fate!r}")
    fill, edge, letters = _LOOKS[fate]
    wide = _width((original, shown, fate))
    middle = x + wide / 2
    parts = [
        f'<rect x="{x + 1:.1f}" y="{y + 1:.1f}" width="{wide - 2:.1f}" height="{_HIGH - 2}" '
        f'fill="{fill}" stroke="{edge}" stroke-width="2"/>',
        svg_text(middle, y + _HIGH - 7, shown, _SIZE, colour=letters, bold=fate != UNTOUCHED),
    ]
    if fate:
        parts.append(svg_text(middle, y + _HIGH + 14, original, _SIZE - 1, colour=GREY))
    return parts


def _legend(x, y, legend):
    parts = []
    for fate, word in enumerate(legend, start=MASKED):
        fill, edge, _ = _LOOKS[fate]
        parts.append(
            f'<rect x="{x + 1:.1f}" y="{y + 1:.1f}" width="{_HIGH - 6}" height="{_HIGH - 6}" '
            f'fill="{fill}" stroke="{edge}" stroke-width="2"/>'
        )
        parts.append(svg_text(x + _HIGH + 2, y + _HIGH - 9, word, _SIZE, "start"))
        x += _HIGH + text_width(word, _SIZE) + 26
    return parts


def _spoken(original, shown, fate):
    return str(shown) if fate == UNTOUCHED else f"{shown}←{original}"
