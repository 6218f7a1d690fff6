"""make test-real: runs the programs of this folder under the emulator and prints a table. Each is to
find what the CPU finds, and nothing is to be found in it.

python3 run.py [PROGRAM...]; TMAEMU_ASYNC and TMAEMU_THREADS are handed on.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
BUILD = Path("build")
TIME_LIMIT = 300  # seconds: minutes more than any of them takes on a busy machine


def run(name: str) -> bool:
    """Runs one program, prints its line of the table, and says whether it did what it should."""
    program = BUILD / "tests/real" / name
    command = [str(BUILD / "bin/tmaemu"), str(program)]
    if not program.exists():
        print(f"{name:32} FAILED    not built: make -C grader BUILD=../build ../{program}")
        return False
    start = time.monotonic()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIME_LIMIT, check=False)
    except subprocess.TimeoutExpired:
        print(f"{name:32} FAILED    not done after {TIME_LIMIT} s: {shlex.join(command)}", flush=True)
        return False
    seconds = time.monotonic() - start
    is_right = done.returncode == 0 and done.stdout.splitlines()[-1:] == ["ok"]
    good = is_right and ": error: " not in done.stderr
    print(f"{name:32} {'ok' if good else 'FAILED':6} {seconds:6.1f} s", flush=True)
    if not good:
        print("\n".join("    " + line for line in (done.stderr + done.stdout).splitlines()[:12]))
        print(f"    to reproduce: {shlex.join(command)}", flush=True)
    return good


def main(names: list[str]) -> int:
    results = [run(name) for name in names or sorted(source.stem for source in HERE.glob("*.cu"))]
    print(f"{sum(results)} of {len(results)} programs found what the CPU finds, without a finding")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
