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


def rights(exercise, **sources):
    """Right answers, written differently."""
    return [right(exercise, name, source=source) for name, source in sources.items()]


# ------------------------------------------------------------------ probe_layer

_CENTRED = "x, y = x - mean_x, y - mean_y"
_X_OFF = '(np.asarray(test_features, "float64") - mean_x)'
_SOLVE = "slopes = np.linalg.solve(x.T @ x + ridge * np.eye(x.shape[1]), x.T @ y)  # (D, C)"
_RETURN = 'return (np.asarray(test_features, "float64") - mean_x) @ slopes + mean_y  # (M, C)'
_EYE = "y = np.eye(num_classes)[labels]  # (n, C)"
_MEANS = "mean_x, mean_y = x.mean(axis=0), y.mean(axis=0)"
_XT = 'x, labels = np.asarray(features, "float64"), np.asarray(labels)'
_IF = "if labels.min() < 0 or labels.max() >= num_classes:"
_GRAM = "x.T @ x + ridge * np.eye(x.shape[1])"
_CHECK = """    if labels.min() < 0 or labels.max() >= num_classes:
        raise ValueError(
            f"labels must be from 0 to {num_classes - 1}, not {labels.min()} to {labels.max()}"
        )
"""

PROBE = [
    *rights(
        "probe_layer",
        an_unpenalised_column_of_ones="""
def probe_layer(features, labels, test_features, num_classes, ridge=1.0):
    if any(not 0 <= label < num_classes for label in labels):
        raise ValueError("no such class")
    ones = np.ones((len(features), 1))
    x = np.hstack([np.asarray(features, float), ones])
    y = np.zeros((len(labels), num_classes))
    y[np.arange(len(labels)), labels] = 1
    penalty = ridge * np.eye(x.shape[1])
    penalty[-1, -1] = 0
    slopes = np.linalg.solve(x.T @ x + penalty, x.T @ y)
    tests = np.hstack([test_features, np.ones((len(test_features), 1))])
    return tests @ slopes
""",
        the_dual_form="""
def probe_layer(features, labels, test_features, num_classes, ridge=1.0):
    if min(labels) < 0 or max(labels) > num_classes - 1:
        raise ValueError(f"classes are 0 to {num_classes - 1}")
    mean = features.mean(axis=0, dtype="float64")
    x = features - mean
    y = (labels[:, None] == np.arange(num_classes)).astype("float64")
    shares = y.mean(0)
    kernel = x @ x.T + ridge * np.eye(len(x))
    weights = np.linalg.inv(kernel) @ (y - shares)
    return (test_features - mean) @ x.T @ weights + shares
""",
        class_by_class_with_more_rows="""
def probe_layer(features, labels, test_features, num_classes, ridge=1.0):
    labels = np.array(labels)
    if not np.isin(labels, np.arange(num_classes)).all():
        raise ValueError("a label outside")
    x = np.array(features, dtype=np.float64)
    D = x.shape[1]
    m = x.mean(axis=0)
    rows = np.concatenate([x - m, np.sqrt(ridge) * np.eye(D)])
    columns = []
    for c in range(num_classes):
        target = (labels == c) * 1.0
        share = target.mean()
        wanted = np.concatenate([target - share, np.zeros(D)])
        w = np.linalg.lstsq(rows, wanted, rcond=None)[0]
        columns.append((np.array(test_features, dtype=np.float64) - m) @ w + share)
    return np.stack(columns, axis=1)
""",
        raw_targets_and_svd="""
def probe_layer(features, labels, test_features, num_classes, ridge=1.0):
    for label in labels:
        if label < 0:
            raise ValueError("negative")
        if label >= num_classes:
            raise ValueError("too large")
    x = features.astype("float64")
    mean = np.mean(x, axis=0, keepdims=True)
    y = np.eye(num_classes)[labels]
    u, s, vt = np.linalg.svd(x - mean, full_matrices=False)
    slopes = vt.T @ np.diag(s / (s**2 + ridge)) @ u.T @ y
    constant = y.mean(axis=0) - mean @ slopes
    return test_features @ slopes + constant
""",
    ),
    *wrongs(
        "probe_layer",
        [
            (
                "raw_features",
                "features_not_centred",
                _CENTRED,
                "y = y - mean_y",
                _X_OFF,
                "test_features",
            ),
            (
                "nothing_centred",
                "features_not_centred",
                _CENTRED,
                "",
                _RETURN,
                "return test_features @ slopes",
            ),
            ("raw_tests", "test_features_not_centred", _X_OFF, "test_features"),
            (
                "raw_training",
                "test_features_not_centred",
                _CENTRED,
                "y = y - mean_y",
            ),
            (
                "tests_by_their_own_mean",
                "centred_by_the_test",
                _X_OFF,
                "(test_features - test_features.mean(axis=0))",
            ),
            (
                "mean_of_everything",
                "centred_by_the_test",
                _MEANS,
                "mean_y = y.mean(axis=0)\n"
                "    mean_x = np.concatenate([x, test_features]).mean(axis=0)",
            ),
            (
                "mean_of_all_numbers",
                "mean_of_the_wrong_axis",
                _MEANS,
                "mean_x, mean_y = x.mean(), y.mean(axis=0)",
            ),
            (
                "both_means_of_all_numbers",
                "mean_of_the_wrong_axis",
                _MEANS,
                "mean_x, mean_y = x.mean(), y.mean()",
            ),
            (
                "mean_of_rows",
                "mean_of_the_wrong_axis",
                _MEANS,
                "mean_x, mean_y = x.mean(axis=1, keepdims=True), y.mean(axis=0)",
                _X_OFF,
                "(test_features - test_features.mean(axis=1, keepdims=True))",
            ),
            ("mean_y_forgotten", "target_mean_not_put_back", "slopes + mean_y", "slopes"),
            (
                "equal_shares",
                "target_mean_not_put_back",
                "slopes + mean_y",
                "slopes + 1 / num_classes",
            ),
            ("mean_y_taken_off", "target_mean_not_put_back", "slopes + mean_y", "slopes - mean_y"),
            (
                "column_of_ones",
                "constant_penalised",
                _MEANS,
                "x = np.hstack([x, np.ones((len(x), 1))])",
                _CENTRED,
                "",
                _RETURN,
                "ones = np.ones((len(test_features), 1))\n"
                "    return np.hstack([test_features, ones]) @ slopes",
            ),
            (
                "divided_by_spread",
                "standardised",
                _MEANS,
                "spread = x.std(axis=0)\n"
                "    x, test_features = x / spread, test_features / spread\n"
                "    mean_x, mean_y = x.mean(axis=0), y.mean(axis=0)",
            ),
            ("no_ridge_at_all", "no_ridge", _GRAM, "x.T @ x"),
            (
                "least_squares",
                "no_ridge",
                _SOLVE,
                "slopes = np.linalg.lstsq(x, y, rcond=None)[0]",
            ),
            ("ridge_taken_off", "no_ridge", _GRAM, "x.T @ x - ridge * np.eye(x.shape[1])"),
            ("ridge_of_one", "ridge_not_passed_on", _GRAM, "x.T @ x + np.eye(x.shape[1])"),
            ("ridge_everywhere", "ridge_on_all_entries", _GRAM, "x.T @ x + ridge"),
            (
                "mean_loss",
                "ridge_of_another_size",
                _SOLVE,
                "n, D = x.shape\n"
                "    slopes = np.linalg.solve(x.T @ x / n + ridge * np.eye(D), x.T @ y / n)",
            ),
            ("ridge_over_n", "ridge_of_another_size", "ridge * np.eye", "ridge / len(x) * np.eye"),
            ("ridge_squared", "ridge_of_another_size", "ridge * np.eye", "ridge**2 * np.eye"),
            ("ridge_halved", "ridge_of_another_size", "ridge * np.eye", "ridge / 2 * np.eye"),
            (
                "up_to_the_largest",
                "classes_by_what_occurs",
                _EYE,
                "y = np.eye(labels.max() + 1)[labels]",
            ),
            (
                "those_that_occur",
                "classes_by_what_occurs",
                _EYE,
                "y = (labels[:, None] == np.unique(labels)).astype(float)",
            ),
            (
                "all_must_occur",
                "classes_by_what_occurs",
                _IF,
                "if set(labels.tolist()) != set(range(num_classes)):",
            ),
            (
                "class_numbers",
                "labels_as_numbers",
                _EYE,
                "y = labels.astype(float)",
            ),
            (
                "class_numbers_in_a_column",
                "labels_as_numbers",
                _EYE,
                "y = labels.astype(float)[:, None]",
            ),
            ("plus_and_minus", "other_targets", _EYE, "y = 2 * np.eye(num_classes)[labels] - 1"),
            ("from_one", "other_targets", _EYE, "y = np.eye(num_classes)[labels - 1]"),
            (
                "softmax_of_scores",
                "not_scores",
                _RETURN,
                "scores = (test_features - mean_x) @ slopes + mean_y\n"
                "    grown = np.exp(scores)\n"
                "    return grown / grown.sum(axis=1, keepdims=True)",
            ),
            (
                "best_one_hot",
                "not_scores",
                _RETURN,
                "scores = (test_features - mean_x) @ slopes + mean_y\n"
                "    return np.eye(num_classes)[scores.argmax(axis=1)]",
            ),
            (
                "best_classes",
                "classes_come_back",
                _RETURN,
                "return ((test_features - mean_x) @ slopes + mean_y).argmax(axis=1)",
            ),
            ("training_scored", "training_examples_scored", _X_OFF, "x"),
            (
                "transposed",
                "axes_exchanged",
                _RETURN,
                "return ((test_features - mean_x) @ slopes + mean_y).T",
            ),
            ("nothing_refused", "bad_labels_not_refused", _CHECK, ""),
            ("too_large_only", "bad_labels_not_refused", _IF, "if labels.max() >= num_classes:"),
            ("negative_only", "bad_labels_not_refused", _IF, "if labels.min() < 0:"),
            ("largest_by_one", "bad_labels_not_refused", ">= num_classes:", "> num_classes:"),
            (
                "an_assertion",
                "bad_labels_not_refused",
                _CHECK,
                "    assert labels.min() >= 0 and labels.max() < num_classes\n",
            ),
            (
                "in_place",
                "arguments_changed",
                _CENTRED,
                "y = y - mean_y\n    x -= mean_x",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ control_task

_DRAW = "rng.integers(num_classes, size=len(distinct))"
_ZIP = "lots = dict(zip(distinct, rng.integers(num_classes, size=len(distinct)), strict=True))"
_BACK = 'return np.array([lots[word] for word in words], dtype="int64")'
_DISTINCT = "distinct = list(dict.fromkeys(words))"

CONTROL = [
    *rights(
        "control_task",
        one_by_one="""
def control_task(words, num_classes, rng):
    classes = {}
    answer = []
    for word in words:
        if word not in classes:
            classes[word] = rng.integers(0, num_classes)
        answer.append(classes[word])
    return np.array(answer)
""",
        unique="""
def control_task(words, num_classes, rng):
    distinct, inverse = np.unique(np.array(words), return_inverse=True)
    return rng.choice(num_classes, size=len(distinct))[inverse.reshape(-1)]
""",
        sorted_and_floats="""
def control_task(words, num_classes, rng):
    table = {}
    for word in sorted(set(words)):
        table[word] = int(rng.random() * num_classes)
    return np.asarray([table[w] for w in words], dtype=np.int32)
""",
        backwards="""
def control_task(words, num_classes, rng):
    seen = list(reversed(list(dict.fromkeys(reversed(words)))))
    drawn = rng.permutation(rng.integers(num_classes, size=len(seen)))
    return np.array([drawn[seen.index(word)] for word in words]) if len(seen) < 50 else (
        np.array(list(map(dict(zip(seen, drawn)).get, words)))
    )
""",
    ),
    *wrongs(
        "control_task",
        [
            (
                "a_lot_for_every_place",
                "lots_for_places",
                _BACK,
                "return rng.integers(num_classes, size=len(words))",
            ),
            (
                "one_too_few",
                "a_class_never_comes_up",
                _DRAW,
                "rng.integers(max(num_classes - 1, 1), size=len(distinct))",
            ),
            (
                "never_0",
                "a_class_never_comes_up",
                _DRAW,
                "rng.integers(min(1, num_classes - 1), num_classes, size=len(distinct))",
            ),
            (
                "all_0",
                "a_class_never_comes_up",
                _DRAW,
                "(rng.random(len(distinct)) * 0.9).astype(int)",
            ),
            (
                "from_one_to_c",
                "classes_counted_from_one",
                _DRAW,
                "1 + rng.integers(num_classes, size=len(distinct))",
            ),
            (
                "upper_limit_included",
                "classes_counted_from_one",
                _DRAW,
                "rng.integers(num_classes, size=len(distinct), endpoint=True)",
            ),
            (
                "numbered",
                "classes_in_turn",
                _DRAW,
                "np.arange(len(distinct)) % num_classes",
            ),
            (
                "numbered_from_somewhere",
                "classes_in_turn",
                _DRAW,
                "(rng.integers(10**6) + np.arange(len(distinct))) % num_classes",
            ),
            (
                "shuffled",
                "equal_numbers",
                _DRAW,
                "rng.permutation(np.arange(len(distinct)) % num_classes)",
            ),
            (
                "numpys_own",
                "own_random_numbers",
                _DRAW,
                "np.random.randint(num_classes, size=len(distinct))",
            ),
            (
                "fresh_rng",
                "own_random_numbers",
                _DRAW,
                "np.random.default_rng().integers(num_classes, size=len(distinct))",
            ),
            (
                "seed_of_its_own",
                "rng_not_used",
                _DRAW,
                "np.random.default_rng(0).integers(num_classes, size=len(distinct))",
            ),
            (
                "hashes",
                "rng_not_used",
                _BACK,
                "return np.array([hash(word) % num_classes for word in words])",
            ),
            ("a_set", "order_of_a_set", _DISTINCT, "distinct = list(set(words))"),
            (
                "lowered",
                "capitals_ignored",
                _DISTINCT,
                "words = [str(word).lower() for word in words]\n"
                "    distinct = list(dict.fromkeys(words))",
            ),
            ("a_list", "another_form", _BACK, "return [int(lots[word]) for word in words]"),
            ("the_dict", "another_form", _BACK, "return lots"),
            ("distinct_only", "another_form", _BACK, "return np.array(list(lots.values()))"),
            ("floats", "another_form", 'dtype="int64"', 'dtype="float64"'),
            (
                "sorted_in_place",
                "words_changed",
                _DISTINCT,
                "given = list(words)\n    words.sort()\n    distinct = list(dict.fromkeys(words))",
                _BACK,
                "return np.array([lots[word] for word in given])",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ selectivity

_FIT = "probe_layer(features[train], wanted[train], features[~train], num_classes, ridge)"
_HITS = "float(np.mean(scores.argmax(axis=-1) == wanted[~train]))"
_LOOP = "for wanted in (np.asarray(labels), np.asarray(controls)):"
_THREE = "return accuracies[0], accuracies[1], accuracies[0] - accuracies[1]"

SELECTIVITY = [
    *rights(
        "selectivity",
        a_function_inside="""
def selectivity(features, labels, controls, train, num_classes, ridge=1.0):
    rest = np.logical_not(train)

    def accuracy(classes):
        scores = probe_layer(
            features[train], classes[train], features[rest], num_classes, ridge=ridge
        )
        guesses = np.argmax(scores, axis=1)
        return np.sum(guesses == classes[rest]) / np.sum(rest)

    a, b = accuracy(labels), accuracy(controls)
    return a, b, a - b
""",
        all_are_scored="""
def selectivity(features, labels, controls, train, num_classes, ridge=1.0):
    found = []
    for classes in (labels, controls):
        scores = probe_layer(features[train], classes[train], features, num_classes, ridge)
        hits = [scores[i].argmax() == classes[i] for i in range(len(features)) if not train[i]]
        found.append(sum(hits) / len(hits))
    return [found[0], found[1], found[0] - found[1]]
""",
        an_array="""
def selectivity(features, labels, controls, train, num_classes, ridge=1.0):
    learn, judge = np.flatnonzero(train), np.flatnonzero(~train)
    x, tests = features[learn], features[judge]
    first = probe_layer(x, labels[learn], tests, num_classes, ridge).argmax(1)
    second = probe_layer(x, controls[learn], tests, num_classes, ridge).argmax(1)
    task, control = (first == labels[judge]).mean(), (second == controls[judge]).mean()
    return np.array([task, control, task - control])
""",
    ),
    *wrongs(
        "selectivity",
        [
            (
                "judged_by_train",
                "judged_by_what_it_learnt",
                "features[~train]",
                "features[train]",
                "wanted[~train]",
                "wanted[train]",
            ),
            (
                "judged_by_all",
                "judged_by_what_it_learnt",
                "features[~train]",
                "features",
                "wanted[~train]",
                "wanted",
            ),
            (
                "learns_all",
                "learns_from_the_test",
                "probe_layer(features[train], wanted[train]",
                "probe_layer(features, wanted",
            ),
            (
                "learns_the_rest",
                "learns_from_the_test",
                "probe_layer(features[train], wanted[train]",
                "probe_layer(features[~train], wanted[~train]",
            ),
            ("turned_round", "train_turned_round", "np.asarray(train, bool)", "~np.asarray(train)"),
            (
                "labels_twice",
                "control_is_the_task",
                _LOOP,
                "for wanted in (np.asarray(labels), np.asarray(labels)):",
            ),
            (
                "judged_by_labels",
                "control_learnt_or_judged_by_labels",
                "== wanted[~train]",
                "== labels[~train]",
            ),
            (
                "learns_labels",
                "control_learnt_or_judged_by_labels",
                "features[train], wanted[train]",
                "features[train], labels[train]",
            ),
            (
                "exchanged",
                "task_and_control_exchanged",
                _LOOP,
                "for wanted in (np.asarray(controls), np.asarray(labels)):",
            ),
            (
                "control_first",
                "task_and_control_exchanged",
                _THREE,
                "return accuracies[1], accuracies[0], accuracies[0] - accuracies[1]",
            ),
            (
                "control_less_task",
                "difference_turned",
                "accuracies[0] - accuracies[1]",
                "accuracies[1] - accuracies[0]",
            ),
            (
                "absolute",
                "another_difference",
                "accuracies[0] - accuracies[1]",
                "abs(accuracies[0] - accuracies[1])",
            ),
            (
                "quotient",
                "another_difference",
                "accuracies[0] - accuracies[1]",
                "accuracies[0] / accuracies[1]",
            ),
            (
                "above_chance",
                "another_difference",
                "accuracies[0] - accuracies[1]",
                "accuracies[0] - 1 / num_classes",
            ),
            ("default_ridge", "ridge_not_passed_on", "num_classes, ridge)\n", "num_classes)\n"),
            (
                "counted_in_labels",
                "classes_by_what_occurs",
                "accuracies = []",
                "accuracies = []\n    num_classes = int(np.max(labels)) + 1",
            ),
            (
                "last_of_equal_scores",
                "last_of_equals",
                "scores.argmax(axis=-1)",
                "(num_classes - 1 - scores[:, ::-1].argmax(axis=-1))",
            ),
            ("percent", "not_a_share", "float(np.mean(", "float(100 * np.mean("),
            ("counted", "not_a_share", "float(np.mean(", "float(np.sum("),
            ("over_all_examples", "not_a_share", _HITS, f"{_HITS} * np.mean(~train)"),
            ("one_number", "another_form", _THREE, "return accuracies[0] - accuracies[1]"),
            ("two_numbers", "another_form", _THREE, "return accuracies[0], accuracies[1]"),
        ],
    ),
]

# ------------------------------------------------------------------ scalar_mix_probe

_GROWN = "weights = np.exp(logits - logits.max())"
_DIVIDED = "weights = weights / weights.sum()  # (L + 1,)"
_MIXED = 'mixed = np.tensordot(weights, np.asarray(layers, "float64"), axes=1)  # (n, D)'
_CENTRE = "return mixed, float(weights @ np.arange(len(weights)))"

MIX = [
    *rights(
        "scalar_mix_probe",
        in_a_loop="""
def scalar_mix_probe(layers, logits):
    top = max(logits)
    powers = [np.exp(float(s) - float(top)) for s in logits]
    total = sum(powers)
    mixed = np.zeros(layers.shape[1:])
    centre = 0.0
    for number, (layer, power) in enumerate(zip(layers, powers)):
        mixed = mixed + power / total * layer
        centre += number * power / total
    return mixed, centre
""",
        einsum="""
def scalar_mix_probe(layers, logits):
    s = np.array(logits, dtype=float)
    s -= np.log(np.sum(np.exp(s - s.max()))) + s.max()
    w = np.exp(s)
    w /= w.sum()
    return np.einsum("l,lnd->nd", w, layers), np.dot(w, range(len(w)))
""",
        broadcast="""
def scalar_mix_probe(layers, logits):
    logits = logits.astype("float64")
    w = 1 / np.exp(logits[None, :] - logits[:, None]).sum(axis=1)
    numbers = np.arange(layers.shape[0])
    return [np.sum(w[:, None, None] * layers, axis=0), np.average(numbers, weights=w)]
""",
    ),
    *wrongs(
        "scalar_mix_probe",
        [
            ("logits_alone", "weights_without_softmax", _GROWN, "weights = logits", _DIVIDED, ""),
            ("shares_of_logits", "weights_without_softmax", _GROWN, "weights = logits"),
            (
                "sigmoids",
                "weights_without_softmax",
                _GROWN,
                "weights = 1 / (1 + np.exp(-logits))",
                _DIVIDED,
                "",
            ),
            ("never_divided", "softmax_not_divided", _DIVIDED, ""),
            (
                "never_divided_nor_shifted",
                "softmax_not_divided",
                _GROWN,
                "weights = np.exp(logits)",
                _DIVIDED,
                "",
            ),
            (
                "length_of_one",
                "softmax_not_divided",
                _DIVIDED,
                "weights = weights / np.linalg.norm(weights)",
            ),
            (
                "the_largest",
                "other_weights",
                _DIVIDED,
                "weights = np.eye(len(logits))[logits.argmax()]",
            ),
            ("all_alike", "other_weights", _GROWN, "weights = np.ones(len(logits))"),
            ("minus", "other_weights", _GROWN, "weights = np.exp(-logits - (-logits).max())"),
            ("powers_of_two", "other_weights", _GROWN, "weights = 2.0 ** (logits - logits.max())"),
            ("overflows", "exp_overflows", _GROWN, "weights = np.exp(logits)"),
            (
                "first_layer_skipped",
                "embeddings_left_out",
                _GROWN,
                "weights = np.append(0.0, np.exp(logits[1:] - logits[1:].max()))"
                " if len(logits) > 1 else np.ones(1)",
            ),
            (
                "first_layer_not_added",
                "embeddings_left_out",
                _MIXED,
                'mixed = np.tensordot(weights[1:], np.asarray(layers[1:], "float64"), axes=1)',
            ),
            (
                "from_one",
                "layers_counted_from_one",
                "np.arange(len(weights))",
                "np.arange(1, len(weights) + 1)",
            ),
            (
                "downwards",
                "layers_counted_from_the_top",
                "np.arange(len(weights))",
                "np.arange(len(weights))[::-1]",
            ),
            ("best_layer", "another_centre", _CENTRE, "return mixed, float(weights.argmax())"),
            (
                "centre_of_logits",
                "another_centre",
                "float(weights @ np.arange",
                "float(logits @ np.arange",
            ),
            (
                "share_of_the_way",
                "another_centre",
                _CENTRE,
                "numbers = np.arange(len(weights)) / max(len(weights) - 1, 1)\n"
                "    return mixed, float(weights @ numbers)",
            ),
            (
                "mean_of_layers",
                "mean_instead_of_sum",
                _MIXED,
                "mixed = np.mean(weights[:, None, None] * layers, axis=0)",
            ),
            (
                "over_examples",
                "sum_over_another_axis",
                _MIXED,
                'mixed = np.einsum("lnd,n->ld", layers, weights)',
            ),
            (
                "over_features",
                "sum_over_another_axis",
                _MIXED,
                "mixed = layers @ weights",
            ),
            (
                "over_layers_and_examples",
                "sum_over_another_axis",
                _MIXED,
                "mixed = np.sum(weights[:, None, None] * layers, axis=(0, 1))",
            ),
            (
                "the_other_way_round",
                "another_form",
                _CENTRE,
                "return float(weights @ np.arange(len(weights))), mixed",
            ),
            ("no_centre", "another_form", _CENTRE, "return mixed"),
            (
                "layers_scaled_in_place",
                "arguments_changed",
                _MIXED,
                "layers *= weights[:, None, None]\n    mixed = layers.sum(axis=0)",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ expected_layer

_DIFF = 'gains = np.diff(np.asarray(scores, "float64"))  # (L,)'
_ZERO = "if gains.sum() == 0:"
_MEAN = "return float(gains @ np.arange(1, len(gains) + 1) / gains.sum())"
_RAISE = """    if gains.sum() == 0:
        raise ValueError("the layers add nothing in all: the last score equals the first")
"""

EXPECTED = [
    *rights(
        "expected_layer",
        in_a_loop="""
def expected_layer(scores):
    above = below = 0.0
    for layer in range(1, len(scores)):
        gain = float(scores[layer]) - float(scores[layer - 1])
        above += layer * gain
        below += gain
    if below == 0:
        raise ValueError("nothing is gained")
    return above / below
""",
        backwards="""
def expected_layer(scores):
    s = scores.astype(float)
    losses = s[:-1] - s[1:]
    if s[0] == s[-1]:
        raise ValueError
    return np.sum(np.arange(len(s))[1:] * losses) / (s[0] - s[-1])
""",
        summed_by_parts="""
def expected_layer(scores):
    s = np.array(scores, dtype=np.float64)
    total = s[-1] - s[0]
    if np.isclose(total, 0, atol=1e-12):
        raise ValueError("no gain at all")
    return (s[-1] - s[:-1]).sum() / total
""",
        average="""
def expected_layer(scores):
    gains = np.diff(scores.astype("float64"), prepend=float(scores[0]))
    try:
        return np.average(np.arange(len(scores)), weights=gains)
    except ZeroDivisionError:
        raise ValueError("weights sum to zero") from None
""",
    ),
    *wrongs(
        "expected_layer",
        [
            (
                "scores_weigh",
                "scores_instead_of_gains",
                _DIFF,
                'gains = np.asarray(scores, "float64")[1:]',
            ),
            (
                "above_the_embeddings",
                "scores_instead_of_gains",
                _DIFF,
                'gains = np.asarray(scores, "float64")[1:] - scores[0]',
            ),
            (
                "relative_gains",
                "scores_instead_of_gains",
                _DIFF,
                'gains = np.diff(np.asarray(scores, "float64")) / scores[:-1]',
            ),
            (
                "below_the_top",
                "scores_instead_of_gains",
                _DIFF,
                "gains = scores[-1] - scores[:-1].astype(float)",
            ),
            (
                "never_below_0",
                "losses_left_out",
                _DIFF,
                "gains = np.maximum(np.diff(scores.astype(float)), 0)",
            ),
            (
                "never_below_0_checked_before",
                "losses_left_out",
                _MEAN,
                "gains = np.maximum(gains, 0)\n"
                "    return float(gains @ np.arange(1, len(gains) + 1) / gains.sum())",
            ),
            (
                "absolute",
                "losses_count_as_gains",
                _DIFF,
                "gains = np.abs(np.diff(scores.astype(float)))",
            ),
            (
                "squares",
                "losses_count_as_gains",
                _DIFF,
                "gains = np.diff(scores.astype(float)) ** 2",
            ),
            (
                "from_0",
                "layers_counted_from_zero",
                "np.arange(1, len(gains) + 1)",
                "np.arange(len(gains))",
            ),
            (
                "last_layer_missing",
                "a_layer_is_missing",
                _MEAN,
                "return float(gains[:-1] @ np.arange(1, len(gains)) / gains.sum())",
            ),
            (
                "first_layer_missing",
                "a_layer_is_missing",
                _MEAN,
                "return float(gains[1:] @ np.arange(2, len(gains) + 1) / gains[1:].sum())",
            ),
            ("only_multiplied", "not_divided", " / gains.sum())", ")"),
            ("over_the_last_score", "another_divisor", "/ gains.sum())", "/ scores[-1])"),
            ("over_layers", "another_divisor", "/ gains.sum())", "/ len(gains))"),
            ("over_the_best", "another_divisor", "/ gains.sum())", "/ (scores.max() - scores[0]))"),
            ("highest_score", "best_layer", _MEAN, "return float(np.argmax(scores))"),
            ("largest_gain", "best_layer", _MEAN, "return float(1 + np.argmax(gains))"),
            (
                "share_of_the_way",
                "not_a_layer_number",
                "/ gains.sum())",
                "/ gains.sum() / len(gains))",
            ),
            ("not_above_0", "negative_sum_refused", _ZERO, "if gains.sum() <= 0:"),
            ("no_losses_alone", "any_loss_refused", _ZERO, "if (gains < 0).any():"),
            ("no_losses", "any_loss_refused", _ZERO, "if (gains < 0).any() or gains.sum() == 0:"),
            ("never_refused", "no_gain_not_refused", _RAISE, ""),
            (
                "zero_instead",
                "no_gain_not_refused",
                _RAISE.splitlines()[1].strip(),
                "return 0.0",
            ),
            (
                "in_place",
                "arguments_changed",
                _DIFF,
                "scores[1:] -= scores[:-1].copy()\n    gains = scores[1:].astype(float)",
            ),
        ],
    ),
]
# ------------------------------------------------------------------ linear_cka

_OFF = 'x, y = (np.asarray(a, "float64") - np.mean(a, axis=0, dtype="float64") for a in (x, y))'
_NORMS = "norms = np.linalg.norm(x.T @ x) * np.linalg.norm(y.T @ y)"
_CKA = "return float(np.linalg.norm(y.T @ x) ** 2 / norms)"

CKA = [
    *rights(
        "linear_cka",
        by_kernels="""
def linear_cka(x, y):
    n = len(x)
    centre = np.eye(n) - np.ones((n, n)) / n
    k = centre @ x.astype(float) @ x.T.astype(float) @ centre
    l = centre @ y.astype(float) @ y.T.astype(float) @ centre
    return np.sum(k * l) / np.sqrt(np.sum(k * k) * np.sum(l * l))
""",
        by_singular_values="""
def linear_cka(x, y):
    a = x - x.mean(axis=0, keepdims=True, dtype="float64")
    b = y - y.mean(axis=0, keepdims=True, dtype="float64")
    across = np.linalg.svd(a.T @ b, compute_uv=False)
    first = np.linalg.svd(a, compute_uv=False)
    second = np.linalg.svd(b, compute_uv=False)
    return np.sum(across**2) / (np.sqrt(np.sum(first**4)) * np.sqrt(np.sum(second**4)))
""",
        cosine_of_kernels="""
def linear_cka(x, y):
    x = np.array(x, dtype="float64")
    y = np.array(y, dtype="float64")
    x -= x.mean(0)
    y -= y.mean(0)
    first, second = (x @ x.T).ravel(), (y @ y.T).ravel()
    return first @ second / np.linalg.norm(first) / np.linalg.norm(second)
""",
    ),
    *wrongs(
        "linear_cka",
        [
            ("raw", "not_centred", _OFF, "x, y = x.astype(float), y.astype(float)"),
            ("raw_x", "not_centred", _OFF, "y = y - y.mean(axis=0)"),
            ("raw_y", "not_centred", _OFF, "x = x - x.mean(axis=0)"),
            (
                "mean_of_rows",
                "mean_of_the_wrong_axis",
                _OFF,
                "x, y = (a - a.mean(axis=1, keepdims=True) for a in (x, y))",
            ),
            (
                "one_mean",
                "mean_of_the_wrong_axis",
                _OFF,
                'x, y = (a - a.mean(dtype="float64") for a in (x, y))',
            ),
            (
                "unit_columns",
                "standardised",
                _NORMS,
                "x, y = (a / np.where(a.std(axis=0) > 0, a.std(axis=0), 1) for a in (x, y))\n"
                f"    {_NORMS}",
            ),
            (
                "unit_rows",
                "standardised",
                _NORMS,
                "x, y = (a / np.linalg.norm(a, axis=1, keepdims=True) for a in (x, y))\n"
                f"    {_NORMS}",
            ),
            ("no_square", "not_squared", " ** 2 / norms", " / norms"),
            ("squares_below", "not_squared", "/ norms", "/ norms**2"),
            ("root_of_the_product", "root_below", "/ norms", "/ np.sqrt(norms)"),
            (
                "norms_of_x_and_y",
                "norms_of_the_features",
                _NORMS,
                "norms = np.linalg.norm(x) * np.linalg.norm(y)",
            ),
            (
                "squared_norms_of_x_and_y",
                "norms_of_the_features",
                _NORMS,
                "norms = np.linalg.norm(x) ** 2 * np.linalg.norm(y) ** 2",
            ),
            (
                "all_of_x_and_y",
                "norms_of_the_features",
                _NORMS,
                "norms = np.linalg.norm(x) * np.linalg.norm(y)",
                " ** 2 / norms",
                " / norms",
            ),
            ("twice_x", "another_divisor", _NORMS, "norms = np.linalg.norm(x.T @ x) ** 2"),
            (
                "a_sum",
                "another_divisor",
                _NORMS,
                "norms = np.linalg.norm(x.T @ x) + np.linalg.norm(y.T @ y)",
            ),
            ("undivided", "another_divisor", " / norms)", ")"),
            (
                "largest_stretch",
                "another_norm",
                _NORMS,
                "norms = np.linalg.norm(x.T @ x, 2) * np.linalg.norm(y.T @ y, 2)",
                "np.linalg.norm(y.T @ x)",
                "np.linalg.norm(y.T @ x, 2)",
            ),
            (
                "sums_of_sizes",
                "another_norm",
                _NORMS,
                "norms = np.abs(x.T @ x).sum() * np.abs(y.T @ y).sum()",
                "np.linalg.norm(y.T @ x)",
                "np.abs(y.T @ x).sum()",
            ),
            (
                "turned",
                "examples_and_features_exchanged",
                _OFF,
                "x, y = (a.T - a.T.mean(axis=0) for a in (x, y))",
            ),
            (
                "flat",
                "feature_by_feature",
                _CKA,
                "return float((x * y).sum() / np.linalg.norm(x) / np.linalg.norm(y))",
            ),
            (
                "canonical",
                "the_same_for_every_map",
                _CKA,
                "ends = []\n"
                "    for a in (x, y):\n"
                "        u, s, _ = np.linalg.svd(a, full_matrices=False)\n"
                "        ends.append(u[:, s > 1e-6 * s.max()])\n"
                "    fewest = min(end.shape[1] for end in ends)\n"
                "    return float(np.linalg.norm(ends[0].T @ ends[1]) ** 2 / fewest)",
            ),
            ("root", "another_scale", _CKA, "return float(np.linalg.norm(y.T @ x) / norms**0.5)"),
            (
                "distance",
                "another_scale",
                _CKA,
                "return float(1 - np.linalg.norm(y.T @ x) ** 2 / norms)",
            ),
            (
                "in_place",
                "arguments_changed",
                _OFF,
                "for a in (x, y):\n        a -= a.mean(axis=0)",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ smoothed_language_weights

_SHARES = "shares = np.where(counts > 0, (counts / counts.sum()) ** exponent, 0.0)"
_ANEW = "return shares / shares.sum()"
_BAD = "if (counts < 0).any() or not counts.sum():"
_REFUSE = """    if (counts < 0).any() or not counts.sum():
        raise ValueError(f"counts must be 0 or more and not all 0, not {counts.tolist()}")
"""

WEIGHTS = [
    *rights(
        "smoothed_language_weights",
        powers_of_counts="""
def smoothed_language_weights(counts, exponent=0.7):
    if min(counts) < 0 or max(counts) == 0:
        raise ValueError("counts must be 0 or more, and some of them above")
    powers = [float(c) ** exponent if c > 0 else 0.0 for c in counts]
    return np.array([p / sum(powers) for p in powers])
""",
        logarithms="""
def smoothed_language_weights(counts, exponent=0.7):
    counts = np.array(counts, dtype="float64")
    if np.any(counts < 0) or np.all(counts == 0):
        raise ValueError("bad counts")
    some = counts > 0
    logits = exponent * np.log(counts[some])
    found = np.zeros(len(counts))
    found[some] = np.exp(logits - logits.max())
    return found / found.sum()
""",
        zero_put_back="""
def smoothed_language_weights(counts, exponent=0.7):
    p = np.asarray(counts) / 1.0
    for c in p:
        if c < 0:
            raise ValueError("negative")
    if p.sum() == 0:
        raise ValueError("no text")
    q = (p / p.sum()) ** exponent
    q[p == 0] = 0
    q /= q.sum()
    return q
""",
    ),
    *wrongs(
        "smoothed_language_weights",
        [
            ("not_anew", "not_shared_anew", _ANEW, "return shares"),
            (
                "powers_over_counts",
                "not_shared_anew",
                _SHARES,
                "shares = np.where(counts > 0, counts**exponent, 0.0)",
                _ANEW,
                "return shares / counts.sum()",
            ),
            ("largest_is_one", "not_shared_anew", _ANEW, "return shares / shares.max()"),
            ("no_power", "not_smoothed", _SHARES, "shares = counts / counts.sum()"),
            ("always_the_default", "exponent_not_used", "** exponent", "** 0.7"),
            (
                "one_over",
                "another_exponent",
                "** exponent",
                "** (1 / exponent if exponent else np.inf)",
            ),
            ("one_less", "another_exponent", "** exponent", "** (1 - exponent)"),
            (
                "by_logarithm",
                "another_smoothing",
                _SHARES,
                "shares = np.log1p(counts)",
            ),
            (
                "towards_equal",
                "another_smoothing",
                _SHARES,
                "shares = exponent * counts / counts.sum() + (1 - exponent) / len(counts)",
            ),
            (
                "zero_to_the_zero",
                "nothing_gets_a_share",
                _SHARES,
                "shares = (counts / counts.sum()) ** exponent",
            ),
            (
                "one_more",
                "nothing_gets_a_share",
                _SHARES,
                "counts = counts + 1\n    shares = (counts / counts.sum()) ** exponent",
            ),
            (
                "dropped",
                "nothing_is_left_out",
                _SHARES,
                "counts = counts[counts > 0]\n    shares = (counts / counts.sum()) ** exponent",
            ),
            ("percent", "per_cent", _ANEW, "return 100 * shares / shares.sum()"),
            ("never_refused", "bad_counts_not_refused", _REFUSE, ""),
            ("sum_alone", "bad_counts_not_refused", _BAD, "if counts.sum() <= 0:"),
            ("zero_alone", "bad_counts_not_refused", _BAD, "if not counts.sum():"),
            ("negative_alone", "bad_counts_not_refused", _BAD, "if (counts < 0).any():"),
            (
                "in_place",
                "arguments_changed",
                _SHARES,
                "counts /= counts.sum()\n    shares = np.where(counts > 0, counts**exponent, 0.0)",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ transfer_table

_MODELS = "models = [fit(train) for train, _ in sets]"
_TABLE = "return np.array([[accuracy(model, test) for _, test in sets] for model in models])"

_TO_TABLE = _TABLE.replace("return", "table =") + "\n"

TRANSFER = [
    *rights(
        "transfer_table",
        row_by_row="""
def transfer_table(sets, fit, accuracy):
    size = len(sets)
    table = np.zeros((size, size))
    for i in range(size):
        model = fit(sets[i][0])
        for j in range(size):
            table[i, j] = accuracy(model, sets[j][1])
    return table
""",
        column_by_column="""
def transfer_table(sets, fit, accuracy):
    trains, tests = zip(*sets)
    models = list(map(fit, trains))
    columns = [np.array([accuracy(model, test) for model in models]) for test in tests]
    return np.stack(columns, axis=1)
""",
        asked_twice="""
def transfer_table(sets, fit, accuracy):
    rows = []
    for train, _ in sets:
        model = fit(train)
        first = [accuracy(model, other[1]) for other in sets]
        again = [accuracy(model, other[-1]) for other in sets]
        rows.append([(a + b) / 2 for a, b in zip(first, again)])
    return np.asarray(rows, dtype="float32")
""",
    ),
    *wrongs(
        "transfer_table",
        [
            (
                "transposed",
                "rows_and_columns_exchanged",
                _TABLE,
                "return np.array([[accuracy(m, test) for m in models] for _, test in sets])",
            ),
            (
                "anew_in_every_cell",
                "fitted_for_every_cell",
                _MODELS,
                "",
                _TABLE,
                "return np.array(\n"
                "        [[accuracy(fit(train), test) for _, test in sets] for train, _ in sets]\n"
                "    )",
            ),
            (
                "anew_by_columns",
                "fitted_for_every_cell",
                _MODELS,
                "",
                _TABLE,
                "table = [[accuracy(fit(one), test) for one, _ in sets] for _, test in sets]\n"
                "    return np.array(table).T",
            ),
            (
                "fitted_twice",
                "fitted_for_every_cell",
                "[fit(train) for",
                "[(fit(train), fit(train))[1] for",
            ),
            (
                "backwards",
                "fitted_in_another_order",
                _MODELS,
                "models = [fit(train) for train, _ in sets[::-1]][::-1]",
            ),
            ("judged_by_train", "judged_by_train", "for _, test in sets]", "for test, _ in sets]"),
            ("learns_test", "fitted_on_test", "for train, _ in sets]", "for _, train in sets]"),
            (
                "pairs_turned",
                "fitted_on_test",
                "for train, _ in sets]",
                "for _, train in sets]",
                "for _, test in sets]",
                "for test, _ in sets]",
            ),
            (
                "last_model",
                "one_model_for_all",
                _TABLE,
                "return np.array([[accuracy(models[-1], test) for _, test in sets]] * len(sets))",
            ),
            (
                "first_model",
                "one_model_for_all",
                _MODELS,
                "models = [fit(sets[0][0])] * len(sets)",
            ),
            (
                "others_only",
                "diagonal_missing",
                _TABLE,
                f"{_TO_TABLE}    np.fill_diagonal(table, 0)\n    return table",
            ),
            (
                "ones_on_the_diagonal",
                "diagonal_missing",
                _TABLE,
                f"{_TO_TABLE}    np.fill_diagonal(table, 1)\n    return table",
            ),
            (
                "mirrored",
                "half_of_the_table",
                _TABLE,
                "table = np.zeros((len(sets), len(sets)))\n"
                "    for i, model in enumerate(models):\n"
                "        for j in range(i, len(sets)):\n"
                "            table[i, j] = table[j, i] = accuracy(model, sets[j][1])\n"
                "    return table",
            ),
            (
                "upper_half",
                "half_of_the_table",
                _TABLE,
                f"{_TO_TABLE}    return np.triu(table)",
            ),
            (
                "own_only",
                "own_language_only",
                _TABLE,
                "return np.array([accuracy(m, test) for m, (_, test) in zip(models, sets)])",
            ),
            (
                "own_on_the_diagonal",
                "own_language_only",
                _TABLE,
                "return np.diag([accuracy(m, test) for m, (_, test) in zip(models, sets)])",
            ),
            (
                "one_row",
                "not_a_table",
                _TABLE,
                "return np.array([accuracy(model, test) for model in models for _, test in sets])",
            ),
            (
                "less_the_diagonal",
                "something_done_to_it",
                _TABLE,
                f"{_TO_TABLE}    return table - np.diag(table)[:, None]",
            ),
            (
                "percent",
                "something_done_to_it",
                "[[accuracy(model, test) for",
                "[[100 * accuracy(model, test) for",
            ),
        ],
    ),
]

# ------------------------------------------------------------------ the drill

_BUGS = {bug.key: bug for bug in read_bugs(Path(__file__).with_name("drill.py"))}
_DRILL = "drill_ch07b_layers_and_languages"


def _answer(suspect, repair):
    return f'suspect = "{suspect}"\n\n{repair}'


def _repairs(key, rows):
    """Wrong repairs of one bug: the right one, patched."""
    return [
        wrong(
            _DRILL,
            name,
            key=key,
            source=_answer(key, _BUGS[key].fixed.replace(old, new)),
            names=(named,),
        )
        for name, named, old, new in rows
    ]


_MEAN_SD = "mean, spread = states[fit].mean(axis=0), states[fit].std(axis=0)"
_SCALED = "scaled = (states - mean) / np.where(spread > 0, spread, 1.0)"
_SCORES = "probe(scaled[fit], labels[fit], scaled)"
_CHOSEN = "chosen = int(on_choose.argmax())"
_FOUND = "found.append((right[choose].mean(), right[judge].mean()))"
_END = "return chosen, on_judge[chosen], np.mean(labels[judge] == commonest)"
_COUNT = "commonest = np.bincount(labels[fit]).argmax()"

DRILL = [
    *[
        right(_DRILL, f"{key}_repaired", key=key, source=_answer(key, bug.fixed))
        for key, bug in _BUGS.items()
    ],
    *[
        wrong(
            _DRILL,
            f"{key}_left_in",
            key=key,
            source=_answer(key, bug.source.replace("def patient", "def repaired")),
            names=(key,),
        )
        for key, bug in _BUGS.items()
    ],
    right(
        _DRILL,
        "one_layer_at_a_time",
        key="scaled_by_all",
        source=_answer(
            "scaled_by_all",
            '''
def repaired(layers, labels, parts, probe):
    """Another way to write it."""
    best = (-1.0, None, None)
    x0 = labels[parts == 0]
    for number in range(len(layers)):
        states = layers[number].astype("float64")
        part = [states[parts == p] for p in range(3)]
        m, s = part[0].mean(0), part[0].std(0, ddof=1)
        s[s == 0] = 1
        part = [(p - m) / s for p in part]
        hits = [
            (probe(part[0], x0, part[p]).argmax(1) == labels[parts == p]).mean() for p in (1, 2)
        ]
        if hits[0] > best[0]:
            best = (hits[0], number, hits[1])
    counts = {}
    for label in sorted(x0.tolist()):
        counts[label] = counts.get(label, 0) + 1
    guess = max(counts, key=counts.get)
    return best[1], best[2], float((labels[parts == 2] == guess).mean())
''',
        ),
    ),
    *[
        wrong(
            _DRILL,
            f"{key}_taken_for_{other}",
            key=key,
            source=_answer(other, _BUGS[key].fixed),
            names=("another_bug_named",),
        )
        for key, other in (
            ("chosen_on_the_test", "last_layer_judged"),
            ("embeddings_left_out", "highest_of_equals"),
        )
    ],
    *_repairs(
        "fitted_on_two_parts",
        [
            ("no_scaling", "not_standardised", _SCALED, "scaled = states"),
            ("no_spread", "not_standardised", _SCALED, "scaled = states - mean"),
            (
                "parts_0_and_1_scale",
                "scaled_by_another_part",
                _MEAN_SD,
                "mean, spread = states[parts < 2].mean(axis=0), states[parts < 2].std(axis=0)",
            ),
            (
                "part_2_scales",
                "scaled_by_another_part",
                _MEAN_SD,
                "mean, spread = states[judge].mean(axis=0), states[judge].std(axis=0)",
            ),
            ("variance", "divided_by_the_variance", "states[fit].std(", "states[fit].var("),
            (
                "learns_everything",
                "fitted_on_another_part",
                _SCORES,
                "probe(scaled, labels, scaled)",
            ),
            (
                "learns_what_chooses",
                "fitted_on_another_part",
                _SCORES,
                "probe(scaled[choose], labels[choose], scaled)",
            ),
            ("judges_itself", "judged_on_another_part", "right[judge].mean()", "right[fit].mean()"),
        ],
    ),
    *_repairs(
        "chosen_on_the_test",
        [
            (
                "chosen_by_what_was_learnt",
                "chosen_on_another_part",
                "right[choose].mean()",
                "right[fit].mean()",
            ),
            (
                "chosen_by_all",
                "chosen_on_another_part",
                "right[choose].mean()",
                "right.mean()",
            ),
            (
                "judged_where_chosen",
                "judged_on_another_part",
                "right[judge].mean()",
                "right[choose].mean()",
            ),
            ("best_judged", "another_layer_judged", "on_judge[chosen]", "on_judge.max()"),
            ("embeddings_judged", "another_layer_judged", "on_judge[chosen]", "on_judge[0]"),
            ("worst", "worst_layer_chosen", "on_choose.argmax()", "on_choose.argmin()"),
            (
                "from_one",
                "layers_counted_from_one",
                "return chosen,",
                "return chosen + 1,",
            ),
            (
                "shifted",
                "embeddings_left_out",
                _CHOSEN,
                "on_judge = on_judge[1:]\n"
                "    chosen = int(on_choose[1:].argmax()) if len(layers) > 1 else -1",
            ),
        ],
    ),
    *_repairs(
        "commonest_of_the_test",
        [
            (
                "chance",
                "another_baseline",
                "np.mean(labels[judge] == commonest)",
                "1 / len(np.unique(labels))",
            ),
            (
                "share_of_part_0",
                "another_baseline",
                "np.mean(labels[judge] == commonest)",
                "np.mean(labels[fit] == commonest)",
            ),
            (
                "commonest_of_all",
                "another_baseline",
                "np.bincount(labels[fit])",
                "np.bincount(labels)",
            ),
            ("always_class_0", "another_baseline", "np.bincount(labels[fit]).argmax()", "0"),
            (
                "largest_of_equals",
                "another_baseline",
                _COUNT,
                "counts = np.bincount(labels[fit])\n"
                "    commonest = len(counts) - 1 - counts[::-1].argmax()",
            ),
            (
                "baseline_first",
                "another_form",
                _END,
                "return chosen, np.mean(labels[judge] == commonest), on_judge[chosen]",
            ),
            ("no_baseline", "another_form", _END, "return chosen, on_judge[chosen]"),
        ],
    ),
]

VARIANTS = [
    *PROBE,
    *CONTROL,
    *SELECTIVITY,
    *MIX,
    *EXPECTED,
    *CKA,
    *WEIGHTS,
    *TRANSFER,
    *DRILL,
]
