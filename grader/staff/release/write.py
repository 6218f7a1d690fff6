"""Writes the release: whole or not at all."""

import shutil
import tempfile
from pathlib import Path

from staff.release.binaries import add_binaries
from staff.release.contents import released_files
from staff.release.texts import students_page
from staff.skeletons.skeleton import skeleton_of
from tmagrade.basics.errors import UsageError
from tmagrade.basics.paths import Repository
from tmagrade.course.labs import load_labs

README = Path(__file__).with_name("README.md")
# What a student's repository on GitHub runs at each push.
WORKFLOW = Path(__file__).with_name("grade.yml")


def write_release(repository: Repository, out: Path, *, force: bool, binaries: bool = False) -> int:
    """Writes what students receive to the folder `out`, and answers how many files of the repository it has. With
    `binaries` it also has what students' machines would compile of ours."""
    out = out.absolute()
    _check(repository, out, force)
    out.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(dir=out.parent, prefix=f".{out.name}-unfinished-"))
    try:
        count = _fill(repository, unfinished)
        if binaries:
            add_binaries(repository, unfinished)
        unfinished.chmod(0o755)
        _put_in_place(unfinished, out)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return count


def _check(repository: Repository, out: Path, force: bool) -> None:
    if repository.root.resolve().is_relative_to(out.resolve()):
        raise UsageError(f"{out} holds this very repository; name another folder")
    if out.exists() and not out.is_dir():
        raise UsageError(f"{out} is not a folder")
    if out.is_dir() and any(out.iterdir()) and not force:
        raise UsageError(
            f"{out} is not empty; with --force (make release FORCE=yes) all that is in it is replaced, save .git"
        )


def _fill(repository: Repository, out: Path) -> int:
    root = repository.root
    names = [name for name in released_files(root) if name != "README.md"]
    there = {*names, "README.md"}
    # Links lead to folders too.
    there |= {str(folder) for name in names for folder in Path(name).parents}
    # From the solutions, not from labs/: there an instructor may have tried something.
    sources = {f"labs/{lab.id}/{lab.source}": lab for lab in load_labs(repository.labs)}
    for name in names:
        file, target = root / name, out / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if name in sources:
            solution = repository.solutions / sources[name].id / sources[name].source
            target.write_text(skeleton_of(solution.read_text(), str(solution)))
        elif name.endswith(".md"):
            target.write_text(students_page(file.read_text(), name, there))
        else:
            shutil.copyfile(file, target)
        shutil.copymode(file, target)
    (out / "README.md").write_text(README.read_text())
    (out / ".github/workflows").mkdir(parents=True)
    (out / ".github/workflows" / WORKFLOW.name).write_text(WORKFLOW.read_text())
    return len(names) + 2


def _put_in_place(finished: Path, out: Path) -> None:
    """A folder of the right name is the whole release, at any moment."""
    if not out.is_dir() or not any(out.iterdir()):
        finished.rename(out)  # over an empty folder too
        return
    if (out / ".git").exists():
        shutil.move(out / ".git", finished / ".git")
    old = Path(tempfile.mkdtemp(dir=out.parent, prefix=f".{out.name}-old-"))
    out.rename(old)
    finished.rename(out)
    shutil.rmtree(old)
