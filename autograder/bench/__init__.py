"""Measures how fast classes are graded, by this grader and by nbgrader alone, on the same work."""
