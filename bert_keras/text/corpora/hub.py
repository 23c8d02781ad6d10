"""Fetch a public set from the Hugging Face hub, where there is a network.

Nothing in the course needs it. A path `hf:OWNER/NAME`, `hf:OWNER/NAME/FOLDER` or
`hf:OWNER/NAME@REVISION/FOLDER` given to `corpora.load` comes here, and the loader of the set then
reads the files as it reads any folder.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from bert_keras.text.corpora.archives import OFFLINE_VARIABLE, CorpusError, cache_directory

PREFIX = "hf:"
_ADDRESS = re.compile(r"hf:([\w.-]+/[\w.-]+)(?:@([\w.-]+))?(?:/(.+))?")


def download(address: str) -> Path:
    """Files of a data set on the hub, downloaded on first use.

    Args:
        address: "hf:OWNER/NAME", optionally with "@REVISION" (a commit fixes the data) and
            "/FOLDER".

    Returns:
        The folder that holds them.

    Raises:
        CorpusError: the address has another form, `huggingface_hub` is not installed, the network
            is forbidden or fails, or there is no such set or folder.
    """
    match = _ADDRESS.fullmatch(address)
    if not match or ".." in address:
        raise CorpusError(f"{address!r} is no hub address; it looks like hf:OWNER/NAME/FOLDER")
    repository, revision, folder = match.groups()
    if os.environ.get(OFFLINE_VARIABLE, "") not in ("", "0"):
        raise CorpusError(f"{address} needs the network, which {OFFLINE_VARIABLE} forbids")
    try:
        import huggingface_hub
    except ImportError:
        raise CorpusError(
            f"{address} needs huggingface_hub; run: python -m pip install huggingface_hub"
        ) from None
    folder = (folder or "").strip("/")
    try:
        snapshot = huggingface_hub.snapshot_download(
            repo_id=repository,
            repo_type="dataset",
            revision=revision,
            allow_patterns=[f"{folder}/*"] if folder else None,
            cache_dir=cache_directory() / "hub",
        )
    except Exception as error:  # the library passes on whatever its network layers raise
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise CorpusError(
            f"could not fetch {address} ({reason}); download the files by hand and give their path"
        ) from None
    found = Path(snapshot) / folder
    if not found.is_dir():
        raise CorpusError(f"the set {repository} has no folder {folder}")
    return found
