"""The only module that imports nbgrader."""

import contextlib
import copy
import functools
import hashlib
import io
import json
import logging
import os
import shutil
import tempfile
import warnings
from pathlib import Path

# --- release ---------------------------------------------------------------------------------


def generate_assignment(files, assignment, *, text_stub, db_url=None):
    """Let nbgrader's own `generate_assignment` make the students' edition of a notebook.

    It runs in this process, in a temporary course of its own, so that a failure leaves nothing
    behind; only the gradebook may be a real one.

    Args:
        files: dict from a path relative to the assignment (str) to bytes; the notebooks among
            them are converted.
        assignment: str, the assignment's name.
        text_stub: str, what stands in a written answer's cell.
        db_url: str, the gradebook in which the graded cells are recorded; None uses one that is
            thrown away.

    Returns:
        dict from a relative path to bytes: what nbgrader would release.

    Raises:
        BridgeError: if nbgrader refuses; the message is the last error that it logged.
    """
    from nbgrader.converters import GenerateAssignment
    from nbgrader.coursedir import CourseDirectory
    from traitlets.config import Config

    with tempfile.TemporaryDirectory(prefix="autograder-release-") as folder:
        root = Path(folder).resolve()
        source = root / "source" / assignment
        for name, content in files.items():
            path = source / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        config = Config()
        config.CourseDirectory.root = str(root)
        config.CourseDirectory.db_url = db_url or f"sqlite:///{root}/gradebook.db"
        config.CourseDirectory.assignment_id = assignment
        config.ClearSolutions.text_stub = text_stub
        with quiet_nbgrader() as log, _unsynced(db_url is None):
            course = CourseDirectory(config=config, log=log)
            converter = GenerateAssignment(coursedir=course, config=config, log=log)
            converter.force = True
            converter.start()
        released = root / "release" / assignment
        paths = sorted(path for path in released.rglob("*") if path.is_file())
        return {path.relative_to(released).as_posix(): path.read_bytes() for path in paths}


def class_database(root):
    """Return the address of a class's gradebook, as its own configuration has it.

    Args:
        root: Path of the class, absolute.

    Returns:
        str.
    """
    return _class_config(root).CourseDirectory.db_url


class BridgeError(RuntimeError):
    """nbgrader refused; the message says why."""


@contextlib.contextmanager
def quiet_nbgrader():
    """Collect what nbgrader logs instead of printing it, and turn its failures into BridgeError."""
    _read_alembic_version_in_process()
    text = io.StringIO()
    log = logging.Logger("autograder.nbgrader", logging.WARNING)
    log.addHandler(logging.StreamHandler(text))
    try:
        yield log
    except (Exception, SystemExit) as error:
        lines = [line for line in text.getvalue().split("\n") if line.strip()]
        # The traceback that nbgrader logs ends with the line that names the cause.
        causes = [line for line in lines if line[:1].isalpha() and "Error: " in line]
        raise BridgeError((causes or lines or [repr(error)])[-1]) from error


@contextlib.contextmanager
def _unsynced(throwaway):
    """Spare the disk a gradebook that nobody will read: its commits are most of the time."""
    from sqlalchemy import event
    from sqlalchemy.engine import Engine

    def relax(connection, _):
        connection.execute("PRAGMA synchronous=OFF")

    if throwaway:
        event.listen(Engine, "connect", relax)
    try:
        yield
    finally:
        if throwaway:
            event.remove(Engine, "connect", relax)


@functools.cache
def _read_alembic_version_in_process():
    """Replace a child process that nbgrader starts for every new gradebook.

    It runs the `alembic` command, which isn't on the path unless the environment is activated,
    and takes seconds to say what one file of nbgrader's says.
    """
    import nbgrader.api
    from alembic.script import ScriptDirectory

    folder = Path(nbgrader.api.__file__).parent / "alembic"
    head = ScriptDirectory(str(folder)).get_current_head()
    nbgrader.api.get_alembic_version = lambda: head


# --- grades ----------------------------------------------------------------------------------

# What a grade's flags depend on: kept so that a re-run knows which answers are new.
MEMORY = ".autograder/answers"


@contextlib.contextmanager
def recorder(root, assignment):
    """Open a class's gradebook for writing results into it.

    nbgrader's own Autograde converter does the writing, without running anything: it is given a
    copy of the released notebook with the student's answers and our scores as outputs. What people
    did by hand (scores, comments, extra credit, "graded") survives unless that answer changed.

    Args:
        root: Path of the class.
        assignment: `submissions.Assignment`.

    Yields:
        A function of a student's id and result, which brings their gradebook entry in step and
        returns whether anything had to be done.

    Raises:
        BridgeError: from the function, if nbgrader refuses; the student's old entry is healed by
            the next run.
    """
    from sqlalchemy.exc import SAWarning

    # nbgrader's own code sets these off; a filter is the one way that is safe beside threads.
    warnings.filterwarnings("ignore", category=SAWarning)
    _share_compiled_statements()
    root = Path(root).resolve()
    writer = _Recorder(root, assignment)
    with quiet_nbgrader():
        problem = writer.problem()
    if problem:
        raise BridgeError(problem)
    try:
        yield writer.record
    finally:
        shutil.rmtree(root / ".autograder" / "staged", ignore_errors=True)


@functools.cache
def _share_compiled_statements():
    """Let SQLAlchemy keep what it has compiled.

    nbgrader opens the gradebook a dozen times for every submission, each time with an empty cache:
    that was half of the time it takes.
    """
    import nbgrader.api

    compiled, original = {}, nbgrader.api.create_engine

    def create_engine(*args, **options):
        return original(*args, **options).execution_options(compiled_cache=compiled)

    nbgrader.api.create_engine = create_engine


class _Recorder:
    """Writes one assignment's results, a student at a time."""

    def __init__(self, root, assignment):
        self.root, self.assignment = root, assignment
        self.name = assignment.name
        self.config = _class_config(root)

    def problem(self):
        """Return why the gradebook can't take this assignment's scores, or None."""
        from nbgrader.api import MissingEntry

        with self._gradebook() as gradebook:
            try:
                notebook = gradebook.find_notebook(self.name, self.name)
            except MissingEntry:
                return f"the gradebook has no {self.name}: release it into the class first"
            known = {cell.name for cell in notebook.grade_cells}
        ours = {cell.grade_id for cell in self.assignment.trusted.cells if cell.role == "check"}
        if not ours <= known:
            return f"the gradebook's {self.name} is another version: release it again"
        return None

    def record(self, student, result):
        """Bring one student's entry in step with their result."""
        answers = _answer_digests(self.assignment.trusted, result)
        stamp = self._timestamp(student)
        with quiet_nbgrader() as log:
            if self._in_step(student, result, answers, stamp):
                return False
            before = self._before(student)
            self._convert(student, staged_notebook(self.assignment.trusted, result), stamp, log)
            self._restore(student, before, answers, result)
        self._remember(student, {"answers": answers, "stamp": stamp, "flags": {}})
        self._forget(student)
        return True

    # ---------------------------------------------------------------- pieces

    def _gradebook(self):
        from nbgrader.api import Gradebook

        return Gradebook(self.config.CourseDirectory.db_url)

    def _rows(self, student):
        """The student's grades as plain data, by cell; empty where there are none."""
        from nbgrader.api import MissingEntry

        with self._gradebook() as gradebook:
            try:
                notebook = gradebook.find_submission_notebook(self.name, self.name, student)
            except MissingEntry:
                return {}
            return {
                grade.name: {
                    "auto": grade.auto_score,
                    "manual": grade.manual_score,
                    "needs": bool(grade.needs_manual_grade),
                }
                for grade in notebook.grades
            }

    def _in_step(self, student, result, answers, stamp):
        """Whether gradebook and autograded notebook already say what the result says."""
        memory = self._memory(student)
        if self._journal(student).exists() or memory.get("answers") != answers:
            return False
        if memory.get("stamp") != stamp:
            return False
        rows = self._rows(student)
        scores = _scores(self.assignment.trusted, result)
        same = all(rows.get(cell, {}).get("auto") == score for cell, score in scores.items())
        return same and self._autograded(student).is_file()

    def _before(self, student):
        """Flags and answers as they were before this run, even if an earlier one was cut off."""
        journal = self._journal(student)
        try:
            return json.loads(journal.read_bytes())
        except (OSError, ValueError):
            before = {"rows": self._rows(student), "memory": self._memory(student)}
            _write_private(journal, before)
            return before

    def _convert(self, student, notebook, stamp, log):
        """Run nbgrader's Autograde on a staged copy, without executing anything."""
        from nbgrader.converters import Autograde
        from nbgrader.coursedir import CourseDirectory
        from nbgrader.preprocessors import (
            AssignLatePenalties,
            CheckCellMetadata,
            DeduplicateIds,
            LimitOutput,
            OverwriteCells,
            OverwriteKernelspec,
            SaveAutoGrades,
        )

        staged = self.root / ".autograder" / "staged"
        folder = staged / student / self.name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        (folder / f"{self.name}.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
        if stamp:
            (folder / "timestamp.txt").write_text(stamp, encoding="utf-8")
        config = copy.deepcopy(self.config)
        config.CourseDirectory.submitted_directory = os.path.join(".autograder", "staged")
        config.CourseDirectory.assignment_id = self.name
        config.CourseDirectory.student_id = student
        config.Autograde.sanitize_preprocessors = [
            DeduplicateIds,
            OverwriteKernelspec,
            OverwriteCells,
            CheckCellMetadata,
        ]
        config.Autograde.autograde_preprocessors = [
            LimitOutput,
            SaveAutoGrades,
            AssignLatePenalties,
            CheckCellMetadata,
        ]

        class Staged(Autograde):
            """Finds the one staged notebook without file patterns, which ids may break."""

            def init_notebooks(self):
                self.assignments = {str(folder): [str(folder / f"{assignment}.ipynb")]}
                self.notebooks = []

        assignment = self.name
        course = CourseDirectory(config=config, log=log)
        converter = Staged(coursedir=course, config=config, log=log)
        converter.force = True
        converter.start()
        shutil.rmtree(folder.parent, ignore_errors=True)

    def _restore(self, student, before, answers, result):
        """Take back "needs grading" wherever the answer that was graded is still the same."""
        old = before["memory"].get("answers", {})
        points = {cell.grade_id: cell.points for cell in self.assignment.trusted.cells}
        with self._gradebook() as gradebook:
            notebook = gradebook.find_submission_notebook(self.name, self.name, student)
            for grade in notebook.grades:
                row = before["rows"].get(grade.name)
                same = row is not None and old.get(grade.name) == answers.get(grade.name)
                if same and (row["manual"] is not None or not row["needs"]):
                    grade.needs_manual_grade = row["needs"]
                elif not points.get(grade.name) and grade.manual_score is None:
                    # A question without points leaves nobody "needs grading".
                    grade.needs_manual_grade = False
            gradebook.db.commit()

    def _timestamp(self, student):
        """The submission's time stamp, if it is one that nbgrader can read."""
        from nbgrader.utils import parse_utc

        from autograder.notebooks import read_bytes

        path = self.root / "submitted" / student / self.name / "timestamp.txt"
        data, _ = read_bytes(path)
        text = (data or b"")[:100].decode("utf-8", "replace").strip()
        try:
            return text if text and parse_utc(text) else ""
        except (ValueError, OverflowError, TypeError):
            return ""

    def _autograded(self, student):
        return self.root / "autograded" / student / self.name / f"{self.name}.ipynb"

    def _journal(self, student):
        return self.root / ".autograder" / "journal" / student / f"{self.name}.json"

    def _memory(self, student):
        try:
            return json.loads((self.root / MEMORY / student / f"{self.name}.json").read_bytes())
        except (OSError, ValueError):
            return {}

    def _remember(self, student, content):
        _write_private(self.root / MEMORY / student / f"{self.name}.json", content)

    def _forget(self, student):
        self._journal(student).unlink(missing_ok=True)


def staged_notebook(trusted, result):
    """Return the released notebook with a student's cells and our scores in it.

    Args:
        trusted: `matching.TrustedNotebook`.
        result: dict, a stored result.

    Returns:
        dict, a notebook in which every graded cell has exactly one output: its points.
    """
    notebook = copy.deepcopy(trusted.content)
    chosen = {cell["index"]: cell for cell in result["plan"] if cell["index"] >= 0}
    troubles = {cell["cell"]: cell for cell in result["cells"]}
    entries = {entry["id"]: entry for entry in result["exercises"]}
    cells = []
    own = _own_cells(result)
    cells += own.get(-1, [])
    for index, (cell, known) in enumerate(zip(notebook["cells"], trusted.cells, strict=True)):
        if cell["cell_type"] == "code":
            cell["outputs"], cell["execution_count"] = [], None
        if index in chosen:
            plan = chosen[index]
            cell["source"] = plan["original"] or plan["source"]
            if plan["name"] in troubles and cell["cell_type"] == "code":
                cell["outputs"] = [_said(troubles[plan["name"]])]
        elif known.role == "check":
            cell["outputs"] = [_points_output(entries[known.exercise], known.points, trusted.lang)]
        cells.append(cell)
        cells += own.get(index, [])
    notebook["cells"] = cells
    return notebook


def normalised_dump(root):
    """Return a class's gradebook without what differs between equal ones (ids, times).

    Args:
        root: Path of the class.

    Returns:
        list of dict, one for each graded cell of each student, sorted: student, assignment, cell,
        scores, comments, flags, and the incidents of our results.
    """
    from nbgrader.api import Gradebook

    root = Path(root).resolve()
    rows = []
    with quiet_nbgrader(), Gradebook(_class_config(root).CourseDirectory.db_url) as gradebook:
        for assignment in gradebook.assignments:
            for submission in assignment.submissions:
                incidents = _stored_incidents(root, submission.student.id, assignment.name)
                for notebook in submission.notebooks:
                    rows += _dump_notebook(submission, assignment, notebook, incidents)
    return sorted(rows, key=lambda row: (row["student"], row["assignment"], row["cell"]))


def _dump_notebook(submission, assignment, notebook, incidents):
    comments = {comment.name: comment for comment in notebook.comments}
    grades = {grade.name: grade for grade in notebook.grades}
    for cell in {**comments, **grades}:
        grade, comment = grades.get(cell), comments.get(cell)
        yield {
            "student": submission.student.id,
            "assignment": assignment.name,
            "cell": cell,
            "auto_score": grade and grade.auto_score,
            "manual_score": grade and grade.manual_score,
            "extra_credit": grade and grade.extra_credit,
            "needs_manual_grade": grade and bool(grade.needs_manual_grade),
            "score": grade and grade.score,
            "late_penalty": notebook.late_submission_penalty,
            "auto_comment": comment and comment.auto_comment,
            "manual_comment": comment and comment.manual_comment,
            "incidents": incidents.get(cell, []),
        }


def _stored_incidents(root, student, assignment):
    try:
        result = json.loads((root / "results" / student / f"{assignment}.json").read_bytes())
    except (OSError, ValueError):
        return {}
    return {f"check_{entry['id']}": entry["incidents"] for entry in result["exercises"]}


def _class_config(root):
    """The class's own nbgrader configuration, with root and gradebook made absolute."""
    from traitlets.config import Config, PyFileConfigLoader

    config = Config()
    if (root / "nbgrader_config.py").is_file():
        loader = PyFileConfigLoader("nbgrader_config.py", path=str(root))
        config.merge(loader.load_config())
    config.CourseDirectory.root = str(root)
    if not isinstance(config.CourseDirectory.get("db_url"), str):
        config.CourseDirectory.db_url = f"sqlite:///{root / 'gradebook.db'}"
    return config


def _scores(trusted, result):
    """Points by grade id, within what the course gives."""
    entries = {entry["id"]: entry["score"] for entry in result["exercises"]}
    checks = [cell for cell in trusted.cells if cell.role == "check"]
    return {cell.grade_id: _clip(entries[cell.exercise], cell.points) for cell in checks}


def _clip(score, points):
    return round(min(max(float(score), 0.0), points), 6)


def _answer_digests(trusted, result):
    """A digest for each graded cell of what a person looked at when grading it."""
    texts = {}
    for cell in result["plan"]:
        if cell["role"] == "written":
            texts[cell["grade_id"]] = cell["source"]
        elif cell["role"] == "answer":
            texts[f"check_{cell['exercise']}"] = cell["original"] or cell["source"]
    return {cell: hashlib.sha256(text.encode()).hexdigest() for cell, text in texts.items()}


def _own_cells(result):
    """Code cells that only the student has, by the trusted cell they follow."""
    own = {}
    for plan in result["plan"]:
        if plan["role"] == "student":
            cell = {
                "cell_type": "code",
                "id": f"own-{plan['name'].replace('_', '-')}",
                "metadata": {},
                "source": plan["original"] or plan["source"],
                "outputs": [],
                "execution_count": None,
            }
            own.setdefault(plan["after"], []).append(cell)
    return own


def _points_output(entry, points, lang):
    """The one output of a graded cell: a bare number for nbgrader, the words for people."""
    from autograder.render import result_html
    from autograder.results import ExerciseResult

    words = result_html(ExerciseResult.from_json(entry), lang)
    number = repr(_clip(entry["score"], points))
    return {
        "output_type": "execute_result",
        "execution_count": None,
        "metadata": {},
        "data": {"text/plain": number, "text/html": words},
    }


def _said(trouble):
    """How a cell failed, as plain text: never on stderr, for which nbgrader takes all points."""
    line = ": ".join(part for part in (trouble["type"], trouble["message"]) if part)
    return {"output_type": "stream", "name": "stdout", "text": f"{line or trouble['status']}\n"}


def _write_private(path, content):
    from autograder.grading import write_json

    write_json(path, content)
