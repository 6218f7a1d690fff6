#!/usr/bin/env bash
# Makes .venv/site, a Python environment of its own, with what builds the handout's site, its explorer, or its tests.
# Usage: site.sh REPOSITORY requirements-site.txt|requirements-explorer.txt|requirements-site-test.txt
set -euo pipefail
cd "$1"
requirements=grader/setup/$2

if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    echo "set-up: Python 3.11 or later is needed; python3 here is $(python3 --version 2>&1 || true)." >&2
    exit 1
fi
# Debian's python3 comes without what makes environments.
python3 -c 'import ensurepip, venv' 2>/dev/null || grader/setup/packages.sh

echo "set-up: packages of $requirements in .venv/site"
[ -x .venv/site/bin/python ] || python3 -m venv .venv/site

status=0
grader/setup/install.sh .venv/site/bin/python "$requirements" || status=$?
if [ "$status" -eq 1 ]; then
    echo "set-up: pip could not fetch the packages of $requirements (its last lines are above). Connect to a network," >&2
    echo "        or point PIP_INDEX_URL or PIP_FIND_LINKS to a mirror, and try again. The handout's pages can also be" >&2
    echo "        read as they are: they are Markdown." >&2
fi
exit "$status"
