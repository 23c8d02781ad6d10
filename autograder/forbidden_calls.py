"""Puts library functions out of action while an answer is judged that should do their work."""

import contextlib
import inspect
import sys
import types


class Forbidden(BaseException):
    """The answer called a function that would do the exercise for it.

    Not an `Exception`, so that a blanket `except Exception` in the answer does not swallow it.
    """


@contextlib.contextmanager
def forbidden_calls(names):
    """Make calling a forbidden library function an error that says which one it was.

    The name is replaced in its module, and the function itself is put out of action too: the
    answer may have kept it under another name.
    """
    saved, missing = [], object()

    def replace(holder, attribute, value):
        old = vars(holder).get(attribute, missing) if isinstance(holder, type) else None
        saved.append((holder, attribute, old or getattr(holder, attribute)))
        setattr(holder, attribute, value)

    for dotted in names:
        module, _, attribute = dotted.rpartition(".")
        holder = sys.modules.get(module)
        if holder is None or not hasattr(holder, attribute):
            continue
        original = getattr(holder, attribute)
        refuse = _refusal(dotted)
        replace(holder, attribute, refuse)
        function = inspect.unwrap(original)
        if isinstance(original, type):
            # A class without __new__ of its own could not be restored: CPython doesn't forget it.
            if original.__new__ is object.__new__:
                replace(original, "__init__", refuse)
            else:
                replace(original, "__new__", staticmethod(refuse))
            if "call" in vars(original):  # one may have been made before
                replace(original, "call", refuse)
        elif isinstance(function, types.FunctionType) and not function.__code__.co_freevars:
            replace(function, "__code__", refuse.__code__)
    try:
        yield
    finally:
        for holder, attribute, value in reversed(saved):
            if value is missing:
                delattr(holder, attribute)
            else:
                setattr(holder, attribute, value)


def _refusal(dotted):
    """A function that raises, and refers to nothing around it: its code also runs in others."""
    text = "def refuse(*args, **kwargs):\n    from autograder.forbidden_calls import Forbidden\n"
    space = {}
    exec(compile(f"{text}    raise Forbidden({dotted!r})\n", __file__, "exec"), space)
    return space["refuse"]
