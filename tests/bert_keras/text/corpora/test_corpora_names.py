import importlib
import inspect
import subprocess
import sys

import pytest

from bert_keras.text import corpora
from bert_keras.text.corpora import hub
from bert_keras.text.corpora.archives import CorpusError


def test_every_name_has_a_loader():
    assert list(corpora.NAMES) == sorted(set(corpora.NAMES))
    for name in corpora.NAMES:
        module, function = corpora._LOADERS[name]
        loader = getattr(importlib.import_module(f"bert_keras.text.corpora.{module}"), function)
        assert inspect.isfunction(loader) and loader.__doc__, name
        # A path may be given by position; options have names.
        kinds = {p.name: p.kind for p in inspect.signature(loader).parameters.values()}
        positional = [n for n, kind in kinds.items() if kind != inspect.Parameter.KEYWORD_ONLY]
        assert positional in ([], ["path"]), name


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ({"name": "pronounciations"}, "did you mean pronunciations"),
        ({"name": "zzzzzz"}, "there are bbc_headlines, bbc_news"),
        ({"name": "dates", "path": "x.txt"}, "dates does not take 'path'; it takes language"),
        ({"name": "pinyin", "sed": 1}, "pinyin does not take 'sed'; it takes path, seed"),
        ({"name": "plain_text"}, "plain_text needs 'path'"),
        ({"name": "wikitext"}, "wikitext has no packaged form"),
    ],
)
def test_mistakes_are_answered_in_one_line(call, message):
    with pytest.raises(CorpusError, match=message) as caught:
        corpora.load(**call)
    assert "\n" not in str(caught.value)


def test_options_and_paths_are_passed_on(tmp_path):
    path = tmp_path / "own.txt"
    path.write_text("".join(f"a sentence with number {n}\n\n" for n in range(40)))
    splits = corpora.load("plain_text", path, minimum_characters=25)
    assert sum(map(len, splits.values())) == 30  # numbers of two digits
    assert splits != corpora.load("plain_text", path, minimum_characters=25, seed=1)


def test_hub_paths_are_fetched_first(tmp_path, monkeypatch):
    (tmp_path / "a.txt").write_text("text\n" * 3)
    monkeypatch.setattr(hub, "download", {"hf:own/set": tmp_path}.__getitem__)
    splits = corpora.load("plain_text", "hf:own/set", minimum_characters=1)
    assert [p.text for rows in splits.values() for p in rows] == ["text"]


def test_the_package_itself_loads_no_set():
    code = (
        "import sys, bert_keras.text.corpora as c\n"
        "print(sorted(m for m in sys.modules if m.startswith(c.__name__ + '.')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr
