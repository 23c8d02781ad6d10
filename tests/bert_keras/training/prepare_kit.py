"""Made-up text for tests of `prepare`, and what a folder holds."""

import hashlib

from bert_keras.training import files

CHARACTERS = "天地人山水火风云红黄蓝白黑青紫绿甲乙丙丁戊己庚辛"


def paragraph_of(rng):
    """Four to six sentences of random characters."""
    return "".join(
        "".join(rng.choice(CHARACTERS) for _ in range(rng.randrange(4, 12))) + "。"
        for _ in range(rng.randrange(4, 7))
    )


def contents(folder):
    """What each file holds, but for the memory of what was verified."""
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.iterdir()
        if path.name != files.VERIFIED
    }
