"""Sentence templates: a small grammar whose sentences come with their slots marked.

The notation is that of Home Assistant's intents, so a line can stand for thousands of sentences:

    (turn|switch) on [the] {name:device} [in <the> {area}]

`(a|b)` is one of several, `(a;b)` is all of them in any order, `[a]` is optional, `<rule>` is a
template with a name, `{list}` is a value out of a list and the slot of the same name, and
`{list:slot}` a value for another slot. A backslash takes the next character as it is.
"""

from __future__ import annotations

import functools
import random
import re
from collections.abc import Mapping, MutableMapping, Sequence
from typing import NamedTuple

from bert_keras.text.corpora.archives import CorpusError

OPTIONAL = 0.4  # how often something optional is said
_DEPTH = 8  # rules in rules; deeper ones say nothing

_CLOSING = {"(": ")", "[": "]", "<": ">", "{": "}"}
_WORD = re.compile(r"(?:[^\W_]|')+|[^\s']")  # letters of any alphabet and digits, or one mark


class Node(NamedTuple):
    """A piece of a parsed template.

    Attributes:
        kind: "text", "one" of several, "all" in any order, "maybe", "rule" or "list".
        content: str for text, rules and lists; a tuple of tuples of `Node` for one and all; a
            `Node` for maybe.
    """

    kind: str
    content: str | tuple | Node


class Segment(NamedTuple):
    """A piece of a sentence.

    Attributes:
        text: str.
        slot: str, the slot that it fills, or None.
        meaning: what the value means; different words may mean the same.
    """

    text: str
    slot: str | None = None
    meaning: str | None = None


@functools.cache
def parse(template: str) -> Node:
    """Parse a template.

    Args:
        template: str in the notation of this module.

    Returns:
        `Node` of kind "one" or "all".

    Raises:
        CorpusError: a bracket is not closed, or closed without being opened.
    """
    node, end, _ = _parse(template, 0, "")
    if end != len(template):
        raise CorpusError(f"template {template!r}: nothing opened what column {end} closes")
    return node


class Grammar:
    """What templates refer to.

    Args:
        lists: name → `{"values": [text or {"in": text, "out": meaning}, …]}` or
            `{"range": {"from": …, "to": …, "step": …}}`.
        rules: name → template.
        words: name → values of lists that are open, such as the names of rooms; they come first.
        wild: what stands for anything.
    """

    def __init__(
        self,
        lists: Mapping[str, Mapping],
        rules: Mapping[str, str],
        words: Mapping[str, Sequence[str]],
        wild: Sequence[str],
    ):
        self.lists = lists
        self.rules = rules
        self.words = words
        self.wild = wild

    def sample(
        self,
        template: str,
        rng: random.Random,
        rules: Mapping[str, str] | None = None,
        fixed: MutableMapping[str, Segment] | None = None,
    ) -> list[Segment]:
        """Draw a sentence.

        Args:
            template: str.
            rng: source of all choices.
            rules: rules that go before the grammar's own.
            fixed: values by the name of their list, used instead of drawing; values that are
                drawn are added, so a second sentence can speak about the same things.

        Returns:
            List of `Segment`.

        Raises:
            CorpusError: a template cannot be parsed.
        """
        return self._sample(parse(template), rng, {**self.rules, **(rules or {})}, fixed, 0)

    def value(self, name: str, rng: random.Random) -> Segment:
        """Draw a value of a list.

        Args:
            name: name of the list.
            rng: source of all choices.

        Returns:
            `Segment` without a slot.
        """
        return self._value(name, rng, self.rules, None, 0)

    def _sample(self, node, rng, rules, fixed, depth) -> list[Segment]:
        kind, content = node
        if kind == "text":
            return [Segment(content)]
        if kind == "one":
            chosen = rng.choice(content)
            return [
                part for item in chosen for part in self._sample(item, rng, rules, fixed, depth)
            ]
        if kind == "all":
            order = list(content)
            rng.shuffle(order)
            found = []
            for items in order:
                found.append(Segment(" "))
                for item in items:
                    found += self._sample(item, rng, rules, fixed, depth)
            return found
        if kind == "maybe":
            said = rng.random() < OPTIONAL
            return self._sample(content, rng, rules, fixed, depth) if said else []
        if kind == "rule":
            if content not in rules or depth > _DEPTH:
                return []
            return self._sample(parse(rules[content]), rng, rules, fixed, depth + 1)
        name, _, slot = content.partition(":")
        if fixed is not None and name in fixed:
            value = fixed[name]
        else:
            value = self._value(name, rng, rules, fixed, depth)
            if fixed is not None:
                fixed[name] = value
        return [value._replace(slot=slot or name)]

    def _value(self, name, rng, rules, fixed, depth) -> Segment:
        if name in self.words:
            text = rng.choice(self.words[name])
            return Segment(text, meaning=text)
        source = self.lists.get(name) or {}
        if "values" in source:
            entry = rng.choice(source["values"])
            template = entry["in"] if isinstance(entry, dict) else entry
            text = "".join(
                s.text for s in self._sample(parse(template), rng, rules, fixed, depth + 1)
            )
            meaning = entry.get("out", text) if isinstance(entry, dict) else text
            return Segment(text, meaning=str(meaning))
        if "range" in source:
            limits = source["range"]
            number = rng.randrange(limits["from"], limits["to"] + 1, limits.get("step", 1))
            return Segment(str(number), meaning=str(number))
        text = rng.choice(self.wild)
        return Segment(text, meaning=text)


def characters(segments: Sequence[Segment]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Characters of a Chinese sentence and their BIO tags; white space is dropped.

    Args:
        segments: from `Grammar.sample`.

    Returns:
        Two tuples of str of one length: tokens, tags.
    """
    tokens, tags = [], []
    for text, slot, _ in segments:
        letters = [letter for letter in text if not letter.isspace()]
        tokens += letters
        for position in range(len(letters)):
            tags.append(("I-" if position else "B-") + slot if slot else "O")
    return tuple(tokens), tuple(tags)


def words(segments: Sequence[Segment]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Lower-case words and marks of a sentence with spaces, and their BIO tags.

    A word glued together from several segments, like *light* + *s*, belongs to the first slot in
    it.

    Args:
        segments: from `Grammar.sample`.

    Returns:
        Two tuples of str of one length: tokens, tags.
    """
    text = "".join(segment.text for segment in segments).lower()
    owners = [number for number, segment in enumerate(segments) for _ in segment.text]
    tokens, tags, previous = [], [], None
    for found in _WORD.finditer(text):
        filled = (n for n in owners[found.start() : found.end()] if segments[n].slot)
        owner = next(filled, None)
        tokens.append(found.group())
        if owner is None:
            tags.append("O")
        else:
            tags.append(("I-" if owner == previous else "B-") + segments[owner].slot)
        previous = owner
    return tuple(tokens), tuple(tags)


def _parse(template: str, start: int, closing: str) -> tuple[Node, int, bool]:
    """Parse up to a bracket; returns the node, the position after it, and if it was `closing`."""
    branches: list[list[Node]] = [[]]
    kind, text, position, closed = "one", "", start, False

    def finish_text():
        nonlocal text
        if text:
            branches[-1].append(Node("text", text))
            text = ""

    while position < len(template):
        letter = template[position]
        position += 1
        if letter in ")]":
            closed = letter == closing
            position -= not closed
            break
        if letter == "\\" and position < len(template):
            text += template[position]
            position += 1
        elif letter in "|;":
            finish_text()
            kind = "all" if letter == ";" else kind
            branches.append([])
        elif letter in "([":
            finish_text()
            node, position, inner_closed = _parse(template, position, _CLOSING[letter])
            if not inner_closed:
                raise CorpusError(f"template {template!r}: {letter} is not closed")
            branches[-1].append(node if letter == "(" else Node("maybe", node))
        elif letter in "<{":
            finish_text()
            end = template.find(_CLOSING[letter], position)
            if end < 0:
                raise CorpusError(f"template {template!r}: {letter} is not closed")
            name = template[position:end]
            branches[-1].append(Node("rule" if letter == "<" else "list", name))
            position = end + 1
        else:
            text += letter
    finish_text()
    return Node(kind, tuple(map(tuple, branches))), position, closed
