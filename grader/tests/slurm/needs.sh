#!/bin/sh
# Says what `make test-slurm` lacks here, before anything else runs.
missing=
for program in munged slurmctld slurmd sbatch; do
    command -v "$program" >/dev/null || missing="$missing $program"
done
if [ -n "$missing" ]; then
    echo "test-slurm: there is no$missing: apt-get install munge slurmctld slurmd slurm-client" >&2
    exit 1
fi
if [ "$(id -u)" -ne 0 ]; then
    echo "test-slurm: slurmd starts tasks for root only as root" >&2
    exit 1
fi
