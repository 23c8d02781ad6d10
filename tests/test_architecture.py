"""Who may import whom, read from the sources."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def _modules(package: str):
    return sorted((ROOT / package).rglob("*.py"))


def _imports(path: Path, top_level_only: bool = False) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nodes = _outside_functions(tree) if top_level_only else ast.walk(tree)
    found = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found |= {node.module} | {f"{node.module}.{name.name}" for name in node.names}
    return found


def _outside_functions(node):
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield child
            yield from _outside_functions(child)


def _uses(imports: set[str], package: str) -> bool:
    return any(name == package or name.startswith(package + ".") for name in imports)


@pytest.mark.parametrize("path", _modules("bert_keras"), ids=lambda p: str(p.relative_to(ROOT)))
def test_the_library_stands_alone(path):
    for package in ("autograder", "keras_hub", "keras_nlp", "nbgrader"):
        assert not _uses(_imports(path), package)
    assert not _uses(_imports(path, top_level_only=True), "tensorflow"), "import it where needed"


@pytest.mark.parametrize("path", _modules("autograder"), ids=lambda p: str(p.relative_to(ROOT)))
def test_the_grader_keeps_its_borders(path):
    name = path.relative_to(ROOT / "autograder").as_posix()
    if not name.startswith("gradebook/"):
        assert not _uses(_imports(path), "nbgrader"), "only the gradebook package imports nbgrader"
    if name.startswith(("oracles/", "exercises/")):
        for package in ("bert_keras", "keras", "tensorflow"):
            assert not _uses(_imports(path), package), "oracles are an independent implementation"
    at_import = _imports(path, top_level_only=True)
    if name not in ("sandbox/child.py", "sandbox/zygote.py"):
        for package in ("keras", "tensorflow", "keras_hub", "bert_keras"):
            assert not _uses(at_import, package)


@pytest.mark.parametrize("package", ["bert_keras", "autograder"])
def test_no_module_imports_generated_notebooks(package):
    for path in _modules(package):
        assert not _uses(_imports(path), "course")


def test_importing_the_autograder_is_light_and_portable():
    posix_only = "('fcntl', 'resource', 'pwd', 'grp', 'termios', 'pty')"
    code = f"""
import sys
for name in {posix_only}:
    sys.modules[name] = None
import autograder, autograder.exercise, autograder.judge, autograder.preflight
autograder.exercise.all_exercises()
heavy = {{'keras', 'tensorflow', 'nbgrader', 'matplotlib', 'keras_hub', 'bert_keras'}}
print(sorted(heavy & set(sys.modules)))
"""
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_the_product_does_not_look_at_what_lies_beside_it():
    for package in ("bert_keras", "autograder", "tools", "solutions"):
        for path in _modules(package):
            text = path.read_text(encoding="utf-8")
            assert "../shared" not in text and "mistakes.md" not in text
