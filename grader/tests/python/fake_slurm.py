"""sbatch, squeue and scancel for tests: as much of them, and with the same words, as the grader uses.

    fake_slurm.py FOLDER sbatch|squeue|scancel ARGUMENTS...

The tasks of an array run one after another in a background process, which notes their states in FOLDER. Seen on
Slurm 22.05: `squeue --jobs` of a job that has ended some minutes ago fails with "Invalid job id specified".
"""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path


def options(arguments: list[str]) -> dict[str, str]:
    pairs = (word.removeprefix("--").partition("=") for word in arguments if word.startswith("--"))
    return {name: value for name, _, value in pairs}


def sbatch(folder: Path, arguments: list[str]) -> int:
    given = options(arguments)
    if given.get("partition") == "nope":
        print("sbatch: error: invalid partition specified: nope", file=sys.stderr)
        return 1
    number = 1 + len(list(folder.glob("job-*")))
    job = folder / f"job-{number}"
    job.mkdir()
    (job / "given.json").write_text(json.dumps(given))
    for task in range(int(given["array"].split("-")[1]) + 1):
        (job / f"{task}.state").write_text("PENDING")
    command = [sys.executable, __file__, str(folder), "run", str(job), arguments[-1]]
    null = subprocess.DEVNULL
    runs = subprocess.Popen(command, stdin=null, stdout=null, stderr=null, start_new_session=True)
    (job / "pid").write_text(str(runs.pid))
    print(number)
    return 0


def run(job: Path, script: str) -> int:
    """The background process: all of one array's tasks."""
    given = json.loads((job / "given.json").read_text())
    for task in range(int(given["array"].split("-")[1]) + 1):
        state = job / f"{task}.state"
        if state.read_text() != "PENDING":
            continue
        state.write_text("RUNNING")
        with open(given["output"].replace("%a", str(task)), "w") as output:
            environment = dict(os.environ, SLURM_ARRAY_TASK_ID=str(task), SLURM_CPUS_ON_NODE="1")
            status = subprocess.run(["/bin/sh", script], env=environment, stdout=output, stderr=output).returncode
        state.write_text("COMPLETED" if status == 0 else "FAILED")
    return 0


def squeue(folder: Path, arguments: list[str]) -> int:
    given = options(arguments)
    if (folder / "away").exists():
        (folder / "away").unlink()
        print("slurm_load_jobs error: Unable to contact slurm controller (connect failure)", file=sys.stderr)
        return 1
    jobs = [folder / f"job-{given['jobs']}"] if "jobs" in given else sorted(folder.glob("job-*"))
    if "jobs" in given and (not jobs[0].exists() or (folder / "forgetful").exists()):
        print("slurm_load_jobs error: Invalid job id specified", file=sys.stderr)
        return 1
    for job in jobs:
        if given.get("name") not in (None, json.loads((job / "given.json").read_text())["job-name"]):
            continue
        for state in job.glob("*.state"):
            if "all" in given.get("states", "") or state.read_text() in ("PENDING", "RUNNING"):
                row = given["format"].replace("%F", job.name.split("-")[1]).replace("%K", state.stem)
                print(row.replace("%T", state.read_text()))
    return 0


def scancel(folder: Path, arguments: list[str]) -> int:
    for number in arguments:
        job = folder / f"job-{number}"
        os.killpg(int((job / "pid").read_text()), signal.SIGKILL)
        for state in job.glob("*.state"):
            if state.read_text() in ("PENDING", "RUNNING"):
                state.write_text("CANCELLED")
    return 0


def main() -> int:
    folder, program, *arguments = sys.argv[1:]
    if program == "run":
        return run(Path(arguments[0]), arguments[1])
    return {"sbatch": sbatch, "squeue": squeue, "scancel": scancel}[program](Path(folder), arguments)


if __name__ == "__main__":
    sys.exit(main())
