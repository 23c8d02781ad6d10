"""A small made-up notebook, for the tests of the builder."""

CHAPTER = r'''# A made-up notebook.
# %% [markdown] lang="zh"
r"""
# 9. 小例子

| 练习 | 分值 | 分钟 |
|---|---|---|
| `double` | 3 | 5 |
| `Scale` | 2 | 5 |
| `drill_ch09_small` | 4 | 5 |
| `capstone_small` | 1 | 5 |
"""

# %% [markdown] lang="en"
r"""
# 9. A small example

| exercise | points | minutes |
|---|---|---|
| `double` | 3 | 5 |
| `Scale` | 2 | 5 |
| `drill_ch09_small` | 4 | 5 |
| `capstone_small` | 1 | 5 |
"""

# %%
import math

from autograder import check, ready

# %% [markdown] lang="zh"
r"""
## 9.1 加倍

`double(x, times)` 返回 $2^{t} x$。
"""

# %% [markdown] lang="en"
r"""
## 9.1 Doubling

`double(x, times)` returns $2^{t} x$.
"""

# %% exercise="double"
from smalllib.maths import double

# %% check="double"
check("double", double)

# %% tags="experiment"
if ready("double"):
    print(double(3, 2))

# %% [markdown] lang="zh"
r"""
## 9.2 层

构造参数 `factor`，调用参数 `x`。
"""

# %% [markdown] lang="en"
r"""
## 9.2 A layer

Constructor argument `factor`, call argument `x`.
"""

# %% exercise="Scale" blank="call"
from smalllib.maths import Scale

# %% check="Scale"
check("Scale", Scale)

# %% [markdown] lang="zh"
r"""
函数 `patient(x)` 有一个错：`sign`、`offset`、`twice` 或 `zero`。
把名字写进 `suspect`，修好后叫 `repaired(x)`。
"""

# %% [markdown] lang="en"
r"""
The function `patient(x)` has one bug: `sign`, `offset`, `twice` or `zero`.
Name it in `suspect`, repair it as `repaired(x)`.
"""

# %% exercise="drill_ch09_small"
from drill import patient, suspect, repaired

# %% check="drill_ch09_small"
check("drill_ch09_small", (suspect, repaired))

# %% [markdown] lang="zh"
r"""
把你写的合起来：`x`。
"""

# %% [markdown] lang="en"
r"""
Put your own pieces together: `x`.
"""

# %% exercise="capstone_small"
def capstone(x):
    """Scale by three, then double."""
    ### BEGIN SOLUTION
    return double(Scale(3).call(x), 1)
    ### END SOLUTION

# %% check="capstone_small"
check("capstone_small", capstone)

# %% [markdown] lang="zh" exercise="written_ch09_small"
r"""
为什么？
"""

# %% [markdown] lang="en" exercise="written_ch09_small"
r"""
Why?
"""

# %% [markdown] lang="zh" tags="instructor"
r"""
评分：说出原因得一分。
"""

# %% [markdown] lang="en" tags="instructor"
r"""
Rubric: one point for the reason.
"""
'''

LIBRARY = '''"""Made-up library."""

import math

from autograder import check


def register_keras_serializable(cls):
    return cls


def double(x, times):
    """Double several times.

    Args:
        x: float.
    """
    # the power first
    factor = math.pow(2, times)

    return factor * x


@register_keras_serializable
class Scale:
    """Scale by a factor."""

    def __init__(self, factor):
        self.factor = factor

    def call(self, x):
        """Return x, scaled."""
        return self.factor * x
'''

DRILL = """from somewhere import Bug

BUGS = {
    "sign": Bug(
        name="wrong sign",
        source='''
def patient(x):
    "Return two times x plus one."
    return -2 * x + 1
''',
        fixed='''
def repaired(x):
    "Return two times x plus one."
    return 2 * x + 1
''',
    ),
    "offset": Bug(
        name="no offset",
        source='''
def patient(x):
    "Return two times x plus one."
    return 2 * x
''',
        fixed='''
def repaired(x):
    "Return two times x plus one."
    return 2 * x + 1
''',
    ),
    "twice": Bug(
        name="offset twice",
        source='''
def patient(x):
    "Return two times x plus one."
    return 2 * x + 2
''',
        fixed='''
def repaired(x):
    "Return two times x plus one."
    return 2 * x + 1
''',
    ),
    "zero": Bug(
        name="nothing",
        source='''
def patient(x):
    "Return two times x plus one."
    return 0 * x
''',
        fixed='''
def repaired(x):
    "Return two times x plus one."
    return 2 * x + 1
''',
    ),
}
"""

POINTS = {"double": 3, "Scale": 2, "drill_ch09_small": 4, "capstone_small": 1}
NOTEBOOK = "ch09_small"


def write_project(root):
    """Write the made-up notebook and its library under ``root``; return the notebook's source."""
    folder = root / "solutions" / NOTEBOOK
    (folder / "results").mkdir(parents=True)
    (folder / "results" / "width.json").write_text('{"seeds": [1, 2, 3]}\n')
    (folder / f"{NOTEBOOK}.py").write_text(CHAPTER, encoding="utf-8")
    (folder / "drill.py").write_text(DRILL)
    (root / "smalllib").mkdir()
    (root / "smalllib" / "__init__.py").write_text("raise ImportError('read, never imported')\n")
    (root / "smalllib" / "maths.py").write_text(LIBRARY)
    return folder / f"{NOTEBOOK}.py"


def change(path, old, new):
    """Replace a text that stands once in a file."""
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, (old, text.count(old))
    path.write_text(text.replace(old, new), encoding="utf-8")


def line_of(path, text):
    """Return the number of the first line that holds a text."""
    lines = path.read_text(encoding="utf-8").split("\n")
    return next(number for number, line in enumerate(lines, 1) if text in line)
