"""One page a student: what was right, what was not and how to get on from there."""
