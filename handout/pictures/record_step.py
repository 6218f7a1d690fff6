"""Records one step of a kernel of the stepping pages, for the picture on the index: `make recordings`."""

import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
KERNEL = ROOT / "handout/site/stepping/kernels/ring.cu"
FIRST_LINE = "uint32_t sum = 0;"  # of the kernel that is shown, and how many
LINE_COUNT = 8
RECORDED = HERE / "recorded" / "stepping-ring.json"


def steps_of(nvcc: Path) -> dict[str, Any]:
    """What tmaemu writes down of the kernel."""
    with tempfile.TemporaryDirectory() as folder:
        program, recording = Path(folder, "kernel"), Path(folder, "recording.json")
        command: list[str | Path] = [nvcc, "-cudart", "shared", "-lineinfo", "-std=c++20"]
        command += ["-gencode", "arch=compute_90a,code=[sm_90a,compute_90a]", f"-I{ROOT / 'labs/common'}"]
        subprocess.run([*command, "-o", program, KERNEL], check=True)
        subprocess.run([ROOT / "build/bin/tmaemu", f"--record={recording}", program], check=True, timeout=60)
        written: dict[str, Any] = json.loads(recording.read_text())
        return written


def step(nvcc: Path) -> dict[str, Any]:
    """The state after the step at which the first load has landed."""
    recording = steps_of(nvcc)
    landed = next(i for i, each in enumerate(recording["steps"]) if "warp" not in each)
    memory: dict[int, int] = {}
    warps: dict[str, int] = {}
    mbarriers: list[int] = []
    for each in recording["steps"][: landed + 1]:
        if "warp" in each:
            warps[f"W{each['warp'][1]}"] = each["line"]
        mbarriers += [offset for _, offset in each.get("init", [])]
        for view, _, offset, text in each.get("memory", []):
            if view == 0:
                memory |= {offset + i: byte for i, byte in enumerate(bytes.fromhex(text))}
    text = KERNEL.read_text(encoding="utf-8").splitlines()
    first = next(number for number, line in enumerate(text, 1) if line.strip() == FIRST_LINE)
    shown = range(first, first + LINE_COUNT)
    moment = recording["steps"][landed]["bulks"][0]
    return {
        "words": f"TMA engine: load {moment['finished']}, from line {recording['steps'][landed]['line']}, has landed.",
        "line": recording["steps"][landed]["line"],
        "lines": [
            [number, text[number - 1].partition("  //: ")[0], sorted(w for w, at in warps.items() if at == number)]
            for number in shown
        ],
        "mbarriers": [[f"full[{i}]", *fields_of(memory, offset)] for i, offset in enumerate(mbarriers)],
        "tiles": [
            [f"{one['name']}[{i}]", [word_at(memory, one["offset"] + 128 * i + 4 * word) for word in range(32)]]
            for one in recording["variables"]
            if one["name"] == "stage"
            for i in range(2)
        ],
    }


def word_at(memory: dict[int, int], offset: int) -> int | None:
    found = [memory.get(offset + i) for i in range(4)]
    return None if None in found else int.from_bytes(bytes(byte for byte in found if byte is not None), "little")


def fields_of(memory: dict[int, int], offset: int) -> tuple[int, int, int, int]:
    """Of an mbarrier, as handout/stats.md describes it: the parity, arrivals pending and expected, the tx-count."""
    bits = int.from_bytes(bytes(memory.get(offset + i, 0) for i in range(8)), "little")
    tx_count = bits >> 40 & (1 << 21) - 1
    if tx_count >> 20:
        tx_count -= 1 << 21
    return bits >> 61 & 1, bits & 0xFFFFF, bits >> 20 & 0xFFFFF, tx_count


def rows(recorded: dict[str, Any]) -> str:
    """As JSON, each track, stage or line of code in a line of its own."""

    def shown(value: Any) -> str:
        if isinstance(value, dict):
            return "{" + ",".join(f"\n  {json.dumps(name)}: {json.dumps(one)}" for name, one in value.items()) + "\n }"
        if isinstance(value, list):
            return "[" + ",".join(f"\n  {json.dumps(one)}" for one in value) + "\n ]"
        return json.dumps(value)

    return "{\n" + ",\n".join(f" {json.dumps(name)}: {shown(value)}" for name, value in recorded.items()) + "\n}\n"


def write(nvcc: Path) -> None:
    RECORDED.write_text(rows(step(nvcc)), encoding="utf-8")
