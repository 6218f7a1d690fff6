"""nvcc's commands for the host beside those for the device, with the real compiler: nvcc's library and nvcc's words."""

from pathlib import Path

import pytest
from long_cases import long_but

from tmagrade.basics.paths import HERE, Repository
from tmagrade.building.compiler import UNDERSTOOD, Compiler
from tmagrade.building.sandbox import LIBRARY, NoSandbox, sandbox_if_any
from tmagrade.course.labs import Lab, load_labs
from tmagrade.machine.processes import Finished, Processes
from tmagrade.machine.toolkit import find_toolkit
from tmagrade.submissions.staging import stage, write_includes

TOOLKIT = find_toolkit(HERE)
LABS = load_labs(HERE.labs)
LAB3 = next(lab for lab in LABS if lab.id == "lab3-bulk-copy")
# For two architectures: all commands that nvcc has for one, twice.
LAB9 = next(lab for lab in LABS if lab.id == "lab9-clusters")
COMPARED = long_but({LAB9.id}, LABS, lambda lab: str(lab.id))

# A module ID that no text has.
WRONG = "_00000000_8_entry_cu_00000000"

# What the host's front end, the device's front end, ptxas and the host's compiler have to say of.
WARNS = """
#include <cstdio>
__global__ void keeps_nothing(int* data) {
  int unused_on_both;
  asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
  data[threadIdx.x] = 1;
}
int falls_off(int* data) { keeps_nothing<<<1, 32>>>(data); printf("%s", 1); }
"""

pytestmark = pytest.mark.skipif(
    not TOOLKIT.version.startswith(tuple(f"{release}." for release in UNDERSTOOD)),
    reason=f"of CUDA {TOOLKIT.version} nvcc itself compiles",
)


class Stage:
    """Where a text is compiled, and what has the compiler's sandbox without being remembered by the course."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(Repository, "state", property(lambda repository: folder / "state"))
        self.work = folder / "a place" / "stage"
        self.processes = Processes()
        self.sandbox = sandbox_if_any(HERE, TOOLKIT)
        self.compiler = Compiler(HERE, TOOLKIT, self.processes, self.sandbox)
        self.nvcc_itself: list[Lab] = []
        monkeypatch.setattr(self.compiler, "_nvcc", self._asks_nvcc_itself)

    def _asks_nvcc_itself(self, lab: Lab, work: Path) -> Finished:
        self.nvcc_itself.append(lab)
        return self.compiler.run(self.sandbox.compiler(lab, work), work)

    def write(self, text: str) -> None:
        self.work.mkdir(parents=True)
        (self.work / "lab3.cu").write_text(text)
        write_includes(self.work)

    def remember(self, lab: Lab, module_id: str) -> None:
        remembered = HERE.work / "module-ids" / lab.id
        remembered.parent.mkdir(parents=True, exist_ok=True)
        remembered.write_text(module_id)

    def side_by_side(self, lab: Lab) -> tuple[Finished, bytes]:
        finished = self.compiler.compile(lab, self.work)
        assert self.nvcc_itself == []
        return finished, (self.work / LIBRARY).read_bytes()

    def nvcc(self, lab: Lab) -> tuple[Finished, bytes]:
        """nvcc itself, in the same sandbox, with its intermediate files under the names that the commands use."""
        words = [word for word in self.sandbox.plan(lab, self.work) if word != "--dryrun"]
        start = next(place for place, word in enumerate(words) if word.endswith("/bin/nvcc"))
        # It wants the folder to be there, and each sandbox has its own.
        make_it = ["/bin/sh", "-c", 'mkdir -p "$0" && exec "$@"', str(self.sandbox.between(self.work))]
        (self.work / LIBRARY).write_bytes(b"")
        made = self.compiler.run([*words[:start], *make_it, *words[start:]], self.work)
        return made, (self.work / LIBRARY).read_bytes()


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Stage:
    return Stage(tmp_path, monkeypatch)


@pytest.mark.parametrize("lab", COMPARED, ids=lambda lab: lab.id)
def test_a_solutions_library_is_nvccs_to_the_byte(place: Stage, lab: Lab) -> None:
    stage(HERE.solutions / lab.id, place.work)
    place.remember(lab, WRONG)  # so that cicc is started twice, and the second time has the text's own
    finished, library = place.side_by_side(lab)
    itself, of_nvcc = place.nvcc(lab)
    assert len(of_nvcc) > 0
    assert library == of_nvcc
    assert finished.output == itself.output


def test_the_module_id_of_the_text_before_makes_no_difference(place: Stage) -> None:
    stage(HERE.solutions / LAB9.id, place.work)
    first, waited = place.side_by_side(LAB9)
    second, guessed = place.side_by_side(LAB9)
    assert waited == guessed
    assert first.output == second.output


def test_the_first_text_of_a_lab_waits_for_its_module_id(place: Stage) -> None:
    stage(HERE.solutions / LAB3.id, place.work)
    assert not (HERE.work / "module-ids" / LAB3.id).exists()
    assert place.side_by_side(LAB3)[1] == place.nvcc(LAB3)[1]
    assert (HERE.work / "module-ids" / LAB3.id).exists()


def test_what_the_compilers_say_is_in_nvccs_order(place: Stage) -> None:
    place.write(WARNS)
    said = place.side_by_side(LAB3)[0].output
    assert said == place.nvcc(LAB3)[0].output
    assert said.count("unused_on_both") > 1
    assert "falls_off" in said and "ptxas" in said


@pytest.mark.parametrize(
    ("text", "told"),
    {
        "host and device": ("int wrong = ;\n", "lab3.cu(1): error: expected an expression"),
        "the host's preprocessor": ("#ifndef __CUDA_ARCH__\n#error host\n#endif\n", "lab3.cu:2:2: error: #error host"),
        "the device's": ("#ifdef __CUDA_ARCH__\n#error device\n#endif\n", "lab3.cu:2:2: error: #error device"),
        "cicc": ("#ifdef __CUDA_ARCH__\nint wrong = ;\n#endif\n", "lab3.cu(2): error: expected an expression"),
        "the host's compiler": (
            'void one(int two) { asm volatile("" : : "i"(two)); }\n',
            "error: impossible constraint in",
        ),
    }.values(),
)
def test_why_a_text_does_not_compile_is_told_as_nvcc_tells_it(place: Stage, text: str, told: str) -> None:
    place.write(text)
    finished = place.side_by_side(LAB3)[0]
    itself = place.nvcc(LAB3)[0]
    assert told in finished.output
    assert (finished.output, finished.status != 0) == (itself.output, itself.status != 0)


def test_what_ptxas_does_not_take_is_left_to_nvcc(place: Stage) -> None:
    place.write('__global__ void wrong() { asm("no such instruction;"); }\n')
    finished = place.compiler.compile(LAB3, place.work)
    assert place.nvcc_itself == [LAB3]
    assert finished.status != 0
    assert "ptxas fatal" in finished.output


def test_without_a_sandbox_the_files_in_between_go_with_the_stages_folder(place: Stage) -> None:
    stage(HERE.solutions / LAB3.id, place.work)
    sandbox = NoSandbox(HERE, TOOLKIT)
    Compiler(HERE, TOOLKIT, place.processes, sandbox).compile(LAB3, place.work)
    assert (place.work / LIBRARY).stat().st_size > 0
    assert sorted(path.name for path in place.work.parent.iterdir()) == ["between", "stage"]
