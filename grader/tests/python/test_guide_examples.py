"""The code on the guide's pages compiles and does what it says: whole programs from handout/guide/wgmma, and each block
that is a part of a kernel in its place in grader/tests/guide/fragments.cu."""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tmagrade.basics.paths import HERE
from tmagrade.building.compiler_output import compiler_warnings
from tmagrade.machine.toolkit import find_toolkit

GUIDE = HERE.root / "handout/guide"
FRAMES = HERE.grader / "tests/guide/fragments.cu"
PROGRAMS = sorted((GUIDE / "wgmma").glob("*.cu"))
PAGES = sorted(GUIDE.glob("*.md"))

# A block that is a part of a kernel; above it may stand why nothing compiles it.
FRAGMENT = re.compile(r"^```cu\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LEFT_OUT = re.compile(r"^<!-- not compiled: (.+) -->\n```cu\n.*?^```$", re.MULTILINE | re.DOTALL)
GAP = re.compile(r"^ *\.\.\.\n", re.MULTILINE)
PLACE = re.compile(r"^ *// FRAGMENT (\S+)\n", re.MULTILINE)
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r";\s*(//.*)?$|__global__", re.MULTILINE)


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def fragments_of(page: Path) -> list[str]:
    """The pieces of code on a page that are compiled, in their order."""
    blocks = FRAGMENT.findall(LEFT_OUT.sub("", text_of(page)))
    return [piece for block in blocks for piece in GAP.split(block)]


PIECES = {page.stem: pieces for page in PAGES if (pieces := fragments_of(page))}


def in_frames(pieces: dict[str, list[str]]) -> str:
    """The frames with all pieces in their places, each used once. The compiler names a piece by its page."""
    left = {name: list(of_page) for name, of_page in pieces.items()}
    frames = text_of(FRAMES)

    def put(place: re.Match[str]) -> str:
        behind = frames.count("\n", 0, place.end()) + 1
        return f'#line 1 "{place[1]}.md"\n{left[place[1]].pop(0)}#line {behind} "{FRAMES.name}"\n'

    source = PLACE.sub(put, frames)
    assert not any(left.values()), f"fragments.cu has no place for {left}"
    return source


def built(folder: Path, source: Path) -> tuple[Path, str]:
    """A program, and what the compiler says of it to students."""
    program = folder / source.stem
    command: list[str | Path] = [find_toolkit(HERE).nvcc, "-cudart", "shared", "-lineinfo", "-std=c++20"]
    command += ["-gencode", "arch=compute_90a,code=[sm_90a,compute_90a]", f"-I{GUIDE / 'wgmma'}"]
    command += [f"-I{HERE.root / 'labs/common'}", "-o", program, source]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return program, compiler_warnings(ran.stdout + ran.stderr)


def run(program: Path, *arguments: str, policy: str = "late") -> str:
    """What the program prints, and the emulator says of it."""
    command: list[str | Path] = [HERE.build / "bin/tmaemu", f"--async={policy}", program, *arguments]
    ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
    return ran.stdout


Fragment = Callable[..., str]


@pytest.fixture(scope="module")
def run_fragment(tmp_path_factory: pytest.TempPathFactory) -> Fragment:
    folder = tmp_path_factory.mktemp("fragments")
    (folder / "fragments.cu").write_text(in_frames(PIECES), encoding="utf-8")
    program, said = built(folder, folder / "fragments.cu")
    assert said == ""
    return lambda *arguments: run(program, *arguments)


@pytest.mark.parametrize("page", [name for name in PIECES if name != "matrix-descriptors"])
def test_a_part_of_a_kernel_is_right_in_its_frame(run_fragment: Fragment, page: str) -> None:
    assert run_fragment(page) == f"{page}: right\n"  # the descriptor of matrix-descriptors.md is in wgmma.md's frame


def test_each_place_is_that_of_a_block() -> None:
    assert set(PLACE.findall(text_of(FRAMES))) == set(PIECES)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_code_is_called_code(page: Path) -> None:
    assert not [block for language, block in BLOCK.findall(text_of(page)) if not language and CODE.search(block)]


def test_sums_that_nobody_has_set_are_found(tmp_path: Path) -> None:
    unset = {**PIECES, "wgmma": [PIECES["wgmma"][0].replace("wgmma_n64<0,", "wgmma_n64<1,")]}
    assert unset != PIECES
    (tmp_path / "fragments.cu").write_text(in_frames(unset), encoding="utf-8")
    said = run(built(tmp_path, tmp_path / "fragments.cu")[0], "wgmma")
    assert said.count("[uninitialized-read]") == 1
    assert said.endswith("\nwgmma: wrong\n")


@pytest.mark.parametrize("source", PROGRAMS, ids=lambda source: source.stem)
def test_a_whole_program_is_right_and_ptxas_takes_it_as_it_is(tmp_path: Path, source: Path) -> None:
    program, said = built(tmp_path, source)
    assert said == ""
    for policy in ("late", "early", "random:1"):
        assert re.fullmatch(r"0 of \d+ sums are wrong\n", run(program, policy=policy)), policy


def test_each_program_is_printed() -> None:
    printed = text_of(GUIDE / "wgmma.md")
    assert all(f"<!-- excerpt: handout/guide/wgmma/{source.name} -->" in printed for source in PROGRAMS)


def test_who_initializes_a_barrier_and_issues_the_copy_needs_no_fence_between(run_fragment: Fragment) -> None:
    assert run_fragment("initialized_by_who_issues") == "initialized_by_who_issues: right\n"


# Prose with numbers: matrix-descriptors.md, on core matrices without a swizzle.

BESIDE = re.compile(r"follow each other, the offsets are (\d+) and (\d+) bytes\.")
FIRST_OF_ALL = re.compile(r"first (\d+) elements of k come first, they are (\d+) times their number, and (\d+)\.")


def offsets() -> dict[str, tuple[int, int]]:
    """What the page says of the two offsets, for matrices of 64 rows."""
    prose = " ".join(text_of(GUIDE / "matrix-descriptors.md").split())
    beside, first = BESIDE.search(prose), FIRST_OF_ALL.search(prose)
    assert beside and first
    elements, leading, stride = map(int, first.groups())
    assert elements * 2 == 16, "a core matrix has rows of 16 bytes"
    return {"beside": (int(beside[1]), int(beside[2])), "first": (leading * 64 // 8, stride)}


@pytest.mark.parametrize("way", ["beside", "first"])
def test_core_matrices_are_where_the_page_says(run_fragment: Fragment, way: str) -> None:
    leading, stride = offsets()[way]
    assert run_fragment("core_matrices", str(leading), str(stride)) == "core_matrices: right\n"
