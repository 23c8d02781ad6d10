"""Generated claims to be checked against a store of facts: supported, refuted, or not to be told.

A store has statements about three invented places. A claim says something about one of them in
other words. What is refuted is true of another place of the store, and what cannot be told is
stated of the others only: a model has to find the right statement and compare, words in common do
not help. The labels are right by construction. With a path, the same function reads FEVER.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from bert_keras.text.corpora.archives import CorpusError
from bert_keras.text.corpora.generated_facts import FACTS, places
from bert_keras.text.corpora.labelled import deal, generate

SUPPORTED, REFUTED, UNKNOWN = 0, 1, 2
LABEL_NAMES = ("supported", "refuted", "not enough information")
LANGUAGES = ("en", "zh")

# What is claimed, in the order of the facts; the last of each is held out for the test.
_CLAIMS = {
    "en": (
        ("{v} is the capital of {n}.", "{n} is governed from {v}.", "{n}'s seat is {v}."),
        ("{n} has some {v} inhabitants.", "The people of {n} number {v}.", "{v} live in {n}."),
        ("{n} has existed since {v}.", "In {v}, {n} came into being.", "{n} dates from {v}."),
        ("One pays with {v} in {n}.", "{n}'s money is called {v}.", "{n} counts in {v}."),
        ("{n} exports {v}.", "Neighbours buy {v} from {n}.", "{v} comes from {n}."),
        ("There is {v} on the flag of {n}.", "{n} flies {v}.", "{n}'s flag bears {v}."),
    ),
    "zh": (
        ("{v}是{n}的首府。", "{n}的政府设在{v}。", "{n}以{v}为首府。"),
        ("{n}的人口有{v}。", "住在{n}的有{v}人。", "{v}人生活在{n}。"),
        ("{n}自{v}起就有了。", "{n}是{v}建立的。", "{n}的历史从{v}算起。"),
        ("{n}的货币是{v}。", "{v}在{n}通用。", "到{n}去要换{v}。"),
        ("{n}出口{v}。", "邻国从{n}买{v}。", "{v}是从{n}运来的。"),
        ("{n}的旗帜上有{v}。", "{v}画在{n}的旗帜上。", "{v}是{n}旗帜上的图案。"),
    ),
}


class Claim(NamedTuple):
    """A claim and the statements to check it against.

    Attributes:
        claim: str.
        store: tuple of str, the statements.
        evidence: int, which of them decides; -1 if none does.
        label: int, 0 supported, 1 refuted, 2 not enough information.
        number: str, of a published claim; empty for a generated one.
        names: tuple of (page, line), where the statements come from; empty for generated ones.
        sets: tuple of tuples of int, the statements that decide together, each way there is; empty
            where `evidence` alone does.
    """

    claim: str
    store: tuple[str, ...]
    evidence: int
    label: int
    number: str = ""
    names: tuple[tuple[str, int], ...] = ()
    sets: tuple[tuple[int, ...], ...] = ()

    def is_decided_by(self, found: Sequence[int]) -> bool:
        """Whether some statements are enough to tell.

        Args:
            found: numbers of statements.

        Returns:
            True if one of the sets of evidence is among them.
        """
        sets = self.sets if self.names else ((self.evidence,),)
        return any(set(wanted) <= set(found) for wanted in sets)


def load(
    path: str | Path | None = None,
    *,
    language: str = "en",
    size: int = 3000,
    facts: int = 4,
    seed: int = 13,
) -> dict[str, list[Claim]]:
    """Generated claims with their stores.

    Args:
        path: None for the generated set; otherwise as for `fever.load`.
        language: "en" or "zh".
        size: rows of train; dev and test get an eighth of it each.
        facts: how many facts are told of each of the three places, from 2 to 5.
        seed: what is drawn and held out.

    Returns:
        `{"train": […], "dev": […], "test": […]}`, lists of `Claim`, every label about equally
        often; no place is in two parts.

    Raises:
        CorpusError: unknown language, a number of facts that there are not, or a file cannot be
            read.
    """
    if path is not None:
        from bert_keras.text.corpora import fever

        return fever.load(path, seed=seed)
    if language not in LANGUAGES:
        raise CorpusError(f"language is {language!r}; it can be {' or '.join(LANGUAGES)}")
    if not 2 <= facts < len(FACTS[language]):
        raise CorpusError(f"facts is {facts}; it can be 2 to {len(FACTS[language]) - 1}")
    rng = random.Random(seed)
    names = deal(places(language), rng)
    known = FACTS[language]

    def make(split: str) -> Claim:
        label = rng.randrange(3)
        here, *others = rng.sample(names[split], 3)
        told = rng.sample(range(len(known)), facts)
        asked = rng.choice(told)
        values = {fact: rng.sample(known[fact].values.split("|"), 3) for fact in told}
        statements = []
        for place, name in enumerate((here, *others)):
            for fact in told:
                if label == UNKNOWN and name == here and fact == asked:
                    continue
                statement = known[fact].statement.format(n=name, v=values[fact][place])
                statements.append((statement, name == here and fact == asked))
        rng.shuffle(statements)
        decisive = [is_it for _, is_it in statements]
        value = values[asked][0 if label == SUPPORTED else rng.choice((1, 2))]
        held_out = split == "test" and rng.random() < 0.5
        wordings = _CLAIMS[language][asked]
        wording = wordings[-1] if held_out else rng.choice(wordings[:-1])
        claim = wording.format(n=here, v=value)
        return Claim(
            claim[0].upper() + claim[1:],
            tuple(statement for statement, _ in statements),
            decisive.index(True) if label != UNKNOWN else -1,
            label,
        )

    return generate(make, size, lambda row: row[:2])
