"""GitHub's workflows: what they use still runs there."""

import re
from pathlib import Path

import pytest

from tmagrade.basics.paths import HERE

# The first versions that run on Node.js 24: GitHub's runners have no other since September 2026.
FIRST = {"actions/cache": 5, "actions/checkout": 5, "actions/upload-artifact": 6}
WORKFLOWS = [*sorted((HERE.root / ".github/workflows").glob("*.yml")), HERE.grader / "staff/release/grade.yml"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_each_action_is_of_a_version_that_runs(path: Path) -> None:
    used = re.findall(r"uses: ([\w/-]+)@v(\d+)", path.read_text())
    assert used
    assert [(name, version) for name, version in used if int(version) < FIRST[name]] == []
