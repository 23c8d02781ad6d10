"""`autograder grade` with the measuring notebook's exercises registered: what a round of ours runs.

`python -m autograder.bench.ours [--profile FILE] NOTEBOOK --course DIR …` takes `grade`'s options.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path


def main(argv: list[str]) -> int:
    """Runs `grade`; with `--profile FILE`, writes there where the time went."""
    import resource

    from autograder.__main__ import main as autograder
    from autograder.bench import exercises

    exercises.register()
    if argv[:1] != ["--profile"]:
        return autograder(["grade", *argv])
    from autograder.bench.stages import Stages

    stages = Stages()
    with stages.measuring():
        code = autograder(["grade", *argv[2:]])
    used = resource.getrusage(resource.RUSAGE_SELF)
    found = {"grader_cpu_seconds": used.ru_utime + used.ru_stime, "stages": stages.table()}
    Path(argv[1]).write_text(json.dumps(found), encoding="utf-8")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
