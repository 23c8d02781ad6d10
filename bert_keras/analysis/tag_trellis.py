"""A picture of the paths through the tags of a sentence: which steps are allowed, and which won."""

import math

from bert_keras.analysis.svg import GREY, INK, svg_picture, svg_text, text_width

_PATH, _OTHER, _EDGE = "#0072b2", "#d55e00", "#c4c4c4"
_ROW, _TOP = 42, 30


def tag_trellis(tokens, tags, scores, transitions, starts, paths, names):
    """Draw a column for every token and a node for every tag, with its score; lines are steps.

    Allowed steps are thin and grey; forbidden ones have no line, and a path that takes one anyway
    shows it with a cross.

    Args:
        tokens: list of T str.
        tags: list of C str.
        scores: float array of shape (T, C), printed in the nodes.
        transitions: float array of shape (C, C), [before, after]; -inf forbids.
        starts: float array of shape (C,); -inf forbids a tag at the first place.
        paths: pair of lists of T int: the first is drawn solid and blue, the second dashed and
            orange.
        names: pair of str, what the paths are called.

    Returns:
        `Picture`.

    Raises:
        ValueError: there is no token, or a path has another length.
    """
    if not len(tokens) or any(len(path) != len(tokens) for path in paths):
        raise ValueError(f"{len(tokens)} tokens, and paths of {[len(path) for path in paths]}")
    left = max(text_width(tag) for tag in tags) + 24
    wide = max(64.0, *(text_width(str(token), 14) + 16 for token in tokens))

    def node(place, tag):
        return left + wide * (place + 0.5), _TOP + _ROW * (tag + 0.5)

    elements = []
    for place in range(1, len(tokens)):
        for before in range(len(tags)):
            for after in range(len(tags)):
                if transitions[before][after] > -math.inf:
                    elements.append(_step(node(place - 1, before), node(place, after), _EDGE, 0.7))
    for number, path in enumerate(paths):
        colour, dash = ((_PATH, ""), (_OTHER, ' stroke-dasharray="7 5"'))[number]
        shift = 3 * number  # so that two paths over one step are both seen
        for place in range(1, len(tokens)):
            (x, y), (to_x, to_y) = node(place - 1, path[place - 1]), node(place, path[place])
            ends = (x, y + shift), (to_x, to_y + shift)
            elements.append(_step(*ends, colour, 3.0 - 0.6 * number, dash))
            if transitions[path[place - 1]][path[place]] == -math.inf:
                elements.append(_cross((x + to_x) / 2, (y + to_y) / 2 + shift))
        if starts[path[0]] == -math.inf:
            x, y = node(0, path[0])
            elements.append(_cross(x - 30, y + shift))
    for place, token in enumerate(tokens):
        elements.append(svg_text(node(place, 0)[0], 18, token, 14))
    for tag, name in enumerate(tags):
        elements.append(svg_text(8, node(0, tag)[1] + 5, name, 13, "start", GREY))
        for place in range(len(tokens)):
            elements += _circle(*node(place, tag), float(scores[place][tag]), tag, place, paths)
    y = _TOP + _ROW * len(tags) + 14
    x = left
    for number, name in enumerate(names):
        colour, dash = ((_PATH, ""), (_OTHER, ' stroke-dasharray="7 5"'))[number]
        elements.append(_step((x, y), (x + 30, y), colour, 3.0 - 0.6 * number, dash))
        elements.append(svg_text(x + 36, y + 5, name, 13, "start"))
        x += text_width(name) + 70
    width = max(left + wide * len(tokens) + 10, x)
    spoken = [
        f"{name}: " + " ".join(f"{t}/{tags[tag]}" for t, tag in zip(tokens, path, strict=True))
        for name, path in zip(names, paths, strict=True)
    ]
    return svg_picture(elements, width, y + 16, " | ".join(spoken))


def _step(start, end, colour, stroke, dash=""):
    return (
        f'<line x1="{start[0]:.1f}" y1="{start[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}" '
        f'stroke="{colour}" stroke-width="{stroke:.1f}"{dash}/>'
    )


def _cross(x, y):
    return (
        f'<path d="M{x - 6:.1f} {y - 6:.1f} l12 12 m0 -12 l-12 12" stroke="{INK}" '
        'stroke-width="2.2" fill="none"/>'
    )


def _circle(x, y, score, tag, place, paths):
    is_on = [path[place] == tag for path in paths]
    edge = _PATH if is_on[0] else _OTHER if any(is_on) else "#9a9a9a"
    return [
        f'<rect x="{x - 20:.1f}" y="{y - 11:.1f}" width="40" height="22" rx="11" fill="#ffffff" '
        f'stroke="{edge}" stroke-width="{2.4 if any(is_on) else 1.0}"/>',
        svg_text(x, y + 4, f"{score:.1f}", 11, bold=any(is_on)),
    ]
