"""Houses: folders of the repository; their rooms lie on floors, and what their files name on those below."""

import ast
import graphlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tmagrade.basics.paths import HERE

CPP = (".h", ".cpp", ".cu", ".cuh", ".def", ".c")
HEAD = re.compile(r"\[([^]:]+)(?::([^]]*))?\]")
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"\n]+)"', re.MULTILINE)
PACKAGES = ("tmagrade", "staff")  # of grader
INCLUDE_FOLDERS = ("grader", "labs/common", "solutions")  # besides the file's own


@dataclass(frozen=True)
class House:
    name: str  # its path from the top
    may_name: tuple[str, ...]
    floors: dict[str, int]  # of each room, the lowest being 0; empty where it has no rooms


def houses(text: str) -> dict[str, House]:
    """What grader/floors.txt says, in its order."""
    found: dict[str, House] = {}
    for line in text.splitlines():
        if head := HEAD.match(line):
            house = House(head[1], tuple((head[2] or "").split()), {})
            found[house.name] = house
        elif line.strip() and not line.startswith("#"):
            level = len(set(house.floors.values()))
            house.floors.update(dict.fromkeys(re.split(r"\s{2,}", line)[0].split(), level))
    return found


HOUSES = houses((HERE.grader / "floors.txt").read_text())


@dataclass(frozen=True)
class Street:
    """The houses as they stand below `root`: here, or where a test has built some."""

    root: Path = HERE.root

    def files(self, folder: str = "") -> list[Path]:
        """What is C++ or Python in the house or folder, but for hidden folders."""
        found = (path for path in (self.root / folder).rglob("*") if path.suffix in (*CPP, ".py") and path.is_file())
        return sorted(path for path in found if not any(part.startswith(".") for part in self._parts(path)))

    def house_of(self, file: Path) -> House | None:
        """The house that the file is in: that of the longest name, since there are houses in houses."""
        parts = self._parts(file)
        names = ["/".join(parts[:length]) for length in range(len(parts) - 1, 0, -1)]
        return next((HOUSES[name] for name in names if name in HOUSES), None)

    def room_of(self, file: Path) -> str | None:
        house = self.house_of(file)
        if house is None or not house.floors:
            return None
        inside = file.relative_to(self.root / house.name).parts
        return inside[0] if len(inside) > 1 else None

    def wrong_arrows(self, house: str) -> list[str]:
        """Each file named by one of the house that it may not name, as "file names file"."""
        return [
            f"{file.relative_to(self.root)} names {named.relative_to(self.root)}"
            for file in self.files(house)
            if (own := self.house_of(file)) is not None and own.name == house
            for named in dict.fromkeys(self.named_by(file))
            if not self._may_name(file, named)
        ]

    def circle(self, house: str) -> list[str]:
        """The files of one circle, the first of them again at the end; nothing where there is none."""
        graph = {file: set(self.named_by(file)) for file in self.files(house)}
        try:
            graphlib.TopologicalSorter(graph).prepare()
        except graphlib.CycleError as error:
            return [str(file.relative_to(self.root)) for file in error.args[1]]
        return []

    def named_by(self, file: Path) -> Iterator[Path]:
        """The files of the repository that it includes or imports."""
        return self._imported(file) if file.suffix == ".py" else self._included(file)

    def _parts(self, file: Path) -> tuple[str, ...]:
        return file.relative_to(self.root).parts

    def _may_name(self, file: Path, named: Path) -> bool:
        own, other = self.house_of(file), self.house_of(named)
        if own is None or other is None or own.name != other.name:
            return own is None or (other is not None and other.name in own.may_name)
        room, other_room = self.room_of(file), self.room_of(named)
        if not own.floors or room is None or room == other_room:
            return True
        top = len(own.floors)
        return own.floors.get(other_room or "", top) < own.floors.get(room, top)

    def _included(self, file: Path) -> Iterator[Path]:
        folders = [file.parent, *(self.root / folder for folder in INCLUDE_FOLDERS)]
        for name in INCLUDE.findall(file.read_text()):
            places = (folder / name for folder in folders)
            if place := next((place for place in places if place.is_file()), None):
                yield place.resolve()

    def _imported(self, file: Path) -> Iterator[Path]:
        """What a Python file imports of tmagrade or staff, at its head, in a function, or for its types alone.

        Of `from a.b import c`, where c may be a module or not, both a.b and a.b.c.
        """
        folders = self._parts(file.parent)
        package = folders[1:] if folders[0] == "grader" else ()
        for node in ast.walk(ast.parse(file.read_text())):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [name.name for name in node.names]
            elif isinstance(node, ast.ImportFrom):
                above = package[: len(package) - node.level + 1] if node.level else ()
                base = ".".join([*above, *([node.module] if node.module else [])])
                names = [base, *(f"{base}.{name.name}" for name in node.names)]
            yield from (module for name in names if (module := self._module(name)) is not None and module != file)

    def _module(self, name: str) -> Path | None:
        parts = name.split(".")
        if parts[0] not in PACKAGES or len(parts) == 1:
            return None
        place = self.root.joinpath("grader", *parts)
        return next((path for path in (place.with_suffix(".py"), place / "__init__.py") if path.is_file()), None)
