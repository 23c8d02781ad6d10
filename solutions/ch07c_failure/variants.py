"""Right and wrong answers to the exercises of this notebook; they test the grader, not students.

A patch is `old → new` text of the reference answer. `names` are the misconceptions that the grader
must tell the student.
"""

from pathlib import Path

from autograder.drill_sources import read_bugs
from autograder.variants import right, wrong


def wrongs(exercise, rows):
    """Wrong answers from rows (name, misconception, old text, new text, …)."""
    return [
        wrong(exercise, name, patch=list(zip(pairs[::2], pairs[1::2], strict=True)), names=(named,))
        for name, named, *pairs in rows
    ]


def rewritten(exercise, source, rows):
    """Wrong answers from an answer in other words and rows (name, misconception, old, new, …)."""
    found = []
    for name, named, *pairs in rows:
        text = source
        for old, new in zip(pairs[::2], pairs[1::2], strict=True):
            if text.count(old) != 1:
                raise ValueError(f"{exercise}/{name}: {old!r} stands {text.count(old)} times")
            text = text.replace(old, new)
        found.append(wrong(exercise, name, source=text, names=(named,)))
    return found


# ------------------------------------------------------------------ hypothesis_only_baseline

_MATRIX = """
def hypothesis_only_baseline(texts, labels, test_texts, num_classes):
    labels = np.asarray(labels)
    vocabulary = {}
    for text in texts:
        for word in text.lower().split():
            vocabulary.setdefault(word, len(vocabulary))
    counts = np.zeros((num_classes, len(vocabulary)))
    for text, label in zip(texts, labels):
        for word in text.lower().split():
            counts[label, vocabulary[word]] += 1
    totals = counts.sum(axis=1, keepdims=True)
    logs = np.log((counts + 1) / (totals + len(vocabulary)))
    priors = np.log(np.bincount(labels, minlength=num_classes) / len(labels))
    bags = np.zeros((len(test_texts), len(vocabulary)))
    for row, text in enumerate(test_texts):
        for word in text.lower().split():
            if word in vocabulary:
                bags[row, vocabulary[word]] += 1
    return np.argmax(bags @ logs.T + priors, axis=1)
"""

_LOOPS = """
def hypothesis_only_baseline(texts, labels, test_texts, num_classes):
    counts, totals, numbers, known = {}, [0] * num_classes, [0] * num_classes, set()
    for text, label in zip(texts, labels):
        label = int(label)
        numbers[label] += 1
        for word in text.lower().split():
            known.add(word)
            counts[label, word] = counts.get((label, word), 0) + 1
            totals[label] += 1
    result = []
    for text in test_texts:
        best, best_score = 0, -np.inf
        for c in range(num_classes):
            score = np.log(numbers[c] / len(texts))
            for word in text.lower().split():
                if word not in known:
                    continue
                score += np.log(counts.get((c, word), 0) + 1) - np.log(totals[c] + len(known))
            if score > best_score:
                best, best_score = c, score
        result.append(best)
    return np.array(result)
"""

_WORDS = "words = [word for word in text.lower().split() if word in vocabulary]"
_TERM = "np.log((count[word] + 1) / total)"
_PRIORS = "priors = np.log(np.bincount(labels, minlength=num_classes) / len(labels))  # (C,)"
_TOTALS = "totals = [sum(count.values()) + len(vocabulary) for count in counts]"

HYPOTHESIS = [
    right("hypothesis_only_baseline", "matrices", source=_MATRIX),
    right("hypothesis_only_baseline", "loops", source=_LOOPS),
    right(
        "hypothesis_only_baseline",
        "base_two_and_a_list",
        source=_LOOPS.replace("np.log(", "np.log2(").replace("np.array(result)", "result"),
    ),
    right(
        "hypothesis_only_baseline",
        "in_float32",
        source=_MATRIX.replace(
            "len(vocabulary)))\n    for text, label",
            'len(vocabulary)), "float32")\n    for text, label',
        ),
    ),
    *wrongs(
        "hypothesis_only_baseline",
        [
            (
                "tenth",
                "another_constant_added",
                "+ 1) / total",
                "+ 0.1) / total",
                _TOTALS,
                "totals = [sum(count.values()) + 0.1 * len(vocabulary) for count in counts]",
            ),
            (
                "half",
                "another_constant_added",
                "+ 1) / total",
                "+ 0.5) / total",
                _TOTALS,
                "totals = [sum(count.values()) + 0.5 * len(vocabulary) for count in counts]",
            ),
            ("no_v", "smoothed_above_only", " + len(vocabulary) for count", " for count"),
            (
                "own_v",
                "another_vocabulary",
                "+ len(vocabulary) for count",
                "+ len(count) for count",
            ),
            ("not_divided", "not_divided_by_the_class", _TERM, "np.log(count[word] + 1)"),
            ("prior_left_out", "no_prior", "prior + sum(", "0 * prior + sum("),
            (
                "prior_smoothed",
                "another_prior",
                _PRIORS,
                "priors = np.log((np.bincount(labels, minlength=num_classes) + 1)"
                " / (len(labels) + num_classes))",
            ),
            (
                "prior_by_words",
                "another_prior",
                _PRIORS,
                "priors = np.log([sum(c.values()) / sum(sum(d.values()) for d in counts)"
                " for c in counts])",
            ),
            (
                "prior_no_log",
                "another_prior",
                _PRIORS,
                "priors = np.bincount(labels, minlength=num_classes) / len(labels)",
            ),
            (
                "prior_each_time",
                "prior_for_every_word",
                "prior + sum(" + _TERM,
                "sum(prior + " + _TERM,
            ),
            ("unknown_count", "unknown_words_count", " if word in vocabulary]", "]"),
            (
                "only_own_words",
                "too_much_is_skipped",
                "for word in words)",
                "for word in words if count[word] > 0)",
            ),
            (
                "stops_at_unknown",
                "too_much_is_skipped",
                _WORDS,
                "words = []\n"
                "        for word in text.lower().split():\n"
                "            if word not in vocabulary:\n"
                "                break\n"
                "            words.append(word)",
            ),
            (
                "text_given_up",
                "too_much_is_skipped",
                _WORDS,
                "words = text.lower().split()\n"
                "        words = words if all(word in vocabulary for word in words) else []",
            ),
            (
                "set_of_words",
                "repeated_words_once",
                _WORDS,
                "words = {word for word in text.lower().split() if word in vocabulary}",
            ),
            (
                "texts_counted",
                "repeated_words_once",
                "counts[label].update(text.lower().split())",
                "counts[label].update(set(text.lower().split()))",
            ),
            (
                "sets_everywhere",
                "repeated_words_once",
                "counts[label].update(text.lower().split())",
                "counts[label].update(set(text.lower().split()))",
                _WORDS,
                "words = set(text.lower().split()) & vocabulary",
            ),
            (
                "case_kept",
                "case_kept",
                "counts[label].update(text.lower().split())",
                "counts[label].update(text.split())",
                "text.lower().split() if word",
                "text.split() if word",
            ),
            ("test_case_kept", "case_kept", "text.lower().split() if word", "text.split() if word"),
            (
                "training_case_kept",
                "case_kept",
                "counts[label].update(text.lower().split())",
                "counts[label].update(text.split())",
            ),
            (
                "blanks",
                "cut_otherwise",
                "counts[label].update(text.lower().split())",
                'counts[label].update(text.lower().split(" "))',
                "text.lower().split() if word",
                'text.lower().split(" ") if word',
            ),
            (
                "larger",
                "larger_of_equals",
                "int(np.argmax(scores))",
                "num_classes - 1 - int(np.argmax(scores[::-1]))",
            ),
            ("smallest", "another_choice", "np.argmax", "np.argmin"),
            (
                "all_scores",
                "no_classes_returned",
                "guesses.append(int(np.argmax(scores)))",
                "guesses.append(scores)",
                'np.array(guesses, dtype="int64")',
                "np.array(guesses)",
            ),
        ],
    ),
    *rewritten(
        "hypothesis_only_baseline",
        _MATRIX,
        [
            (
                "zero_counts",
                "not_smoothed",
                "(counts + 1) / (totals + len(vocabulary))",
                "counts / totals",
                "bags @ logs.T",
                "np.array([[sum(row[w] * log[w] for w in"
                " np.flatnonzero(row)) for log in logs] for row in bags])",
            ),
        ],
    ),
    *rewritten(
        "hypothesis_only_baseline",
        _LOOPS,
        [
            (
                "product",
                "probabilities_multiplied",
                "np.log(numbers[c] / len(texts))",
                "numbers[c] / len(texts)",
                "score += np.log(counts.get((c, word), 0) + 1) - np.log(totals[c] + len(known))",
                "score *= (counts.get((c, word), 0) + 1) / (totals[c] + len(known))",
            ),
            (
                "test_words_in_v",
                "unknown_words_count",
                "    result = []\n",
                "    result = []\n"
                "    for text in test_texts:\n"
                "        known.update(text.lower().split())\n",
            ),
        ],
    ),
    wrong(
        "hypothesis_only_baseline",
        "signs_cut_off",
        source=_LOOPS.replace(
            "text.lower().split()", "[w.strip('.,!?;:') for w in text.lower().split()]"
        ),
        names=("cut_otherwise",),
    ),
    wrong(
        "hypothesis_only_baseline",
        "characters",
        source=_LOOPS.replace("text.lower().split()", '"".join(text.lower().split())'),
        names=("cut_otherwise",),
    ),
    wrong(
        "hypothesis_only_baseline",
        "no_lookup",
        source=_LOOPS.replace(
            "if word not in known:\n                    continue",
            "if word not in known:\n                    raise KeyError(word)",
        ),
        names=("unknown_words_looked_up",),
    ),
]

# ------------------------------------------------------------------ cue_productivity

_HAS = "has_cue = [cue in words for words in sets]"
_APPLIES = "applies += any(has_cue) and not all(has_cue)"
_TELLS = "productive += has_cue[label] and sum(has_cue) == 1 and len(sets) > 1"
_RETURN = "return (productive / applies if applies else 0.0), applies / len(choices)"

_COUNTED = """
def cue_productivity(choices, labels, cue):
    alpha = good = 0
    for k in range(len(choices)):
        number = 0
        for words in choices[k]:
            if cue in words:
                number += 1
        if number == 0 or number == len(choices[k]):
            continue
        alpha += 1
        if number == 1 and cue in choices[k][labels[k]]:
            good += 1
    productivity = good / alpha if alpha > 0 else 0
    return productivity, alpha / len(choices)
"""

CUES = [
    right("cue_productivity", "counted", source=_COUNTED),
    right(
        "cue_productivity",
        "arrays",
        source="""
def cue_productivity(choices, labels, cue):
    found = []
    for sets, label in zip(choices, labels):
        has = np.array([cue in words for words in sets])
        others = np.delete(has, label)
        found.append((has.any() and not has.all(), has[label] and not others.any()))
    applies, tells = np.array(found, float).T
    coverage = applies.mean()
    return np.float64((applies * tells).sum() / max(1, applies.sum())), coverage
""",
    ),
    right(
        "cue_productivity",
        "places_that_have_it",
        source="""
def cue_productivity(choices, labels, cue):
    places = [{i for i, s in enumerate(sets) if cue in s} for sets in choices]
    useful = [
        (p, int(label))
        for p, sets, label in zip(places, choices, labels)
        if p and len(p) < len(sets)
    ]
    if not useful:
        return 0.0, 0.0
    told = [p == {label} for p, label in useful]
    return [sum(told) / len(useful), len(useful) / len(choices)]
""",
    ),
    *wrongs(
        "cue_productivity",
        [
            ("anywhere", "applies_where_all_have_it", _APPLIES, "applies += any(has_cue)"),
            ("not_all", "applies_where_all_have_it", _APPLIES, "applies += not all(has_cue)"),
            (
                "over_all",
                "applies_always",
                "productive / applies if applies",
                "productive / len(choices) if applies",
            ),
            ("right_has_it", "applies_by_the_label", _APPLIES, "applies += has_cue[label]"),
            (
                "right_not_all",
                "applies_by_the_label",
                _APPLIES,
                "applies += has_cue[label] and not all(has_cue)",
            ),
            (
                "wrong_has_it",
                "applies_by_the_label",
                _APPLIES,
                "applies += any(h for i, h in enumerate(has_cue) if i != label)",
            ),
            (
                "one_exactly",
                "applies_in_some_numbers_only",
                _APPLIES,
                "applies += sum(has_cue) == 1",
            ),
            (
                "others_too",
                "others_may_have_it",
                _TELLS,
                "productive += has_cue[label] and not all(has_cue)",
            ),
            ("right_in_any_case", "others_may_have_it", _TELLS, "productive += has_cue[label]"),
            (
                "first_found",
                "others_may_have_it",
                _TELLS,
                "productive += any(has_cue) and not all(has_cue) and has_cue.index(True) == label",
            ),
            ("one_whoever", "right_choice_ignored", _TELLS, "productive += sum(has_cue) == 1"),
            (
                "wrong_one",
                "right_choice_ignored",
                _TELLS,
                "productive += sum(has_cue) == 1 and not has_cue[label]",
            ),
            (
                "rest",
                "right_choice_ignored",
                "productive / applies if applies",
                "(applies - productive) / applies if applies",
            ),
            (
                "always_the_first",
                "another_right_choice",
                _TELLS,
                "productive += has_cue[0] and sum(has_cue) == 1",
            ),
            (
                "from_one",
                "another_right_choice",
                _TELLS,
                "productive += has_cue[label - 1] and sum(has_cue) == 1",
            ),
            (
                "two_choices",
                "first_two_choices_only",
                _HAS,
                "has_cue = [cue in words for words in sets[:2]]",
                _TELLS,
                "productive += label < 2 and has_cue[label] and sum(has_cue) == 1",
            ),
            (
                "choices_counted",
                "choices_counted",
                _APPLIES,
                "applies += sum(has_cue)",
                "applies / len(choices)",
                "applies / sum(len(sets) for sets in choices)",
            ),
            (
                "substring",
                "inside_of_words",
                _HAS,
                "has_cue = [any(cue in word for word in words) for words in sets]",
            ),
            (
                "starts_with",
                "inside_of_words",
                _HAS,
                "has_cue = [any(word.startswith(cue) for word in words) for words in sets]",
            ),
            (
                "lowered",
                "case_ignored",
                _HAS,
                "has_cue = [cue in {word.lower() for word in words} for words in sets]",
            ),
            (
                "zero_division",
                "division_by_zero",
                "(productive / applies if applies else 0.0)",
                "productive / applies",
            ),
            ("nan", "division_by_zero", "else 0.0)", 'else float("nan"))'),
            ("half", "division_by_zero", "else 0.0)", "else 0.5)"),
            ("number", "another_coverage", "applies / len(choices)", "float(applies)"),
            (
                "productive_of_all",
                "another_coverage",
                "applies / len(choices)",
                "productive / len(choices)",
            ),
            (
                "percent",
                "no_shares",
                _RETURN,
                "return 100 * productive / max(1, applies), 100 * applies / len(choices)",
            ),
            ("counts", "no_shares", _RETURN, "return float(productive), float(applies)"),
            (
                "exchanged",
                "another_form",
                _RETURN,
                "return applies / len(choices), productive / max(1, applies)",
            ),
            ("one_number", "another_form", _RETURN, "return productive / max(1, applies)"),
        ],
    ),
]

# ------------------------------------------------------------------ add_distractor

_IN_ORDER = """
def add_distractor(words, answer, distractor, position):
    start, end = answer
    if position < 0 or position > len(words):
        raise ValueError("out of range")
    if start < position and position <= end:
        raise ValueError("inside the answer")
    gold = words[start : end + 1]
    width = len(gold)
    if any(distractor[i : i + width] == gold for i in range(len(distractor))):
        raise ValueError("a second answer")
    moved = len(distractor) if position <= start else 0
    text = list(words)
    text[position:position] = distractor
    return text, (start + moved, end + moved)
"""

_INSIDE = "if first < position <= last:"
_OUTSIDE = "if not 0 <= position <= len(words):"
_MOVE = "shift = len(distractor) if position <= first else 0"
_PLACED = "changed = [*words[:position], *distractor, *words[position:]]"
_BACK = "return changed, (first + shift, last + shift)"
_RIGHT = "right = list(words[first : last + 1])"
_STARTS = "for start in range(len(distractor) - len(right) + 1):"
_SAME = "if list(distractor[start : start + len(right)]) == right:"

DISTRACTORS = [
    right("add_distractor", "slice_assignment", source=_IN_ORDER),
    right(
        "add_distractor",
        "word_by_word",
        source="""
def add_distractor(words, answer, distractor, position):
    first, last = answer
    gold = [words[i] for i in range(first, last + 1)]
    if position not in range(len(words) + 1) or position in range(first + 1, last + 1):
        raise ValueError(position)
    for i in range(len(distractor)):
        for k in range(len(gold)):
            if i + k >= len(distractor) or distractor[i + k] != gold[k]:
                break
        else:
            raise ValueError("second answer")
    result, new = [], []
    for i in range(len(words) + 1):
        if i == position:
            for word in distractor:
                result.append(word)
        if i < len(words):
            if i in (first, last):
                new.append(len(result))
            result.append(words[i])
    return [result, [new[0], new[-1]]]
""",
    ),
    right(
        "add_distractor",
        "tuples_and_asserts_turned",
        source="""
def add_distractor(words, answer, distractor, position):
    words, distractor = tuple(words), tuple(distractor)
    first, last = answer
    n = last - first + 1
    windows = set(zip(*[distractor[k:] for k in range(n)]))
    bad = words[first : first + n] in windows
    if bad or not (0 <= position <= first or last < position <= len(words)):
        raise ValueError("no")
    offset = len(distractor) * (position <= first)
    new = words[:position] + distractor + words[position:]
    return list(new), tuple(np.array([first, last]) + offset)
""",
    ),
    *wrongs(
        "add_distractor",
        [
            ("never_moved", "answer_not_moved", _BACK, "return changed, (first, last)"),
            (
                "moved_behind",
                "answer_not_moved",
                "if position <= first else 0",
                "if position > first else 0",
            ),
            (
                "strictly_before",
                "right_before_not_moved",
                "if position <= first else",
                "if position < first else",
            ),
            ("always_moved", "moved_without_need", _MOVE, "shift = len(distractor)"),
            (
                "behind_too",
                "moved_without_need",
                "if position <= first else",
                "if position <= last + 1 else",
            ),
            ("by_one", "moved_by_another_number", _MOVE, "shift = 1 if position <= first else 0"),
            (
                "one_more",
                "moved_by_another_number",
                "shift = len(distractor) if",
                "shift = len(distractor) + 1 if",
            ),
            (
                "letters",
                "moved_by_another_number",
                "shift = len(distractor) if",
                'shift = len(" ".join(distractor)) if',
            ),
            ("first_only", "one_end_moved", "last + shift)", "last)"),
            ("last_only", "one_end_moved", "(first + shift,", "(first,"),
            (
                "looked_for",
                "answer_looked_for",
                _BACK,
                "at = changed.index(words[first])\n    return changed, (at, at + last - first)",
            ),
            (
                "end_excluded",
                "last_taken_as_excluded",
                "words[first : last + 1]",
                "words[first:last]",
                _INSIDE,
                "if first < position < last:",
            ),
            ("end_one_on", "last_taken_as_excluded", "last + shift)", "last + shift + 1)"),
            (
                "behind_the_word",
                "another_place",
                _PLACED,
                "changed = [*words[: position + 1], *distractor, *words[position + 1 :]]",
            ),
            ("at_the_end", "another_place", _PLACED, "changed = [*words, *distractor]"),
            ("at_the_start", "another_place", _PLACED, "changed = [*distractor, *words]"),
            (
                "written_over",
                "words_written_over",
                "*words[position:]]",
                "*words[position + len(distractor) :]]",
            ),
            ("inside_fine", "inside_allowed", _INSIDE, "if False:"),
            ("last_fine", "inside_allowed", _INSIDE, "if first < position < last:"),
            ("first_refused", "beside_refused", _INSIDE, "if first <= position <= last:"),
            ("behind_refused", "beside_refused", _INSIDE, "if first < position <= last + 1:"),
            ("no_range", "range_not_checked", _OUTSIDE, "if False:"),
            ("large_only", "range_not_checked", _OUTSIDE, "if position > len(words):"),
            ("negative_only", "range_not_checked", _OUTSIDE, "if position < 0:"),
            ("end_refused", "ends_refused", _OUTSIDE, "if not 0 <= position < len(words):"),
            ("start_refused", "ends_refused", _OUTSIDE, "if not 0 < position <= len(words):"),
            ("no_look", "second_answer_allowed", _SAME, "if False:"),
            ("start_only", "second_answer_allowed", _STARTS, "for start in [0]:"),
            ("one_start_short", "second_answer_allowed", "len(right) + 1):", "len(right)):"),
            (
                "all_words",
                "scattered_words_refused",
                _SAME,
                "if all(word in distractor for word in right):",
                _STARTS,
                "for start in [0]:",
            ),
            (
                "any_word",
                "scattered_words_refused",
                _SAME,
                "if set(right) & set(distractor):",
                _STARTS,
                "for start in [0]:",
            ),
            (
                "strings",
                "strings_compared",
                _SAME,
                'if " ".join(right) in " ".join(distractor):',
                _STARTS,
                "for start in [0]:",
            ),
            (
                "strings_no_blanks",
                "strings_compared",
                _SAME,
                'if "".join(right) in "".join(distractor):',
                _STARTS,
                "for start in [0]:",
            ),
            (
                "lowered",
                "case_ignored",
                _SAME,
                "if [w.lower() for w in distractor[start : start + len(right)]]"
                " == [w.lower() for w in right]:",
            ),
            (
                "text_searched",
                "text_searched_instead",
                _STARTS,
                "for start in range(len(words) - len(distractor) + 1):",
                _SAME,
                "if list(words[start : start + len(distractor)]) == list(distractor):",
            ),
            ("exchanged", "another_form", _BACK, "return (first + shift, last + shift), changed"),
            ("flat", "another_form", _BACK, "return changed, first + shift, last + shift"),
            ("words_alone", "another_form", _BACK, "return changed"),
            ("nested", "another_form", "*distractor, *words", "list(distractor), *words"),
            (
                "joined",
                "another_form",
                _BACK,
                'return " ".join(changed), (first + shift, last + shift)',
            ),
        ],
    ),
    wrong(
        "add_distractor",
        "inserted_in_place",
        source=_IN_ORDER.replace("text = list(words)", "text = words"),
        names=("lists_changed",),
    ),
    wrong(
        "add_distractor",
        "none_for_errors",
        source="""
def add_distractor(words, answer, distractor, position):
    first, last = answer
    shift = len(distractor) if position <= first else 0
    return words[:position] + distractor + words[position:], (first + shift, last + shift)
""",
        names=("nothing_refused",),
    ),
]

# ------------------------------------------------------------------ contrast_edit

_COPIES = """
def contrast_edit(words, opposites):
    table = dict(opposites)
    for key, value in opposites.items():
        table[value] = key
    found = []
    for at, word in enumerate(words):
        if word not in table:
            continue
        copy = list(words)
        copy[at] = table[word]
        found.append((copy, at))
    return found
"""

_BOTH = "both = {**{value: key for key, value in opposites.items()}, **opposites}"
_EACH = "for index, word in enumerate(words)"
_COPY = "([*words[:index], both[word], *words[index + 1 :]], index)"

CONTRASTS = [
    right("contrast_edit", "copies", source=_COPIES),
    right(
        "contrast_edit",
        "two_lookups",
        source="""
def contrast_edit(words, opposites):
    result = []
    for i in range(len(words)):
        w = words[i]
        if w in opposites:
            other = opposites[w]
        elif w in opposites.values():
            other = [k for k in opposites if opposites[k] == w][0]
        else:
            continue
        result.append([words[:i] + [other] + words[i + 1:], i])
    return result
""",
    ),
    right(
        "contrast_edit",
        "generator_of_places",
        source="""
def contrast_edit(words, opposites):
    back = dict(zip(opposites.values(), opposites.keys()))
    new = [opposites.get(w, back.get(w)) for w in words]
    places = np.flatnonzero([w is not None for w in new])
    return [
        (tuple(new[j] if j == i else w for j, w in enumerate(words)), i) for i in places
    ]
""",
    ),
    *wrongs(
        "contrast_edit",
        [
            ("forwards", "one_direction_only", _BOTH, "both = opposites"),
            (
                "backwards",
                "one_direction_only",
                _BOTH,
                "both = {value: key for key, value in opposites.items()}",
            ),
            (
                "backwards_order",
                "another_order",
                "word in both\n    ]",
                "word in both\n    ][::-1]",
            ),
            (
                "words_only",
                "another_form",
                _COPY,
                "[*words[:index], both[word], *words[index + 1 :]]",
            ),
            (
                "place_first",
                "another_form",
                _COPY,
                "(index, [*words[:index], both[word], *words[index + 1 :]])",
            ),
            (
                "from_one",
                "another_form",
                "*words[index + 1 :]], index)",
                "*words[index + 1 :]], index + 1)",
            ),
            (
                "joined",
                "another_form",
                _COPY,
                '(" ".join([*words[:index], both[word], *words[index + 1 :]]), index)',
            ),
            (
                "index_of_the_word",
                "place_looked_up",
                "*words[index + 1 :]], index)",
                "*words[index + 1 :]], words.index(word))",
            ),
            (
                "everywhere",
                "word_changed_everywhere",
                _COPY,
                "([both[word] if w == word else w for w in words], index)",
            ),
            ("inserted", "not_exchanged", "[*words[:index],", "[*words[: index + 1],"),
            ("taken_out", "not_exchanged", "both[word], ", ""),
            (
                "everything",
                "copies_without_a_change",
                "both[word], ",
                "both.get(word, word), ",
                "        if word in both\n",
                "",
            ),
            (
                "once_a_word",
                "repeated_word_once",
                "if word in both",
                "if word in both and word not in words[:index]",
            ),
            (
                "lowered",
                "case_ignored",
                "both[word]",
                "both[word.lower()]",
                "if word in both",
                "if word.lower() in both",
            ),
        ],
    ),
    *rewritten(
        "contrast_edit",
        _COPIES,
        [
            (
                "piling_up",
                "changes_pile_up",
                "    found = []\n",
                "    found = []\n    now = list(words)\n",
                "copy = list(words)",
                "copy = now",
                "found.append((copy, at))",
                "found.append((list(copy), at))",
            ),
            (
                "one_list",
                "changes_pile_up",
                "    found = []\n",
                "    found = []\n    copy = list(words)\n",
                "        copy = list(words)\n",
                "",
            ),
            (
                "put_back",
                "copies_without_a_change",
                "    found = []\n",
                "    found = []\n    copy = list(words)\n",
                "        copy = list(words)\n",
                "",
                "found.append((copy, at))",
                "found.append((copy, at))\n        copy[at] = word",
            ),
            ("first_alone", "one_copy_only", "found.append((copy, at))", "return [(copy, at)]"),
            ("last_alone", "one_copy_only", "found.append((copy, at))", "found = [(copy, at)]"),
            (
                "in_the_dict",
                "lists_changed",
                "table = dict(opposites)",
                "table = opposites",
                "opposites.items()",
                "list(opposites.items())",
            ),
            ("in_the_list", "lists_changed", "copy = list(words)", "copy = words"),
            ("with_the_text", "original_too", "found = []", "found = [(list(words), -1)]"),
            (
                "words_looked_up",
                "place_looked_up",
                "copy[at] = table[word]",
                "at = words.index(word)\n        copy[at] = table[word]",
            ),
            (
                "dict_of_places",
                "another_form",
                "return found",
                "return {at: copy for copy, at in found}",
            ),
            ("old_word", "another_form", "found.append((copy, at))", "found.append((copy, word))"),
            (
                "two_lists",
                "another_form",
                "return found",
                "return [copy for copy, _ in found], [at for _, at in found]",
            ),
        ],
    ),
    wrong(
        "contrast_edit",
        "all_at_once",
        source="""
def contrast_edit(words, opposites):
    both = dict(opposites)
    both.update({value: key for key, value in opposites.items()})
    places = [i for i, word in enumerate(words) if word in both]
    if not places:
        return []
    return [([both.get(word, word) for word in words], places[0])]
""",
        names=("all_places_at_once",),
    ),
    wrong(
        "contrast_edit",
        "pair_by_pair",
        source="""
def contrast_edit(words, opposites):
    found = []
    for key, value in opposites.items():
        for old, new in ((key, value), (value, key)):
            for at, word in enumerate(words):
                if word == old:
                    found.append((words[:at] + [new] + words[at + 1 :], at))
    return found
""",
        names=("another_order",),
    ),
    wrong(
        "contrast_edit",
        "back_again",
        source="""
def contrast_edit(words, opposites):
    back = {value: key for key, value in opposites.items()}
    found = []
    for at, word in enumerate(words):
        new = word
        if new in opposites:
            new = opposites[new]
        if new in back:
            new = back[new]
        if word in opposites or word in back:
            found.append((words[:at] + [new] + words[at + 1 :], at))
    return found
""",
        names=("exchanged_and_back",),
    ),
    wrong(
        "contrast_edit",
        "replaced_in_the_text",
        source="""
def contrast_edit(words, opposites):
    both = dict(opposites)
    both.update({value: key for key, value in opposites.items()})
    found = []
    for at, word in enumerate(words):
        for old, new in both.items():
            if old in word:
                found.append((words[:at] + [word.replace(old, new)] + words[at + 1 :], at))
                break
    return found
""",
        names=("parts_of_words",),
    ),
]

# ------------------------------------------------------------------ contrast_consistency

_SHARE = "return float(np.mean([right[groups == group].all() for group in np.unique(groups)]))"

CONSISTENCY = [
    right(
        "contrast_consistency",
        "dict_of_verdicts",
        source="""
def contrast_consistency(right, groups):
    verdicts = {}
    for r, g in zip(right, groups):
        verdicts[int(g)] = verdicts.get(int(g), True) and bool(r)
    return sum(verdicts.values()) / len(verdicts)
""",
    ),
    right(
        "contrast_consistency",
        "groups_with_a_mistake",
        source="""
def contrast_consistency(right, groups):
    return 1 - len(set(groups[~right])) / len(set(groups))
""",
    ),
    right(
        "contrast_consistency",
        "minimum_of_each",
        source="""
def contrast_consistency(right, groups):
    _, inverse = np.unique(groups, return_inverse=True)
    lowest = np.ones(inverse.max() + 1)
    np.minimum.at(lowest, inverse, right.astype(float))
    return lowest.mean()
""",
    ),
    *wrongs(
        "contrast_consistency",
        [
            ("accuracy", "share_of_texts", _SHARE, "return float(right.mean())"),
            (
                "means",
                "share_of_texts",
                "right[groups == group].all()",
                "right[groups == group].mean()",
            ),
            (
                "texts_of_right_groups",
                "share_of_texts",
                _SHARE,
                "return float(np.mean([right[groups == g].all() for g in groups]))",
            ),
            (
                "over_n",
                "share_of_texts",
                _SHARE,
                "votes = [right[groups == g].all() for g in np.unique(groups)]\n"
                "    return float(sum(votes) / len(right))",
            ),
            (
                "one_slip",
                "some_are_enough",
                "right[groups == group].all()",
                "(~right[groups == group]).sum() < 2",
            ),
            ("any", "some_are_enough", ".all()", ".any()"),
            (
                "half",
                "some_are_enough",
                "right[groups == group].all()",
                "right[groups == group].mean() >= 0.5",
            ),
            (
                "most",
                "some_are_enough",
                "right[groups == group].all()",
                "right[groups == group].mean() > 0.5",
            ),
            (
                "last",
                "one_member_decides",
                _SHARE,
                "return float(np.mean(list(dict(zip(groups.tolist(), right.tolist())).values())))",
            ),
            (
                "first",
                "one_member_decides",
                "right[groups == group].all()",
                "right[groups == group][0]",
            ),
            (
                "copies_only",
                "one_member_decides",
                "right[groups == group].all()",
                "right[groups == group][1:].all()",
            ),
            ("not_all", "wrong_groups_counted", "[right[groups", "[not right[groups"),
            (
                "alike",
                "wrong_groups_counted",
                "right[groups == group].all()",
                "len(set(right[groups == group])) == 1",
            ),
            (
                "itertools",
                "neighbours_only",
                _SHARE,
                "from itertools import groupby\n"
                "    pairs = groupby(zip(groups, right), lambda x: x[0])\n"
                "    parts = [list(part) for _, part in pairs]\n"
                "    return float(np.mean([all(r for _, r in part) for part in parts]))",
            ),
            (
                "up_to_the_largest",
                "numbers_without_gaps",
                "np.unique(groups)",
                "range(groups.max() + 1)",
            ),
            (
                "from_zero",
                "numbers_without_gaps",
                "np.unique(groups)",
                "range(len(np.unique(groups)))",
            ),
            (
                "over_the_largest",
                "numbers_without_gaps",
                _SHARE,
                "right_ones = sum(right[groups == g].all() for g in np.unique(groups))\n"
                "    return float(right_ones / (groups.max() + 1))",
            ),
            (
                "pairs_only",
                "single_texts_left_out",
                "for group in np.unique(groups)",
                "for group in np.unique(groups) if (groups == group).sum() > 1",
            ),
            (
                "number",
                "no_share",
                _SHARE,
                "return float(sum(right[groups == group].all() for group in np.unique(groups)))",
            ),
            ("percent", "no_share", "return float(", "return 100 * float("),
        ],
    ),
]

# ------------------------------------------------------------------ calibration_error

_CONFIDENCE = "confidence = probabilities.max(axis=-1)  # (n,)"
_HIT = "right = probabilities.argmax(axis=-1) == np.asarray(labels)"
_EDGES = "edges = np.arange(1, num_bins) / num_bins"
_BINS = 'bins = np.searchsorted(edges, confidence, side="left")  # an edge belongs to the bin below'
_ADD = "error += members.mean() * abs(right[members].mean() - confidence[members].mean())"
_FLOAT = 'probabilities = np.asarray(probabilities, "float64")'
_LOOP = "for number in np.unique(bins):"

CALIBRATION = [
    right(
        "calibration_error",
        "bin_by_bin",
        source="""
def calibration_error(probabilities, labels, num_bins):
    total, n = 0.0, len(labels)
    conf, pred = np.max(probabilities, axis=1), np.argmax(probabilities, axis=1)
    for b in range(num_bins):
        low, high = b / num_bins, (b + 1) / num_bins
        inside = (conf > low) & (conf <= high)
        if b == 0:
            inside |= conf == 0
        if not inside.any():
            continue
        acc = (pred[inside] == labels[inside]).mean()
        total += inside.sum() / n * np.abs(acc - conf[inside].mean())
    return total
""",
    ),
    right(
        "calibration_error",
        "sums_of_gaps",
        source="""
def calibration_error(probabilities, labels, num_bins):
    conf = probabilities.max(1)
    gaps = (probabilities.argmax(1) == labels).astype(float) - conf
    place = np.clip(np.ceil(conf * num_bins).astype(int) - 1, 0, num_bins - 1)
    sums = np.bincount(place, weights=gaps, minlength=num_bins)
    return np.abs(sums).sum() / len(conf)
""",
    ),
    right(
        "calibration_error",
        "row_by_row",
        source="""
def calibration_error(probabilities, labels, num_bins):
    rows = [[] for _ in range(num_bins)]
    for p, y in zip(probabilities.tolist(), labels.tolist()):
        c = max(p)
        b = 0
        while c > (b + 1) / num_bins:
            b += 1
        rows[b].append((c, p.index(c) == y))
    error = 0
    for row in rows:
        if row:
            error += abs(sum(hit - c for c, hit in row))
    return error / len(labels)
""",
    ),
    right(
        "calibration_error",
        "digitize",
        patch=[
            (_EDGES, "edges = np.linspace(0, 1, num_bins + 1)[1:-1]"),
            (_BINS, "bins = np.digitize(confidence, edges, right=True)"),
        ],
    ),
    *wrongs(
        "calibration_error",
        [
            (
                "of_the_label",
                "confidence_of_the_label",
                _CONFIDENCE,
                "confidence = probabilities[np.arange(len(labels)), labels]",
            ),
            (
                "soft_hits",
                "confidence_of_the_label",
                _HIT,
                "right = probabilities[np.arange(len(labels)), labels]",
            ),
            (
                "lead",
                "another_confidence",
                _CONFIDENCE,
                "ordered = np.sort(probabilities, axis=-1)\n"
                "    confidence = ordered[:, -1] - ordered[:, -2]",
            ),
            ("last_class", "another_confidence", _CONFIDENCE, "confidence = probabilities[:, -1]"),
            ("first_class", "another_confidence", _CONFIDENCE, "confidence = probabilities[:, 0]"),
            ("misses", "another_answer", "== np.asarray(labels)", "!= np.asarray(labels)"),
            ("smallest", "another_answer", "probabilities.argmax", "probabilities.argmin"),
            (
                "more_than_half",
                "another_answer",
                _HIT,
                "right = probabilities[np.arange(len(labels)), labels] > 0.5",
            ),
            (
                "tie_right",
                "another_answer",
                _HIT,
                "turned = probabilities[:, ::-1].argmax(axis=-1)\n"
                "    right = probabilities.shape[1] - 1 - turned == labels",
            ),
            (
                "floor",
                "edges_belong_above",
                _BINS,
                "bins = np.minimum((confidence * num_bins).astype(int), num_bins - 1)",
            ),
            (
                "floor_own",
                "edges_belong_above",
                _BINS,
                "bins = (confidence * num_bins).astype(int)",
            ),
            (
                "half_open",
                "edges_belong_above",
                _BINS,
                "bins = (confidence * num_bins).astype(int)",
                _LOOP,
                "for number in range(num_bins):",
                _ADD,
                "if members.any():\n"
                "            error += members.mean() * abs(right[members].mean()"
                " - confidence[members].mean())",
            ),
            (
                "both_open",
                "edges_lost",
                _BINS,
                "bins = np.where(np.isin(confidence * num_bins, np.arange(num_bins + 1)), -1,"
                " (confidence * num_bins).astype(int))",
                _LOOP,
                "for number in np.unique(bins[bins >= 0]):",
            ),
            (
                "rounded",
                "rounded_to_a_bin",
                _BINS,
                "bins = np.round(confidence * num_bins).astype(int)",
            ),
            (
                "from_the_smallest",
                "other_bins",
                _EDGES,
                "edges = np.linspace(confidence.min(), confidence.max(), num_bins + 1)[1:-1]",
            ),
            (
                "from_chance",
                "other_bins",
                _EDGES,
                "edges = np.linspace(1 / probabilities.shape[1], 1, num_bins + 1)[1:-1]",
            ),
            ("num_edges", "other_bins", _EDGES, "edges = np.linspace(0, 1, num_bins)[1:-1]"),
            (
                "one_more",
                "other_bins",
                _EDGES,
                "edges = np.arange(1, num_bins + 1) / (num_bins + 1)",
            ),
            ("ten", "other_bins", _EDGES, "edges = np.arange(1, 10) / 10"),
            (
                "same_size",
                "other_bins",
                _BINS,
                "bins = np.empty(len(confidence), int)\n"
                "    parts = np.array_split(np.argsort(confidence), num_bins)\n"
                "    for number, part in enumerate(parts):\n"
                "        bins[part] = number",
            ),
            (
                "plain_mean",
                "bins_weigh_the_same",
                "members.mean() * abs(",
                "abs(",
                "return float(error)",
                "return float(error / len(np.unique(bins)))",
            ),
            (
                "over_bins",
                "bins_weigh_the_same",
                "members.mean() * abs(",
                "abs(",
                "return float(error)",
                "return float(error / num_bins)",
            ),
            ("plain_sum", "bins_weigh_the_same", "members.mean() * abs(", "abs("),
            ("rows", "not_divided_by_the_rows", "members.mean() * abs(", "members.sum() * abs("),
            (
                "percent",
                "not_divided_by_the_rows",
                "return float(error)",
                "return 100 * float(error)",
            ),
            (
                "late_abs",
                "signs_cancel",
                "members.mean() * abs(",
                "members.mean() * (",
                "return float(error)",
                "return abs(float(error))",
            ),
            ("no_abs", "signs_cancel", "members.mean() * abs(", "members.mean() * ("),
            (
                "conf_minus_acc",
                "signs_cancel",
                _ADD,
                "error += members.mean() * (confidence[members].mean() - right[members].mean())",
            ),
            (
                "every_row",
                "gap_of_every_row",
                _ADD,
                "error += members.mean() * abs(right[members] - confidence[members]).mean()",
            ),
            (
                "largest",
                "another_mean",
                _ADD,
                "error = max(error, abs(right[members].mean() - confidence[members].mean()))",
            ),
            (
                "squares",
                "another_mean",
                _ADD,
                "gap = right[members].mean() - confidence[members].mean()\n"
                "        error += members.mean() * gap**2",
            ),
            (
                "middle",
                "middle_of_the_bin",
                "confidence[members].mean())",
                "(number + 0.5) / num_bins)",
            ),
            (
                "upper_edge",
                "middle_of_the_bin",
                "confidence[members].mean())",
                "(number + 1) / num_bins)",
            ),
            ("empty_is_nan", "empty_bins_count", _LOOP, "for number in range(num_bins):"),
            (
                "every_class",
                "every_class_counts",
                _CONFIDENCE,
                "confidence = probabilities.ravel()",
                _HIT,
                "right = np.eye(probabilities.shape[1], dtype=bool)[np.asarray(labels)].ravel()",
            ),
            (
                "written_in",
                "array_changed",
                _FLOAT,
                "top = probabilities.max(axis=-1, keepdims=True)\n"
                "    probabilities[probabilities < top] = 0.0",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ temperature_scale

_LOGITS = 'logits, labels = np.asarray(logits, "float64"), np.asarray(labels)'
_ROWS_MAX = "logits = logits - logits.max(axis=-1, keepdims=True)"
_SCALED = "scaled = logits / temperature"
_LOG = "return scaled - np.log(np.exp(scaled).sum(axis=-1, keepdims=True))"
_LOSSES = (
    "losses = [-log_probabilities(t)[range(len(labels)), labels].mean() for t in temperatures]"
)
_BEST = "best = temperatures[int(np.argmin(losses))]"
_MADE = "return best, np.exp(log_probabilities(best))"


def _losses(text):
    return _LOSSES, f"losses = [{text} for t in temperatures]"


TEMPERATURES = [
    right(
        "temperature_scale",
        "logsumexp",
        source="""
def temperature_scale(logits, labels, temperatures):
    best, least = None, np.inf
    n = np.arange(len(labels))
    for t in temperatures:
        x = logits.astype("float64") / t
        top = x.max(axis=1)
        loss = np.mean(np.log(np.exp(x - top[:, None]).sum(axis=1)) + top - x[n, labels])
        if loss < least - 1e-12:
            best, least = t, loss
    x = logits / best
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return best, e / e.sum(axis=1, keepdims=True)
""",
    ),
    right(
        "temperature_scale",
        "logaddexp",
        source="""
def temperature_scale(logits, labels, temperatures):
    def log_softmax(x):
        return x - np.logaddexp.reduce(x, axis=1, keepdims=True)

    onehot = np.eye(logits.shape[1])[labels]
    losses = np.array([-(onehot * log_softmax(logits / t)).sum() for t in temperatures])
    t = min(temperatures, key=lambda t: losses[temperatures.index(t)])
    return np.float64(t), np.exp(log_softmax(logits / t))
""",
    ),
    right(
        "temperature_scale",
        "differences_to_the_label",
        source="""
def temperature_scale(logits, labels, temperatures):
    own = np.take_along_axis(logits, labels[:, None], axis=1)
    above = logits - own
    best = min(
        range(len(temperatures)),
        key=lambda i: np.logaddexp.reduce(above / temperatures[i], axis=1).sum(),
    )
    T = temperatures[best]
    z = (logits - logits.max(1)[:, None]) / T
    p = np.exp(z)
    return [T, p / p.sum(-1)[:, None]]
""",
    ),
    *wrongs(
        "temperature_scale",
        [
            ("times", "multiplied", _SCALED, "scaled = logits * temperature"),
            ("root", "scaled_otherwise", _SCALED, "scaled = logits / np.sqrt(temperature)"),
            ("square", "scaled_otherwise", _SCALED, "scaled = logits / temperature**2"),
            ("not_at_all", "scaled_otherwise", _SCALED, "scaled = logits"),
            (
                "softmax_twice",
                "probabilities_scaled",
                _SCALED,
                "shares = np.exp(logits)\n"
                "        scaled = shares / shares.sum(axis=-1, keepdims=True) / temperature",
            ),
            (
                "added_12",
                "logarithm_of_zero",
                *_losses(
                    "-np.log(np.exp(log_probabilities(t)) + 1e-12)"
                    "[range(len(labels)), labels].mean()"
                ),
            ),
            (
                "one_maximum",
                "one_maximum_for_all",
                _ROWS_MAX,
                "logits = logits - logits.max()",
                _LOG,
                "with np.errstate(all='ignore'):\n"
                "            p = np.exp(scaled) / np.exp(scaled).sum(axis=-1, keepdims=True)\n"
                "            return np.log(p)",
            ),
            (
                "likelihood",
                "another_loss",
                *_losses("-np.exp(log_probabilities(t))[range(len(labels)), labels].mean()"),
            ),
            (
                "brier",
                "another_loss",
                *_losses(
                    "((np.exp(log_probabilities(t)) - np.eye(logits.shape[1])[labels]) ** 2)"
                    ".sum(axis=-1).mean()"
                ),
            ),
            ("all_classes", "another_loss", *_losses("-log_probabilities(t).mean()")),
            (
                "median",
                "another_loss",
                *_losses("np.median(-log_probabilities(t)[range(len(labels)), labels])"),
            ),
            (
                "own_answer",
                "own_answers_for_labels",
                *_losses("-log_probabilities(t).max(axis=-1).mean()"),
            ),
            (
                "accuracy",
                "chosen_by_accuracy",
                *_losses("-(log_probabilities(t).argmax(axis=-1) == labels).mean()"),
            ),
            ("highest", "highest_loss", "np.argmin(losses)", "np.argmax(losses)"),
            (
                "last",
                "last_of_equals",
                _BEST,
                "best = temperatures[len(losses) - 1 - int(np.argmin(losses[::-1]))]",
            ),
            (
                "at_one",
                "temperature_not_applied",
                "log_probabilities(best))",
                "log_probabilities(1.0))",
            ),
            (
                "last_tried",
                "temperature_not_applied",
                "log_probabilities(best))",
                "log_probabilities(temperatures[-1]))",
            ),
            (
                "applied_twice",
                "temperature_not_applied",
                "log_probabilities(best))",
                "log_probabilities(best * best))",
            ),
            ("exchanged", "another_form", _MADE, "return np.exp(log_probabilities(best)), best"),
            (
                "place",
                "another_form",
                _MADE,
                "return int(np.argmin(losses)), np.exp(log_probabilities(best))",
            ),
            ("logarithms", "another_form", _MADE, "return best, log_probabilities(best)"),
            (
                "of_the_label",
                "another_form",
                _MADE,
                "return best, np.exp(log_probabilities(best))[range(len(labels)), labels]",
            ),
            ("alone", "another_form", _MADE, "return np.exp(log_probabilities(best))"),
            ("temperature_alone", "another_form", _MADE, "return best"),
            (
                "in_place",
                "array_changed",
                _ROWS_MAX,
                "logits -= logits.max(axis=-1, keepdims=True)",
            ),
            (
                "rows",
                "softmax_over_rows",
                _ROWS_MAX,
                "logits = logits - logits.max(axis=0, keepdims=True)",
                "np.exp(scaled).sum(axis=-1, keepdims=True)",
                "np.exp(scaled).sum(axis=0, keepdims=True)",
            ),
        ],
    ),
    wrong(
        "temperature_scale",
        "plain_softmax",
        source="""
def temperature_scale(logits, labels, temperatures):
    with np.errstate(all="ignore"):
        def softmax(t):
            e = np.exp(logits / t)
            return e / e.sum(axis=1, keepdims=True)

        losses = [-np.log(softmax(t)[np.arange(len(labels)), labels]).mean() for t in temperatures]
        best = temperatures[int(np.argmin(losses))]
        return best, softmax(best)
""",
        names=("overflow",),
    ),
    wrong(
        "temperature_scale",
        "stable_softmax_then_log",
        source="""
def temperature_scale(logits, labels, temperatures):
    def softmax(t):
        e = np.exp((logits - logits.max(axis=1, keepdims=True)) / t)
        return e / e.sum(axis=1, keepdims=True)

    with np.errstate(all="ignore"):
        losses = [-np.log(softmax(t)[np.arange(len(labels)), labels]).mean() for t in temperatures]
    best = temperatures[int(np.argmin(losses))]
    return best, softmax(best)
""",
        names=("logarithm_of_zero",),
    ),
    wrong(
        "temperature_scale",
        "shares_divided",
        source="""
def temperature_scale(logits, labels, temperatures):
    x = logits - logits.max(axis=1, keepdims=True)
    p = np.exp(x) / np.exp(x).sum(axis=1, keepdims=True)

    def softmax(x):
        e = np.exp(x - x.max(axis=1, keepdims=True))
        return e / e.sum(axis=1, keepdims=True)

    losses = [-np.log(softmax(p / t)[np.arange(len(p)), labels]).mean() for t in temperatures]
    best = temperatures[int(np.argmin(losses))]
    return best, softmax(p / best)
""",
        names=("probabilities_scaled",),
    ),
]

# ------------------------------------------------------------------ the drill

_DRILL = "drill_ch07c_failure"
_BUGS = {bug.key: bug for bug in read_bugs(Path(__file__).with_name("drill.py"))}


def named(key, text, suspect=None):
    return f'suspect = "{suspect or key}"\n\n{text}'


def repairs(key, rows):
    """Wrong repairs of one bug from rows (name, misconception, old, new, …)."""
    found = []
    for name, told, *pairs in rows:
        text = _BUGS[key].fixed
        for old, new in zip(pairs[::2], pairs[1::2], strict=True):
            if text.count(old) != 1:
                raise ValueError(f"{name}: {old!r} stands {text.count(old)} times")
            text = text.replace(old, new)
        found.append(wrong(_DRILL, name, key=key, source=named(key, text), names=(told,)))
    return found


DRILL = [
    *[
        right(_DRILL, f"repaired_{key}", key=key, source=named(key, bug.fixed))
        for key, bug in _BUGS.items()
    ],
    right(
        _DRILL,
        "in_other_words",
        key="signed_gaps",
        source=named(
            "signed_gaps",
            """
def repaired(logits, labels, dev, temperatures, num_bins):
    def log_softmax(x):
        return x - np.logaddexp.reduce(x, axis=1, keepdims=True)

    def ece(p, y):
        conf = p.max(1)
        gap = (p.argmax(1) == y) - conf
        place = np.clip(np.ceil(conf * num_bins).astype(int), 1, num_bins)
        return np.abs(np.bincount(place, weights=gap)).sum() / len(y)

    y = labels[dev]
    losses = [-log_softmax(logits[dev] / t)[np.arange(len(y)), y].mean() for t in temperatures]
    t = temperatures[losses.index(min(losses))]
    rest = logits[np.logical_not(dev)]
    return t, ece(np.exp(log_softmax(rest)), labels[~dev]), ece(
        np.exp(log_softmax(rest / t)), labels[~dev]
    )
""",
        ),
    ),
    *[
        wrong(
            _DRILL,
            f"still_{key}",
            key=key,
            source=named(key, bug.source.replace("def patient", "def repaired")),
            names=(key,),
        )
        for key, bug in _BUGS.items()
    ],
    wrong(
        _DRILL,
        "another_name",
        key="bins_weigh_the_same",
        source=named("", _BUGS["bins_weigh_the_same"].fixed, "signed_gaps"),
        names=("another_bug_named",),
    ),
    wrong(
        _DRILL,
        "another_name_too",
        key="chosen_by_accuracy",
        source=named("", _BUGS["chosen_by_accuracy"].fixed, "chosen_on_all_rows"),
        names=("another_bug_named",),
    ),
    *repairs(
        "judged_on_all_rows",
        [
            (
                "rows_exchanged",
                "rows_exchanged",
                "loss(logits[dev] / t, labels[dev])",
                "loss(logits[~dev] / t, labels[~dev])",
                "logits[~dev], labels[~dev]\n",
                "logits[dev], labels[dev]\n",
            ),
            (
                "dev_judged",
                "rows_exchanged",
                "logits[~dev], labels[~dev]\n",
                "logits[dev], labels[dev]\n",
            ),
            ("highest", "another_temperature", "np.argmin(losses)", "np.argmax(losses)"),
            (
                "before_scaled",
                "one_error_twice",
                "error(softmax(test), right)",
                "error(softmax(test / temperature), right)",
            ),
            ("after_unscaled", "one_error_twice", "softmax(test / temperature)", "softmax(test)"),
            (
                "exchanged",
                "another_form",
                "return temperature, before, after",
                "return temperature, after, before",
            ),
            (
                "gain",
                "another_form",
                "return temperature, before, after",
                "return temperature, before, before - after",
            ),
            ("not_divided", "another_weight", "return total / len(right)", "return total"),
            ("signed", "another_weight", "inside.sum() * abs(gap)", "inside.sum() * gap"),
            ("middle", "another_gap", "confidence[inside].mean()", "(number - 0.5) / num_bins"),
        ],
    ),
    *repairs(
        "chosen_by_accuracy",
        [
            (
                "likelihood",
                "another_loss",
                "-np.mean(np.log(softmax(x)[np.arange(len(right)), right]))",
                "-np.mean(softmax(x)[np.arange(len(right)), right])",
            ),
            (
                "own_answer",
                "another_loss",
                "-np.mean(np.log(softmax(x)[np.arange(len(right)), right]))",
                "-np.mean(np.log(softmax(x).max(axis=-1)))",
            ),
        ],
    ),
]

VARIANTS = [
    *HYPOTHESIS,
    *CUES,
    *DISTRACTORS,
    *CONTRASTS,
    *CONSISTENCY,
    *CALIBRATION,
    *TEMPERATURES,
    *DRILL,
]
