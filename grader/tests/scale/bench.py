"""Grades a large class (`make bench-grader`), and prints what it takes: time, and memory of the grader itself.

The class grows in steps, and each step finds the one before in the records. So the work of the largest class is
done once, and the memory is that of a grader with so many results.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from generate import REPOSITORY, generate


def peak_memory_bytes(pid: int) -> int:
    """Of this process alone: what compilers and judges take is bounded by the number of cores."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    peak = next((line for line in status.splitlines() if line.startswith("VmHWM:")), "VmHWM: 0 kB")
    return int(peak.split()[1]) * 1024


def grade(submissions: Path, state: Path, log: Path) -> tuple[float, int]:
    """Seconds, and the grader's peak memory in bytes."""
    command = [sys.executable, "-m", "tmagrade", "grade", "--backend", "emulator"]
    command += ["--submissions", str(submissions), "--output", str(state / "grades")]
    environment = os.environ | {"PYTHONPATH": str(REPOSITORY / "grader"), "TMAGRADE_STATE": str(state)}
    began = time.monotonic()
    peak = 0
    with open(log, "w") as printed:
        grader = subprocess.Popen(command, env=environment, stdout=printed, stderr=subprocess.STDOUT)
        try:
            while grader.poll() is None:
                peak = max(peak, peak_memory_bytes(grader.pid))
                time.sleep(0.05)
        except KeyboardInterrupt:
            grader.wait()
            raise SystemExit(f"interrupted; the same command begins anew; what it printed: {log}") from None
    if grader.returncode != 0:
        raise SystemExit(f"the grader ended with status {grader.returncode}; what it printed: {log}")
    return time.monotonic() - began, peak


def clock(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def main() -> None:
    options = argparse.ArgumentParser(description="How long a large class takes.")
    options.add_argument("--students", type=int, default=200)
    options.add_argument("--lab", default="lab3")
    chosen = options.parse_args()
    labs = [path.name for path in sorted((REPOSITORY / "solutions").glob("lab*"))]
    lab = next((name for name in labs if name == chosen.lab or name.startswith(chosen.lab + "-")), None)
    if lab is None:
        raise SystemExit(f"there is no lab {chosen.lab!r}; there are {', '.join(labs)}")

    folder = REPOSITORY / "build/scale"
    shutil.rmtree(folder, ignore_errors=True)
    state = folder / "state"
    state.mkdir(parents=True)
    print(f"{lab}, {chosen.students} students, {len(os.sched_getaffinity(0))} cores, on the emulator")
    print(f"{'class':>6} {'graded before':>14} {'time':>7} {'a minute':>9} {'memory of the grader':>21}")
    total, before = 0.0, 0
    for size in sorted({max(1, chosen.students // 4), max(1, chosen.students // 2), chosen.students}):
        generate(lab, size, folder / f"class-{size}")
        seconds, memory = grade(folder / f"class-{size}", state, folder / f"{size}.log")
        total += seconds
        rate = f"{(size - before) / seconds * 60:.1f}"
        print(f"{size:>6} {before:>14} {clock(seconds):>7} {rate:>9} {memory / 1e6:>18.0f} MB", flush=True)
        before = size
    seconds, memory = grade(folder / f"class-{before}", state, folder / "again.log")
    print(f"{before:>6} {before:>14} {clock(seconds):>7} {'':>9} {memory / 1e6:>18.0f} MB")
    print(f"\nAll {chosen.students}: {clock(total)}, {chosen.students / total * 60:.1f} submissions a minute.")
    print(f"Again, with nothing changed: {seconds:.1f} s.")


if __name__ == "__main__":
    main()
