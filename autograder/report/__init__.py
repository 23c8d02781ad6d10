"""The class page and the grades of a graded class."""

from autograder.report.cli import add_parser, run

__all__ = ["add_parser", "run"]
