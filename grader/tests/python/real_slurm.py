"""Slurm itself for tests: munged, slurmctld and slurmd of Debian's packages on this machine alone, as root.

    with RealSlurm.started(folder) as slurm: ...

What it writes lies in `folder`, and its ports are none of Slurm's own. The one node has a GPU as Slurm counts them,
which is /dev/null.
"""

import contextlib
import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

CONFIGURATION = """
ClusterName=course
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=16817
SlurmdPort=16818
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
SlurmUser=root
SlurmdUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0
MpiDefault=none
ReturnToService=2
KillWait=2
MinJobAge=3600
GresTypes=gpu
NodeName=localhost NodeAddr=127.0.0.1 CPUs={cores} Gres=gpu:h100:1
PartitionName=short Nodes=localhost Default=YES
PartitionName=gpu Nodes=localhost
"""


class RealSlurm:
    """One cluster, and what it says of the jobs that were submitted since `forget`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {"SLURM_CONF": str(folder / "slurm.conf")}
        self._earlier: set[int] = set()
        self._coming_back: list[subprocess.Popen[bytes]] = []

    @classmethod
    @contextmanager
    def started(cls, folder: Path) -> Iterator["RealSlurm"]:
        for name in ("state", "spool"):
            (folder / name).mkdir()
        (folder / "slurm.conf").write_text(CONFIGURATION.format(folder=folder, cores=os.cpu_count()))
        (folder / "gres.conf").write_text("Name=gpu Type=h100 File=/dev/null\n")
        (folder / "munge.key").write_bytes(os.urandom(1024))
        (folder / "munge.key").chmod(0o400)
        slurm = cls(folder)
        files = {"key-file": "key", "socket": "socket", "pid-file": "pid", "log-file": "log", "seed-file": "seed"}
        # --force: the folder is a temporary one, which others may write beside.
        slurm._run("munged", "--force", *(f"--{option}={folder}/munge.{end}" for option, end in files.items()))
        try:
            slurm._run("slurmctld")
            slurm._run("slurmd")
            slurm._wait_for_node()
            yield slurm
        finally:
            for controller in slurm._coming_back:
                controller.wait()  # else it would come when its file of the process has been looked for
            for name in ("slurmd", "slurmctld", "munge"):
                slurm._stop(name)

    def forget(self) -> None:
        """Tells from now on of later jobs alone."""
        self._earlier.update(self.jobs)

    @property
    def jobs(self) -> list[int]:
        printed = self._run("squeue", "--noheader", "--states=all", "--format=%F")
        return sorted({*map(int, printed.split())} - self._earlier)

    def states(self, job: int) -> list[str]:
        """Of its tasks, in their order. One that is just being ended is waited for."""
        options = ("--noheader", "--array", "--states=all", f"--jobs={job}", "--format=%K|%T")
        while True:
            rows = [line.split("|") for line in self._run("squeue", *options).splitlines()]
            states = [state for _, state in sorted((int(task), state) for task, state in rows)]
            if "COMPLETING" not in states:
                return states
            time.sleep(0.1)

    def given(self, job: int) -> dict[str, str]:
        """What sbatch was told, by the names of its options."""
        lines = self._run("scontrol", "show", "job", str(job)).splitlines()
        said = dict(line.strip().split("=", 1) for line in lines if "=" in line)
        return {
            "partition": said["Partition"].split()[0],
            "gres": said["TresPerNode"].removeprefix("gres:"),
            "comment": said["Comment"].strip(),
        }

    def leave_for_a_moment(self) -> None:
        """The controller is restarted; meanwhile nobody is answered."""
        self._stop("slurmctld")
        command = ["sh", "-c", "sleep 2; exec slurmctld"]
        self._coming_back.append(subprocess.Popen(command, env={**os.environ, **self.environment}))

    def cancel_all(self) -> None:
        if jobs := self.jobs:
            self._run("scancel", *map(str, jobs))

    def _wait_for_node(self) -> None:
        end = time.monotonic() + 30
        while "idle" not in self._run("sinfo", "--noheader", "--format=%t"):
            if time.monotonic() > end:
                raise AssertionError((self.folder / "slurmctld.log").read_text()[-3000:])
            time.sleep(0.1)

    def _run(self, *command: str) -> str:
        """Again where the controller is not there yet."""
        end = time.monotonic() + 30
        while True:
            ran = subprocess.run(command, env={**os.environ, **self.environment}, capture_output=True, text=True)
            if ran.returncode == 0:
                return ran.stdout
            if time.monotonic() > end:
                raise AssertionError(f"{command}: {ran.stderr}")
            time.sleep(0.1)

    def _stop(self, name: str) -> None:
        file = self.folder / f"{name}.pid"
        if not file.exists():
            return
        process = int(file.read_text())
        with contextlib.suppress(ProcessLookupError):  # it has ended by itself
            os.kill(process, 15)
        end = time.monotonic() + 30
        while Path(f"/proc/{process}").exists() and time.monotonic() < end:
            time.sleep(0.05)
