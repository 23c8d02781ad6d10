"""Notebook ch06b, exercise 2: spans read off BIO tags."""

import json

from autograder.exercise import Exercise
from autograder.exercises.ch06b_1_labels import NOTEBOOK
from autograder.exercises.ch06b_span_mistakes import SPANS
from autograder.exercises.common import derived
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.messages import Text
from autograder.oracles.tag_spans import bio_spans as oracle
from autograder.oracles.tag_spans import written

KINDS = ("PER", "LOC", "ORG", "TIME", "title", "artist")
DASHED = ("work-of-art", "work-of-law", "geo-loc", "geo-art")

bio_spans = Exercise(
    "bio_spans",
    notebook=NOTEBOOK,
    points=4,
    tensors=False,
)


def written_out(rng, plan, kinds=KINDS):
    """Tags from a plan such as "O Bx Ix By O", with kinds of the seed's."""
    names = dict(zip("xyzw", (kinds[i] for i in rng.permutation(len(kinds))[:4]), strict=True))
    return [sign if sign == "O" else f"{sign[0]}-{names[sign[1]]}" for sign in plan.split()]


def some_tags(rng, number, kinds):
    """Tags at random, lawful or not."""
    signs = rng.choice(["O", "B", "I"], number, p=[0.25, 0.25, 0.5])
    return ["O" if s == "O" else f"{s}-{kinds[rng.integers(len(kinds))]}" for s in signs]


def _judge(student, tags):
    wanted = oracle(tags)
    told = [tuple(span) for span in json.loads(str(wanted.value))]

    def what_came(got):
        return Text(
            f"{tags} 应得到 {told}，实际得到 {_shown(got)}。",
            f"{tags} should give {told}, not {_shown(got)}.",
        )

    found = derived(student(fixture("lent_words", tags)), written)
    expect(found).equals(wanted, otherwise=what_came)


def _shown(got):
    """What came back as a student would write it: tuples, which JSON has as lists."""
    found = json.loads(str(got))
    if isinstance(found, list):
        found = [tuple(span) if isinstance(span, list) else span for span in found]
    text = str(found)
    return text if len(text) <= 500 else text[:500] + "…"


@bio_spans.case(
    points=1,
    zh="守规矩的标签：种类，开始，末端（不含）",
    en="tags that keep the rules: kind, start and end (exclusive)",
)
def by_the_rules(student, rng):
    """Spans of one to three words, at both ends of the sentence, and touching ones."""
    for plan in (
        "O Bx Ix O By O O Bz Iz Iz O",
        "Bx Ix By O Bx Ix Ix",
        "O Bx Bx Ix O By By By",
        "Bx Ix Bx Ix By Iy O Bx O By",
    ):
        _judge(student, written_out(rng, plan))


@bio_spans.case(
    points=1,
    zh="O 后面或句首的 I：自己开一个",
    en="an I after O or at the start begins a span",
)
def after_nothing(student, rng):
    """Alone and with more of its kind behind it; one that would go on over an O."""
    for plan in (
        "Ix O By O Ix O",
        "O Ix Ix O By Iy O Iz",
        "Ix Ix O Bx O Ix Ix Bx",
        "Bx Ix O Ix O O Iy",
    ):
        _judge(student, written_out(rng, plan))


@bio_spans.case(
    points=1,
    zh="别的种类后面的 I：自己开一个",
    en="an I after another kind begins a span",
)
def after_another_kind(student, rng):
    """After a B and after an I; back and forth; last in the sentence."""
    for plan in (
        "O Bx Iy O Bz Iz Ix O",
        "Bx Ix Iy Iy Ix O By Ix",
        "O Bx Iy Bx Ix Iz Bz Iy",
        "By Ix Ix Iy O Ix Iy Iy",
    ):
        _judge(student, written_out(rng, plan))


@bio_spans.case(
    points=1,
    zh="种类里有 -；没有词，没有片段；长句子",
    en="kinds with a dash; no words, no spans; long sentences",
)
def anything(student, rng):
    """Kinds that begin alike or end alike; then tags at random."""
    _judge(student, written_out(rng, "Bx Ix Bx O By Iy Bz Iw Iz O Bw Iw Ix Bx By", DASHED))
    _judge(student, [])
    _judge(student, ["O"] * 4)
    for number in (17, 24):
        _judge(student, some_tags(rng, number, KINDS[:3]))
        _judge(student, some_tags(rng, number, DASHED[2:] + KINDS[:2]))


for _name, (_switch, _zh, _en, _hints) in SPANS.items():
    bio_spans.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _spans(seen):
    """What came back and what should have, both lists of (kind, start, end).

    Raises:
        LookupError: what came back is no such list.
    """
    found, wanted = (json.loads(str(each)) for each in (seen.actual, seen.expected))
    if not isinstance(found, list) or not all(map(_is_span, found)):
        raise LookupError("no list of spans")
    return [tuple(span) for span in found], [tuple(span) for span in wanted]


def _is_span(span):
    form = [type(part) for part in span] if isinstance(span, list) else []
    return form == [str, int, int]


@bio_spans.property(
    "spans_come_back",
    zh="应当返回一个列表，每一项是 (kind, start, end)：一个字符串，两个整数。",
    en="A list should come back, each entry (kind, start, end), a str and two ints.",
)
def no_spans(seen):
    try:
        _spans(seen)
    except LookupError:
        return True
    return False


@bio_spans.property(
    "spans_are_inside",
    zh="有的片段不在句子里，或者一个词也没有。",
    en="Some span leaves the sentence or has no word.",
)
def spans_leave_the_sentence(seen):
    found, _ = _spans(seen)
    return any(not 0 <= start < end <= len(seen.args[0]) for _, start, end in found)


@bio_spans.property(
    "kinds_are_those_of_the_tags",
    zh="有的种类不是标签里的种类。",
    en="Some kind isn't one of the tags'.",
)
def kinds_are_wrong(seen):
    found, _ = _spans(seen)
    known = {tag.partition("-")[2] for tag in seen.args[0] if tag != "O"}
    return any(kind not in known for kind, _, _ in found)


@bio_spans.property(
    "in_order_of_the_sentence",
    zh="片段没有按在句中的次序排。",
    en="The spans aren't in the order of the sentence.",
)
def out_of_order(seen):
    found, _ = _spans(seen)
    starts = [start for _, start, _ in found]
    return starts != sorted(starts)


@bio_spans.property(
    "every_named_word_is_covered",
    zh="有的词标签不是 O，却不在任何片段里；或者标签是 O 的词在片段里。",
    en="Some word whose tag isn't O is in no span, or one whose tag is O is in a span.",
)
def words_are_lost(seen):
    found, _ = _spans(seen)
    covered = [any(a <= i < b for _, a, b in found) for i in range(len(seen.args[0]))]
    return covered != [tag != "O" for tag in seen.args[0]]


@bio_spans.property(
    "every_b_begins_a_span",
    zh="有的 B 没有开始一个新片段。",
    en="Some B doesn't begin a span.",
)
def a_b_begins_nothing(seen):
    found, _ = _spans(seen)
    starts = {start for _, start, _ in found}
    return any(tag[0] == "B" and i not in starts for i, tag in enumerate(seen.args[0]))


@bio_spans.property(
    "spans_part_where_they_should",
    zh="片段的分界不对：哪个标签开始新片段，哪个接着旧的？",
    en="The spans part in wrong places: which tag begins one, and which goes on?",
    alone=True,
)
def borders_are_wrong(seen):
    found, wanted = _spans(seen)
    return found != wanted
