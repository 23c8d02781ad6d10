"""Sinusoids and learned position vectors in plain NumPy, with a switch for every mistake."""

from __future__ import annotations

import numpy as np

from autograder.oracles import Crash, oracle
from autograder.oracles.attention import shapes_clash


def _exponents(hidden_dim, exponent):
    """What the base is raised to, for the sine (row 0) and the cosine (row 1) of every pair."""
    pair = np.arange(hidden_dim // 2)
    column = np.stack([2 * pair, 2 * pair + 1])
    both = np.stack([pair, pair])
    with np.errstate(divide="ignore", invalid="ignore"):
        return {
            "pair": 2 * both / hidden_dim,
            "two_columns": 2 * column / hidden_dim,
            "column": column / hidden_dim,
            "next_for_cosine": 2 * np.stack([pair, pair + 1]) / hidden_dim,
            "pair_alone": both / hidden_dim,
            "twice_pair": 4 * both / hidden_dim,
            "to_the_last": both / max(hidden_dim // 2 - 1, 1),
            "none": np.zeros(both.shape),
            "from_one": 2 * (both + 1) / hidden_dim,
            "not_divided": 2.0 * both,
        }[exponent]


def _angles(position, hidden_dim, exponent, base, wave):
    """float (2, T, D/2): the angles of the sines and of the cosines."""
    power = _exponents(hidden_dim, exponent)[:, None, :]
    if wave == "floored_logarithm":  # -log(base) / D // 2
        return position * np.exp(2 * power * hidden_dim / 2 * (-np.log(base) / hidden_dim // 2))
    if wave == "swapped":  # exponent ** base
        return position / power**base
    if wave == "multiplied":
        return position * base**power
    if wave == "added":
        return position + base**power
    if wave == "product":  # base * exponent
        return position / (base * power)
    if wave == "full_turns":
        return 2 * np.pi * position / base**power
    if wave == "degrees":
        return np.deg2rad(position / base**power)
    return position / base**power


def sinusoids(
    length,
    hidden_dim,
    *,
    exponent="pair",
    base=1e4,
    wave="divided",
    start="zero",
    layout="interleaved",
    functions="sine_cosine",
    shape="table",
):
    """The sines and cosines of every position.

    Args:
        length: int T.
        hidden_dim: int D, even.
        exponent, base, wave, start, layout, functions, shape: the switches.

    Returns:
        float (T, D).
    """
    if shape == "sizes_exchanged":
        length, hidden_dim = hidden_dim, length
        if hidden_dim % 2:
            raise Crash()
    first = {"zero": 0, "one": 1}[start]
    position = np.arange(first, first + length, dtype=float)[:, None]
    if start == "backwards":
        position = position[::-1]
    if start == "share":  # how far through the sequence
        position = position / max(length, 1)
    with np.errstate(all="ignore"):
        sine, cosine = _angles(position, hidden_dim, exponent, float(base), wave)
        if functions == "by_position":  # even positions get sines, odd ones cosines
            angle = np.repeat(sine, 2, axis=-1)
            waves = np.where(position % 2, np.cos(angle), np.sin(angle))
        else:
            pair = {
                "sine_cosine": (np.sin(sine), np.cos(cosine)),
                "cosine_sine": (np.cos(cosine), np.sin(sine)),
                "sines": (np.sin(sine), np.sin(cosine)),
                "cosines": (np.cos(sine), np.cos(cosine)),
                "none": (sine, cosine),
            }[functions]
            if layout == "interleaved":
                waves = np.stack(pair, axis=-1).reshape(length, hidden_dim)
            elif layout == "halves":
                waves = np.concatenate(pair, axis=-1)
            elif layout == "alternate_halves":  # only every other pair is kept of each
                waves = np.concatenate(pair, axis=-1)[:, ::2].repeat(2, axis=-1)
            else:  # "rows": sine and cosine in turn go down and not across
                waves = np.stack(pair, axis=0).reshape(length, hidden_dim)
    if shape == "transposed":
        return waves.T
    if shape == "batch_of_one":
        return waves[None]
    return waves


sinusoidal_positions = oracle(parts=("table",))(sinusoids)


# ------------------------------------------------------------------ learned


@oracle(parts=("shape",))
def table_shape(max_length, hidden_dim, length, batch, *, table="whole", named="table"):
    """The shape of the weight called `table`, as text.

    Args:
        max_length, hidden_dim: M and D.
        length, batch: of the input that the layer was built on.
        table, named: the switches.
    """
    if named != "table":
        return NO_TABLE
    return shape_in_words(
        {
            "whole": (max_length, hidden_dim),
            "of_input": (length, hidden_dim),
            "one_row": (1, hidden_dim),
            "vector": (hidden_dim,),
            "one_number": (max_length, 1),
            "numbers": (max_length,),
            "transposed": (hidden_dim, max_length),
            "batch_too": (batch, length, hidden_dim),
            "batch_of_one": (1, max_length, hidden_dim),
            "one_longer": (max_length + 1, hidden_dim),
        }[table]
    )


NO_TABLE = "none"


def shape_in_words(shape):
    """A shape as text."""
    return " × ".join(map(str, shape)) or "1"


@oracle(parts=("start",))
def table_start(stddev, shape, *, begins="asked"):
    """In a word, how the table's first values are spread: see `spread_in_words`.

    Args:
        stddev: float, what the layer was made with.
        shape: (M, D).
        begins: the switch.
    """
    glorot = np.sqrt(2 / sum(shape))
    spread = {
        "asked": stddev, "zeros": 0.0, "ones": "ones", "default": glorot, "0.02": 0.02,
        "0.05": 0.05, "1.0": 1.0,
    }[begins]  # fmt: skip
    return spread if isinstance(spread, str) else in_words(spread, stddev, shape)


def spread_in_words(table, stddev):
    """How the table's values are spread, as a word that random draws don't change."""
    table = np.asarray(table, float)
    if table.size and np.all(table == table.flat[0]):
        return "zeros" if not table.any() else "ones"
    if abs(table.mean()) > table.std() / 2:
        return "another spread"
    return in_words(table.std(), stddev, table.shape)


def in_words(spread, stddev, shape):
    """The nearest of the spreads that are known, where one is near."""
    if spread == 0:
        return "zeros"
    # Cutting the tails off, as a truncated normal does, leaves 0.88 of the spread.
    known = {
        "as asked": stddev,
        "Keras's default": np.sqrt(2 / sum(shape)),
        "0.02": 0.02,
        "0.05": 0.05,
        "1.0": 1.0,
    }
    for name, value in known.items():
        if 0.8 < spread / value < 1.12:
            return name
    return "another spread"


@oracle(parts=("output",))
def learned_positions(x, table, *, rows="first", combined="added", named="table", kept="whole",
                      checked="length"):  # fmt: skip
    """Tokens with the vector of their position.

    Args:
        x: float (B, T, D).
        table: float (M, D).
        rows, combined, named, kept, checked: the switches.

    Returns:
        float (B, T, D).
    """
    # The values of a case can't be put into another table, and the whole table can't be added to
    # the sequence that a layer is built on.
    if named != "table" or kept != "whole" or rows == "whole":
        raise Crash()
    batch, length, _ = x.shape
    if checked == "one_too_early" and length >= len(table):
        raise Crash("ValueError")
    chosen = {
        "first": table[:length],
        "last": table[-length:],
        "from_one": table[1 : length + 1],
        "backwards": table[:length][::-1],
        "one_for_all": table[:1],
        "of_the_length": table[length % len(table)],
        "of_the_last": table[length - 1],
        "whole": table,
        "by_batch": table[:batch],
        "item_of_batch": table[:batch, None],
        "mean": table[:length].mean(axis=0),
    }[rows]
    if len(chosen) == 0:
        raise shapes_clash()
    try:
        return {
            "added": lambda: x + chosen,
            "alone": lambda: np.broadcast_to(chosen, x.shape),
            "rows_alone": lambda: chosen,
            "multiplied": lambda: x * chosen,
            "subtracted": lambda: x - chosen,
            "tokens_scaled": lambda: x * x.dtype.type(np.sqrt(x.shape[-1])) + chosen,
            "not_added": lambda: x,
            "joined": lambda: np.concatenate([x, np.broadcast_to(chosen, x.shape)], axis=-1),
        }[combined]()
    except ValueError as error:
        raise shapes_clash() from error


@oracle(parts=("learns",))
def table_learns(*, learns="yes"):
    """Whether the table moves in a step of training, as text: see `moved_in_words`."""
    return {"yes": "moves", "no": "stays"}[learns]


def moved_in_words(before, after):
    """The same from the table before a step and after it."""
    return "stays" if np.array_equal(before, after) else "moves"


@oracle(parts=("refused",))
def refuses(length, max_length, *, checked="length"):
    """Whether a sequence is refused with a ValueError, as text.

    Args:
        length: int T of the sequence.
        max_length: int M.
        checked: what is looked at: the `length`; `nothing`; `cut` takes what there is.
    """
    if checked == "one_too_early" and length == max_length:
        raise Crash("ValueError")
    if length <= max_length:
        return "accepted"
    if checked in ("length", "one_too_early"):
        return "ValueError"
    if checked in ("AssertionError", "returned"):
        return checked
    if checked == "one_late" and length > max_length + 1:
        return "ValueError"
    return "accepted" if checked == "cut" else "another error"
