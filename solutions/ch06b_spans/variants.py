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


# ------------------------------------------------------------------ align_labels

_CUT = 'cut = tokenize(word) or ["[UNK]"]'
_SPREAD = "row += [label] + [ignore] * (len(cut) - 1)"
_KEPT = "kept, row = pieces[:room], row[:room]"
_ROW = 'return ["[CLS]", *kept, "[SEP]"], [ignore, *row] + [ignore] * padding'

LABELS = [
    right(
        "align_labels",
        "label_row_filled_in",
        source="""
def align_labels(words, labels, tokenize, max_sequence_length, ignore=-1):
    row = [ignore] * max_sequence_length
    pieces = ["[CLS]"]
    for i in range(len(words)):
        new = tokenize(words[i])
        if len(new) == 0:
            new = ["[UNK]"]
        if len(pieces) < max_sequence_length - 1:
            row[len(pieces)] = labels[i]
        pieces.extend(new)
    pieces = pieces[: max_sequence_length - 1]
    pieces.append("[SEP]")
    return pieces, row
""",
    ),
    right(
        "align_labels",
        "pairs_of_piece_and_label",
        source="""
def align_labels(words, labels, tokenize, max_sequence_length, ignore=-1):
    both = []
    for word, label in zip(words, labels):
        for n, piece in enumerate(tokenize(word) or ["[UNK]"]):
            both.append((piece, label if n == 0 else ignore))
    both = [("[CLS]", ignore)] + both[: max_sequence_length - 2] + [("[SEP]", ignore)]
    pieces = [piece for piece, _ in both]
    numbers = [label for _, label in both]
    while len(numbers) < max_sequence_length:
        numbers.append(ignore)
    return pieces, numbers
""",
    ),
    right(
        "align_labels",
        "numpy_row",
        source="""
def align_labels(words, labels, tokenize, max_sequence_length, ignore=-1):
    T = max_sequence_length
    row = np.full(T, ignore)
    pieces = []
    firsts = []
    for word in words:
        firsts.append(len(pieces) + 1)
        found = tokenize(word)
        pieces += found if found else ["[UNK]"]
    for place, label in zip(firsts, labels):
        if place <= T - 2:
            row[place] = label
    return ["[CLS]"] + pieces[: T - 2] + ["[SEP]"], row.tolist()
""",
    ),
    *wrongs(
        "align_labels",
        [
            ("copied", "label_on_every_piece", _SPREAD, "row += [label] * len(cut)"),
            (
                "on_the_last",
                "label_on_another_piece",
                _SPREAD,
                "row += [ignore] * (len(cut) - 1) + [label]",
            ),
            (
                "by_number",
                "labels_by_number_of_piece",
                "room = max_sequence_length - 2",
                "row = labels[:] + [ignore] * (len(pieces) - len(labels))\n"
                "    row, room = row[: len(pieces)], max_sequence_length - 2",
            ),
            (
                "early",
                "labels_not_shifted",
                "[ignore, *row] + [ignore] * padding",
                "row + [ignore] * (padding + 1)",
            ),
            (
                "no_marks",
                "marks_missing",
                'return ["[CLS]", *kept, "[SEP]"]',
                "return kept",
            ),
            (
                "no_marks_anywhere",
                "marks_missing",
                _ROW,
                "return kept, row + [ignore] * (padding + 1)",
            ),
            ("no_sep", "marks_missing", '*kept, "[SEP]"]', "*kept]"),
            ("labels_left", "not_cut_together", _KEPT, "kept = pieces[:room]"),
            ("pieces_left", "not_cut_together", _KEPT, "kept, row = pieces, row[:room]"),
            ("nothing_cut", "nothing_cut", _KEPT, "kept = pieces"),
            (
                "cut_in_the_end",
                "end_mark_cut_off",
                _KEPT,
                "kept = pieces",
                _ROW,
                "T = max_sequence_length\n    row = [ignore, *row] + [ignore] * T\n"
                '    return ["[CLS]", *kept, "[SEP]"][:T], row[:T]',
            ),
            ("one_more", "room_miscounted", "max_sequence_length - 2", "max_sequence_length - 1"),
            (
                "whole_length",
                "room_miscounted",
                "room = max_sequence_length - 2",
                "room = max_sequence_length",
            ),
            (
                "label_under_sep",
                "end_mark_labelled",
                _KEPT,
                "kept, row = pieces[:room], row[: room + 1]",
                "[ignore, *row] + [ignore] * padding",
                "([ignore, *row] + [ignore] * max_sequence_length)[:max_sequence_length]",
            ),
            (
                "whole_words",
                "whole_words_only",
                "        pieces += cut\n",
                "        if len(pieces) + len(cut) > max_sequence_length - 2:\n"
                "            break\n        pieces += cut\n",
            ),
            (
                "rest_goes_on",
                "whole_words_only",
                "        pieces += cut\n",
                "        if len(pieces) + len(cut) > max_sequence_length - 2:\n"
                "            continue\n        pieces += cut\n",
            ),
            (
                "skipped",
                "empty_word_skipped",
                _CUT,
                "cut = tokenize(word)\n        if not cut:\n            continue",
            ),
            ("label_stays", "label_without_a_piece", _CUT, "cut = tokenize(word)"),
            (
                "unknown_ignored",
                "unknown_word_unlabelled",
                _CUT,
                'cut = tokenize(word)\n        if not cut:\n            cut, label = ["[UNK]"], '
                "ignore",
            ),
            ("word_kept", "another_unknown", _CUT, "cut = tokenize(word) or [word]"),
            (
                "zero_padding",
                "zero_where_not_judged",
                "+ [ignore] * padding",
                "+ [ignore] + [0] * (padding - 1)",
            ),
            (
                "zero_later",
                "zero_where_not_judged",
                "[ignore] * (len(cut) - 1)",
                "[0] * (len(cut) - 1)",
            ),
            (
                "hundred",
                "ignore_not_used",
                "    pieces, row = [], []",
                "    ignore = -100\n    pieces, row = [], []",
            ),
            (
                "minus_one",
                "ignore_not_used",
                "    pieces, row = [], []",
                "    ignore = -1\n    pieces, row = [], []",
            ),
            ("zero_lost", "label_zero_lost", "row += [label] +", "row += [label or ignore] +"),
            (
                "looked_up",
                "label_looked_up",
                "row += [label] +",
                "row += [labels[words.index(word)]] +",
            ),
            (
                "in_a_dict",
                "label_looked_up",
                "row += [label] +",
                "row += [dict(zip(words, labels))[word]] +",
            ),
            (
                "short_labels",
                "labels_not_padded",
                "[ignore, *row] + [ignore] * padding",
                "[ignore, *row, ignore]",
            ),
            (
                "padded_pieces",
                "pieces_padded",
                'return ["[CLS]", *kept, "[SEP]"]',
                'return ["[CLS]", *kept, "[SEP]"] + ["[PAD]"] * (padding - 1)',
            ),
            (
                "turned_round",
                "something_else_returned",
                _ROW,
                'return [ignore, *row] + [ignore] * padding, ["[CLS]", *kept, "[SEP]"]',
            ),
            (
                "labels_alone",
                "something_else_returned",
                _ROW,
                "return [ignore, *row] + [ignore] * padding",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ bio_spans

SPANS = [
    right(
        "bio_spans",
        "open_span_and_a_last_o",
        source="""
def bio_spans(tags):
    spans, kind, start = [], None, None
    for i, tag in enumerate(list(tags) + ["O"]):
        if kind is not None and not (tag[0] == "I" and tag[2:] == kind):
            spans.append((kind, start, i))
            kind = None
        if tag != "O" and kind is None:
            kind, start = tag[2:], i
    return spans
""",
    ),
    right(
        "bio_spans",
        "starts_first",
        source="""
def bio_spans(tags):
    def starts(i):
        if tags[i] == "O":
            return False
        if tags[i].startswith("B-"):
            return True
        return i == 0 or tags[i - 1] == "O" or tags[i - 1][2:] != tags[i][2:]

    found = []
    for i in range(len(tags)):
        if starts(i):
            j = i + 1
            while j < len(tags) and tags[j] != "O" and not starts(j):
                j += 1
            found.append((tags[i].split("-", 1)[1], i, j))
    return found
""",
    ),
    right(
        "bio_spans",
        "while_loop",
        source="""
def bio_spans(tags):
    result = []
    i = 0
    while i < len(tags):
        if tags[i] == "O":
            i += 1
            continue
        kind = tags[i][2:]
        end = i + 1
        while end < len(tags) and tags[end] == "I-" + kind:
            end += 1
        result.append([kind, i, end])
        i = end
    return result
""",
    ),
    *[
        wrong("bio_spans", name, names=(named,), source=source)
        for name, named, source in [
            (
                "only_b_begins",
                "loose_i_dropped",
                """
def bio_spans(tags):
    spans, i = [], 0
    while i < len(tags):
        if tags[i].startswith("B-"):
            kind, end = tags[i][2:], i + 1
            while end < len(tags) and tags[end] == "I-" + kind:
                end += 1
            spans.append((kind, i, end))
            i = end
        else:
            i += 1
    return spans
""",
            ),
            (
                "any_i_goes_on",
                "kind_not_compared",
                """
def bio_spans(tags):
    spans, i = [], 0
    while i < len(tags):
        if tags[i] == "O":
            i += 1
            continue
        kind, end = tags[i][2:], i + 1
        while end < len(tags) and tags[end].startswith("I-"):
            end += 1
        spans.append((kind, i, end))
        i = end
    return spans
""",
            ),
            (
                "only_b_and_any_i",
                "loose_i_dropped",
                """
def bio_spans(tags):
    spans, i = [], 0
    while i < len(tags):
        if tags[i][0] == "B":
            kind, end = tags[i][2:], i + 1
            while end < len(tags) and tags[end][0] == "I":
                end += 1
            spans.append((kind, i, end))
            i = end
        else:
            i += 1
    return spans
""",
            ),
            (
                "grouped_by_kind",
                "b_continues",
                """
import itertools


def bio_spans(tags):
    spans, at = [], 0
    for kind, group in itertools.groupby(tags, key=lambda tag: tag[2:]):
        number = len(list(group))
        if kind:
            spans.append((kind, at, at + number))
        at += number
    return spans
""",
            ),
            (
                "no_last_one",
                "last_span_lost",
                """
def bio_spans(tags):
    spans, kind, start = [], None, None
    for i, tag in enumerate(tags):
        if kind is not None and tag != "I-" + kind:
            spans.append((kind, start, i))
            kind = None
        if tag != "O" and kind is None:
            kind, start = tag[2:], i
    return spans
""",
            ),
        ]
    ],
    *wrongs(
        "bio_spans",
        [
            (
                "split_in_two",
                "dash_in_the_kind",
                'prefix, _, kind = tag.partition("-")',
                'prefix, kind = tag.split("-") if tag != "O" else ("O", None)',
            ),
            (
                "o_ignored",
                "o_does_not_end",
                "open_kind = None\n        elif",
                "continue\n        elif",
            ),
            (
                "word_by_word",
                "every_word_alone",
                'elif prefix == "I" and kind == open_kind:',
                'elif prefix == "X":',
            ),
            (
                "end_inclusive",
                "ends_misplaced",
                "spans[-1][1], place + 1)",
                "spans[-1][1], place)",
                "spans.append((kind, place, place + 1))",
                "spans.append((kind, place, place))",
            ),
            (
                "from_one",
                "counted_from_one",
                "in enumerate(tags)",
                "in enumerate(tags, 1)",
            ),
            (
                "split_at_all_dashes",
                "kind_cut_wrongly",
                'tag.partition("-")',
                '(tag.split("-") + ["", ""])[:3]\n        kind = (tag.split("-") + [""])[1]',
            ),
            (
                "split_at_the_last_dash",
                "kind_cut_wrongly",
                'tag.partition("-")',
                '(tag[0], "-", tag.split("-")[-1])',
            ),
        ],
    ),
    *[
        wrong(
            "bio_spans",
            name,
            names=(named,),
            patch=(old, new),
        )
        for name, named, old, new in [
            (
                "long_ones_only",
                "spans_lost",
                "return spans",
                "return [span for span in spans if span[2] - span[1] > 1]",
            ),
            (
                "one_of_a_kind",
                "spans_lost",
                "return spans",
                "return list({span[0]: span for span in spans}.values())",
            ),
            ("sorted_by_kind", "another_order", "return spans", "return sorted(spans)"),
            (
                "kind_behind",
                "something_else_returned",
                "return spans",
                "return [(a, b, kind) for kind, a, b in spans]",
            ),
            (
                "no_kind",
                "something_else_returned",
                "return spans",
                "return [span[1:] for span in spans]",
            ),
        ]
    ],
]

# ------------------------------------------------------------------ span_f1

_RIGHT = "right += len(set(truth) & set(guess))"
_SAID = "said += len(set(guess))"
_WANTED = "wanted += len(set(truth))"
_F1 = "f1 = 2 * precision * recall / (precision + recall) if right else 0.0"
_THREE = "return precision, recall, f1"

SCORES = [
    right(
        "span_f1",
        "sets_of_numbered_spans",
        source="""
def span_f1(gold, predicted):
    g = {(n, *span) for n, spans in enumerate(gold) for span in spans}
    p = {(n, *span) for n, spans in enumerate(predicted) for span in spans}
    hits = len(g & p)
    P = hits / len(p) if p else 0.0
    R = hits / len(g) if g else 0.0
    return P, R, (2 * P * R / (P + R) if P + R else 0.0)
""",
    ),
    right(
        "span_f1",
        "counts_of_errors",
        source="""
def span_f1(gold, predicted):
    tp = fp = fn = 0
    for i in range(len(gold)):
        seen = []
        for span in predicted[i]:
            if span in seen:
                continue
            seen.append(span)
            if span in gold[i]:
                tp += 1
            else:
                fp += 1
        fn += sum(1 for span in set(gold[i]) if span not in predicted[i])
    if tp == 0:
        return 0, 0, 0
    return tp / (tp + fp), tp / (tp + fn), 2 * tp / (2 * tp + fp + fn)
""",
    ),
    right(
        "span_f1",
        "with_a_tiny_epsilon",
        source="""
def span_f1(gold, predicted):
    hits = sum(len(set(a).intersection(b)) for a, b in zip(gold, predicted))
    n, m = (sum(len(set(spans)) for spans in each) for each in (predicted, gold))
    p = hits / max(n, 1)
    r = hits / max(m, 1)
    return np.float64(p), np.float64(r), 2 * p * r / (p + r + 1e-12)
""",
    ),
    *wrongs(
        "span_f1",
        [
            (
                "ends_only",
                "kind_not_compared",
                _RIGHT,
                "ends = {span[1:] for span in truth}\n"
                "        right += sum(span[1:] in ends for span in set(guess))",
            ),
            (
                "starts_only",
                "one_end_only",
                _RIGHT,
                "begins = {span[:2] for span in truth}\n"
                "        right += sum(span[:2] in begins for span in set(guess))",
            ),
            (
                "overlapping",
                "overlap_is_enough",
                _RIGHT,
                "right += sum(\n            any(k == kind and a < end and start < b for k, a, b in "
                "truth)\n            for kind, start, end in set(guess)\n        )",
            ),
            (
                "kinds_only",
                "kinds_only_compared",
                _RIGHT,
                "kinds = {span[0] for span in truth}\n"
                "        right += sum(span[0] in kinds for span in set(guess))",
            ),
            (
                "words",
                "words_counted",
                _RIGHT,
                "truth, guess = (\n            [(k, i) for k, a, b in set(x) for i in range(a, b)]"
                " for x in (truth, guess)\n        )\n"
                "        right += len(set(truth) & set(guess))",
            ),
            (
                "number_by_number",
                "compared_in_order",
                _RIGHT,
                "right += sum(a == b for a, b in zip(truth, guess))",
                _SAID,
                "said += len(guess)",
                _WANTED,
                "wanted += len(truth)",
            ),
            (
                "one_large_set",
                "sentences_mixed",
                "in zip(gold, predicted):",
                "in [[[s for x in each for s in x] for each in (gold, predicted)]]:",
            ),
            (
                "one_large_list",
                "sentences_mixed",
                "in zip(gold, predicted):",
                "in [[[s for x in each for s in x] for each in (gold, predicted)]]:",
                _RIGHT,
                "right += sum(span in truth for span in guess)",
                _SAID,
                "said += len(guess)",
                _WANTED,
                "wanted += len(truth)",
            ),
            (
                "mean_of_both",
                "another_mean",
                _F1,
                "f1 = (precision + recall) / 2",
            ),
            (
                "not_doubled",
                "another_mean",
                "f1 = 2 * precision",
                "f1 = precision",
            ),
            (
                "jaccard",
                "another_mean",
                _F1,
                "f1 = right / (said + wanted - right) if right else 0.0",
            ),
            (
                "division_by_zero",
                "divided_by_zero",
                "right / said if said else 0.0",
                "right / said",
                "right / wanted if wanted else 0.0",
                "right / wanted",
                " if right else 0.0",
                "",
            ),
            (
                "one_for_nothing",
                "one_for_nothing",
                "right / said if said else 0.0",
                "right / said if said else 1.0",
                "right / wanted if wanted else 0.0",
                "right / wanted if wanted else 1.0",
                _F1,
                "f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0",
            ),
            (
                "lists",
                "twice_counts_twice",
                _RIGHT,
                "right += sum(span in truth for span in guess)",
                _SAID,
                "said += len(guess)",
                _WANTED,
                "wanted += len(truth)",
            ),
            (
                "exchanged",
                "precision_and_recall_exchanged",
                _THREE,
                "return recall, precision, f1",
            ),
            ("f1_alone", "something_else_returned", _THREE, "return f1"),
            (
                "two_digits",
                "numbers_rounded",
                _THREE,
                "return round(precision, 2), round(recall, 2), round(f1, 2)",
            ),
            (
                "all_recalled_of_nothing",
                "one_for_nothing",
                "recall = right / wanted if wanted else 0.0",
                "recall = right / wanted if wanted else 1.0",
            ),
            (
                "precision_unguarded",
                "divided_by_zero",
                "precision = right / said if said else 0.0",
                "precision = right / said",
            ),
            (
                "percent",
                "something_else_returned",
                _THREE,
                "return 100 * precision, 100 * recall, 100 * f1",
            ),
        ],
    ),
    *[
        wrong("span_f1", name, names=(named,), source=source)
        for name, named, source in [
            (
                "mean_of_sentences",
                "averaged_over_sentences",
                """
def span_f1(gold, predicted):
    rows = []
    for g, p in zip(gold, predicted):
        hits = len(set(g) & set(p))
        a = hits / len(set(p)) if p else 0.0
        b = hits / len(set(g)) if g else 0.0
        rows.append((a, b, 2 * a * b / (a + b) if a + b else 0.0))
    if not rows:
        return 0.0, 0.0, 0.0
    return tuple(float(x) for x in np.mean(rows, axis=0))
""",
            ),
            (
                "mean_of_kinds",
                "averaged_over_kinds",
                """
def span_f1(gold, predicted):
    kinds = {s[0] for each in (gold, predicted) for spans in each for s in spans}
    rows = []
    for kind in sorted(kinds):
        g, p = ({(n, *s) for n, spans in enumerate(each) for s in spans if s[0] == kind}
                for each in (gold, predicted))
        a = len(g & p) / len(p) if p else 0.0
        b = len(g & p) / len(g) if g else 0.0
        rows.append((a, b, 2 * a * b / (a + b) if a + b else 0.0))
    if not rows:
        return 0.0, 0.0, 0.0
    return tuple(float(x) for x in np.mean(rows, axis=0))
""",
            ),
        ]
    ],
]

# ------------------------------------------------------------------ viterbi_decode

_FIRST = "best = scores[0] + starts"
_WAYS = "ways = best[:, None] + transitions"
_POINT = "came_from.append(ways.argmax(axis=0))"
_NEXT = "best = ways.max(axis=0) + now"
_LAST = "path = [int(best.argmax())]"
_BACK = "return path[::-1]"

PATHS = [
    right(
        "viterbi_decode",
        "tables_and_loops",
        source="""
def viterbi_decode(scores, transitions, starts):
    T, C = scores.shape
    value = np.zeros((T, C))
    pointer = np.zeros((T, C), dtype=int)
    for c in range(C):
        value[0, c] = starts[c] + scores[0, c]
    for t in range(1, T):
        for c in range(C):
            ways = value[t - 1] + transitions[:, c]
            pointer[t, c] = np.argmax(ways)
            value[t, c] = ways[pointer[t, c]] + scores[t, c]
    path = [int(np.argmax(value[T - 1]))]
    for t in range(T - 1, 0, -1):
        path.insert(0, int(pointer[t, path[0]]))
    return path
""",
    ),
    right(
        "viterbi_decode",
        "paths_kept_whole",
        source="""
def viterbi_decode(scores, transitions, starts):
    best = [(starts[c] + scores[0, c], [c]) for c in range(len(starts))]
    for row in scores[1:]:
        best = [
            max(
                ((total + transitions[path[-1], c] + row[c], path + [c]) for total, path in best),
                key=lambda pair: pair[0],
            )
            for c in range(len(starts))
        ]
    return max(best, key=lambda pair: pair[0])[1]
""",
    ),
    right(
        "viterbi_decode",
        "from_the_end",
        source="""
def viterbi_decode(scores, transitions, starts):
    rest = np.zeros(len(starts))
    nexts = []
    for row in scores[:0:-1]:
        ways = transitions + (row + rest)[None, :]
        nexts.insert(0, ways.argmax(axis=1))
        rest = ways.max(axis=1)
    path = [np.argmax(starts + scores[0] + rest)]
    for step in nexts:
        path.append(step[path[-1]])
    return np.array(path)
""",
    ),
    right(
        "viterbi_decode",
        "large_negative_for_infinity",
        source="""
def viterbi_decode(scores, transitions, starts):
    moves = np.where(np.isneginf(transitions), -1e9, transitions).astype("float64")
    total = np.where(np.isneginf(starts), -1e9, starts) + scores[0].astype("float64")
    back = []
    for t in range(1, len(scores)):
        ways = total.reshape(-1, 1) + moves + scores[t]
        back += [np.argmax(ways, 0)]
        total = np.max(ways, 0)
    out = [int(np.argmax(total))]
    while back:
        out.append(int(back.pop()[out[-1]]))
    out.reverse()
    return out
""",
    ),
    *[
        wrong("viterbi_decode", name, names=(named,), source=source)
        for name, named, source in [
            (
                "sums_in_one_row",
                "sums_overwritten",
                """
def viterbi_decode(scores, transitions, starts):
    T, C = scores.shape
    best = scores[0] + starts
    back = np.zeros((T, C), int)
    for t in range(1, T):
        for j in range(C):
            ways = best + transitions[:, j]
            back[t, j] = ways.argmax()
            best[j] = ways.max() + scores[t, j]
    path = [int(best.argmax())]
    for t in range(T - 1, 0, -1):
        path.append(int(back[t, path[-1]]))
    return path[::-1]
""",
            ),
            (
                "largest_begins_at_zero",
                "maximum_begins_at_zero",
                """
def viterbi_decode(scores, transitions, starts):
    C = len(starts)
    best, paths = starts + scores[0], [[j] for j in range(C)]
    for now in scores[1:]:
        new_best, new_paths = [], []
        for j in range(C):
            most, origin = 0, 0
            for i in range(C):
                if best[i] + transitions[i, j] > most:
                    most, origin = best[i] + transitions[i, j], i
            new_best.append(most + now[j])
            new_paths.append(paths[origin] + [j])
        best, paths = np.array(new_best), new_paths
    return paths[int(best.argmax())]
""",
            ),
            (
                "origin_of_each_best",
                "not_traced_back",
                """
def viterbi_decode(scores, transitions, starts):
    best = starts + scores[0]
    path = [int(best.argmax())]
    for now in scores[1:]:
        ways = best[:, None] + transitions
        best = ways.max(axis=0) + now
        path.append(int(ways.argmax(axis=0)[best.argmax()]))
    return path
""",
            ),
        ]
    ],
    *wrongs(
        "viterbi_decode",
        [
            (
                "forwards_from_the_last",
                "walked_in_the_wrong_order",
                "reversed(came_from)",
                "came_from",
            ),
            (
                "forwards_and_not_turned",
                "walked_in_the_wrong_order",
                "reversed(came_from)",
                "came_from",
                _BACK,
                "return path",
            ),
            ("alone", "every_place_alone", _BACK, "return [int(t) for t in scores.argmax(axis=1)]"),
            (
                "greedy",
                "never_taken_back",
                _BACK,
                "path = [int((scores[0] + starts).argmax())]\n    for now in scores[1:]:\n"
                "        path.append(int((transitions[path[-1]] + now).argmax()))\n    return path",
            ),
            (
                "turned",
                "transitions_turned_round",
                "best[:, None] + transitions",
                "best[:, None] + transitions.T",
            ),
            (
                "other_axis",
                "transitions_turned_round",
                "ways.argmax(axis=0)",
                "ways.argmax(axis=1)",
                "ways.max(axis=0)",
                "ways.max(axis=1)",
            ),
            (
                "no_transitions",
                "transitions_not_added",
                "best[:, None] + transitions",
                "best[:, None] + np.zeros_like(transitions)",
            ),
            (
                "minus",
                "transitions_subtracted",
                "best[:, None] + transitions",
                "best[:, None] + np.where(np.isneginf(transitions), transitions, -transitions)",
            ),
            ("no_starts", "starts_not_added", _FIRST, "best = scores[0]"),
            ("starts_everywhere", "starts_misplaced", _NEXT, f"{_NEXT} + starts"),
            ("no_first_scores", "first_scores_missing", _FIRST, "best = 1.0 * starts"),
            ("no_later_scores", "scores_not_added", _NEXT, "best = ways.max(axis=0)"),
            (
                "scores_of_before",
                "scores_not_added",
                _WAYS,
                f"{_WAYS} + now[:, None]",
                "ways.max(axis=0) + now",
                "ways.max(axis=0)",
            ),
            (
                "one_step",
                "sum_not_carried_on",
                "for now in scores[1:]:",
                "for before, now in zip(scores, scores[1:]):",
                "best[:, None] + transitions",
                "before[:, None] + transitions",
            ),
            (
                "forward_algorithm",
                "all_paths_added_up",
                "ways.max(axis=0) + now",
                "np.logaddexp.reduce(ways, axis=0) + now",
            ),
            (
                "smallest",
                "worst_path",
                "ways.argmax(axis=0)",
                "ways.argmin(axis=0)",
                "ways.max(axis=0)",
                "ways.min(axis=0)",
                "best.argmax()",
                "best.argmin()",
            ),
            (
                "best_of_each_place",
                "not_traced_back",
                _POINT,
                "came_from.append(best)",
                _BACK,
                "return [int(b.argmax()) for b in [*came_from, best]]",
                "path.append(int(before[path[-1]]))",
                "pass",
            ),
            (
                "pointer_of_each_best",
                "not_traced_back",
                _NEXT,
                f"{_NEXT}\n        came_from[-1] = int(came_from[-1][best.argmax()])",
                _BACK,
                "return [*came_from, int(best.argmax())]",
                "path.append(int(before[path[-1]]))",
                "pass",
            ),
            ("last_by_scores", "another_last_tag", _LAST, "path = [int(scores[-1].argmax())]"),
            ("backwards", "path_backwards", _BACK, "return path"),
            ("first_lost", "path_too_short", _BACK, "return path[::-1][1:]"),
            ("last_lost", "path_too_short", _BACK, "return path[:0:-1]"),
            (
                "nothing_forbidden",
                "forbidden_allowed",
                _FIRST,
                "transitions = np.nan_to_num(transitions, neginf=0.0)\n"
                "    best = scores[0] + np.nan_to_num(starts, neginf=0.0)",
            ),
            (
                "forbidden_is_minus_100",
                "forbidden_allowed",
                _FIRST,
                "transitions = np.where(np.isneginf(transitions), -100, transitions)\n"
                "    best = scores[0] + np.where(np.isneginf(starts), -100, starts)",
            ),
            (
                "best_along_the_other_axis",
                "best_on_the_wrong_axis",
                "best[:, None] + transitions",
                "best[None, :] + transitions",
            ),
            (
                "pointers_along_the_other_axis",
                "pointers_over_the_wrong_axis",
                "ways.argmax(axis=0)",
                "ways.argmax(axis=1)",
            ),
            (
                "with_its_sum",
                "something_else_returned",
                _BACK,
                "return path[::-1], float(best.max())",
            ),
            (
                "in_place",
                "scores_changed",
                _FIRST,
                "best = scores[0]\n    best += starts",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ qa_windows

_ROOM = "room = max_sequence_length - len(question) - 3"
_CHECK = "if room < 1 or stride < 1:"
_END = "end = min(start + room, len(context))"
_STOP = "if end == len(context):"
_STEP = "start += min(stride, room)"

WINDOWS = [
    right(
        "qa_windows",
        "a_range_and_its_end",
        source="""
def qa_windows(context, question, max_sequence_length, stride):
    n, room = len(context), max_sequence_length - len(question) - 3
    if room <= 0 or stride <= 0:
        raise ValueError("no room or no step")
    step = min(room, stride)
    out = []
    for start in range(0, max(n, 1), step):
        out.append((start, min(n, start + room)))
        if start + room >= n:
            break
    return out
""",
    ),
    right(
        "qa_windows",
        "number_of_windows_first",
        source="""
def qa_windows(context, question, max_sequence_length, stride):
    room = max_sequence_length - (len(question) + 3)
    if min(room, stride) < 1:
        raise ValueError(f"{room}, {stride}")
    step = min(room, stride)
    more = max(len(context) - room, 0)
    number = 1 + -(-more // step)
    return [[i * step, min(i * step + room, len(context))] for i in range(number)]
""",
    ),
    right(
        "qa_windows",
        "packed_lengths",
        source="""
def qa_windows(context, question, max_sequence_length, stride):
    if stride < 1:
        raise ValueError("stride")
    room = max_sequence_length - len([0, *question, 0]) - 1
    if room < 1:
        raise ValueError("room")
    starts = [0]
    while starts[-1] + room < len(context):
        starts.append(starts[-1] + (room if stride > room else stride))
    return [(s, s + len(context[s : s + room])) for s in starts]
""",
    ),
    *wrongs(
        "qa_windows",
        [
            ("two_marks", "room_miscounted", "- len(question) - 3", "- len(question) - 2"),
            ("no_marks", "room_miscounted", "- len(question) - 3", "- len(question)"),
            ("no_question", "question_forgotten", "- len(question) - 3", "- 3"),
            (
                "overlap",
                "stride_as_overlap",
                _STEP,
                "start += max(room - stride, 1)",
            ),
            ("a_room_at_a_time", "another_step", _STEP, "start += room"),
            ("one_at_a_time", "another_step", _STEP, "start += 1"),
            ("skips", "large_stride_skips_tokens", _STEP, "start += stride"),
            (
                "one_less",
                "large_stride_as_room_less_one",
                _STEP,
                "start += min(stride, max(room - 1, 1))",
            ),
            (
                "all_starts",
                "windows_after_the_last",
                "while True:",
                "while start < len(context):",
                _STOP,
                "if False:",
                _STEP,
                "start += min(stride, room)\n    return windows",
            ),
            (
                "looks_at_the_start_after_adding",
                "windows_after_the_last",
                _STOP,
                "if start >= len(context):",
            ),
            ("backwards", "windows_backwards", "return windows", "return windows[::-1]"),
            ("beyond", "one_window_more_if_it_fits", _STOP, "if start + room > len(context):"),
            (
                "full_ones_only",
                "last_window_lost",
                _END,
                "if windows and start + room > len(context):\n            return windows\n"
                f"        {_END}",
            ),
            ("one_only", "stops_too_early", _STOP, "if True:"),
            (
                "not_clipped",
                "end_beyond_the_text",
                _END,
                "end = start + room",
                _STOP,
                "if end >= len(context):",
            ),
            (
                "moved_back",
                "last_window_moved_back",
                "windows.append((start, end))",
                "windows.append((max(end - room, 0), end))",
            ),
            (
                "inclusive",
                "ends_misplaced",
                "windows.append((start, end))",
                "windows.append((start, end - 1))",
            ),
            (
                "nothing_for_nothing",
                "empty_text_without_a_window",
                "    windows, start = [], 0",
                "    if not context:\n        return []\n    windows, start = [], 0",
            ),
            ("stride_not_looked_at", "not_refused", _CHECK, "if room < 1:"),
            ("zero_is_fine", "not_refused", _CHECK, "if room < 0 or stride < 0:"),
            (
                "large_strides_refused",
                "too_much_refused",
                _CHECK,
                "if room < 1 or stride < 1 or stride > room:",
            ),
            (
                "places_in_the_row",
                "something_else_returned",
                "windows.append((start, end))",
                "windows.append((len(question) + 2, len(question) + 2 + end - start))",
            ),
            (
                "starts_only",
                "something_else_returned",
                "windows.append((start, end))",
                "windows.append(start)",
            ),
            (
                "tokens",
                "something_else_returned",
                "windows.append((start, end))",
                "windows.append(context[start:end])",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ best_span

_HERE = "here = slice(offset, offset + window_length)"
_LEGAL = "total = np.where((longer >= 0) & (longer < max_answer), total, -np.inf)"
_BEST = "first, last = divmod(int(total.argmax()), window_length)"
_NULL = "null_score = float(start_scores[0] + end_scores[0])"
_FOUR = "return float(total[first, last]), first + window_start, last + window_start, null_score"

ANSWERS = [
    right(
        "best_span",
        "two_loops",
        source="""
def best_span(start_scores, end_scores, offset, window_start, window_length, max_answer):
    best = (-np.inf, None, None)
    for i in range(window_length):
        for j in range(i, min(i + max_answer, window_length)):
            value = start_scores[offset + i] + end_scores[offset + j]
            if value > best[0]:
                best = (value, window_start + i, window_start + j)
    return float(best[0]), best[1], best[2], float(start_scores[0] + end_scores[0])
""",
    ),
    right(
        "best_span",
        "triangle_of_the_outer_sum",
        source="""
def best_span(start_scores, end_scores, offset, window_start, window_length, max_answer):
    s = start_scores[offset : offset + window_length]
    e = end_scores[offset : offset + window_length]
    sums = np.add.outer(s, e)
    ok = np.triu(np.ones(sums.shape, bool)) & ~np.triu(np.ones(sums.shape, bool), k=max_answer)
    sums[~ok] = -np.inf
    i, j = np.unravel_index(sums.argmax(), sums.shape)
    return sums[i, j], i + window_start, j + window_start, start_scores[0] + end_scores[0]
""",
    ),
    right(
        "best_span",
        "best_start_for_every_end",
        source="""
def best_span(start_scores, end_scores, offset, window_start, window_length, max_answer):
    found = []
    for last in range(offset, offset + window_length):
        low = max(offset, last - max_answer + 1)
        first = low + int(np.argmax(start_scores[low : last + 1]))
        found.append((float(start_scores[first] + end_scores[last]), first, last))
    score, first, last = max(found)
    shift = window_start - offset
    return score, first + shift, last + shift, float(start_scores[0]) + float(end_scores[0])
""",
    ),
    wrong(
        "best_span",
        "loop_that_begins_with_null",
        names=("best_begins_at_null",),
        source="""
def best_span(start_scores, end_scores, offset, window_start, window_length, max_answer):
    null_score = float(start_scores[0] + end_scores[0])
    best, first, last = null_score, 0, 0
    for i in range(offset, offset + window_length):
        for j in range(i, min(i + max_answer, offset + window_length)):
            if start_scores[i] + end_scores[j] > best:
                best = float(start_scores[i] + end_scores[j])
                first, last = i - offset + window_start, j - offset + window_start
    return best, first, last, null_score
""",
    ),
    wrong(
        "best_span",
        "triangle_of_zeros",
        names=("unlawful_spans_score_zero",),
        source="""
def best_span(start_scores, end_scores, offset, window_start, window_length, max_answer):
    here = slice(offset, offset + window_length)
    total = np.triu(start_scores[here, None] + end_scores[None, here])
    total = np.tril(total, max_answer - 1)
    first, last = np.unravel_index(total.argmax(), total.shape)
    null_score = float(start_scores[0] + end_scores[0])
    return (
        float(total[first, last]),
        int(first) + window_start,
        int(last) + window_start,
        null_score,
    )
""",
    ),
    *wrongs(
        "best_span",
        [
            (
                "each_alone",
                "ends_chosen_alone",
                _BEST,
                "first, last = int(start_scores[here].argmax()), int(end_scores[here].argmax())\n"
                "    total = start_scores[here, None] + end_scores[None, here]",
            ),
            (
                "put_in_order",
                "ends_chosen_alone",
                _BEST,
                "first, last = int(start_scores[here].argmax()), int(end_scores[here].argmax())\n"
                "    first, last = min(first, last), max(first, last)\n"
                "    total = start_scores[here, None] + end_scores[None, here]",
            ),
            (
                "start_first",
                "one_end_first",
                _BEST,
                "first = int(start_scores[here].argmax())\n    last = int(total[first].argmax())",
            ),
            (
                "end_first",
                "one_end_first",
                _BEST,
                "last = int(end_scores[here].argmax())\n    first = int(total[:, last].argmax())",
            ),
            (
                "any_order",
                "end_before_start",
                "(longer >= 0) & (longer < max_answer)",
                "longer < max_answer",
            ),
            ("later_only", "single_tokens_excluded", "(longer >= 0)", "(longer > 0)"),
            (
                "whole_row",
                "outside_of_the_window",
                _HERE,
                "window_start, offset = window_start - offset, 0\n"
                "    window_length = len(start_scores)\n    here = slice(0, window_length)",
            ),
            (
                "to_the_end",
                "outside_of_the_window",
                _HERE,
                "window_length = len(start_scores) - offset\n"
                "    here = slice(offset, offset + window_length)",
            ),
            (
                "sep_too",
                "outside_of_the_window",
                _HERE,
                "window_length = window_length + 1\n"
                "    here = slice(offset, offset + window_length)",
            ),
            (
                "no_offset",
                "window_misplaced",
                _HERE,
                "here = slice(0, window_length)",
                _FOUR,
                "window_start -= offset\n"
                "    return float(total[first, last]), first + window_start, last + window_start, "
                "null_score",
            ),
            (
                "one_short",
                "part_of_the_window",
                _HERE,
                "window_length = max(window_length - 1, 1)\n"
                "    here = slice(offset, offset + window_length)",
            ),
            (
                "any_length",
                "length_not_limited",
                "(longer >= 0) & (longer < max_answer)",
                "longer >= 0",
            ),
            ("one_longer", "length_off_by_one", "longer < max_answer", "longer <= max_answer"),
            (
                "one_shorter",
                "length_off_by_one",
                "longer < max_answer",
                "longer < max_answer - 1",
            ),
            (
                "exactly",
                "length_exactly",
                "(longer >= 0) & (longer < max_answer)",
                "longer == max_answer - 1",
            ),
            (
                "in_the_row",
                "places_not_in_the_text",
                "first + window_start, last + window_start",
                "first + offset, last + offset",
            ),
            (
                "in_the_window",
                "places_not_in_the_text",
                "first + window_start, last + window_start",
                "first, last",
            ),
            (
                "one_late",
                "end_exclusive",
                "last + window_start, null",
                "last + window_start + 1, null",
            ),
            (
                "halved",
                "another_score",
                "float(total[first, last])",
                "float(total[first, last]) / 2",
            ),
            (
                "start_score",
                "another_score",
                "float(total[first, last])",
                "float(start_scores[offset + first])",
            ),
            (
                "less_null",
                "null_taken_off",
                "float(total[first, last])",
                "float(total[first, last]) - null_score",
            ),
            (
                "null_of_starts",
                "another_null",
                "start_scores[0] + end_scores[0]",
                "start_scores[0]",
            ),
            (
                "null_of_the_window",
                "another_null",
                "start_scores[0] + end_scores[0]",
                "start_scores[offset] + end_scores[offset]",
            ),
            (
                "from_zero",
                "best_begins_at_zero",
                _BEST,
                f"{_BEST}\n    if total[first, last] <= 0:\n"
                "        return 0.0, 0, 0, float(start_scores[0] + end_scores[0])",
            ),
            (
                "from_the_int_zero",
                "best_begins_at_zero",
                _BEST,
                f"{_BEST}\n    if total[first, last] <= 0:\n"
                "        return 0, 0, 0, float(start_scores[0] + end_scores[0])",
            ),
            (
                "from_zero_in_the_row",
                "best_begins_at_zero",
                _BEST,
                f"{_BEST}\n    if total[first, last] <= 0:\n        at = window_start - offset\n"
                "        return 0, at, at, float(start_scores[0] + end_scores[0])",
            ),
            (
                "decided",
                "answer_already_decided",
                _NULL,
                f"{_NULL}\n    if null_score > total[first, last]:\n"
                "        return float(total[first, last]), -1, -1, null_score",
            ),
            (
                "three",
                "something_else_returned",
                ", last + window_start, null_score",
                ", last + window_start",
            ),
            (
                "in_place",
                "scores_changed",
                _HERE,
                "before = start_scores.copy()\n    start_scores[:offset] = -1e9\n"
                "    here = slice(offset, offset + window_length)",
                "float(start_scores[0] + end_scores[0])",
                "float(before[0] + end_scores[0])",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ coreference_pair_features

_INSIDE = "is_inside = ops.cast(mention_mask, sequence_output.dtype)"
_SHARE = "share = is_inside / ops.sum(is_inside, axis=-1, keepdims=True)"
_MATMUL = "mentions = ops.matmul(share, sequence_output)"
_CANDIDATES = "candidates = mentions[:, 1:]"
_JOINED = "[pronoun, candidates, pronoun * candidates], axis=-1"

MENTIONS = [
    right(
        "coreference_pair_features",
        "einsum_and_a_repeat",
        source="""
def coreference_pair_features(sequence_output, mention_mask):
    w = ops.cast(mention_mask, "float32")
    sums = ops.einsum("bmt,btd->bmd", w, sequence_output)
    means = sums / ops.expand_dims(ops.sum(w, axis=2), -1)
    c = means[:, 1:, :]
    p = ops.repeat(means[:, 0:1, :], mention_mask.shape[1] - 1, axis=1)
    return ops.concatenate((p, c, p * c), axis=2)
""",
    ),
    right(
        "coreference_pair_features",
        "where_and_a_stack",
        source="""
def coreference_pair_features(sequence_output, mention_mask):
    kept = ops.where(mention_mask[..., None], sequence_output[:, None], 0.0)
    number = ops.sum(ops.cast(mention_mask, "float32"), axis=-1)[..., None]
    v = ops.sum(kept, axis=2) / number
    pairs = []
    for m in range(1, mention_mask.shape[1]):
        pairs.append(ops.concatenate([v[:, 0], v[:, m], v[:, 0] * v[:, m]], axis=-1))
    return ops.stack(pairs, axis=1)
""",
    ),
    right(
        "coreference_pair_features",
        "zeros_added_for_the_shape",
        source="""
def coreference_pair_features(sequence_output, mention_mask):
    w = ops.cast(mention_mask, sequence_output.dtype)
    w = w / ops.maximum(ops.sum(w, -1, keepdims=True), 1e-6)
    v = ops.matmul(w, sequence_output)
    first, others = ops.split(v, [1], axis=1)
    first = first + ops.zeros_like(others)
    return ops.concatenate([first, others, first * others], -1)
""",
    ),
    *wrongs(
        "coreference_pair_features",
        [
            ("sum", "sum_not_mean", _SHARE, "share = is_inside"),
            (
                "by_length",
                "divided_by_another_number",
                _SHARE,
                "share = is_inside / is_inside.shape[-1]",
            ),
            (
                "by_all",
                "divided_by_another_number",
                "ops.sum(is_inside, axis=-1, keepdims=True)",
                "ops.sum(is_inside, axis=(1, 2), keepdims=True)",
            ),
            (
                "first_token",
                "one_token_only",
                _SHARE,
                "share = ops.one_hot(ops.argmax(is_inside, axis=-1), is_inside.shape[-1])",
            ),
            (
                "all_tokens",
                "mask_not_heeded",
                _INSIDE,
                'is_inside = ops.ones_like(ops.cast(mention_mask, "float32"))',
            ),
            (
                "softmax",
                "mask_not_heeded",
                _SHARE,
                "share = ops.softmax(is_inside, axis=-1)",
            ),
            (
                "inverted",
                "mask_inverted",
                "ops.cast(mention_mask, sequence_output.dtype)",
                "1.0 - ops.cast(mention_mask, sequence_output.dtype)",
            ),
            (
                "largest",
                "largest_not_mean",
                _MATMUL,
                "mentions = ops.max(\n        ops.where(mention_mask[..., None], "
                "sequence_output[:, None], -1e9), axis=2\n    )",
            ),
            (
                "mentions_added_up",
                "mean_over_mentions",
                _MATMUL,
                "mentions = ops.sum(ops.where(mention_mask[..., None], sequence_output[:, None], "
                "0.0), axis=1)\n    mentions = mentions / ops.sum(is_inside, axis=-1)[..., None]",
            ),
            (
                "mean_of_mentions",
                "mean_over_mentions",
                _MATMUL,
                "mentions = ops.mean(\n        ops.where(mention_mask[..., None], "
                "sequence_output[:, None], 0.0), axis=1\n    )",
            ),
            ("all_pairs", "pronoun_among_the_candidates", _CANDIDATES, "candidates = mentions"),
            (
                "without_the_last",
                "candidates_shifted",
                _CANDIDATES,
                "candidates = mentions[:, :-1]",
            ),
            (
                "last_is_the_pronoun",
                "another_pronoun",
                "mentions[:, :1]",
                "mentions[:, -1:]",
                _CANDIDATES,
                "candidates = mentions[:, :-1]",
            ),
            ("neighbours", "another_pronoun", "mentions[:, :1]", "mentions[:, :-1]"),
            ("two_parts", "product_missing", _JOINED, "[pronoun, candidates], axis=-1"),
            ("product_only", "only_some_parts", _JOINED, "[pronoun * candidates], axis=-1"),
            (
                "candidate_first",
                "parts_in_another_order",
                _JOINED,
                "[candidates, pronoun, pronoun * candidates], axis=-1",
            ),
            (
                "difference",
                "no_product",
                "pronoun * candidates]",
                "ops.abs(pronoun - candidates)]",
            ),
            ("sum_of_both", "no_product", "pronoun * candidates]", "pronoun + candidates]"),
            (
                "dot",
                "dot_product",
                "pronoun * candidates]",
                "ops.sum(pronoun * candidates, axis=-1, keepdims=True)]",
            ),
            (
                "other_axis",
                "joined_along_another_axis",
                _JOINED,
                "[pronoun, candidates, pronoun * candidates], axis=1",
            ),
            (
                "stacked",
                "joined_along_another_axis",
                "ops.concatenate([pronoun",
                "ops.stack([pronoun",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ the drill

_DRILL = "drill_ch06b_spans"
_BUGS = {bug.key: bug for bug in read_bugs(Path(__file__).with_name("drill.py"))}
_KEY = "null_of_last_window"
_FIXED = _BUGS[_KEY].fixed
_OTHER = {
    key: other for key, other in zip(_BUGS, [*list(_BUGS)[1:], next(iter(_BUGS))], strict=True)
}
_OTHERWISE = """
def repaired(
    context, question, score, max_sequence_length, stride, max_answer, threshold, special_ids
):
    cls_id, sep_id = special_ids
    offset = len(question) + 2
    room = max_sequence_length - offset - 1
    spans, nulls = [], []
    at = 0
    while True:
        window = context[at : at + room]
        ids = [cls_id] + list(question) + [sep_id] + list(window) + [sep_id]
        s, e = score(ids, [0] * offset + [1] * (len(window) + 1))
        n = len(window)
        sums = np.add.outer(s[offset : offset + n], e[offset : offset + n])
        ok = np.triu(np.ones((n, n), bool)) & ~np.triu(np.ones((n, n), bool), k=max_answer)
        sums[~ok] = -np.inf
        i, j = np.unravel_index(sums.argmax(), sums.shape)
        spans.append((sums[i, j], at + int(i), at + int(j)))
        nulls.append(s[0] + e[0])
        if at + room >= len(context):
            break
        at += min(stride, room)
    value, first, last = max(spans)
    return (first, last) if min(nulls) <= value + threshold else (-1, -1)
"""


def _drilled(suspect, repaired):
    return f'suspect = "{suspect}"\n\n{repaired}'


DRILL = [
    *[
        right(_DRILL, f"{key}_fixed", key=key, source=_drilled(key, bug.fixed))
        for key, bug in _BUGS.items()
    ],
    *[
        right(_DRILL, f"{key}_otherwise", key=key, source=_drilled(key, _OTHERWISE))
        for key in _BUGS
    ],
    *[
        wrong(
            _DRILL,
            f"{key}_named_not_repaired",
            key=key,
            names=(key,),
            source=_drilled(key, bug.source.replace("patient", "repaired")),
        )
        for key, bug in _BUGS.items()
    ],
    *[
        wrong(
            _DRILL,
            f"{key}_repaired_not_named",
            key=key,
            names=("another_bug_named",),
            source=_drilled(_OTHER[key], bug.fixed),
        )
        for key, bug in _BUGS.items()
    ],
    *[
        wrong(
            _DRILL,
            f"repaired_with_{name}",
            key=_KEY,
            names=(named,),
            source=_drilled(_KEY, _FIXED.replace(old, new)),
        )
        for name, named, old, new in [
            (
                "highest_null",
                "another_null",
                "min(null_score, starts[0] + ends[0])",
                "max(null_score if start else -np.inf, starts[0] + ends[0])",
            ),
            (
                "null_of_the_first",
                "another_null",
                "null_score = min(null_score, starts[0] + ends[0])",
                "null_score = null_score if start else starts[0] + ends[0]",
            ),
            ("no_threshold", "decided_otherwise", "> threshold", "> 0"),
            ("minus_threshold", "decided_otherwise", "> threshold", "> -threshold"),
            ("always_an_answer", "decided_otherwise", "> threshold", "> np.inf"),
            (
                "later_ends_only",
                "one_end_first",
                "in range(first, min(first + max_answer,",
                "in range(first + 1, min(first + max_answer,",
            ),
            ("one_longer", "length_wrong", "first + max_answer,", "first + max_answer + 1,"),
            (
                "sep_as_answer",
                "part_of_the_row",
                "len(token_ids) - 1",
                "len(token_ids)",
            ),
            ("room_of_one_more", "another_room", "len(head) - 1", "len(head)"),
            ("a_room_at_a_time", "another_step", "min(stride, room)", "room"),
            ("large_steps", "another_step", "min(stride, room)", "stride"),
            ("first_window_only", "another_window_wins", "if end == len(context):", "if True:"),
            ("no_segments", "row_wrong", "[1] * len(tail)", "[0] * len(tail)"),
            (
                "end_exclusive",
                "places_off",
                "start + last - len(head))",
                "start + last - len(head) + 1)",
            ),
        ]
    ],
]

VARIANTS = [
    *LABELS,
    *SPANS,
    *SCORES,
    *PATHS,
    *WINDOWS,
    *ANSWERS,
    *MENTIONS,
    *DRILL,
]
