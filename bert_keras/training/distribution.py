"""Training on several devices, on Keras's own engines.

    with distribution.scope(config.distribution) as where:
        model = where.adopt(build_and_compile())        # TensorFlow's engine needs this
        inputs, targets = where.shard(whole_batch)      # the rows that this process feeds
        model.fit(...)                                  # or train_on_batch
        arrays = [distribution.to_numpy(v) for v in model.variables]  # in every process
        if where.is_main: ...                           # write them
        figures = evaluate(where.local(model))          # in every process, on one device each

On JAX it is `keras.distribution`: data parallel, model parallel, any number of hosts. On
TensorFlow, where `keras.distribution` silently does nothing, it is MirroredStrategy on one host.
What no engine does is refused in one line. docs/scaling.md has the commands.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import keras
import numpy as np

from bert_keras.training.layouts import ModelParallel
from bert_keras.training.roll_call import DistributionError, meet
from bert_keras.training.sections import DistributionSection

__all__ = ["DistributionError", "Scope", "scope", "to_numpy"]

_JAX = "KERAS_BACKEND=jax bert-keras pretrain CONFIG.toml"


@dataclass
class Scope:
    """Where a run computes, and which part of it this process is.

    Attributes:
        is_main: whether this process writes files: the first of all, or the only one.
        devices: names of the devices of all processes; empty where Keras picks one by itself.
        process: number of this process.
        processes: how many there are.
        replicas: parts that the rows of a batch are cut into, one for each copy of the model.
    """

    is_main: bool = True
    devices: tuple[str, ...] = ()
    process: int = 0
    processes: int = 1
    replicas: int = 1
    _feeds: tuple[int, int] = (0, 1)
    _mirrored: Any = field(default=None, repr=False)
    _adopted: bool = field(default=False, repr=False)
    _building: contextlib.ExitStack = field(default_factory=contextlib.ExitStack, repr=False)
    _copies: dict[int, tuple[Any, Any]] = field(default_factory=dict, repr=False)

    def shard(self, batch: Any) -> Any:
        """What this process feeds: its rows of a batch that is the same in all processes.

        With one process that is the whole batch; the engine cuts it up for its devices.

        Args:
            batch: array of shape (B, …), or a nested structure of such.

        Returns:
            The same structure, of arrays of shape (B / feeding processes, …).

        Raises:
            DistributionError: B can't be divided among the copies of the model.
        """
        if self._mirrored is not None and not self._adopted:
            raise DistributionError("MirroredStrategy needs Scope.adopt(model) before it is fed")
        place, parts = self._feeds

        def rows(array):
            if len(array) % self.replicas:
                raise DistributionError(
                    f"a batch of {len(array)} rows can't be divided among {self.replicas} "
                    "copies of the model: make training.batch_size a multiple of it"
                )
            size = len(array) // parts
            return array[place * size : (place + 1) * size]

        return keras.tree.map_structure(rows, batch)

    def adopt(self, model: keras.Model) -> keras.Model:
        """Make a compiled model ready for this scope; it must have been built inside of it.

        Only MirroredStrategy needs anything: see `bert_keras.training.mirrored`.

        Args:
            model: the model.

        Returns:
            The same model.

        Raises:
            DistributionError: with MirroredStrategy, when it is compiled with XLA.
        """
        if self._mirrored is not None:
            from bert_keras.training import mirrored

            mirrored.adopt(model, self._mirrored)
            self._adopted = True
            # From here on the model enters its strategy by itself, and what is built, such as a
            # copy for evaluation, has none.
            self._building.close()
        return model

    def local(self, model: keras.Model) -> keras.Model:
        """The model on one device of this process, for evaluation and export.

        Every process has to call it; weights that lie on several hosts are put together here.

        Args:
            model: the model that was trained.

        Returns:
            A copy that needs no other device or process, not compiled, always the same one with
            the weights of the moment; without distribution, the model itself.
        """
        if not self.devices:
            return model
        weights = [to_numpy(variable) for variable in model.variables]
        with _no_distribution():
            if id(model) not in self._copies:
                # With the model itself, whose id would otherwise be given to another.
                self._copies[id(model)] = model, type(model).from_config(model.get_config())
            copy = self._copies[id(model)][1]
            for variable, value in zip(copy.variables, weights, strict=True):
                variable.assign(value)
        return copy

    def agree(self, figure: float) -> float:
        """The main process's figure, in every process.

        For decisions that all have to take alike, such as when to stop.

        Args:
            figure: what this process found.

        Returns:
            What the main process found.
        """
        if self.processes == 1:
            return figure
        from jax.experimental import multihost_utils

        # As two halves, because JAX would round the number to 32 bits.
        halves = np.array([figure], np.float64).view(np.int32)
        return float(multihost_utils.broadcast_one_to_all(halves).view(np.float64)[0])


@contextlib.contextmanager
def scope(section: DistributionSection) -> Iterator[Scope]:
    """Compute on what the section names while the context is open.

    The model, its optimizer and every step on them belong inside. Several processes meet at the
    beginning and part at the end, so that what comes after it needs no other process.

    Args:
        section: strategy, devices and processes.

    Yields:
        The scope; with strategy "none" it changes nothing.

    Raises:
        DistributionError: what was asked can't be had, or another process is gone.
    """
    backend = keras.backend.backend()
    if section.strategy == "none":
        if section.coordinator or section.processes > 1:
            raise DistributionError('several processes need distribution.strategy = "data"')
        yield Scope()
    elif backend == "jax":
        with _jax(section) as where:
            yield where
    elif backend == "tensorflow":
        with _tensorflow(section) as where:
            yield where
    else:
        raise DistributionError(
            f"on the {backend} backend this trains on one device; for more: {_JAX}"
        )


def to_numpy(variable: Any) -> np.ndarray:
    """The value of a variable, wherever its parts lie.

    When parts lie on other hosts, every process has to call this at the same time.

    Args:
        variable: Keras variable or tensor, of any shape and dtype.

    Returns:
        NumPy array of that shape and dtype.
    """
    value = variable.value if isinstance(variable, keras.Variable) else variable
    if keras.backend.backend() == "jax" and not (
        value.is_fully_addressable or value.is_fully_replicated
    ):
        from jax.experimental import multihost_utils

        return np.asarray(multihost_utils.process_allgather(value, tiled=True))
    if keras.backend.backend() == "tensorflow" and hasattr(value, "numpy"):
        return np.asarray(value.numpy())  # Keras's own way fails for mirrored scalars.
    return keras.ops.convert_to_numpy(value)


def _pick(found: list[str], asked: int) -> list[str]:
    if asked > len(found):
        raise DistributionError(
            f"distribution.devices is {asked}, but there are {len(found)}: {', '.join(found)}"
        )
    return found[: asked or len(found)]


@contextlib.contextmanager
def _jax(section: DistributionSection) -> Iterator[Scope]:
    line = meet(section)
    try:
        with _keras_distribution(section) as where:
            yield where
    except BaseException as error:
        # The runtime's own complaint and the news of a lost process come in any order.
        lost = "" if line is None or isinstance(error, DistributionError) else line.noticed(2.0)
        if line is not None:
            line.end(orderly=False)
        if lost:
            raise DistributionError(lost) from None
        raise
    if line is not None:
        import jax

        jax.distributed.shutdown()  # Waits for all, so nobody takes the others' end for a loss.
        line.end(orderly=True)


@contextlib.contextmanager
def _keras_distribution(section: DistributionSection) -> Iterator[Scope]:
    import jax

    names = keras.distribution.list_devices()
    process, processes = jax.process_index(), jax.process_count()
    devices = _pick(names, section.devices)
    if processes > 1 and len(devices) < len(names):
        raise DistributionError(
            f"several processes have to use all their {len(names)} devices: set "
            f"distribution.devices to 0, not {section.devices}"
        )
    shared = section.model_parallel
    if len(devices) % shared:
        raise DistributionError(
            f"distribution.model_parallel ({shared}) must divide the {len(devices)} devices"
        )
    replicas = len(devices) // shared
    if section.strategy == "data":
        engine = keras.distribution.DataParallel(devices=devices, auto_shard_dataset=False)
    else:
        mesh = keras.distribution.DeviceMesh((replicas, shared), ("batch", "model"), devices)
        engine = ModelParallel(
            layout_map=keras.distribution.LayoutMap(mesh),
            batch_dim_name="batch",
            auto_shard_dataset=False,
        )
    # With more processes than copies of the model, several feed the same rows.
    feeds = (engine.data_shard_id, min(processes, replicas))
    with engine.scope():
        yield Scope(process == 0, tuple(devices), process, processes, replicas, feeds)


@contextlib.contextmanager
def _tensorflow(section: DistributionSection) -> Iterator[Scope]:
    import tensorflow as tf

    if section.strategy == "model" or section.coordinator or section.processes > 1:
        what = "model parallelism" if section.strategy == "model" else "several processes"
        raise DistributionError(f"{what} would do nothing on the TensorFlow backend: use {_JAX}")
    found = tf.config.list_logical_devices("GPU") or tf.config.list_logical_devices("CPU")
    devices = _pick([device.name for device in found], section.devices)
    strategy = tf.distribute.MirroredStrategy(devices)
    names, copies = tuple(devices), len(devices)
    with contextlib.ExitStack() as building:
        building.enter_context(strategy.scope())
        yield Scope(devices=names, replicas=copies, _mirrored=strategy, _building=building)


@contextlib.contextmanager
def _no_distribution() -> Iterator[None]:
    """What is built in here lies on one device, though a distribution is in force outside."""
    kept = keras.distribution.distribution()
    keras.distribution.set_distribution(None)
    try:
        yield
    finally:
        keras.distribution.set_distribution(kept)
