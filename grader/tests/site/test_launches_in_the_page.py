"""What a page's emulator does with a launch is what tmaemu does with the program: each step, each byte, each word."""

import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import HANDOUT, ROOT, Reader

sys.path.insert(0, str(HANDOUT / "site/stepping"))

import finding_launches
import kernel_launches
from launches import recorded

NVCC = ROOT / ".venv/cuda/bin/nvcc"
POLICIES = ("late", "early", "random:1", "random:77")

RUN_ALL = """async policies => {
    const done = {};
    for (const [name, { launch }] of Object.entries(steppingPlayer.all.versions)) {
        done[name] = {};
        for (const policy of policies) done[name][policy] = await steppingPlayer.emulator.run(launch, policy);
    }
    return done;
}"""


def in_the_page(reader: Reader, page_name: str) -> dict[str, Any]:
    page = reader.open(page_name)
    page.wait_for_function("globalThis.steppingPlayer")
    done: dict[str, Any] = page.evaluate(RUN_ALL, POLICIES)
    # What is printed and left in global memory test_stepping_launches.py has a look at.
    return {
        name: {policy: {"recording": run["recording"], "findings": run["findings"]} for policy, run in runs.items()}
        for name, runs in done.items()
    }


@pytest.mark.parametrize("kernel", kernel_launches.KERNELS, ids=lambda kernel: kernel.stem)
def test_a_kernel_to_step_through(reader: Reader, kernel: Path, tmp_path: Path) -> None:
    seen = in_the_page(reader, f"stepping/{kernel.stem}.html")
    assert list(seen) == kernel_launches.versions_of(kernel.read_text(encoding="utf-8"))
    for name, runs in seen.items():
        program = kernel_launches.program_of(NVCC, kernel, name, tmp_path)
        # Both quote the version that is right, whose other lines are the same.
        (tmp_path / kernel.name).write_text(
            kernel_launches.version(kernel.read_text(encoding="utf-8"), kernel_launches.RIGHT), encoding="utf-8"
        )
        for policy in POLICIES:
            assert runs[policy] == recorded(program, tmp_path, policy), (name, policy)


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return finding_launches.program_of_all(NVCC, tmp_path_factory.mktemp("examples"))


@pytest.mark.parametrize("code", finding_launches.CODES)
def test_an_example_of_a_finding(reader: Reader, examples: Path, code: str) -> None:
    for kind, runs in in_the_page(reader, f"findings/{code}.html").items():
        for policy in POLICIES:
            assert runs[policy] == recorded(examples, examples.parent / kind, policy, f"{kind} {code}"), (kind, policy)
