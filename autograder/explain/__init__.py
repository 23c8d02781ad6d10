"""Replays one exercise of one student for their teacher: inputs, answer, expectation."""
