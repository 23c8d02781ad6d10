"""Word-level pictures of attention as self-contained SVG.

One hue runs from white to dark blue: it reads the same for every kind of colour vision and on a
grey printer.
Weights from 0.05 up are printed in their cell as hundredths, so nothing hangs on colour alone.
"""

from xml.sax.saxutils import escape

import numpy as np

from bert_keras.analysis.svg import GREY, INK, svg_picture, svg_text, text_width

_DARK = (8, 48, 107)  # weight 1; weight 0 is white
_PRINTED_FROM = 0.05
_ACCENT = "#d55e00"


def _colour(weight):
    share = min(max(float(weight), 0.0), 1.0)
    red, green, blue = (round(255 + (dark - 255) * share) for dark in _DARK)
    return f"#{red:02x}{green:02x}{blue:02x}"


class _Canvas:
    """Collects SVG elements and remembers how far they reach."""

    def __init__(self):
        self.elements = []
        self.width = self.height = 0.0

    def _reach(self, x, y):
        self.width, self.height = max(self.width, x), max(self.height, y)

    def text(self, x, y, text, size=13, anchor="middle", colour=INK, bold=False):
        self.elements.append(svg_text(x, y, text, size, anchor, colour, bold))
        spread = {"start": 1.0, "middle": 0.5, "end": 0.0}[anchor] * text_width(str(text), size)
        self._reach(x + spread, y + 4)

    def cell(self, x, y, width, height, weight):
        self.elements.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" '
            f'fill="{_colour(weight)}" stroke="#c8c8c8" stroke-width="0.5"/>'
        )
        if weight >= _PRINTED_FROM:
            colour = "#ffffff" if weight > 0.65 else "#000000"  # contrast 4.5 everywhere
            label = f"{100 * weight:.0f}"
            size = min(11.5, width / (0.62 * len(label)))
            self.text(x + width / 2, y + height / 2 + size * 0.36, label, size, colour=colour)
        self._reach(x + width, y + height)

    def outline(self, x, y, width, height):
        self.elements.append(
            f'<rect x="{x + 1:.1f}" y="{y + 1:.1f}" width="{width - 2:.1f}" '
            f'height="{height - 2:.1f}" fill="none" stroke="{_ACCENT}" stroke-width="2.5"/>'
        )

    def line(self, x1, y1, x2, y2):
        self.elements.append(
            f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
            f'stroke="{INK}" stroke-width="1"/>'
        )

    def cross(self, x, y, side):
        near, far = 0.27 * side, 0.73 * side
        self.line(x + near, y + near, x + far, y + far)
        self.line(x + near, y + far, x + far, y + near)

    def picture(self, summary):
        return svg_picture(self.elements, self.width + 8, self.height + 8, summary)


def _scale_bar(canvas, x, y, crossed=""):
    """Draw what the shades mean, hundredths from 0 to 100, and perhaps what a cross means."""
    for step in range(5):
        canvas.cell(x + 34 * step, y, 34, 16, step / 4)
    canvas.text(x + 17, y + 12, "0", 11)
    canvas.text(x + 34 * 5 + 6, y + 12, "%", 11, "start", GREY)
    if crossed:
        canvas.cell(x + 34 * 6, y, 16, 16, 0)
        canvas.cross(x + 34 * 6, y, 16)
        canvas.text(x + 34 * 6 + 22, y + 12, crossed, 11, "start", GREY)


def query_rows(sentences, weights, query, answers=None, names=None):
    """Draw the attention of one query: every head of every layer, one line per sentence.

    Several versions of a sentence (the same words but for a few) are put under each other within
    each head, so that a change meets the eye. Where the versions differ, the column shows the
    words of all of them. The query's own word is bold, answers are framed.

    Args:
        sentences: list of token lists, all of the same length T.
        weights: one array per sentence of shape (L, N, T): layer, head, key.
        query: int, the position of the query.
        answers: optional list of ints, per sentence the position to frame.
        names: optional list of str, what to call the sentences; by default the words in which
            they differ.

    Returns:
        `Picture`. Heads are called layer-head, counted from 1: 2-3 is layer 2, head 3.

    Raises:
        ValueError: if the sentences or weights don't fit each other.
    """
    sentences = [list(tokens) for tokens in sentences]
    weights = [np.asarray(rows, dtype="float64") for rows in weights]
    length = len(sentences[0])
    if any(len(tokens) != length for tokens in sentences):
        raise ValueError("all sentences must have the same number of tokens")
    if len(weights) != len(sentences):
        raise ValueError(f"{len(sentences)} sentences but {len(weights)} arrays of weights")
    for rows in weights:
        if rows.ndim != 3 or rows.shape[-1] != length or rows.shape != weights[0].shape:
            raise ValueError(f"weights must have shape (L, N, {length}), not {rows.shape}")
    columns = [list(dict.fromkeys(words)) for words in zip(*sentences, strict=True)]
    if names is None:
        differing = [t for t, words in enumerate(columns) if len(words) > 1]
        names = [" ".join(tokens[t] for t in differing) for tokens in sentences]
    widths = [max(32.0, *(text_width(word) + 10 for word in words)) for words in columns]
    name_width = max([text_width(name, 12) for name in names] + [0]) + 10
    left, height, gap = 44 + name_width, 21, 7
    top = 12 + 17 * max(len(words) for words in columns)
    edges = left + np.concatenate([[0], np.cumsum(widths)])

    canvas = _Canvas()
    for t, words in enumerate(columns):
        for line, word in enumerate(words):
            y = top - 8 - 17 * (len(words) - 1 - line)
            canvas.text((edges[t] + edges[t + 1]) / 2, y, word, bold=t == query)
    y = top
    layers, heads, _ = weights[0].shape
    for layer in range(layers):
        if layer:
            canvas.line(4, y - gap / 2, edges[-1], y - gap / 2)
            y += gap / 2
        for head in range(heads):
            middle = y + height * len(sentences) / 2 + 4.5
            canvas.text(6, middle, f"{layer + 1}-{head + 1}", 13, "start", bold=True)
            for version, rows in enumerate(weights):
                canvas.text(left - 6, y + 15, names[version], 12, "end", GREY)
                for t in range(length):
                    canvas.cell(edges[t], y, widths[t], height, rows[layer, head, t])
                if answers is not None:
                    t = answers[version]
                    canvas.outline(edges[t], y, widths[t], height)
                y += height
            y += gap
    _scale_bar(canvas, left, y + 4)
    tops = [
        f"{layer + 1}-{head + 1} {name}: {tokens[int(rows[layer, head].argmax())]} "
        f"{rows[layer, head].max():.2f}"
        for layer in range(layers)
        for head in range(heads)
        for name, tokens, rows in zip(names, sentences, weights, strict=True)
    ]
    return canvas.picture(f"{sentences[0][query]} → " + "; ".join(tops))


def attention_map(
    tokens, weights, key_tokens=None, titles=None, columns=4, mask=None, crossed="mask = False"
):
    """Draw whole maps: rows are queries, columns are keys, one map per head.

    Args:
        tokens: list of str, the queries (length T).
        weights: array of shape (T, S) or (N, T, S).
        key_tokens: optional list of str, the keys (length S); by default the queries.
        titles: optional list of N str above the maps.
        columns: int, how many maps stand side by side.
        mask: optional bool array that broadcasts to (T, S): closed cells are crossed out, so that
            "may not look" and "does not look" can be told apart.
        crossed: str, what to write beside a cross under the maps.

    Returns:
        `Picture`.

    Raises:
        ValueError: if the weights don't fit the tokens.
    """
    key_tokens = list(tokens if key_tokens is None else key_tokens)
    tokens = list(tokens)
    weights = np.asarray(weights, dtype="float64")
    maps = weights[None] if weights.ndim == 2 else weights
    if maps.ndim != 3 or maps.shape[1:] != (len(tokens), len(key_tokens)):
        raise ValueError(
            f"weights of shape {weights.shape} don't fit {len(tokens)} queries and "
            f"{len(key_tokens)} keys"
        )
    if titles is None:
        titles = [str(head + 1) if len(maps) > 1 else "" for head in range(len(maps))]
    if mask is not None:
        mask = np.broadcast_to(np.asarray(mask), maps.shape[1:])
    side = 26
    slanted = max(text_width(word, 12) for word in key_tokens) > side - 2
    left = max(text_width(word, 12) for word in tokens) + 18
    top = 24 + (max(text_width(word, 12) for word in key_tokens) * 0.8 + 8 if slanted else 20)
    overhang = top * 0.6 if slanted else 0
    panel_width = left + side * len(key_tokens) + overhang + 18
    panel_height = top + side * len(tokens) + 14

    canvas = _Canvas()
    for index, (rows, title) in enumerate(zip(maps, titles, strict=True)):
        x0 = (index % columns) * panel_width
        y0 = (index // columns) * panel_height
        canvas.text(x0 + left, y0 + 16, title, 13, "start", bold=True)
        for s, word in enumerate(key_tokens):
            x, y = x0 + left + side * (s + 0.5), y0 + top - 6
            if slanted:
                canvas.elements.append(
                    f'<text x="{x:.1f}" y="{y:.1f}" font-size="12" fill="{INK}" '
                    f'transform="rotate(-50 {x:.1f} {y:.1f})">{escape(word)}</text>'
                )
                canvas._reach(x + text_width(word, 12) * 0.7, y)
            else:
                canvas.text(x, y, word, 12)
        for t, word in enumerate(tokens):
            y = y0 + top + side * t
            canvas.text(x0 + left - 6, y + side / 2 + 4, word, 12, "end")
            for s in range(len(key_tokens)):
                x = x0 + left + side * s
                canvas.cell(x, y, side, side, rows[t, s])
                if mask is not None and not mask[t, s]:
                    canvas.cross(x, y, side)
    _scale_bar(canvas, left, canvas.height + 12, "" if mask is None else crossed)
    lines = [
        f"{title} {word}: {key_tokens[int(row.argmax())]} {row.max():.2f}".strip()
        for title, rows in zip(titles, maps, strict=True)
        for word, row in zip(tokens, rows, strict=True)
        if row.max() > 0  # of an empty row there is nothing to tell
    ]
    return canvas.picture("; ".join(lines))
