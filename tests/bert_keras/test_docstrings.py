"""Every public module, class and function of the library says what it takes, gives and refuses.

python tests/bert_keras/test_docstrings.py      prints what is missing, and the longest modules
"""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "bert_keras"
MODULES = sorted(PACKAGE.rglob("*.py"))
MOST_LINES = 300

# What Keras calls on its own; where a class has nothing to add, Keras's text is shown.
KERAS_METHODS = {"build", "get_config", "from_config", "compute_loss", "compute_output_shape"}
# One line is enough: the interface of a command is described once, in commands/__init__.py, and
# the fields of a configuration's sections have a comment each.
SHORT = {"add_arguments", "run", "summary"}
# Likewise what every task does is described once, in training/tasks/base.py.
TASK_METHODS = {"texts", "encode", "model", "answers", "guesses", "scores", "bars", "lines"} | {
    "certainty",
    "examples",
    "new_row",
    "outputs",
    "said",
}
SECTIONS = re.compile(
    r"^(Args|Attributes|Returns|Yields|Raises|Reference|References|Example|Examples|Note):$", re.M
)
DTYPE = re.compile(r"\b(float|int|bool|float16|float32|int32|dtypes?|tensors? of any)\b")


def sections(docstring):
    """Section name → its text; the summary and what follows it are under ""."""
    parts = SECTIONS.split(docstring)
    return {"": parts[0], **dict(zip(parts[1::2], parts[2::2], strict=True))}


def items(text):
    """Name → description of an Args or Raises section, by its indentation."""
    found, name = {}, None
    for line in text.strip("\n").splitlines():
        match = re.match(r"    (\*{0,2}[\w.]+(?:, \*{0,2}\w+)*)(?: \([^)]*\))?:(.*)", line)
        if match:
            for name in match[1].split(", "):
                found[name] = match[2]
        elif name and line.startswith("     "):
            found[name] += " " + line.strip()
    return found


def own(function, kinds):
    """Nodes of a body, those of functions inside it left out."""
    stack = list(ast.iter_child_nodes(function))
    while stack:
        node = stack.pop()
        if isinstance(node, kinds):
            yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            stack.extend(ast.iter_child_nodes(node))


def parameters(function):
    a = function.args
    names = [p.arg for p in (*a.posonlyargs, *a.args, *a.kwonlyargs)]
    names = [n for n in names if n not in ("self", "cls") and not n.startswith("_")]
    starred = [f"*{a.vararg.arg}"] if a.vararg else []
    return {*names, *starred, *([f"**{a.kwarg.arg}"] if a.kwarg else [])}


def thrown(node):
    """The class, or what stands for one, of a raise."""
    return node.exc.func if isinstance(node.exc, ast.Call) else node.exc


def raised(function):
    """The names of the classes that are raised here, but for those that are caught here too."""
    names, caught_here = set(), set()
    for attempt in own(function, ast.Try):
        caught = {
            n.id
            for h in attempt.handlers
            if h.type
            for n in ast.walk(h.type)
            if isinstance(n, ast.Name)
        }
        inside = {n for part in attempt.body for n in ast.walk(part) if isinstance(n, ast.Raise)}
        caught_here |= {n for n in inside if getattr(thrown(n), "id", "") in caught}
    for node in own(function, ast.Raise):
        if node in caught_here:
            continue
        call = thrown(node)
        name = call.attr if isinstance(call, ast.Attribute) else getattr(call, "id", "")
        if name[:1].isupper() and name != "NotImplementedError":  # what only subclasses do
            names.add(name)
    return names


def decorators(node):
    return {ast.unparse(d).split("(")[0].rpartition(".")[2] for d in node.decorator_list}


def summary_faults(docstring):
    first = docstring.strip().splitlines()[0]
    if not first.endswith((".", "?", ":")):
        yield "the summary does not end on its first line"


def section_faults(found, names, fields=False, tensors=True):
    """The Args section against the parameters, and every tensor's shape and dtype."""
    told = items(found.get("Args", ""))
    attributes = items(found.get("Attributes", ""))
    if fields:  # of a dataclass, which are its attributes just as well
        told |= {name: text for name, text in attributes.items() if name in names}
    if lacking := sorted(names - set(told)):
        yield f"Args lacks {', '.join(lacking)}"
    if more := sorted(set(told) - names):
        yield f"Args has {', '.join(more)}"
    entries = {**told, **attributes, "Returns": found.get("Returns", "")} if tensors else {}
    for name, text in entries.items():
        if re.search(r"\btensors? ", text) and not re.search(r"\bcallable\b|\bdict of", text):
            if not re.search(r"\bshapes?\b|\bbroadcasts\b", text):
                yield f"{name}: a tensor without a shape"
            if not DTYPE.search(text):
                yield f"{name}: a tensor without a dtype"


def function_faults(node, short, in_class=False, tensors=True):
    docstring = ast.get_docstring(node)
    if not docstring:
        if not (in_class and node.name in KERAS_METHODS):
            yield "no docstring"
        return
    yield from summary_faults(docstring)
    if short or (in_class and node.name in KERAS_METHODS):
        return
    found = sections(docstring)
    if not decorators(node) & {"property", "cached_property"}:
        yield from section_faults(found, parameters(node), tensors=tensors)
        returns = any(n.value is not None for n in own(node, ast.Return)) and not any(
            own(node, ast.Yield | ast.YieldFrom)
        )
        # Without parameters the summary says what comes back, as it does for a property.
        if returns and "Returns" not in found and (parameters(node) or not node.returns):
            yield "no Returns"
        if any(own(node, ast.Yield | ast.YieldFrom)) and not {"Yields", "Returns"} & set(found):
            yield "no Yields"
    if lacking := sorted(raised(node) - set(items(found.get("Raises", "")))):
        yield f"Raises lacks {', '.join(lacking)}"


def class_faults(node, tensors=True):
    docstring = ast.get_docstring(node)
    if not docstring:
        yield "no docstring"
        return
    yield from summary_faults(docstring)
    found = sections(docstring)
    if "dataclass" in decorators(node):
        names = {
            s.target.id
            for s in node.body
            if isinstance(s, ast.AnnAssign) and not s.target.id.startswith("_")
        }
        yield from section_faults(found, names, fields=True, tensors=tensors)
    for method in node.body:
        if isinstance(method, ast.FunctionDef) and method.name == "__init__":
            yield from section_faults(found, parameters(method), tensors=tensors)
            if lacking := sorted(raised(method) - set(items(found.get("Raises", "")))):
                yield f"Raises lacks {', '.join(lacking)}"


def faults(path):
    """What the docstrings of one module lack, as "name: what"."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    where = path.relative_to(PACKAGE).as_posix()
    docstring = ast.get_docstring(tree)
    if not docstring:
        yield f"{where}: no docstring"
    else:
        yield from (f"{where}: {fault}" for fault in summary_faults(docstring))
    command = where.startswith("commands/")
    tensors = where.startswith(("layers/", "models/"))  # elsewhere the word means other things too
    for node in tree.body:
        if getattr(node, "name", "_").startswith("_"):
            continue
        if isinstance(node, ast.FunctionDef):
            short = command and node.name in SHORT
            yield from (
                f"{where} {node.name}: {f}" for f in function_faults(node, short, tensors=tensors)
            )
        elif isinstance(node, ast.ClassDef):
            if where != "training/sections.py":
                yield from (f"{where} {node.name}: {f}" for f in class_faults(node, tensors))
            bases = {ast.unparse(base) for base in node.bases}
            of_task = where.startswith("training/tasks/") and bool(bases)
            for method in node.body:
                if isinstance(method, ast.FunctionDef) and not method.name.startswith("_"):
                    if of_task and method.name in TASK_METHODS:
                        continue
                    name = f"{where} {node.name}.{method.name}"
                    yield from (
                        f"{name}: {f}" for f in function_faults(method, False, True, tensors)
                    )


@pytest.mark.parametrize("path", MODULES, ids=lambda p: p.relative_to(PACKAGE).as_posix())
def test_every_public_name_is_described(path):
    assert list(faults(path)) == []


TAKE = 'def f(x):\n    """Take x.\n\n    Args:\n        x: '


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("def f(x):\n    return x", "no docstring"),
        (
            'def f(x):\n    """Give x.\n\n    Returns:\n        int.\n    """\n    return x',
            "lacks x",
        ),
        (
            'def f(x):\n    """Take x.\n\n    Args:\n        x: int.\n    """\n    return x',
            "no Ret",
        ),
        ('def f():\n    """Fail."""\n    raise ValueError("no")', "Raises lacks ValueError"),
        (
            'def f(x):\n    """Take x.\n\n    Args:\n        x: tensor of shape (B,).\n    """',
            "dtype",
        ),
        ('def f(x):\n    """Take x.\n\n    Args:\n        x: int tensor here.\n    """', "shape"),
        ('def f():\n    """Take\n    nothing."""', "first line"),
    ],
)
def test_the_test_sees(source, fault):
    """A checker that finds nothing anywhere would pass just as well."""
    (node,) = ast.parse(source).body
    assert any(fault in found for found in function_faults(node, short=False))


def test_no_module_is_too_long_to_read_in_one_sitting():
    lengths = {
        path.relative_to(PACKAGE).as_posix(): len(path.read_text(encoding="utf-8").splitlines())
        for path in MODULES
    }
    assert {n: m for n, m in lengths.items() if m > MOST_LINES} == {}


if __name__ == "__main__":
    missing = [fault for path in MODULES for fault in faults(path)]
    print(*missing, sep="\n")
    by_length = sorted((len(p.read_text(encoding="utf-8").splitlines()), p) for p in MODULES)
    for lines, path in by_length[-5:]:
        print(f"{lines:4} lines  {path.relative_to(PACKAGE.parent)}")
    print(f"{len(missing)} docstrings fall short")
    sys.exit(bool(missing))
