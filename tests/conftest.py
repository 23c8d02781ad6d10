"""Here so that pytest puts this folder on the path: its helpers serve the tests of all packages."""

import sys
from pathlib import Path

# The folders of tests are called as the packages that they test, which must be found first.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
