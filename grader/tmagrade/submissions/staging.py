"""The stage in which a submission is built: copies of its files, and a file that includes them."""

import os
import shutil
import stat
from pathlib import Path

from tmagrade.errors import GraderFault, UsageError, cannot_read
from tmagrade.submissions.names import is_junk, plain_file_name, printable

# What a student may hand in for one lab; far above any honest submission.
MAX_BYTES = 16 << 20
MAX_FILES = 200

# What the grader and the compiler write into the stage. A file of the student's gives way to them; a folder cannot.
INCLUDES = "submission.cuh"
WRITTEN = (INCLUDES, "submission.so")


def submitted_files(folder: Path) -> list[Path]:
    """The regular files below `folder`, sorted. Links are left out: they could lead to files of others."""

    def unreadable(error: OSError) -> None:
        raise GraderFault(cannot_read(error))

    files: list[Path] = []
    total = 0
    for place, folders, names in os.walk(folder, onerror=unreadable):
        folders[:] = [name for name in folders if not is_junk(name)]
        names = [name for name in names if not is_junk(name)]
        for name in (*folders, *names):
            if name != plain_file_name(name):
                raise UsageError(f"a name has characters that are not allowed: {printable(name)}")
        if Path(place) == folder and (taken := [name for name in folders if name in WRITTEN]):
            raise UsageError(f"a folder has a name that the grader needs: {taken[0]}")
        for name in names:
            path = Path(place, name)
            status = path.lstat()
            if stat.S_ISREG(status.st_mode):
                files.append(path)
                total += status.st_size
                if total > MAX_BYTES or len(files) > MAX_FILES:
                    raise UsageError(f"more than {MAX_FILES} files or {MAX_BYTES >> 20} MiB were handed in")
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
    (destination / INCLUDES).write_text("".join(f'#include "{name}"\n' for name in sources))
    return sources
