"""What the exercises of notebook ch07c share: words, results as arrays, inputs that tell."""

import numpy as np

from autograder.messages import Text

NOTEBOOK = "ch07c_failure"
FAILURE = "bert_keras.analysis.failure"
CALIBRATION = "bert_keras.analysis.calibration"
WORDS = (
    *("the", "a", "cat", "dog", "bird", "barn", "field", "river", "cup", "door", "runs", "sleeps"),
    *("sings", "near", "under", "with", "one", "two", "red", "small", "quick", "quiet", "from"),
)


def some_words(rng, number, known=WORDS):
    """So many words at random."""
    return [str(word) for word in rng.choice(known, number)]


def as_floats(found):
    """Plain numbers as floats, inside a pair too: 0 and 0.0 are one number."""
    if isinstance(found, (tuple, list)):
        return tuple(as_floats(each) for each in found)
    plain = np.asarray(found) if not isinstance(found, (str, dict, type(None))) else found
    if isinstance(plain, np.ndarray) and plain.ndim == 0 and plain.dtype.kind in "iu":
        return float(plain)
    return found


def telling(make, ask, mistakes, tries=25):
    """Arguments for which as many mistakes as possible differ from what is right and each other.

    Args:
        make: function that draws arguments.
        ask: function (arguments, switch) → something that can be compared with `key`.
        mistakes: switches.
        tries: how often to draw.
    """
    best, most = None, -1
    for _ in range(tries):
        given = make()
        found = {key(ask(given, switch)) for switch in ({}, *mistakes)}
        if len(found) > most:
            best, most = given, len(found)
        if most == len(mistakes) + 1:
            break
    return best


def key(found):
    """Numbers of a result, rounded, so that two results can be compared."""
    if isinstance(found, (tuple, list)):
        return tuple(key(each) for each in found)
    array = np.asarray(found)
    if array.dtype.kind == "f":
        array = np.round(array, 4) + 0.0
    return (array.shape, array.tobytes())


def shortened(words, most=90):
    """Words in a row, as many of them as fit into so many letters."""
    line = " ".join(words)
    return line if len(line) <= most else line[: line.rindex(" ", 0, most)] + " …"


LISTS_CHANGED = Text(
    "传进来的列表或字典被改动了。",
    "A list or dict that was handed in is changed.",
)
CHANGE_HINTS = (
    (
        "哪一行改的是传进来的那个列表，而不是一份新的？",
        "Which line changes the list that was handed in, and not a new one?",
    ),
    (
        "把几段拼成一个新列表，或者先复制一份再改。",
        "Put the pieces together to a new list, or make a copy first and change that.",
    ),
)
