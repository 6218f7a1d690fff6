"""Houses: folders whose rooms lie on floors, as a floors.txt in them says, and whose files point down."""

import ast
import graphlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tmagrade.basics.paths import HERE

INCLUDE = re.compile(r'^\s*#\s*include\s+"([a-z_0-9/]+/[a-z_0-9]+)\.\w+"', re.MULTILINE)


@dataclass(frozen=True)
class House:
    folder: Path
    suffixes: tuple[str, ...]
    names: Callable[[Path, Path], Iterator[str]]  # what a file includes or imports, with dots: "emulator.tma.tile"
    verb: str
    roof: tuple[str, ...] = ()  # files in no room: nobody names them, and they may name everybody

    def floors(self) -> dict[str, int]:
        """The floor of each room, the lowest being 0."""
        text = (self.folder / "floors.txt").read_text()
        lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
        return {room: number for number, line in enumerate(lines) for room in re.split(r"\s{2,}", line)[0].split()}

    def rooms(self) -> set[str]:
        """Those of the folder as it is, and the files that are in none."""
        files = {path for path in self._files(self.folder) if path.name not in self.roof}
        return {path.relative_to(self.folder).parts[0] for path in files}

    def upward_arrows(self, folder: Path | None = None) -> list[str]:
        """Each name of a room that is not on a floor below, as "file includes room"; in `folder`, or in the house."""
        levels = self.floors()
        folder = folder or self.folder
        arrows = []
        for file in self._files(folder):
            own = file.relative_to(folder).parts[0]
            rooms = [room for room in self._rooms_named(file, folder) if room != own]
            arrows += [
                f"{file.relative_to(folder)} {self.verb} {room}"
                for room in rooms
                if own not in self.roof and levels.get(room, len(levels)) >= levels[own]
            ]
        return arrows

    def circle(self, folder: Path | None = None) -> list[str]:
        """The files of one circle, the first of them again at the end; nothing where there is none."""
        folder = folder or self.folder
        known = {_dotted(file, folder, self.folder.name): file for file in self._files(folder)}
        graph = {name: {named for named in self.names(file, folder) if named in known} for name, file in known.items()}
        try:
            graphlib.TopologicalSorter(graph).prepare()
        except graphlib.CycleError as error:
            return [str(name) for name in error.args[1]]
        return []

    def _files(self, folder: Path) -> list[Path]:
        return sorted(path for path in folder.rglob("*") if path.suffix in self.suffixes and path.is_file())

    def _rooms_named(self, file: Path, folder: Path) -> list[str]:
        named = (name.split(".") for name in self.names(file, folder))
        return [parts[1] for parts in named if len(parts) > 1 and parts[0] == self.folder.name]


def _dotted(file: Path, folder: Path, house: str) -> str:
    return ".".join((house, *file.relative_to(folder).with_suffix("").parts))


def included(file: Path, _: Path) -> Iterator[str]:
    """What a C++ file includes between quotation marks."""
    return (name.replace("/", ".") for name in INCLUDE.findall(file.read_text()))


def imported(file: Path, folder: Path, house: str) -> Iterator[str]:
    """What a Python file imports from its own package, at its head, in a function, or for its types alone.

    Of `from a.b import c`, where c may be a module or not, both a.b and a.b.c.
    """
    package = _dotted(file, folder, house).split(".")[:-1]
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield from (base, *(f"{base}.{name.name}" for name in node.names))


CPP = (".h", ".cpp", ".cu", ".cuh")
EMULATOR = House(HERE.grader / "emulator", CPP, included, "includes")
JUDGE = House(HERE.grader / "judge", CPP, included, "includes")
ROOF = ("__init__.py", "__main__.py")
TMAGRADE = House(HERE.grader / "tmagrade", (".py",), partial(imported, house="tmagrade"), "imports", ROOF)
STAFF = House(HERE.grader / "staff", (".py",), partial(imported, house="staff"), "imports", ROOF)
