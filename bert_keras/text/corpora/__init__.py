"""Data sets of the course. None of them is shipped; each is fetched once and then works offline."""
