"""tmaemu --findings-file, and what python -m tmaemu_findings makes of it for those who run tests elsewhere."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tmagrade.basics.paths import Repository
from tmagrade.machine.toolkit import find_toolkit

REPOSITORY = Repository(Path(__file__).parents[3])
TMAEMU = REPOSITORY.root / "build/bin/tmaemu"

Tool = Callable[..., subprocess.CompletedProcess[str]]

# Each kernel has one mistake; in the second process both are there.
RACES = """
__global__ void race(int* out) {
  __shared__ int a[64];
  a[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = a[63 - threadIdx.x];
}
__global__ void beyond(int* out) { out[1 << 20] = 1; }
int main(int count, char**) {
  int* out = nullptr;
  cudaMalloc(&out, 256);
  race<<<1, 64>>>(out);
  race<<<1, 64>>>(out);
  if (count > 1) beyond<<<1, 1>>>(out);
  return cudaDeviceSynchronize();
}
"""


@pytest.fixture(scope="module")
def races(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compile_races(tmp_path_factory.mktemp("races"))


def compile_races(folder: Path) -> Path:
    (folder / "races.cu").write_text(RACES)
    nvcc = find_toolkit(REPOSITORY).nvcc
    subprocess.run([nvcc, "-arch=sm_90a", "-lineinfo", "races.cu", "-o", "races"], cwd=folder, check=True)
    return folder / "races"


def row(code: str = "data-race", file: str = "csrc/a.cu", line: int = 5, **more: Any) -> str:
    known = {"code": code, "message": "it races", "place": {"file": file, "line": line, "column": 3}}
    return json.dumps(known | more, separators=(",", ":")) + "\n"


@pytest.fixture
def tool(tmp_path: Path) -> Tool:
    def start(*words: str | Path, found: str = "", known: str | None = None) -> subprocess.CompletedProcess[str]:
        (tmp_path / "found.jsonl").write_text(found)
        if known is not None:
            (tmp_path / "known.txt").write_text(known)
            words = ("--known", "known.txt", *words)
        command = [TMAEMU, sys.executable, "-m", "tmaemu_findings", "found.jsonl", *words]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    return start


def results(tmp_path: Path) -> list[dict[str, Any]]:
    rows = json.loads((tmp_path / "found.sarif").read_text())["runs"][0]["results"]
    assert isinstance(rows, list)
    return rows


def test_all_processes_of_a_run_write_to_one_file_wherever_they_have_gone(tmp_path: Path, races: Path) -> None:
    script = f"'{races}' & cd / && '{races}' also; wait"
    done = subprocess.run(
        [TMAEMU, "--findings-file=found.jsonl", "sh", "-c", script], cwd=tmp_path, capture_output=True, text=True
    )
    found = [json.loads(line) for line in (tmp_path / "found.jsonl").read_text().splitlines()]
    assert sorted(each["code"] for each in found) == ["data-race", "data-race", "out-of-bounds"]
    assert done.stderr.count("[data-race]\n") == 2  # and on the terminal as ever


def test_the_file_is_there_and_empty_where_nothing_was_found(tmp_path: Path) -> None:
    (tmp_path / "found.jsonl").write_text("of an earlier run\n")
    subprocess.run([TMAEMU, "--findings-file=found.jsonl", "true"], cwd=tmp_path, check=True)
    assert (tmp_path / "found.jsonl").read_text() == ""


def test_a_file_that_cannot_be_written_is_said_before_anything_runs(tmp_path: Path) -> None:
    done = subprocess.run([TMAEMU, "--findings-file=no/x", "echo"], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "tmaemu: cannot write findings to 'no/x': No such file or directory\n"


def test_a_finding_of_several_processes_is_told_once(tool: Tool) -> None:
    done = tool(found=row() + row() + row(line=9))
    assert done.stdout == "csrc/a.cu:5: it races [data-race]\ncsrc/a.cu:9: it races [data-race]\n2 new, 0 known\n"
    assert done.returncode == 1


def test_a_run_without_findings_ends_with_0(tool: Tool) -> None:
    done = tool()
    assert (done.returncode, done.stdout) == (0, "0 new, 0 known\n")


@pytest.mark.parametrize(
    "place", ["csrc/a.cu", "a.cu", "a.cu:5", "csrc/a.cu:5", "*.cu", "c*/a.cu:5"], ids=lambda place: str(place)
)
def test_a_known_finding_does_not_fail_a_run(tool: Tool, place: str) -> None:
    done = tool(found=row(), known=f"# why\n\ndata-race {place}  both write the same\n")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "0 new, 1 known")
    assert "(known: both write the same)" in done.stdout


@pytest.mark.parametrize(
    "known", ["deadlock a.cu why", "data-race b.cu why", "data-race a.cu:6 why", "data-race .cu why"]
)
def test_another_finding_is_new(tool: Tool, known: str) -> None:
    done = tool(found=row(), known=known + "\n")
    assert done.returncode == 1
    assert "known.txt:1: not found in this run: " in done.stdout


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("data-race a.cu\n", "known.txt:1: a known finding is a code, a file with or without a line, and a reason"),
        ("\nrace a.cu why\n", "known.txt:2: there is no finding 'race'; tmaemu --explain lists all codes"),
    ],
)
def test_a_row_of_the_list_that_says_too_little_is_refused(tool: Tool, known: str, said: str) -> None:
    done = tool(found=row(), known=known)
    assert (done.returncode, done.stderr) == (2, f"tmaemu_findings: {said}\n")


def test_a_line_that_is_cut_short_is_no_run_without_findings(tool: Tool) -> None:
    done = tool(found=row()[:40] + "\n")
    assert done.returncode == 2
    assert "found.jsonl:1: no finding of tmaemu's, or one that is cut short" in done.stderr


@pytest.mark.parametrize("end", ["\u2028", "\x85"])
def test_what_ends_a_line_elsewhere_cuts_no_finding(tool: Tool, end: str) -> None:
    found = row(message="a MARK b").replace("MARK", end)
    assert tool(found=found).stdout.endswith("1 new, 0 known\n")


def test_files_below_the_root_are_told_from_there(tool: Tool, tmp_path: Path) -> None:
    done = tool(found=row(file=f"{tmp_path}/csrc/../csrc/b c.cu") + row(file="/usr/include/x.h"))
    assert [line.split(": ")[0] for line in done.stdout.splitlines()[:2]] == ["/usr/include/x.h:5", "csrc/b c.cu:5"]


def test_sarif_has_each_finding_with_its_rule_its_places_and_what_is_known_of_it(tool: Tool, tmp_path: Path) -> None:
    note = {"message": "written here", "place": {"file": "csrc/b c.cu", "line": 2, "column": 1}}
    found = row(notes=[note], help="synchronize") + row("deadlock", "/elsewhere/x.cu", 7)
    tool("--sarif", "found.sarif", found=found, known="deadlock x.cu known to its authors\n")
    known, new = results(tmp_path)
    assert known["suppressions"] == [{"kind": "external", "justification": "known to its authors"}]
    assert known["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": "file:///elsewhere/x.cu"}
    assert new["suppressions"] == []
    assert new["message"]["text"] == "it races\nsynchronize"
    assert new["locations"][0]["physicalLocation"]["region"] == {"startLine": 5, "startColumn": 3}
    related = new["relatedLocations"][0]["physicalLocation"]
    assert related["artifactLocation"] == {"uri": "csrc/b%20c.cu", "uriBaseId": "ROOT"}


def test_sarif_says_of_each_rule_what_the_mistake_is(tool: Tool, tmp_path: Path) -> None:
    tool("--sarif", "found.sarif", found=row())
    driver = json.loads((tmp_path / "found.sarif").read_text())["runs"][0]["tool"]["driver"]
    (rule,) = driver["rules"]
    assert rule["shortDescription"]["text"] == "Two threads use the same bytes, one writes, and nothing orders them."


def test_every_code_of_the_registry_has_a_sentence(tool: Tool, tmp_path: Path) -> None:
    registry = subprocess.run([TMAEMU, "--findings=json"], capture_output=True, text=True, check=True).stdout
    codes = {each["code"] for each in json.loads(registry)["codes"]}
    tool("--sarif", "found.sarif", found="".join(row(code) for code in sorted(codes)))
    driver = json.loads((tmp_path / "found.sarif").read_text())["runs"][0]["tool"]["driver"]
    assert {rule["id"] for rule in driver["rules"]} == codes


def test_junit_fails_for_what_is_new_and_skips_what_is_known(tool: Tool, tmp_path: Path) -> None:
    found = row(message="a \x1b[31m<b>") + row("deadlock")
    tool("--junit", "found.xml", found=found, known="deadlock a.cu it is meant\n")
    suite = ElementTree.parse(tmp_path / "found.xml").getroot()[0]
    assert {name: suite.get(name) for name in ("tests", "failures", "skipped")} == {
        "tests": "2",
        "failures": "1",
        "skipped": "1",
    }
    failure = suite.find("testcase/failure")
    assert failure is not None
    assert failure.get("message") == "a \N{REPLACEMENT CHARACTER}[31m<b>"


def test_junit_has_a_case_that_passes_where_nothing_was_found(tool: Tool, tmp_path: Path) -> None:
    tool("--junit", "found.xml")
    (case,) = ElementTree.parse(tmp_path / "found.xml").getroot()[0]
    assert (case.get("name"), len(case)) == ("nothing found", 0)


def test_an_annotation_is_one_line_that_no_text_can_leave(tool: Tool) -> None:
    done = tool("--github", found=row(file="a,b:c.cu", message="100%\n::stop-commands::x"))
    line = done.stdout.splitlines()[0]
    assert line == (
        "::error title=data-race,file=a%2Cb%3Ac.cu,line=5,col=3::a,b:c.cu:5: 100%25%0A::stop-commands::x [data-race]"
    )


def test_what_is_known_is_not_annotated(tool: Tool) -> None:
    assert "::error" not in tool("--github", found=row(), known="data-race a.cu why\n").stdout
