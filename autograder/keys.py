"""What a stored result was made from, as digests: equal keys mean an equal result.

A key has two halves, `<grader>-<submission>`: so one can say which of the two has changed.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.metadata
import json
import platform
from pathlib import Path

from autograder.sandbox import Limits
from autograder.submissions import FORMAT, Assignment, Handed

HOME = Path(__file__).resolve().parent
LENGTH = 32

# Parts of this package on which no score depends: a change there must not cost a class its results.
UNRELATED = frozenset(
    {
        *("report", "bench", "gradebook", "feedback", "explain"),
        *("release.py", "assemble.py", "chapters.py", "sources.py", "lint.py", "init_class.py"),
        *("grade_cli.py", "grade_options.py", "grading.py", "running.py", "cache.py", "keys.py"),
        *("class_dir.py", "result_files.py", "in_step.py", "private.py", "scratch.py"),
        *("cluster.py", "cluster_worker.py", "shards.py", "merge.py", "rebuild.py", "regrade.py"),
        *("__main__.py", "doctor.py", "preflight.py", "preflight_text.py"),
        *("notebook_status.py", "variants.py", "variant_table.py"),
    }
)


def grader_key(assignment: Assignment, limits: Limits, *, contained: bool, data: bytes) -> str:
    """A digest of everything but the submission that a score depends on.

    Args:
        assignment: The released notebook, its checks and the seed.
        limits: What a submission may use.
        contained: Whether submissions run in a jail. Which jail makes no difference to honest
            work, so that machines with different ones can share a class.
        data: `data_digest` of what lies beside the notebook.

    Returns:
        The first half of a result's key.
    """
    digest = hashlib.sha256(assignment.data)
    digest.update(repr((FORMAT, assignment.name, assignment.seed, limits, contained)).encode())
    digest.update(data)
    digest.update(code_digest())
    return digest.hexdigest()[:LENGTH]


def result_key(grader: str, handed: Handed) -> str:
    """The key of one submission's result."""
    digest = hashlib.sha256(b"none" if handed.data is None else b"data" + handed.data)
    digest.update(json.dumps([note.to_json() for note in handed.repairs]).encode())
    return f"{grader}-{digest.hexdigest()[:LENGTH]}"


def halves(key: object) -> tuple[str, str]:
    """Grader and submission of a key; two empty strings for what is none."""
    grader, _, submission = key.partition("-") if isinstance(key, str) else ("", "", "")
    return (grader, submission) if submission else ("", "")


@functools.cache
def code_digest() -> bytes:
    """A digest of the grader, as this process has loaded it, the library and their versions."""
    digest = hashlib.sha256(platform.python_version().encode())
    for package in ("numpy", "keras", "tensorflow", "jax"):
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            digest.update(f"{package} {importlib.metadata.version(package)}".encode())
    for package in (HOME, HOME.parent / "bert_keras"):
        for path in sorted(package.rglob("*")):
            name = path.relative_to(HOME.parent)
            if name.parts[1] in UNRELATED or "__pycache__" in name.parts or not path.is_file():
                continue
            content = path.read_bytes()
            digest.update(f"{name} {len(content)}\n".encode() + content)
    return digest.digest()


def data_digest(released: Path) -> bytes:
    """A digest of the files that are handed out beside a released notebook."""
    digest = hashlib.sha256()
    for path in sorted(released.parent.rglob("*")):
        if path != released and path.is_file():
            name = path.relative_to(released.parent).as_posix()
            with open(path, "rb") as file:
                content = hashlib.file_digest(file, "sha256").hexdigest()
            digest.update(f"{name} {content}\n".encode())
    return digest.digest()
