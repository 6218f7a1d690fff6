"""A text on which the compiler would work for minutes, with the real compiler."""

from pathlib import Path

import pytest

from tmagrade.basics.paths import HERE, Repository
from tmagrade.building import compiler
from tmagrade.building.builder import Builder
from tmagrade.building.sandbox import sandbox_if_any
from tmagrade.course.labs import load_labs
from tmagrade.machine.processes import Processes
from tmagrade.machine.toolkit import find_toolkit
from tmagrade.submissions.submission import Submission

# Each instance needs two others, which nobody has made before: 2^24 of them, and 8 GiB after half a minute.
EXPLODES = """
template <int DEPTH, unsigned long PATH>
struct Tree {
  static constexpr int leaves = Tree<DEPTH - 1, 2 * PATH>::leaves + Tree<DEPTH - 1, 2 * PATH + 1>::leaves;
};
template <unsigned long PATH>
struct Tree<0, PATH> {
  static constexpr int leaves = 1;
};
static_assert(Tree<24, 1>::leaves > 0);
"""


def test_templates_that_explode_are_a_build_error_that_names_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiler, "COMPILER_SECONDS", 1.5)
    monkeypatch.setattr(Repository, "state", property(lambda repository: tmp_path / "state"))
    (tmp_path / "lab3").mkdir()
    (tmp_path / "lab3/lab3.cu").write_text(EXPLODES)
    lab3 = next(lab for lab in load_labs(HERE.labs) if lab.id == "lab3-bulk-copy")
    submission = Submission("ada", lab3, tmp_path / "lab3")
    toolkit = find_toolkit(HERE)
    processes = Processes()
    made = Builder(HERE, toolkit, processes, sandbox_if_any(HERE, toolkit))
    built = made.build(submission, made.key(submission), lambda: None)
    processes.close()
    assert (built.verdict, built.message) == ("build error", "the compiler ran longer than 1.5 seconds")
