"""All that is made from solutions and from each lab.toml, and how what is there differs from it."""

import difflib
from collections.abc import Mapping
from pathlib import Path

from staff.skeletons.lab_pages import lists, pages_of
from staff.skeletons.skeleton import skeletons
from tmagrade.basics.paths import Repository
from tmagrade.course.labs import load_labs


def all_made(repository: Repository) -> dict[Path, str]:
    """The text of every file that is made, or has parts that are."""
    labs = load_labs(repository.labs)
    made = dict(skeletons(repository.solutions, repository.labs)) | dict(lists(repository.root, labs))
    return made | {path: text for lab in labs for path, text in pages_of(repository.root, lab)}


def write(made: Mapping[Path, str]) -> None:
    """Writes every text that has changed."""
    for path, text in made.items():
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(f"wrote {path}")


def differences(made: Mapping[Path, str], labs: Path) -> list[str]:
    """Returns the lines of a unified diff to what should be; a source in labs/ that nothing makes should not be."""
    lines: list[str] = []
    strays = set(labs.glob("*/*.cu")) - made.keys()
    for path in sorted(made.keys() | strays):
        present = path.read_text(encoding="utf-8") if path.exists() else ""
        lines += difflib.unified_diff(
            present.splitlines(keepends=True),
            made.get(path, "").splitlines(keepends=True),
            fromfile=str(path),
            tofile=f"{path} (as it is made)",
        )
    return lines
