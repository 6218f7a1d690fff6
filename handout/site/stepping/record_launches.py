#!/usr/bin/env python3
"""Compiles the kernels that pages step through, and writes their launches to launches.tar.xz: `make recordings`."""

import argparse
from pathlib import Path

import finding_launches
import kernel_launches
import launch_archive


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nvcc", type=Path, required=True)
    nvcc = parser.parse_args().nvcc.absolute()
    launch_archive.write(kernel_launches.all_launches(nvcc) | finding_launches.all_launches(nvcc))


if __name__ == "__main__":
    main()
