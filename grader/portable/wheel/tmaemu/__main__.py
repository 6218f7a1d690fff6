"""Runs tmaemu, which is beside this file: `python -m tmaemu`, or `tmaemu`."""

import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main() -> None:
    os.environ.setdefault("TMAEMU_PAGES", f"{HERE}/")
    os.execv(HERE / "bin/tmaemu", ["tmaemu", *sys.argv[1:]])


if __name__ == "__main__":
    main()
