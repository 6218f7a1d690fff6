#!/usr/bin/env bash
# Writes the zip file that Gradescope asks for when a lab's autograder is configured: the repository's last commit
# without the solutions and the tests, which have many a right answer, with setup.sh and run_autograder in front.
# Usage: pack.sh LAB OUT.zip      (pack.sh lab3-bulk-copy autograder.zip)
set -euo pipefail
lab=$1
out=$(realpath "$2")
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
cd "$here/../.."
[ -e "labs/$lab/lab.toml" ] || { echo "pack.sh: no lab $lab; there are:" labs/lab*/ >&2; exit 1; }

named=$(mktemp -d)
trap 'rm -rf "$named"' EXIT
echo "$lab" >"$named/lab"
git archive --format=zip -o "$out" --add-file="$here/setup.sh" --add-file="$here/run_autograder" \
    --add-file="$named/lab" HEAD Makefile labs grader handout/findings ':!grader/tests'
echo "pack.sh: $out grades $lab"
