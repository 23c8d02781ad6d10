"""Processes that train together keep a line open to each other, to notice when one is gone.

A collective operation waits for every process. When one of them dies, the others may wait for
minutes, and end with a stack trace of the runtime instead of a message. The kernel closes a dead
process's connections at once, so each process holds one to process 0 and watches it.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import socket
import sys
import threading
import time

from bert_keras.errors import UserError
from bert_keras.training.sections import DistributionSection

GOODBYE = b"."
# A blocked main thread never sees an exception: after so many seconds the watching thread ends it.
GRACE_SECONDS = 5.0


class DistributionError(UserError):
    """Devices or processes can't train together as asked; the message is one line."""


class RollCall:
    """The line between the processes of one run.

    Args:
        address: "host:port" where process 0 is to be found; process 0 listens one port above it,
            because the runtime uses the port itself.
        process: number of this process, 0 to processes - 1.
        processes: how many there are.
        patience: seconds to wait until all of them have reported.

    Raises:
        DistributionError: somebody did not report in time, or the address is unusable.
    """

    def __init__(self, address: str, process: int, processes: int, patience: float):
        self.address, self.process, self.processes = address, process, processes
        self.lost = ""
        self._noticed = threading.Event()
        self._over = threading.Event()
        self._first = threading.Lock()
        self._lines: dict[int, socket.socket] = {}
        host, _, port = address.rpartition(":")
        try:
            there = (host.strip("[]"), int(port) + 1)
            if not there[0]:
                raise ValueError
        except ValueError:
            raise DistributionError(
                f"distribution.coordinator must be host:port, such as 10.0.0.1:8476, not "
                f"{address!r}"
            ) from None
        deadline = time.monotonic() + patience
        try:
            if process == 0:
                self._gather(there, deadline, patience)
            else:
                self._report(there, deadline, patience)
        except BaseException:
            self._close()
            raise
        for number, line in self._lines.items():
            _watch_for_dead_hosts(line)
            thread = threading.Thread(target=self._watch, args=(number, line), daemon=True)
            thread.start()

    def _gather(self, there, deadline: float, patience: float) -> None:
        try:
            family = socket.AF_INET6 if ":" in there[0] else socket.AF_INET
            server = socket.create_server(
                (("::" if ":" in there[0] else ""), there[1]), family=family
            )
        except OSError as error:
            raise DistributionError(
                f"process 0 can't listen on port {there[1]} ({error.strerror}): choose another "
                "port in distribution.coordinator; it and the one above must be free"
            ) from None
        with server:
            while len(self._lines) < self.processes - 1:
                server.settimeout(max(0.01, deadline - time.monotonic()))
                try:
                    line, _ = server.accept()
                    line.settimeout(max(0.01, deadline - time.monotonic()))
                    number, total = (int(part) for part in line.recv(32).split())
                except ValueError:
                    line.close()  # Somebody else's connection.
                    continue
                except OSError:
                    if time.monotonic() < deadline:
                        continue
                    missing = sorted(set(range(1, self.processes)) - set(self._lines))
                    raise DistributionError(
                        f"process {missing[0]} of {self.processes} did not report to "
                        f"{self.address} within {patience:g} s: start it with "
                        f"distribution.process = {missing[0]}"
                    ) from None
                if (
                    number in self._lines
                    or not 0 < number < self.processes
                    or (total != self.processes)
                ):
                    line.close()
                    raise DistributionError(
                        f"a process calls itself {number} of {total}, and this run has processes "
                        f"0 to {self.processes - 1}, each once: see distribution.process"
                    )
                self._lines[number] = line
        for line in self._lines.values():
            line.sendall(GOODBYE)  # Everybody is there.

    def _report(self, there, deadline: float, patience: float) -> None:
        while True:
            try:
                left = max(0.01, deadline - time.monotonic())
                line = self._lines[0] = socket.create_connection(there, timeout=left)
                line.sendall(b"%d %d" % (self.process, self.processes))
                if line.recv(1) == GOODBYE:
                    return
                raise DistributionError(
                    f"process 0 at {self.address} refused process {self.process} of "
                    f"{self.processes}: its own message says why"
                )
            except OSError as error:
                if time.monotonic() >= deadline:
                    raise DistributionError(
                        f"process {self.process} found no process 0 at {self.address} within "
                        f"{patience:g} s ({error.strerror or error})"
                    ) from None
                time.sleep(0.1)

    def _watch(self, number: int, line: socket.socket) -> None:
        try:
            line.settimeout(None)
            last = line.recv(1)
        except OSError:
            last = b""
        with self._first:
            if last == GOODBYE or self._over.is_set() or self.lost:
                return
            self.lost = (
                f"process {number} of {self.processes} is gone, and the others can't go on without "
                "it: start all of them again with --resume to continue from the last checkpoint"
            )
        atexit.register(_leave)
        self._noticed.set()
        self._close()  # So that everybody else notices, too.
        if not self._over.wait(GRACE_SECONDS):
            print(f"bert-keras: {self.lost}", file=sys.stderr)
            _leave()

    def noticed(self, seconds: float) -> str:
        """Why the run can't go on, or "".

        Args:
            seconds: how long to wait for such news.

        Returns:
            The message, one line.
        """
        self._noticed.wait(seconds)
        return self.lost

    def end(self, orderly: bool) -> None:
        """Close the line.

        Args:
            orderly: False when this process fails, so that the others stop as well.
        """
        self._over.set()
        if orderly:
            for line in self._lines.values():
                with contextlib.suppress(OSError):
                    line.sendall(GOODBYE)
        else:
            atexit.register(_leave)  # Before the runtime's handler, which waits for the others.
        self._close()

    def _close(self) -> None:
        for line in list(self._lines.values()):
            with contextlib.suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)
            line.close()


def meet(section: DistributionSection) -> RollCall | None:
    """Bring the processes of a run on JAX together, before anything is computed.

    Args:
        section: the processes; what it leaves open is taken from Keras's environment variables.

    Returns:
        The line between them; None when there is one process, or when the cluster's own runtime
        watches over them.

    Raises:
        DistributionError: they can't or did not meet.
    """
    environment = os.environ.get
    address = section.coordinator or environment("KERAS_DISTRIBUTION_JOB_ADDRESSES", "")
    if not address:
        if section.processes > 1:
            raise DistributionError(
                f"{section.processes} processes need distribution.coordinator, the host:port of "
                "process 0"
            )
        return None
    import jax
    import keras

    if jax.distributed.is_initialized():
        raise DistributionError("several processes can train together once in a Python process")
    if address == "auto":
        keras.distribution.initialize()
        return None
    address = address.split(",")[0]
    try:
        processes = section.processes or int(environment("KERAS_DISTRIBUTION_NUM_PROCESSES", "0"))
        process = section.process or int(environment("KERAS_DISTRIBUTION_PROCESS_ID", "0"))
    except ValueError as error:
        raise DistributionError(f"KERAS_DISTRIBUTION_… must hold whole numbers: {error}") from None
    if not process < processes:
        raise DistributionError(
            f"process {process} of {processes} can't be: distribution.processes must say how many "
            "there are, and distribution.process is the number of this one, from 0"
        )
    line = RollCall(address, process, processes, section.patience)
    keras.distribution.initialize(address, processes, process)
    return line


def _watch_for_dead_hosts(line: socket.socket) -> None:
    """Have the kernel ask for signs of life: a host without power closes nothing."""
    line.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in (("TCP_KEEPIDLE", 15), ("TCP_KEEPINTVL", 5), ("TCP_KEEPCNT", 3)):
        if hasattr(socket, name):
            line.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


def _leave() -> None:
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(2)
