"""Pictures of task inputs: the line of tokens that a model reads, part by part."""

from bert_keras.analysis.svg import GREY, INK, svg_picture, svg_text, text_width

_EDGE = "#ffffff"
# A mark, then the texts in turn: light enough for black letters, told apart in grey print, too.
_PARTS = ("#c8c8c8", "#a9cce8", "#f6c48b")
_HIGH, _GAP, _ARROW = 24, 6, 12


def task_strips(groups, places=None):
    """Draw the inputs of tasks as coloured strips, with an arrow where the answer is read.

    Args:
        groups: list of (name, lines); lines is a list of lines, one under the other, and a line a
            list of (token, part): a str, and 0 for a mark, 1 for the first text, 2 for the second.
        places: which tokens of a line get an arrow: for each group a list with a list of ints for
            each of its lines; None means the last one of every line.

    Returns:
        `Picture`.

    Raises:
        ValueError: there is nothing to draw, a part is none of the three, or the places don't fit
            the lines.
    """
    if not groups or not all(lines and all(lines) for _, lines in groups):
        raise ValueError("each group needs a line, and each line a token")
    if places is None:
        places = [[[len(line) - 1] for line in lines] for _, lines in groups]
    if [len(part) for part in places] != [len(lines) for _, lines in groups]:
        raise ValueError("each line of each group needs a list of places")
    left = max(text_width(name, 13) for name, _ in groups) + 20
    elements, spoken, y, widest = [], [], 8.0, left
    for (name, lines), read in zip(groups, places, strict=True):
        elements.append(svg_text(8, y + _HIGH - 7, name, 13, "start", GREY))
        for line, at in zip(lines, read, strict=True):
            if not set(at) <= set(range(len(line))):
                raise ValueError(f"{at} are not all places of a line of {len(line)} tokens")
            x = left
            for place, (token, part) in enumerate(line):
                if part not in range(len(_PARTS)):
                    raise ValueError(f"a part is 0, 1 or 2, not {part!r}")
                wide = text_width(str(token), 13) + 12
                elements.append(
                    f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{_HIGH}" '
                    f'fill="{_PARTS[part]}" stroke="{_EDGE}" stroke-width="1.5"/>'
                )
                middle = x + wide / 2
                elements.append(svg_text(middle, y + _HIGH - 7, token, 13, bold=part == 0))
                if place in at:
                    elements.append(_arrow(middle, y + _HIGH))
                x += wide
            widest = max(widest, x)
            y += _HIGH + _ARROW + _GAP
        y += 2 * _GAP
        spoken.append(f"{name}: " + "; ".join(" ".join(str(t) for t, _ in line) for line in lines))
    return svg_picture(elements, widest + 10, y, " | ".join(spoken))


def _arrow(x, y):
    tip = y + _ARROW
    return (
        f'<path d="M{x:.1f} {y + 1:.1f} V{tip - 1:.1f} M{x - 4:.1f} {tip - 5:.1f} '
        f'L{x:.1f} {tip - 1:.1f} L{x + 4:.1f} {tip - 5:.1f}" stroke="{INK}" fill="none"/>'
    )
