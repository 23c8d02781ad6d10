"""Checks that name the mistake, a sandbox to grade in, and the tools that release a course.

Importing this package loads neither Keras nor anything that only POSIX has: a student on any
system runs `from autograder import check` in the first cell of every notebook.
"""

from autograder.check import check, ready
from autograder.messages import language
from autograder.stored import stored

__all__ = ["check", "language", "ready", "stored"]
