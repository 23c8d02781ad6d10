"""Keep the best weights, and stop when nothing has become better for a while."""

from __future__ import annotations

from typing import Any

import numpy as np

from bert_keras.training import checkpoints


class EarlyStop:
    """Watches one figure.

    What it knows is in `state`, plain numbers, and `best`, arrays; both go into checkpoints.

    Args:
        model: Keras model.
        patience: int, looks in a row without improvement after which to stop; 0 watches nothing.
        state: dict to keep the numbers in; changed in place.
        best: weights from a checkpoint, or empty.
    """

    def __init__(
        self, model, patience: int, state: dict[str, Any], best: dict[str, np.ndarray] | None = None
    ):
        self.model = model
        self.patience = patience
        self.state = state
        self.best = dict(best or {})

    @property
    def stopped(self) -> bool:
        """Whether the patience is used up."""
        return bool(self.patience) and self.state.get("waited", 0) >= self.patience

    def look(self, step: int, figure: float) -> None:
        """Take note of a figure; the lower the better.

        Args:
            step: int, where the run is.
            figure: float.
        """
        if not self.patience:
            return
        if "figure" not in self.state or figure < self.state["figure"]:
            self.state.update(figure=figure, step=step, waited=0)
            self.best = checkpoints.weights_of(self.model)
        else:
            self.state["waited"] += 1

    def take_best(self) -> int | None:
        """Give the model its best weights.

        Returns:
            The step they are from; None if nothing was watched.
        """
        if not self.best:
            return None
        checkpoints.put_weights(self.model, self.best)
        return self.state["step"]
