"""What the emulator says of a mistake in a lab is what README and handout quote: the mistake is made here, in the lab's
solution as a student would hand it in, and the program is run."""

import re
import subprocess
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from long_cases import long_but

from staff.skeletons.skeleton import handed_in
from tmagrade.basics.paths import HERE
from tmagrade.building.nvcc import target
from tmagrade.course.labs import load_labs
from tmagrade.machine.toolkit import find_toolkit

PAGES = [HERE.root / "README.md", *sorted((HERE.root / "handout").rglob("*.md"))]

# <!-- told: mistake -->, and the fenced block below it. "..." stands for lines that are left out. In an output of
# another program the lines are indented, and those around them are not compared.
TOLD = re.compile(r"^<!-- told: (\S+) -->\n```\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FENCED = re.compile(r"^```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# A line of a lab's file, as findings, faults and failed calls name it.
PLACE = re.compile(r"^ *lab\d+\.cu:\d+:", re.MULTILINE)


@dataclass(frozen=True)
class Mistake:
    lab: str
    right: str  # stands once in the solution
    wrong: str = ""
    also: tuple[str, str] = ("", "")  # another number, without which the mistake would not matter


MISTAKES = {
    "no-fence": Mistake("lab3-bulk-copy", "  async_proxy_fence();  // each thread: my sums, for the engine to see\n"),
    "no-last-wait": Mistake(
        "lab3-bulk-copy",
        "    tma_store_wait_until_pending_read<0>();  // the tile must stay until the engine has read it\n",
    ),
    "16-bytes-too-many": Mistake(
        "lab3-bulk-copy",
        "(&loaded, bytes);\n    cp_async_bulk_global_to_shared(tile, data, ",
        "(&loaded, bytes + 16);\n    cp_async_bulk_global_to_shared(tile, data, ",
    ),
    "no-wait-in-the-ring": Mistake("lab3-bulk-copy", "      tma_store_wait_until_pending_read<1>();\n"),
    "stride-in-elements": Mistake(
        "lab4-single-tile", "{columns, rows}, {columns * sizeof(float)}", "{columns, rows}, {columns}"
    ),
    "expects-the-span": Mistake(
        "lab5-tensor-ranks", "sizeof(tile));  // what the tile holds", "sizeof(tile) * step_x * step_y);  // not"
    ),
    "no-fence-after-reads": Mistake(
        "lab5-tensor-ranks",
        "        async_proxy_fence();  // and what they have read there is no longer under way\n",
        also=("STENCIL_Z = 4;", "STENCIL_Z = 32;"),  # the ring comes around
    ),
    "no-last-wait-of-a-copy": Mistake(
        "lab6-memcpy",
        "  tma_store_wait_until_pending_read<0>();  // the tile must stay until the engine has read it\n",
    ),
    "an-arrival-per-thread": Mistake(
        "lab7-warp-scheduler", "computed[stage], CONSUMER_WARPS", "computed[stage], CONSUMERS"
    ),
    "no-barrier-at-the-end": Mistake(
        "lab9-clusters",
        "  cluster_sync();  // my tile has landed, but has the one I sent? The engine reads it from this CTA\n",
    ),
    "releases-too-early": Mistake(
        "lab12-matmul",
        "    wgmma_wait<0>();  // only now has the stage been read\n    accumulators_changed(sums);\n"
        "    if (threadIdx.x % WARP == 0) arrive(&ring.empty[at.stage], 1);\n",
        "    if (threadIdx.x % WARP == 0) arrive(&ring.empty[at.stage], 1);\n    wgmma_wait<0>();\n",
    ),
}


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


QUOTED = [(page, name, block) for page in PAGES for name, block in TOLD.findall(text_of(page))]
# A finding, a call that fails, and a kernel that has no end.
SHORT = {"no-fence", "stride-in-elements", "an-arrival-per-thread"}


def said(block: str) -> list[str]:
    """The pieces of a block that stand in what the program printed."""
    lines = block.splitlines(keepends=True)
    first = next((at for at, line in enumerate(lines) if ": error: " in line), 0)
    if margin := lines[first][: -len(lines[first].lstrip())]:
        end = next(at for at in range(first, len(lines)) if not lines[at].startswith(margin))
        block = textwrap.dedent("".join(lines[first:end]))
    return re.split(r"^\.\.\.\n", block, flags=re.MULTILINE)


Run = Callable[[str], str]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Runs a lab's program with a mistake; what it prints, on both streams."""
    printed: dict[str, str] = {}

    def made(name: str) -> str:
        mistake, folder = MISTAKES[name], tmp_path_factory.mktemp(name)
        [lab] = [lab for lab in load_labs(HERE.labs) if lab.id == mistake.lab]
        text = handed_in(text_of(HERE.solutions / lab.id / lab.source))
        for right, wrong in ((mistake.right, mistake.wrong), mistake.also):
            assert not right or text.count(right) == 1
            text = text.replace(right, wrong) if right else text
        (folder / lab.source).write_text(text, encoding="utf-8")
        command: list[str | Path] = [find_toolkit(HERE).nvcc, "-cudart", "shared", *target(lab)]
        command += [f"-I{HERE.root / 'labs/common'}", "-o", "program", lab.source]
        subprocess.run(command, cwd=folder, check=True)
        emulator: list[str | Path] = [HERE.build / "bin/tmaemu", "--async=late", "./program"]
        ran = subprocess.run(
            emulator, cwd=folder, text=True, timeout=120, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        return ran.stdout

    def cached(name: str) -> str:
        if name not in printed:
            printed[name] = made(name)
        return printed[name]

    return cached


@pytest.mark.parametrize(
    ("page", "name", "block"),
    long_but(SHORT, QUOTED, lambda quoted: str(quoted[1])),
    ids=[f"{page.stem}-{name}" for page, name, _ in QUOTED],
)
def test_what_is_told_of_a_mistake_is_what_the_page_quotes(run: Run, page: Path, name: str, block: str) -> None:
    at = 0
    for piece in said(block):
        found = run(name).find(piece, at)
        assert found >= 0, f"{page} quotes\n{piece}\nand what is to stand there is printed here:\n{run(name)}"
        at = found + len(piece)


def test_each_mistake_is_quoted() -> None:
    assert {name for _, name, _ in QUOTED} == set(MISTAKES)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_no_other_block_names_a_line_of_a_lab(page: Path) -> None:
    quoted = [block for where, _, block in QUOTED if where == page]
    assert [block for block in FENCED.findall(text_of(page)) if PLACE.search(block)] == [
        block for block in quoted if PLACE.search(block)
    ]


@pytest.mark.parametrize(
    ("block", "pieces"),
    [
        ("lab3.cu:1:1: error: x\n...\nend\n", ["lab3.cu:1:1: error: x\n", "end\n"]),
        ("sum\n  lab3.cu:1:1: error: x\n    1 | y\n\n  more\n", ["lab3.cu:1:1: error: x\n  1 | y\n"]),
    ],
)
def test_a_block_is_compared_in_pieces(block: str, pieces: list[str]) -> None:
    assert said(block) == pieces
