"""Builders of the objects that cases hand to the student's code, one module per notebook.

A module here has `BUILDERS = {"name": function}`; `autograder.fixtures` collects them. They run
where the student's code runs, after that place has been closed off, so they are imported before:
import Keras inside the functions, and nothing of `autograder.exercises` or `autograder.oracles`.
"""
