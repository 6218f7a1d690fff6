"""Which labs are in a student's hand-in: by the names of its folders, then by those of its .cu files.

Only names are looked at, so that every way in which people pack a folder can be tried as a list of names.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

from tmagrade.course.labs import Lab
from tmagrade.submissions.names import is_read_by_compiler, is_source, lab_named, lab_of_source, printable
from tmagrade.submissions.tree import ROOT, Tree


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


@dataclass(frozen=True)
class Recognized:
    labs: list[Found]
    ignored: list[str]


def recognize(tree: Tree, known: list[Lab], only: Lab | None = None) -> Recognized:
    """`only` is the lab that was asked for, where it is one: what bears no lab's name is taken for it."""
    named = _lab_folders(tree, known)
    loose = [file for file in tree.files if not any(folder in named for folder in file.parents)]
    candidates = [Found(lab, _with_sources(tree, folder)) for folder, lab in named.items()]
    candidates += _bare(loose, known)
    if candidates and only is not None and all(found.lab.id != only.id for found in candidates):
        candidates += _nameless(loose, candidates, only)
    # Where nothing but an archive that cannot be opened was handed in, that is what there is to say.
    has_sources = any(is_source(file.name) for file in tree.files)
    if not candidates and only is not None and (has_sources or not tree.problems):
        folder = _with_sources(tree, ROOT)
        return Recognized([Found(only, folder, None if folder in tree.folders else tuple(tree.files))], [])
    chosen: dict[str, Found] = {}
    ignored: list[str] = []
    for found in sorted(candidates, key=lambda found: _preference(tree, found)):
        if found.lab.id not in chosen:
            chosen[found.lab.id] = found
        elif tree.age(found.place) < tree.age(chosen[found.lab.id].place):
            ignored.append(f"{found.shown}: {chosen[found.lab.id].shown} is newer and counts")
        else:
            ignored.append(f"{found.shown}: {found.lab.id} is there under another name too")
    ignored += _unknown(tree, candidates, named)
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
    """lab3.cu in no lab's folder. The files around it go with it, save other labs' .cu files."""
    loose = list(loose)
    labs = {file: lab for file in loose if is_source(file.name) and (lab := lab_of_source(file.name, known))}
    rest = [file for file in loose if file not in labs]
    return [
        Found(lab, file.parent, (file, *(other for other in rest if file.parent in other.parents)))
        for file, lab in labs.items()
    ]


def _nameless(loose: list[PurePosixPath], candidates: list[Found], lab: Lab) -> list[Found]:
    """add_one.cu beside another lab: it is for the lab that was asked for, as it would be alone."""
    taken = {file for found in candidates for file in found.files or ()}
    sources = [file for file in loose if is_source(file.name) and file not in taken]
    if not sources:
        return []
    folder = next(folder for folder in sources[0].parents if all(folder in file.parents for file in sources))
    rest = [file for file in loose if folder in file.parents and not is_source(file.name)]
    return [Found(lab, folder, (*sources, *rest))]


def _with_sources(tree: Tree, folder: PurePosixPath) -> PurePosixPath:
    """Leaves out folders around the only one that holds .cu files, unless there are headers beside it."""
    compiled = [file for file in tree.files if is_read_by_compiler(file.name)]
    while True:
        below = {file.relative_to(folder).parts[:-1][:1] for file in compiled if folder in file.parents}
        if len(below) != 1 or () in below:
            return folder
        folder = folder.joinpath(*below.pop())


def _preference(tree: Tree, found: Found) -> tuple[object, ...]:
    """Of two places of one lab: the newer, that with the file that the lab asks for, the outer, the folder."""
    files = found.files or [name for name in tree.files if found.folder in name.parents]
    has_source = any(name.name.casefold() == found.lab.source.casefold() for name in files)
    return (-tree.age(found.place), not has_source, len(found.folder.parts), found.files is not None, str(found.place))


def _unknown(tree: Tree, candidates: list[Found], named: dict[PurePosixPath, Lab]) -> list[str]:
    """Folders and .cu files that no lab has taken, the outermost of each."""
    bare = [found.folder for found in candidates if found.files is not None]
    taken = {parent for folder in (*named, *bare) for parent in (folder, *folder.parents)}
    names = [*tree.folders, *(file for file in tree.files if is_source(file.name))]
    return [
        f"{printable(str(name))}: no lab has this name"
        for name in sorted(names)
        if name.parts and name not in taken and name.parent in taken | {ROOT} and not _within(name, [*named, *bare])
    ]


def _within(name: PurePosixPath, folders: Iterable[PurePosixPath]) -> bool:
    return any(folder == name or folder in name.parents for folder in folders)
