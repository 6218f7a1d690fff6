"""Writes a new lab: whole or not at all."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from staff.new_lab.name import NewLab
from staff.skeletons.lab_pages import lists
from staff.skeletons.skeleton import skeleton_of
from tmagrade.basics.cache import PUBLIC_FILE_MODE, write_atomically
from tmagrade.basics.errors import UsageError
from tmagrade.basics.paths import Repository
from tmagrade.course.labs import load_labs

TEMPLATES = Path(__file__).parent / "templates"
SOLUTION = "solutions/LAB/SOURCE"
FORMATTED = (".h", ".cpp", ".cu")


def write_new_lab(repository: Repository, lab: NewLab) -> list[str]:
    """Writes the lab's files, and a row for it in the pages that list the labs; answers all their names."""
    files = _files(repository, lab)
    for name in files:
        if (repository.root / name).exists():
            raise UsageError(f"{name} is there already; remove it, or choose another name")
    with _removed_on_error() as made:
        # lab.toml last: it is what makes a folder a lab.
        for name in sorted(files, key=lambda name: name.endswith("lab.toml")):
            _create(repository.root / name, files[name], made)
        pages = dict(lists(repository.root, load_labs(repository.labs)))
    # Each of these is written whole, and the lab is complete without.
    for path, page in pages.items():
        write_atomically(path, page, PUBLIC_FILE_MODE)
    return [*files, *(str(path.relative_to(repository.root)) for path in pages)]


def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(TEMPLATES),
        variable_start_string="${",  # braces are C++'s, brackets are TOML's
        variable_end_string="}",
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        autoescape=False,
    )


def _files(repository: Repository, lab: NewLab) -> dict[str, str]:
    """The text of every file, by its name below the repository."""
    environment = _environment()
    variables = lab.variables()

    def place(name: str) -> str:
        return name.replace("LAB", lab.id).replace("SOURCE", lab.source)

    def text(name: str) -> str:
        return _formatted(repository, place(name), environment.get_template(f"{name}.j2").render(variables))

    solution = text(SOLUTION)
    names = sorted(str(path.relative_to(TEMPLATES)).removesuffix(".j2") for path in TEMPLATES.rglob("*.j2"))
    files = {place(name): text(name) for name in names}
    files[place("labs/LAB/SOURCE")] = skeleton_of(solution, place(SOLUTION))
    return files


def _formatted(repository: Repository, name: str, text: str) -> str:
    """Where a line of C++ breaks depends on the lab's name. Without clang-format nobody asks."""
    program = repository.root / ".venv/bin/clang-format"
    if Path(name).suffix not in FORMATTED or not program.exists():
        return text
    command = [str(program), f"--assume-filename={repository.root / name}"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def _create(path: Path, text: str, made: list[Path]) -> None:
    for folder in reversed([folder for folder in path.parents if not folder.exists()]):
        folder.mkdir()
        made.append(folder)
    made.append(path)
    path.write_text(text)


@contextmanager
def _removed_on_error() -> Iterator[list[Path]]:
    """Removes, if its block does not get to its end, the files and folders that are added to the list."""
    made: list[Path] = []
    try:
        yield made
    except BaseException:
        for path in reversed(made):
            if path.is_dir():
                path.rmdir()
            else:
                path.unlink(missing_ok=True)
        raise
