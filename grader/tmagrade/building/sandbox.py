"""Where a student's code is compiled and run: in a bubblewrap sandbox that shows it only what that needs.

Inside, /submission is the student's stage, and /grader mirrors those of the repository's files that are needed.
Everything is read-only but the library's file while it is built, a small /tmp, and the memory shared with the judge.
"""

import os
import platform
import re
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Protocol

from tmagrade.basics.errors import UsageError
from tmagrade.basics.paths import Repository
from tmagrade.building.nvcc import library_command, plan_command
from tmagrade.course.labs import Lab
from tmagrade.machine.backend import Engine, inherited_settings
from tmagrade.machine.toolkit import Toolkit

STAGE = Path("/submission")
INSIDE = Repository(Path("/grader"))

LIBRARY = "submission.so"
# Beside it, what it was compiled from (contract/protocol/protocol.h).
SOURCES = "source"
# What nvcc's commands hand to one another.
BETWEEN = "between"

SHELL = ["/bin/sh", "-c"]
SEARCH_PATH = "/usr/local/bin:/usr/bin:/bin"

# The names of the memory that judge and runner share on the emulator (emulator/memory/global_memory.cpp).
MEMORY_VARIABLE = "TMAEMU_SHARED_MEMORY"

OLDEST = (0, 5)  # --clearenv
OLDEST_WITH_SIZE = (0, 7)  # --size
TMP_BYTES = 1 << 30

# Far above what the solutions take, far below what would disturb the machine. The wall time is bounded by the caller.
COMPILER_LIMITS = [
    "prlimit",
    *["--as=8589934592", "--fsize=268435456", "--cpu=180", "--nofile=1024", "--core=0"],
    "--",
]

# What a submission is compiled with besides the labs' headers, of grader and of the lab's checks, whose other files
# know the answers.
ENTRY_FILES = (
    "contract/protocol/submission_entry.h",
    *(f"runner/{name}" for name in ("part_calls.h", "bind_parts.h", "submission.map")),
)
HELD_BACK_ENTRY = "grader_entry.h"  # of labs with templates, and in no release
LAB_ENTRY_FILES = ("entry.cu", "parts.def", HELD_BACK_ENTRY)

# What ldconfig calls a library of a machine.
LIBRARIES_OF = {"x86_64": "x86-64", "aarch64": "AArch64"}

SYMBOLS = ["nm", "--dynamic", "--undefined-only", LIBRARY]

WITHOUT = "without a sandbox, students' code can read and write what you can: --no-sandbox (make grade SANDBOX=none)"
INSTALL = "sudo apt-get install -y bubblewrap"
ALLOW = (
    "In a container, start it with --security-opt seccomp=unconfined --security-opt apparmor=unconfined"
    " --security-opt systempaths=unconfined. On Ubuntu 24.04 and later:"
    " sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"
)


class Sandbox(Protocol):
    """How the untrusted programs are started."""

    @property
    def name(self) -> str: ...

    def compiler(self, lab: Lab, work: Path) -> list[str]:
        """Writes submission.so, which is there and empty, in the folder `work`, where it is started."""
        ...

    def plan(self, lab: Lab, work: Path) -> list[str]:
        """Says which commands the compiler would start, with their files in the folder between()."""
        ...

    @property
    def search_path(self) -> str | None:
        """The PATH in there; None: this program's."""
        ...

    def between(self, work: Path) -> Path:
        """Where those commands leave what they hand to one another, as they see it. It goes with the sandbox or with
        the folder that `work` is in."""
        ...

    def shell(self, lab: Lab, work: Path, script: str) -> list[str]:
        """Does what the script says, where and under what limits the compiler runs."""
        ...

    def symbols(self, lab: Lab, work: Path) -> list[str]:
        """Lists what submission.so leaves to other libraries."""
        ...

    def runner(self, engine: Engine, library: Path, memory: Path) -> list[str]:
        """A runner that holds `library` and shares memory with the judge through the folder `memory`."""
        ...


@dataclass(frozen=True)
class NoSandbox:
    """Students on their own machines, and instructors who chose it."""

    repository: Repository
    toolkit: Toolkit
    name: str = "none"
    search_path: str | None = None

    def compiler(self, lab: Lab, work: Path) -> list[str]:
        # Resolved, since the command names the course's files from there: a link is not left by the way it was entered.
        return COMPILER_LIMITS + library_command(self.toolkit, self.repository, lab, work.resolve())

    def plan(self, lab: Lab, work: Path) -> list[str]:
        work = work.resolve()
        return COMPILER_LIMITS + plan_command(self.toolkit, self.repository, lab, work, self.between(work))

    def between(self, work: Path) -> Path:
        return work.resolve().parent / BETWEEN

    def shell(self, lab: Lab, work: Path, script: str) -> list[str]:
        return [*COMPILER_LIMITS, *SHELL, script]

    def symbols(self, lab: Lab, work: Path) -> list[str]:
        return COMPILER_LIMITS + SYMBOLS

    def runner(self, engine: Engine, library: Path, memory: Path) -> list[str]:
        return [str(self.repository.runner), str(library)]


@dataclass(frozen=True)
class Bubblewrap:
    repository: Repository
    toolkit: Toolkit
    name: str = "bubblewrap"
    search_path: str | None = SEARCH_PATH

    def compiler(self, lab: Lab, work: Path) -> list[str]:
        return self._in_stage(lab, work) + library_command(self.toolkit_inside, INSIDE, lab, STAGE)

    def plan(self, lab: Lab, work: Path) -> list[str]:
        return self._in_stage(lab, work) + plan_command(self.toolkit_inside, INSIDE, lab, STAGE, self.between(work))

    def between(self, work: Path) -> Path:
        return Path("/tmp") / BETWEEN

    def shell(self, lab: Lab, work: Path, script: str) -> list[str]:
        return [*self._in_stage(lab, work), *SHELL, script]

    def symbols(self, lab: Lab, work: Path) -> list[str]:
        return self._in_stage(lab, work) + SYMBOLS

    def _in_stage(self, lab: Lab, work: Path) -> list[str]:
        shown = [
            *self._shown(self.toolkit_inside.home),
            *self._mirrored(self.repository.labs / "common"),
            *(word for file in entry_files(self.repository, lab) for word in self._mirrored(file)),
            *["--ro-bind", str(work), str(STAGE), "--chdir", str(STAGE)],
            # All that is left on the disk, and of a size that is limited.
            *["--bind", str(work / LIBRARY), str(STAGE / LIBRARY)],
        ]
        return COMPILER_LIMITS + bubblewrap(self.repository, shown, {})

    def runner(self, engine: Engine, library: Path, memory: Path) -> list[str]:
        shown = [
            *self._mirrored(self.repository.runner),
            *["--ro-bind", str(library.parent), str(STAGE), "--chdir", str(STAGE)],
        ]
        variables = inherited_settings() | engine.variables(INSIDE, self.toolkit_inside)
        if engine.gpu is None:
            shown += self._mirrored(self.repository.emulator_libraries)
            shown += ["--bind", str(memory), str(memory)]
            variables[MEMORY_VARIABLE] = str(memory)
        else:
            driver = driver_folder()
            shown += [*self._shown(self.toolkit_inside.home), *self._shown(driver), *_gpu_devices()]
            variables["LD_LIBRARY_PATH"] += f":{driver}"
        inside = [str(INSIDE.runner), str(STAGE / library.name)]
        return bubblewrap(self.repository, shown, variables) + inside

    @property
    def toolkit_inside(self) -> Toolkit:
        """Links such as .venv/cuda are not there."""
        return Toolkit(Path(os.path.realpath(self.toolkit.home)))

    def _shown(self, path: Path) -> list[str]:
        """All of /usr is there already, save what is hidden."""
        there = path.is_relative_to("/usr") and not any(path.is_relative_to(place) for place in hidden(self.repository))
        return [] if there else ["--ro-bind", str(path), str(path)]

    def _mirrored(self, path: Path) -> list[str]:
        return ["--ro-bind", str(path), str(INSIDE.root / path.relative_to(self.repository.root))]


def bubblewrap(repository: Repository, shown: list[str], variables: dict[str, str]) -> list[str]:
    """The words before the command of every sandbox; what is `shown` comes on top of the system's read-only files."""
    size = ["--size", str(TMP_BYTES)] if _version() >= OLDEST_WITH_SIZE else []
    environment = {"PATH": SEARCH_PATH, "HOME": "/tmp", "LANG": "C.UTF-8"} | variables
    places = [str(place) for place in hidden(repository)]
    # File systems in memory, which would take files of any size.
    boundless = [*places, "/dev", "/"]
    return [
        # Also bwrap itself is process 1 in there, with an environment that /proc shows.
        *["/usr/bin/env", "-i"],
        *[shutil.which("bwrap") or "bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"],
        *["--clearenv", *(word for item in environment.items() for word in ("--setenv", *item))],
        *_system(),
        *(word for path in places for word in ("--tmpfs", path)),
        # The superuser may write to some of /proc/sys even without a capability.
        *["--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys"],
        *["--dev", "/dev", *size, "--tmpfs", "/tmp"],
        *shown,
        *(word for path in boundless for word in ("--remount-ro", path)),
        "--",
    ]


def _system() -> list[str]:
    words = ["--ro-bind", "/usr", "/usr"]
    for path in ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"):
        if Path(path).is_symlink():  # into /usr, on most distributions
            words += ["--symlink", str(Path(path).readlink()), path]
        else:
            words += ["--ro-bind-try", path, path]
    for path in ("/etc/ld.so.cache", "/etc/alternatives"):
        words += ["--ro-bind-try", path, path]
    return words


def hidden(repository: Repository) -> list[Path]:
    """What is the user's below /usr, where some clusters have the homes (/usr/users), and where links may lead."""
    home = Path(os.environ.get("HOME", "/")).resolve()
    places = [repository.root.resolve(), repository.state.resolve()]
    # The home of who owns no files is /usr/sbin or the like.
    places += [home] if len(home.parts) > 3 and home.is_dir() else []
    below = {place for place in places if place.is_relative_to("/usr")}
    return sorted(place for place in below if not any(parent in below for parent in place.parents))


def entry_files(repository: Repository, lab: Lab) -> list[Path]:
    checks = repository.grader / "checks" / lab.id
    of_lab = [checks / name for name in LAB_ENTRY_FILES if name != HELD_BACK_ENTRY or (checks / name).exists()]
    return [*of_lab, *(repository.grader / name for name in ENTRY_FILES)]


def _gpu_devices() -> list[str]:
    devices = [str(path) for path in sorted(Path("/dev").glob("nvidia*"))]
    return [word for path in devices for word in ("--dev-bind", path, path)] + ["--ro-bind", "/sys", "/sys"]


@cache
def driver_folder() -> Path:
    """Where the driver's libcuda.so.1 is: containers name its folder in LD_LIBRARY_PATH, others in ld.so.cache."""
    places = [Path(place) for place in os.environ.get("LD_LIBRARY_PATH", "").split(":") if place]
    kind = LIBRARIES_OF.get(platform.machine(), "")
    known = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True).stdout
    places += [Path(path).parent for path in re.findall(rf"libcuda\.so\.1 \(.*{kind}.*\) => (.*)", known)]
    for place in places:
        if (place / "libcuda.so.1").exists():
            return place
    raise UsageError("the driver's libcuda.so.1 is neither in LD_LIBRARY_PATH nor known to ldconfig")


@cache
def _version() -> tuple[int, ...]:
    answer = subprocess.run(["bwrap", "--version"], capture_output=True, text=True).stdout
    return tuple(int(number) for number in re.findall(r"\d+", answer))


def problem(repository: Repository) -> tuple[str, str] | None:
    """Why this machine has no sandbox, and what to do about it; nothing where one can be made."""
    if shutil.which("bwrap") is None:
        return "there is no bubblewrap here", INSTALL
    if _version() < OLDEST:
        return f"bubblewrap is older than {'.'.join(map(str, OLDEST))}", INSTALL
    probe = subprocess.run([*bubblewrap(repository, [], {}), "true"], capture_output=True, text=True)
    if probe.returncode != 0:
        return f"bubblewrap may make no namespaces here ({probe.stderr.strip()})", ALLOW
    return None


def demand_sandbox(repository: Repository, toolkit: Toolkit) -> Sandbox:
    """For the code of others."""
    if (lacking := problem(repository)) is not None:
        raise UsageError(f"no sandbox: {lacking[0]}. {lacking[1]}\n  {WITHOUT}")
    return Bubblewrap(repository, toolkit)


def sandbox_if_any(repository: Repository, toolkit: Toolkit) -> Sandbox:
    """For one's own code."""
    if problem(repository) is None:
        return Bubblewrap(repository, toolkit)
    return NoSandbox(repository, toolkit)
