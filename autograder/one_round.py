"""Loops that are left in their first round, read off an answer's own text.

A `return` that is indented one step too far is among the commonest slips there are, and what it
does to the result looks like any other mistake. Here it is found without running anything; whether
it was meant is the student's to say, so it is only ever told as a question.
"""

import ast
import contextlib
import inspect
import textwrap
import types

MOST = 2

_LOOPS = (ast.For, ast.While)
_SCOPES = (ast.FunctionDef, ast.Lambda, ast.ClassDef)


def loops_of_one_round(answers) -> list[tuple[int, int, str]]:
    """The loops in functions and classes whose first round is always their last.

    Args:
        answers: functions or classes; anything else is passed over.

    Returns:
        For each loop its line in the cell, the line that leaves it, and `return` or `break` there;
        in order, and no more than a reader has use for. Nothing is raised, whatever they are.
    """
    found = []
    for function in _functions(answers):
        with contextlib.suppress(Exception):  # text that is gone, or isn't Python any more
            lines, start = inspect.getsourcelines(function)
            tree = ast.parse(textwrap.dedent("".join(lines)))
            for node in ast.walk(tree):
                if isinstance(node, _LOOPS):
                    found += _left_at_once(node, start - 1)
    return sorted(set(found))[:MOST]


def _functions(answers):
    for answer in answers:
        members = list(vars(answer).values()) if isinstance(answer, type) else [answer]
        yield from (m for m in members if isinstance(m, types.FunctionType))


def _left_at_once(loop, above):
    last = _last_of(loop.body)
    if last is None or any(isinstance(node, ast.Continue) for node in _of_this_loop(loop.body)):
        return []
    kind = "return" if isinstance(last, ast.Return) else "break"
    return [(loop.lineno + above, last.lineno + above, kind)]


def _last_of(body):
    """What always ends a round, and the loop with it; None where a next round is possible."""
    last = body[-1]
    if isinstance(last, (ast.Return, ast.Break)):
        return last
    if isinstance(last, ast.If) and last.orelse:
        ways = _last_of(last.body), _last_of(last.orelse)
        return ways[1] if all(ways) else None
    return _last_of(last.body) if isinstance(last, ast.With) else None


def _of_this_loop(body):
    """All statements of a body but those of loops and functions inside it."""
    for node in body:
        yield node
        if not isinstance(node, (*_LOOPS, *_SCOPES)):
            yield from _of_this_loop(ast.iter_child_nodes(node))
