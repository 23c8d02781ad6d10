"""The losses of a pretraining as a picture, beside models that only count."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bert_keras.errors import UserError


class CurvesError(UserError):
    """The picture cannot be drawn; the message is one line."""


def check(path: str | Path) -> None:
    """Find out before a long run whether a picture can be drawn after it.

    Args:
        path: where it is to go.

    Raises:
        CurvesError: matplotlib is missing, or the folder is.
    """
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise CurvesError("--plot needs matplotlib (pip install matplotlib)") from None
    if not Path(path).resolve().parent.is_dir():
        raise CurvesError(f"cannot draw {path}: there is no folder {Path(path).parent}")


def curves_of(run: dict[str, Any]) -> dict[str, list[tuple[int, float]]]:
    """The points of the picture.

    Args:
        run: the record of a pretraining, as `pretrain` returns it.

    Returns:
        dict of lists of (step, nats): "train" at all predicted positions, and "dev" at those
        replaced by [MASK], which is empty without `training.evaluate_every`.
    """
    history = run["history"]
    return {
        "train": [(row["step"], row["mlm_loss"]) for row in history if "mlm_loss" in row],
        "dev": [(row["step"], row["dev_masked"]) for row in history if "dev_masked" in row],
    }


def plot_losses(run: dict[str, Any], path: str | Path) -> None:
    """Draw how the loss fell, with the yardsticks as lines, into a PNG.

    Args:
        run: the record of a pretraining, as `pretrain` returns it.
        path: of the picture.

    Raises:
        CurvesError: the file cannot be written.
    """
    from matplotlib.figure import Figure

    from bert_keras.analysis.plots import COLOURS, STYLES

    points, loss = curves_of(run), run["held_out"]["loss_in_nats"]
    figure = Figure(figsize=(6.4, 4.0), layout="constrained")
    axes = figure.subplots()
    for number, (name, label) in enumerate(
        (("train", "training, all predicted places"), ("dev", "held out, at [MASK]"))
    ):
        if points[name]:
            axes.plot(*zip(*points[name], strict=True), color=COLOURS[number], label=label)
    axes.plot(
        [run["best_step"] or run["steps"]],
        [loss["masked"]],
        "o",
        color=COLOURS[1],
        label=f"test, at [MASK]: {loss['masked']:.2f}",
    )
    for number, (name, label) in enumerate(
        (("unigram", "by frequency"), ("neighbours", "by both neighbours"))
    ):
        axes.axhline(
            loss[name],
            color=COLOURS[2 + number],
            linestyle=STYLES[1 + number],
            label=f"{label}: {loss[name]:.2f}",
        )
    axes.set(xlabel="step", ylabel="nats per token")
    axes.legend()
    try:
        figure.savefig(path, dpi=150, format="png")
    except OSError as error:
        raise CurvesError(f"cannot write {path}: {error.strerror}") from None
