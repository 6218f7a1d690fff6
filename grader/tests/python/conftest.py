"""A small course in a temporary folder, with a compiler and a judge that only pretend.

A submission there is a text of lines `PART ENGINE VERDICT` (the fake judge passes what no line names), and the
word `#error` anywhere keeps it from compiling; `#warning` makes the compiler warn. Each run of either program is noted
in calls.txt.
"""

import io
import os
import sys
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from commands import put_in_commands
from long_cases import left_out
from rich.console import Console
from typer.testing import CliRunner

from staff.commands import cli
from tmagrade.basics.paths import HERE, Repository
from tmagrade.building.sandbox import ENTRY_FILES, NoSandbox
from tmagrade.course.labs import Lab, load_labs
from tmagrade.grading.grading import Grading, Job
from tmagrade.grading.progress import Tally
from tmagrade.grading.steps import Kind
from tmagrade.machine.backend import Engine, Gpu
from tmagrade.machine.toolkit import Toolkit
from tmagrade.submissions.submission import Submission

# Where Hypothesis keeps what it needs again; without a word it makes a folder of its own where it is started.
os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", str(HERE.build / "hypothesis"))

# The files that take longest, these first: two processors then end together. (xdist hands out whole files in the order
# in which they are collected, where it is told not to put those with most tests first.)
LONGEST = (
    "test_slurm", "test_told_mistakes", "test_replay", "test_hazard_programs", "test_add_a_lab", "test_side_by_side",
    "test_stepping_launches", "test_recordings", "test_ladders", "test_damaged_state", "test_properties",
    "test_kept_grades", "test_elsewhere", "test_bug_hunts", "test_release", "test_launcher", "test_killed",
    "test_term_of_120", "test_term", "test_serve", "test_programs", "test_regrading", "test_resources",
    "test_term_books", "test_prebuilt", "test_skeletons", "test_guide_examples", "test_ptxas_wgmma",
    "test_source_lines", "test_cublas", "test_arithmetic_mutants", "test_policies", "test_review_server",
)  # fmt: skip

LAB_TOML = """
id = "lab3-bulk-copy"
title = "Bulk copies"
idea = "One thread, one instruction, a whole array."
source = "lab3.cu"

[points]
correctness = 60
hygiene = 15
bandwidth = 25

[[parts]]
id = "one-tile"
title = "One tile"
points = 20

[[parts]]
id = "pipeline"
title = "A pipeline"
points = 40

[bandwidth]
part = "pipeline"
thresholds = [{ fraction = 0.5, points = 0 }, { fraction = 0.9, points = 20 }, { fraction = 1.0, points = 25 }]
"""

LAB4_TOML = """
id = "lab4-single-tile"
title = "A single tile"
idea = "A tensor map says what a tile is."
source = "lab4.cu"

[points]
correctness = 85
hygiene = 15

[[parts]]
id = "load"
title = "Load"
points = 85
"""

FAKE_NVCC = """
    #!/bin/sh
    if [ "$1" = --version ]; then echo "Cuda compilation tools, release 13.0, V13.0.88"; exit; fi
    if [ "$1" = --dryrun ]; then exit 1; fi  # it tells no plan
    text=$(cat *.cu)
    has() { case "$text" in *"$1"*) true ;; *) false ;; esac }
    if has "canary"; then echo "canary nvcc" >> "CALLS"; else echo "nvcc" >> "CALLS"; fi
    if has "breaks the linker"; then touch "ROOT/linker is broken"; fi
    if has "forks in vain once" && [ ! -e "ROOT/forked" ]; then
        touch "ROOT/forked"; echo "sh: 1: Cannot fork"; exit 2
    fi
    if has "the compiler hangs" && { ! has "hangs once" || [ ! -e "ROOT/hung" ]; }; then
        touch "ROOT/hung"; sleep 60
    fi
    if has "cannot be linked"; then echo "collect2: error: ld returned 1 exit status"; exit 1; fi
    if [ -e "ROOT/linker is broken" ]; then echo "collect2: error: ld returned 127 exit status"; exit 1; fi
    if has "#error"; then echo "lab3.cu(1): error: told to"; exit 1; fi
    if has "#warning"; then echo "lab3.cu(1): warning: told to"; fi
    if has "changes itself"; then echo "// changed" >> "ROOT/handed-in/ada/lab3-bulk-copy/lab3.cu"; fi
    { echo "// the library"; cat *.cu; } > submission.so
"""

FAKE_JUDGE = """
    import _json, _signal as signal, os, sys, time  # `json` and `signal` take longer than all that it does
    def text_of(value):
        if isinstance(value, dict):
            return "{" + ", ".join(f"{text_of(name)}: {text_of(inner)}" for name, inner in value.items()) + "}"
        if isinstance(value, (list, tuple)):
            return "[" + ", ".join(map(text_of, value)) + "]"
        if isinstance(value, str):
            return _json.encode_basestring_ascii(value)
        return "null" if value is None else str(value).lower()
    began = time.monotonic()
    words = sys.argv[1 : sys.argv.index("--")]
    arguments = dict(zip(words[0::2], words[1::2]))
    left_out = [value for word, value in zip(words, words[1:]) if word == "--leave-out"]
    engine = os.environ.get("TMAEMU_ASYNC", "gpu")
    text = open(arguments["--submission"]).read()
    with open("CALLS", "a") as calls:
        who = "canary judge" if "canary" in text else "judge"
        print(who, arguments["--lab"], engine, os.environ["LD_LIBRARY_PATH"].split(":")[0], file=calls)
    if "breaks the machine" in text:
        open("ROOT/machine is broken", "w").close()
    if "judge rambles" in text:
        print("\\n".join(["x" * 10000] * 20), file=sys.stderr)
        sys.exit(3)
    if "judge dies" in text:
        print("the judge's last words", file=sys.stderr)
        sys.exit(3)
    if "and so does the canary" in text:
        open("ROOT/judges die", "w").close()
    if "canary" in text and os.path.exists("ROOT/judges die"):
        os.kill(os.getpid(), 6)
    with open("ROOT/judged.txt", "a") as log:
        print(*words, file=log)
    if "judge crashes once" in text:
        crashes = not os.path.exists("ROOT/crashed")
        open("ROOT/crashed", "w").close()
    else:
        crashes = "judge crashes" in text
    if crashes:
        os.kill(os.getpid(), 11)
    if "judge is killed" in text:
        by = int(text.split("judge is killed by signal ")[1].split()[0])
        print("pass\tpipeline\t8199 ints", flush=True)
        if by != signal.SIGKILL:
            signal.signal(by, signal.SIG_DFL)  # under nohup, and behind a shell's &, some are ignored
        os.kill(os.getpid(), by)
    if "judge wants memory" in text:
        sys.exit(4)
    if "judge hangs" in text:
        time.sleep(60)
    if "waits for a file" in text:
        while not os.path.exists("ROOT/go"):
            time.sleep(0.02)
    if "kills its task once" in text and not os.path.exists("ROOT/killed"):
        open("ROOT/killed", "w").close()
        os.kill(os.getppid(), 9)
    if "waits" in text:
        time.sleep(0.05)
    said = {tuple(line.split()[:2]): line.split()[2] for line in text.splitlines() if len(line.split()) == 3}
    parts = {"lab3-bulk-copy": ["one-tile", "pipeline"], "lab4-single-tile": ["load"], "canary": ["add-one"]}
    parts = [part for part in parts[arguments["--lab"]] if arguments.get("--filter", part) == part]
    names = [name for name in ("small", "large") if arguments.get("--case", name) == name]
    if not names:
        sys.exit("judge: there is no such case; there are: small; large")
    with open("ROOT/asked.txt", "a") as log:
        print(engine, *words[6:], file=log)
    with open("ROOT/threads.txt", "a") as log:
        print(os.environ.get("TMAEMU_THREADS"), file=log)
    if "canary" in text and os.path.exists("ROOT/machine is broken"):
        said["add-one", "any"] = "crash"
    struck = names
    for once, cases in {"once": names[:1], "once-twice": names}.items():
        if "--seed" not in arguments and not os.path.exists("ROOT/once") and any(one == once for _, one in said):
            open("ROOT/once", "w").close()
            said, struck = {(part, "any"): verdict for (part, one), verdict in said.items() if one == once}, cases
    where = f": {arguments['--submission']} died" if "tells where it is" in text else ""
    of_part = {part: said.get((part, engine), said.get((part, "any"), "pass")) for part in parts}
    verdicts = [(part, case, of_part[part] if case in struck else "pass") for part in parts for case in names]
    styled = [[["error", "error: "], ["strong", "the kernel executed a trap instruction [trap]"]],
              [["plain", "read: "], ["page", "handout/findings/trap.md"]]]
    found = [{"code": "trap", "message": "the kernel executed a trap instruction", "text": styled, "count": 1}]
    report = {
        "schema": 5,
        "ways": {},
        "seed": "7",
        "device": {"name": engine, "sm": 90},
        "cases": [
            {"part": part, "case": case, "verdict": verdict, "message": message, "bypasses_tma": False,
             "findings": found if verdict == "hazard" else []}
            for part, case, verdict in verdicts
            for message in ["" if verdict == "pass" else f"it is a {verdict}" + where]
            if f"{part}/{case}" not in left_out
        ],
    }
    rehearsal = said.get(("rehearsal", engine), said.get(("rehearsal", "any")))
    if rehearsal and engine != "gpu" and "pipeline" in parts:
        report["rehearsal"] = {"part": "pipeline", "verdict": rehearsal, "message": f"it is a {rehearsal}"}
    if "--bandwidth" in sys.argv:
        report["bandwidth"] = {
            "part": "pipeline", "verdict": "pass", "message": "", "bytes": 1,
            "gb_per_s": 4047.0, "roofline_gb_per_s": 4260.0, "fraction": 0.95, "protocol_overhead_fraction": 0.001,
        }
    with open(arguments["--output"], "w") as output:
        output.write("not JSON" if "judge mumbles" in text else text_of(report))
    if engine == "gpu":
        with open("ROOT/gpus.txt", "a") as log:
            row = {"gpu": os.environ["CUDA_VISIBLE_DEVICES"], "began": began, "ended": time.monotonic()}
            print(text_of(row), file=log)
"""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    others = left_out(items)
    config.hook.pytest_deselected(items=others)
    items[:] = [item for item in items if item not in others]
    rank = {name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: rank.get(item.path.stem, len(LONGEST)))


class Silent:
    def note(self, words: str) -> None:
        pass

    def begin(self, tally: Tally) -> None:
        pass

    def update(self, tally: Tally) -> None:
        pass

    def ended(self, kind: Kind, who: str, tally: Tally) -> None:
        pass


@dataclass
class Course:
    """The temporary course, and what the tests do with it."""

    repository: Repository
    toolkit: Toolkit
    labs: list[Lab]
    handed_in: Path

    def submit(self, student: str, text: str, lab: str = "lab3-bulk-copy", name: str = "lab3.cu") -> Submission:
        folder = self.handed_in / student / lab
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
        return Submission(student, next(known for known in self.labs if known.id == lab), folder)

    def grading(self, engines: tuple[str, ...] = ("late", "early"), gpus: int = 0) -> Grading:
        hopper = [Gpu(index, "NVIDIA H200", "9.0", "580") for index in range(gpus)]
        return Grading(
            repository=self.repository,
            toolkit=self.toolkit,
            sandbox=NoSandbox(self.repository, self.toolkit),
            emulator_engines=[Engine(name) for name in engines],
            gpu_engines=[Engine("gpu", gpu) for gpu in hopper],
            cores=2,
            progress=Silent(),
        )

    def grade(self, *submissions: Submission, engines: tuple[str, ...] = ("late", "early"), gpus: int = 0) -> list[Job]:
        return self.grading(engines, gpus).run(submissions)

    @property
    def calls(self) -> list[str]:
        """The fake programs' runs since the last look, save those of the canary."""
        return [line for line in self.all_calls if not line.startswith("canary ")]

    @property
    def all_calls(self) -> list[str]:
        log = self.repository.root / "calls.txt"
        lines = log.read_text().splitlines() if log.exists() else []
        log.unlink(missing_ok=True)
        return lines

    def solve(self, text: str, lab: str = "lab3-bulk-copy") -> None:
        """Writes the lab's reference solution."""
        path = self.repository.solutions / lab / "solution.cu"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def write_program(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(textwrap.dedent(text).lstrip())
    path.chmod(0o755)


def write_lab(root: Path, text: str) -> Path:
    name = next(line.split('"')[1] for line in text.splitlines() if line.startswith("id ="))
    path = root / "labs" / name / "lab.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def make_course(root: Path) -> Course:
    for text in (LAB_TOML, LAB4_TOML):
        write_lab(root, text)
    for folder in ("labs/common", "grader/checks", "build/lib/emulator", "handed-in"):
        (root / folder).mkdir(parents=True)
    for name in ENTRY_FILES:
        (root / "grader" / name).parent.mkdir(parents=True, exist_ok=True)
        (root / "grader" / name).touch()
    known = root / "grader/checks/canary/program/canary.cu"
    known.parent.mkdir(parents=True)
    known.write_text("// the canary")
    calls = str(root / "calls.txt")
    write_program(root / "cuda/bin/nvcc", FAKE_NVCC.replace("CALLS", calls).replace("ROOT", str(root)))
    write_program(root / "judge.py", FAKE_JUDGE.replace("CALLS", calls).replace("ROOT", str(root)))
    for lab in ("canary", "lab3-bulk-copy", "lab4-single-tile"):
        words = f'"{sys.executable}" -S -E "{root}/judge.py" --lab {lab} "$@"'
        write_program(root / "build/bin/judges" / lab, f"#!/bin/sh\nexec {words}\n")
    write_program(root / "build/bin/runner", "#!/bin/sh\n")
    write_program(root / "bin/nm", "#!/bin/sh\n")  # the pretended libraries are texts, which call nothing
    repository = Repository(root)
    return Course(repository, Toolkit(root / "cuda"), load_labs(repository.labs), root / "handed-in")


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Course:
    root = tmp_path / "a course"
    monkeypatch.setenv("PATH", f"{root / 'bin'}:{os.environ['PATH']}")
    return make_course(root)


@pytest.fixture
def lab3(course: Course) -> Lab:
    return course.labs[0]


@pytest.fixture
def put_on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """Puts a program in front of all others of its name."""

    def put(name: str, text: str) -> None:
        write_program(tmp_path / "bin" / name, text)
        monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")

    return put


# The interface of `run`: arguments in; exit status and everything printed out.
Tmagrade = Callable[..., tuple[int, str]]


@pytest.fixture
def tmagrade(course: Course, monkeypatch: pytest.MonkeyPatch) -> Tmagrade:
    return tmagrade_of(course, monkeypatch)


def tmagrade_of(course: Course, patch: pytest.MonkeyPatch) -> Tmagrade:
    """The command line, as it is for a pretended course."""
    put_in_commands("HERE", course.repository, patch.setattr)
    put_in_commands("find_toolkit", lambda repository: course.toolkit, patch.setattr)
    # The pretended programs stand where a sandbox does not show them.
    patch.setattr("tmagrade.building.sandbox.Bubblewrap", NoSandbox)
    patch.setattr("tmagrade.machine.backend.list_gpus", lambda: ())  # whatever this machine has
    printed: list[str] = []
    for name in ("out", "err"):
        put_in_commands(name, Console(file=Written(printed), width=300), patch.setattr)

    def run(*arguments: object) -> tuple[int, str]:
        printed.clear()
        result = CliRunner().invoke(cli.app, [str(argument) for argument in arguments])
        return result.exit_code, "".join(printed) + result.output

    return run


class Written(io.StringIO):
    """A file that is a list of what was written."""

    def __init__(self, printed: list[str]) -> None:
        super().__init__()
        self.printed = printed

    def write(self, text: str, /) -> int:
        self.printed.append(text)
        return len(text)
