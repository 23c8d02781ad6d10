"""A name that isn't there, and an answer that prints: what a notebook says about them."""

import sys

import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from autograder import notebook_help
from autograder.notebook_help import LINES_SHOWN, explain_missing_names, few_lines


@pytest.fixture
def shell(monkeypatch, tmp_path):
    """A shell of its own, as a kernel has one, with our explanation put in."""
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    monkeypatch.setenv("BERT_COURSE_LANG", "en")
    shell = InteractiveShell(config=Config(HistoryManager={"enabled": False}))
    monkeypatch.setattr(sys.modules["IPython"], "get_ipython", lambda: shell)
    monkeypatch.setattr(notebook_help, "language", lambda: "en")
    assert explain_missing_names()
    shell.run_cell("def check(name, answer):\n    return 1.0", store_history=True)
    return shell


def ran(shell, cell, capsys):
    capsys.readouterr()
    result = shell.run_cell(cell, store_history=True)
    return result, capsys.readouterr().out


def test_a_check_without_its_answer_says_what_to_run_first(shell, capsys):
    result, out = ran(shell, 'check("masked_mean", masked_mean)', capsys)
    assert isinstance(result.error_in_exec, NameError)
    assert "masked_mean isn't defined yet: run the cell of the exercise above" in out
    # A graded cell without an error would get full marks; one line of it is enough.
    assert out.endswith("NameError: name 'masked_mean' is not defined\n") and "Traceback" not in out


def test_of_several_names_the_missing_one_is_told(shell, capsys):
    shell.run_cell("suspect = None", store_history=True)
    _, out = ran(shell, 'check("drill", (suspect, repaired), variant="0")', capsys)
    assert "repaired isn't defined yet" in out


@pytest.mark.parametrize(
    "cell", ["masked_mean", "print(masked_mean)", "check(masked_mean)", "1 / 0"]
)
def test_other_errors_are_left_as_they_are(shell, cell, capsys):
    result, out = ran(shell, cell, capsys)
    assert result.error_in_exec is not None
    assert "isn't defined yet" not in out and "Traceback" in out


def test_a_check_that_is_interrupted_says_so_in_a_line(shell, capsys):
    shell.run_cell("from autograder import check", store_history=True)
    answer = "def masked_mean(x, mask):\n    n = len(x)\n    raise KeyboardInterrupt\n"
    shell.run_cell(answer, store_history=True)
    result, out = ran(shell, 'check("masked_mean", masked_mean)', capsys)
    assert isinstance(result.error_in_exec, KeyboardInterrupt)
    assert out.startswith("You stopped this check, so there are no points of it (it was at your ")
    assert "line 3: raise KeyboardInterrupt" in out and "Traceback" not in out
    assert out.endswith("KeyboardInterrupt\n"), "a graded cell without an error has full marks"
    _, out = ran(shell, "raise KeyboardInterrupt", capsys)
    assert "You stopped" not in out and "Traceback" in out


def test_somebody_elses_explanation_is_left_in_place(shell):
    shell.set_custom_exc((ValueError,), lambda *args, **kwargs: None)
    explain_missing_names()
    assert shell.custom_exceptions == (ValueError,)


def test_without_a_notebook_there_is_nothing_to_explain(monkeypatch):
    monkeypatch.setattr(sys.modules["IPython"], "get_ipython", lambda: None)
    assert not explain_missing_names()


@pytest.mark.parametrize("printed", [0, 3, LINES_SHOWN, LINES_SHOWN + 1, 500])
def test_an_answer_may_print_but_not_without_end(printed, capsys, monkeypatch):
    monkeypatch.setattr(notebook_help, "language", lambda: "en")
    with few_lines():
        for number in range(printed):
            print("line", number)
    lines = capsys.readouterr().out.splitlines()
    shown = [f"line {n}" for n in range(min(printed, LINES_SHOWN))]
    more = printed - LINES_SHOWN
    assert lines == shown + (
        [f"... your code printed {more} more lines, not shown here."] if more > 0 else []
    )


def test_what_was_printed_before_an_interrupt_is_shown(capsys):
    with pytest.raises(KeyboardInterrupt), few_lines():
        print("here")
        raise KeyboardInterrupt
    assert capsys.readouterr().out == "here\n"
