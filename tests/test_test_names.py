"""What pytest needs of the tests' files, so that the suite can be collected and shared out."""

from collections import Counter
from pathlib import Path


def test_no_two_files_of_tests_have_the_same_name():
    names = Counter(path.name for path in Path(__file__).parent.rglob("test_*.py"))
    assert [name for name, count in names.items() if count > 1] == []
