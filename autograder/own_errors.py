"""Errors that our own code raises about an answer, such as a weight that isn't there, in words."""

from autograder.messages import Text

_NO_WEIGHT = Text(
    "这一层没有叫 {path} 的参数；它有的是：{found}。",
    "The layer has no weight called {path}; it has {found}.",
)
_NO_WEIGHTS = Text(
    "这一层没有叫 {path} 的参数；它一个参数也没有。",
    "The layer has no weight called {path}, nor any other.",
)
_NAMED_BY = Text(
    "参数的名字是 add_weight 的 name。", " A weight's name is the name given to add_weight."
)


def _no_weight(path: str, found: str) -> Text:
    if found == "none at all":
        return _NO_WEIGHTS.format(path=path)
    text = _NO_WEIGHT.format(path=path, found=Text(found.replace(", ", "、"), found))
    if "variable" not in found:
        return text
    return Text(text.zh + _NAMED_BY.zh, text.en + _NAMED_BY.en)


_LOSS = Text(
    "损失应当是一个数，这里得到的却是{what}。",
    "A loss is one number, but this one returned {what}.",
)
_NO_LOSS = Text(" None（忘了写 return？）", "None (is there a return missing?)")


def _form(what: str) -> Text:
    return Text(what.replace("an array of shape ", "形状为 ") + " 的数组", what)


_UNUSABLE = Text(
    "返回值里有一个 {kind}：它既不是数、文字或张量，也不是由这些组成的列表。",
    "Among what it returns there is a {kind}, which is no number, text or tensor, nor a list of "
    "such.",
)
_UNWOUND = Text(
    "返回值里有一个 {kind}：里面的东西还一个也没有算出来，用 list(…) 才变成列表。"
    "（有 yield 的函数，返回的也是它。）",
    "Among what it returns there is a {kind}, whose items haven't been made yet: list(…) makes a "
    "list of it. (A function with a yield in it returns such a thing, too.)",
)
_UNORDERED = Text(
    "返回值里有一个 {kind}，它没有次序：要列表，就用 list(…)，或者排好序的 sorted(…)。",
    "Among what it returns there is a {kind}, which has no order: list(…) makes a list of it, "
    "sorted(…) one that is in order.",
)
_NOT_CALLED = Text(
    "返回值里有一个 {kind}，是函数本身，不是它算出的结果：后面是不是少了一对圆括号？",
    "Among what it returns there is a {kind}, the function itself and not what it computes: are "
    "its parentheses missing?",
)
_KINDS = {
    **dict.fromkeys(("generator", "map", "filter", "zip", "enumerate"), _UNWOUND),
    **dict.fromkeys(("list_reverseiterator", "reversed", "islice", "chain"), _UNWOUND),
    **dict.fromkeys(("dict_keys", "dict_values", "dict_items"), _UNWOUND),
    **dict.fromkeys(("set", "frozenset"), _UNORDERED),
    **dict.fromkeys(("function", "method", "builtin_function_or_method"), _NOT_CALLED),
}
_RETURNED_ERROR = Text(
    "它把 {kind} 返回了，没有抛出：把 return 换成 raise。",
    "It returns a {kind} and doesn't raise it: write raise in place of return.",
)


def _unusable(kind: str) -> Text:
    is_error = kind.endswith(("Error", "Exception"))
    return (_RETURNED_ERROR if is_error else _KINDS.get(kind, _UNUSABLE)).format(kind=kind)


# What a lent list or dict says when it is about to be changed; the line is the student's.
LENT = (
    (
        "列表|a list",
        Text(
            "传进来的列表被改动了：请另造一个新的，list(…) 得到的是一份可以改的副本",
            "It changes a list that was handed in: make a new one instead; list(…) is a copy that "
            "may be changed",
        ),
    ),
    (
        "字典|a dict",
        Text(
            "传进来的字典被改动了：请另造一个新的，dict(…) 得到的是一份可以改的副本",
            "It changes a dict that was handed in: make a new one instead; dict(…) is a copy that "
            "may be changed",
        ),
    ),
)


# Raised by our own code about an answer: type, pattern of the text, words (or what makes them).
OURS = (
    ("AttributeError", r"the layer has no weight (\S+); it has (.*)", _no_weight),
    (
        "Unusable",
        r"returned an? (\S+), which is no array of numbers",
        _unusable,
    ),
    (
        "TypeError",
        r"objective\(\) returned None: is there a return missing\?",
        Text(
            "objective() 返回了 None：是不是忘了写 return？",
            "objective() returned None: is there a return missing?",
        ),
    ),
    (
        "ValueError",
        r"shape of (?P<path>\S+): (?P<got>\(.*\)), not (?P<wanted>\(.*\))",
        Text(
            "参数 {path} 的形状应为 {wanted}，实际为 {got}。",
            "The weight {path} should have the shape {wanted}, but has {got}.",
        ),
    ),
    (
        "TypeError",
        r"a loss is one number, but this one returned (nothing|an array of shape .*)",
        lambda what: _LOSS.format(what=_NO_LOSS if what == "nothing" else _form(what)),
    ),
)
