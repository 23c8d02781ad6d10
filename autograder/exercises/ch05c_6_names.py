"""Notebook ch05c, exercise 6: where a tensor of a Hugging Face file belongs."""

import numpy as np

from autograder.exercise import Exercise
from autograder.exercises.ch05c_1_schedule import NOTEBOOK
from autograder.exercises.ch05c_names_mistakes import NAMES
from autograder.expectations import expect
from autograder.fixtures import fixture
from autograder.handle import Failed
from autograder.messages import Text
from autograder.oracles.tensor_names import (
    OTHERWISE,
    REFUSED,
    RETURNED,
    convert_names,
    in_words,
    tensors_of,
)

convert_name = Exercise(
    "convert_name",
    notebook=NOTEBOOK,
    points=5,
    tensors=False,
    forbids=(
        "bert_keras.checkpoints.names.entries",
        "bert_keras.checkpoints.names.convert_name",
    ),
)

HEADS = (
    "cls.predictions.bias",
    "cls.predictions.transform.dense.weight",
    "cls.predictions.transform.LayerNorm.gamma",
    "cls.predictions.decoder.weight",
    "cls.seq_relationship.weight",
)
# What a search by parts of names would take for a tensor of the encoder.
STRANGERS = (
    "classifier.weight",
    "encoder.layer.0.attention.self.query.gamma",
    "encoder.layer.2.output.dense.beta",
    "encoder.layer.x.attention.self.key.weight",
    "embeddings.word_embeddings.bias",
    "pooler.dense.gamma",
    "encoder.layer.1.attention.self.weight",
    "roberta.encoder.layer.0.output.dense.weight",
    "bert.encoder.layer.3.crossattention.self.query.weight",
    "embeddings.token_embedding.weight",
    "encoder.layer.0.intermediate.dense.weights",
    "distilbert.embeddings.word_embeddings.weight",
    "qa_outputs.bias",
    # Longer than a name that is known, with its end at their own.
    "pooler.dense.adapter.weight",
    "encoder.layer.0.attention.self.query_global.weight",
    "embeddings.word_embeddings_2.weight",
    # With the words of what is left out, but elsewhere.
    "model.cls.predictions.bias",
    "adam_m.weight",
)
# Errors that are told as what they are; with any other a name is refused in a wrong way.
NO_REFUSALS = ("NotImplementedError", "NameError", "ImportError", "ModuleNotFoundError",
               "Forbidden", "Nothing", "RecursionError")  # fmt: skip


def answered(student, names, wanted):
    """What the answer says to each name, one to a line; or the error, where it is no answer."""
    lines = []
    for name, want in zip(names, wanted, strict=True):
        found = student.followed_by(fixture("nothing_afterwards"), [name])
        if isinstance(found, Failed):
            kind = found.error.type
            if kind == "ValueError":
                lines.append(REFUSED)
            elif want == REFUSED and kind not in NO_REFUSALS:
                lines.append(OTHERWISE)
            else:
                return found
            continue
        lines.append(_line(found[0]))
    return "\n".join(lines)


def _line(answer):
    """One answer in words; what isn't of the right form is told by what it is.

    What can't travel comes as the name of its type: an error that was returned in place of being
    raised must not pass for a refusal.
    """
    if answer is None:
        return in_words(None)
    if isinstance(answer, str):
        return RETURNED if answer.endswith(("Error", "Exception")) else repr(answer)
    if isinstance(answer, (tuple, list)) and len(answer) == 2:
        path, turned = answer
        if isinstance(path, str) and _is_truth(turned):
            return in_words((path, bool(turned)))
        if isinstance(turned, str) and _is_truth(path):
            return f"{bool(path)}, {turned}"
        return f"({', '.join(map(_in_short, answer))})"
    return type(answer).__name__


def _in_short(part):
    return repr(part) if isinstance(part, (str, bool)) or part is None else type(part).__name__


def _is_truth(value):
    return isinstance(value, bool) or (isinstance(value, np.ndarray) and value.dtype.kind == "b")


def asked(student, names):
    """Compare all answers with the oracle's, and say which is the first that differs."""
    prediction = convert_names(tuple(names))
    wanted = str(prediction.value).split("\n")

    def in_words_of(got):
        lines = str(np.asarray(got)).split("\n")
        wrong = [i for i, line in enumerate(lines) if line != wanted[i]]
        name, now, want = names[wrong[0]], lines[wrong[0]], wanted[wrong[0]]
        zh = f"convert_name({name!r}) 应当{_zh(want)}，实际{_zh(now)}"
        en = f"convert_name({name!r}) should {_en(want, True)}, but {_en(now, False)}"
        if len(wrong) > 1:
            zh += f"（{len(names)} 个名字里错了 {len(wrong)} 个）"
            en += f" ({len(wrong)} of {len(names)} names are wrong)"
        return Text(zh + "。", en + ".")

    expect(answered(student, names, wanted)).equals(prediction, otherwise=in_words_of)


def _zh(line):
    if line == OTHERWISE:
        return "抛出了别的错误"
    if line == RETURNED:
        return "返回了一个错误（没有抛出）"
    return f"抛出 {line}" if line == REFUSED else f"返回 {line}"


def _en(line, should):
    if line == RETURNED:
        return "returns an error, without raising it"
    verb = "raise" if line in (REFUSED, OTHERWISE) else "return"
    return f"{verb if should else verb + 's'} {line}"


@convert_name.case(
    points=1, zh="嵌入和池化层的七个张量", en="the seven tensors of embeddings and pooler"
)
def both_ends(student, rng):
    """As in today's files, without a prefix."""
    asked(student, tensors_of(0))


@convert_name.case(
    points=1,
    zh="一块里的十六个张量",
    en="the sixteen tensors of a block",
)
def one_block(student, rng):
    """Of the first, and of another."""
    names = tensors_of(10)
    asked(student, names[5:21])
    other = 5 + 16 * int(rng.integers(2, 9))
    asked(student, names[other : other + 16])


@convert_name.case(
    points=1,
    zh="整个 BERT-base 的 199 个张量：块的编号到 11",
    en="all 199 tensors of BERT-base, with blocks up to number 11",
)
def all_of_base(student, rng):
    """As the file has them, with the prefix."""
    asked(student, tensors_of(12, prefix="bert."))


@convert_name.case(
    points=1,
    zh="老文件的写法：LayerNorm.gamma、LayerNorm.beta",
    en="the spelling of old files: LayerNorm.gamma and LayerNorm.beta",
)
def old_spelling(student, rng):
    """With the prefix and without."""
    asked(student, tensors_of(2, old=True))
    asked(student, tensors_of(1, old=True, prefix="bert."))


@convert_name.case(
    points=1,
    zh="编码器不要的返回 None；不认识的抛出 ValueError",
    en="None for what the encoder doesn't take, ValueError for what it doesn't know",
)
def skipped_and_refused(student, rng):
    """What is skipped first: an answer that refuses too much is told so."""
    asked(student, ("embeddings.position_ids", "bert.embeddings.position_ids", *HEADS))
    chosen = rng.permutation(tensors_of(3))[:4]
    slots = [f"bert.{name}/adam_{kind}" for name, kind in zip(chosen, "mvmv", strict=True)]
    asked(student, (*slots, f"{chosen[0]}/adam_v", f"{HEADS[1]}/adam_m", "global_step"))
    asked(student, STRANGERS)


for _name, (_switch, _zh_text, _en_text, _hints) in NAMES.items():
    convert_name.misconception(_name, switch=_switch, zh=_zh_text, en=_en_text, hints=_hints)


def _wrong_lines(seen):
    """The names whose answers are wrong, with what was answered and what was wanted.

    Raises:
        LookupError: there aren't as many answers as names.
    """
    got, wanted = str(np.asarray(seen.actual)).split("\n"), seen.expected.split("\n")
    if len(got) != len(wanted):
        raise LookupError("another number of answers")
    triples = zip(seen.args[0], got, wanted, strict=True)
    return [triple for triple in triples if triple[1] != triple[2]]


def is_pair(line):
    """Whether this is said of a path and a truth value."""
    return line.endswith((", True", ", False")) and not line.startswith("(")


@convert_name.property(
    "paths_are_right",
    zh="有的路径不对。",
    en="Some paths are wrong.",
)
def path_is_wrong(seen):
    return any(
        is_pair(got) and ", " in want and got.rpartition(", ")[0] != want.rpartition(", ")[0]
        for _, got, want in _wrong_lines(seen)
    )


@convert_name.property(
    "transposes_are_right",
    zh="路径对，有的该不该转置不对。",
    en="Paths are right, and for some tensors it's wrong whether they are transposed.",
    alone=True,
)
def transpose_is_wrong(seen):
    return any(is_pair(got) and ", " in want for _, got, want in _wrong_lines(seen))


@convert_name.property(
    "a_pair_comes_back",
    zh="返回的不是一对：先是路径（文字），后是要不要转置（True 或 False）。",
    en="What comes back is no pair of a path (a string) and whether to transpose (True or False).",
)
def form_is_wrong(seen):
    told = ("None", REFUSED, OTHERWISE, RETURNED)
    lines = _wrong_lines(seen)
    return any(", " in want and not is_pair(got) and got not in told for _, got, want in lines)


@convert_name.property(
    "known_names_are_known",
    zh="有编码器要的张量没有认出来。",
    en="Some tensors that the encoder takes aren't recognised.",
)
def known_name_is_lost(seen):
    lost = ("None", REFUSED, OTHERWISE, RETURNED)
    return any(", " in want and got in lost for _, got, want in _wrong_lines(seen))


@convert_name.property(
    "refusals_are_value_errors",
    zh="有的不认识的名字，报的错不是 ValueError（比如字典里没有，就成了 KeyError）。",
    en="Some unknown names raise another error than ValueError (KeyError, say, where a dict has no "
    "such key).",
)
def refused_otherwise(seen):
    return any(got == OTHERWISE for _, got, _ in _wrong_lines(seen))


@convert_name.property(
    "the_rest_is_left_out",
    zh="编码器不要的名字，有的没有返回 None。",
    en="Some names that the encoder doesn't take give something else than None.",
)
def unwanted_name_is_not_skipped(seen):
    return any(want == "None" for _, _, want in _wrong_lines(seen))


@convert_name.property(
    "strangers_are_refused",
    zh="BERT 里没有的名字，有的没有报错：得到了路径，或者 None。",
    en="Some names that no BERT has don't raise: they get a path, or None.",
)
def stranger_is_let_in(seen):
    answers = [(got, want) for _, got, want in _wrong_lines(seen)]
    return any(want == REFUSED and got != OTHERWISE for got, want in answers)
