"""Averages over batches."""

import json

from bert_keras.training.record import Averages


def test_means_since_the_last_time():
    averages = Averages({})
    for loss in (1.0, 2.0, 6.0):
        averages.add({"loss": loss, "other": -loss})
    assert averages.take() == {"loss": 3.0, "other": -3.0}
    averages.add({"loss": 0.5})
    assert averages.take() == {"loss": 0.5}


def test_they_go_on_after_a_checkpoint():
    whole, first = Averages({}), Averages({})
    for number in range(7):
        whole.add({"loss": number / 3})
        if number < 4:
            first.add({"loss": number / 3})
    second = Averages(json.loads(json.dumps(first.state)))
    for number in range(4, 7):
        second.add({"loss": number / 3})
    assert second.take() == whole.take() == {"loss": 1.0}
