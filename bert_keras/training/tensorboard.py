"""The curves of a run for TensorBoard, written with TensorFlow's own writer.

TensorBoard itself need not be installed to write them, only TensorFlow. The whole log is written
anew, from the history in the checkpoint, when a run is resumed: so no step is there twice.
"""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path
from typing import Any

from bert_keras.errors import UserError

FOLDER = "tensorboard"


class TensorBoardError(UserError):
    """The curves cannot be written; the message is one line."""


class ScalarLog:
    """Writes one curve for every figure of the rows it is given.

    Args:
        run_folder: the log goes into its `tensorboard` folder, which is emptied first.
        rows: dicts with "step" and figures, written at once: the history so far.

    Raises:
        TensorBoardError: TensorFlow is not installed.
    """

    def __init__(self, run_folder: str | Path, rows: list[dict[str, Any]] = ()):
        if importlib.util.find_spec("tensorflow") is None:
            raise TensorBoardError(
                "training.tensorboard needs TensorFlow to write its files (pip install "
                "tensorflow); run.json holds the same figures without it"
            )
        import tensorflow as tf

        folder = Path(run_folder) / FOLDER
        shutil.rmtree(folder, ignore_errors=True)
        self._tf = tf
        with tf.device("cpu"):
            self._writer = tf.summary.create_file_writer(str(folder))
        for row in rows:
            self.add(row)

    def add(self, row: dict[str, Any]) -> None:
        """Write the numbers of one row at its step.

        Args:
            row: dict with "step", an int, and figures; what is not a number is left out.
        """
        tf = self._tf
        # `tf.summary.scalar` lives in TensorBoard; this is what it writes.
        metadata = tf.compat.v1.SummaryMetadata(
            plugin_data=tf.compat.v1.SummaryMetadata.PluginData(plugin_name="scalars"),
            data_class=1,  # DATA_CLASS_SCALAR
        )
        with tf.device("cpu"), self._writer.as_default():
            for name, value in row.items():
                if name != "step" and isinstance(value, (int, float)):
                    tensor = tf.constant(value, tf.float32)
                    tf.summary.write(name, tensor, step=row["step"], metadata=metadata)
        self._writer.flush()

    def close(self) -> None:
        """Close the file."""
        self._writer.close()


def read_scalars(run_folder: str | Path) -> dict[str, list[tuple[int, float]]]:
    """Read the curves back.

    Args:
        run_folder: of a run with `training.tensorboard`.

    Returns:
        dict of lists of (step, value), in the order in which they were written.
    """
    import tensorflow as tf

    curves: dict[str, list[tuple[int, float]]] = {}
    for path in sorted((Path(run_folder) / FOLDER).glob("events.out.tfevents.*")):
        for record in tf.data.TFRecordDataset(str(path)):
            event = tf.compat.v1.Event.FromString(record.numpy())
            for value in event.summary.value:
                number = float(tf.make_ndarray(value.tensor))
                curves.setdefault(value.tag, []).append((int(event.step), number))
    return curves
