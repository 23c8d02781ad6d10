"""Cut an exercise out of the library: source text in, the cell that a student gets out.

Everything here is text and syntax trees. Nothing is imported or run, so building a notebook
needs neither Keras nor the seconds that importing it takes.
"""

import ast
import builtins
import importlib.util
import symtable
import textwrap
from dataclasses import dataclass
from pathlib import Path

from autograder.chapters import BEGIN, END, ChapterError

# A student's class must not take over the library's name in Keras's registry of custom objects.
_SERIALISATION = ("register_keras_serializable", "keras_export", "serializable")


@dataclass(frozen=True)
class Source:
    """The text of one function or class, and where it stands."""

    name: str
    text: str
    path: Path
    line: int
    module: str
    imports: dict

    @property
    def node(self):
        """The syntax tree of the function or class; its lines count from the text's first."""
        return ast.parse(self.text).body[0]

    def error(self, message, line=1):
        """Return a ChapterError at line ``line`` of the text."""
        return ChapterError(self.path, self.line + line - 1, message)


def library_source(spec):
    """Return the source of a function or class of the library.

    Args:
        spec: str, ``"package.module:Name"``.

    Returns:
        Source: the text without serialisation decorators.

    Raises:
        LookupError: if there is no such module, or it doesn't define that name itself.
        ChapterError: if the text imports relatively, which a notebook can't.
    """
    module, _, name = spec.partition(":")
    path = module_path(module)
    tree = ast.parse(path.read_text(encoding="utf-8"))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    node = next((n for n in tree.body if isinstance(n, kinds) and n.name == name), None)
    if node is None:
        raise LookupError(f"{module} defines no function or class {name!r}")
    lines = path.read_text(encoding="utf-8").split("\n")
    dropped = set()
    for decorator in node.decorator_list:
        if any(word in ast.unparse(decorator) for word in _SERIALISATION):
            dropped.update(range(decorator.lineno, decorator.end_lineno + 1))
    start = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    kept = [number for number in range(start, node.end_lineno + 1) if number not in dropped]
    for number in dropped:
        # Kept lines must stay one run, so that line n of the text is a known line of the file.
        if number > kept[0]:
            raise ChapterError(path, number, "put the serialisation decorator first")
    text = "\n".join(lines[number - 1] for number in kept)
    source = Source(name, text, path, kept[0], module, imported_names(tree))
    for inner in ast.walk(source.node):
        if isinstance(inner, ast.ImportFrom) and inner.level:
            raise source.error("a notebook can't import relatively", inner.lineno)
    return source


def module_path(module):
    """Return the file of a module, importing nothing below its top-level package.

    Args:
        module: str, dotted name.

    Returns:
        Path.

    Raises:
        LookupError: if there is no such module.
    """
    top, *rest = module.split(".")
    try:
        spec = importlib.util.find_spec(top)
    except (ImportError, ValueError):
        spec = None
    if spec is None:
        raise LookupError(f"there is no package {top!r}")
    if not rest:
        candidates = [Path(spec.origin)] if spec.origin else []
    else:
        roots = [Path(root).joinpath(*rest) for root in spec.submodule_search_locations or ()]
        candidates = [root.with_suffix(".py") for root in roots]
        candidates += [root / "__init__.py" for root in roots]
    for path in candidates:
        if path.is_file():
            return path
    raise LookupError(f"there is no module {module!r}")


def imported_names(tree):
    """Return what the imports at the top of a syntax tree bind: name → dotted origin."""
    names = {}
    for node in tree.body:
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.split(".")[0]
                names[alias.asname or top] = alias.name if alias.asname else top
        elif isinstance(node, ast.ImportFrom):
            prefix = "." * node.level + (node.module or "")
            for alias in node.names:
                names[alias.asname or alias.name] = f"{prefix}.{alias.name}"
    return names


def bound_names(text):
    """Return the names that a cell binds at its top level."""
    table = symtable.symtable(text, "cell", "exec")
    return {s.get_name() for s in table.get_symbols() if s.is_assigned() or s.is_imported()}


def global_names(text):
    """Return the names that a text looks up outside itself.

    Args:
        text: str, Python source.

    Returns:
        dict from name to the line of its first use, without builtins and without the names that
        the text binds at its top level.
    """
    bound = bound_names(text) | set(dir(builtins)) | {"__class__", "__name__"}
    wanted = set()
    tables = [symtable.symtable(text, "cell", "exec")]
    while tables:
        table = tables.pop()
        tables.extend(table.get_children())
        top = table.get_type() == "module"
        for symbol in table.get_symbols():
            outside = symbol.is_referenced() and (top or symbol.is_global())
            if outside and symbol.get_name() not in bound:
                wanted.add(symbol.get_name())
    lines = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Name) and node.id in wanted:
            lines[node.id] = min(node.lineno, lines.get(node.id, node.lineno))
    return lines


def insert_markers(source, blank=()):
    """Put the solution markers into a source.

    Args:
        source: Source of a function or a class.
        blank: sequence of str, the methods of a class to blank; empty for a function.

    Returns:
        str: the text with a BEGIN line after each docstring and an END line after each body.

    Raises:
        ChapterError: if a method doesn't exist or there is nothing to blank.
    """
    node = source.node
    if isinstance(node, ast.ClassDef):
        methods = {child.name: child for child in node.body if hasattr(child, "args")}
        if not blank:
            raise source.error(f'{source.name} is a class: say which methods in blank="…"')
        for name in blank:
            if name not in methods:
                raise source.error(f"{source.name} has no method {name!r} to blank")
        targets = [methods[name] for name in blank]
    elif blank:
        raise source.error(f"{source.name} is a function: blank is for a class")
    else:
        targets = [node]
    lines = source.text.split("\n")
    for target in sorted(targets, key=lambda target: -target.lineno):
        body = target.body[1:] if ast.get_docstring(target) is not None else target.body
        if not body or body[0].lineno == target.lineno:
            raise source.error(f"{target.name} has no body to blank", target.lineno)
        before = target.body[0].end_lineno if body is not target.body else None
        if before is None:
            raise source.error(f"{target.name} needs a docstring", target.lineno)
        while not lines[before].strip():
            before += 1
        indent = " " * body[0].col_offset
        lines.insert(target.end_lineno, indent + END)
        lines.insert(before, indent + BEGIN)
    return "\n".join(lines)


@dataclass(frozen=True)
class Scope:
    """What the notebook has bound before a cell: names, and the origin of the imported ones."""

    names: frozenset = frozenset()
    imports: tuple = ()

    def after(self, text, names=None):
        """Return the scope once a cell with this text has run."""
        imports = {**dict(self.imports), **imported_names(ast.parse(text))}
        names = bound_names(text) if names is None else names
        return Scope(self.names | names, tuple(imports.items()))

    def resolve(self, source, imports=None):
        """Check that a source's names mean in the notebook what they mean where it stands.

        Args:
            source: Source.
            imports: dict, the imports of its module; None uses the source's own.

        Raises:
            ChapterError: for the first name that is missing or comes from elsewhere.
        """
        imports = source.imports if imports is None else imports
        here = dict(self.imports)
        for name, line in sorted(global_names(source.text).items(), key=lambda item: item[1]):
            if name not in self.names:
                raise source.error(
                    f"{source.name} uses {name!r}, which no earlier cell of the notebook defines",
                    line,
                )
            if name in imports and name in here and imports[name] != here[name]:
                raise source.error(
                    f"{name!r} is {imports[name]} here but {here[name]} in the notebook", line
                )


def exercise_import(text):
    """Return ``(module, name)`` if a cell is one import of one name, else None."""
    body = ast.parse(textwrap.dedent(text)).body
    if len(body) == 1 and isinstance(body[0], ast.ImportFrom):
        return "." * body[0].level + (body[0].module or ""), [a.name for a in body[0].names]
    return None


def exercise_source(chapter, cell, scope):
    """Return the text of an exercise cell with its solution markers.

    Args:
        chapter: Chapter.
        cell: Cell, an exercise of it that isn't a drill.
        scope: Scope before the cell.

    Returns:
        str, Python source between whose markers nbgrader puts the stub.

    Raises:
        ChapterError: if the cell or the library source breaks a rule of the format.
    """
    found = exercise_import(cell.source)
    if found is None:
        return _inline(chapter, cell, scope)
    module, names = found
    if module.startswith("."):
        raise chapter.error(cell, "import absolutely: a notebook has no package around it")
    if len(names) != 1 or " as " in cell.source:
        raise chapter.error(cell, "an exercise cell imports one name, under its own name")
    try:
        source = library_source(f"{module}:{names[0]}")
    except LookupError as error:
        raise chapter.error(cell, str(error)) from None
    scope.resolve(source)
    return insert_markers(source, cell.blank)


def _inline(chapter, cell, scope):
    """Check an exercise whose code stands in the chapter itself."""
    lines = [line.strip() for line in cell.source.split("\n")]
    marks = [line for line in lines if line in (BEGIN, END)]
    if not marks or marks != [BEGIN, END] * (len(marks) // 2):
        raise chapter.error(
            cell, f"expected one import, or code with {BEGIN} and {END} on lines of their own"
        )
    if cell.blank:
        raise chapter.error(cell, "blank is for an imported class; here the markers say it")
    for number, line in enumerate(cell.source.split("\n"), 1):
        if line.strip() == BEGIN and not line.startswith(" "):
            raise chapter.error(cell, "blank inside a function, so that the cell runs", number)
    for node in ast.walk(ast.parse(cell.source)):
        if isinstance(node, ast.ImportFrom) and node.level:
            raise chapter.error(cell, "a notebook can't import relatively", node.lineno)
    name = cell.exercise
    scope.resolve(Source(name, cell.source, chapter.path, cell.first, "", {}))
    return cell.source
