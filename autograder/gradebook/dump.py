"""The gradebook as plain data, for comparing two of them."""

import json
from pathlib import Path

from autograder.gradebook.session import class_config, quiet_nbgrader


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
    with quiet_nbgrader(), Gradebook(class_config(root).CourseDirectory.db_url) as gradebook:
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
