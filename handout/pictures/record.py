#!/usr/bin/env python3
"""Records what kernels of the solutions do on the emulator, for the timelines of the chapters: `make recordings`.

A recording is the solution's own text, with its tiles made small and, where a mistake is to be seen, a line changed.
Its ticks are instructions and actions of the engine, in the order of one run; another compiler gives other ticks.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

import record_step

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
RECORDED = HERE / "recorded"
FINDING = re.compile(r"^.*: error: .*\[([a-z-]+)\]$", re.MULTILINE)


@dataclass(frozen=True)
class Kernel:
    """What to record: a solution, what is changed in its text, and a main that launches one CTA."""

    source: str  # in solutions/
    main: str
    stages: int  # loads, and stores or products, go through them in turn
    changes: Mapping[str, str] = field(default_factory=dict)
    loads_of_stage: int = field(default=1, kw_only=True)


@dataclass(frozen=True)
class Span:
    begin: int
    end: int


@dataclass(frozen=True)
class Recording:
    runs: dict[str, list[Span]]  # by warp: when it executes
    waits: dict[str, list[Span]]  # by warp: when it waits at an mbarrier
    loads: list[list[Span]]  # by stage: from issue to landing
    stores: list[list[Span]]  # by stage: from issue until the tile has been read, also by a group of products
    findings: list[str]


LADDER3 = "ladders/lab3-bulk-copy.cu"
SMALL3 = {"TILE_INTS = 8192": "TILE_INTS = 512", "THREADS = 512": "THREADS = 32"}


def main_of_lab3(stages: int, stores_in_flight: int) -> str:
    return f"""
int main() {{
  constexpr int TILES = 6;
  int* data;
  cuda_check(cudaMalloc(&data, TILES * TILE_BYTES));
  cuda_check(cudaMemset(data, 0, TILES * TILE_BYTES));
  ring<{stages}, {stores_in_flight}, false, false><<<1, THREADS, {stages} * TILE_BYTES>>>(data, TILES);
  cuda_check(cudaDeviceSynchronize());
}}
"""


LAB7 = "lab7-warp-scheduler/lab7.cu"
SMALL7 = {"COPY_STAGE_BYTES = 4096": "COPY_STAGE_BYTES = 1024", "COPY_STAGES = 3": "COPY_STAGES = 4"}
MAIN7 = """
int main() {
  constexpr int COUNT = 8 * COPY_STAGE_BYTES / sizeof(bf16);
  bf16 *source, *target;
  cuda_check(cudaMalloc(&source, COUNT * sizeof(bf16)));
  cuda_check(cudaMalloc(&target, COUNT * sizeof(bf16)));
  cuda_check(cudaMemset(source, 0, COUNT * sizeof(bf16)));
  tma_multiwarp_pipeline<<<1, COPY_THREADS>>>(target, source, COUNT);
  cuda_check(cudaDeviceSynchronize());
}
"""
# In the loop of the storer alone.
FREED_EARLY = {
    "      tma_store_wait_until_pending_read<0>();\n      arrive(&empty[at.stage], 1);": (
        "      arrive(&empty[at.stage], 1);"
    )
}

LAB8 = "lab8-swizzle/lab8.cu"
MAIN8 = """
int main() {
  constexpr int SIZE = TILE<float>;
  float *source, *target;
  cuda_check(cudaMalloc(&source, SIZE * SIZE * sizeof(float)));
  cuda_check(cudaMalloc(&target, SIZE * SIZE * sizeof(float)));
  cuda_check(cudaMemset(source, 0, SIZE * SIZE * sizeof(float)));
  launch_transpose_tiles<float>(source, target, SIZE, SIZE);
  cuda_check(cudaDeviceSynchronize());
}
"""
AFTER_THE_WAIT = "  // Threads along a column of chunks"
UNAWAITED = {f"  wait(&loaded, 0);\n\n{AFTER_THE_WAIT}": AFTER_THE_WAIT}

LAB12 = "lab12-matmul/lab12.cu"
MAIN12 = """
int main() {
  constexpr int DEPTHS = 8;
  bf16 *a, *c;
  cuda_check(cudaMalloc(&a, 64 * DEPTHS * DEPTH * sizeof(bf16)));
  cuda_check(cudaMalloc(&c, 64 * 64 * sizeof(bf16)));
  cuda_check(cudaMemset(a, 0, 64 * DEPTHS * DEPTH * sizeof(bf16)));
  launch_ring_matmul(64, 64, DEPTHS * DEPTH, a, a, c);
  cuda_check(cudaDeviceSynchronize());
}
"""
WAIT12 = "    wgmma_wait<0>();  // only now has the stage been read\n    accumulators_changed(sums);\n"
ARRIVE12 = "    if (threadIdx.x % WARP == 0) arrive(&ring.empty[at.stage], 1);\n"
RESULTS12 = "  for (int i = 0; i < 32; ++i) {\n"
# One group stays pending, and still the stage is given back that it reads.
RELEASED_EARLY = {
    WAIT12 + ARRIVE12: "    wgmma_wait<1>();\n" + ARRIVE12,
    RESULTS12: "  wgmma_wait<0>();\n  accumulators_changed(sums);\n" + RESULTS12,
}

KERNELS = {
    "lab3-one-stage": Kernel(LADDER3, main_of_lab3(1, 0), 1, SMALL3),
    "lab3-ring": Kernel(LADDER3, main_of_lab3(3, 1), 3, SMALL3),
    "lab3-no-wait": Kernel(
        LADDER3,
        main_of_lab3(3, 1),
        3,
        SMALL3 | {"      tma_store_wait_until_pending_read<STORES_IN_FLIGHT>();\n": ""},
    ),
    "lab7-ring": Kernel(LAB7, MAIN7, 4, SMALL7),
    "lab7-short-ring": Kernel(LAB7, MAIN7, 1, SMALL7 | {"COPY_STAGES = 3": "COPY_STAGES = 1"}),
    "lab7-freed-early": Kernel(LAB7, MAIN7, 4, SMALL7 | FREED_EARLY),
    "lab8-transpose": Kernel(LAB8, MAIN8, 1),
    "lab8-no-wait": Kernel(LAB8, MAIN8, 1, UNAWAITED),
    "lab12-ring": Kernel(LAB12, MAIN12, 4, loads_of_stage=2),
    "lab12-released-early": Kernel(LAB12, MAIN12, 4, RELEASED_EARLY, loads_of_stage=2),
}


def text_of(kernel: Kernel) -> str:
    text = (ROOT / "solutions" / kernel.source).read_text(encoding="utf-8")
    for old, new in kernel.changes.items():
        if text.count(old) != 1:
            raise SystemExit(f"{kernel.source} has {text.count(old)} places with {old!r}; record.py must follow")
        text = text.replace(old, new)
    return re.sub(r"^int main\(", "int main_of_the_solution(", text, flags=re.MULTILINE) + kernel.main


def record(kernel: Kernel, nvcc: Path, folder: Path) -> Recording:
    source, program, trace = folder / "kernel.cu", folder / "kernel", folder / "trace.json"
    source.write_text(text_of(kernel), encoding="utf-8")
    command: list[str | Path] = [nvcc, "-cudart", "shared", "-lineinfo", "-std=c++20"]
    command += ["-gencode", "arch=compute_90a,code=[sm_90a,compute_90a]", f"-I{ROOT / 'labs/common'}"]
    subprocess.run([*command, "-o", program, source], check=True)
    emulator: list[str | Path] = [ROOT / "build/bin/tmaemu", f"--trace={trace}", "--async=random:1", program]
    run = subprocess.run(emulator, capture_output=True, text=True, timeout=120)
    return condensed(json.loads(trace.read_text()), kernel, sorted(set(FINDING.findall(run.stderr))))


def condensed(trace: dict[str, list[dict]], kernel: Kernel, findings: list[str]) -> Recording:  # type: ignore[type-arg]
    events = trace["traceEvents"]
    names = {event["tid"]: event["args"]["name"] for event in events if event["name"] == "thread_name"}
    runs: dict[str, list[Span]] = {}
    waits: dict[str, list[Span]] = {}
    operations: dict[str, list[Span]] = {"load": [], "store": []}
    for event in sorted((event for event in events if event["ph"] == "X"), key=lambda event: event["ts"]):
        span = Span(event["ts"], event["ts"] + event["dur"])
        if event["cat"] == "run":
            runs.setdefault(names[event["tid"]], []).append(span)
        elif event["cat"] == "wait" and event["dur"] > 1 and "__syncthreads" not in event["name"]:
            waits.setdefault(names[event["tid"]], []).append(span)
        elif event["cat"] == "tma":
            read_after = event["args"]["source_read_after"]
            end = span.end if read_after is None else span.begin + read_after + 1
            operations[event["args"]["kind"]].append(Span(span.begin, end))
        elif event["cat"] == "wgmma":
            operations["store"].append(span)
    operations["load"] = in_one(operations["load"], kernel.loads_of_stage)
    stages = range(kernel.stages)
    loads, stores = ([spans[stage :: kernel.stages] for stage in stages] for spans in operations.values())
    return Recording({warp: joined(spans) for warp, spans in runs.items()}, waits, loads, stores, findings)


def in_one(spans: list[Span], count: int) -> list[Span]:
    """From the beginning of the first to the end of the last, of each so many."""
    groups = [spans[first : first + count] for first in range(0, len(spans), count)]
    return [Span(group[0].begin, max(span.end for span in group)) for group in groups]


def joined(spans: list[Span]) -> list[Span]:
    """Spans that follow each other without a pause, as one."""
    result: list[Span] = []
    for span in spans:
        if result and result[-1].end == span.begin:
            result[-1] = Span(result[-1].begin, span.end)
        else:
            result.append(span)
    return result


def written(recording: Recording) -> str:
    text = record_step.rows(asdict(recording))
    return re.sub(r"\{\"begin\": (\d+), \"end\": (\d+)\}", r"[\1, \2]", text)


def read(name: str) -> Recording:
    def spans(listed: list[list[int]]) -> list[Span]:
        return [Span(*each) for each in listed]

    value = json.loads((RECORDED / f"{name}.json").read_text(encoding="utf-8"))
    return Recording(
        {warp: spans(listed) for warp, listed in value["runs"].items()},
        {warp: spans(listed) for warp, listed in value["waits"].items()},
        [spans(listed) for listed in value["loads"]],
        [spans(listed) for listed in value["stores"]],
        value["findings"],
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nvcc", type=Path, default=ROOT / ".venv/cuda/bin/nvcc")
    nvcc = parser.parse_args().nvcc
    for name, kernel in KERNELS.items():
        with tempfile.TemporaryDirectory() as folder:
            recording = record(kernel, nvcc, Path(folder))
        (RECORDED / f"{name}.json").write_text(written(recording), encoding="utf-8")
        print(name, *recording.findings)
    record_step.write(nvcc)
    return 0


if __name__ == "__main__":
    sys.exit(main())
