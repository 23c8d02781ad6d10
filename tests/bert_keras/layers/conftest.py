import numpy as np
import pytest
from backend_tools import randomize


@pytest.fixture
def rng():
    return np.random.default_rng(20181011)


@pytest.fixture
def randomized():
    """randomized(layer, *inputs): the layer, built, with random weights everywhere."""

    def build(layer, *inputs):
        layer(*inputs)
        randomize(layer)
        return layer

    return build
