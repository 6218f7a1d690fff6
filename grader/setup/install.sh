#!/usr/bin/env bash
# Installs the wheels that a lock file names, and none with another hash. Where that fails, stderr says why.
# A lock file with the line `# --no-deps` names all of them, whatever else they ask for.
# Usage: install.sh PYTHON LOCK
# Exit status: 1 where pip could not get the wheels, 2 where one is not what was locked.
set -euo pipefail

log=$(mktemp)
trap 'rm -f "$log"' EXIT
options=(--disable-pip-version-check --require-hashes --only-binary :all:)
if grep -qx '# --no-deps' "$2"; then options+=(--no-deps); fi
"$1" -m pip install "${options[@]}" -r "$2" >"$log" 2>&1 && exit

if ! grep -q 'DO NOT MATCH THE HASHES' "$log"; then
    tail -n 5 "$log" >&2
    exit 1
fi
sed -n '/DO NOT MATCH THE HASHES/,$p' "$log" | sed -n 's/^    //p' >&2
echo "set-up: what pip fetched (above) is not what $2 has locked, so nothing of it was installed." >&2
echo "        Look at the index or the folder that it comes from: somebody may have put another file in its place." >&2
exit 2
