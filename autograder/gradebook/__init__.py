"""nbgrader's gradebook and converters: the only package that imports nbgrader.

It does so inside functions, so that importing this package costs nothing.
"""

from autograder.gradebook.dump import normalised_dump
from autograder.gradebook.people import Manual, Standing, read_standings
from autograder.gradebook.recording import recorder
from autograder.gradebook.release import generate_assignment
from autograder.gradebook.session import BridgeError, quiet_nbgrader

__all__ = [
    "BridgeError",
    "Manual",
    "Standing",
    "generate_assignment",
    "normalised_dump",
    "quiet_nbgrader",
    "read_standings",
    "recorder",
]
