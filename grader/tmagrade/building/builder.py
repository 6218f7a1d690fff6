"""Builds submissions: each in a stage of its own, and once for the same contents."""

import re
import shutil
import stat
import subprocess
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from functools import cache, cached_property
from pathlib import Path

from tmagrade.basics.cache import (
    PRIVATE_FILE_MODE,
    digest_files,
    digest_folder,
    key_of,
    make_private,
    make_tree_private,
    recall,
    remember,
    require_space,
)
from tmagrade.basics.errors import GraderFault, UsageError
from tmagrade.basics.json_form import Flag
from tmagrade.basics.paths import Repository
from tmagrade.building import compiler as compiler_module
from tmagrade.building import compiler_output, launcher_calls, nvcc_plan, pieces, side_by_side
from tmagrade.building.compiler import COMPILER_TIMEOUT_SECONDS, Compiler
from tmagrade.building.compiler_output import compiler_lines, compiler_warnings
from tmagrade.building.launcher_calls import FILE as LAUNCHER_CALLS
from tmagrade.building.launcher_calls import complaint, cuda_calls, refused_calls
from tmagrade.building.pieces import MOST_PIECES, Piece, Refused
from tmagrade.building.sandbox import ENTRY_FILES, LAB_ENTRY_FILES, LIBRARY, SOURCES, Sandbox
from tmagrade.course.labs import Lab
from tmagrade.machine.processes import Finished, Processes
from tmagrade.machine.scratch import scratch_folder
from tmagrade.machine.toolkit import Toolkit
from tmagrade.submissions import staging
from tmagrade.submissions.staging import (
    WRITTEN,
    copy_submitted,
    digest_submitted,
    submitted_files,
    write_includes,
    write_one_include,
)
from tmagrade.submissions.submission import Submission

MAX_LIBRARY_BYTES = 64 << 20

# What decides about a library besides the compiler: a record of before is none of after.
CHECKS = (
    LAUNCHER_CALLS,
    Path(launcher_calls.__file__),
    Path(compiler_output.__file__),
    Path(staging.__file__),
    Path(pieces.__file__),
    Path(compiler_module.__file__),
    Path(nvcc_plan.__file__),
    Path(side_by_side.__file__),
    Path(__file__),
)

TOO_LONG = "the compiler ran longer than"

# A compiler that failed sooner, or that came to no end, is started once more where the machine may be to blame.
QUICK_SECONDS = 30.0

NO_MEMORY = "the machine ran out of memory while this was built; grade again, with fewer --jobs"

# How a text begins that some editors call "Unicode".
UTF_16 = (b"\xff\xfe", b"\xfe\xff")

# The stage's name in its scratch folder; it is the folder outside that is locked.
STAGE = "stage"


@dataclass(frozen=True)
class Built:
    """The library of a submission, or why there is none."""

    library: Path | None
    digest: str = ""  # of the library
    verdict: str = ""  # where there is no library: "build error" or "missing"
    message: str = ""
    pieces: tuple[Piece, ...] = ()  # where the files are libraries of their own; `library` is the first's
    refused: tuple[Refused, ...] = ()  # besides those
    warnings: str = ""  # the compiler's, of a library that it made

    @property
    def remarks(self) -> str:
        """What a student is to know although there is a library: warnings, and files that are in none."""
        left_out = (f"{one.source} does not compile by itself: {one.message}" for one in self.refused)
        return "\n".join([*left_out, *([self.warnings] if self.warnings else [])])


class Builder:
    def __init__(self, repository: Repository, toolkit: Toolkit, processes: Processes, sandbox: Sandbox) -> None:
        self.repository = repository
        self.toolkit = toolkit
        self.sandbox = sandbox
        self.compiler = Compiler(repository, toolkit, processes, sandbox)

    @cached_property
    def _common_digest(self) -> str:
        """What the submissions of every lab are compiled with: the labs' headers and the entry's."""
        grader = self.repository.grader
        return key_of(
            digest_folder(self.repository.labs / "common"),
            digest_files(grader, (grader / name for name in ENTRY_FILES)),
            *(path.read_text() for path in CHECKS),
        )

    @cache  # noqa: B019 (a builder lives as long as its grading)
    def _lab_digest(self, lab: str) -> str:
        """What one lab's submissions are compiled with."""
        checks = self.repository.grader / "checks" / lab
        return digest_files(checks, (checks / name for name in LAB_ENTRY_FILES if (checks / name).exists()))

    def key(self, submission: Submission) -> str:
        """The same for whatever is built from the same text in the same way, whoever handed it in.

        UsageError where the submission cannot be read or is too large.
        """
        if submission.problem:
            raise UsageError(submission.problem)
        if submission.fault:
            raise GraderFault(submission.fault)
        return self._key(submission.lab, digest_submitted(submission.folder))

    def _key(self, lab: Lab, contents: str) -> str:
        command = self.sandbox.compiler(lab, self.repository.work / "any" / STAGE)
        return key_of(lab.id, contents, self._lab_digest(lab.id), self._common_digest, self.toolkit.version, command)

    def records(self, key: str) -> Path:
        """The folder of what is known of the submissions with this key."""
        return self.repository.records / key

    def recall(self, key: str) -> Built | None:
        """What an earlier build came to, if its library is still there and whole."""
        known = recall(self.records(key) / "build.json", key, _Recorded)
        if known is None:
            return None
        if not known.library:
            refused = Built(None, verdict=known.verdict, message=known.message)
            return refused if refused.verdict in ("build error", "missing") else None
        if known.pieces:
            return self._recall_pieces(known, key)
        library = self._library(key)
        return Built(library, known.digest, warnings=known.warnings) if _is_whole(library, known.digest) else None

    def _recall_pieces(self, known: "_Recorded", key: str) -> Built | None:
        found = tuple(
            Piece(piece.source, self._library(f"{key}-{index}"), piece.digest)
            for index, piece in enumerate(known.pieces)
        )
        are_whole = all(_is_whole(piece.library, piece.digest) for piece in found)
        return _of_pieces(found, known.refused) if are_whole else None

    def build(self, submission: Submission, key: str, control: Callable[[], None]) -> Built:
        """Builds, and keeps what it came to.

        `control` raises GraderFault where this machine does not build a text that is known to be right: it is asked
        where a compiler fails without a word about the student's text.
        """
        # A stage of its own: what a killed grader has left, or still runs, is in no one's way.
        self.repository.work.mkdir(parents=True, exist_ok=True)
        with scratch_folder(self.repository.work) as folder:
            # Of what is built, and not only of what stood there before and after.
            copied = self._key(submission.lab, copy_submitted(submission.folder, folder / STAGE))
            built = self._controlled(submission, folder / STAGE, control) if copied == key else None
            if built is None or self.key(submission) != key:
                raise GraderFault(f"{submission.folder} changed while it was graded; grade it again")
            if built.pieces:
                kept = (self._keep_piece(piece, folder, f"{key}-{i}") for i, piece in enumerate(built.pieces))
                built = _of_pieces(tuple(kept), built.refused)
            elif built.library is not None:
                built = replace(built, library=self._keep(built.library, folder, key))
        remember(self.records(key) / "build.json", key, _recorded(built))
        return built

    def compile(self, submission: Submission, folder: Path) -> tuple[Finished, Path | None]:
        """Compiles a text that is known to be right, below `folder`, and keeps nothing. What the compiler said, and
        the library, if it made one."""
        work = folder / STAGE
        copy_submitted(submission.folder, work)
        write_includes(work)
        finished = self.compiler.compile(submission.lab, work)
        library = work / LIBRARY
        return finished, library if finished.status == 0 and _not_a_library(library) is None else None

    def _controlled(self, submission: Submission, work: Path, control: Callable[[], None]) -> Built:
        """What the text comes to, and not what the machine does to it."""
        sources = write_includes(work)
        if not sources:
            from tmagrade.submissions.no_source import no_source  # which hardly anybody needs

            return Built(None, verdict="missing", message=no_source(_names_in(work), submission.lab))
        began = time.monotonic()
        with ThreadPoolExecutor(1) as beside:
            beside.submit(lambda: self.toolkit.functions)  # which is asked for behind the compiler
            built = _of_no_text(work, sources) or self._compiled(submission, work, control)
        if built.library is None and 1 < len(sources) <= MOST_PIECES:
            give_up = began + COMPILER_TIMEOUT_SECONDS
            if not built.message.startswith(TOO_LONG):
                return self._in_pieces(submission, work, sources, control, give_up) or built
        return built

    def _in_pieces(
        self, submission: Submission, work: Path, sources: list[str], control: Callable[[], None], give_up: float
    ) -> Built | None:
        """Each .cu file as a library of its own, since together they are none. None where none of them is one."""
        found: list[Piece] = []
        refused: list[Refused] = []
        for source in sources:
            if time.monotonic() > give_up or any(one.message.startswith(TOO_LONG) for one in refused):
                refused.append(Refused(source, "not tried: the compiler has run too long on this hand-in"))
                continue
            write_one_include(work, source)
            built = _of_no_text(work, [source]) or self._compiled(submission, work, control)
            if built.library is None:
                refused.append(Refused(source, built.message))
            else:
                kept = built.library.replace(work.parent / f"piece-{len(found)}.so")
                found.append(Piece(source, kept, built.digest))
        return _of_pieces(tuple(found), tuple(refused)) if found else None

    def _compiled(self, submission: Submission, work: Path, control: Callable[[], None]) -> Built:
        killed = processes_killed_for_memory()
        began = time.monotonic()
        finished = self.compiler.compile(submission.lab, work)
        if finished.status != 0 and not finished.timed_out:
            # A compiler that finds no room fails as if the student's text were wrong.
            require_space(work)
            require_space(Path(tempfile.gettempdir()))
            if processes_killed_for_memory() != killed:
                raise GraderFault(NO_MEMORY)
        failed = finished.status != 0 or _not_a_library(work / LIBRARY) is not None
        if failed and not compiler_output.speaks_of_the_text(finished.output):
            is_worth_it = finished.timed_out or time.monotonic() - began < QUICK_SECONDS
            control()
            if is_worth_it:
                # What the machine lacked for a moment it has now. A text that compiles at times only, as the clock
                # has it, shows nothing of the machine: what counts is what came of it the second time.
                finished = self.compiler.compile(submission.lab, work)
        return self._looked_at(submission, work, finished, control)

    def _looked_at(self, submission: Submission, work: Path, finished: Finished, control: Callable[[], None]) -> Built:
        library = work / LIBRARY
        if finished.timed_out:
            message = f"{TOO_LONG} {finished.had_seconds:g} seconds"
            return Built(None, verdict="build error", message=message)
        if finished.status != 0:
            return Built(None, verdict="build error", message=compiler_lines(finished.output))
        if (wrong := _not_a_library(library)) is not None:
            return Built(None, verdict="build error", message=wrong)
        listing = self.sandbox.symbols(submission.lab, work)
        listed = self.compiler.run(listing, work, stderr=subprocess.DEVNULL)
        if listed.status != 0:
            control()
            listed = self.compiler.run(listing, work, stderr=subprocess.DEVNULL)
        if listed.status != 0:  # it reads the library of the program that is known to be right
            return Built(None, verdict="build error", message="nm cannot read the library that this text makes")
        if listed.cut:
            return Built(None, verdict="build error", message="host code leaves too many names to other libraries")
        if refused := refused_calls(listed.output):
            return Built(None, verdict="build error", message=complaint(refused))
        if (calls := cuda_calls(listed.output)) and (unknown := sorted(calls - self.toolkit.functions)):
            message = f"host code calls `{unknown[0]}`, which CUDA {self.toolkit.version} does not have"
            return Built(None, verdict="build error", message=message)
        return Built(library, _digest(library), warnings=compiler_warnings(finished.output))

    def _keep(self, library: Path, scratch: Path, key: str) -> Path:
        """Puts the library where it is run from, and beside it the text that was compiled, which findings quote."""
        kept = self._library(key)
        make_private(kept.parent)
        whole = library.replace(scratch / LIBRARY)
        shutil.rmtree(kept.parent / SOURCES, ignore_errors=True)
        (scratch / STAGE).rename(kept.parent / SOURCES)
        make_tree_private(kept.parent / SOURCES)
        whole.chmod(PRIVATE_FILE_MODE)
        return whole.replace(kept)  # last: where it is, the rest is, too

    def _keep_piece(self, piece: Piece, scratch: Path, key: str) -> Piece:
        """As _keep(), with a copy of the text, which the other pieces need, too."""
        kept = self._library(key)
        make_private(kept.parent)
        shutil.rmtree(kept.parent / SOURCES, ignore_errors=True)
        shutil.copytree(scratch / STAGE, kept.parent / SOURCES, symlinks=True)
        make_tree_private(kept.parent / SOURCES)
        piece.library.chmod(PRIVATE_FILE_MODE)
        return Piece(piece.source, piece.library.replace(kept), piece.digest)

    def _library(self, key: str) -> Path:
        """Apart from the records, because the student's own code runs from here."""
        return self.repository.state / "libraries" / key / LIBRARY


def processes_killed_for_memory(statistics: Path = Path("/proc/vmstat")) -> int:
    """How often the kernel has ended a process since it started because there was no memory left."""
    found = re.search(r"^oom_kill (\d+)$", statistics.read_text(), re.MULTILINE)
    return int(found[1]) if found else 0


def _names_in(work: Path) -> list[str]:
    return [path.name for path in submitted_files(work) if path.name not in WRITTEN]


def _of_no_text(work: Path, sources: list[str]) -> Built | None:
    """What comes of sources that the compiler would read as something else than what the editor shows."""
    for source in sources:
        with (work / source).open("rb") as file:
            if file.read(2) in UTF_16:
                return Built(None, verdict="build error", message=f"{source} is UTF-16: save it as UTF-8")
    return None


def _of_pieces(found: tuple[Piece, ...], refused: tuple[Refused, ...]) -> Built:
    digest = key_of([(piece.source, piece.digest) for piece in found], [asdict(one) for one in refused])
    return Built(found[0].library, digest, pieces=found, refused=refused)


@dataclass(frozen=True)
class _RecordedPiece:
    source: str
    digest: str


@dataclass(frozen=True)
class _Recorded:
    """What is kept of a build; where the libraries are follows from its key."""

    library: Flag  # whether there is one
    digest: str
    verdict: str
    message: str
    pieces: tuple[_RecordedPiece, ...]
    refused: tuple[Refused, ...]
    warnings: str


def _recorded(built: Built) -> _Recorded:
    pieces = tuple(_RecordedPiece(piece.source, piece.digest) for piece in built.pieces)
    has_library = built.library is not None
    return _Recorded(has_library, built.digest, built.verdict, built.message, pieces, built.refused, built.warnings)


def _is_whole(library: Path, digest: str) -> bool:
    return library.is_file() and _digest(library) == digest


def _not_a_library(path: Path) -> str | None:
    """The compiler was led by the student's text; what it left is looked at before it is opened."""
    try:
        status = path.lstat()
    except OSError:
        status = None
    if status is None or status.st_size == 0:
        return "the compiler made no library"
    if not stat.S_ISREG(status.st_mode) or status.st_size > MAX_LIBRARY_BYTES:
        return f"the compiler made something else than a library of at most {MAX_LIBRARY_BYTES >> 20} MiB"
    return None


def _digest(path: Path) -> str:
    return digest_files(path.parent, [path])
