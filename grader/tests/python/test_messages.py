"""What is told of a mistake where one has to know more than that something is wrong: which of two issuers, which CTA,
which count. The kernels are in grader/tests/messages/mistakes.cu."""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tmagrade.basics.paths import HERE
from tmagrade.building.nvcc import target
from tmagrade.course.labs import load_labs
from tmagrade.machine.toolkit import find_toolkit

SOURCE = HERE.root / "grader/tests/messages/mistakes.cu"

Told = Callable[[str], str]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    """What the emulator says of a kernel, on one line."""
    program = tmp_path_factory.mktemp("messages") / "program"
    command: list[str | Path] = [find_toolkit(HERE).nvcc, *target(load_labs(HERE.labs)[0])]
    command += [f"-I{HERE.root / 'labs/common'}", "-o", program, SOURCE]
    subprocess.run(command, check=True)

    def of(kernel: str) -> str:
        emulator: list[str | Path] = [HERE.build / "bin/tmaemu", "--async=late", program, kernel]
        ran = subprocess.run(emulator, text=True, timeout=120, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return " ".join(ran.stdout.split())

    return of


@pytest.mark.parametrize("kernel", ["exchanged_load", "exchanged_store"])
def test_exchanged_operands_compile_and_are_told_at_their_line(told: Told, kernel: str) -> None:
    said = told(kernel)
    assert re.match(r"mistakes\.cu:\d+:\d+: error: what should be the global side of a bulk copy lies in shared", said)
    assert "have source and destination been exchanged?" in said
    assert "help: the destination comes first: cp_async_bulk_global_to_shared(smem_dest, src, ...)" in said


@pytest.mark.parametrize(
    ("kernel", "help_says"),
    [
        (
            "every_lane",
            "let one thread issue it: `if (threadIdx.x == 0)`, or, where the whole warp comes, the lane that",
        ),
        ("every_warp", "elect_one_lane() (elect.sync) chooses a lane in each, so ask for the warp, too"),
        ("every_rank", "these two are of two CTAs of a cluster, so ask for the rank, `if (cluster_rank() == 0)`"),
    ],
)
def test_of_two_issuers_the_help_names_what_tells_them_apart(told: Told, kernel: str, help_says: str) -> None:
    said = told(kernel)
    assert "[divergent-issue]" in said
    assert help_says in said


def test_where_one_rank_announces_the_cta_that_does_not_is_named(told: Told) -> None:
    said = told("one_rank_announces")
    assert "no bytes were announced in this phase at the mbarrier of the CTA of rank 1, and 4096 come there" in said
    assert "loaded[bytes 0 to 7], which counts them, was initialized here by block (1,0,0), thread (0,0,0)" in said
    assert "in each CTA that the copy writes to, a thread calls expect_bytes_and_arrive()" in said


def test_a_count_that_is_too_small_is_what_to_change(told: Told) -> None:
    said = told("too_small_a_count")
    assert "the mbarrier counts 1 arrival a phase, and more threads than that arrive" in said
    assert "empty[bytes 0 to 7] gets its count of arrivals here" in said
    assert "help: give init_barrier() the number of threads that arrive in a phase" in said
    assert "[phase-overrun]" not in said


def test_offsets_in_units_of_16_bytes_are_remarked_on(told: Told) -> None:
    said = told("units_for_bytes")
    assert "lets core matrices of 128 bytes overlap: its leading dimension byte offset is 0" in said
    assert "help: make_smem_desc() takes bytes" in said


def test_a_function_of_the_toolkits_is_none_of_the_interface(told: Told) -> None:
    said = told("race")
    assert "note: in this function of the interface" not in said


def test_a_place_in_global_memory_is_named_by_the_kernels_argument(told: Told) -> None:
    assert re.search(r"global address 0x[0-9a-f]+ \(byte 8 behind the kernel's argument 1\)", told("race"))
