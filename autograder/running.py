"""How submissions are run: here in threads around one warm process, or on a cluster."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograder import scratch
from autograder.attempt import Gate, Spawner
from autograder.cache import Cache
from autograder.doctor import require_containment
from autograder.keys import halves
from autograder.sandbox import Limits, Sandbox
from autograder.submissions import Assignment, Handed, grade_submission

if TYPE_CHECKING:
    from autograder.cluster import Cluster

Result = dict[str, Any]
Item = tuple[Handed, str]
TIER = "auto"


@dataclass(frozen=True)
class How:
    """How a class's submissions are run.

    Args:
        jobs: How many at once on this machine.
        limits: What each may use.
        tier: Which jail they run in; "any" does without where none works.
        hidden: Folders that no submission may read.
        spawner: A running sandbox; None starts one, if any submission needs it.
        cache: Where results of whole submissions are kept, or None.
        cluster: The cluster that runs them in place of this machine, or None.
    """

    jobs: int = 1
    limits: Limits = field(default_factory=Limits)
    tier: str = TIER
    hidden: tuple[Path, ...] = ()
    spawner: Spawner | None = None
    cache: Path | None = None
    cluster: Cluster | None = None

    @property
    def contained(self) -> bool:
        """Whether a jail is demanded."""
        return self.tier not in ("limits", "any")


def run_submissions(todo: list[Item], assignment: Assignment, how: How) -> Iterator[Result]:
    """Grades submissions and yields their results as they come; see `prepared`."""
    with prepared(todo, assignment, how) as results:
        yield from results


@contextlib.contextmanager
def prepared(todo: list[Item], assignment: Assignment, how: How) -> Iterator[Iterator[Result]]:
    """Starts what submissions run in; nothing of it is left at the end.

    The warm process gets ready while the caller does something else, such as opening the gradebook;
    the first submission runs when the first result is asked for.

    Args:
        todo: Submissions with their results' keys.
        assignment: The notebook.
        how: Where and with what limits.

    Yields:
        Results as they come, with their keys.

    Raises:
        SandboxError: when no submission can be run at all.
        CommandError: when sandbox, cache or cluster cannot be used.
    """
    scratch.sweep()
    with contextlib.ExitStack() as stack:
        if not todo:
            results = iter(())
        elif how.cluster is not None:
            results = how.cluster.run(todo, assignment, how)
            stack.callback(results.close)
        else:
            own = None
            if how.spawner is None:
                own = _new_sandbox(assignment, how)
                stack.callback(own.close)
            results = _run_here(todo, assignment, how, how.spawner or own, own)
            stack.callback(results.close)
        yield results


def open_sandbox(assignment: Assignment, how: How) -> Sandbox:
    """Starts a sandbox and, before anything of a student's gets into it, tries to get out of it.

    Raises:
        SandboxError: when it cannot start.
        CommandError: when it does not contain what it must.
    """
    sandbox = _new_sandbox(assignment, how)
    try:
        _try_to_get_out(sandbox, how)
    except BaseException:
        sandbox.close()
        raise
    return sandbox


def _new_sandbox(assignment: Assignment, how: How) -> Sandbox:
    options = {"tier": how.tier, "hidden": how.hidden, "optional": assignment.modules}
    return Sandbox(how.limits, wait=False, **options)


def _try_to_get_out(sandbox: Sandbox, how: How) -> None:
    if how.contained:
        require_containment(sandbox)


def _run_here(todo, assignment, how, spawner, own) -> Iterator[Result]:
    if own is not None:
        _try_to_get_out(own, how)
    gate = Gate()
    cache = None
    if how.cache is not None:
        tier = getattr(spawner, "tier", how.tier)
        cache = Cache.open(how.cache, assignment, halves(todo[0][1])[0], tier)

    def one(handed: Handed, key: str) -> Result:
        result = cache and cache.recall(handed, spawner, gate)
        if not result:
            result = grade_submission(handed, assignment, spawner, how.limits, gate)
            if cache:
                cache.keep(result)
        return {"key": key, **result}

    with ThreadPoolExecutor(max(1, how.jobs)) as pool:
        futures = [pool.submit(one, *item) for item in todo]
        try:
            for future in as_completed(futures):
                yield future.result()
        except BaseException:
            # Ends what is still running, so that nobody waits for it.
            if own is not None:
                own.close()
            raise
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
