#!/usr/bin/env bash
# Gradescope runs this once, as root, when it builds the autograder's image: sets up and builds the grader.
set -euo pipefail
cd /autograder/source
apt-get update
apt-get install -y --no-install-recommends make
make build
id grader >/dev/null 2>&1 || useradd --system grader
rm -rf build/obj /var/lib/apt/lists/*
