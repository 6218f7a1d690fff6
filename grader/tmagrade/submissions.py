"""Submissions: which students handed in which labs, and the stage in which one is built."""

import os
import shutil
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tmagrade.errors import UsageError
from tmagrade.labs import Lab, names_lab

# What a student may hand in for one lab; far above any honest submission.
MAX_BYTES = 16 << 20
MAX_FILES = 200


@dataclass(frozen=True)
class Submission:
    student: str
    lab: Lab
    folder: Path


@dataclass(frozen=True)
class Found:
    """The submissions of one folder, and its entries that are none."""

    submissions: list[Submission]
    ignored: list[str]


def find_submissions(folder: Path, known: list[Lab], wanted: list[Lab]) -> Found:
    """Reads SUBMISSIONS/<student>/<lab>/; a lab's folder has its id or the id's beginning as its name."""
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder; submissions are in folder/<student>/<lab>/*.cu")
    submissions: list[Submission] = []
    ignored: list[str] = []
    for student in sorted(_folders(folder)):
        for lab_folder in sorted(_folders(student)):
            labs = [lab for lab in known if names_lab(lab_folder.name, lab)]
            if len(labs) != 1:
                ignored.append(f"{student.name}/{lab_folder.name}: no lab has this name")
            elif any(s.student == student.name and s.lab is labs[0] for s in submissions):
                ignored.append(f"{student.name}/{lab_folder.name}: {labs[0].id} is there under another name too")
            elif labs[0] in wanted:
                submissions.append(Submission(student.name, labs[0], lab_folder))
    if not submissions:
        names = ", ".join(lab.id for lab in wanted)
        raise UsageError(
            f"{folder} holds no submission; expected folder/<student>/<lab>/*.cu with a lab of: {names}"
            + "".join(f"\n  ignored {line}" for line in ignored)
        )
    return Found(submissions, ignored)


def solutions_as_student(folder: Path, labs: list[Lab]) -> list[Submission]:
    """The reference solutions, graded as the student `solutions`."""
    return [Submission("solutions", lab, folder / lab.id) for lab in labs if (folder / lab.id).is_dir()]


def _folders(folder: Path) -> Iterator[Path]:
    return (entry for entry in folder.iterdir() if entry.is_dir() and not entry.name.startswith("."))


def submitted_files(folder: Path) -> list[Path]:
    """The regular files below `folder`, sorted. Links are left out: they could lead to files of others."""
    files: list[Path] = []
    total = 0
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            path = Path(place, name)
            status = path.lstat()
            if stat.S_ISREG(status.st_mode) and not name.startswith("."):
                files.append(path)
                total += status.st_size
                if total > MAX_BYTES or len(files) > MAX_FILES:
                    raise UsageError(f"{folder} holds more than {MAX_FILES} files or {MAX_BYTES >> 20} MiB")
    return sorted(files)


def stage(folder: Path, destination: Path) -> list[str]:
    """Copies a submission to `destination` and writes submission.cuh, which includes its .cu files.

    Answers those files' names, sorted; none means that nothing can be built.
    """
    shutil.rmtree(destination, ignore_errors=True)
    destination.mkdir(parents=True)
    sources: list[str] = []
    for path in submitted_files(folder):
        relative = path.relative_to(folder)
        (destination / relative).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, destination / relative)
        if path.suffix == ".cu" and path.parent == folder:
            sources.append(relative.name)
    (destination / "submission.cuh").write_text("".join(f'#include "{name}"\n' for name in sources))
    return sources
