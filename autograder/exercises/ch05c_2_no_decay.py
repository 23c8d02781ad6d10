"""Notebook ch05c, exercise 2: what weight decay leaves alone."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch05c_1_schedule import NOTEBOOK
from autograder.exercises.ch05c_no_decay_mistakes import NO_DECAY
from autograder.exercises.common import derived
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.messages import Text
from autograder.oracles.decay_groups import NO_VARIABLES, STRANGERS, exempt_variables

no_decay_variables = Exercise(
    "no_decay_variables",
    notebook=NOTEBOOK,
    points=4,
    library="bert_keras.training.updates:no_decay_variables",
)

# Paths as a model has them, and the shapes of the variables.
BERT = {
    "bert_backbone/embeddings/token_embedding/embeddings": (9, 4),
    "bert_backbone/embeddings/position_embedding/embeddings": (6, 4),
    "bert_backbone/embeddings/layer_norm/gamma": (4,),
    "bert_backbone/embeddings/layer_norm/beta": (4,),
    "bert_backbone/encoder_block_0/self_attention/query/kernel": (4, 4),
    "bert_backbone/encoder_block_0/self_attention/query/bias": (4,),
    "bert_backbone/encoder_block_0/self_attention/output/kernel": (4, 4),
    "bert_backbone/encoder_block_0/self_attention/output/bias": (4,),
    "bert_backbone/encoder_block_0/self_attention_layer_norm/gamma": (4,),
    "bert_backbone/encoder_block_0/self_attention_layer_norm/beta": (4,),
    "bert_backbone/encoder_block_0/feed_forward/intermediate/kernel": (4, 8),
    "bert_backbone/encoder_block_0/feed_forward/intermediate/bias": (8,),
    "bert_backbone/pooler/dense/kernel": (4, 4),
    "bert_backbone/pooler/dense/bias": (4,),
}
# Layers with misleading names, and norms that are not called so.
NAMES = {
    "bias_correction/kernel": (3, 2),
    "bias_correction/bias": (2,),
    "beta_block/kernel": (2, 5),
    "gamma/kernel": (5, 3),
    "block/layer_norm_gate/kernel": (3, 3),
    "position_bias/embeddings": (7, 3),
    "normaliser/kernel": (4, 4),
    "embedding_projection/kernel": (3, 4),
    "ln_final/gamma": (3,),
    "ln_final/beta": (3,),
    "block/scaled/gamma": (6,),
}
# Shapes that don't say what a variable is.
SHAPES = {
    "attention/query/kernel": (4, 2, 3),
    "attention/query/bias": (2, 3),
    "scalar_mix/scores": (4,),
    "scalar_mix/scale": (),
    "norm_2d/gamma": (3, 5),
    "norm_2d/beta": (3, 5),
    "position_embedding/embeddings": (6, 2),
    "depthwise/kernel": (5,),
    "head/bias": (3,),
}
HEADS = {
    "masked_lm_head/dense/kernel": (4, 4),
    "masked_lm_head/dense/bias": (4,),
    "masked_lm_head/layer_norm/gamma": (4,),
    "masked_lm_head/layer_norm/beta": (4,),
    "masked_lm_head/output_bias": (9,),
    "next_sentence_head/dense/kernel": (4, 2),
    "next_sentence_head/dense/bias": (2,),
    "block/attention_norm_gamma": (4,),
    # With one of the words in the last part, but not at its end.
    "attention/bias_table": (7, 2),
    "block/beta_schedule": (3,),
}


def which_came_back(found, shapes):
    """For every variable its place in the list that came back, from 1 on; else 0.

    Variables are known by their values; where anything else stands in the list, that is told by
    one number for all.
    """

    def told(returned):
        if not isinstance(returned, (tuple, list)):
            return returned
        numbers = [_number_of(each, shapes) for each in returned]
        if None in numbers:
            # Arrays of floats are variables too, only none of those that were handed in.
            known = all(isinstance(e, np.ndarray) and e.dtype.kind == "f" for e in returned)
            return np.full(len(shapes), STRANGERS if known else NO_VARIABLES)
        here = np.zeros(len(shapes), int)
        for place, number in enumerate(numbers, start=1):
            here[number] = place
        return here

    return derived(found, told)


def _number_of(array, shapes):
    """Which variable this array is, or None."""
    if not isinstance(array, np.ndarray) or array.dtype.kind != "f" or not array.size:
        return None
    number = int(array.flat[0]) - 1
    known = 0 <= number < len(shapes) and array.shape == tuple(shapes[number])
    return number if known and np.all(array == number + 1) else None


def sorted_out(student, rng, variables):
    """What the answer picks out of these variables, in another order each time."""
    order = rng.permutation(len(variables))
    paths = tuple(list(variables)[i] for i in order)
    shapes = [variables[path] for path in paths]
    wanted = exempt_variables(paths, tuple(len(shape) for shape in shapes))

    def said(got):
        if (np.asarray(got) == NO_VARIABLES).any():
            return Text(
                "返回的列表里不是 variables 里的变量本身。",
                "What stands in the list that comes back aren't variables of the given list.",
            )
        if (np.asarray(got) == STRANGERS).any():
            return Text(
                "返回的列表里有变量不在传进来的 variables 里。",
                "Some variables in the list that comes back weren't in the given list.",
            )
        pairs = list(zip(paths, got, wanted.value, strict=True))
        extra = [path for path, now, want in pairs if now and not want]
        lost = [path for path, now, want in pairs if want and not now]
        if not extra and not lost:
            return Text(
                "挑对了，次序不对：返回的变量应当跟它们在 variables 里的先后一样，一个只返回一次。",
                "The right ones in a wrong order: they should come back in the order in which "
                "they stand in variables, each of them once.",
            )
        zh, en = [], []
        if extra:
            zh.append(f"应当衰减，却返回了：{'、'.join(extra[:4])}")
            en.append(f"these should decay, and came back: {', '.join(extra[:4])}")
        if lost:
            zh.append(f"不该衰减，却没有返回：{'、'.join(lost[:4])}")
            en.append(f"these shouldn't decay, and didn't come back: {', '.join(lost[:4])}")
        return Text("；".join(zh) + "。", "; ".join(en).capitalize() + ".")

    fixed = fixture("variables_at", list(paths), [list(shape) for shape in shapes])
    expect(which_came_back(student(fixed), shapes)).equals(wanted, otherwise=said)


@no_decay_variables.case(points=1, zh="一个小 BERT 的变量", en="the variables of a small BERT")
def of_a_bert(student, rng):
    """Tables, kernels, biases and norms."""
    sorted_out(student, rng, BERT)


@no_decay_variables.case(
    points=1,
    zh="层的名字会骗人：只看路径的最后一段",
    en="names of layers mislead: only the last part of a path counts",
)
def misleading_names(student, rng):
    """Words that would be taken for others, and norms called otherwise."""
    sorted_out(student, rng, NAMES)


@no_decay_variables.case(points=1, zh="形状也会骗人", en="shapes mislead just as well")
def misleading_shapes(student, rng):
    """Biases with two axes, and vectors that are none."""
    sorted_out(student, rng, SHAPES)


@no_decay_variables.case(
    points=1,
    zh="最后一段以这几个词结尾就算；一个也没有时，列表是空的",
    en="a last part that ends in one of the words counts; where none does, the list is empty",
)
def of_the_heads(student, rng):
    """The bias of the vocabulary has a longer name."""
    sorted_out(student, rng, HEADS)
    sorted_out(student, rng, {path: HEADS[path] for path in list(HEADS)[:6:5]})


for _name, (_switch, _zh, _en, _hints) in NO_DECAY.items():
    no_decay_variables.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _entries(seen):
    """Which entries came back and shouldn't have, which should have and didn't; and all paths.

    Raises:
        LookupError: no list of variables came back.
    """
    got = np.asarray(seen.actual)
    if got.shape != seen.expected.shape or (got < 0).any():
        raise LookupError("no variables")
    return (got > 0) & (seen.expected == 0), (got == 0) & (seen.expected > 0), seen.args[0]


@no_decay_variables.property(
    "a_list_of_variables",
    zh="应当返回一个列表，里面是变量。",
    en="A list of variables should come back.",
)
def no_list_of_variables(seen):
    got = seen.actual
    if not isinstance(got, np.ndarray) or got.shape != seen.expected.shape:
        return True
    return bool((got < 0).any())


@no_decay_variables.property(
    "exempt_ones_are_found",
    zh="有不该衰减的变量没有返回。",
    en="Variables that shouldn't decay are missing.",
)
def exempt_one_is_lost(seen):
    return bool(_entries(seen)[1].any())


@no_decay_variables.property(
    "the_rest_decays",
    zh="返回了应当衰减的变量。",
    en="Variables that should decay came back.",
)
def decaying_one_is_there(seen):
    return bool(_entries(seen)[0].any())


@no_decay_variables.property(
    "order_is_kept",
    zh="挑对了，次序却跟原来不一样，或者有的返回了两次。",
    en="The right ones come back, but in another order, or some of them twice.",
    alone=True,
)
def order_is_lost(seen):
    extra, lost, _ = _entries(seen)
    return not extra.any() and not lost.any()
