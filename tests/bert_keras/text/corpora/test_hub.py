import sys
import types

import pytest

from bert_keras.text.corpora import archives, hub
from bert_keras.text.corpora.archives import CorpusError


@pytest.fixture
def library(tmp_path, monkeypatch):
    """A huggingface_hub that copies nothing: it makes the folders of a set."""
    calls = []

    def snapshot_download(**arguments):
        calls.append(arguments)
        if arguments["repo_id"] == "own/broken":
            raise RuntimeError("404 Client Error\nmore lines")
        (tmp_path / "snapshot" / "config-a").mkdir(parents=True, exist_ok=True)
        return str(tmp_path / "snapshot")

    module = types.ModuleType("huggingface_hub")
    module.snapshot_download = snapshot_download
    monkeypatch.setitem(sys.modules, "huggingface_hub", module)
    monkeypatch.setenv(archives.CACHE_VARIABLE, str(tmp_path / "cache"))
    monkeypatch.delenv(archives.OFFLINE_VARIABLE, raising=False)
    return calls


def test_a_whole_set_and_one_folder_of_it(library, tmp_path):
    assert hub.download("hf:own/set") == tmp_path / "snapshot"
    assert hub.download("hf:own/set@0123abc/config-a") == tmp_path / "snapshot" / "config-a"
    whole, part = library
    assert whole["repo_type"] == "dataset" and whole["allow_patterns"] is None
    assert whole["revision"] is None and whole["cache_dir"] == tmp_path / "cache" / "hub"
    assert part["repo_id"] == "own/set" and part["revision"] == "0123abc"
    assert part["allow_patterns"] == ["config-a/*"]


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("hf:own", "looks like hf:OWNER/NAME/FOLDER"),
        ("hf:own/set/../..", "looks like hf:OWNER/NAME/FOLDER"),
        ("hf:own/broken", r"could not fetch hf:own/broken \(404 Client Error\); download"),
        ("hf:own/set/none", "own/set has no folder none"),
    ],
)
def test_what_goes_wrong_is_said_in_one_line(library, address, message):
    with pytest.raises(CorpusError, match=message) as caught:
        hub.download(address)
    assert "\n" not in str(caught.value)


def test_without_the_library_it_says_what_to_install(library, monkeypatch):
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(CorpusError, match="pip install huggingface_hub"):
        hub.download("hf:own/set")


def test_the_network_can_be_forbidden(library, monkeypatch):
    monkeypatch.setenv(archives.OFFLINE_VARIABLE, "1")
    with pytest.raises(CorpusError, match="forbids"):
        hub.download("hf:own/set")
    assert library == []
