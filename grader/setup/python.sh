#!/usr/bin/env bash
# Makes .venv: the locked packages of requirements.txt, and bin/tmagrade. Where nothing can be fetched, the
# packages of the python3 at hand serve if they suffice.
# Usage: python.sh REPOSITORY
set -euo pipefail
cd "$1"

here=grader/setup
new_enough='import sys; sys.exit(sys.version_info < (3, 11))'
if ! python3 -c "$new_enough" 2>/dev/null; then
    echo "set-up: Python 3.11 or later is needed; python3 here is $(python3 --version 2>&1 || true)." >&2
    exit 1
fi

# A release may hold the packages, for the versions of Python that it names; nothing is fetched then.
version=$(python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')
if grep -qxF "$version" prebuilt/pythons 2>/dev/null; then
    echo "set-up: Python environment in .venv, with the packages of this release"
    [ -x .venv/bin/python ] || python3 -m venv --without-pip .venv
    packages=prebuilt/python
else
    echo "set-up: Python environment in .venv"
    [ -x .venv/bin/python ] || python3 -m venv .venv
    packages=
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
[ -n "$packages" ] || "$here/install.sh" .venv/bin/python "$here/requirements.txt" 2>"$log" || status=$?
if [ "$status" -eq 2 ]; then
    cat "$log" >&2
    exit 1
elif [ "$status" -ne 0 ]; then
    if python3 -c 'import typer, rich, pydantic, jinja2, yaml, pytest' 2>/dev/null; then
        echo "set-up: pip could fetch nothing; using the packages of $(command -v python3) instead of the locked ones"
        python3 -c 'import sys; print(*(p for p in sys.path if p.endswith("-packages")), sep="\n")' \
            >"$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/parent-packages.pth"
    else
        cat "$log" >&2
        echo "set-up: pip could not fetch the packages of $here/requirements.txt (its last lines are above), and" >&2
        echo "        python3 here does not have typer, rich, pydantic, jinja2, yaml and pytest either. Connect to a" >&2
        echo "        network, or point PIP_INDEX_URL or PIP_FIND_LINKS to a mirror, and run make again." >&2
        exit 1
    fi
fi

# The package runs from where it stands, so a change to it needs no installation.
site=$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
# By a path from that folder, so that a repository which was moved or copied runs its own.
realpath --relative-to="$site" grader $packages >"$site/tmagrade.pth"
# -I: started in a student's folder, Python must not take that one's typer.py. UTF-8, whatever the locale: names are.
cat >.venv/bin/tmagrade <<'EOF'
#!/bin/sh
exec "$(dirname "$(readlink -f "$0")")/python" -I -X utf8 -m tmagrade "$@"
EOF
chmod +x .venv/bin/tmagrade
