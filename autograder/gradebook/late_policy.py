"""nbgrader's late-penalty plugin for `late_policy.toml`: its own mechanism, our arithmetic.

nbgrader loads this module by the name in the class's nbgrader_config.py, so that its own
`autograde`, Formgrader and our grader all have the same penalties.
"""

from pathlib import Path

from nbgrader.coursedir import CourseDirectory
from nbgrader.plugins import LateSubmissionPlugin

from autograder.classroom.policy import read_policy
from autograder.gradebook import term


class LatePolicy(LateSubmissionPlugin):
    """What `late_policy.toml` says; without that file, nbgrader's own `penalty_method`."""

    def late_submission_penalty(self, student_id, score, total_seconds_late):
        """Return the points taken off.

        Args:
            student_id: str.
            score: float, the points without it.
            total_seconds_late: float, what nbgrader counts; the moments themselves are read from
                the gradebook, because grace days depend on the student's other notebooks.
        """
        root = Path(CourseDirectory(config=self.config).root)
        policy = read_policy(root)
        if policy is None:
            return super().late_submission_penalty(student_id, score, total_seconds_late)
        found = term.lateness(self.parent.gradebook, root, policy, student_id)
        return found[student_id][self.parent.assignment_id].penalty(score, policy)
