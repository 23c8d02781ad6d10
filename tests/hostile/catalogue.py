"""What an entry of the hostile suite is, and all entries together."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hostile_course import ANSWERS, NOTEBOOK, POINTS, notebook, to_bytes

PRELUDE = '''
import os, re, sys
T = __import__("json").loads({targets!r})
FOUND = []

def read(name, path, size=1 << 20):
    """Opens something and remembers it where that worked."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        content = os.read(descriptor, size)
        if content:
            FOUND.append(name)
            FOUND.extend(re.findall(rb"SECRET-[0-9a-f]+", content))
    except (OSError, ValueError):
        pass

def attempt(name, act, *args):
    """Does something and remembers that it worked, and what came back."""
    try:
        result = act(*args)
    except (OSError, ValueError, AttributeError, ImportError, RuntimeError):
        return None
    FOUND.append(name)
    return result

def tell():
    if FOUND:
        raise RuntimeError("FOUND " + repr(FOUND)[:400])

'''


@dataclass(frozen=True)
class Entry:
    """One submission of the suite.

    Args:
        name: The student's id, unless `student` says otherwise.
        tries: What it attempts, in a sentence.
        answers: Exercise → what is handed in for it; the others are answered honestly.
        own: Further code cells, run before the answers.
        scores: Exercise → points that it must get. Left out means: 0 for every exercise in
            `answers`, full marks for the others.
        spoils: Exercises whose points it may lose by its own doing; no more than these.
        incidents: Kinds of incidents that may be noted; any other is a fault of ours.
        repairs: Codes of repairs that must be reported.
        submit: Writes the submission in place of the usual; gets the student's folder and the
            notebook's bytes.
        student: The name of the folder, where the name itself is the trick.
        graded: Whether there must be a result at all.
        harmless: Whether it may run without a jail, which shows that what it tries would work.
        slow: Whether it takes seconds rather than parts of one.
    """

    name: str
    tries: str
    answers: dict[str, str] = field(default_factory=dict)
    own: tuple[str, ...] = ()
    scores: dict[str, float] | None = None
    spoils: tuple[str, ...] = ()
    incidents: tuple[str, ...] = ()
    repairs: tuple[str, ...] = ()
    submit: Callable[[Path, bytes], Any] | None = None
    student: str = ""
    graded: bool = True
    harmless: bool = False
    slow: bool = False

    @property
    def folder(self) -> str:
        """The student's id."""
        return self.student or self.name

    @property
    def expected(self) -> dict[str, float]:
        """Points for every exercise."""
        found = {**POINTS, **dict.fromkeys(self.answers, 0.0)}
        return {**found, **(self.scores or {})}

    def content(self, targets: str) -> bytes:
        """The notebook that is handed in.

        Args:
            targets: Names of what to aim at, as JSON.
        """
        head = PRELUDE.replace("{targets!r}", repr(targets))
        fill = lambda text: text.replace("#PRELUDE", head)  # noqa: E731
        answers = {name: fill(text) for name, text in self.answers.items()}
        return to_bytes(notebook(answers, tuple(fill(text) for text in self.own)))

    def hand_in(self, submitted: Path, targets: str) -> None:
        """Puts it where submissions lie."""
        folder = submitted / self.folder / NOTEBOOK
        folder.mkdir(parents=True)
        content = self.content(targets)
        if self.submit is None:
            (folder / f"{NOTEBOOK}.ipynb").write_bytes(content)
        else:
            self.submit(folder, content)


ALL_BUT = lambda *names: tuple(name for name in ANSWERS if name not in names)  # noqa: E731
REST = ALL_BUT("double")


def attack(name: str, tries: str, act: str, **facts: Any) -> Entry:
    """An entry whose cell for `double` does something and answers nothing."""
    source = f"#PRELUDE\n{act.strip()}\ntell()\n"
    return Entry(name, tries, {"double": source}, **facts)


def call(name: str, tries: str, act: str, **facts: Any) -> Entry:
    """An entry that does it while being called."""
    lines = "\n    ".join(act.strip().split("\n"))
    source = f"#PRELUDE\ndef double(x):\n    {lines}\n    tell()\n    return x * 0\n"
    return Entry(name, tries, {"double": source}, **facts)


def entries() -> list[Entry]:
    """All of them; no two may have the same name."""
    import against_judge
    import against_limits
    import against_machine
    import not_ones_own
    import odd_answers
    import odd_files
    import odd_texts

    modules = (
        *(against_judge, odd_answers, not_ones_own),
        *(against_machine, against_limits, odd_texts, odd_files),
    )
    found = [entry for module in modules for entry in module.ENTRIES]
    names = [entry.folder for entry in found]
    assert len(set(names)) == len(names)
    return found
