"""What the heads of a checkpoint do, measured on some texts: numbers, and a web page.

from bert_keras.analysis import report
analysis = report.analyse("build/bert", ["The cat sat on the mat.", "It was raining."])
report.write(analysis, "report.html")
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from bert_keras.analysis.attention import attention_map
from bert_keras.analysis.head_roles import BARS, FULL_STOPS, role_table, roles_of
from bert_keras.analysis.head_view import HeadView, head_view
from bert_keras.analysis.heads import attention_of, head_similarity
from bert_keras.analysis.layer_dots import layer_dots
from bert_keras.errors import UserError

MOST_TEXTS, MOST_TOKENS, MOST_QUERIES = 500, 128, 600
EXPLANATIONS = {
    "entropy": "how widely it looks, in nats",
    "distance": "how far it looks, in tokens",
    "broad": "its entropy as a share of looking at all tokens equally",
    "cls": "share of the words' attention that goes to [CLS]",
    "sep": "share of the words' attention that goes to [SEP]",
    "stop": f"share of the words' attention that goes to {' '.join(FULL_STOPS)}",
    "previous": "how often the strongest word is the one before",
    "next": "how often the strongest word is the one behind",
    "same": "how often the strongest word is the word itself",
}


class AnalysisError(UserError):
    """The texts or the checkpoint cannot be analysed; the message is one line."""


@dataclass
class Analysis:
    """What was found.

    Attributes:
        source: str, the checkpoint.
        texts: int, how many texts were read.
        tokens: int, how many tokens they have together, special ones with them.
        cut: int, how many texts were too long and lost their end.
        table: dict from a measure to a float64 array (L, N), from `role_table`.
        alike: pair of floats, the mean similarity of two heads of one layer and of two layers;
            None where there is no such pair.
        view: `HeadView` of the first text.
    """

    source: str
    texts: int
    tokens: int
    cut: int
    table: dict[str, np.ndarray]
    alike: tuple[float | None, float | None]
    view: HeadView


def analyse(source: str | Path, texts: list[str], language: str = "en") -> Analysis:
    """Measure every head of a checkpoint.

    Args:
        source: a folder that `checkpoints.read` understands.
        texts: what it reads, each a row of its own.
        language: "zh" or "en", of the head view's labels.

    Returns:
        `Analysis`.

    Raises:
        AnalysisError: there is nothing to read, or too much.
        ConversionError: the checkpoint cannot be read.
    """
    from bert_keras import checkpoints
    from bert_keras.text import packing
    from bert_keras.text.wordpiece import WordPieceTokenizer

    texts = [text.strip() for text in texts if text.strip()]
    if not texts:
        raise AnalysisError("there is no text to analyse")
    if len(texts) > MOST_TEXTS:
        raise AnalysisError(f"there are {len(texts)} texts: {MOST_TEXTS} at most, and tens will do")
    checkpoint = checkpoints.read(source)
    if checkpoint.vocabulary is None:
        raise AnalysisError(f"{source} has no vocabulary, so its words can't be told")
    backbone = checkpoints.build_backbone(checkpoint, dropout=0.0)
    tokenizer = WordPieceTokenizer(checkpoint.vocabulary, checkpoint.lowercase)
    most = min(MOST_TOKENS, backbone.max_sequence_length)
    rows = [tokenizer.encode(text) for text in texts]
    cut = sum(len(row) > most - 2 for row in rows)
    length = min(most, max(len(row) for row in rows) + 2)
    inputs = packing.pack_batch(
        [(row[: length - 2], None) for row in rows], checkpoint.vocabulary, length
    )
    real = inputs["padding_mask"]
    tokens = [
        checkpoint.vocabulary.words(row[mask])
        for row, mask in zip(inputs["token_ids"], real, strict=True)
    ]
    weights = attention_of(backbone, inputs)  # (L, B, N, T, T)
    first = int(real[0].sum())
    return Analysis(
        str(source),
        len(texts),
        int(real.sum()),
        cut,
        role_table(weights, tokens, real),
        _alike(weights, real),
        head_view(tokens[0], weights[:, 0, :, :first, :first], language=language),
    )


def _alike(weights, padding_mask):
    """Mean similarities inside and between layers."""
    layers, _, heads = weights.shape[:3]
    rows = int(np.searchsorted(np.cumsum(padding_mask.sum(axis=1)), MOST_QUERIES)) + 1
    together = np.concatenate(list(weights[:, :rows]), axis=1)  # (B, L * N, T, T)
    similarity = head_similarity(together, padding_mask[:rows])
    layer = np.repeat(np.arange(layers), heads)
    same = (layer[:, None] == layer) & ~np.eye(len(layer), dtype=bool)
    other = layer[:, None] != layer
    inside, between = (
        float(similarity[part].mean()) if part.any() else None for part in (same, other)
    )
    return inside, between


def as_json(analysis: Analysis) -> dict[str, Any]:
    """The numbers, as JSON values.

    Args:
        analysis: from `analyse`.

    Returns:
        dict.
    """
    rounded = {name: np.round(values, 4).tolist() for name, values in analysis.table.items()}
    layers, heads = analysis.table["entropy"].shape
    return {
        "source": analysis.source,
        "texts": analysis.texts,
        "tokens": analysis.tokens,
        "cut": analysis.cut,
        "layers": layers,
        "heads": heads,
        "table": rounded,
        "roles": {f"{a}-{b}": roles for (a, b), roles in roles_of(analysis.table).items()},
        "similarity": {"same_layer": analysis.alike[0], "other_layer": analysis.alike[1]},
    }


def write(analysis: Analysis, path: str | Path) -> None:
    """Write the web page: one file that asks for nothing from outside.

    Args:
        analysis: from `analyse`.
        path: the file.

    Raises:
        AnalysisError: it cannot be written.
    """
    table = analysis.table
    layers, heads = table["entropy"].shape
    shares = [name for name in table if name not in ("entropy", "distance")]
    maps = attention_map(
        [str(n + 1) for n in range(layers)],
        np.stack([table[name] for name in shares]),
        key_tokens=[str(n + 1) for n in range(heads)],
        titles=shares,
        columns=max(1, 36 // (heads + 2)),
    )
    dots = layer_dots([(name, table[name], None) for name in ("entropy", "distance")])
    same, other = ("–" if value is None else f"{value:.3f}" for value in analysis.alike)
    explained = "".join(
        f"<li><b>{name}</b>: {escape(EXPLANATIONS[name])}"
        + (f"; a head has this role above {BARS[name]}" if name in BARS else "")
        + "</li>"
        for name in table
    )
    named = {f"{a}-{b}": roles for (a, b), roles in roles_of(table).items()}
    rows = "".join(
        f"<tr><th>{head}</th>"
        + "".join(f"<td>{values.flat[n]:.2f}</td>" for values in table.values())
        + f"<td class=roles>{', '.join(roles)}</td></tr>"
        for n, (head, roles) in enumerate(named.items())
    )
    page = (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>Heads of {escape(analysis.source)}</title><style>{_STYLE}</style></head><body>"
        f"<h1>What the heads look at</h1><p>{escape(analysis.source)}: {layers} layers of {heads} "
        f"heads, {analysis.texts} texts, {analysis.tokens} tokens. Head 3-1 is the first of the "
        "third layer. Padding never counts; a mean runs over all tokens of all texts.</p>"
        f"<ul>{explained}</ul><h2>By layer</h2>{dots.svg}<h2>Shares, in per cent</h2>"
        "<p>Rows are layers, columns are heads.</p>"
        f"{maps.svg}<h2>How alike</h2><p>1 minus the Jensen–Shannon divergence over ln 2, mean of "
        f"all pairs of heads: of one layer {same}, of two layers {other}.</p>"
        f"<h2>The first text</h2>{analysis.view._repr_html_()}<h2>All heads</h2>"
        f"<table><thead><tr><th>head</th>{''.join(f'<th>{name}</th>' for name in table)}"
        f"<th>roles</th></tr></thead><tbody>{rows}</tbody></table></body></html>\n"
    )
    try:
        Path(path).write_text(page, encoding="utf-8")
    except OSError as error:
        raise AnalysisError(f"{path} can't be written ({error.strerror})") from None


_STYLE = (
    "body{font-family:system-ui,sans-serif;max-width:1100px;margin:24px auto;padding:0 16px;"
    "background:#fff;color:#1a1a1a;line-height:1.5}table{border-collapse:collapse;font-size:13px}"
    "th,td{padding:2px 9px;border-bottom:1px solid #ddd;text-align:right}.roles{text-align:left}"
    "h2{margin-top:1.6em;font-size:18px}h1{font-size:24px}"
)
