"""Tiny archives laid out like the real ones, for tests that need no network and no cache."""

import dataclasses
import hashlib
import io
import tarfile
import zipfile

import pytest

from bert_keras.text.corpora import archives


def tar_bytes(files):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as bundle:
        for name, content in files.items():
            content = content.encode() if isinstance(content, str) else content
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            bundle.addfile(entry, io.BytesIO(content))
    return buffer.getvalue()


def zip_bytes(files):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as bundle:
        for name, content in files.items():
            bundle.writestr(name, content)
    return buffer.getvalue()


def make(monkeypatch, tmp_path, archive, files):
    """Put an archive with these files into a cache of the test's own; returns the new pin."""
    folder = tmp_path / "cache"
    folder.mkdir(exist_ok=True)
    monkeypatch.setenv(archives.CACHE_VARIABLE, str(folder))
    monkeypatch.setenv(archives.OFFLINE_VARIABLE, "1")
    content = (zip_bytes if archive.filename.endswith(".whl") else tar_bytes)(files)
    (folder / archive.filename).write_bytes(content)
    pinned = dataclasses.replace(archive, sha256=hashlib.sha256(content).hexdigest())
    for name, value in list(vars(archives).items()):
        if value is archive:
            monkeypatch.setattr(archives, name, pinned)
    return pinned


def need(*wanted):
    """Skip a test unless these archives are in the cache."""
    for archive in wanted:
        if not (archives.cache_directory() / archive.filename).exists():
            pytest.skip(f"{archive.filename} is not in the cache")


def disjoint(parts, key):
    """Whether no key is in two parts."""
    sets = [{key(row) for row in rows} for rows in parts.values()]
    return sum(map(len, sets)) == len(set().union(*sets))
