"""Pictures of guesses: a sentence with a gap, and bars for the likeliest tokens in it."""

from bert_keras.analysis.svg import GREY, INK, svg_picture, svg_text, text_width

_BAR, _RIGHT = "#5b8db8", "#d98a3d"
_SIZE, _LINE, _LONGEST = 13, 20, 180


def guess_bars(groups, columns=2):
    """Draw the likeliest tokens of several gaps, each group in a panel of its own.

    All bars have one scale: the longest is certainty.

    Args:
        groups: list of (sentence, guesses, answer); guesses is a list of (token, probability), the
            likeliest first; the bar of `answer` has another colour and an edge. None: no answer.
        columns: int, panels side by side.

    Returns:
        `Picture`.

    Raises:
        ValueError: there is nothing to draw.
    """
    if not groups or not all(guesses for _, guesses, _ in groups):
        raise ValueError("each group needs a guess")
    names = max(text_width(str(token), _SIZE) for _, found, _ in groups for token, _ in found)
    sentences = max(text_width(sentence, _SIZE) for sentence, _, _ in groups)
    wide = max(sentences, names + _LONGEST + 60) + 32
    high = 44 + _LINE * max(len(found) for _, found, _ in groups)
    elements, spoken = [], []
    for number, (sentence, found, answer) in enumerate(groups):
        x, y = 8 + wide * (number % columns), 8 + high * (number // columns)
        elements.append(svg_text(x, y + 14, sentence, _SIZE, "start", bold=True))
        for row, (token, probability) in enumerate(found):
            top = y + 24 + _LINE * row
            elements += _bar(x + names + 8, top, token, probability, token == answer)
        said = ", ".join(f"{token} {100 * p:.0f}%" for token, p in found)
        spoken.append(f"{sentence}: {said}")
    rows = -(-len(groups) // columns)
    width = 16 + wide * min(columns, len(groups))
    return svg_picture(elements, width, 8 + high * rows, " | ".join(spoken))


def _bar(x, top, token, probability, is_right):
    long = max(1.0, _LONGEST * float(probability))
    edge = f' stroke="{INK}" stroke-width="1.5"' if is_right else ""
    return [
        svg_text(x - 6, top + 13, token, _SIZE, "end", bold=is_right),
        f'<rect x="{x:.1f}" y="{top + 2:.1f}" width="{long:.1f}" height="{_LINE - 6}" '
        f'fill="{_RIGHT if is_right else _BAR}"{edge}/>',
        svg_text(x + long + 6, top + 13, f"{100 * probability:.1f}%", 12, "start", GREY),
    ]
