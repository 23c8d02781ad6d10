"""What an answer returned, on its way to the judge."""

import numpy as np
import pytest
from keras import ops

from autograder.returned import Unusable, to_arrays
from autograder.sandbox import protocol


@pytest.mark.parametrize(
    ("returned", "wanted"),
    [
        (np.array(["天", "好"])[0], "天"),  # a text of NumPy's own kind, as rng.choice gives it
        ([("a", np.str_("b"), np.int64(1))], (("a", "b", 1),)),
        (np.array([["ab", "c"], ["d", ""]]), (("ab", "c"), ("d", ""))),
        ({"word": np.str_("x")}, {"word": "x"}),
        (np.float32(0.5), 0.5),
        (None, None),
    ],
)
def test_texts_and_numbers_of_numpy_travel_like_pythons(returned, wanted):
    found = to_arrays(returned)
    assert found == wanted
    protocol.encode(found)


def test_tensors_become_arrays_wherever_they_are():
    found = to_arrays([ops.ones((2, 3)), {"x": ops.zeros((1,), "int32")}])
    assert found[0].shape == (2, 3) and found[1]["x"].dtype == np.int32


@pytest.mark.parametrize("returned", [object(), np.array([object()]), [{1, 2}]])
def test_what_is_no_number_and_no_text_is_refused(returned):
    with pytest.raises(Unusable, match="no array of numbers"):
        to_arrays(returned)
