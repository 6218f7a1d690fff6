#!/usr/bin/env bash
# Runs a compiler, and ends it if it has hung. A machine that is slow, or busy with something else, is no reason to make
# the book without what its pages run, so the limit is an hour for one file. build.sh looks for what this says.
# Usage: limited.sh COMMAND...; BROWSER_SECONDS=number for another limit
seconds=${BROWSER_SECONDS:-3600}
status=0
timeout "$seconds" "$@" || status=$?
[ "$status" -ne 124 ] || echo "a compiler was ended after $seconds s, its limit (BROWSER_SECONDS sets another)" >&2
exit "$status"
