"""What the hazard checker costs in the labs' own tests, of the reference solutions."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[2])]

from tmagrade.basics.paths import HERE  # noqa: E402
from tmagrade.building.nvcc import library_command  # noqa: E402
from tmagrade.course.labs import Lab, load_lab  # noqa: E402
from tmagrade.machine.toolkit import find_toolkit  # noqa: E402

SECONDS = 300


@dataclass(frozen=True)
class Cost:
    """Of one run of a lab's tests."""

    cpu_seconds: float
    seconds: float


def build(lab: Lab, folder: Path) -> Path:
    """The solution as a library, as the grader builds what students hand in."""
    sources = list((HERE.solutions / lab.id).glob("*.cu"))
    text = "".join(f'#include "{source}"\n' for source in sources)
    (folder / "submission.cuh").write_text(text, encoding="utf-8")
    command = library_command(find_toolkit(HERE), HERE, lab, folder)
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder / "submission.so"


def judge(lab: Lab, library: Path, check: str) -> Cost:
    environment = os.environ | {"LD_LIBRARY_PATH": str(HERE.emulator_libraries), "TMAEMU_CHECK": check}
    verdicts = library.with_name("verdicts.json")
    command: list[str | Path] = [HERE.judge(lab.id), "--submission", library, "--output", verdicts, "--seed", "1"]
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(
        [*command, "--timeout-seconds", str(SECONDS), "--", HERE.runner, library],
        env=environment,
        capture_output=True,
        check=False,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(cpu, time.perf_counter() - begin)


def costs() -> dict[str, tuple[Cost, Cost]]:
    """By lab: without the checker, and with it."""
    found: dict[str, tuple[Cost, Cost]] = {}
    for settings in sorted(HERE.labs.glob("lab*/lab.toml")):
        lab = load_lab(settings)
        with tempfile.TemporaryDirectory() as folder:
            library = build(lab, Path(folder))
            found[lab.id] = judge(lab, library, "off"), judge(lab, library, "on")
    return found
