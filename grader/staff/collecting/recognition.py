"""Which labs are in a student's hand-in: by the names of its folders, then by those of its .cu files.

Only names are looked at, so that every way in which people pack a folder can be tried as a list of names.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from staff.collecting.tree import ROOT, Tree
from tmagrade.course.labs import Lab
from tmagrade.submissions.names import is_read_by_compiler, is_source, lab_named, lab_of_source, printable


@dataclass(frozen=True)
class Found:
    """Where a lab is. A folder that holds nothing else is taken as it stands; else the files are named."""

    lab: Lab
    folder: PurePosixPath
    files: tuple[PurePosixPath, ...] | None = None

    @property
    def place(self) -> PurePosixPath:
        return self.files[0] if self.files else self.folder

    @property
    def shown(self) -> str:
        return printable(str(self.place))


# The files below each folder, however deep: what is asked of one folder is not to look at all of the hand-in.
Below = Mapping[PurePosixPath, list[PurePosixPath]]


def below_folders(files: Iterable[PurePosixPath]) -> Below:
    below: dict[PurePosixPath, list[PurePosixPath]] = defaultdict(list)
    for file in files:
        for folder in file.parents:
            below[folder].append(file)
    return below


@dataclass(frozen=True)
class Recognized:
    labs: list[Found]
    ignored: list[str]


def recognize(tree: Tree, known: list[Lab], only: Lab | None = None) -> Recognized:
    """`only` is the lab that was asked for, where it is one: what bears no lab's name is taken for it."""
    named = _lab_folders(tree, known)
    loose = [file for file in tree.files if not any(folder in named for folder in file.parents)]
    below = below_folders(tree.files)
    compiled = below_folders(file for file in tree.files if is_read_by_compiler(file.name))
    candidates = [Found(lab, _with_sources(compiled, folder)) for folder, lab in named.items()]
    bare = _bare(loose, known)
    lone = {found.place for found in bare}
    candidates += bare
    if candidates and only is not None and all(found.lab.id != only.id for found in candidates):
        candidates += _nameless(loose, bare, only)
    # Where nothing but an archive that cannot be opened was handed in, that is what there is to say.
    has_sources = any(is_source(file.name) for file in tree.files)
    if not candidates and only is not None and (has_sources or not tree.problems):
        folder = _with_sources(compiled, ROOT)
        return Recognized([Found(only, folder, None if folder in tree.folders else tuple(tree.files))], [])
    chosen: dict[str, Found] = {}
    ignored: list[str] = []
    for found in sorted(candidates, key=lambda found: _preference(tree, below, found)):
        if found.lab.id not in chosen:
            chosen[found.lab.id] = found
        elif tree.age(found.place) < tree.age(chosen[found.lab.id].place):
            ignored.append(f"{found.shown}: {chosen[found.lab.id].shown} is newer and counts")
        else:
            ignored.append(f"{found.shown}: {found.lab.id} is there under another name too")
    ignored += _unknown(tree, candidates, named)
    # Only now, since what lies around lab3.cu lies around lab3 (1).cu, lab3 (2).cu and so on, too.
    rest = [file for file in loose if file not in lone]
    chosen |= {lab: _with_company(found, rest) for lab, found in chosen.items() if found.place in lone}
    return Recognized([chosen[lab.id] for lab in known if lab.id in chosen], ignored)


def _lab_folders(tree: Tree, known: list[Lab]) -> dict[PurePosixPath, Lab]:
    """The outermost folders that are named after a lab."""
    named: dict[PurePosixPath, Lab] = {}
    for folder in sorted(tree.folders, key=lambda folder: len(folder.parts)):
        lab = lab_named(folder.name, known) if folder.parts else None
        if lab is not None and not any(parent in named for parent in folder.parents):
            named[folder] = lab
    return named


def _bare(loose: Iterable[PurePosixPath], known: list[Lab]) -> list[Found]:
    """lab3.cu in no lab's folder, without its company."""
    return [
        Found(lab, file.parent, (file,))
        for file in loose
        if is_source(file.name) and (lab := lab_of_source(file.name, known))
    ]


def _with_company(found: Found, rest: Iterable[PurePosixPath]) -> Found:
    """The files around lab3.cu go with it, save other labs' .cu files."""
    return replace(found, files=(found.place, *(other for other in rest if found.folder in other.parents)))


def _nameless(loose: list[PurePosixPath], bare: list[Found], lab: Lab) -> list[Found]:
    """add_one.cu beside another lab: it is for the lab that was asked for, as it would be alone."""
    taken = {found.folder for found in bare}
    sources = [file for file in loose if is_source(file.name) and not any(folder in taken for folder in file.parents)]
    if not sources:
        return []
    folder = next(folder for folder in sources[0].parents if all(folder in file.parents for file in sources))
    rest = [file for file in loose if folder in file.parents and not is_source(file.name)]
    return [Found(lab, folder, (*sources, *rest))]


def _with_sources(compiled: Below, folder: PurePosixPath) -> PurePosixPath:
    """Leaves out folders around the only one that holds .cu files, unless there are headers beside it."""
    while True:
        depth = len(folder.parts)
        below = {file.parts[depth:-1][:1] for file in compiled.get(folder, ())}
        if len(below) != 1 or () in below:
            return folder
        folder = folder.joinpath(*below.pop())


def _preference(tree: Tree, below: Below, found: Found) -> tuple[object, ...]:
    """Of two places of one lab: the newer, that with the file that the lab asks for, the outer, the folder."""
    files = found.files or below.get(found.folder) or ()
    has_source = any(name.name.casefold() == found.lab.source.casefold() for name in files)
    return (-tree.age(found.place), not has_source, len(found.folder.parts), found.files is not None, str(found.place))


def _unknown(tree: Tree, candidates: list[Found], named: dict[PurePosixPath, Lab]) -> list[str]:
    """Folders and .cu files that no lab has taken, the outermost of each."""
    bare = [found.folder for found in candidates if found.files is not None]
    placed = {*named, *bare}
    around = {parent for folder in placed for parent in (folder, *folder.parents)}
    names = [*tree.folders, *(file for file in tree.files if is_source(file.name))]
    return [
        f"{printable(str(name))}: no lab has this name"
        for name in sorted(names)
        if name.parts
        and name not in around
        and (name.parent == ROOT or name.parent in around)
        and not any(folder in placed for folder in (name, *name.parents))
    ]
