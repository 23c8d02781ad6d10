"""Parts of a class, for job arrays: the same student always falls into the same part."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from autograder.errors import CommandError


@dataclass(frozen=True)
class Shard:
    """One of several parts of a class.

    It depends on a student's id alone: whoever hands in later moves nobody else.

    Args:
        number: Which, from 1.
        count: Of how many.
    """

    number: int
    count: int

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Reads `2/8`.

        Raises:
            CommandError: when it is none.
        """
        found = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text.strip())
        number, count = map(int, found.groups()) if found else (0, 0)
        if not 1 <= number <= count:
            raise CommandError(f"--shard {text}: write i/n with i from 1 to n, for example 2/8")
        return cls(number, count)

    def holds(self, student: str) -> bool:
        """Whether a student belongs to this part."""
        digest = hashlib.sha256(student.encode("utf-8", "surrogateescape")).digest()
        return int.from_bytes(digest[:8]) % self.count == self.number - 1

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"

    @property
    def lock(self) -> str:
        """The name of its lock in the class folder."""
        return f"shard-{self.number}-of-{self.count}"
