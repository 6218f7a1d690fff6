#!/usr/bin/env python3
"""Draws the handout's pictures: `python3 handout/pictures/draw.py`, or with --check only says which are out of date."""

import argparse
import sys
from pathlib import Path

import any_shape
import bytes_in_flight
import copy_bandwidth
import core_matrices
import fused_norm
import groups
import matrix
import multicast
import one_tile
import overhang
import phases
import ping_pong
import planes
import proxies
import ring
import stepping_page
import swizzle
import three_jobs
import tiles
import timelines

HERE = Path(__file__).resolve().parent
PICTURES = {
    "lab0-bytes-in-flight.svg": bytes_in_flight.draw,
    "lab1-groups.svg": groups.draw,
    "lab2-ping-pong.svg": ping_pong.draw,
    "lab3-one-tile.svg": one_tile.draw,
    "lab3-ring.svg": ring.draw,
    "lab3-timelines.svg": timelines.draw_lab3,
    "lab4-matrix.svg": tiles.draw_matrix,
    "lab4-memory.svg": tiles.draw_memory,
    "lab10-rows.svg": fused_norm.draw,
    "lab5-overhang.svg": overhang.draw,
    "lab5-planes.svg": planes.draw,
    "lab6-copy-bandwidth.svg": copy_bandwidth.draw,
    "lab7-three-jobs.svg": three_jobs.draw,
    "lab7-timelines.svg": timelines.draw_lab7,
    "lab8-any-shape.svg": any_shape.draw,
    "lab8-banks.svg": swizzle.draw_banks,
    "lab8-swizzle.svg": swizzle.draw_patterns,
    "lab8-timelines.svg": timelines.draw_lab8,
    "lab9-multicast.svg": multicast.draw,
    "lab12-core-matrices.svg": core_matrices.draw,
    "lab12-descriptors.svg": matrix.draw_descriptors,
    "lab12-fragments.svg": matrix.draw_fragments,
    "lab12-timelines.svg": timelines.draw_lab12,
    "mbarrier-phases.svg": phases.draw,
    "proxies.svg": proxies.draw,
    "stepping-page.svg": stepping_page.draw,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; fail where a picture is out of date")
    check = parser.parse_args().check
    status = 0
    for name, draw in PICTURES.items():
        path, picture = HERE / name, draw()
        if path.exists() and path.read_text(encoding="utf-8") == picture:
            continue
        if check:
            print(f"{name} is out of date: run python3 handout/pictures/draw.py", file=sys.stderr)
            status = 1
        else:
            path.write_text(picture, encoding="utf-8")
            print(f"{name} drawn")
    return status


if __name__ == "__main__":
    sys.exit(main())
