"""What can only be checked on an accelerator, in one script: see README.md beside it.

    KERAS_BACKEND=jax python tests/device/run.py --out "$OUT" [--corpus DIR] [--parts NAME,NAME]
    python tests/device/run.py --out DIR --rehearse     # tiny sizes, seconds, on any machine

Every part runs in a process of its own with a time limit, and its result is one JSON line in
OUT/results.jsonl, also when it fails; a part that fails or hangs costs only itself.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
# Seconds that each part may take: 4 minutes without `pretrain`, under 12 with it.
LIMITS = {
    "versions": 25,
    "reference": 45,
    "equality": 45,
    "peak": 30,
    "speed_128": 50,
    "speed_512": 50,
    "pretrain": 420,
}


def run_part(name, options):
    """One part in a process of its own.

    Returns:
        dict with the name of the part, "ok", seconds, and what the part found or why it failed.
    """
    environment = os.environ | {
        "KERAS_BACKEND": "jax",
        "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])),
        "TF_CPP_MIN_LOG_LEVEL": "3",
    }
    if name == "reference" or options.rehearse:
        environment["JAX_PLATFORMS"] = "cpu"
    command = [sys.executable, str(HERE / "parts.py"), name, str(options.out)]
    command += [options.corpus or "-", "rehearse" if options.rehearse else "device"]
    # A rehearsal may have to share its processors with many others.
    limit = LIMITS[name] * (20 if options.rehearse else 1)
    started = time.monotonic()
    log = options.out / f"{name}.log"
    with log.open("w", encoding="utf-8") as errors:
        try:
            done = subprocess.run(
                command, stdout=subprocess.PIPE, stderr=errors, timeout=limit, env=environment
            )
            answer = json.loads(done.stdout.decode().splitlines()[-1])
        except subprocess.TimeoutExpired:
            answer = {"ok": False, "why": f"stopped after {limit} s"}
        except (ValueError, IndexError):
            tail = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-1:]
            answer = {"ok": False, "why": f"exit code {done.returncode}: {' '.join(tail)}"}
    if answer["ok"]:
        log.unlink()
    return {"part": name, **answer, "seconds": round(time.monotonic() - started, 1)}


def main():
    """Run the parts that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--corpus", default="", help="folder that `bert-keras prepare` wrote")
    parser.add_argument("--parts", default=",".join(LIMITS))
    parser.add_argument("--rehearse", action="store_true")
    options = parser.parse_args()
    names = options.parts.split(",")
    if unknown := sorted(set(names) - set(LIMITS)):
        parser.error(f"unknown parts: {', '.join(unknown)}; known are {', '.join(LIMITS)}")
    options.out = options.out.resolve()
    options.out.mkdir(parents=True, exist_ok=True)
    failed = 0
    for name in names:
        answer = run_part(name, options)
        failed += not answer["ok"]
        line = json.dumps(answer)
        with (options.out / "results.jsonl").open("a", encoding="utf-8") as file:
            file.write(line + "\n")
        print(line, flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
