"""A picture of what a search over beginnings of a sentence looked at, kept and dropped."""

import math

from bert_keras.analysis.svg import INK, svg_picture, svg_text, text_width

_GREY, _ACCENT = "#767676", "#0072b2"
_ROW, _HEIGHT, _GAP = 40, 32, 44


def search_tree(next_log_probs, asked, found, words, summary, children=4):
    """Draw the tree of a search: every beginning, with its probability.

    What was continued or returned is drawn thick, the rest thin and grey, and sentences that were
    returned have a frame.

    Args:
        next_log_probs: callable, a list of token ids to the log-probabilities of the next token,
            a float array of shape (V,).
        asked: list of lists of int, the beginnings that the search asked about, begin_id first.
        found: list of pairs (token ids without begin_id, score), what the search returned.
        words: list of V str.
        summary: str, what a screen reader and a text-only page say instead.
        children: int, how many continuations of a beginning are drawn: the likeliest, and those
            that were kept.

    Returns:
        `Picture`.

    Raises:
        ValueError: the search asked about nothing.
    """
    if not asked:
        raise ValueError("a search that asked about nothing has no tree")
    begin = asked[0][0]
    continued = {tuple(prefix[1:]) for prefix in asked}
    returned = {tuple(int(i) for i in tokens) for tokens, _ in found}
    kept = continued | returned
    totals, below = {(): 0.0}, {}
    for node in sorted(continued, key=len):
        gains = [float(gain) for gain in next_log_probs([begin, *node])]
        likeliest = sorted(range(len(gains)), key=lambda i, gains=gains: -gains[i])
        likeliest = [i for i in likeliest if gains[i] > -math.inf]
        shown = [i for n, i in enumerate(likeliest) if n < children or (*node, i) in kept]
        below[node] = [(*node, i) for i in shown]
        for i in shown:
            totals[*node, i] = totals.get(node, 0.0) + gains[i]

    rows, places = 0, {}

    def place(node):
        """Put leaves in rows of their own, and others in the middle of what is below them."""
        nonlocal rows
        if not below.get(node):
            places[node] = rows
            rows += 1
            return
        for child in below[node]:
            place(child)
        first, last = below[node][0], below[node][-1]
        places[node] = (places[first] + places[last]) / 2

    place(())
    names = {node: words[node[-1]] if node else words[begin] for node in places}
    width = 16 + max(text_width(name) for name in names.values())

    def corner(node):
        return 10 + len(node) * (width + _GAP), 10 + places[node] * _ROW

    lines, boxes = [], []
    for node in places:
        x, y = corner(node)
        was_kept = not node or node in kept
        colour = INK if was_kept else _GREY
        if node in returned:
            boxes.append(
                f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{_HEIGHT}" rx="4" '
                f'fill="#f4f8fc" stroke="{_ACCENT}" stroke-width="1.8"/>'
            )
        middle, chance = x + width / 2, math.exp(totals.get(node, 0.0))
        boxes.append(svg_text(middle, y + 14, names[node], 13, colour=colour, bold=was_kept))
        boxes.append(svg_text(middle, y + 28, f"{chance:.2f}", 11, colour=colour))
        for child in below.get(node, []):
            to_x, to_y = corner(child)
            stroke = (_ACCENT, 2.6) if child in kept else (_GREY, 0.9)
            lines.append(
                f'<line x1="{x + width:.1f}" y1="{y + _HEIGHT / 2:.1f}" x2="{to_x:.1f}" '
                f'y2="{to_y + _HEIGHT / 2:.1f}" stroke="{stroke[0]}" stroke-width="{stroke[1]}"/>'
            )
    full_width = 10 + (max(map(len, places)) + 1) * (width + _GAP) - _GAP + 10
    full_height = 10 + rows * _ROW
    return svg_picture([*lines, *boxes], full_width, full_height, summary)
