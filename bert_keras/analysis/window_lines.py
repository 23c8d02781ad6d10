"""A picture of windows over a long text, and of the answer in it."""

from bert_keras.analysis.svg import GREY, INK, svg_picture, svg_text, text_width

_TEXT, _WINDOW, _ANSWER = "#e8e8e8", "#a9cce8", "#f6c48b"


def window_lines(length, windows, words, answer=None, width=640):
    """Draw windows over a text: the text as a bar, and below it every window where it lies.

    Args:
        length: int, tokens of the text, at least 1.
        windows: list of (start, end), end exclusive.
        words: three str: what to call the text, the windows and the answer.
        answer: optional pair (first, last), both inclusive; a window that has all of it is drawn
            with a heavy edge.
        width: float, pixels of the bar.

    Returns:
        `Picture`.

    Raises:
        ValueError: there is no window, or one of them or the answer lies outside of the text.
    """
    inside = all(0 <= start <= end <= length for start, end in windows)
    if not windows or not inside or length < 1:
        raise ValueError(f"{windows} are not all windows of {length} tokens")
    if answer is not None and not 0 <= answer[0] <= answer[1] < length:
        raise ValueError(f"the answer {answer} is not in {length} tokens")
    named = [words[0], *(f"{words[1]} {n}" for n in range(1, len(windows) + 1))]
    left = max(text_width(name) for name in named) + 20
    scale = width / length

    def bar(start, end, y, fill, edge="none", stroke=1.0):
        return (
            f'<rect x="{left + start * scale:.1f}" y="{y:.1f}" '
            f'width="{max((end - start) * scale, 1.0):.1f}" height="16" fill="{fill}" '
            f'stroke="{edge}" stroke-width="{stroke}"/>'
        )

    # Numbers of ends are drawn last, since the answer would hide them.
    elements, ends, spoken, y = [], [], [], 10.0
    for name, (start, end) in zip(named, [(0, length), *windows], strict=True):
        is_text = y == 10.0
        whole = not is_text and answer is not None and start <= answer[0] and answer[1] < end
        elements.append(svg_text(8, y + 13, name, 13, "start", INK if whole else GREY))
        edge = ("#1a1a1a", 2.4) if whole else ("#767676", 0.8)
        elements.append(bar(start, end, y, _TEXT if is_text else _WINDOW, *edge))
        ends.append(svg_text(left + end * scale + 4, y + 13, end, 11, "start"))
        if start:
            ends.append(svg_text(left + start * scale - 4, y + 13, start, 11, "end"))
        spoken.append(f"{name}: {start}–{end}" + (" ✓" if whole else ""))
        y += 24
    if answer is not None:
        first, last = answer
        elements.append(
            f'<rect x="{left + first * scale:.1f}" y="6" '
            f'width="{max((last + 1 - first) * scale, 2.0):.1f}" height="{y - 8:.1f}" '
            f'fill="{_ANSWER}" fill-opacity="0.75" stroke="#b35900" stroke-width="1"/>'
        )
        middle = left + (first + last + 1) / 2 * scale
        elements.append(svg_text(middle, y + 12, words[2], 12))
        spoken.append(f"{words[2]}: {first}–{last}")
        y += 18
    return svg_picture([*elements, *ends], left + width + 50, y + 4, " | ".join(spoken))
