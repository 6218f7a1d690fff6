"""Where things stand in the repository."""

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Repository:
    root: Path

    @property
    def labs(self) -> Path:
        return self.root / "labs"

    @property
    def solutions(self) -> Path:
        return self.root / "solutions"

    @property
    def class_tables(self) -> Path:
        """What the sample class is made from."""
        return self.root / "grader/tests/class"

    @property
    def grader(self) -> Path:
        return self.root / "grader"

    @property
    def build(self) -> Path:
        return self.root / "build"

    @property
    def sample_class(self) -> Path:
        """Not below `state`, which may be a folder of the user's: what is in here besides the class is removed."""
        return self.build / "class"

    @property
    def state(self) -> Path:
        """What grading writes; TMAGRADE_STATE puts it elsewhere where the repository is read-only, as in an image."""
        chosen = os.environ.get("TMAGRADE_STATE")
        return Path(chosen).absolute() if chosen else self.build

    @property
    def work(self) -> Path:
        return self.state / "work"

    @property
    def unpacked(self) -> Path:
        return self.state / "submissions"

    @property
    def records(self) -> Path:
        return self.state / "records"

    @property
    def lock(self) -> Path:
        return self.state / ".tmagrade.lock"

    @property
    def grades(self) -> Path:
        return self.state / "grades"

    @property
    def sample_grades(self) -> Path:
        """Of the solutions and the sample class, who are no students of the course."""
        return self.state / "sample-grades"

    @property
    def term(self) -> Path:
        """The course's term, which belongs to nobody's build; TMAGRADE_TERM says where another one is."""
        chosen = os.environ.get("TMAGRADE_TERM")
        return Path(chosen).absolute() if chosen else self.root / "term"

    @property
    def judges(self) -> Path:
        return self.build / "bin/judges"

    def judge(self, lab: str) -> Path:
        return self.judges / lab

    @property
    def runner(self) -> Path:
        return self.build / "bin/runner"

    @property
    def emulator_libraries(self) -> Path:
        return self.build / "lib/emulator"


HERE = Repository(Path(__file__).absolute().parents[3])
