"""Mistakes by which a table loses its gradient: switches, sentences and hints."""

from autograder.exercises.ch01a_2_rnn import GRADIENT_LOST

TYING_HINTS = (
    (
        "词元表用了几次？训练时，每一次用到它的地方都应当有梯度传回去。",
        "How often is the token table used? In training, a gradient should come back from every "
        "use.",
    ),
    (
        "表的副本、变成 NumPy 的表、停掉的梯度：数值都对，可是各学各的。",
        "A copy, a NumPy array, a stopped gradient: the numbers agree, but nothing is shared.",
    ),
)

TYING = {
    "tying_lost": (
        {"tying": "output_cut"},
        "数值对，但输出那一头的梯度传不回词元表：两处不再共用一张表。",
        "The numbers are right, but no gradient gets back to the token table from the output: the "
        "two ends no longer share it.",
        TYING_HINTS,
    ),
    "lookup_cut_off": (
        {"tying": "lookup_cut"},
        "数值对，但查表那一头的梯度传不回词元表。",
        "The numbers are right, but no gradient gets back to the token table from the lookup.",
        TYING_HINTS,
    ),
    "table_copied": (
        {"tying": "both_cut"},
        "数值对，但没有梯度传回词元表：查表和输出用的都是它的副本，学的是副本。",
        "The numbers are right, but no gradient gets back to the token table: lookup and output "
        "both use a copy, and it is the copy that learns.",
        TYING_HINTS,
    ),
    "positions_cut_off": (
        {"gradient": "positions_lost"},
        "数值对，但梯度传不回位置表。",
        "The numbers are right, but no gradient gets back to the position table.",
        TYING_HINTS,
    ),
    "gradient_lost": (
        {"gradient": "lost"},
        GRADIENT_LOST["zh"],
        GRADIENT_LOST["en"],
        GRADIENT_LOST["hints"],
    ),
}
