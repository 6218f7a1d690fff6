"""`tmaemu --stats` counts what Nsight Compute counts on an H200 (grader/tests/stats), and says so legibly."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).parents[3]
TMAEMU = REPOSITORY / "build/bin/tmaemu"
PROGRAMS = REPOSITORY / "build/tests/stats"
RECORDED = json.loads((REPOSITORY / "grader/tests/stats/ncu-h200.json").read_text())["programs"]

# In the handout: <!-- stats: program -->, and below it a fenced block with the table of one of its kernels.
HANDOUT = (REPOSITORY / "handout/stats.md").read_text()
QUOTED = re.findall(r"^<!-- stats: (\S+) -->\n```\n(.*?)^```$", HANDOUT, re.MULTILINE | re.DOTALL)

Place = tuple[str, str, str]

REQUESTS = "l1tex__t_requests_pipe_lsu_mem_global_op_"
SECTORS = "l1tex__t_sectors_pipe_lsu_mem_global_op_"
GLOBAL_BYTES = "smsp__sass_data_bytes_mem_global_op_"
WAVEFRONTS = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_"
CONFLICTS = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared"
SHARED_BYTES = "smsp__sass_data_bytes_mem_shared_op_"
TMA_OPERATIONS = "sm__sass_inst_executed_op_"
TMA_READ = "l1tex__m_xbar2l1tex_read_"
TMA_WRITTEN = "l1tex__m_l1tex2xbar_write_"

# Where the same number is in the JSON, and in ncu: the metrics that are added, and those that are subtracted.
SAME: dict[Place, tuple[list[str], list[str]]] = {
    ("global", "load", "accesses"): ([REQUESTS + "ld"], []),
    ("global", "load", "sectors"): ([SECTORS + "ld"], []),
    ("global", "load", "distinct_bytes"): ([GLOBAL_BYTES + "ld"], []),
    ("global", "store", "accesses"): ([REQUESTS + "st"], []),
    ("global", "store", "sectors"): ([SECTORS + "st"], []),
    ("global", "store", "distinct_bytes"): ([GLOBAL_BYTES + "st"], []),
    ("global", "atomic", "accesses"): ([REQUESTS + "atom", REQUESTS + "red"], []),
    ("global", "atomic", "sectors"): ([SECTORS + "atom", SECTORS + "red"], []),
    ("global", "atomic", "distinct_bytes"): ([GLOBAL_BYTES + "atom", GLOBAL_BYTES + "red"], []),
    ("shared", "load", "wavefronts"): ([WAVEFRONTS + "ld"], []),
    ("shared", "load", "conflicts"): ([CONFLICTS + "_op_ld"], []),
    ("shared", "load", "distinct_bytes"): ([SHARED_BYTES + "ld"], []),
    ("shared", "store", "wavefronts"): ([WAVEFRONTS + "st"], []),
    ("shared", "store", "conflicts"): ([CONFLICTS + "_op_st"], []),
    ("shared", "store", "distinct_bytes"): ([SHARED_BYTES + "st"], []),
    # No metric is for atomics alone.
    ("shared", "atomic", "conflicts"): ([CONFLICTS], [CONFLICTS + "_op_ld", CONFLICTS + "_op_st"]),
    ("shared", "atomic", "distinct_bytes"): ([SHARED_BYTES + "atom"], []),
    ("tma", "load", "operations"): ([TMA_OPERATIONS + "tma_ld"], []),
    ("tma", "load", "global_sectors"): ([TMA_READ + "sectors_mem_global_op_tma_ld"], []),
    ("tma", "store", "operations"): ([TMA_OPERATIONS + "tma_st"], []),
    ("tma", "store", "global_sectors"): ([TMA_WRITTEN + "sectors_mem_global_op_tma_st"], []),
    ("tma", "reduce", "operations"): ([TMA_OPERATIONS + "tma_red"], []),
    ("tma", "reduce", "global_sectors"): ([TMA_WRITTEN + "sectors_mem_global_op_tma_red"], []),
    ("tma", "between_ctas", "operations"): ([TMA_OPERATIONS + "dshared_tma_st"], []),
    ("tma", "between_ctas", "shared_bytes"): ([TMA_WRITTEN + "bytes_mem_dshared_op_tma_st"], []),
}

# Where ncu counts another thing: what it counts, what tmaemu counts. handout/stats.md says why.
DIFFERENT: dict[tuple[str, Place], tuple[int, int]] = {
    # cp.async (LDGSTS) is no load and no store to the metrics by operation.
    ("copy_asynchronously", ("global", "load", "distinct_bytes")): (0, 512),
    ("copy_asynchronously", ("shared", "store", "wavefronts")): (0, 4),
    ("copy_asynchronously", ("shared", "store", "distinct_bytes")): (0, 512),
    # ldmatrix (LDSM) is a load to the metrics of wavefronts, but not to those of bytes.
    ("load_matrices_in_a_row", ("shared", "load", "distinct_bytes")): (0, 512),
    ("load_matrices_with_conflicts", ("shared", "load", "distinct_bytes")): (0, 512),
    # ncu counts what arrives at the SMs: out-of-bounds fill too, and a multicast at each receiver.
    ("copy_overhanging_tile", ("tma", "load", "global_sectors")): (128, 32),
    ("multicast", ("tma", "load", "global_sectors")): (256, 128),
}


def run(program: Path, *options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [TMAEMU, *options, program],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )


def launches_of(program: str, folder: Path, **environment: str) -> list[dict[str, Any]]:
    file = folder / "stats.json"
    run(PROGRAMS / program, "--stats=json", f"--stats-file={file}", **environment)
    stats = json.loads(file.read_text())
    assert stats["tmaemu_stats"] == 1
    return list(stats["launches"])


def counted(launch: dict[str, Any], place: Place) -> int:
    space, operation, quantity = place
    return int(launch[space][operation][quantity])


@pytest.mark.parametrize("program", RECORDED)
def test_the_numbers_are_those_of_an_h200(program: str, tmp_path: Path) -> None:
    recorded = RECORDED[program]
    launches = launches_of(program, tmp_path)
    differences, expected = {}, {}
    assert len(launches) == len(recorded["launches"])
    for index, (launch, (kernel, *values)) in enumerate(zip(launches, recorded["launches"])):
        assert launch["kernel"].rpartition("::")[2] == kernel
        metrics = dict(zip(recorded["metrics"], values))
        for place, (added, subtracted) in SAME.items():
            if not all(metric in metrics for metric in added):
                continue
            ncu = sum(metrics[metric] for metric in added) - sum(metrics[metric] for metric in subtracted)
            if counted(launch, place) != ncu:
                differences[index, kernel, place] = (ncu, counted(launch, place))
            if (kernel, place) in DIFFERENT:
                expected[index, kernel, place] = DIFFERENT[kernel, place]
    assert differences == expected


def test_the_number_of_host_threads_changes_nothing(tmp_path: Path) -> None:
    one = launches_of("global_accesses", tmp_path, TMAEMU_THREADS="1")
    assert launches_of("global_accesses", tmp_path, TMAEMU_THREADS="4") == one


def tma_of(kernel: str, folder: Path, **environment: str) -> dict[str, Any]:
    launches = launches_of("tma_copies", folder, **environment)
    return next(dict(launch["tma"]) for launch in launches if launch["kernel"] == kernel)


def moved(global_bytes: int, shared_bytes: int) -> dict[str, int]:
    return {
        "operations": 1,
        "global_bytes": global_bytes,
        "global_sectors": global_bytes // 32,
        "shared_bytes": shared_bytes,
    }


@pytest.mark.parametrize("engine", ["late", "early", "random:1"])
def test_the_bytes_through_tma_are_counted_in_each_direction(engine: str, tmp_path: Path) -> None:
    tma = tma_of("copy_in_bulk", tmp_path, TMAEMU_ASYNC=engine)
    assert (tma["load"], tma["store"]) == (moved(4096, 4096), moved(4096, 4096))


def test_a_reduction_by_tma_is_no_store(tmp_path: Path) -> None:
    tma = tma_of("add_tile", tmp_path)
    assert tma["reduce"] == moved(4096, 4096)
    assert tma["store"]["operations"] == 0


def test_what_lies_out_of_bounds_is_in_shared_memory_only(tmp_path: Path) -> None:
    tma = tma_of("copy_overhanging_tile", tmp_path)
    assert (tma["load"], tma["store"]) == (moved(1024, 4096), moved(1024, 4096))


def test_loads_of_pixels_count_what_lies_in_the_image(tmp_path: Path) -> None:
    inside, overhanging = launches_of("tma_im2col", tmp_path)
    assert inside["tma"]["load"] == moved(512, 512)
    assert overhanging["tma"]["load"] == moved(256, 512)


def test_a_multicast_reads_global_memory_once(tmp_path: Path) -> None:
    assert tma_of("multicast", tmp_path)["load"] == moved(4096, 2 * 4096)


def test_the_most_bytes_in_flight_are_those_of_one_cta(tmp_path: Path) -> None:
    assert tma_of("multicast", tmp_path)["most_load_bytes_in_flight"] == 4096


def test_waits_are_named_by_their_barrier(tmp_path: Path) -> None:
    launch = launches_of("tma_copies", tmp_path)[0]
    assert launch["waits"] == [
        {"barrier": "loaded", "waits": 1, "slept": 1},
        {"barrier": "__syncthreads()", "waits": 1, "slept": 0},
    ]


def test_products_of_tensor_cores_are_counted_by_shape_and_types(tmp_path: Path) -> None:
    launch = launches_of("matrix_products", tmp_path)[0]
    warps, tiles = 4, 8
    assert launch["multiplications"] == [
        {
            "product": "m16n16k16 f32.f16.f16",
            "instructions": warps * tiles,
            "products": warps * tiles * 16**3,
            "clocks": warps * tiles * 8,
        }
    ]


def test_instructions_of_a_warp_count_once_and_for_each_lane(tmp_path: Path) -> None:
    instructions = launches_of("global_accesses", tmp_path)[0]["instructions"]
    assert instructions["thread"] == 32 * instructions["warp"] > 0


def test_the_table_goes_to_stderr_and_leaves_stdout_alone() -> None:
    result = run(PROGRAMS / "shared_accesses", "--stats")
    assert result.stdout == ""
    assert "transpose_with_conflicts: 1 launch, 1 CTA of 128 threads\n" in result.stderr
    assert "hint: 94 % of the wavefronts are bank conflicts (most at shared_accesses.cu:" in result.stderr


def test_json_is_the_last_line_of_stderr() -> None:
    stats = json.loads(run(PROGRAMS / "tma_copies", "--stats=json").stderr.splitlines()[-1])
    assert stats["launches"][0]["kernel"] == "copy_in_bulk"


def test_the_environment_asks_for_statistics_too(tmp_path: Path) -> None:
    file = tmp_path / "stats.txt"
    run(PROGRAMS / "tma_copies", TMAEMU_STATS="table", TMAEMU_STATS_FILE=str(file))
    assert file.read_text().startswith("copy_in_bulk: 1 launch, 1 CTA of 32 threads\n")


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("--stats=xml", "--stats is table or json, not 'xml'"),
        ("--stats-file=", "--stats-file= needs a file's name"),
    ],
)
def test_a_wrong_option_is_explained(option: str, message: str) -> None:
    result = subprocess.run([TMAEMU, option, "true"], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (2, f"tmaemu: {message}\n")


def test_help_explains_the_options_and_the_environment() -> None:
    result = subprocess.run([TMAEMU, "--help"], capture_output=True, text=True, check=True)
    for word in ("--stats ", "--stats=json", "--stats-file=FILE", "TMAEMU_STATS ", "TMAEMU_STATS_FILE"):
        assert word in result.stdout


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    result = subprocess.run(
        [TMAEMU, "--stats", f"--stats-file={tmp_path}/no/where", PROGRAMS / "tma_copies"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode != 0
    assert result.stderr == f"tmaemu: cannot write statistics to '{tmp_path}/no/where': No such file or directory\n"


def without_instructions(table: str) -> str:
    """Without their numbers: each version of nvcc writes other PTX."""
    return re.sub(r"^  PTX instructions.*$", "  PTX instructions", table, flags=re.MULTILINE)


def test_the_handout_quotes_tables() -> None:
    assert len(QUOTED) == HANDOUT.count("<!-- stats:") > 0


@pytest.mark.parametrize(("program", "table"), QUOTED, ids=lambda text: text.partition(":")[0])
def test_a_table_of_the_handout_is_what_is_printed(program: str, table: str) -> None:
    printed = run(PROGRAMS / program, "--stats").stderr
    assert without_instructions(table) in without_instructions(printed)
