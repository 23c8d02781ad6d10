"""Notebook ch05b, exercise 1: which tokens are to be guessed."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch05b_choose_mistakes import CHOOSING
from autograder.exercises.common import derived
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.handle import Failed
from autograder.laws import ALPHA
from autograder.messages import Text
from autograder.oracles import mask_position_laws as laws

NOTEBOOK = "ch05b_masked_lm"
CALLS, ROWS = 20, 30  # of each kind, in each call
FAULTS = {
    "pair": Text(
        "应当返回一对数组：位置和权重", "two arrays should come back, positions and weights"
    ),
    "arrays": Text(
        "位置和权重应当是 NumPy 数组，不是列表",
        "positions and weights should be NumPy arrays, not lists",
    ),
    "shapes": Text("两个数组的形状都应当是 (B, P)", "both arrays should have shape (B, P)"),
    "positions": Text("位置应当是整数", "positions should be ints"),
    "weights": Text("权重的类型应当是 float32", "weights should be of dtype float32"),
    "ones": Text("权重只能是 0 和 1", "weights should be 0 or 1"),
    "front": Text(
        "每行的权重应当是先 1 后 0：用上的槽位排在前面",
        "weights of a row should be ones, then zeros: slots in use come first",
    ),
    "inside": Text("用上的槽位里有不存在的位置", "slots in use hold positions that don't exist"),
    "different": Text("一行里同一个位置挑了两次", "a position is picked twice in one row"),
    "ascending": Text("用上的槽位没有从小到大", "slots in use aren't in ascending order"),
    "zeros": Text("空着的槽位里不是 0", "unused slots hold something else than 0"),
}
ARGUMENT_CHANGED = Text(
    "传进来的 token_ids 被改动了。", "The token_ids that were handed in are changed."
)
SEEDS = Text(
    "种子不对：同一个种子应当得到相同的结果，换一个种子就不同。",
    "The seed isn't right: one seed should give one result, and another seed another.",
)

choose_mask_positions = Exercise(
    "choose_mask_positions",
    notebook=NOTEBOOK,
    points=6,
    tensors=False,
    forbids=("bert_keras.text.masked_lm.mask_tokens",),
)


def said(faults):
    """Puts the words that `form_of` found into sentences, in both languages."""

    def of(found):
        told = [faults[word] for word in str(found).split() if word in faults]
        if not told:
            return Text("返回的形式不对。", "What comes back has the wrong form.")
        english = "; ".join(text.en for text in told) + "."
        return Text("；".join(text.zh for text in told) + "。", english[0].upper() + english[1:])

    return of


def some_ids(rng):
    """Ids of pad, unk, cls and sep, in no order and never 0, and of eight ordinary tokens.

    The first ordinary id is 0, and padding has none of the ids that one might expect of it.
    """
    ids = [int(number) for number in rng.permutation(np.arange(1, 12))]
    return ids[:4], [0, *ids[4:]]


def kind_of(ids, pattern):
    """A row of ids: p, u, c, s are the special tokens, 0 to 7 ordinary ones."""
    special, ordinary = ids
    found = [special["pucs".index(one)] if one in "pucs" else ordinary[int(one)] for one in pattern]
    return np.array(found, np.int32)


def in_turn(kinds, rows):
    """The batch of so many rows of each kind, one of each in turn."""
    return np.tile(np.stack(kinds), (rows, 1))


def some_seeds(rng, count):
    """Different ints, as ints of Python's."""
    return [int(number) for number in rng.choice(1_000_000, count, replace=False)]


def unless_failed(results, make):
    """What is made of results, or the first of them that failed."""
    failed = [each for each in results if isinstance(each, Failed)]
    return failed[0] if failed else make()


def _judge(student, rng, ids, patterns, rate, slots, calls=CALLS, rows=ROWS):
    """Form, then laws, of some calls with a seed each."""
    kinds, special = [kind_of(ids, pattern) for pattern in patterns], ids[0]
    batch = in_turn(kinds, rows)
    # Every answer gets ids of its own: one that writes into them must not spoil the next call.
    found = [
        student(batch.copy(), list(special), rate, slots, seed) for seed in some_seeds(rng, calls)
    ]
    given = (kinds, special, rate, slots)
    shape = (len(batch), len(kinds[0]), slots)
    form = unless_failed(found, lambda: _worst(laws.form_of(each, *shape) for each in found))
    expect(form).equals(laws.form(*given), otherwise=said(FAULTS))
    expect(laws.outcomes(found, *given)).follows(laws.choices(*given, rows, calls))


def _worst(forms):
    """All the faults that any call shows."""
    words = {word for form in forms for word in form.split()} - {laws.FINE}
    return " ".join(word for word in laws.FAULTS if word in words) or laws.FINE


@choose_mask_positions.case(
    points=2,
    zh="每行按比例挑，只挑普通词元，哪几个都有同样的机会",
    en="a share of every row, ordinary tokens only, any of them with the same chance",
)
def any_of_them(student, rng):
    """Two kinds of rows; of one two are picked and of the other one."""
    _judge(student, rng, some_ids(rng), ("c10234sp", "c5u6s07s"), 0.35, 4)


@choose_mask_positions.case(
    points=1, zh="比例再小，也至少挑一个", en="one at least, however small the share"
)
def one_at_least(student, rng):
    """A row of two ordinary tokens, and one of five."""
    _judge(student, rng, some_ids(rng), ("c3s0spup", "c40125sp"), 0.15, 3)


@choose_mask_positions.case(
    points=1, zh="不超过 max_predictions 个", en="never more than max_predictions"
)
def no_more_than_slots(student, rng):
    """First where the slots just do, then where they don't."""
    for slots in (3, 2):
        _judge(student, rng, some_ids(rng), ("c2us0spp", "c1063s5p"), 0.6, slots)


@choose_mask_positions.case(
    points=1,
    zh="一个普通词元也没有的行；开头就是普通词元的行；槽位比词元多",
    en="rows without ordinary tokens; rows that begin with one; more slots than tokens",
)
def nothing_to_choose(student, rng):
    """Rows of padding and marks alone, of a single token, and of two, one of them in front."""
    _judge(student, rng, some_ids(rng), ("cuspp", "c0spp", "3u1sp"), 0.6, 8)


@choose_mask_positions.case(
    points=1,
    zh="种子决定结果；传进来的数组不动",
    en="the seed decides; the array that is handed in stays as it is",
)
def seeds(student, rng):
    """Rows so long that two different draws agree in none of them."""
    special, ordinary = some_ids(rng)
    batch = rng.choice(ordinary, (10, 30)).astype(np.int32)
    batch[:, 0], batch[:, 25], batch[:, 26:] = special[2], special[3], special[0]
    one, other = some_seeds(rng, 2)
    given = (list(special), 0.34, 30)
    found = [student(batch.copy(), *given, seed) for seed in (one, one, other)]
    agree = unless_failed(found, lambda: agreements(found))
    expect(agree).equals(laws.repeats(), otherwise=SEEDS)
    told = student.followed_by(
        fixture("first_argument"), fixture("arguments_of_masking", batch, *given, one)
    )
    kept = derived(told, lambda pair: np.asarray(np.array_equal(pair[1], batch)))
    expect(kept).equals(laws.untouched(), otherwise=ARGUMENT_CHANGED)


def agreements(found):
    """Bool (2,): whether the first two results are the same, and whether all the others are."""
    flat = [[np.asarray(part).tolist() for part in pair] for pair in found]
    return np.array([flat[0] == flat[1], all(each == flat[1] for each in flat[2:])])


for _name, (_switch, _zh, _en, _hints) in CHOOSING.items():
    choose_mask_positions.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def unmet(seen):
    """Names of the laws that the outcomes don't follow.

    Raises:
        LookupError: the observation isn't about laws.
    """
    known = getattr(seen.expected, "laws", None)
    if known is None:
        raise LookupError("no laws here")
    pairs = zip(known.items(), seen.actual, strict=True)
    return [name for (name, law), got in pairs if law.surprise(got) <= ALPHA / len(known)]


def _any_unmet(seen, word):
    return any(word in name for name in unmet(seen))


@choose_mask_positions.property(
    "form_is_right",
    zh="返回的形式不对：一对 (B, P) 的数组，用上的槽位在前、位置从小到大，空着的都是 0。",
    en="What comes back has the wrong form: two arrays (B, P), slots in use first and in ascending "
    "order, zeros in all others.",
)
def form_is_wrong(seen):
    return seen.prediction.parts == ("form",)


@choose_mask_positions.property(
    "special_tokens_are_left_alone",
    zh="挑中了特殊词元。",
    en="Special tokens are picked.",
)
def special_ones_are_chosen(seen):
    known = seen.expected.laws
    pairs = zip(known.items(), seen.actual, strict=True)
    return any("_place" in name and law.p == 0 and np.any(got) for (name, law), got in pairs)


@choose_mask_positions.property(
    "number_is_right",
    zh="每行挑的个数不对：数一数 N，再算 n。",
    en="The number of picks in a row is wrong: count N and work out n.",
)
def number_is_wrong(seen):
    return _any_unmet(seen, "_count")


@choose_mask_positions.property(
    "every_place_has_its_chance",
    zh="有的普通位置挑中得太多或太少。",
    en="Some ordinary positions are picked too often or too rarely.",
)
def some_places_are_preferred(seen):
    return _any_unmet(seen, "_place") and not _any_unmet(seen, "_count")


@choose_mask_positions.property(
    "every_set_has_its_chance",
    zh="每个位置的机会对，可是哪几个一起挑中，机会不一样。",
    en="Each position has its chance, but some are picked together too often.",
    alone=True,
)
def some_sets_are_preferred(seen):
    return _any_unmet(seen, "_set") or _any_unmet(seen, "_twice")


@choose_mask_positions.property("seed_decides", zh=SEEDS.zh, en=SEEDS.en)
def seed_is_wrong(seen):
    return seen.prediction.parts == ("repeats",)


@choose_mask_positions.property("argument_stays", zh=ARGUMENT_CHANGED.zh, en=ARGUMENT_CHANGED.en)
def argument_is_changed(seen):
    return seen.prediction.parts == ("untouched",)
