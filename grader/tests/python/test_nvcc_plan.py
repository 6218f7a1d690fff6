"""What becomes of nvcc's plan: its commands side by side, or nvcc itself; with programs that only pretend."""

import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Course, write_program

from tmagrade.building import compiler as compiler_module
from tmagrade.building.compiler import Compiler
from tmagrade.building.sandbox import NoSandbox
from tmagrade.machine.processes import Finished, Processes
from tmagrade.machine.toolkit import Toolkit

PutOnPath = Callable[[str, str], None]

TRUE_ID = "_11111111_8_entry_cu_22222222"
OLD_ID = "_11111111_8_entry_cu_33333333"

PLAN = """\
#$ _SPACE_=
#$ CICC_PATH=PROGRAMS
#$ PATH=PROGRAMS:/usr/bin:/bin
#$ LIBRARIES=  "-L/usr/local/cuda/lib"
#$ gcc -E -x c++ -D "main=another" "entry.cu" -o "BETWEEN/entry.cpp4.ii"
#$ cudafe++ --gen_c_file_name "BETWEEN/entry.cudafe1.cpp" --stub_file_name "entry.cudafe1.stub.c" \
--gen_module_id_file --module_id_file_name "BETWEEN/entry.module_id" "BETWEEN/entry.cpp4.ii"
#$ gcc -D__CUDA_ARCH__=900 -E -x c++ "entry.cu" -o "BETWEEN/entry.cpp1.ii"
#$ "$CICC_PATH/cicc" --include_file_name "entry.fatbin.c" --module_id_file_name "BETWEEN/entry.module_id" \
--gen_c_file_name "BETWEEN/entry.cudafe1.c" --stub_file_name "BETWEEN/entry.cudafe1.stub.c" \
--gen_device_file_name "BETWEEN/entry.cudafe1.gpu"  "BETWEEN/entry.cpp1.ii" -o "BETWEEN/entry.ptx"
#$ ptxas -arch=sm_90a "BETWEEN/entry.ptx"  -o "BETWEEN/entry.sm_90a.cubin"
#$ fatbinary --create="BETWEEN/entry.fatbin" --cmdline=" --generate-line-info " \
"--image3=kind=elf,sm=90a,file=BETWEEN/entry.sm_90a.cubin" "--image3=kind=ptx,sm=90a,file=BETWEEN/entry.ptx" \
--embedded-fatbin="BETWEEN/entry.fatbin.c"
#$ gcc -c -x c++ "BETWEEN/entry.cudafe1.cpp" -o "BETWEEN/entry.o"
#$ g++ -Wl,--start-group "BETWEEN/entry.o" -shared -o "submission.so"
"""

# Each program says its name and how often it was started, does what the test wants of it, and writes its files.
PROGRAM = """
    #!/bin/sh
    name=${0##*/}
    echo "$name" >> "ROOT/calls.txt"
    echo "$name says $(grep -c -x -F "$name" "ROOT/calls.txt")"
    if [ -e "ROOT/$name.does" ]; then . "ROOT/$name.does"; fi
    before=
    for word; do
        case "$before" in
            -o | --gen_c_file_name) echo "by $name" > "$word" ;;
            --module_id_file_name)
                if [ "$name" = cudafe++ ]; then printf %s TRUE_ID > "$word"; fi
                if [ "$name" = cicc ]; then { cat "$word"; echo; } >> "ROOT/ids.txt"; fi ;;
        esac
        before=$word
    done
"""

NVCC = """
    #!/bin/sh
    case "$1" in
        --version) echo "Cuda compilation tools, release RELEASE.88"; exit ;;
        --dryrun)
            echo asked >> "ROOT/plans.txt"
            while [ "$1" != --keep-dir ]; do shift; done
            sed "s|BETWEEN|$2|g" "ROOT/plan.txt" >&2; exit ;;
    esac
    echo "nvcc" >> "ROOT/calls.txt"
    echo "nvcc itself says why"
    echo "nvcc's" > submission.so
"""


class Pretended:
    """A toolkit of scripts, and a lab's stage."""

    def __init__(self, course: Course) -> None:
        self.root, self.lab = course.repository.root / "pretended", course.labs[0]
        self.tell(PLAN)
        self.release("13.0")
        for name in ("gcc", "g++", "cudafe++", "cicc", "ptxas", "fatbinary"):
            text = PROGRAM.replace("ROOT", str(self.root)).replace("TRUE_ID", TRUE_ID)
            write_program(self.root / "programs" / name, text)
        self.work = course.repository.work / "a text" / "stage"
        self.work.mkdir(parents=True)
        self.remembered = course.repository.work / "module-ids" / self.lab.id
        self.processes = Processes()
        self.repository = course.repository
        self.compiler = self.another(NoSandbox)

    def another(self, sandbox: type[NoSandbox]) -> Compiler:
        toolkit = Toolkit(self.root)
        return Compiler(self.repository, toolkit, self.processes, sandbox(self.repository, toolkit))

    def release(self, number: str) -> None:
        write_program(
            self.root / "bin/nvcc", NVCC.replace("ROOT", str(self.root)).replace("RELEASE", f"{number}, V{number}")
        )

    def tell(self, plan: str) -> None:
        self.root.mkdir(exist_ok=True)
        (self.root / "plan.txt").write_text(plan.replace("PROGRAMS", str(self.root / "programs")))

    def remember(self, module_id: str) -> None:
        self.remembered.parent.mkdir(parents=True, exist_ok=True)
        self.remembered.write_text(module_id)

    def does(self, name: str, what: str) -> None:
        (self.root / f"{name}.does").write_text(what)

    def compile(self) -> Finished:
        finished = self.compiler.compile(self.lab, self.work)
        self.processes.close()
        return finished

    @property
    def calls(self) -> list[str]:
        return (self.root / "calls.txt").read_text().split()

    @property
    def library(self) -> str:
        return (self.work / "submission.so").read_text()


@pytest.fixture
def pretended(course: Course) -> Pretended:
    return Pretended(course)


SAYS_WHY = 'echo "lab3.cu(1): error: told to"; exit 2\n'


def waits_for(pretended: Pretended, name: str) -> str:
    return f'while ! grep -q -x -F {name} "{pretended.root}/calls.txt"; do sleep 0.01; done\n'


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def hangs(pretended: Pretended) -> tuple[str, Callable[[], int]]:
    """What makes a program hang with a child of its own, and that child's number."""
    file = pretended.root / "child"
    return f'sleep 77 & echo $! > "{file}.new"; mv "{file}.new" "{file}"; wait\n', lambda: int(file.read_text())


def test_the_commands_for_the_host_run_beside_those_for_the_device(pretended: Pretended) -> None:
    pretended.remember(TRUE_ID)
    pretended.does("cudafe++", waits_for(pretended, "cicc"))
    pretended.does("cicc", waits_for(pretended, "cudafe++"))
    assert pretended.compile().status == 0
    assert sorted(pretended.calls) == sorted(["gcc", "cudafe++", "gcc", "cicc", "ptxas", "fatbinary", "gcc", "g++"])
    assert pretended.library == "by g++\n"


def test_the_hosts_compiler_waits_for_what_the_devices_have_written(pretended: Pretended) -> None:
    pretended.remember(TRUE_ID)
    pretended.does("ptxas", "sleep 0.3\n")
    pretended.compile()
    assert pretended.calls[-3:] == ["fatbinary", "gcc", "g++"]


def test_what_they_say_stands_in_nvccs_order(pretended: Pretended) -> None:
    pretended.remember(TRUE_ID)
    pretended.does("cudafe++", waits_for(pretended, "ptxas"))
    said = [re.sub(r" says \d", "", line) for line in pretended.compile().output.splitlines()]
    assert said == ["gcc", "cudafe++", "gcc", "cicc", "ptxas", "fatbinary", "gcc", "g++"]


def test_without_a_module_id_to_try_cicc_waits_for_it(pretended: Pretended) -> None:
    pretended.does("cudafe++", "sleep 0.3\n")
    assert pretended.compile().status == 0
    assert pretended.calls.index("cudafe++") < pretended.calls.index("cicc")
    assert (pretended.root / "ids.txt").read_text().split() == [TRUE_ID]
    assert pretended.remembered.read_text() == TRUE_ID


def test_with_the_wrong_module_id_cicc_is_started_again_with_the_right_one(pretended: Pretended) -> None:
    pretended.remember(OLD_ID)
    finished = pretended.compile()
    assert (finished.status, pretended.library) == (0, "by g++\n")
    assert (pretended.root / "ids.txt").read_text().split() == [OLD_ID, TRUE_ID]
    assert pretended.calls[-5:] == ["cicc", "ptxas", "fatbinary", "gcc", "g++"]
    assert "cicc says 2" in finished.output and "cicc says 1" not in finished.output
    assert pretended.remembered.read_text() == TRUE_ID


@pytest.mark.parametrize("written", ["", "_; rm -rf /", TRUE_ID + "\n", "\udcff"])
def test_what_is_no_module_id_is_not_tried(pretended: Pretended, written: str) -> None:
    pretended.remember("")
    pretended.remembered.write_bytes(written.encode(errors="surrogateescape"))
    assert pretended.compile().status == 0
    assert (pretended.root / "ids.txt").read_text().split() == [TRUE_ID]


@pytest.mark.parametrize("name", ["gcc", "cudafe++", "cicc", "ptxas", "fatbinary", "g++"])
def test_where_a_command_fails_with_no_word_on_the_text_nvcc_is_asked(pretended: Pretended, name: str) -> None:
    pretended.remember(TRUE_ID)
    pretended.does(name, "exit 3\n")
    finished = pretended.compile()
    assert (finished.output, pretended.library) == ("nvcc itself says why\n", "nvcc's\n")


@pytest.mark.parametrize(
    ("name", "before"),
    [
        ("cudafe++", "gcc"),
        ("cicc", "gcc cudafe++ gcc"),
        ("fatbinary", "gcc cudafe++ gcc cicc ptxas"),
        ("g++", "gcc cudafe++ gcc cicc ptxas fatbinary gcc"),
    ],
)
def test_what_is_wrong_with_the_text_is_told_as_nvcc_tells_it(pretended: Pretended, name: str, before: str) -> None:
    """What it has come to until there, in its order; and it is not asked again."""
    pretended.remember(TRUE_ID)
    pretended.does("cudafe++", waits_for(pretended, "cicc"))
    pretended.does(name, SAYS_WHY)
    finished = pretended.compile()
    said = [re.sub(r" says \d", "", line) for line in finished.output.splitlines()]
    assert said == [*before.split(), name, "lab3.cu(1): error: told to"]
    assert finished.status != 0
    assert "nvcc" not in pretended.calls


def test_where_both_chains_fail_the_one_that_nvcc_comes_to_first_is_told(pretended: Pretended) -> None:
    pretended.remember(TRUE_ID)
    pretended.does("cicc", SAYS_WHY)
    pretended.does("cudafe++", waits_for(pretended, "cicc") + "sleep 0.3\n" + SAYS_WHY.replace("told", "asked"))
    assert pretended.compile().output.splitlines()[-1] == "lab3.cu(1): error: asked to"


def test_what_fails_of_a_wrong_module_id_shows_nothing(pretended: Pretended) -> None:
    pretended.remember(OLD_ID)
    pretended.does("cicc", SAYS_WHY)
    assert pretended.compile().output == "nvcc itself says why\n"


def test_a_command_that_is_killed_is_left_to_nvcc(pretended: Pretended) -> None:
    pretended.does("cudafe++", SAYS_WHY.replace("exit 2", "kill -SEGV $$"))
    assert pretended.compile().output == "nvcc itself says why\n"


def test_commands_that_make_no_library_leave_it_to_nvcc(pretended: Pretended) -> None:
    pretended.does("g++", "exit 0\n")
    assert pretended.compile().output == "nvcc itself says why\n"


def test_a_command_that_fails_ends_those_beside_it(pretended: Pretended) -> None:
    pretended.remember(TRUE_ID)
    hang, child = hangs(pretended)
    pretended.does("cicc", hang)
    pretended.does(
        "cudafe++", waits_for(pretended, "cicc") + f'while [ ! -e "{pretended.root}/child" ]; do :; done; exit 3\n'
    )
    began = time.monotonic()
    assert pretended.compile().output == "nvcc itself says why\n"
    assert time.monotonic() - began < 77
    assert not is_alive(child())


def test_a_command_that_hangs_has_the_compilers_time_and_leaves_nothing(
    pretended: Pretended, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiler_module, "COMPILER_TIMEOUT_SECONDS", 2.0)
    hang, child = hangs(pretended)
    pretended.does("cudafe++", hang)
    assert pretended.compile().timed_out
    assert "nvcc" not in pretended.calls
    assert not is_alive(child())


class InOnePlace(NoSandbox):
    """As a sandbox has it, whose /tmp is its own."""

    def between(self, work: Path) -> Path:
        return self.toolkit.home / "between"


def test_a_plan_that_is_the_same_for_every_stage_is_asked_for_once(pretended: Pretended) -> None:
    for _ in range(2):
        pretended.compiler = pretended.another(InOnePlace)
        assert pretended.compile().status == 0
    assert "nvcc" not in pretended.calls
    assert (pretended.root / "plans.txt").read_text() == "asked\n"


@pytest.mark.parametrize("program", ["nvcc", "gcc"])
def test_another_compiler_is_asked_for_another_plan(pretended: Pretended, put_on_path: PutOnPath, program: str) -> None:
    for release in ("13.0", "13.0.1"):
        if program == "gcc":
            put_on_path("gcc", f"#!/bin/sh\n# {release}\n")
        else:
            pretended.release(release)
        pretended.compiler = pretended.another(InOnePlace)
        assert pretended.compile().status == 0
    assert (pretended.root / "plans.txt").read_text() == "asked\nasked\n"


def garbled() -> dict[str, str]:
    lines = PLAN.splitlines(keepends=True)
    return {
        "nothing": "",
        "a warning": "nvcc warning : old\n" + PLAN,
        "an unknown program": PLAN.replace("#$ ptxas", "#$ nvlink"),
        "a program by its path": PLAN.replace("#$ ptxas", "#$ /bin/ptxas"),
        "a redirection": PLAN.replace('cpp4.ii"\n', 'cpp4.ii" > there\n'),
        "a second command": PLAN.replace('cpp4.ii"\n', 'cpp4.ii"; true\n'),
        "a variable of the shell's": PLAN.replace('"entry.cu"', '"$HOME/entry.cu"'),
        "an open quote": PLAN.replace('-shared -o "submission.so"', '-shared -o "submission.so'),
        "cicc nowhere": PLAN.replace("#$ CICC_PATH=PROGRAMS\n", ""),
        "a variable too late": PLAN + "#$ PATH=/nowhere\n",
        "a file of nobody's": PLAN.replace("entry.cpp1.ii\" -o", "entry.cpp7.ii\" -o"),
        "a file of two": PLAN.replace("entry.cpp1.ii\"\n", "entry.cpp4.ii\" \n"),
        "another order": "".join([*lines[:4], *reversed(lines[4:])]),
        "the library missing": "".join(lines[:-1]),
        "the library not at the end": PLAN + lines[-2],
    }  # fmt: skip


@pytest.mark.parametrize("kind", garbled())
def test_a_plan_that_is_not_understood_is_left_to_nvcc(pretended: Pretended, kind: str) -> None:
    assert garbled()[kind] != PLAN
    pretended.tell(garbled()[kind])
    assert pretended.compile().output == "nvcc itself says why\n"
    assert pretended.calls == ["nvcc"]


def test_another_release_of_cuda_is_left_to_nvcc(pretended: Pretended) -> None:
    pretended.release("13.7")
    pretended.compile()
    assert pretended.calls == ["nvcc"]
