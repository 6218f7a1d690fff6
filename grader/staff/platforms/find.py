"""Finds the submissions of a class in what an instructor points to."""

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import tzinfo
from enum import StrEnum
from pathlib import Path, PurePosixPath

from staff.collecting.archives import CLASS, BadArchive, suffix_of
from staff.collecting.hand_in import ClassOf, HandIn, Ignored
from staff.collecting.left_out import not_compiled
from staff.collecting.plain import looks_like_one_students, read_plain
from staff.collecting.recognition import Found as FoundLab
from staff.collecting.recognition import recognize
from staff.collecting.tree import TooLarge, Tree
from staff.collecting.unpacked import NoRoom, Store
from staff.platforms.canvas import is_canvas_download, read_canvas
from staff.platforms.downloads import downloads_in, of_lab
from staff.platforms.github import prefix_of_clones, read_github
from staff.platforms.gradescope import METADATA, is_gradescope_export, read_gradescope
from staff.platforms.moodle import is_moodle_download, read_moodle
from tmagrade.basics.errors import UsageError, cannot_read
from tmagrade.course.labs import Lab
from tmagrade.submissions.names import distinct_names, is_junk, is_source, lab_named, printable
from tmagrade.submissions.no_source import MISNAMED
from tmagrade.submissions.staging import taken_of
from tmagrade.submissions.submission import Submission

EXPECTED = "folder/<student>/<lab>/*.cu, folder/<student>.zip, or a download from Canvas, Gradescope or Moodle"
MAX_IGNORED_SHOWN = 20


class Layout(StrEnum):
    """How a class lies on the disk, and with that, what names its students."""

    PLAIN = "plain"
    CANVAS = "canvas"
    GRADESCOPE = "gradescope"
    MOODLE = "moodle"
    GITHUB = "github"


@dataclass(frozen=True)
class Found:
    """The submissions of one class, and a line for everything that is none."""

    submissions: list[Submission]
    ignored: list[str]
    platform: str = ""
    lost: tuple[Ignored, ...] = ()  # of what is ignored: of what nothing is graded, and that may be a hand-in


def find_submissions(
    given: Path,
    known: list[Lab],
    wanted: list[Lab],
    unpacked: Path,
    layout: Layout | None = None,
    prefix: str | None = None,
    zone: tzinfo | None = None,
) -> Found:
    """Reads a class; what has to be unpacked for that goes to the folder `unpacked`.

    Without a layout only that is looked at which no student can have written: the names right in the class's folder.
    `zone` is that of the times in a zip of the class, which do not say it: the term's, else this machine's.
    """
    finder = _Finder(known, wanted, Store(unpacked, zone), layout, prefix)
    try:
        found = finder.find(given)
    except OSError as error:
        raise UsageError(cannot_read(error)) from error
    if not found.submissions:
        raise UsageError(_nothing(given, wanted, found.ignored))
    return found


def _nothing(given: Path, wanted: list[Lab], ignored: list[str]) -> str:
    names = ", ".join(lab.id for lab in wanted)
    lines = [f"{given} holds no submission; expected {EXPECTED}, with a lab of: {names}"]
    return "\n".join([*lines, *(f"  ignored {line}" for line in _first(ignored))])


def _first(ignored: list[str], whose: str = "") -> list[str]:
    more = len(ignored) - MAX_IGNORED_SHOWN
    return [*ignored[:MAX_IGNORED_SHOWN], f"{whose}{more} more"] if more > 0 else ignored


def solutions_as_student(folder: Path, labs: list[Lab]) -> list[Submission]:
    """The reference solutions, graded as the student `solutions`."""
    return [Submission("solutions", lab, folder / lab.id) for lab in labs if (folder / lab.id).is_dir()]


@dataclass(frozen=True)
class _Finder:
    known: list[Lab]
    wanted: list[Lab]
    store: Store
    layout: Layout | None
    prefix: str | None

    @property
    def only(self) -> Lab | None:
        return self.wanted[0] if len(self.wanted) == 1 else None

    def find(self, given: Path) -> Found:
        folder, ignored = self._class_folder(given)
        whole = self._read_class(folder, given)
        lost = [*map(Ignored, ignored), *whole.ignored]
        ignored += [one.said for one in whole.ignored]
        names = distinct_names(hand_in.student for hand_in in whole.hand_ins)
        chosen: dict[tuple[str, str], tuple[HandIn, Submission]] = {}
        for hand_in in sorted(whole.hand_ins, key=lambda hand_in: hand_in.age, reverse=True):
            submissions, lines = self._labs_of(hand_in, names[hand_in.student], whole)
            ignored += lines
            if lines and not submissions:
                lost.append(Ignored("; ".join(lines), hand_in.student))
            for submission in submissions:
                key = (submission.student, submission.lab.id)
                if key in chosen:
                    newer, kept = chosen[key]
                    line = f"{hand_in.shown}: {submission.lab.id} is taken from {newer.shown}"
                    ignored.append(line)
                    chosen[key] = (newer, replace(kept, ignored=(*kept.ignored, line)))
                else:
                    chosen[key] = (hand_in, submission)
        order = {lab.id: index for index, lab in enumerate(self.known)}
        found = [submission for _, submission in chosen.values()]
        in_order = sorted(found, key=lambda one: (one.student, order[one.lab.id]))
        return Found(in_order, sorted(ignored), whole.platform, tuple(lost))

    def _class_folder(self, given: Path) -> tuple[Path, list[str]]:
        """The folder of the whole class, which may be in an archive."""
        # What leads there is the instructor's; below it no link is followed.
        outer = next((path for path in (given, *given.parents) if path.exists()), given).resolve()
        if given.is_dir():
            return outer, []
        if not outer.is_file() or suffix_of(outer.name) is None:
            raise UsageError(f"{given} is not a folder or an archive; submissions are {EXPECTED}")
        try:
            unpacked = self.store.unpack(outer, CLASS, strict=False)
        except BadArchive as bad:
            raise UsageError(f"{given}: {bad}") from bad
        inside = next(path for path in (given, *given.parents) if path.exists())
        folder = unpacked.folder / given.relative_to(inside)
        if ".." in given.relative_to(inside).parts or not folder.is_dir():
            raise UsageError(f"{given}: no such folder is in the archive {inside.name}")
        return folder, list(unpacked.left_out)

    def _read_class(self, folder: Path, given: Path) -> ClassOf:
        if self.layout is Layout.GRADESCOPE:
            inner = _downward(folder, lambda place: (place / METADATA).is_file())
            if not (inner / METADATA).is_file():
                raise UsageError(f"{given} has no {METADATA}, which is in every export of Gradescope's")
            return read_gradescope(inner, self.store)
        if self.layout is Layout.CANVAS:
            return read_canvas(_downward(folder, is_canvas_download), self.store)
        if self.layout is Layout.MOODLE:
            return read_moodle(_downward(folder, is_moodle_download), self.store)
        if self.layout is Layout.GITHUB:
            return read_github(folder, self.prefix, self.known, self.store)
        if self.layout is None:
            if is_gradescope_export(folder):
                return read_gradescope(folder, self.store)
            if is_canvas_download(folder):
                return read_canvas(folder, self.store)
            if is_moodle_download(folder):
                return read_moodle(folder, self.store)
            if self.prefix is not None or prefix_of_clones(folder, self.known) is not None:
                return read_github(folder, self.prefix, self.known, self.store)
            self._demand_clear(folder, given)
            self._demand_one(folder, given)
        return read_plain(folder, self.known, self.store)

    def _demand_clear(self, folder: Path, given: Path) -> None:
        """UsageError where the only folder may be a student's or the whole class's. Nothing in it decides: it may be
        what one student has handed in, to be taken for others."""
        inner = only_folder(folder)
        if inner is None or looks_like_one_students(inner, self.known):
            return
        alone = f"{printable(inner.name)} is alone in {given}"
        students = "if that is a student, --layout plain (make grade LAYOUT=plain)"
        if (inner / METADATA).is_file():
            raise UsageError(f"{alone} and has a {METADATA}: if it is an export, --layout gradescope; {students}")
        if is_canvas_download(inner):
            raise UsageError(f"{alone} and has files named as Canvas names them: --layout canvas; {students}")
        if is_moodle_download(inner):
            raise UsageError(f"{alone} and has names as Moodle gives them: --layout moodle; {students}")
        if sum(map(_holds_sources, inner.iterdir())) > 1:
            whole = f"if the class is in it, give it: SUBMISSIONS={given / inner.name}"
            raise UsageError(f"{alone} and holds several hand-ins: {whole}; {students}")

    def _demand_one(self, folder: Path, given: Path) -> None:
        """UsageError where each student of a class would be a class."""
        downloads = downloads_in(folder)
        if not downloads:
            return
        meant = of_lab(downloads, self.only)
        shown = ", ".join(_first([printable(one.name) for one in downloads]))
        give = f"give the one that is meant: SUBMISSIONS={given / (meant or downloads[0]).name}"
        said = f"{given} holds several downloads, each of a whole class: {shown}"
        raise UsageError(f"{said}; {give}. If those are students, --layout plain (make grade LAYOUT=plain)")

    def _labs_of(self, hand_in: HandIn, student: str, whole: ClassOf) -> tuple[list[Submission], list[str]]:
        try:
            submissions, lines = self._read(hand_in, student, whole.is_of_one_assignment)
        except TooLarge as error:
            return [self._unreadable(student, lab, problem=str(error)) for lab in self.wanted], []
        except (OSError, NoRoom) as error:
            said = cannot_read(error) if isinstance(error, OSError) else str(error)
            return [self._unreadable(student, lab, fault=said) for lab in self.wanted], []
        submissions = [
            replace(one, called=hand_in.student, platform=whole.platform, time=hand_in.time) for one in submissions
        ]
        # So that nobody can hide what was ignored of others.
        return submissions, _first([f"{hand_in.shown}{line}" for line in lines], f"{hand_in.shown}: ")

    def _read(self, hand_in: HandIn, student: str, for_one: bool) -> tuple[list[Submission], list[str]]:
        tree = Tree()
        hand_in.read(tree)
        recognized = recognize(tree, self.known, self.only)
        lines = [f"/{line}" for line in (*tree.ignored, *recognized.ignored)]
        submissions = [
            replace(
                self._submission(student, tree, found),
                ignored=tuple(_first([line[1:] for line in lines] + not_compiled(tree, found))),
            )
            for found in recognized.labs
            if found.lab in self.wanted
        ]
        there = {found.lab.id for found in recognized.labs if _has_sources(tree, found)} if tree.problems else set()
        for name, problem in tree.problems.items():
            cost = self._cost(name, there)
            submissions = [one for one in submissions if one.lab not in cost]
            submissions += [self._unreadable(student, lab, problem=problem) for lab in cost]
            if not cost:
                lines.append(f": {problem}")
        if not recognized.labs and not submissions and not lines:
            misnamed = next((name for name in tree.files if MISNAMED.search(name.name)), None)
            said = f", since {printable(misnamed.name)} is no .cu file by its name" if misnamed else ""
            lines.append(f": no lab is in it{said}")
        if self.only is not None and not submissions and (other := _for_another_lab(recognized.labs, for_one)):
            submissions.append(self._unreadable(student, self.only, problem=f"{other}, not for {self.only.id}"))
        return submissions, lines

    def _unreadable(self, student: str, lab: Lab, *, problem: str = "", fault: str = "") -> Submission:
        """With a folder that is none: what stands where the hand-in does may be everybody's."""
        return Submission(student, lab, self.store.folder / "nothing", problem, fault)

    def _cost(self, name: PurePosixPath, there: set[str]) -> list[Lab]:
        """The labs for which an archive that cannot be read was handed in; none that is there all the same."""
        named = next((lab for part in name.parts if (lab := lab_named(part, self.known))), None)
        if named is not None:
            return [lab for lab in self.wanted if lab is named and lab.id not in there]
        return [] if there else self.wanted

    def _submission(self, student: str, tree: Tree, found: FoundLab) -> Submission:
        if found.files is None:
            return Submission(student, found.lab, tree.folders[found.folder])
        files = {name.relative_to(found.folder): tree.files[name] for name in found.files}
        try:
            taken = taken_of({file: file.lstat().st_size for file in files.values()})
        except UsageError as error:
            return self._unreadable(student, found.lab, problem=str(error))
        arranged = {name: file for name, file in files.items() if file in taken}
        return Submission(student, found.lab, self.store.arrange(arranged))


def _for_another_lab(labs: list[FoundLab], for_one: bool) -> str | None:
    """What a student who handed in nothing for the one lab that is graded handed in for it all the same, in words. The
    folders of other labs in a student's own folder are no answer to this one."""
    others = [found for found in labs if for_one or found.files is not None]
    return "; ".join(f"{found.shown} was handed in for {found.lab.id}" for found in others) or None


def only_folder(folder: Path) -> Path | None:
    """What a folder holds, where that is one folder and nothing else."""
    entries = [entry for entry in folder.iterdir() if not is_junk(entry.name)]
    is_only = len(entries) == 1 and entries[0].is_dir() and not entries[0].is_symlink()
    return entries[0] if is_only else None


def _downward(folder: Path, is_it: Callable[[Path], bool]) -> Path:
    """Leaves out folders around what the instructor has named."""
    while not is_it(folder) and (inner := only_folder(folder)) is not None:
        folder = inner
    return folder


def _holds_sources(entry: Path) -> bool:
    """Whether this may be what a student handed in."""
    if is_junk(entry.name) or entry.is_symlink():
        return False
    if entry.is_dir():
        return any(is_source(name) or suffix_of(name) for _, _, names in os.walk(entry) for name in names)
    return suffix_of(entry.name) is not None


def _has_sources(tree: Tree, found: FoundLab) -> bool:
    return any(is_source(file.name) and found.folder in file.parents for file in tree.files)
