"""Grades a class: all submissions of a notebook in parallel, resumable and idempotent.

What a student gets is in `results/<student>/<assignment>.json`; nbgrader's gradebook is brought in
step with these files. This process imports neither Keras nor anything of a student's.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import hashlib
import importlib.metadata
import json
import os
import platform
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.attempt import Gate, Spawner
from autograder.errors import CommandError
from autograder.notebooks import read_bytes, repair
from autograder.sandbox import Limits, Sandbox, SandboxError
from autograder.submissions import FORMAT, Assignment, Handed, grade_submission, open_assignment


@dataclass(frozen=True)
class ClassDir:
    """A class: nbgrader's course folder plus our private part.

    Args:
        root: The folder.
        lang: The class's language.
        seed: Its seed, never shown to students.
    """

    root: Path
    lang: str
    seed: int

    @classmethod
    def open(cls, root: Path) -> ClassDir:
        """Opens a class folder.

        Raises:
            CommandError: when it is none.
        """
        root = root.resolve()
        if not root.is_dir():
            raise CommandError(f"there is no folder {root}")
        try:
            content = json.loads((root / ".autograder" / "course.json").read_bytes())
            return cls(root, str(content["lang"]), int(content["seed"]))
        except FileNotFoundError:
            hint = f"make one with: autograder init-class {root} --lang zh"
            raise CommandError(f"{root} is not a class folder; {hint}") from None
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise CommandError(f"{root}/.autograder/course.json is damaged: {error}") from None

    def notebooks(self, name: str) -> list[str]:
        """The released notebooks that a name means: itself, or all of a chapter (`ch03`).

        Raises:
            CommandError: when nothing of that name is released.
        """
        folders = sorted(path.parent.name for path in (self.root / "release").glob("*/*.ipynb"))
        if name in folders:
            return [name]
        found = [folder for folder in folders if folder.startswith(name)]
        if not found or not name.startswith("ch"):
            known = ", ".join(folders) or "none yet; see autograder release --class-dir"
            raise CommandError(f"no notebook {name!r} is released in this class. Released: {known}")
        return found

    def released(self, notebook: str) -> Path:
        return self.root / "release" / notebook / f"{notebook}.ipynb"

    def result_path(self, student: str, notebook: str) -> Path:
        return self.root / "results" / student / f"{notebook}.json"

    def handed_in(self, notebook: str) -> list[Handed]:
        """Everybody's file for a notebook, in order of the students' ids."""
        base, found = self.root / "submitted", []
        if not base.is_dir():
            return found
        for folder in sorted(base.iterdir()):
            work = folder / notebook
            student = folder.name
            if folder.is_symlink() or not student.isprintable() or student.startswith("."):
                continue
            if work.is_symlink() or not work.is_dir():
                continue
            path, notes = work / f"{notebook}.ipynb", []
            if not os.path.lexists(path):
                others = sorted(p for p in work.glob("*.ipynb") if not p.is_symlink())
                if len(others) == 1:
                    path = others[0]
                    notes.append(repair("renamed", name=path.name))
            data, more = read_bytes(path)
            found.append(Handed(student, path, data, (*notes, *more)))
        return found


def grade_class(
    course: ClassDir,
    notebook: str,
    *,
    jobs: int = 1,
    limits: Limits | None = None,
    fresh: bool = False,
    gradebook: bool = True,
    spawner: Spawner | None = None,
    progress: Callable[[dict[str, Any]], None] = lambda result: None,
) -> dict[str, Any]:
    """Grades every submission of one notebook.

    Args:
        course: The class.
        notebook: The notebook's id.
        jobs: How many submissions to run at once.
        limits: What each may use.
        fresh: Grade again even where neither submission nor grader has changed.
        gradebook: Whether to bring nbgrader's gradebook in step.
        spawner: A running sandbox; None starts one, if any submission needs it.
        progress: Called with each result, in this thread.

    Returns:
        The summary that `--json` prints.

    Raises:
        CommandError: when the class or the notebook cannot be graded at all.
    """
    started = time.perf_counter()
    limits = limits or Limits()
    assignment = open_assignment(notebook, course.released(notebook), course.seed)
    everybody = course.handed_in(notebook)
    base = _base_key(assignment, limits)
    done: dict[str, dict[str, Any]] = {}
    todo: list[tuple[Handed, str]] = []
    troubles: list[str] = []
    own: Sandbox | None = None
    for handed in everybody:
        key = _key(base, handed)
        old = None if fresh else _stored(course.result_path(handed.student, notebook), key)
        if old is None:
            todo.append((handed, key))
        else:
            done[handed.student] = old
    with contextlib.ExitStack() as stack:
        writer = None
        if gradebook and everybody:
            writer = _Gradebook(stack, course.root, assignment)
            troubles = writer.troubles
        for result in done.values():
            if writer:
                writer.record(result)
            progress(result)
        if todo and spawner is None:
            spawner = own = stack.enter_context(Sandbox(limits, optional=assignment.modules))
        results = _grade_all(todo, assignment, spawner, limits, jobs)
        try:
            for result in results:
                student = result["student"]
                write_json(course.result_path(student, notebook), result)
                if writer:
                    writer.record(result)
                done[student] = result
                progress(result)
        except BaseException:
            # Ends what is still running, so that nobody waits for it below.
            if own is not None:
                own.close()
            results.close()
            raise
    return {
        "assignment": notebook,
        "seconds": round(time.perf_counter() - started, 3),
        "jobs": jobs,
        "graded": len(todo),
        "gradebook_errors": troubles,
        "students": [_summary(done[handed.student]) for handed in everybody],
    }


class _Gradebook:
    """Brings nbgrader's gradebook in step; a student it refuses does not stop the others."""

    def __init__(self, stack: contextlib.ExitStack, root: Path, assignment: Assignment):
        from autograder import nbgrader_bridge

        self._error = nbgrader_bridge.BridgeError
        self.troubles: list[str] = []
        try:
            self._write = stack.enter_context(nbgrader_bridge.recorder(root, assignment))
        except self._error as error:
            raise CommandError(str(error)) from None

    def record(self, result: dict[str, Any]) -> None:
        try:
            self._write(result["student"], result)
        except self._error as error:
            self.troubles.append(f"{result['student']}: {error}")


def _grade_all(todo, assignment, spawner, limits, jobs) -> Iterator[dict[str, Any]]:
    """Results as they come; each carries the key of what it was made from."""
    gate = Gate()

    def one(handed: Handed, key: str) -> dict[str, Any]:
        return {"key": key, **grade_submission(handed, assignment, spawner, limits, gate)}

    with ThreadPoolExecutor(max(1, jobs)) as pool:
        futures = [pool.submit(one, *item) for item in todo]
        try:
            for future in as_completed(futures):
                yield future.result()
        finally:
            pool.shutdown(cancel_futures=True)


def _summary(result: dict[str, Any]) -> dict[str, Any]:
    keys = ("id", "score", "max_score", "named", "incidents")
    return {
        "id": result["student"],
        "score": result["score"],
        "max_score": result["max_score"],
        "seconds": result["seconds"],
        "exercises": [{key: entry[key] for key in keys} for entry in result["exercises"]],
        "repairs": result["repairs"],
    }


def _base_key(assignment: Assignment, limits: Limits) -> str:
    """A digest of everything but the submission that a score depends on."""
    digest = hashlib.sha256(assignment.data)
    digest.update(repr((FORMAT, assignment.name, assignment.seed, limits)).encode())
    digest.update(_code_digest())
    return digest.hexdigest()


# Parts of this package on which no score depends.
UNRELATED = {"report", "release.py", "assemble.py", "chapters.py", "sources.py", "lint.py"}


@functools.cache
def _code_digest() -> bytes:
    """A digest of the grader, as this process has loaded it, the library and their versions."""
    digest = hashlib.sha256(platform.python_version().encode())
    for package in ("numpy", "keras", "tensorflow", "jax"):
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            digest.update(f"{package} {importlib.metadata.version(package)}".encode())
    home = Path(__file__).resolve().parent
    for path in sorted([*home.rglob("*.py"), *(home.parent / "bert_keras").rglob("*.py")]):
        name = path.relative_to(home.parent)
        if name.parts[1] not in UNRELATED:
            digest.update(str(name).encode())
            digest.update(path.read_bytes())
    return digest.digest()


def _key(base: str, handed: Handed) -> str:
    digest = hashlib.sha256(base.encode())
    digest.update(b"none" if handed.data is None else b"data" + handed.data)
    digest.update(json.dumps([note.to_json() for note in handed.repairs]).encode())
    return digest.hexdigest()


def _stored(path: Path, key: str) -> dict[str, Any] | None:
    """A finished result that was made from the same submission by the same grader."""
    try:
        result = json.loads(path.read_bytes())
        return result if result["key"] == key and result["format"] == FORMAT else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write_json(path: Path, content: Any) -> None:
    """Writes a private JSON file, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(content, file, ensure_ascii=False, indent=1)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


# --- command line ----------------------------------------------------------------------------


def add_parser(subparsers: Any) -> None:
    """Adds `grade` to the command line."""
    defaults = Limits()
    parser = subparsers.add_parser("grade", help="grade a class's submissions of a notebook")
    parser.add_argument("notebook", help="a notebook's id, or a chapter such as ch03")
    parser.add_argument("--course", type=Path, required=True, help="the class folder")
    parser.add_argument("--jobs", type=int, default=1, help="submissions at once (default 1)")
    parser.add_argument("--fresh", action="store_true", help="grade unchanged submissions again")
    parser.add_argument("--no-gradebook", action="store_true", help="leave the gradebook alone")
    parser.add_argument("--json", action="store_true", help="print the summary as JSON")
    for name, unit in (("cell", "s"), ("call", "s"), ("submission", "s")):
        default = getattr(defaults, f"{name}_seconds")
        text = f"wall clock for one {name}, in {unit} (default {default:g})"
        parser.add_argument(f"--{name}-seconds", type=float, default=default, help=text)
    text = f"memory of one process (default {defaults.memory_mb})"
    parser.add_argument("--memory-mb", type=int, default=defaults.memory_mb, help=text)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs `grade`.

    Returns:
        0 where all submissions were graded, whatever their scores; 1 where the gradebook refused
        one.

    Raises:
        CommandError: for what the user can put right.
    """
    from tqdm import tqdm

    if sys.platform != "linux":
        raise CommandError(
            "grading a class needs Linux: use WSL or a container (see docs/security.md)"
        )
    course = ClassDir.open(args.course)
    if args.jobs < 1:
        raise CommandError(f"--jobs {args.jobs}: it takes at least one")
    limits = Limits(
        cell_seconds=args.cell_seconds,
        call_seconds=args.call_seconds,
        submission_seconds=args.submission_seconds,
        memory_mb=args.memory_mb,
    )
    summaries = []
    with _only_one(course.root):
        for notebook in course.notebooks(args.notebook):
            total = len(course.handed_in(notebook))
            with tqdm(total=total, desc=notebook, file=sys.stderr, unit="") as bar:
                try:
                    summary = grade_class(
                        course,
                        notebook,
                        jobs=args.jobs,
                        limits=limits,
                        fresh=args.fresh,
                        gradebook=not args.no_gradebook,
                        progress=lambda result, bar=bar: bar.update(),
                    )
                except SandboxError as error:
                    raise CommandError(str(error)) from None
                summaries.append(summary)
    for summary in summaries:
        for trouble in summary["gradebook_errors"]:
            print(f"autograder grade: gradebook: {trouble}", file=sys.stderr)
    failed = any(summary["gradebook_errors"] for summary in summaries)
    if args.json:
        content = summaries[0] if len(summaries) == 1 else {"assignments": summaries}
        print(json.dumps(content, ensure_ascii=False))
        return int(failed)
    for summary in summaries:
        print(f"{summary['assignment']}: {len(summary['students'])} submissions")
        for student in summary["students"]:
            named = sorted({name for entry in student["exercises"] for name in entry["named"]})
            kinds = sorted({kind for entry in student["exercises"] for kind in entry["incidents"]})
            notes = "  ".join([*named, *kinds])
            score = f"{student['score']:g}/{student['max_score']:g}"
            print(f"  {student['id']:<24} {score:>9}  {notes}".rstrip())
    return int(failed)


@contextlib.contextmanager
def _only_one(root: Path) -> Iterator[None]:
    """Keeps a second grader out of the class folder; the system lets go when this one dies."""
    import fcntl

    with open(root / ".autograder" / "lock", "w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise CommandError(f"another grader is at work in {root}; wait for it") from None
        yield
