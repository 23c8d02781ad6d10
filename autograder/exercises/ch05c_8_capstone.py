"""Notebook ch05c, exercise 8: a checkpoint in an encoder, with the student's own pieces."""

import re

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch05c_1_schedule import NOTEBOOK
from autograder.exercises.ch05c_4_encoder import a_batch, flat
from autograder.exercises.ch05c_capstone_mistakes import CAPSTONE, GAPS, RANDOM, UNNAMED
from autograder.exercises.common import normal
from autograder.expectations import expect
from autograder.handle import Failed
from autograder.oracles.bert_from_file import bert_from_file as oracle
from autograder.oracles.bert_from_file import of_a_gap, of_the_layers, of_two_calls
from autograder.oracles.encoder_output import in_parts
from autograder.oracles.tensor_names import placed, tensors_of

CLOSE = {"atol": 1e-4, "rtol": 0.0}

capstone = Exercise(
    "capstone_bert",
    notebook=NOTEBOOK,
    points=8,
    built_of=("bert_encoder_output", "convert_name"),
    tensors=False,
    forbids=(
        "bert_keras.models.bert.BertBackbone",
        "bert_keras.checkpoints.names.entries",
        "bert_keras.checkpoints.names.convert_name",
        "bert_keras.checkpoints.huggingface.read",
    ),
)


def a_checkpoint(rng, layers, dim, middle, *, old=False, prefix="", sizes=(9, 7, 2)):
    """Tensors of a whole encoder by their names.

    Tables are as small as real ones, so that an epsilon of the norms shows. The middle of the
    feed-forward network is large, so that the form of GELU does.
    """
    tokens, places, segments = sizes
    table = {"word": tokens, "position": places, "token_type": segments}
    found = {}
    for name in tensors_of(layers, old, prefix):
        short = name.removeprefix("bert.")
        if short.endswith("embeddings.weight"):
            rows = table[short.removeprefix("embeddings.").partition("_embeddings")[0]]
            array = 0.02 * normal(rng, rows, dim)
        elif "LayerNorm" in short:
            array = 0.3 * normal(rng, dim)
            array += np.float32(short.endswith(("weight", "gamma")))
        elif short.endswith("bias"):
            array = 0.3 * normal(rng, middle if ".intermediate." in short else dim)
        else:
            wide = ".intermediate." in short
            inside = middle if "output.dense" in short and "attention" not in short else dim
            scale = 2.0 if wide else 1.0
            array = normal(rng, middle if wide else dim, inside) * np.float32(scale / inside**0.5)
        found[name] = array.astype("float32")
    return found


def asked(student, tensors, batch, num_heads, layers):
    """Compare every layer with the oracle's."""
    wanted = in_parts(oracle(tensors, *batch, num_heads), layers + 1)
    found = student(tensors, *batch, num_heads)
    if isinstance(found, Failed) and path_of_no_layer(found.error.message, layers):
        expect(np.asarray("unnamed")).equals(of_the_layers(), otherwise=UNNAMED)
    states = flat(found, batch[2])
    if not isinstance(found, Failed) and differ(states, wanted.value):
        again = flat(student(tensors, *batch, num_heads), batch[2])
        if not isinstance(again, Failed) and differ(states, again):
            expect(np.asarray("differ")).equals(of_two_calls(), otherwise=RANDOM)
    expect(states).equals(wanted, **CLOSE)


def differ(states, others):
    """Whether these are as many arrays of the same shapes with other values."""
    pair = isinstance(states, (tuple, list)) and len(states) == len(others)
    if not pair or any(np.shape(a) != np.shape(b) for a, b in zip(states, others, strict=True)):
        return False
    return any(not np.allclose(a, b, atol=1e-3) for a, b in zip(states, others, strict=True))


def path_of_no_layer(message, layers):
    """Whether an error is about a variable of a layer that doesn't have its name.

    The number behind the last may also be one block too many.
    """
    tops = re.findall(r"\b(bert_embeddings\w*|encoder_block\w*|pooler\w*)/\w+", message)
    named = {"pooler", *(f"encoder_block_{number}" for number in range(layers + 1))}
    return bool(tops) and not set(tops) <= named


@capstone.case(
    points=2,
    zh="一个小检查点，没有填充：每一层都对",
    en="a small checkpoint, no padding: every layer is right",
)
def small_checkpoint(student, rng):
    """Two blocks whose kernels are all square, then one with sizes that all differ."""
    tensors = a_checkpoint(rng, 2, 6, 6)
    asked(student, tensors, a_batch(rng, (5, 5), 5, 9), 3, 2)
    tensors = a_checkpoint(rng, 1, 8, 12, sizes=(11, 6, 3))
    asked(student, tensors, a_batch(rng, (4, 4, 4), 4, 11), 2, 1)


@capstone.case(
    points=2,
    zh="老写法、带前缀，文件里还有编码器不要的张量",
    en="old spelling, a prefix, and tensors that the encoder doesn't take",
)
def old_file(student, rng):
    """In another order than that of the layers."""
    tensors = a_checkpoint(rng, 2, 6, 9, old=True, prefix="bert.")
    tensors["bert.embeddings.position_ids"] = np.arange(7, dtype=np.int64)[None]
    tensors["cls.predictions.bias"] = normal(rng, 9)
    tensors["cls.seq_relationship.weight"] = normal(rng, 2, 6)
    names = [str(name) for name in rng.permutation(list(tensors))]
    tensors = {name: tensors[name] for name in names}
    asked(student, tensors, a_batch(rng, (5, 5), 5, 9), 2, 2)


@capstone.case(
    points=2,
    zh="长短不一的批：真词元看不见填充",
    en="padded batches: real tokens don't see padding",
)
def padded_batch(student, rng):
    """Several segments and lengths."""
    tensors = a_checkpoint(rng, 2, 6, 10)
    asked(student, tensors, a_batch(rng, (5, 2, 6, 3), 6, 9), 1, 2)


@capstone.case(
    points=1,
    zh="十一块：编号有两位数",
    en="eleven blocks: numbers of two digits",
)
def many_blocks(student, rng):
    """Of four features each."""
    tensors = a_checkpoint(rng, 11, 4, 6)
    asked(student, tensors, a_batch(rng, (3, 3), 3, 9), 2, 11)


MISSING = (
    "encoder.layer.1.output.dense.bias",
    "embeddings.LayerNorm.weight",
    "pooler.dense.weight",
    "embeddings.word_embeddings.weight",
    "embeddings.position_embeddings.weight",
    "embeddings.token_type_embeddings.weight",
    "encoder.layer.0.intermediate.dense.weight",
)


@capstone.case(
    points=1,
    zh="少了一个张量：ValueError，并且说出是哪一个",
    en="a missing tensor: a ValueError that says which",
)
def a_gap(student, rng):
    """At both ends and within a block; then what sizes are read off, by some other line."""
    tensors = a_checkpoint(rng, 2, 4, 6)
    batch = a_batch(rng, (3, 3), 3, 9)
    asked(student, tensors, batch, 2, 2)
    for name in MISSING:
        rest = {key: array for key, array in tensors.items() if key != name}
        found = what_came_of(student(rest, *batch, 2), name)
        expect(found).equals(of_a_gap(name), otherwise=_told(name))


def what_came_of(found, name):
    """What happened where a tensor is missing, as text; blanks and the like as they are."""
    if not isinstance(found, Failed):
        return "unnoticed"
    kind, message = found.error.type, found.error.message
    if kind in ("NotImplementedError", "Nothing", "Forbidden", "NameError"):
        return found
    if kind == "Unusable" and "Error" in message:
        return "returned"
    if kind != "ValueError":
        return "another_error"
    path = placed(name)[0]
    return "told" if name in message or path in message else "unnamed"


def _told(name):
    words = {"unnoticed": "accepted", "another_error": "other"}

    def said(got):
        told = str(np.asarray(got))
        return GAPS[words.get(told, told)].format(name=name)

    return said


for _name, (_switch, _zh, _en, _hints) in CAPSTONE.items():
    capstone.misconception(_name, switch=_switch, zh=_zh, en=_en, hints=_hints)


def _layers(seen):
    """Which hidden states are right, and whether the pooled output is.

    Raises:
        LookupError: the observation is about a gap, or the form is another.
    """
    if seen.prediction.parts[-1] != "pooled_output":
        raise LookupError("no states here")
    found, wanted = seen.actual, seen.expected
    if [np.shape(part) for part in found] != [np.shape(part) for part in wanted]:
        raise LookupError("other shapes")
    return [np.allclose(a, b, **CLOSE) for a, b in zip(found, wanted, strict=True)]


@capstone.property(
    "every_layer_is_there",
    zh="应当返回一对：L + 1 个 (B, T, D) 的列表，和 (B, D) 的 pooled_output。",
    en="A pair should come back: a list of L + 1 tensors (B, T, D), and the pooled output (B, D).",
)
def form_is_wrong(seen):
    if seen.prediction.parts[-1] != "pooled_output":
        return False
    try:
        _layers(seen)
    except (LookupError, TypeError):
        return True
    return False


@capstone.property(
    "embeddings_are_right",
    zh="嵌入的输出就不对：看三张表和它们的层归一化。",
    en="The output of the embeddings is wrong already: look at the three tables and their norm.",
)
def embeddings_are_wrong(seen):
    return not _layers(seen)[0]


@capstone.property(
    "blocks_are_right",
    zh="嵌入对，后面有的块不对：看第一个不对的隐状态。",
    en="The embeddings are right and some block isn't: look at the first hidden state that is "
    "wrong.",
)
def block_is_wrong(seen):
    right = _layers(seen)
    return right[0] and not all(right[:-1])


@capstone.property(
    "pooled_output_is_right",
    zh="隐状态都对，pooled_output 不对：看池化层。",
    en="All hidden states are right, and the pooled output isn't: look at the pooler.",
)
def pooled_output_is_wrong(seen):
    right = _layers(seen)
    return all(right[:-1]) and not right[-1]


@capstone.property(
    "gaps_are_noticed",
    zh="少了张量时，有的没有照约定报错。张量要按名字一个个装，也按名字找：找不到就抛出 "
    "ValueError，说出它的路径。",
    en="Where a tensor is missing, that isn't always told as agreed. Tensors go in by their names, "
    "and are looked for by name: what isn't found is told by a ValueError with its path.",
)
def gap_is_not_told(seen):
    return seen.prediction.parts == ("what happens",)
