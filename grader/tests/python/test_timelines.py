"""`make trace`: a part's launches for Perfetto, and one CTA on a page that needs nothing else."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import Tmagrade

from tmagrade.basics.errors import UsageError
from tmagrade.basics.paths import HERE
from tmagrade.course.labs import Lab, load_labs
from tmagrade.machine.toolkit import Toolkit
from tmagrade.timelines import trace
from tmagrade.timelines.one_cta import MOST_SLICES, busiest_cta
from tmagrade.timelines.page import timeline_page
from tmagrade.timelines.part_kernels import base_name, kernels_of, launchers
from tmagrade.timelines.trace import trace_part

LABS = {lab.id: lab for lab in load_labs(HERE.labs)}
LAB3 = LABS["lab3-bulk-copy"]
# These ask the device, or compute.
WITHOUT_KERNELS = {("lab0-hello-hopper", "facts"), ("lab0-hello-hopper", "gb-per-s")}
PARTS = [(lab, part.id) for lab in LABS.values() for part in lab.parts if (lab.id, part.id) not in WITHOUT_KERNELS]

LAUNCHES_COPY = """
// launch_other<<<1, 1>>>() is no launch, but a comment.
__global__ void __launch_bounds__(rows(4), 1) other(int* data) { data[0] = sum(1); }
template <int N> __global__ void copy_in_bulk(const float* src, float* dest) { if (N > 1) { other_thing(); } }
static void helper(const float* src) { copy_in_bulk<4><<<1, 32>>>(src, nullptr); }
void launch_add_one_tile(int* data, int count) { if (count > 0) { helper(nullptr); } }
void launch_add_one(int* data, size_t count) { other<<<1, 1>>>(data); }
void launch_add_one_pipeline(int* data, size_t count) {}
"""


def slice_of(pid: int, ts: int, dur: int = 2, tid: int = 1, cat: str = "run") -> dict[str, Any]:
    return {"ph": "X", "cat": cat, "name": cat, "pid": pid, "tid": tid, "ts": ts, "dur": dur, "args": {"from": "<a>"}}


def a_trace(*slices: dict[str, Any]) -> dict[str, Any]:
    """Two launches: of one CTA, process 1, until tick 100; of two, 2 and 3, until 300."""
    names = [
        {"ph": "M", "name": what, "pid": pid, "tid": tid, "args": {"name": f"{name} of CTA {pid}"}}
        for pid in (1, 2, 3)
        for what, tid, name in (("process_name", 0, "</script>"), ("thread_name", 1, "warp"), ("thread_name", 9, "TMA"))
    ]
    launches = [
        {"kernel": "copy<4>", "ctas": 1, "begin": 0, "end": 100, "pid": 1},
        {"kernel": "(anonymous namespace)::add", "ctas": 2, "begin": 100, "end": 300, "pid": 2},
    ]
    return {"traceEvents": [*names, *slices], "otherData": {"tmaemu_trace": 1, "launches": launches}}


@pytest.mark.parametrize("lab, part", PARTS, ids=lambda value: value.id if isinstance(value, Lab) else value)
def test_of_every_part_of_the_solutions_the_kernels_are_known(lab: Lab, part: str) -> None:
    known = launchers((HERE.grader / "checks" / lab.id / "parts.def").read_text())
    assert kernels_of(known[part], (HERE.solutions / lab.id / lab.source).read_text())


def test_a_parts_kernels_are_those_that_its_launcher_reaches() -> None:
    assert kernels_of("launch_add_one_tile", LAUNCHES_COPY) == {"copy_in_bulk"}
    assert kernels_of("launch_add_one", LAUNCHES_COPY) == {"other"}
    assert kernels_of("launch_add_one_pipeline", LAUNCHES_COPY) == set()


def test_a_kernels_name_stands_without_namespace_and_arguments() -> None:
    assert base_name("(anonymous namespace)::copy<std::pair<int, 4>>") == "copy"


def test_launches_that_are_left_out_take_their_ticks_with_them() -> None:
    kept = trace.only_launches(a_trace(slice_of(1, 5), slice_of(2, 120), slice_of(3, 140)), [1])
    assert [(event["pid"], event["ts"]) for event in kept["traceEvents"] if "ts" in event] == [(2, 20), (3, 40)]
    [launch] = kept["otherData"]["launches"]
    assert (launch["begin"], launch["end"], launch["pid"]) == (0, 200, 2)


def test_the_page_shows_the_cta_in_which_the_engine_does_the_most() -> None:
    engine = [slice_of(2, ts, tid=9, cat="tma") for ts in (110, 120)] + [slice_of(3, 110, tid=9, cat="tma")]
    shown = busiest_cta(a_trace(slice_of(1, 5), slice_of(2, 105, 10), slice_of(3, 105), *engine))
    assert shown.name == "</script> of CTA 2"
    assert [(row.name, [one.begin for one in row.slices]) for row in shown.rows] == [
        ("warp of CTA 2", [0]),
        ("TMA of CTA 2", [5, 15]),
    ]
    assert shown.left_out == 0


def test_of_a_long_row_the_beginning_is_shown_and_the_page_says_so() -> None:
    slices = [slice_of(1, 2 * index) for index in range(MOST_SLICES + 10)]
    shown = busiest_cta(a_trace(*slices, slice_of(1, 2 * MOST_SLICES + 2, tid=9)))
    assert (shown.ticks, shown.left_out) == (2 * MOST_SLICES, 20)
    assert [row.name for row in shown.rows] == ["warp of CTA 1"]
    assert "The first\n8,000 ticks are shown; 20 more are in the trace" in timeline_page(shown, "a title", "late")


def test_an_arrow_leads_from_row_to_row() -> None:
    points = [
        {"ph": ph, "cat": "flow", "name": "TMA", "id": 7, "pid": 1, "tid": tid, "ts": ts}
        for ph, tid, ts in (("s", 1, 10), ("t", 9, 20), ("f", 1, 30))
    ]
    trace_of_one = a_trace(slice_of(1, 8, 30), slice_of(1, 10, 11, tid=9, cat="tma"))
    trace_of_one["traceEvents"] += points
    arrows = [(arrow.rows, arrow.ticks) for arrow in busiest_cta(trace_of_one).arrows]
    assert arrows == [((0, 1), (2, 12)), ((1, 0), (12, 22))]


def test_the_page_needs_nothing_else_and_no_name_ends_its_script() -> None:
    page = timeline_page(busiest_cta(a_trace(slice_of(1, 5))), "<b>", "late")
    assert not re.search(r"https?:|src=|href=|@import|url\(", page)
    assert page.count("</script>") == 2 and "<title>&lt;b&gt;</title>" in page
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert data is not None and json.loads(data[1])["name"] == "</script> of CTA 1"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A lab's folder whose program is one that is built already."""
    monkeypatch.setenv("TMAGRADE_STATE", str(tmp_path / "state"))
    monkeypatch.setattr(trace, "build_program", lambda *_: HERE.build / "tests/stats/tma_copies")
    (tmp_path / "lab3.cu").write_text(LAUNCHES_COPY)
    return tmp_path


def test_a_part_has_its_own_launches(folder: Path) -> None:
    traced = trace_part(HERE, Toolkit(HERE.root / ".venv/cuda"), LAB3, "one-tile", folder, "late")
    written = json.loads(traced.trace.read_text())
    assert [launch["kernel"].rpartition("::")[2] for launch in written["otherData"]["launches"]] == ["copy_in_bulk"]
    assert {event["pid"] for event in written["traceEvents"]} == {1}
    assert "load 4096 bytes" in traced.page.read_text()
    assert traced.trace == folder / "state/traces/lab3-bulk-copy/one-tile.json"
    assert sorted(path.name for path in traced.trace.parent.iterdir()) == ["one-tile.html", "one-tile.json"]


def test_without_a_part_all_launches_are_there(folder: Path) -> None:
    traced = trace_part(HERE, Toolkit(HERE.root / ".venv/cuda"), LAB3, None, folder, "early")
    assert len(json.loads(traced.trace.read_text())["otherData"]["launches"]) > 3
    assert "timing policy early" in traced.page.read_text()


@pytest.mark.parametrize(
    "part, said",
    [
        ("two-tiles", "lab3-bulk-copy has no part two-tiles; its parts are one-tile, any-length, pipeline"),
        ("any-length", "does not launch any-length's kernel other; it launches .*copy_in_bulk.*: call any-length's"),
        ("pipeline", "launch_add_one_pipeline in .* launches no kernel that the file has"),
    ],
)
def test_a_part_that_cannot_be_traced_is_told_why(folder: Path, part: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        trace_part(HERE, Toolkit(HERE.root / ".venv/cuda"), LAB3, part, folder, "late")


def test_a_program_without_kernels_is_told_so(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trace, "build_program", lambda *_: Path("/bin/true"))
    with pytest.raises(UsageError, match=r"asked for no device \(status 0\)"):
        trace_part(HERE, Toolkit(HERE.root / ".venv/cuda"), LAB3, None, folder, "late")


def test_an_unknown_policy_is_refused(tmagrade: Tmagrade) -> None:
    status, said = tmagrade("trace", ".", "--lab", "lab3", "--policy", "later")
    assert status == 2 and "--policy is late, early or random:SEED with a number, not later" in said
