"""Fixtures of the classroom's tests."""

from conftest_classroom import cli, graded_once, late_class, spoken

__all__ = ["cli", "graded_once", "late_class", "spoken"]
