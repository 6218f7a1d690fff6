#!/usr/bin/env bash
# Tests this folder without a Docker engine: buildah builds the CPU-only image on a base that debootstrap makes,
# podman runs compose.yaml's service `grade` on the sample class and the solutions, and Gradescope's script; the
# grades must be those that grader/tests/class tells. Half an hour on two cores, 10 GB below WORK.
# Usage, as root: test.sh [LABS]      (comma-separated; default lab2,lab3)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
labs=${1:-lab2,lab3}
work=${WORK:-$PWD/build/docker}

missing=()
for program in debootstrap buildah podman runc catatonit; do
    command -v "$program" >/dev/null || missing+=("$program")
done
if [ ${#missing[@]} -ne 0 ]; then
    echo "test-docker: this needs (by Debian's names): ${missing[*]}" >&2
    exit 1
fi
if [ "$(id -u)" -ne 0 ]; then
    echo "test-docker: debootstrap and buildah's chroot isolation need root" >&2
    exit 1
fi

say() { echo "test-docker: $*"; }

# Images and containers live below $work. The vfs driver (STORAGE_DRIVER=overlay is faster) and the low limits
# work where the usual ones do not: on an overlay, without CAP_SYS_RESOURCE.
mkdir -p "$work/tmp"
export TMPDIR=$work/tmp CONTAINERS_STORAGE_CONF=$work/storage.conf CONTAINERS_CONF=$work/containers.conf
cat >"$CONTAINERS_STORAGE_CONF" <<EOF
[storage]
driver = "${STORAGE_DRIVER:-vfs}"
graphroot = "$work/storage"
runroot = "$work/run"
EOF
cat >"$CONTAINERS_CONF" <<EOF
[containers]
default_ulimits = ["nofile=1024:4096", "nproc=4096:4096"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
EOF

if ! podman image exists localhost/debian:12; then
    say "debian:12 by debootstrap"
    rm -rf "$work/debian"
    debootstrap --variant=minbase bookworm "$work/debian" >"$work/debootstrap.log"
    rm -rf "$work"/debian/var/cache/apt/archives/*.deb "$work"/debian/var/lib/apt/lists/*
    if [ -n "${PIP_CERT:-}" ]; then # a network with a certificate authority of its own
        cp "$PIP_CERT" "$work/debian/etc/pip-cert.pem"
        printf '[global]\ncert = /etc/pip-cert.pem\n' >"$work/debian/etc/pip.conf"
    fi
    tar -C "$work/debian" -c . | podman import -q - localhost/debian:12
    rm -rf "$work/debian"
fi

say "the image (what it prints is in $work/build.log)"
buildah bud --isolation chroot --layers --format docker --build-arg BASE=localhost/debian:12 \
    -f docker/Dockerfile --ignorefile docker/Dockerfile.dockerignore -t tma-labs:cpu . >"$work/build.log" 2>&1 ||
    { tail -n 20 "$work/build.log" >&2; exit 1; }

[ -x "$work/venv/bin/podman-compose" ] || python3 -m venv "$work/venv"
grader/setup/install.sh "$work/venv/bin/python" grader/setup/requirements-docker.txt

rm -rf "$work/submissions" "$work/grades"
mkdir -p "$work/submissions/solutions" "$work/grades"
PYTHONPATH=grader .venv/bin/python -m staff.sample_class
cp -r build/class/* "$work/submissions"
cp -r solutions/lab* "$work/submissions/solutions"
chown 1000:1000 "$work/grades"

compose() {
    (cd docker && SUBMISSIONS=$work/submissions GRADES=$work/grades \
        "$work/venv/bin/podman-compose" --in-pod false --profile cpu run --rm -T "$@")
}

say "the container: an ordinary user, who can write /grades and /tmp and reach nobody"
# shellcheck disable=SC2016 # expanded in the container
compose --entrypoint /bin/bash grade -ec '
    [ "$(id -u)" = 1000 ]
    for folder in /opt/tma-labs /submissions /home/grader /etc; do
        if touch "$folder/written" 2>/dev/null; then echo "$folder can be written"; exit 1; fi
    done
    for folder in /grades /tmp; do touch "$folder/written"; rm "$folder/written"; done
    [ "$(ls /sys/class/net)" = lo ]'

say "compose.yaml grades $labs"
compose grade --labs "$labs"
GRADES_JSON=$work/grades/grades.json PYTHONPATH=grader .venv/bin/python -m pytest -q \
    grader/tests/python/test_sample_class.py -k "${labs//,/ or }"

say "gradescope/run_autograder grades lab2's solution"
autograder=$work/autograder
rm -rf "$autograder"
mkdir -p "$autograder/source" "$autograder/results"
cp docker/gradescope/run_autograder "$autograder"
cp -r solutions/lab2-split-barrier "$autograder/submission"
echo lab2-split-barrier >"$autograder/source/lab"
ln -s /opt/tma-labs/.venv "$autograder/source/.venv"
podman run --rm --user 0 --network none -v "$autograder:/autograder" --workdir /autograder \
    --security-opt seccomp=docker/seccomp.json --security-opt systempaths=unconfined \
    --entrypoint /autograder/run_autograder tma-labs:cpu
python3 -c 'import json, sys; assert json.load(open(sys.argv[1]))["score"] == 100' "$autograder/results/results.json"

say "all is as it should be; what it took is in $work, which can be removed"
