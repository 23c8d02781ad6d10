"""Which bug a debugging drill shows, and the opaque code that names it in the notebook."""

import hashlib

# The case of every drill that asks for a name, and for no result; see `exercises.drill_parts`.
NAME_OF_THE_BUG = "named_the_bug"


def choose(bugs, seed):
    """Return the bug that ``seed`` selects.

    Args:
        bugs: sequence, the bugs (or their keys) in the order of the drill's source.
        seed: int, the public seed or a class's own.

    Returns:
        One of ``bugs``.
    """
    bugs = list(bugs)
    return bugs[seed % len(bugs)]


def code(exercise_id, key):
    """Return the code that stands for a bug in a released check cell.

    The check cell is on the page in front of the student, so it can't carry the bug's name: that
    is the answer. The code keeps an honest reader from seeing it by accident; it isn't a secret.

    Args:
        exercise_id: str, such as ``"drill_ch03a_self_attention"``.
        key: str, the bug's key.

    Returns:
        str of eight hexadecimal digits.
    """
    return hashlib.sha256(f"{exercise_id}/{key}".encode()).hexdigest()[:8]


def resolve(exercise_id, variant, keys):
    """Return the bug that a check cell's ``variant`` stands for.

    Args:
        exercise_id: str, the drill.
        variant: str, a code from `code`, or a key itself.
        keys: iterable of str, the drill's bugs.

    Returns:
        The matching key.

    Raises:
        ValueError: if no bug of the drill has that code or key.
    """
    for key in keys:
        if variant in (key, code(exercise_id, key)):
            return key
    raise ValueError(f"{exercise_id} has no variant {variant!r}")
