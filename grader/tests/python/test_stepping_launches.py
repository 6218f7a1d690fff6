"""The launches that pages run are those of today's kernels, and do what today's programs do. The order of a kernel's
steps is that of one compiler; what becomes of the engine's work and of shared memory is not."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from long_cases import long_but

from tmagrade.basics.paths import HERE
from tmagrade.machine.toolkit import find_toolkit

sys.path.insert(0, str(HERE.root / "handout/site/stepping"))

import finding_launches
import kernel_launches
import launch_archive
from launches import launch_of, recorded

POLICIES = ("late", "early")
KERNELS = {kernel.stem: kernel for kernel in kernel_launches.KERNELS}
# A version of each kind of ending that the rest does not have, and one whose advice names the course's functions.
COMPILED_ANEW = [
    *((name, kernel_launches.RIGHT) for name in KERNELS),
    ("warp-scheduler", "arrive"),
    ("one-tile", "fence"),
]
COMPILED_FIRST = {"main-loop/right", "one-tile/fence"}
LAUNCHES = launch_archive.launches()
RIGHT = [name for name in LAUNCHES if name.endswith("/right")]
# What a page has as WebAssembly, for this machine.
RUN_LAUNCH = HERE.build / "tests/run-launch"


def kernel_launch(kernel: str, version: str) -> str:
    return LAUNCHES[kernel_launches.name_of(KERNELS[kernel], version)]


def finding_launch(code: str, kind: str) -> str:
    return LAUNCHES[finding_launches.name_of(code, kind)]


def launched(launch: str, policy: str, **settings: str) -> dict[str, Any]:
    """What a launch does where nothing but its text is known: its recording, and what has come of it."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TMAEMU_")}
    done = subprocess.run(
        [RUN_LAUNCH],
        input=launch,
        capture_output=True,
        text=True,
        env=environment | {"TMAEMU_ASYNC": policy, "TMAEMU_RECORD": "-"} | settings,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    recording, outcome = done.stdout.splitlines()
    return {"recording": json.loads(recording), **json.loads(outcome)}


def codes(launch: dict[str, Any]) -> set[str]:
    return {finding["code"] for finding in launch["findings"]}


def words(launch: dict[str, Any]) -> set[tuple[str, str, str]]:
    return {(finding["code"], finding["message"], finding.get("help", "")) for finding in launch["findings"]}


def memory_at_the_end(launch: dict[str, Any]) -> dict[tuple[int, int, int], str]:
    """The last value of each byte that changed, by view, rank and offset."""
    return {
        (view, rank, offset + at): text[2 * at : 2 * at + 2]
        for step in launch["recording"]["steps"]
        for view, rank, offset, text in step.get("memory", [])
        for at in range(len(text) // 2)
    }


def shape(launch: dict[str, Any]) -> object:
    """Without the order of steps: which warps run, what the engine does, what is left in memory, what is said of it."""
    steps = launch["recording"]["steps"]
    moments = sorted(str(moment) for step in steps for moment in step.get("bulks", []))
    warps = {tuple(step["warp"]) for step in steps if "warp" in step}
    return warps, moments, memory_at_the_end(launch), words(launch), launch["recording"]["variables"]


@pytest.mark.parametrize(("kernel", "name"), long_but(COMPILED_FIRST, COMPILED_ANEW, "/".join))
def test_a_launch_is_of_todays_kernel(tmp_path: Path, kernel: str, name: str) -> None:
    program = kernel_launches.program_of(find_toolkit(HERE).nvcc, KERNELS[kernel], name, tmp_path)
    for policy in POLICIES:
        kept = launched(kernel_launch(kernel, name), policy)
        assert shape(recorded(program, tmp_path, policy)) == shape(kept)


@pytest.mark.parametrize("kernel", ["one-tile", "multicast"])
def test_tmaemu_writes_the_launch_of_a_program_as_a_page_runs_it(tmp_path: Path, kernel: str) -> None:
    program = kernel_launches.program_of(find_toolkit(HERE).nvcc, KERNELS[kernel], kernel_launches.RIGHT, tmp_path)
    source = kernel_launches.version(KERNELS[kernel].read_text(encoding="utf-8"), kernel_launches.RIGHT)
    written, kept = (
        launch_of(program, f"{kernel}.cu", source.splitlines()),
        kernel_launch(kernel, kernel_launches.RIGHT),
    )
    assert written.partition("\nptx\n")[0] == kept.partition("\nptx\n")[0]
    assert shape(launched(written, "late")) == shape(launched(kept, "late"))


@pytest.mark.parametrize("kernel", KERNELS)
def test_each_version_has_a_launch_with_the_lines_that_are_right(kernel: str) -> None:
    source = KERNELS[kernel].read_text(encoding="utf-8")
    names = kernel_launches.versions_of(source)
    assert sorted(names) == sorted(
        name.removeprefix(f"{kernel}/") for name in LAUNCHES if name.startswith(f"{kernel}/")
    )
    right = kernel_launches.version(source, kernel_launches.RIGHT)
    for name in names:
        source_of_launch = f"\nsource {kernel}.cu {len(right.splitlines())}\n{right}ptx\n"
        assert source_of_launch in kernel_launch(kernel, name)


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_kernel_leaves_the_same_in_global_memory_under_every_timing(name: str) -> None:
    late, early, random = (launched(LAUNCHES[name], policy)["memory"] for policy in (*POLICIES, "random:5"))
    assert late == early == random
    sizes = re.findall(r"^memory \d+ (\d+) ", LAUNCHES[name], re.MULTILINE)
    assert [len(text) // 2 for text in late] == list(map(int, sizes))


@pytest.mark.parametrize("name", RIGHT)
@pytest.mark.parametrize("policy", [*POLICIES, "random:5"])
def test_a_right_kernel_has_no_finding(name: str, policy: str) -> None:
    assert codes(launched(LAUNCHES[name], policy)) == set()


def test_a_tile_without_its_fence_leaves_what_was_there_before_the_threads_wrote() -> None:
    right, unfenced = (launched(kernel_launch("one-tile", name), "late") for name in ("right", "fence"))
    assert right["memory"] != unfenced["memory"]


# The products of the main loop: four, one after another.


def products(policy: str, name: str = kernel_launches.RIGHT) -> list[tuple[str, int]]:
    """What happens to products, and to which one, in the order of the steps."""
    steps = launched(kernel_launch("main-loop", name), policy)["recording"]["steps"]
    moments = [moment for step in steps for moment in step.get("products", [])]
    kinds = ("issued", "committed", "multiplied", "done")
    return [next((kind, moment[kind]) for kind in kinds if kind in moment) for moment in moments]


def test_a_product_is_multiplied_at_the_wait_if_the_engine_is_late() -> None:
    order = ("issued", "committed", "multiplied", "done")
    assert products("late") == [(kind, number) for number in range(1, 5) for kind in order]


def test_a_product_is_multiplied_when_its_last_warp_has_issued_it_if_the_engine_is_early() -> None:
    moments = products("early")
    for number in range(1, 5):
        assert moments.index(("issued", number)) < moments.index(("multiplied", number))
        assert moments.index(("multiplied", number)) < moments.index(("done", number))


def test_of_a_product_that_no_commit_holds_no_wait_says_that_it_is_done() -> None:
    assert not [kind for kind, _ in products("late", "commit") if kind in ("committed", "done")]


@pytest.mark.parametrize("name", LAUNCHES)
def test_a_launch_names_no_place_on_the_machine_that_made_it(name: str) -> None:
    files = re.findall(r'^\s*\.file\s.*"(.*)"', LAUNCHES[name], re.MULTILINE)
    assert files and {file.rpartition("/")[0] for file in files} <= {"", "tma", "wgmma"}
    assert str(Path.home()) not in LAUNCHES[name]


@pytest.mark.parametrize("name", LAUNCHES)
def test_a_launch_is_no_longer_than_a_page_needs(name: str) -> None:
    assert len(LAUNCHES[name].encode()) < 50_000
    for policy in POLICIES:
        assert len(launched(LAUNCHES[name], policy)["recording"]["steps"]) < 200


# The pages of findings


@pytest.fixture(scope="module")
def examples_of_today(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return finding_launches.program_of_all(find_toolkit(HERE).nvcc, tmp_path_factory.mktemp("examples"))


@pytest.mark.long
@pytest.mark.parametrize("code", finding_launches.CODES)
def test_a_page_of_a_finding_runs_its_example(examples_of_today: Path, code: str) -> None:
    for kind in finding_launches.KINDS:
        launch = finding_launch(code, kind)
        source = finding_launches.kernels()[kind, code]
        assert f"\nsource {code}.cu {len(source.splitlines())}\n{source}" in launch
        for policy in POLICIES:
            today = recorded(examples_of_today, examples_of_today.parent / kind, policy, f"{kind} {code}")
            assert shape(today) == shape(launched(launch, policy))


@pytest.mark.parametrize("code", finding_launches.CODES)
def test_the_wrong_kernel_of_a_finding_has_it_and_the_right_one_has_none(code: str) -> None:
    for policy in POLICIES:
        assert code in codes(launched(finding_launch(code, "wrong"), policy))
        assert launched(finding_launch(code, "right"), policy)["findings"] == []


# The archive


def test_the_same_launches_are_the_same_archive(tmp_path: Path) -> None:
    for name, launches in (("one", LAUNCHES), ("other", dict(reversed(LAUNCHES.items())))):
        launch_archive.write(launches, tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()


# What a kernel prints


def printing(text: str) -> str:
    """A right kernel that prints the text in each of its threads."""
    launch = kernel_launch("one-tile", kernel_launches.RIGHT)
    data = ", ".join(map(str, [*text.encode(), 0]))
    declared = f"""
.extern .func (.param .b32 count) vprintf(.param .b64 format, .param .b64 arguments);
.global .align 1 .b8 words[] = {{{data}}};
"""
    call = """{
.reg .b64 %words;
.param .b64 format;
.param .b64 arguments;
.param .b32 count;
mov.u64 %words, words;
cvta.global.u64 %words, %words;
st.param.b64 [format], %words;
st.param.b64 [arguments], 0;
call.uni (count), vprintf, (format, arguments);
}
"""
    assert "\nbar.sync 0;\n" in launch
    return launch.replace("\n.visible .entry", f"{declared}.visible .entry").replace(
        "\nbar.sync", f"\n{call}bar.sync", 1
    )


def test_what_a_kernel_prints_travels_apart_from_what_is_found() -> None:
    launch = launched(printing("hello\n"), "late")
    assert (launch["printed"], launch["findings"]) == ("hello\n" * 64, [])


def test_a_printed_line_that_looks_like_a_finding_is_none() -> None:
    forged = "x.cu:9:1: error: boom [deadlock]\n"
    launch = launched(printing(forged), "late")
    assert (launch["printed"], launch["findings"]) == (forged * 64, [])


def test_a_printed_line_of_json_is_no_outcome() -> None:
    launch = launched(printing('{"findings": [{"code": "deadlock"}]}\n'), "late")
    assert launch["findings"] == []
    assert launch["memory"] == launched(kernel_launch("one-tile", "right"), "late")["memory"]


def test_what_is_printed_is_made_fit_to_be_shown() -> None:
    assert launched(printing("\x1b[2J\x07\n"), "late")["printed"].startswith("?[2J?\n")


def test_of_what_is_printed_without_end_the_beginning_is_kept() -> None:
    printed = launched(printing("line\n" * 5), "late")["printed"]
    assert printed == "line\n" * 100 + "...\n"


def test_a_kernel_that_prints_nothing_has_nothing_printed() -> None:
    assert "printed" not in launched(kernel_launch("one-tile", kernel_launches.RIGHT), "late")


def test_a_finding_has_its_text_in_styled_pieces_and_the_path_of_its_page() -> None:
    [finding] = launched(kernel_launch("one-tile", "fence"), "late")["findings"]
    assert finding["text"][0][1] == ["error", "error: "]
    assert finding["text"][-1] == [["plain", "read: "], ["page", "handout/findings/missing-proxy-fence.md"]]


def test_a_finding_of_a_store_over_reads_speaks_of_a_store_and_of_global_memory() -> None:
    text = kernel_launch("one-tile", kernel_launches.RIGHT)
    [_, target] = re.findall(r"^memory (\d+) ", text, re.MULTILINE)
    read = f"{{\n.reg .b64 %at; .reg .b32 %word;\nmov.u64 %at, {target};\nld.global.u32 %word, [%at];\n}}\n"
    before, after = text.rsplit("bar.sync", 1)  # behind the fence, and before the store
    [finding] = launched(f"{before}{read}bar.sync{after}", "late")["findings"]
    place = f"global address {int(target):#x}"
    assert finding["message"].startswith(f"a TMA store writes over what threads of this kernel have read at {place}:")
    assert [note["message"] for note in finding["notes"]][-1].startswith("it was read here by block (0,0,0), thread (")


def test_a_kernel_without_an_end_says_where_it_was() -> None:
    text = kernel_launch("one-tile", kernel_launches.RIGHT)
    launch = launched(text.replace("\nbar.sync", "\nHERE: bra HERE;\nbar.sync", 1), "late")
    assert "is still running at one-tile.cu:" in launch["still_running"]
    assert launch["findings"] == []


# Launches that are none


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda text: "", "the launch has no PTX"),
        (lambda text: text.replace("grid 1", "grid one"), 'line 2 of the launch: "one" is no number'),
        (lambda text: text.replace("shared 0", "shard 0"), '"shard" is nothing that a launch has'),
        (lambda text: text.replace("parameters 0", "parameters "), "half a byte"),
        (lambda text: re.sub(r"^source (\S+) \d+$", r"source \1 9999", text, flags=re.M), "fewer lines than it says"),
        (lambda text: re.sub(r"^memory \d+", "memory 4096", text, flags=re.M), "lies elsewhere"),
        (lambda text: text.replace("block 64", "block 4096"), "that is launched so"),
        (lambda text: text.replace("grid 1", "grid 0"), "that is launched so"),
        (lambda text: text.replace("bar.sync", "bar..sync"), "line "),
    ],
)
def test_a_launch_that_is_none_is_refused_in_words(tmp_path: Path, change: Any, complaint: str) -> None:
    text = kernel_launch("ring", kernel_launches.RIGHT)
    done = subprocess.run([RUN_LAUNCH], input=change(text), capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (1, "")
    assert complaint in done.stderr
    assert len(done.stderr.splitlines()) <= 2, "the message, and the line of PTX that it is about"
