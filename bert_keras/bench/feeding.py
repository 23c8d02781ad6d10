"""Steps on real prepared data beside steps on data that are always at hand."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from bert_keras.bench.work import Work
from bert_keras.training import config, devices, pipeline, prepare, pretrain
from bert_keras.training.sections import PretrainConfig


class Feeding:
    """The model of a configuration, and two sources of the same number of tokens.

    Both sources have rows of the same lengths in the same order, so that neither has less to
    compute: for each length the cached source repeats one batch.

    Args:
        work: not used; workers are all built alike.
        path: the TOML file of the run.
        steps: int, steps of a timed run.
    """

    about = "our own step, fed"

    def __init__(self, work: Work | None, path: str, steps: int):
        settings = config.load(PretrainConfig, path)
        devices.tune_process()
        devices.set_precision(settings.training.precision)
        corpus = prepare.load(settings.data.directory)
        self.batches = pretrain.build_batches(settings, corpus)["train"]
        self.model = pretrain.build_model(settings, corpus.vocabulary, corpus.lowercase)
        self.parameters = self.model.count_params()
        self.steps = steps
        made = [self.batches.batch(number) for number in range(steps)]
        self.widths = [inputs["token_ids"].shape for inputs, _ in made]
        self.cached = dict(zip(self.widths, made, strict=True))
        masks = [inputs["padding_mask"] for inputs, _ in made]
        self.real_tokens = sum(int(np.sum(mask)) for mask in masks)
        self.all_tokens = sum(mask.size for mask in masks)

    def run(self, steps: int) -> float:
        """Compile for every length of rows.

        Args:
            steps: int, not used.

        Returns:
            float: mean loss.
        """
        return self._fit("cached")

    def timed(self, kind: str) -> dict[str, float]:
        """Train for the agreed number of steps.

        Args:
            kind: "real" or "cached".

        Returns:
            dict of seconds, cpu_seconds and loss.
        """
        cpu, clock = time.process_time(), time.perf_counter()
        loss = self._fit(kind)
        return {
            "seconds": time.perf_counter() - clock,
            "cpu_seconds": time.process_time() - cpu,
            "loss": loss,
        }

    def padding(self) -> dict[str, Any]:
        """How much of the real batches is padding.

        Returns:
            dict of padding_share and widths, the lengths of rows that occurred.
        """
        return {
            "padding_share": round(1 - self.real_tokens / self.all_tokens, 4),
            "widths": sorted({width for _, width in self.widths}),
        }

    def _fit(self, kind: str) -> float:
        def cached(number: int):
            return self.cached[self.widths[number]]

        make = self.batches.batch if kind == "real" else cached
        several = len(set(self.widths)) > 1
        data = pipeline.as_dataset(make, 0, self.steps, widths_vary=several)
        history = self.model.fit(data, epochs=1, steps_per_epoch=self.steps, verbose=0)
        return float(history.history["loss"][-1])
