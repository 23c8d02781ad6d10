"""Work on pieces of a text: in this process, in several, or on a Dask cluster.

All three hand out results in the order of the tasks, and have only a few tasks under way, so memory
holds a few pieces however long the text is.
"""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import os
import signal
import threading
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import connection
from pathlib import Path
from typing import Any

from bert_keras import __version__
from bert_keras.errors import UserError
from bert_keras.text.corpora.archives import CorpusError

KEPT = "finished shards are kept; run the same command again"
# Seconds to wait for a scheduler, and for a first worker.
PATIENCE = 60
_HERE = ("127.0.0.1", "localhost", "[::1]")

Map = Callable[[Callable[..., Any], Iterable[tuple]], Iterator[Any]]


@dataclass(frozen=True)
class Cluster:
    """Where a Dask cluster is and how to be let in.

    Its workers need this package in the same version and, for text in files, the files under the
    same paths.

    Args:
        address: `tls://host:port` of the scheduler; on this machine also `tcp://127.0.0.1:port`.
        cert, key: certificate and key of whoever starts the work, PEM files.
        ca: certificate of the authority that signed everybody's.
    """

    address: str
    cert: Path | None = None
    key: Path | None = None
    ca: Path | None = None

    def __post_init__(self):
        host = self.address.removeprefix("tcp://").rpartition(":")[0]
        if self.address.startswith("tcp://") and host in _HERE:
            return
        if not self.address.startswith("tls://"):
            raise CorpusError(
                f"--cluster {self.address}: it takes tls://host:port; on a cluster without "
                "encryption anybody in the network could run programs"
            )
        for name in ("cert", "key", "ca"):
            path = getattr(self, name)
            if path is None:
                raise CorpusError(f"--cluster needs --cluster-{name} FILE too (PEM)")
            if not Path(path).is_file():
                raise CorpusError(f"--cluster-{name} {path}: there is no such file")


@contextlib.contextmanager
def open_workers(jobs: int = 1, cluster: Cluster | None = None) -> Iterator[tuple[Map, int]]:
    """Workers for as long as the context lasts.

    Args:
        jobs: processes on this machine; 1 works in this process.
        cluster: a Dask cluster, which takes the place of processes.

    Yields:
        A function that maps a function over tuples of arguments and yields the results in order,
        and the number of workers.

    Raises:
        CorpusError: workers cannot be had, or were lost; whatever the function raises passes too.
    """
    if cluster is not None:
        with _dask(cluster) as client:
            yield _on_cluster(client), sum(client.nthreads().values())
    elif jobs > 1:
        # Started afresh, not forked: a fork would inherit locks that other threads hold.
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(jobs, context, initializer=_start_worker) as pool:
            try:
                yield _in_order(lambda f, task: pool.submit(f, *task), lambda: jobs), jobs
            except BrokenProcessPool:
                raise CorpusError(
                    f"a worker process died, perhaps for want of memory; {KEPT}, with fewer --jobs"
                ) from None
            finally:
                pool.shutdown(wait=False, cancel_futures=True)
    else:
        yield (lambda function, tasks: (function(*task) for task in tasks)), 1


def _in_order(submit: Callable[..., Any], width: Callable[[], int]) -> Map:
    def mapped(function, tasks):
        waiting: deque[Future] = deque()
        try:
            for task in tasks:
                waiting.append(submit(function, task))
                # As many again as there are workers, so that none has to wait.
                while len(waiting) > 2 * width():
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()

    return mapped


def _start_worker() -> None:
    """Leave Ctrl-C to the parent, and end when it ends, however that happens."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()

    def watch():
        connection.wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextlib.contextmanager
def _dask(cluster: Cluster) -> Iterator[Any]:
    try:
        from distributed import Client, Security
    except ImportError:
        hint = "pip install 'bert-from-scratch[cluster]'"
        raise CorpusError(f"--cluster needs Dask's distributed: {hint}") from None
    # What it logs is said in one line of ours; pieces of text are as large as they are.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    warnings.filterwarnings("ignore", message="Sending large graph")
    security = Security()
    if cluster.address.startswith("tls://"):
        security = Security(
            require_encryption=True,
            tls_ca_file=str(cluster.ca),
            tls_client_cert=str(cluster.cert),
            tls_client_key=str(cluster.key),
        )
    try:
        client = Client(cluster.address, security=security, timeout=PATIENCE)
    except (OSError, ValueError, TimeoutError) as error:
        why = " ".join(str(error).split())[:300] or type(error).__name__
        raise CorpusError(f"--cluster {cluster.address} cannot be reached: {why}") from None
    with client:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise CorpusError(f"--cluster {cluster.address} has no worker") from None
        yield client


def _on_cluster(client: Any) -> Map:
    ordered = _in_order(
        lambda function, task: client.submit(_checked, __version__, function, task, pure=False),
        lambda: max(1, sum(client.nthreads().values())),
    )

    def mapped(function, tasks):
        from distributed import KilledWorker
        from distributed.client import FutureCancelledError

        try:
            for problem, result in ordered(function, tasks):
                if problem:
                    raise CorpusError(problem)
                yield result
        except (KilledWorker, FutureCancelledError, OSError) as error:
            raise CorpusError(f"the cluster was lost ({type(error).__name__}); {KEPT}") from None

    return mapped


def _checked(version: str, function: Callable[..., Any], task: tuple) -> tuple[str, Any]:
    """Run a task on a worker of the cluster; what the user can mend comes back as words."""
    if version != __version__:
        return f"a worker has bert_keras {__version__}, this machine {version}", None
    try:
        return "", function(*task)
    except UserError as error:
        return f"a worker of the cluster says: {error}", None
