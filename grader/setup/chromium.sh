#!/usr/bin/env bash
# Finds a Chromium for the tests of the site, or gets one, and prints its path: CHROMIUM, one on PATH, Playwright's
# own (downloaded to .venv/browsers), or the distribution's.
# Usage: chromium.sh REPOSITORY
set -euo pipefail
cd "$1"
export PLAYWRIGHT_BROWSERS_PATH=$PWD/.venv/browsers

installed() {
    local name
    for name in "${CHROMIUM:-}" chromium google-chrome chrome; do
        [ -n "$name" ] && command -v "$name" && return
    done
    # Playwright's name for what it downloads has its version in it.
    find .venv/browsers -type f \( -name headless_shell -o -name chrome-headless-shell \) -perm -u+x 2>/dev/null | grep .
}
works() { "$1" --headless --no-sandbox --dump-dom about:blank >/dev/null 2>&1; }
use() { browser=$(installed | head -n 1) && works "$browser" && echo "$browser"; }

use && exit

echo "set-up: a Chromium for the site's tests" >&2
as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo -n)
log=$(mktemp)
trap 'rm -f "$log"' EXIT
.venv/site/bin/python -m playwright install --with-deps --only-shell chromium >"$log" 2>&1 || true
use && exit
export DEBIAN_FRONTEND=noninteractive
{ "${as_root[@]}" apt-get update && "${as_root[@]}" apt-get install -y --no-install-recommends chromium; } \
    >>"$log" 2>&1 || true
use && exit

tail -n 5 "$log" >&2
echo "set-up: no Chromium here, and none could be fetched (the last lines are above). Install one, or name one:" >&2
echo "        CHROMIUM=/path/to/chromium" >&2
exit 1
