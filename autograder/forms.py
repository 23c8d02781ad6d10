"""What came back, in words, where its form isn't the one that was asked for.

Cases mark what they could not read by a text of their own, so a text is never said to be the
student's. Lists and tuples travel alike, so a sentence here never says which of the two it was.
What a case could not make an array of comes as it was returned: a student who wrote a list should
read of a list, and not of an array that is none.
"""

import numpy as np

from autograder.messages import Text

# So many numbers of a wrong length are shown; more would hide what is being said.
SHOWN = 16
ITEMS = 5


def form(value) -> Text:
    """What a whole result is, after "not" or 实际得到."""
    if isinstance(value, (tuple, list)):
        return Text(f" {len(value)} 项", str(len(value)))
    if isinstance(value, dict):
        return Text("一个字典", "a dict")
    shape = np.shape(value)
    if shape:
        return Text(f"一个形状为 {shape} 的数组", f"a single array of shape {shape}")
    return Text("一个结果", "a single result")


def no_array(value, want: np.ndarray, part: str) -> Text:
    """What a part of a result is that should have been one array.

    Args:
        value: it: a tuple, a dict, None, or whatever else.
        want: the right array.
        part: its name.
    """
    if value is None:
        return Text(f"{part} 是 None，什么也没有。", f"{part} is None, which is nothing at all.")
    if isinstance(value, dict):
        keys = ", ".join(str(key)[:20] for key in list(value)[:ITEMS])
        return Text(
            f"{part} 是一个字典（键：{keys}），这里要的是一个数组。",
            f"{part} is a dict (keys: {keys}) where one array is wanted.",
        )
    if not isinstance(value, (tuple, list)):
        return Text(f"{part} 不是数组。", f"{part} is not an array.")
    if not value:
        return Text(f"{part} 是空的，一项也没有。", f"{part} is empty: there is no item in it.")
    return _of_a_list(value, want, part)


def _of_a_list(value, want, part) -> Text:
    # Nested first: what stands inside is what has to be mended.
    nested = [isinstance(item, (tuple, list)) for item in value]
    for place, item in enumerate(value):
        if item is None:
            return Text(f"{part}[{place}] 是 None。", f"{part}[{place}] is None.")
        if isinstance(item, str) and want.dtype.kind != "U":
            return Text(
                f"{part}[{place}] 不是数，这里要的是数。",
                f"{part}[{place}] is no number, and numbers are wanted.",
            )
    # A case may have made arrays of the lists inside already.
    longer = [place for place, item in enumerate(value) if nested[place] or np.shape(item)]
    if longer and len(longer) < len(value):
        place = longer[0]
        return Text(
            f"{part} 里套了列表：{part}[{place}] 自己又有 {len(value[place])} 项，"
            "别的项只是一个数。",
            f"There is a list inside {part}: {part}[{place}] has items of its own "
            f"({len(value[place])}), and others are single numbers.",
        )
    in_rows = want.ndim == 2 and len({np.shape(item) for item in value if np.ndim(item) == 1}) > 1
    if any(nested) or in_rows:
        return _of_lists(value, want, part)
    if not all(np.asarray(item).dtype.kind in "biuf" for item in value):
        return Text(
            f"{part} 是列表（或元组），不是一个数组。",
            f"{part} is a list (or tuple) and not one array.",
        )
    shapes = [np.shape(item) for item in value]
    count = len(value)
    if any(shape != shapes[0] for shape in shapes):
        several = ", ".join(map(str, shapes[:ITEMS])) + (", …" if count > ITEMS else "")
        return Text(
            f"{part} 应当是一个数组，这里却有 {count} 个，形状各不相同：{several}。",
            f"{part} should be one array, and here are {count} of different shapes: {several}.",
        )
    if shapes[0]:
        return Text(
            f"{part} 应当是一个数组，这里却是 {count} 个形状为 {shapes[0]} 的数组排成的列表"
            "（或元组）。",
            f"{part} should be one array, and is a list (or tuple) of {count} arrays of shape "
            f"{shapes[0]}.",
        )
    return Text(
        f"{part} 是 {count} 个数排成的列表（或元组），这里要的是数组：np.array 能把它变成数组，"
        "ops.stack 能变成张量。",
        f"{part} is a list (or tuple) of {count} numbers, where an array is wanted: np.array "
        "makes one of it, ops.stack a tensor.",
    )


def _of_lists(value, want, part) -> Text:
    lengths = [len(item) for item in value]
    if len(set(lengths)) > 1:
        several = "、".join(map(str, lengths[:ITEMS])) + ("……" if len(lengths) > ITEMS else "")
        in_english = ", ".join(map(str, lengths[:ITEMS])) + (", …" if len(lengths) > ITEMS else "")
        each = want.shape[1] if want.ndim == 2 else None
        zh = f"，应当都是 {each} 项" if each else "，应当一样长"
        en = f"each should have {each}" if each else "they should be equally long"
        return Text(
            f"{part} 里的各项长短不一（{several} 项）{zh}。",
            f"The items of {part} differ in length ({in_english}), and {en}.",
        )
    if want.dtype.kind in "iu":
        for item in value:
            for number in item:
                array = np.asarray(number) if not isinstance(number, (tuple, list, dict)) else None
                if array is not None and array.dtype.kind == "f" and array.size:
                    shown = f"{float(array.flat[0]):g}"
                    return Text(
                        f"{part} 里应当都是整数，实际有浮点数，例如 {shown}。",
                        f"{part} should hold integers, and has floating point numbers such as "
                        f"{shown}.",
                    )
    return Text(
        f"{part} 是列表套列表（{len(value)} × {lengths[0]}），不是一个数组。",
        f"{part} is a list of lists ({len(value)} × {lengths[0]}) and not one array.",
    )


def of_another_shape(got: np.ndarray, want: np.ndarray, part: str) -> Text:
    """How a shape differs, told in items where both are a row of them, as a list is."""
    if got.dtype.kind == "U" and want.dtype.kind != "U":
        return Text(
            f"{part} 应当是形状为 {want.shape} 的数组，这里不是。",
            f"{part} should be an array of shape {want.shape}, which it isn't.",
        )
    seen = _shown(got)
    if got.ndim == want.ndim == 1:
        number, own = want.shape[0], got.shape[0]
        items = "item" if number == 1 else "items"
        has = Text(f"{own} 项{seen.zh}" if own else "0 项", f"{own}{seen.en}" if own else "none")
        return Text(
            f"{part} 应有 {number} 项（形状 {want.shape}），实际有 {has.zh}。",
            f"{part} should have {number} {items} (shape {want.shape}), but has {has.en}.",
        )
    if not got.ndim:
        return Text(
            f"{part} 的形状应为 {want.shape}，实际只是一个数{seen.zh}。",
            f"{part} should have shape {want.shape}, but is a single number{seen.en}.",
        )
    if want.dtype.kind == "U":
        return Text(
            f"{part} 应当是一段文字，实际是形状为 {got.shape} 的数组。",
            f"{part} should be a text, but is an array of shape {got.shape}.",
        )
    if not want.ndim:
        return Text(
            f"{part} 应当是单独一个数，实际形状为 {got.shape}{seen.zh}。",
            f"{part} should be a single number, but has shape {got.shape}{seen.en}.",
        )
    return Text(
        f"{part} 的形状应为 {want.shape}，实际为 {got.shape}{seen.zh}。",
        f"{part} should have shape {want.shape}, but has {got.shape}{seen.en}.",
    )


def _shown(got) -> Text:
    """A few whole numbers themselves, which say more than their shape; else nothing."""
    if got.dtype.kind not in "iu" or not 0 < got.size <= SHOWN or got.ndim > 2:
        return Text("", "")
    return Text(f"：{got.tolist()}", f": {got.tolist()}")
