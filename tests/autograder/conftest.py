"""One warm process for all tests that need a sandbox, and a tiny notebook to grade in it."""

import pytest
from tiny_course import LIMITS, TINY, register, unregister

from autograder.sandbox import Sandbox


@pytest.fixture(scope="session")
def warm():
    """A sandbox with short limits; starting it takes as long as importing Keras."""
    with Sandbox(LIMITS) as sandbox:
        yield sandbox


@pytest.fixture
def tiny():
    """Registers the exercises of the tiny notebook, and takes them back afterwards."""
    register()
    yield TINY
    unregister()
