import dataclasses
import hashlib
import io
import tarfile
import zipfile

import pytest

from bert_keras.text.corpora import archives


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty data cache; nothing is fetched."""
    folder = tmp_path / "cache"
    folder.mkdir()
    monkeypatch.setenv(archives.CACHE_VARIABLE, str(folder))
    monkeypatch.setenv(archives.OFFLINE_VARIABLE, "1")
    return folder


@pytest.fixture
def stand_in(cache, monkeypatch):
    """Put a small archive of the same layout in the place of a pinned one.

    `stand_in(module, "NAME", {path: text or bytes})`, where module.NAME is an `Archive`.
    """

    def put(module, name, files):
        pinned = getattr(module, name)
        files = {
            path: content.encode() if isinstance(content, str) else content
            for path, content in files.items()
        }
        buffer = io.BytesIO()
        if pinned.filename.endswith(".whl"):
            with zipfile.ZipFile(buffer, "w") as bundle:
                for path, content in files.items():
                    bundle.writestr(path, content)
        else:
            with tarfile.open(fileobj=buffer, mode="w:gz") as bundle:
                for path, content in files.items():
                    entry = tarfile.TarInfo(path)
                    entry.size = len(content)
                    bundle.addfile(entry, io.BytesIO(content))
        (cache / pinned.filename).write_bytes(buffer.getvalue())
        digest = hashlib.sha256(buffer.getvalue()).hexdigest()
        monkeypatch.setattr(module, name, dataclasses.replace(pinned, sha256=digest))

    return put
