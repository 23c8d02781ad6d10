import numpy as np
from keras import ops

from bert_keras.generation import greedy_decode

BEGIN, END = 0, 4


def speaker(lines, heard=None):
    """Says the lines word for word; its states are each row's number and place."""

    def step(token_ids, states):
        rows, places = np.asarray(ops.convert_to_numpy(states[0])).astype(int).T
        if heard is not None:
            heard.append(np.asarray(ops.convert_to_numpy(token_ids)).tolist())
        pairs = zip(rows, places, strict=True)
        said = [lines[row][min(place, len(lines[row]) - 1)] for row, place in pairs]
        moved = np.stack([rows, places + 1], axis=1).astype("float32")
        return ops.one_hot(np.array(said), 5), (ops.convert_to_tensor(moved),)

    start = np.stack([np.arange(len(lines)), np.zeros(len(lines))], axis=1).astype("float32")
    return step, (ops.convert_to_tensor(start),)


def test_rows_end_when_they_say_so_and_the_loop_with_the_last():
    heard = []
    step, states = speaker([[3, END, 1, 1], [2, 3, 1, END], [END, 2, 2, 2]], heard)
    said = greedy_decode(step, states, BEGIN, END, max_length=9)
    assert ops.convert_to_numpy(said).tolist() == [[3, 4, 4, 4], [2, 3, 1, 4], [4, 4, 4, 4]]
    assert said.dtype == "int32"
    # Every row is given what it said itself, first of all the token that begins.
    assert heard == [[0, 0, 0], [3, 2, 4], [4, 3, 4], [4, 1, 4]]


def test_a_row_that_never_ends_is_stopped():
    step, states = speaker([[1], [END]])
    said = greedy_decode(step, states, BEGIN, END, max_length=3)
    assert ops.convert_to_numpy(said).tolist() == [[1, 1, 1], [4, 4, 4]]
    step, states = speaker([[1, 2]])
    assert ops.convert_to_numpy(greedy_decode(step, states, BEGIN, END, 1)).tolist() == [[1]]
