import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

from bert_keras.text.corpora import archives
from bert_keras.text.duplicates import (
    DuplicatesError,
    Signatures,
    duplicate_of,
    merge,
    normalize,
    signatures,
)


def shingles(text, length=4):
    words = normalize(text)
    return {tuple(words[i : i + length]) for i in range(max(1, len(words) - length + 1))}


def similarity(a, b):
    return len(shingles(a) & shingles(b)) / len(shingles(a) | shingles(b))


def constructed(count=300, length=120, seed=0):
    """Random texts, and after them variants of some with a known number of words exchanged."""
    rng = np.random.default_rng(seed)
    words = [f"w{n}" for n in range(5000)]
    texts = [" ".join(rng.choice(words, length)) for _ in range(count)]
    source = []
    for changed in (0, 1, 2, 40):
        for number in rng.choice(count, 25, replace=False).tolist():
            variant = texts[number].split()
            for place in rng.choice(length, changed, replace=False).tolist():
                variant[place] = "other"
            texts.append(" ".join(variant).upper() + "!")
            source.append(number)
    return texts, source, count


def test_recall_and_precision_on_a_constructed_set():
    texts, source, count = constructed()
    found = duplicate_of(signatures(texts), threshold=0.8)
    assert (found[:count] == -1).all()  # precision: nothing of the originals is a repetition
    exact = [similarity(texts[count + n], texts[s]) for n, s in enumerate(source)]
    for number, (s, alike) in enumerate(zip(source, exact, strict=True)):
        # The estimate's standard error is at most 0.045: 0.18 away from the threshold it is right.
        if alike > 0.9:
            assert found[count + number] == s
        elif alike < 0.6:
            assert found[count + number] == -1
    assert sum(alike > 0.9 for alike in exact) >= 50 and sum(alike < 0.6 for alike in exact) == 25


def test_the_share_of_equal_values_estimates_the_similarity():
    texts, source, count = constructed(60, 200, seed=3)
    minima = signatures(texts, hashes=512).minima
    errors = [
        (minima[count + n] == minima[s]).mean() - similarity(texts[count + n], texts[s])
        for n, s in enumerate(source)
    ]
    # 100 estimates, each off by more than 6 standard errors with probability below 2e-9.
    assert np.abs(errors).max() < 6 * np.sqrt(0.25 / 512)
    assert abs(np.mean(errors)) < 6 * np.sqrt(0.25 / 512 / 25)  # variants of one text go together


def test_normalisation_and_short_texts():
    texts = ["Café, 天地!", "cafe 天 地", "天地 café", "", "—!?", "one", "ONE."]
    assert duplicate_of(signatures(texts)).tolist() == [-1, 0, -1, -1, 3, -1, 5]


def test_chains_lead_to_the_first():
    words = [f"w{n}" for n in range(200)]
    texts = [" ".join(["x"] * n + words[n:]) for n in range(0, 100, 10)]
    assert similarity(texts[0], texts[1]) > 0.9 and similarity(texts[0], texts[-1]) < 0.6
    assert duplicate_of(signatures(texts), threshold=0.75).tolist() == [-1] + [0] * 9


def test_blocks_and_processes_do_not_matter():
    texts, _, _ = constructed(40, 60)
    whole = signatures(texts)
    blocks = [texts[:7], texts[7:8], [], texts[8:]]
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        parts = list(pool.map(signatures, blocks))
    merged = merge(pickle.loads(pickle.dumps(parts)))
    assert all(np.array_equal(a, b) for a, b in zip(whole, merged, strict=True))
    assert whole.minima.dtype == np.uint32 and whole.minima.shape == (len(texts), 128)


def test_a_long_text_is_worked_through_in_pieces():
    words = [f"w{n}" for n in range(9001)]
    long = " ".join(words)
    near = " ".join([*words[:-1], "end"])
    assert duplicate_of(signatures([long, near, " ".join(words[::-1])])).tolist() == [-1, 0, -1]
    half = " ".join([*words[:4500], *(f"v{n}" for n in range(4501))])  # one third in common
    minima = signatures([long, half], hashes=512).minima
    assert abs((minima[0] == minima[1]).mean() - 1 / 3) < 6 * np.sqrt(2 / 9 / 512)


def test_words_only():
    texts, source, count = constructed(40, 60)
    found = duplicate_of(signatures(texts), threshold=2)
    assert (found[count : count + 25] == source[:25]).all() and (found[count + 25 :] == -1).all()


def test_bad_settings_are_refused():
    with pytest.raises(DuplicatesError, match="multiple of 4"):
        signatures(["a"], hashes=6)
    with pytest.raises(DuplicatesError, match="positive"):
        duplicate_of(signatures(["a"]), threshold=0)
    with pytest.raises(DuplicatesError, match=r"\[128, 256\]"):
        merge([signatures(["a"]), signatures(["a"], hashes=256)])
    with pytest.raises(DuplicatesError, match="widths"):
        merge([])
    assert len(duplicate_of(signatures([]))) == 0


@pytest.mark.slow
def test_reruns_of_bbc_articles():
    try:
        files = archives.read_matching(archives.BBC, r"bbcnews/data/\w+/\d+\.txt$")
    except archives.CorpusError as error:
        pytest.skip(str(error))
    texts = [content.decode("utf-8", "replace") for _, content in sorted(files.items())]
    found = signatures(texts)
    sets = [shingles(text) for text in texts]
    holders: dict = {}
    for number, parts in enumerate(sets):
        for part in parts:
            holders.setdefault(part, []).append(number)
    together: dict = {}
    for numbers in holders.values():
        for place, later in enumerate(numbers[:60]):
            for before in numbers[:place]:
                together[before, later] = together.get((before, later), 0) + 1
    alike = {
        (a, b): n / (len(sets[a]) + len(sets[b]) - n) for (a, b), n in together.items() if n > 9
    }
    for threshold in (0.9, 0.7):
        right = {later for (_, later), value in alike.items() if value >= threshold}
        ours = set(np.flatnonzero(duplicate_of(found, threshold=threshold) >= 0).tolist())
        assert len(right) > 140 and len(ours ^ right) <= 3, (len(right), len(ours))


def test_signatures_are_the_same_on_every_machine():
    # Stored signatures of one run are merged with those of another, so values may never change.
    found = signatures(["the quick brown fox jumps over the lazy dog", "天地玄黄"], hashes=4)
    assert isinstance(found, Signatures)
    assert found.exact.tolist() == EXACT and found.minima.tolist() == MINIMA


EXACT = [3149432451688692722, 13302476220671097683]
MINIMA = [
    [309473615, 2080640784, 407388139, 1350473977],
    [513122534, 2688344330, 642745058, 3440784322],
]
