"""The base of all errors that the reader of a message can do something about."""


class UserError(Exception):
    """Something the user has to change; the message is one line and says what to do.

    Commands print it without a traceback and exit with code 2.
    """


class InputError(UserError, ValueError):
    """An array or tensor that a model would misread; the message is one line."""
