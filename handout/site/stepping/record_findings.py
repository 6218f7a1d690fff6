#!/usr/bin/env python3
"""Makes the recordings that the pages of findings play: the page's wrong kernel and its right one, a fourth as large,
under two timing policies: `make recordings`.
"""

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any

from finding_examples import PROGRAM, examples, kernel_of, program_of, smaller
from record_steps import FLAGS, POLICIES, RECORDINGS, ROOT, played, run

# Of the others, one instruction says it all: there is nothing to step through.
CODES = (
    *("missing-proxy-fence", "unsynchronized-tma-store", "read-before-wait", "write-during-load"),
    *("store-of-loading-tile", "overwrite-before-read-done", "load-over-unread-data", "overlapping-tma-writes"),
    *("smem-released-early", "store-not-awaited", "wait-wrong-parity", "phase-overrun", "expect-too-many"),
    *("expect-too-few", "arrival-overflow", "barrier-reinit", "missing-barrier-init-fence", "wait-without-commit"),
    *("divergent-issue", "divergent-barrier", "data-race", "cluster-not-ready", "barrier-of-another-cta", "deadlock"),
)
KINDS = ("wrong", "right")


def place_of(code: str) -> Path:
    return RECORDINGS / "findings" / f"{code}.json"


def kernels() -> dict[tuple[str, str], str]:
    bodies = examples()
    return {(kind, code): smaller(kernel_of(code, bodies[kind, code])) for code in CODES for kind in KINDS}


def record(nvcc: Path) -> dict[str, dict[str, Any]]:
    """What the pages play, by code."""
    texts = kernels()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for (kind, code), text in texts.items():  # so that the emulator can quote them
            (folder / kind).mkdir(exist_ok=True)
            (folder / kind / f"{code}.cu").write_text(text, encoding="utf-8")
        program = folder / "examples"
        source = program.with_suffix(".cu")
        source.write_text(program_of(texts, smaller(PROGRAM)), encoding="utf-8")
        options = ["-diag-suppress=177,550", f"-I{ROOT / 'labs/common'}"]
        done = run([nvcc, *FLAGS, *options, "-o", program, source], folder)
        if done.returncode != 0:
            raise SystemExit(f"nvcc refuses the examples: {done.stderr}")

        def version(kind: str, code: str) -> dict[str, Any]:
            runs = {policy: played(program, policy, f"{kind} {code}") for policy in POLICIES}
            return {"without": [], "source": texts[kind, code].splitlines()} | runs

        return {code: {"name": code, "versions": {kind: version(kind, code) for kind in KINDS}} for code in CODES}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nvcc", type=Path, required=True)
    nvcc = parser.parse_args().nvcc.absolute()
    (RECORDINGS / "findings").mkdir(parents=True, exist_ok=True)
    for code, made in record(nvcc).items():
        place_of(code).write_text(json.dumps(made, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
