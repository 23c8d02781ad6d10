"""The `autograder` command with the tiny notebook's exercises: as a script, or a Dask preload."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import tiny_course

tiny_course.register()

if __name__ == "__main__":
    from autograder.__main__ import main

    sys.exit(main())
