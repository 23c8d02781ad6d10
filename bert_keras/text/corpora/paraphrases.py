"""Pairs of commands that say the same or not, in Chinese and English.

Made from the sentence templates that people wrote for Home Assistant: templates of one group say
the same in other words. A pair that does not say the same differs in one detail ("kitchen" for
"bedroom"), or comes from another group and speaks of the same things. With a path, the same
function reads LCQMC, AFQMC, MRPC, QQP and other published pairs.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import NamedTuple

from bert_keras.text.corpora import intents, pair_files, templates
from bert_keras.text.corpora.labelled import SPLITS, Pair

DIFFERENT, SAME = 0, 1
LABEL_NAMES = ("different", "same")

_ATTEMPTS = 60  # draws for each wanted pair; small grammars run out of new ones


class _Saying(NamedTuple):
    """A sentence with what it means: an intent, and (slot, meaning) of each detail."""

    text: str
    intent: str
    details: frozenset[tuple[str, str]]


def load(
    path: str | Path | None = None,
    *,
    language: str = "zh-CN",
    pairs: int = 6000,
    seed: int = 13,
) -> dict[str, list[Pair]]:
    """Paraphrase pairs; half of them say the same.

    Args:
        path: None for the constructed set; otherwise as for `pair_files.load`.
        language: "zh-CN" or "en"; of the constructed set.
        pairs: how many for train; test gets a quarter and dev an eighth of it.
        seed: what is drawn, and which groups of templates are held out.

    Returns:
        `{"train": […], "dev": […], "test": […]}`, lists of `Pair` with label 1 for the same. The
        groups of templates are disjoint, and no sentence is in two parts.

    Raises:
        CorpusError: unknown language, or a file cannot be had or read.
    """
    if path is not None:
        return pair_files.load(path, pair_files.PARAPHRASE, seed=seed)
    maker = _Maker(language, seed)
    sizes = {"train": pairs, "dev": pairs // 8, "test": pairs // 4}
    taken: set[str] = set()
    parts = {}
    for name in reversed(SPLITS):
        parts[name] = maker.draw(name, sizes[name], taken)
        taken.update(text for pair in parts[name] for text in pair[:2])
    return {name: parts[name] for name in SPLITS}


class _Maker:
    def __init__(self, language: str, seed: int):
        self.language = language
        self.rng = random.Random(seed)
        self.grammar, found = intents.read_templates(language)
        groups: dict[tuple[str, int], list[intents.Template]] = {}
        for template in found:
            groups.setdefault((template.intent, template.block), []).append(template)
        usable = [group for group in groups.values() if len(group) >= 2]
        self.rng.shuffle(usable)
        tenth = max(1, len(usable) // 10)
        self.groups = {
            "test": usable[: 2 * tenth],
            "dev": usable[2 * tenth : 3 * tenth],
            "train": usable[3 * tenth :],
        }

    def draw(self, split: str, count: int, taken: set[str]) -> list[Pair]:
        """Pairs of one part without sentences that another part has taken."""
        found: dict[tuple[str, str], Pair] = {}
        groups = self.groups[split]
        wanted = {SAME: count // 2, DIFFERENT: count - count // 2}
        for _ in range(_ATTEMPTS * count if groups else 0):
            open_labels = [label for label, number in wanted.items() if number]
            if not open_labels:
                break
            pair = self._pair(groups, self.rng.choice(open_labels))
            if pair and not taken & {pair.a, pair.b} and pair_files.unordered(pair) not in found:
                found[pair_files.unordered(pair)] = pair
                wanted[pair.label] -= 1
        return list(found.values())

    def _pair(self, groups: list[list[intents.Template]], label: int) -> Pair | None:
        group = self.rng.choice(groups)
        first, second = self.rng.sample(group, 2)
        fixed: dict[str, templates.Segment] = {}
        a = self._say(first, fixed)
        if label == SAME:
            b = self._say(second, fixed)
            fits = a.details == b.details
        elif fixed and self.rng.random() < 0.5:
            b = self._say(second, self._one_changed(fixed))
            # The same slots, and in exactly one of them another meaning.
            slots = [{slot for slot, _ in saying.details} for saying in (a, b)]
            fits = slots[0] == slots[1] and len(a.details ^ b.details) == 2
        else:
            b = self._say(self._elsewhere(groups, group), dict(fixed))
            fits = (a.intent, a.details) != (b.intent, b.details)
        if not fits or not a.text or not b.text or a.text == b.text:
            return None
        return Pair(a.text, b.text, label)

    def _say(self, template: intents.Template, fixed: dict[str, templates.Segment]) -> _Saying:
        segments = self.grammar.sample(template.text, self.rng, template.rules, fixed)
        if self.language.startswith("zh"):
            text = "".join(templates.characters(segments)[0])
        else:
            text = " ".join(templates.words(segments)[0])
        details = frozenset((s.slot, s.meaning) for s in segments if s.slot)
        return _Saying(text, template.intent, details)

    def _one_changed(self, fixed: dict[str, templates.Segment]) -> dict[str, templates.Segment]:
        name = self.rng.choice(sorted(fixed))
        return {**fixed, name: self.grammar.value(name, self.rng)}

    def _elsewhere(self, groups, group) -> intents.Template:
        """A template of another group, mostly of the same intent: those are harder to tell."""
        others = [g for g in groups if g is not group] or groups
        near = [g for g in others if g[0].intent == group[0].intent]
        return self.rng.choice(
            self.rng.choice(near if near and self.rng.random() < 0.6 else others)
        )
