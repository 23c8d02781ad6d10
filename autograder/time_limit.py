"""A limit on how long a student's code may run inside `check()`, where nothing else stops it.

An endless loop would hang the notebook without a word. A timer thread interrupts the main thread
as Ctrl-C does, and the handler knows whose interrupt it is: the timer's becomes `OutOfTime`, the
student's own stays a `KeyboardInterrupt`. Code that hangs inside a C library can't be interrupted;
when a class is graded a sandbox ends that too.
"""

from __future__ import annotations

import _thread
import contextlib
import signal
import threading
import time
from collections.abc import Iterator

# Generous: every case of the course takes less than a second.
SECONDS = 60.0
# Once something has hung, the rest of that check gets this long for each call; and after several.
SECONDS_AFTER_A_HANG = 5.0
SECONDS_AFTER_SEVERAL = 2.0
# All calls of one check together: when they have taken so long, each of the rest gets no more than
# after a hang.
SECONDS_OF_A_CHECK = 120.0
# Code that swallows the interrupt is interrupted again after so many seconds.
AGAIN = 2.0


class OutOfTime(KeyboardInterrupt):
    """The time is up. Like its parent no `Exception`, so `except Exception` lets it pass."""


class Patience:
    """How long each call of one check may take: less and less, the longer it has gone on.

    Args:
        clock: tells the time in seconds.
    """

    def __init__(self, clock=time.monotonic):
        self._clock, self._hangs, self._spent = clock, 0, 0.0

    def seconds(self) -> float:
        """What the next call gets."""
        if self._hangs:
            several = min(SECONDS_AFTER_A_HANG, SECONDS_AFTER_SEVERAL)
            return SECONDS_AFTER_A_HANG if self._hangs == 1 else several
        return min(SECONDS, max(SECONDS_AFTER_A_HANG, SECONDS_OF_A_CHECK - self._spent))

    @contextlib.contextmanager
    def limited(self) -> Iterator[None]:
        """Raise `OutOfTime` in a call that takes longer than it may."""
        started = self._clock()
        try:
            with limited(self.seconds()):
                yield
        except OutOfTime:
            self._hangs += 1
            raise
        finally:
            self._spent += self._clock() - started


@contextlib.contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise `OutOfTime` in a block that takes longer.

    Does nothing where a thread can't be interrupted: outside the main one, or where a library in C
    has taken the interrupts over. Where they are ignored, as in a server that a script started in
    the background, the timer's is heard all the same. Afterwards the handler of interrupts is what
    it was before, and no interrupt of the timer's is still on its way.

    Args:
        seconds: wall clock.

    Raises:
        OutOfTime: from inside the block, wherever it happens to be.
    """
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGINT) is None:
        yield
        return
    alarm = _Alarm(seconds)
    # The time may be up anywhere, in this function too: whatever happens, `stop` comes last.
    try:
        try:
            alarm.start()
            yield
        finally:
            alarm.over = True
    finally:
        alarm.stop()


class _Alarm:
    """One timer, and the handler of interrupts while it runs."""

    def __init__(self, seconds: float):
        self.seconds = seconds
        self.over = False
        self._rung = self._heard = 0
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._before = signal.getsignal(signal.SIGINT)

    def start(self) -> None:
        signal.signal(signal.SIGINT, self._hear)
        threading.Thread(target=self._run, name="time limit", daemon=True).start()

    def stop(self) -> None:
        self.over = True
        try:
            with self._lock:  # nothing rings after this
                self._stopped.set()
            # What rang a moment ago must not strike the student's next line.
            for _ in range(200):
                if self._heard == self._rung:
                    break
                time.sleep(0.005)
        finally:
            signal.signal(signal.SIGINT, self._before)

    def _run(self) -> None:
        wait = self.seconds
        while not self._stopped.wait(wait):
            with self._lock:
                if self.over:
                    return
                self._rung += 1
                _interrupt()
            wait = AGAIN

    def _hear(self, number, frame) -> None:
        if self._heard == self._rung:  # the student's own
            if self._before is signal.SIG_IGN:
                return
            raise KeyboardInterrupt
        self._heard = self._rung
        if not self.over:
            raise OutOfTime


def _interrupt() -> None:
    """Interrupt the main thread; a real signal, where there is one, also ends a `sleep`."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
    else:
        _thread.interrupt_main()
