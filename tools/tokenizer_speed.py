"""How fast our WordPiece is beside the `tokenizers` library, on one core and on the same texts.

    python tools/tokenizer_speed.py [--rounds 5] [--megabytes 0] [--json]

Every round times each way once, one after the other, in CPU seconds of this process; the best
round of each counts. Ours is timed *cold*, with a new tokenizer that has remembered nothing, and
*warm*, with one that has seen the text. The library is timed text by text, as a batch, and as a
batch without offsets, with one thread; its fastest way is what the ratio is taken against. On both
sides the result is lists of ids in Python, and the ids of both are compared first.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from pathlib import Path

# One thread for the library; it reads these once, when it is imported.
os.environ["RAYON_NUM_THREADS"] = "1"
os.environ["TOKENIZERS_PARALLELISM"] = "false"

from tokenizers import BertWordPieceTokenizer

from bert_keras.checkpoints import minilm
from bert_keras.text.corpora import bbc_news, chinese_reviews, peoples_daily
from bert_keras.text.corpora.archives import CorpusError
from bert_keras.text.vocabulary import Vocabulary, train_wordpiece_vocabulary
from bert_keras.text.wordpiece import WordPieceTokenizer

GOAL = 4.0


def texts_of(corpus: str, megabytes: float) -> list[str]:
    """The texts of one corpus, as many as fit into so many megabytes; 0 means all."""
    if corpus == "bbc_news":
        found = ["\n".join((a.title, *a.paragraphs)) for a in bbc_news.articles()]
    else:
        module = peoples_daily if corpus == "peoples_daily" else chinese_reviews
        found = [row.text for rows in module.load().values() for row in rows]
    kept, size = [], 0
    for text in found:
        if megabytes and size > megabytes * 1e6:
            break
        kept.append(text)
        size += len(text.encode())
    return kept


def vocabulary_for(corpus: str, texts: list[str], folder: Path) -> Path:
    """A vocabulary file: MiniLM's 30,522 English pieces, or 8,000 trained on the Chinese text."""
    if corpus == "bbc_news":
        return minilm.unpack(folder) / "vocab.txt"
    path = folder / f"{corpus}.txt"
    train_wordpiece_vocabulary(texts, size=8000).save(path)
    return path


def measure(texts: list[str], vocabulary: Path, rounds: int) -> dict:
    """Megabytes a second of every way, and whether the ids are equal."""
    library = BertWordPieceTokenizer(str(vocabulary))._tokenizer
    ours = Vocabulary.load(vocabulary)
    remembering = WordPieceTokenizer(ours)

    def cold():
        tokenizer = WordPieceTokenizer(ours)
        return [tokenizer.encode(text) for text in texts]

    def batch(encode):
        return [found.ids for found in encode(texts, add_special_tokens=False)]

    ways = {
        "ours_cold": cold,
        "ours_warm": lambda: [remembering.encode(text) for text in texts],
        "library_one_by_one": lambda: [
            library.encode(text, add_special_tokens=False).ids for text in texts
        ],
        "library_batch": lambda: batch(library.encode_batch),
        "library_batch_fast": lambda: batch(library.encode_batch_fast),
    }
    equal = ways["ours_warm"]() == ways["library_batch_fast"]()
    best = dict.fromkeys(ways, float("inf"))
    for _ in range(rounds):
        for name, way in ways.items():
            start = time.process_time()
            way()
            best[name] = min(best[name], time.process_time() - start)
    megabytes = sum(len(text.encode()) for text in texts) / 1e6
    speeds = {name: round(megabytes / seconds, 2) for name, seconds in best.items()}
    fastest = max(speed for name, speed in speeds.items() if name.startswith("library"))
    return {
        "megabytes": round(megabytes, 2),
        "equal": equal,
        "megabytes_per_second": speeds,
        "ratio_cold": round(speeds["ours_cold"] / fastest, 2),
        "ratio_warm": round(speeds["ours_warm"] / fastest, 2),
    }


def main(arguments: list[str] | None = None) -> int:
    """Time all corpora; 1 if ids differ somewhere or a cold ratio misses the goal, else 0."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--rounds", type=int, default=5, help="how often each way is timed")
    parser.add_argument("--megabytes", type=float, default=0, help="text per corpus; 0 means all")
    parser.add_argument("--json", action="store_true", help="print JSON alone")
    options = parser.parse_args(arguments)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    rows = {}
    with tempfile.TemporaryDirectory() as folder:
        for corpus in ("peoples_daily", "chinese_reviews", "bbc_news"):
            try:
                texts = texts_of(corpus, options.megabytes)
                vocabulary = vocabulary_for(corpus, texts, Path(folder))
            except CorpusError as error:
                print(error, file=sys.stderr)
                return 2
            rows[corpus] = measure(texts, vocabulary, options.rounds)
    if options.json:
        print(json.dumps({"goal": GOAL, "corpora": rows}, indent=2))
    else:
        for corpus, row in rows.items():
            speeds = "  ".join(f"{n} {s:.1f}" for n, s in row["megabytes_per_second"].items())
            print(f"{corpus}: {row['megabytes']} MB, ids {'equal' if row['equal'] else 'DIFFER'}")
            print(f"  MB/s: {speeds}")
            print(f"  ours / library's fastest: {row['ratio_cold']} cold, {row['ratio_warm']} warm")
    good = all(row["equal"] and row["ratio_cold"] >= GOAL for row in rows.values())
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
