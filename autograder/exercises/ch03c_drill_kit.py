"""Scripts and batches for the drill of ch03c."""

import numpy as np

from autograder.exercises.common import normal, real_tokens


def a_script(rng, size, begin_id, end_id, length, ends):
    """A translator that ends where it likes, `ends` being how likely that is."""
    echo = 1.2 * normal(rng, size, size)
    echo[:, begin_id] = 0.0
    scripts = normal(rng, length, size)
    scripts[:, end_id] += ends
    return {
        "table": 1.5 * normal(rng, size, 5),
        "plans": np.zeros(size, np.float32),
        "kernel": normal(rng, 5, size) / 2,
        "scripts": scripts,
        "echo": echo,
        "begin_id": begin_id,
        "end_id": end_id,
        "tires": 0.0,
    }


def a_batch(rng, script, source_lengths, target_lengths, widths):
    """Sources and targets with their masks; padding has ids that other tokens have too."""
    size, count = len(script["table"]), len(source_lengths)
    source_ids = rng.integers(0, size, (count, widths[0])).astype(np.int32)
    target_ids = rng.integers(0, size, (count, widths[1])).astype(np.int32)
    target_ids[:, 0] = script["begin_id"]
    for row, length in enumerate(target_lengths):
        target_ids[row, length - 1] = script["end_id"]
    masks = (
        real_tokens(lengths, width)
        for lengths, width in zip((source_lengths, target_lengths), widths, strict=True)
    )
    source_mask, target_mask = masks
    return source_ids, source_mask, target_ids, target_mask


def overtaken(rng):
    """What ends at once leads for a while, and a longer sentence is better in the end.

    With copies of it, or after a stop, there is no room or no time for the longer one.
    """
    script = _nearly_sure(rng)
    script["scripts"][0] += (1.75, 0, 2, 0, 0)
    script["scripts"][np.arange(1, 9), (0, 1, 3, 0, 3, 1, 2, 2)] += 5
    return script, a_batch(rng, script, (3, 2), (4, 3), (3, 4)), 9


def crowded(rng):
    """The third of three hypotheses wins in the end; the second has ended and never leads."""
    script = _nearly_sure(rng)
    script["scripts"][0] += (2.15, 1.85, 2, 0, 0)
    script["echo"] /= 4
    script["echo"][0, 3] += 6  # after a 0 a 3 is nearly sure, and then nothing is,
    script["echo"][3, 3] -= 3
    script["echo"][1, 1] += 6  # while a 1 is followed by others until the end
    script["scripts"][4, 2] += 16
    return script, a_batch(rng, script, (3, 2), (4, 3), (3, 4)), 7


def _nearly_sure(rng):
    """Five tokens, begin_id 4 and end_id 2, whose scores differ little until somebody adds more."""
    script = a_script(rng, 5, 4, 2, 9, 0.0)
    script["kernel"] /= 8
    script["echo"] /= 4
    script["scripts"] /= 5
    return script
