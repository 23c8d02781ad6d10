"""A view of any head to click through: lines from word to word, in a notebook or a web page.

It is one piece of HTML with its script inside and asks for nothing from outside. Where scripts
don't run (a notebook that isn't trusted, a page that shows notebooks), a picture of one head stands
there; the script replaces it.
"""

import base64
import json
import uuid
from pathlib import Path

import numpy as np

from bert_keras.analysis.svg import FONTS, GREY, INK, Picture, svg_picture, svg_text, text_width

_LINE, _TOP, _GAP, _SIZE = 22, 40, 150, 13
_BLUE, _ORANGE = "#08306b", "#d55e00"
_FAINTEST = 0.02  # lines below are left out
_SCRIPT = Path(__file__).with_name("head_view.js")

_WORDS = {
    "zh": {
        "layer": "层",
        "head": "头",
        "word": "词",
        "all": "全部",
        "query": "查询（谁在看）",
        "key": "键（看谁）",
        "help": "方向键：← → 换头，↑ ↓ 换层。指着一个词，只看它的线；点一下就固定住。",
        "from": "看",
        "to": "被谁看",
        "view": "注意力",
        "still": "这是其中一个头的静态图；在笔记本里运行这个单元格，就能换别的头。",
        "colon": "：",
        "comma": "，",
    },
    "en": {
        "layer": "layer",
        "head": "head",
        "word": "word",
        "all": "all",
        "query": "query (who looks)",
        "key": "key (at whom)",
        "help": "Arrow keys: ← → for the head, ↑ ↓ for the layer. Point at a word to see its lines "
        "only; click to keep them.",
        "from": "looks at",
        "to": "is looked at by",
        "view": "attention",
        "still": "A still picture of one head: run the cell in a notebook to choose others.",
        "colon": ": ",
        "comma": ", ",
    },
}


class HeadView:
    """What `head_view` returns.

    Args:
        content: dict, what the script gets.
        picture: `Picture` of the head that is shown first, where no script runs.
    """

    def __init__(self, content, picture):
        self._content = content
        self.picture = picture

    def _repr_html_(self):
        # A name of its own every time, so that the same view may stand on a page twice.
        return _html(self._content, self.picture, f"heads-{uuid.uuid4().hex}")

    def __repr__(self):
        return self.picture.summary

    def save(self, path):
        """Write a web page with nothing but the view.

        Args:
            path: the file to write.
        """
        page = (
            f'<!DOCTYPE html><html><head><meta charset="utf-8"/></head><body>{self._repr_html_()}'
        )
        Path(path).write_text(page + "</body></html>\n", encoding="utf-8")


def head_view(tokens, weights, segment_ids=None, language="en", layer=1, head=1):
    """Show every head of a model on one text, to be chosen by hand.

    Args:
        tokens: list of T str.
        weights: float array of shape (L, N, T, T), attention weights, [layer, head, query, key].
        segment_ids: optional int array of shape (T,), 0 or 1: where there are two texts, their
            words are marked by A and B.
        language: "zh" or "en", of the labels.
        layer, head: int, from 1, what to show first.

    Returns:
        `HeadView`; a notebook shows it, and `save` writes it to a file.

    Raises:
        ValueError: the weights don't fit the tokens, or there is no such head.
    """
    tokens = [str(token) for token in tokens]
    weights = np.asarray(weights, dtype="float64")
    if weights.ndim != 4 or weights.shape[2:] != (len(tokens), len(tokens)) or not weights.size:
        raise ValueError(
            f"weights must have shape (L, N, {len(tokens)}, {len(tokens)}), not {weights.shape}"
        )
    if not (1 <= layer <= weights.shape[0] and 1 <= head <= weights.shape[1]):
        raise ValueError(f"there is no head {layer}-{head} in weights of shape {weights.shape}")
    if language not in _WORDS:
        raise ValueError(f"language is {language!r}; there are {', '.join(_WORDS)}")
    segments = [0] * len(tokens) if segment_ids is None else [int(n) for n in segment_ids]
    if len(segments) != len(tokens):
        raise ValueError(f"{len(segments)} segment ids for {len(tokens)} tokens")
    names = ["AB"[min(n, 1)] if max(segments) else "" for n in segments]
    words = _WORDS[language]
    room = 64 if max(segments) else 40  # for a share, and for the letter of the text
    content = {
        "tokens": tokens,
        "segments": names,
        "layers": weights.shape[0],
        "heads": weights.shape[1],
        "layer": layer - 1,
        "head": head - 1,
        "words": words,
        "side": max([text_width(token, _SIZE) for token in tokens] + [90.0]) + room,
        # One byte a weight: right to 0.2 per cent, and a twelfth of what the digits would take.
        "weights": base64.b64encode(
            np.rint(np.clip(weights, 0, 1) * 255).astype("uint8").tobytes()
        ).decode("ascii"),
    }
    return HeadView(content, _picture(content, weights[layer - 1, head - 1]))


def _picture(content, weights):
    """One head as it is when nothing has been clicked."""
    tokens, words, side = content["tokens"], content["words"], content["side"]
    name = f"{words['view']} {content['layer'] + 1}-{content['head'] + 1}"
    right = side + _GAP
    elements = [
        svg_text(8, 16, name, 13, "start", bold=True),
        svg_text(side - 8, 32, words["query"], 11, "end", GREY),
        svg_text(right + 8, 32, words["key"], 11, "start", GREY),
    ]
    spoken = []
    for t, token in enumerate(tokens):
        y = _TOP + _LINE * (t + 0.5)
        for s in np.flatnonzero(weights[t] >= _FAINTEST):
            weight = weights[t, s]
            elements.append(
                f'<line x1="{side:.1f}" y1="{y:.1f}" x2="{right:.1f}" '
                f'y2="{_TOP + _LINE * (s + 0.5):.1f}" stroke="{_BLUE}" '
                f'stroke-width="{0.5 + 4 * weight:.2f}" stroke-opacity="{0.1 + 0.9 * weight:.2f}"/>'
            )
        elements.append(svg_text(side - 8, y + 4.5, token, _SIZE, "end"))
        elements.append(svg_text(right + 8, y + 4.5, token, _SIZE, "start"))
        if content["segments"][t]:
            elements.append(svg_text(4, y + 4.5, content["segments"][t], 11, "start", GREY))
            end = right + side - 4
            elements.append(svg_text(end, y + 4.5, content["segments"][t], 11, "end", GREY))
        best = int(weights[t].argmax())
        spoken.append(f"{token} → {tokens[best]} {weights[t, best]:.2f}")
    height = _TOP + _LINE * len(tokens) + 8
    return svg_picture(elements, right + side, height, f"{name}: " + "; ".join(spoken))


def _html(content, picture: Picture, name):
    encoded = base64.b64encode(picture.svg.encode("utf-8")).decode("ascii")
    drawing = {"line": _LINE, "top": _TOP, "gap": _GAP, "size": _SIZE, "faintest": _FAINTEST}
    drawing |= {"blue": _BLUE, "orange": _ORANGE, "ink": INK, "grey": GREY, "fonts": FONTS}
    data = json.dumps({**content, **drawing, "name": name}, ensure_ascii=False)
    # Nothing that a token says can end the script or begin a tag.
    for character in "<>&\u2028\u2029":
        data = data.replace(character, f"\\u{ord(character):04x}")
    # A picture as `img` survives where inline SVG is taken out together with the scripts.
    summary = picture.summary.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    script = _SCRIPT.read_text(encoding="utf-8")
    return (
        f'<div id="{name}" data-lm-suppress-shortcuts="true"><img alt="{summary}" '
        f'style="max-width:100%;display:block" src="data:image/svg+xml;base64,{encoded}"/>'
        f"<small>{content['words']['still']}</small>"
        f"<script>{script}({data});</script></div>"
    )
