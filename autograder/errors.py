"""Errors that people see."""


class CommandError(Exception):
    """Something the user can put right: shown as one line, exit code 2.

    Its message names what was received and what to do.
    """
