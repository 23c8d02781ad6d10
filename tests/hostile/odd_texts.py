"""Texts that break parsers, pages, tables and terminals."""

import json

from catalogue import Entry
from hostile_course import ANSWERS, NOTEBOOK

SCRIPT = "<script>window.hostile=1</script><img src=x onerror=hostile()>"
FORMULA = '=HYPERLINK("http://hostile.invalid")'
TERMINAL = "\x1b[2J\x1b]0;hostile\x07\x1b[31m\u202e\u2066\x9b1m"

DEEP = {
    "brackets": "(" * 100_000,
    "lists": "x = " + "[" * 100_000 + "]" * 100_000,
    "sums": "x = " + "+".join(["1"] * 95_000),
    "attributes": "x = a" + ".b" * 95_000,
    "imports": "import a" + ".b" * 95_000,
    "negations": "x = " + "not " * 45_000 + "1",
    "calls": "x = f" + "()" * 95_000,
    "lambdas": "x = " + "lambda:" * 25_000 + "1",
    "blocks": "\n".join(" " * n + "if 1:" for n in range(99)) + "\n" + " " * 99 + "pass",
    "comparisons": "x = " + "<".join(["1"] * 90_000),
    "strings": "x = " + "'a' " * 45_000,
    "patterns": "match 1:\n case " + "|".join(["1"] * 50_000) + ": pass",
}


def _notebook(change):
    """Submits the notebook with something changed in its JSON."""

    def submit(folder, content):
        notebook = json.loads(content)
        text = change(notebook)
        text = json.dumps(notebook) if text is None else text
        (folder / f"{NOTEBOOK}.ipynb").write_text(text, errors="surrogatepass")

    return submit


def _deep_metadata(notebook):
    text = json.dumps(notebook)
    deep = '{"a":' * 50_000 + "1" + "}" * 50_000
    return text.replace('"id": "check-double"', '"id": "check-double", "deep": ' + deep)


def _deep_top(notebook):
    return json.dumps(notebook)[:-1] + ', "deep": ' + "[" * 90_000 + "]" * 90_000 + "}"


def _marked(notebook):
    for part in notebook["cells"]:
        if part["id"] == "written":
            part["source"] = (
                SCRIPT
                + FORMULA
                + TERMINAL
                + "\n\n# {{7*7}} ${7*7} <%= 7*7 %>\n"
                + ("[a](javascript:hostile())\n<iframe srcdoc='<script>hostile()</script>'>")
            )


def _labelled(notebook):
    own = {"tags": [SCRIPT, TERMINAL], "nbgrader": {"grade_id": TERMINAL + SCRIPT, "grade": True}}
    source = "raise RuntimeError('x')"
    part = {"cell_type": "code", "id": SCRIPT, "source": source, "metadata": own}
    notebook["cells"].insert(2, part)
    notebook["metadata"].update(kernelspec={"name": SCRIPT, "display_name": FORMULA})


ENTRIES = [
    *(
        Entry(
            f"deep-{name}",
            f"hands in a cell whose syntax is nested or long: {name}",
            {"double": text},
            incidents=("died", "memory", "timeout"),
        )
        for name, text in DEEP.items()
    ),
    Entry(
        "deep-json-of-a-cell",
        "nests the metadata of a cell fifty thousand deep",
        submit=_notebook(_deep_metadata),
        repairs=("truncated", "missing_check"),
    ),
    Entry(
        "deep-json-of-the-file",
        "nests the metadata of the notebook ninety thousand deep",
        submit=_notebook(_deep_top),
        repairs=("truncated",),
    ),
    Entry(
        "markup-in-errors",
        "puts markup, formulas and terminal codes into exceptions, their names and source lines",
        {
            "double": f"""
name = {SCRIPT!r} + {FORMULA!r} + {TERMINAL!r}
Error = type(name, (Exception,), {{}})
def double(x):  # {SCRIPT}
    print(name)
    raise Error(name)  # {SCRIPT}
""",
            "pair_sum": f"raise ValueError({FORMULA + SCRIPT!r})",
            "length": f"!{SCRIPT}\n%{FORMULA}\n",
        },
        repairs=("magic",),
    ),
    Entry(
        "markup-in-results",
        "returns text with markup, formulas and terminal codes as answers and as their types",
        {
            "double": f"""
def double(x):
    return {SCRIPT + FORMULA + TERMINAL!r}
""",
            "pair_sum": f"pair_sum = type({SCRIPT!r}, (), {{}})()",
        },
    ),
    Entry(
        "markup-in-texts",
        "writes markup, templates and links into the written answer",
        submit=_notebook(_marked),
    ),
    Entry(
        "markup-in-labels",
        "puts markup and terminal codes into cell ids, grade ids, tags and the kernel's name",
        submit=_notebook(_labelled),
    ),
    Entry(
        "surrogates",
        "puts lone surrogates, nulls and other planes into texts",
        {"double": ANSWERS["double"] + "# \ud800 \udfff \x00 \U0001f600 \ufeff \u2028 \x85\n"},
        scores={"double": 3},
    ),
    Entry(
        "long-lines",
        "writes lines of a hundred thousand characters into errors and names",
        {
            "double": f"""
class {"E" * 50_000}(Exception): pass
def double(x):
    raise {"E" * 50_000}("m" * 10**7)
"""
        },
    ),
]
