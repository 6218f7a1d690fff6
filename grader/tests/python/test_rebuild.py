"""What is compiled again after an edit, as the sources' includes say: nothing has to be built for it."""

import functools
import subprocess
from pathlib import Path

from floors import Street

from tmagrade.basics.paths import HERE

STREET = Street()
ROWS = frozenset((HERE.grader / "contract/findings").glob("*.def"))
FINDINGS_BUDGET = 70  # of some 300 objects; it was 195 while whoever passed a finding on knew all sentences


@functools.cache
def included_by(file: Path) -> frozenset[Path]:
    """All that the file includes, however far away."""
    found, todo = set[Path](), [file]
    while todo:
        if (next_one := todo.pop()) not in found:
            found.add(next_one)
            todo += STREET.named_by(next_one)
    return frozenset(found)


@functools.cache
def compiled_as_one() -> frozenset[str]:
    tell = ["make", "-s", "--eval", "told: ; @echo $(TOGETHER)", "told"]
    done = subprocess.run(tell, cwd=HERE.grader, capture_output=True, text=True, check=True)
    return frozenset(done.stdout.split())


def object_of(source: Path) -> str:
    name = source.relative_to(HERE.grader)
    folders = (str(folder) for folder in name.parents)
    return next((f"{folder}/together" for folder in folders if folder in compiled_as_one()), str(name.with_suffix("")))


def test_a_new_finding_compiles_little_again() -> None:
    sources = [file for file in STREET.files("grader") if file.suffix == ".cpp"]
    again = {object_of(source) for source in sources if included_by(source) & ROWS}
    assert "contract/findings/finding_codes" in again
    assert len(again) < FINDINGS_BUDGET, sorted(again)
