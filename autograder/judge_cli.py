"""`autograder judge`: grade one answer file as a submission's cell would be."""

import json
from pathlib import Path
from types import SimpleNamespace

from autograder import answers
from autograder.errors import CommandError
from autograder.exercise import get, load
from autograder.followups import broken_cells, refer
from autograder.forbidden import banned_names, forbidden_use
from autograder.handle import Handle
from autograder.judge import PUBLIC_SEED, judge
from autograder.messages import language

SIZE_LIMIT = 1_000_000


def add_parser(subparsers) -> None:
    """Add ``judge`` to the command line."""
    parser = subparsers.add_parser("judge", help="grade one answer file in the sandbox")
    parser.add_argument("exercise", metavar="EXERCISE", help="id, such as scaled_dot_product")
    parser.add_argument("file", metavar="FILE.py", type=Path, help="what the cell would hold")
    parser.add_argument("--seed", type=int, default=PUBLIC_SEED, help="decides the inputs")
    parser.add_argument("--variant", metavar="KEY", help="for a drill: the bug that was released")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.set_defaults(run=run)


def run(args) -> int:
    """Run ``judge``; a wrong answer is a result like any other, so return 0."""
    exercise = get(args.exercise)
    exercise.require_variant(args.variant)
    source = read_answer(args.file)
    found = judge_text(exercise, source, seed=args.seed, variant=args.variant)
    if args.json:
        print(json.dumps(found, ensure_ascii=False))
    else:
        print(found["message"])
    return 0


def read_answer(path: Path) -> str:
    """Return the text of an answer file.

    Raises:
        CommandError: it's missing, too large or no text.
    """
    try:
        if path.stat().st_size > SIZE_LIMIT:
            raise CommandError(f"{path} is larger than {SIZE_LIMIT} bytes: an answer is one cell")
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise CommandError(f"there is no file {path}") from None
    except IsADirectoryError:
        raise CommandError(f"{path} is a folder: name the file with the answer") from None
    except UnicodeDecodeError:
        raise CommandError(f"{path} is not UTF-8 text") from None


def judge_text(exercise, source: str, *, seed: int, variant: str | None = None) -> dict:
    """Grade a text in a sandboxed child.

    Returns:
        dict of score, max_score, named, properties, message and incident.
    """
    from autograder.sandbox import Sandbox

    lang = language()
    with Sandbox() as sandbox, sandbox.spawn() as child:
        for cell in answers.preparation(exercise, load(exercise.notebook)):
            child.run_cell(cell, "preparation")
        outcome = child.run_cell(source, "answer")
        used = forbidden_use(banned_names(exercise), source)
        result = judge(exercise, Handle(child, exercise, variant), seed=seed, forbidden=used)
    incident = result.incidents[0] if result.incidents else None
    defines = {exercise.id: exercise.defines}
    cell = SimpleNamespace(name="answer", exercise=exercise.id)
    broken = broken_cells([cell], {"answer": outcome}, defines)
    refer([result], defines, broken)
    message = result.message(lang)
    if outcome.status == "error" and result.cause is None:  # it ran far enough to be judged
        message = f"{broken[0].error}\n{message}"
    elif outcome.status not in ("ok", "error"):
        incident = outcome.status
    return {
        "score": result.score,
        "max_score": result.max_score,
        "named": result.named,
        "properties": result.properties,
        "message": message,
        "incident": incident,
    }
