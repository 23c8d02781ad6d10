"""Fixtures of the report's tests."""

from conftest_report import course, large_class, small_class

__all__ = ["course", "large_class", "small_class"]
