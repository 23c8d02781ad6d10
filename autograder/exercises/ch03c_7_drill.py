"""Notebook ch03c, the debugging drill: a training loss and a beam search."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch03c_4_greedy import translator
from autograder.exercises.ch03c_beam_mistakes import BEAM
from autograder.exercises.ch03c_drill_kit import a_batch, a_script, crowded, overtaken
from autograder.exercises.ch03c_drill_mistakes import FAULTS, ILL_HINTS, OWN, STILL_ILL
from autograder.exercises.ch03c_greedy_mistakes import GREEDY
from autograder.exercises.ch03c_smoothing_mistakes import SMOOTHING
from autograder.exercises.common import derived
from autograder.exercises.drill_parts import ask_for_the_name, tell_a_wrong_name
from autograder.expectations import expect
from autograder.oracles.translation_step import loss_and_translation as oracle

NOTEBOOK = "ch03c_transformer"
CLOSE = {"atol": 1e-4, "rtol": 1e-4}
TRIES = 150
SPLIT = {"width": "split_once"}

# The keys of solutions/ch03c_transformer/drill.py, in its order; a test compares them.
DRILL_BUGS = (
    "targets_not_shifted",
    "smoothing_divisor",
    "source_mask_dropped",
    "beams_start_alike",
    "penalty_by_step",
    "ended_ones_dropped",
)
# The same bugs as misconceptions of the pieces.
ILLS = (
    "labels_handed_in",
    "another_divisor",
    "source_padding_is_seen",
    "all_beams_start_alike",
    "length_of_the_step",
    "ended_ones_dropped",
)

drill = Exercise(
    "drill_ch03c_transformer",
    notebook=NOTEBOOK,
    points=5,
    kind="drill",
    defines=("suspect", "repaired"),
    forbids=("bert_keras.generation.beam_search", "bert_keras.generation.greedy_decode"),
    variants=DRILL_BUGS,
)


def _as_arrays(found):
    """The triple, with its list of tokens as an array."""
    try:
        loss, tokens, score = found
        array = np.asarray(tokens)
        return (loss, array, score) if array.dtype.kind in "iuf" else found
    except Exception:  # anything may have come back
        return found


def repaired(student, rng, make, *mistakes, faults=(), harmless=()):
    """Compare on something that `make` draws: if one is drawn soon, something telling.

    Args:
        student: handle.
        rng: generator.
        make: function of nothing that draws a script, a batch and a limit.
        *mistakes: switches of the oracle that should each find another sentence there.
        faults: switches that should each change something there.
        harmless: switches that should change nothing there, so that another mistake is told apart.
    """
    for _ in range(TRIES):
        script, batch, max_length = make()
        asked = oracle(script, *batch, max_length)
        answers = [asked.value, *(asked.predict(switch, np.float64) for switch in mistakes)]
        sentences = {tuple(tokens.tolist()) for _, tokens, _ in answers}
        seen = [shows(asked, switch) for switch in (*faults, *harmless)]
        wanted = [True] * len(faults) + [False] * len(harmless)
        if len(sentences) == len(answers) and seen == wanted:
            break
    ends = script["begin_id"], script["end_id"], max_length
    found = student.named("repaired")(translator(script), *batch, *ends)
    expect(derived(found, _as_arrays)).equals(asked, **CLOSE)


def shows(asked, switch):
    """Whether this mistake changes anything that is compared, and by more than a rounding."""
    answers = asked.value, asked.predict(switch, np.float64)
    (loss, tokens, score), (other, others_tokens, others_score) = answers
    if tokens.tolist() != others_tokens.tolist():
        return True
    return not np.allclose((loss, score), (other, others_score), atol=2e-3, rtol=2e-3)


ask_for_the_name(drill)


@drill.case(
    points=1,
    zh="修好之后：没有填充的一批，再来有填充的一批",
    en="repaired: a batch without padding, then one with it",
)
def repaired_small_batches(student, rng):
    """The sizes all differ."""

    def make():
        script = a_script(rng, 7, 4, 3, 7, 0.6)
        return script, a_batch(rng, script, (5, 5, 5), (6, 6, 6), (5, 6)), 6

    def padded():
        script = a_script(rng, 6, 1, 4, 7, 0.7)
        script["echo"][4, 4] += 6.0  # after an end another is nearly sure: who says it goes on
        return script, a_batch(rng, script, (3, 4), (4, 2), (4, 4)), 6

    repaired(student, rng, make, {"penalty": "none"})
    repaired(student, rng, padded, {"ended": "dropped"}, {"ended": "charged"}, faults=FAULTS)


@drill.case(points=2, zh="修好之后：源句和译文都有填充", en="repaired: padded sources and targets")
def repaired_with_padding(student, rng):
    """Twice; the first source is padded, so that its translation depends on the mask."""

    def make():
        script = a_script(rng, 8, 0, 5, 7, 1.0)
        return script, a_batch(rng, script, (2, 4, 3), (5, 3, 2), (4, 5)), 7

    unmasked = {"encode_mask": "ones", "decode_mask": "ones"}
    repaired(student, rng, make, unmasked, SPLIT, faults=FAULTS)

    def wider():
        script = a_script(rng, 11, 10, 0, 6, -4.0)  # it goes on until the limit
        return script, a_batch(rng, script, (3, 1, 6, 2), (2, 7, 4, 5), (6, 7)), 8

    repaired(student, rng, wider, {"decode_mask": "ones"})


@drill.case(
    points=1,
    zh="修好之后：贪心会上当、长短不一的句子",
    en="repaired: sentences that fool the greedy, of different lengths",
)
def repaired_search(student, rng):
    """The best translation needs all that a beam search is."""

    def make():
        script = a_script(rng, 6, 5, 2, 7, 0.7)
        return script, a_batch(rng, script, (4, 2), (3, 4), (4, 4)), 7

    repaired(student, rng, make, {"ended": "dropped"}, {"ended": "continued"}, faults=FAULTS)
    repaired(student, rng, make, {"start": "all_alike"}, SPLIT)
    repaired(student, rng, make, {"penalty": "at_the_end_only"})

    def early():
        return overtaken(rng)

    def room():
        return crowded(rng)

    copied, free = {"ended": "copied"}, {"ended": "in_secret_end_free"}
    first = {"stop": "best"}
    # In this order: a case ends with its first failure, and those that pass here are told apart.
    repaired(student, rng, make, {"width": "two_of_each"}, harmless=(copied,))
    repaired(student, rng, room, copied, harmless=(free, first))
    repaired(student, rng, early, first, harmless=(free,))
    repaired(student, rng, early, copied, faults=(free,))


tell_a_wrong_name(
    drill,
    (
        (
            "先别读代码，做实验：错的是损失，是译文，还是只有得分？有填充才错，还是总是错？",
            "Don't read yet, experiment: is it the loss that is wrong, the translation, or only "
            "its score? Always, or only with padding?",
        ),
        (
            "打印每一步留下的假设：有几个，长短如何，得分是多少？",
            "Print the hypotheses that every step keeps: how many, how long, with what scores?",
        ),
    ),
)

# Mistakes of these pieces that another interface makes impossible here, or invisible. Greedy
# decoding is what comes of hypotheses that begin alike: only the best one is returned.
_ELSEWHERE = (
    *("returned", "exponent", "rate", "prefix", "total", "order"),
    *("ties", "lists", "impossible", "ids"),
)
_PIECES = {
    **{name: GREEDY[name] for name in ("source_padding_is_seen", "source_mask_inverted")},
    **SMOOTHING,
    **{name: BEAM[name] for name in BEAM if name != "greedy_after_all"},
}
for _name, (_switch, _zh, _en, _hints) in (_PIECES | OWN).items():
    _forms = (_switch,) if isinstance(_switch, dict) else _switch
    _forms = tuple(
        form for form in _forms if not set(form) & set(_ELSEWHERE) and form != {"width": "four"}
    )
    if not _forms:
        continue
    told = {"zh": _zh, "en": _en, "hints": _hints}
    if _name in ILLS:
        told = {
            "zh": STILL_ILL.zh,
            "en": STILL_ILL.en,
            "hints": ILL_HINTS,
            "hides_properties": True,
        }
    drill.misconception(_name, switch=_forms, **told)


def _three(seen):
    """Loss, tokens and score.

    Raises:
        LookupError: the observation is about the name of the bug, or has another form.
    """
    if seen.prediction.parts != ("loss", "tokens", "score"):
        raise LookupError("no training step here")
    loss, tokens, score = seen.actual
    if np.shape(loss) != () or np.ndim(tokens) != 1 or np.shape(score) != ():
        raise LookupError("another form")
    return float(np.asarray(loss)), np.asarray(tokens), float(np.asarray(score))


@drill.property(
    "three_things_come_back",
    zh="repaired 应当返回三样：损失（一个数）、译文（词元的列表）、得分（一个数）。",
    en="repaired should return three things: the loss (a number), the translation (a list of "
    "tokens) and its score (a number).",
)
def form_is_wrong(seen):
    if seen.prediction.parts != ("loss", "tokens", "score"):
        return False
    try:
        _three(seen)
    except (LookupError, ValueError, TypeError):
        return True
    return False


@drill.property("loss_is_right", zh="损失不对。", en="The loss is wrong.")
def loss_is_wrong(seen):
    return not np.isclose(_three(seen)[0], seen.expected[0], **CLOSE)


@drill.property(
    "translation_is_right",
    zh="有的输入上，第一句的译文不对。",
    en="On some inputs the first source's translation is wrong.",
)
def translation_is_wrong(seen):
    return _three(seen)[1].tolist() != seen.expected[1].tolist()


@drill.property(
    "score_is_right",
    zh="有的输入上，译文对，它的得分不对。",
    en="On some inputs the translation is right and its score wrong.",
)
def score_is_wrong(seen):
    _, tokens, score = _three(seen)
    same = tokens.tolist() == seen.expected[1].tolist()
    return same and not np.isclose(score, seen.expected[2], **CLOSE)
