"""Builds submissions: each in its own stage, once for the same contents."""

import os
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from tmagrade.cache import digest_files, digest_folder, key_of, recall, remember
from tmagrade.errors import UsageError
from tmagrade.paths import Repository
from tmagrade.processes import Processes
from tmagrade.submissions import Submission, stage, submitted_files
from tmagrade.toolkit import Toolkit, compiler_lines, library_command

COMPILER_TIMEOUT_SECONDS = 180.0


@dataclass(frozen=True)
class Built:
    """The library of a submission, or why there is none."""

    library: Path | None
    digest: str = ""  # of the library
    verdict: str = ""  # where there is no library: "build error" or "missing"
    message: str = ""


@dataclass(frozen=True)
class Builder:
    repository: Repository
    toolkit: Toolkit
    processes: Processes

    @cached_property
    def _common_digest(self) -> str:
        """What every submission is compiled with: the labs' headers, the entries and their headers."""
        checks = self.repository.grader / "checks"
        entries = [path for path in checks.rglob("*") if path.suffix in (".cu", ".cuh", ".h")]
        runner = self.repository.grader / "runner"
        return key_of(
            digest_folder(self.repository.labs / "common"),
            digest_files(checks, entries),
            digest_files(runner, runner.glob("*.h")),
        )

    def work(self, submission: Submission) -> Path:
        return self.repository.work / submission.student / submission.lab.id

    def records(self, submission: Submission) -> Path:
        """Kept apart from the stage, which is emptied before each build."""
        return self.repository.records / submission.student / submission.lab.id

    def build(self, submission: Submission) -> Built:
        work = self.work(submission)
        command = library_command(self.toolkit, self.repository, submission.lab, work)
        try:
            contents = digest_files(submission.folder, submitted_files(submission.folder))
        except UsageError as error:
            return Built(None, verdict="build error", message=str(error))
        key = key_of(contents, self._common_digest, self.toolkit.version, command)
        record = self.records(submission) / "build.json"
        if (known := self._recall(record, key, work)) is not None:
            return known
        built = self._build(submission, work, command)
        value = asdict(built) | {"library": built.library is not None}
        remember(record, key, value)
        return built

    def _recall(self, record: Path, key: str, work: Path) -> Built | None:
        value: Any = recall(record, key)
        if value is None:
            return None
        if not value["library"]:
            return Built(None, verdict=value["verdict"], message=value["message"])
        library = work / "submission.so"
        if not library.is_file() or _digest(library) != value["digest"]:
            return None
        return Built(library, value["digest"])

    def _build(self, submission: Submission, work: Path, command: list[str]) -> Built:
        if not stage(submission.folder, work):
            return Built(None, verdict="missing", message="no .cu file was handed in")
        finished = self.processes.run(
            command, cwd=work, environment=dict(os.environ), timeout_seconds=COMPILER_TIMEOUT_SECONDS
        )
        if finished.timed_out:
            message = f"the compiler ran longer than {COMPILER_TIMEOUT_SECONDS:g} seconds"
            return Built(None, verdict="build error", message=message)
        if finished.status != 0:
            return Built(None, verdict="build error", message=compiler_lines(finished.output))
        library = work / "submission.so"
        return Built(library, _digest(library))


def _digest(path: Path) -> str:
    return digest_files(path.parent, [path])
