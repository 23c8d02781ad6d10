"""How fast a run goes and how long it will still take."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from tqdm import tqdm


def progress_bar(what: str, unit: str, total: int | None, initial: int = 0) -> tqdm:
    """A bar on standard error, with the time left, drawn at most once a second.

    Args:
        what: str, stands before the bar.
        unit: str, the plural of what is counted.
        total: int, how many there will be; None if nobody knows.
        initial: int, how many are done already.

    Returns:
        The bar, a context manager with `update(count)`.
    """
    return tqdm(
        total=total,
        initial=initial,
        desc=what,
        unit=f" {unit}",
        file=sys.stderr,
        dynamic_ncols=True,
        mininterval=1.0,
    )


class Meter:
    """Counts tokens, operations and seconds of training steps, and draws the bar.

    What is not training is not counted: compiling (the first step of every shape), logging,
    evaluating, writing checkpoints.

    Args:
        bar: from `progress_bar`; one unit is one step.
        operations: function of the inputs of a batch that returns the floating-point operations
            of one training step with it; None if nobody knows.
        peak: float, operations per second that this machine reaches in a matrix product; 0 if it
            was not measured.
    """

    def __init__(
        self,
        bar: tqdm,
        operations: Callable[[dict[str, np.ndarray]], int] | None = None,
        peak: float = 0.0,
    ):
        self.bar = bar
        self.peak = peak
        self._operations = operations or (lambda inputs: 0)
        self._sizes: dict[int, tuple[int, int, int, tuple[int, ...]]] = {}
        self._seen: set[tuple[int, ...]] = set()
        self._whole, self._recent = np.zeros(4), np.zeros(4)
        self._since, self._next = 0.0, 0
        self._loss = ""

    def watch(self, make: Callable[[int], Any]) -> Callable[[int], Any]:
        """The same function of a batch's number, with every batch measured on its way.

        Args:
            make: returns inputs, a dict with padding_mask bool (B, T), and targets.

        Returns:
            A function that takes a number and returns what `make` does.
        """

        def measured(number: int):
            batch = make(number)
            mask = batch[0]["padding_mask"]
            # Written before the batch is handed on, so whoever has the batch finds its sizes.
            self._sizes[number] = (
                mask.size,
                int(np.count_nonzero(mask)),
                self._operations(batch[0]),
                mask.shape,
            )
            return batch

        return measured

    def begin(self, number: int) -> None:
        """Training goes on with the batch of this number.

        Args:
            number: of the next batch.
        """
        self._since, self._next = time.perf_counter(), number

    def stepped(self, number: int, loss: float | None = None) -> None:
        """The step with the batch of this number is done, or, where nobody waits, under way.

        Args:
            number: int, of the batch.
            loss: float, if it is known already.
        """
        shape = self._sizes[number][3]
        if shape not in self._seen:  # this step was compiled first
            self._seen.add(shape)
            self._count_to(number)
            self._since, self._next = time.perf_counter(), number + 1
        if loss is not None:
            self._show(loss)
            self.bar.update()

    def end(self, number: int, loss: float, shown: bool) -> None:
        """All steps up to the batch of this number, and that one excluded, are done.

        Args:
            number: int, of the next batch.
            loss: float, to show.
            shown: bool, whether `stepped` has drawn every step.
        """
        self._count_to(number)
        self._show(loss)
        if not shown:
            self.bar.update(number - self.bar.n)
        for old in [n for n in self._sizes if n < number]:
            del self._sizes[old]

    def _count_to(self, number: int) -> None:
        found = [self._sizes[n][:3] for n in range(self._next, number)]
        if found:
            seconds = time.perf_counter() - self._since
            amounts = np.array([*np.sum(found, axis=0), seconds], float)
            self._whole, self._recent = self._whole + amounts, self._recent + amounts

    def _show(self, loss: float) -> None:
        rates = self.rates()
        text = f"loss {loss:.3f}"
        if rates:
            text += f", {rates['tokens_per_second']:,.0f} tokens/s"
        if "mfu" in rates:
            text += f", MFU {rates['mfu']:.0%}"
        self.bar.set_postfix_str(text, False)

    def rates(self, recent: bool = False) -> dict[str, float]:
        """Speed since the start, or since the last call with `recent`.

        Args:
            recent: whether to start from the last call.

        Returns:
            dict of padded_tokens_per_second (all places of all rows), tokens_per_second (those
            that hold a token) and, if the peak is known, mfu: the share of the peak that the
            model's own operations make use of. Empty before there is something to tell.

        Reference:
            Chowdhery et al., PaLM (2022), appendix B, for model FLOPs utilization.
        """
        places, tokens, operations, seconds = self._recent if recent else self._whole
        if recent:
            self._recent = np.zeros(4)
        if seconds <= 0:
            return {}
        rates = {
            "padded_tokens_per_second": round(places / seconds, 1),
            "tokens_per_second": round(tokens / seconds, 1),
        }
        if self.peak and operations:
            rates["mfu"] = round(operations / seconds / self.peak, 4)
        return rates
