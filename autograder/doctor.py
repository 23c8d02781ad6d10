"""Shows that student code is contained on this machine, by trying to get out.

Each act of the probe list is carried out twice, on targets made for the purpose: outside, to show
that it works here at all, and inside the sandbox, where it must fail. `grade` runs the inside half
at every start, in the very sandbox that it grades with, and refuses to go on if an act succeeds.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass

from autograder.errors import CommandError
from autograder.results import Incident
from autograder.sandbox import Limits, Sandbox, SandboxError

ELSEWHERE = (
    "grading a class needs Linux, whose kernel contains student code; on macOS use the container, "
    "on Windows WSL or the container: see docs/security.md"
)
# Low enough to be reached in a moment; see `probes.EXCESSES`.
LIMITS = Limits(
    cell_seconds=20,
    memory_mb=256,
    file_mb=8,
    scratch_mb=32,
    processes=16,
    descriptors=128,
)
SECONDS = 20


@dataclass(frozen=True)
class Finding:
    """What came of one act.

    Args:
        name: The probe's.
        works: Whether it works outside; None where that was not tried.
        contained: Whether it failed inside.
        detail: What stopped it, or what it said outside where it does not work there.
    """

    name: str
    works: bool | None
    contained: bool
    detail: str = ""


def examine(tier: str = "auto") -> tuple[dict, list[Finding]]:
    """Runs the whole probe list.

    Args:
        tier: Which containment to examine.

    Returns:
        Facts about the system, and the findings.

    Raises:
        CommandError: where there is nothing to examine.
    """
    _linux_only()
    from autograder.sandbox.probes import PROBES
    from autograder.sandbox.targets import VARIABLE, Targets

    with contextlib.ExitStack() as stack:
        targets = stack.enter_context(Targets())
        # What must not be inherited is there to be inherited.
        stack.enter_context(_variable(VARIABLE, targets.token))
        secret = os.open(targets.names["secret"], os.O_RDONLY)
        stack.callback(os.close, secret)
        os.set_inheritable(secret, True)
        preload = ("numpy", "autograder.sandbox.child")
        try:
            sandbox = stack.enter_context(Sandbox(LIMITS, preload=preload, tier=tier))
        except SandboxError as error:
            raise CommandError(str(error)) from None
        facts = {
            "system": f"{platform.system()} {platform.release()} {platform.machine()}",
            "user": "root" if os.geteuid() == 0 else f"user {os.geteuid()}",
            "tier": sandbox.tier,
            "declined": list(sandbox.declined),
        }
        outside = _all_outside(targets, PROBES)
        findings = []
        for probe, contained, detail in _inside(sandbox, targets, PROBES):
            works, said = outside[probe.name]
            findings.append(Finding(probe.name, works, contained, detail if works else said))
    return facts, findings


def require_containment(sandbox: Sandbox) -> None:
    """Tries to get out of a running sandbox.

    Raises:
        CommandError: when an act succeeds; it names all that did.
    """
    from autograder.sandbox.probes import PROBES
    from autograder.sandbox.targets import Targets

    with Targets() as targets:
        quick = [probe for probe in PROBES if not probe.alone]
        through = [probe.name for probe, ok, _ in _inside(sandbox, targets, quick) if not ok]
    if through:
        raise CommandError(
            f"student code would not be contained on this machine: it could {', '.join(through)}; "
            "see autograder doctor and docs/security.md"
        )


def _inside(sandbox: Sandbox, targets, probes: Iterable) -> Iterator[tuple]:
    """Each probe with whether it was contained, and what stopped it."""
    child = None
    try:
        for probe in probes:
            targets.reset()
            if probe.alone and child is not None:
                child.close()
            if child is None or not child.alive:
                child = sandbox.spawn()
            outcome = child.run_cell(f"T = {targets.names!r}\n{probe.act}", "act")
            if probe.alone:
                child.close()
            through = probe.proof(targets, outcome.stdout)
            error = outcome.error or {}
            words = ": ".join(part for part in (error.get("type"), error.get("message")) if part)
            yield probe, not through, words or outcome.status
    except Incident as incident:
        raise CommandError(f"the self-test could not be finished: {incident}") from None
    finally:
        if child is not None:
            child.close()
        targets.reset()


def _all_outside(targets, probes: Iterable) -> dict[str, tuple[bool, str]]:
    """Each act as an ordinary process of this user; those that aim at nothing, side by side."""
    found = {}
    with ThreadPoolExecutor(3) as pool:
        later = {p.name: pool.submit(_outside, p, targets) for p in probes if p.alone}
        for probe in probes:
            if not probe.alone:
                targets.reset()
                found[probe.name] = _outside(probe, targets)
        return {**found, **{name: future.result() for name, future in later.items()}}


def _outside(probe, targets) -> tuple[bool, str]:
    """Whether an act works as an ordinary process of this user, and its last words if not."""
    from autograder.sandbox.targets import VARIABLE

    with tempfile.TemporaryDirectory(prefix="autograder-act-") as folder:
        try:
            done = subprocess.run(
                [sys.executable, "-I", "-S", "-c", f"T = {targets.names!r}\n{probe.act}"],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                close_fds=False,
                cwd=folder,
                env={VARIABLE: targets.token, "PATH": os.defpath},
                timeout=SECONDS,
                start_new_session=True,
            )
            output, errors = done.stdout.decode("utf-8", "replace"), done.stderr.decode().strip()
        except subprocess.TimeoutExpired:
            output, errors = "", "it took too long"
        works = probe.proof(targets, output)
    return works, "" if works else (errors.splitlines() or ["nothing came of it"])[-1]


@contextlib.contextmanager
def _variable(name: str, value: str) -> Iterator[None]:
    os.environ[name] = value
    try:
        yield
    finally:
        del os.environ[name]


def _linux_only() -> None:
    if sys.platform != "linux":
        raise CommandError(ELSEWHERE)


# --- command line ----------------------------------------------------------------------------


def add_parser(subparsers) -> None:
    """Adds `doctor` to the command line."""
    text = "show that student code is contained on this machine, by trying to get out"
    parser = subparsers.add_parser("doctor", help=text)
    tiers = ("auto", "namespaces", "landlock", "limits")
    parser.add_argument("--tier", choices=tiers, default="auto", help="which containment to try")
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs `doctor`.

    Returns:
        0 where everything is contained, 1 where an act succeeded.

    Raises:
        CommandError: where nothing can be examined.
    """
    facts, findings = examine(args.tier)
    through = [finding.name for finding in findings if not finding.contained]
    if args.json:
        content = {**facts, "findings": [asdict(finding) for finding in findings]}
        print(json.dumps({**content, "contained": not through}))
        return int(bool(through))
    print(f"{facts['system']}, {facts['user']}; containment: {facts['tier']}")
    for reason in facts["declined"]:
        print(f"  not available: {reason}")
    for finding in findings:
        mark = "contained" if finding.contained else "GOT OUT"
        note = "" if finding.works else f"   (does not work outside either: {finding.detail})"
        print(f"  {mark:<10} {finding.name}{note}")
    tried = sum(bool(finding.works) for finding in findings)
    print(f"{len(findings)} acts, {tried} of which work outside; {len(through)} got out.")
    return int(bool(through))
