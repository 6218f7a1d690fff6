"""Grades a large class (`make bench-grader`), and prints what it takes: time, memory of the grader itself, and where
the processors' time goes, next to what nvcc alone takes for the same texts.

The class grows in steps, and each step finds the one before in the records. So the work of the largest class is
done once, and the memory is that of a grader with so many results.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from costs import compilers_own, costs_of, processor_seconds, together
from generate import REPOSITORY, generate, text_of, texts_of

from tmagrade.basics.paths import HERE
from tmagrade.course.labs import Lab, load_labs

# What a class may cost, in times what nvcc alone takes.
MOST_TIMES_NVCC = 3.5


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


@dataclass(frozen=True)
class Texts:
    """What a class of so many students hands in, besides their comments."""

    lab: Lab
    places: dict[str, Path]
    often: dict[str, int]

    @classmethod
    def written(cls, lab: str, students: int, folder: Path) -> "Texts":
        texts = texts_of(lab)
        often = Counter(text_of(number, len(texts)) for number in range(students))
        places = {}
        for index in often:
            places[str(index)] = place = folder / f"text-{index}"
            place.mkdir(parents=True)
            for name, content in texts[index].items():
                (place / name).write_text(content)
        known = next(one for one in load_labs(HERE.labs) if one.id == lab)
        return cls(known, places, {str(index): count for index, count in often.items()})

    def nvcc(self, into: Path) -> float:
        """Seconds of the processors that nvcc alone takes for the class."""
        own = compilers_own(self.lab, self.places, into)
        return sum(own[text] * count for text, count in self.often.items())

    def print_costs(self, nvcc: float) -> None:
        """Where the processors' time of the class goes, by grading each text alone."""
        costs_of(self.lab, self.places["0"])  # the canary with the reference solution, which is remembered
        seconds = {text: costs_of(self.lab, place) for text, place in self.places.items()}
        rows = [*together(seconds, self.often), ("nvcc by itself", nvcc)]
        print("\nWhere the processors' time goes, each text by itself:")
        for kind, taken in rows:
            print(f"{kind:<22} {taken:>9.1f} s {taken / nvcc:>6.2f} times nvcc", flush=True)


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
    texts = Texts.written(lab, chosen.students, folder / "texts")
    nvcc = texts.nvcc(folder / "stages-before")
    used_before = processor_seconds()
    for size in sorted({max(1, chosen.students // 4), max(1, chosen.students // 2), chosen.students}):
        generate(lab, size, folder / f"class-{size}")
        seconds, memory = grade(folder / f"class-{size}", state, folder / f"{size}.log")
        total += seconds
        rate = f"{(size - before) / seconds * 60:.1f}"
        print(f"{size:>6} {before:>14} {clock(seconds):>7} {rate:>9} {memory / 1e6:>18.0f} MB", flush=True)
        before = size
    used = processor_seconds() - used_before
    nvcc = (nvcc + texts.nvcc(folder / "stages-after")) / 2  # the machine's speed may have changed
    seconds, memory = grade(folder / f"class-{before}", state, folder / "again.log")
    print(f"{before:>6} {before:>14} {clock(seconds):>7} {'':>9} {memory / 1e6:>18.0f} MB")
    print(f"\nAll {chosen.students}: {clock(total)}, {chosen.students / total * 60:.1f} submissions a minute.")
    print(f"Again, with nothing changed: {seconds:.1f} s.")
    busy = used / total / len(os.sched_getaffinity(0))
    print(f"Of the processors: {used:.0f} s in all, which kept the cores at work for {100 * busy:.0f}% of the time.")
    print(f"That is {used / nvcc:.2f} times what nvcc alone takes for the class; it may be {MOST_TIMES_NVCC} times.")
    os.environ["TMAGRADE_STATE"] = str(folder / "alone")
    texts.print_costs(nvcc)


if __name__ == "__main__":
    main()
