"""Brings nbgrader's gradebook in step with the results, a student at a time."""

import contextlib
import copy
import json
import os
import shutil
import warnings
from pathlib import Path

from autograder import private
from autograder.classroom.stamps import read_stamp
from autograder.gradebook import late, term
from autograder.gradebook.session import (
    BridgeError,
    class_config,
    close_database,
    quiet_nbgrader,
    share_compiled_statements,
)
from autograder.gradebook.staged import answer_digests, scores, staged_notebook

# What a grade's flags depend on: kept so that a re-run knows which answers are new.
MEMORY = ".autograder/answers"
# Made before nbgrader makes them for everybody to read; it puts feedback into the last one.
PRIVATE = ("autograded", "results", "feedback")


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
        CommandError: the class's rule for late work, or its list of extensions, cannot be read.
    """
    from sqlalchemy.exc import SAWarning

    # nbgrader's own code sets these off; a filter is the one way that is safe beside threads.
    warnings.filterwarnings("ignore", category=SAWarning)
    share_compiled_statements()
    root = Path(root).resolve()
    term.check_files(root)
    writer = Recorder(root, assignment)
    with quiet_nbgrader():
        problem = writer.problem()
    if problem:
        raise BridgeError(problem)
    try:
        with late.plugins_of(root):
            yield writer.record
    finally:
        shutil.rmtree(root / ".autograder" / "staged", ignore_errors=True)


class Recorder:
    """Writes one assignment's results, a student at a time."""

    def __init__(self, root, assignment):
        self.root, self.assignment = root, assignment
        self.name = assignment.name
        self.config = class_config(root)
        self._late = False  # whether the student whose rows were read last has to do with it
        # A course folder that is shared with a group has its rights set by nbgrader.
        self.shared = bool(self.config.CourseDirectory.get("groupshared", False))
        if not self.shared:
            close_database(self.config)
            for place in PRIVATE:
                os.chmod(private.folder(root / place), 0o700)

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
        answers = answer_digests(self.assignment.trusted, result)
        stamp = self._timestamp(student)
        with quiet_nbgrader() as log:
            if self._in_step(student, result, answers, stamp):
                # Due date, extension, plugin or a score given by hand may be new.
                changed = self._late and late.assign(self.config, self.name, student, log)
                return term.settle(self.root, self.config, self.name, student, log) or changed
            before = self._before(student)
            self._convert(student, staged_notebook(self.assignment.trusted, result), stamp, log)
            self._restore(student, before, answers, result)
            term.settle(self.root, self.config, self.name, student, log)
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
            self._late = late.concerns(notebook)
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
        ours = scores(self.assignment.trusted, result)
        same = all(rows.get(cell, {}).get("auto") == score for cell, score in ours.items())
        return same and self._autograded(student).is_file()

    def _before(self, student):
        """Flags and answers as they were before this run, even if an earlier one was cut off."""
        journal = self._journal(student)
        try:
            return json.loads(journal.read_bytes())
        except (OSError, ValueError):
            before = {"rows": self._rows(student), "memory": self._memory(student)}
            private.write_json(journal, before)
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

        # By this secret the exchange finds the feedback of a submission.
        secret = self._small_text(student, "submission_secret.txt")
        staged = self.root / ".autograder" / "staged"
        folder = staged / student / self.name
        shutil.rmtree(folder, ignore_errors=True)
        private.folder(folder)
        (folder / f"{self.name}.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
        # In UTC: of `+0800` nbgrader makes 800 seconds.
        moment = f"{read_stamp(stamp)[0]} UTC" if stamp else ""
        for name, text in (("timestamp.txt", moment), ("submission_secret.txt", secret)):
            if text:
                (folder / name).write_text(text, encoding="utf-8")
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
        if not self.shared:
            os.chmod(self.root / "autograded" / student, 0o700)
            private.close(self.root / "autograded" / student / self.name)

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
        """The submission's time stamp, if it is one that can be read."""
        text = self._small_text(student, "timestamp.txt")
        return text if read_stamp(text)[0] else ""

    def _small_text(self, student, name):
        """The first line or so of a file that was handed in beside the notebook, or ""."""
        from autograder.handed_files import read_bytes

        data, _ = read_bytes(self.root / "submitted" / student / self.name / name)
        return (data or b"")[:200].decode("utf-8", "replace").strip()

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
        private.write_json(self.root / MEMORY / student / f"{self.name}.json", content)

    def _forget(self, student):
        self._journal(student).unlink(missing_ok=True)
