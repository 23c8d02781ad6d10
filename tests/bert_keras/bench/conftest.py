import pytest

from bert_keras.bench.work import Work


@pytest.fixture
def small():
    """Sizes that are all different; small enough to count by hand."""
    return Work(
        size="small",
        op="train",
        batch_size=2,
        sequence_length=7,
        predictions=3,
        vocabulary_size=11,
        num_layers=2,
        num_heads=1,
        hidden_dim=4,
        intermediate_dim=5,
        max_sequence_length=9,
    )
