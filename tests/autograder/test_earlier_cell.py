"""A check says so where the cell that should have made its answer failed, and only there."""

import os
import subprocess
import sys

CELLS = """
from IPython.core.interactiveshell import InteractiveShell

shell = InteractiveShell.instance()
for cell in (
    "from autograder import check",
    "def causal_mask(length):\\n    return 0",
    "def causal_mask(length):\\n    return 1\\n1 / 0",
    "check('causal_mask', causal_mask)",
    "def causal_mask(length):\\n    return 2\\n1 / 0",
    "def causal_mask(length):\\n    return 3\\ncheck('causal_mask', causal_mask)",
    "def causal_mask(length):\\n    return 4\\nraise KeyboardInterrupt",
    "def causal_mask(length):\\n    return 5\\ncheck('causal_mask', causal_mask)",
    "def causal_mask(length):\\n    return 6",
    "check('causal_mask', causal_mask)",
):
    print("CELL", flush=True)
    shell.run_cell(cell, store_history=True)
"""


def test_only_an_answer_of_an_earlier_cell_can_be_stale():
    done = subprocess.run(
        [sys.executable, "-c", CELLS],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "BERT_COURSE_LANG": "en", "TF_CPP_MIN_LOG_LEVEL": "3"},
    )
    checked = done.stdout.split("CELL")
    assert "ZeroDivisionError, so what is checked here is the version from before" in checked[4]
    # An interrupted cell is forgotten as soon as there is a fresh answer.
    for fresh in (6, 8, 10):
        assert "causal_mask: 0/" in checked[fresh] and "from before" not in checked[fresh]
