"""Says what this machine has, what it lacks, and what to do about that."""

import os
import platform
import subprocess
import sys
import time
from dataclasses import dataclass

from tmagrade.basics.errors import GraderFault
from tmagrade.basics.paths import Repository
from tmagrade.building.builder import Builder
from tmagrade.building.sandbox import problem, sandbox_if_any
from tmagrade.grading.canary import KNOWN, Canary
from tmagrade.judging.judge import Judge
from tmagrade.machine.backend import emulator_engines, gpu_engines, hopper_gpus, list_gpus
from tmagrade.machine.limits import lacking_limits, raise_limits
from tmagrade.machine.processes import Processes
from tmagrade.machine.scratch import scratch_folder
from tmagrade.machine.toolkit import find_toolkit

PAGE_BYTES = 4096  # emulator/memory/host_pages.h


@dataclass(frozen=True)
class Finding:
    what: str
    fine: bool
    detail: str
    remedy: str = ""


def examine(repository: Repository) -> list[Finding]:
    found = [
        _python(),
        _compiler(),
        _toolkit(repository),
        _gpu(),
        _processor(),
        _pages(),
        _header("GoogleTest", "gtest/gtest.h", "libgtest-dev"),
        _header("zstd", "zstd.h", "libzstd-dev"),
        _header("lz4", "lz4.h", "liblz4-dev"),
        _header("JSON for C++", "nlohmann/json.hpp", "nlohmann-json3-dev"),
        _sandbox(repository),
        _built(repository),
        *_limits(),
    ]
    return [*found, _grading(repository, [finding.what for finding in found if not finding.fine])]


def _apt(package: str) -> str:
    return f"sudo apt-get install -y {package}"


def _output(*command: str) -> str | None:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=20).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return None


def _python() -> Finding:
    fine = sys.version_info >= (3, 11)
    return Finding("Python", fine, f"{platform.python_version()}, {sys.executable}", "install Python 3.11 or later")


def _compiler() -> Finding:
    version = _output("g++", "-dumpfullversion")
    fine = version is not None and int(version.split(".")[0]) >= 12
    return Finding("g++", fine, version or "not found", f"g++ 12 or later is needed: {_apt('g++')}")


def _toolkit(repository: Repository) -> Finding:
    try:
        toolkit = find_toolkit(repository)
        return Finding("CUDA toolkit", True, f"{toolkit.version}, {os.path.realpath(toolkit.home)}")
    except GraderFault as fault:
        return Finding("CUDA toolkit", False, str(fault), "make setup CUDA=wheels installs NVIDIA's wheels into .venv")


def _gpu() -> Finding:
    names = ", ".join(f"{gpu.name} (sm_{gpu.compute_capability.replace('.', '')})" for gpu in list_gpus())
    if hopper_gpus():
        return Finding("GPU", True, f"{names}: submissions run on it, and bandwidth is measured")
    return Finding("GPU", True, f"{names or 'none'}; no sm_90: submissions run on the emulator, bandwidth is pending")


def _processor() -> Finding:
    """The emulator is built for x86-64-v3 and for every aarch64."""
    machine = platform.machine()
    detail = f"{machine}, {len(os.sched_getaffinity(0))} cores"
    remedy = "the emulator needs an x86-64 processor with AVX2 and FMA, or an aarch64 one"
    if machine != "x86_64":
        return Finding("processor", machine == "aarch64", detail, remedy)
    try:
        with open("/proc/cpuinfo") as file:
            flags = next((line.split() for line in file if line.startswith("flags")), [])
    except OSError:
        flags = []
    lacking = [flag for flag in ("avx2", "fma", "bmi2") if flag not in flags]
    detail += f", without {', '.join(lacking)}" if lacking else ", x86-64-v3"
    return Finding("processor", not lacking, detail, remedy)


def _pages() -> Finding:
    """Kernels for aarch64 are built with pages of 4, 16 or 64 KiB."""
    size = os.sysconf("SC_PAGE_SIZE")
    remedy = (
        f"the emulator needs a Linux kernel with pages of {PAGE_BYTES} bytes, as Docker and most distributions have"
    )
    return Finding("pages", size == PAGE_BYTES, f"{size} bytes", remedy)


def _header(what: str, header: str, package: str) -> Finding:
    compile_it = ["g++", "-std=c++20", "-E", "-x", "c++", "-", "-o", os.devnull]
    try:
        found = (
            subprocess.run(compile_it, input=f"#include <{header}>\n", text=True, capture_output=True).returncode == 0
        )
    except OSError:
        found = False
    return Finding(what, found, f"<{header}>" if found else f"no <{header}>", _apt(package))


def _sandbox(repository: Repository) -> Finding:
    if (lacking := problem(repository)) is not None:
        return Finding("sandbox", False, *lacking)
    return Finding("sandbox", True, f"{_output('bwrap', '--version')}: students' code sees only what it needs")


def _built(repository: Repository) -> Finding:
    wanted = [repository.judge(KNOWN.id), repository.runner, repository.emulator_libraries / "libcuda.so.1"]
    missing = [path.name for path in wanted if not path.exists()]
    return Finding("grader", not missing, f"not built: {', '.join(missing)}" if missing else "built", "make build")


def _limits() -> list[Finding]:
    raise_limits()
    lacking = [Finding("limits", False, lack.what, lack.remedy) for lack in lacking_limits()]
    return lacking or [Finding("limits", True, "memory, files, processes: as much as grading needs")]


def _grading(repository: Repository, lacking: list[str]) -> Finding:
    """Builds and judges a program that is known to be right: what no look at single things finds, this does."""
    if lacking:
        return Finding("a known program", False, "not tried", f"first what is lacking above: {', '.join(lacking)}")
    began = time.monotonic()
    processes = Processes()
    try:
        toolkit = find_toolkit(repository)
        sandbox = sandbox_if_any(repository, toolkit)
        judge = Judge(repository, toolkit, processes, sandbox)
        engines = [*emulator_engines(0)[:1], *gpu_engines(hopper_gpus())]
        canary = Canary(repository, Builder(repository, toolkit, processes, sandbox), judge, engines, digest="")
        repository.work.mkdir(parents=True, exist_ok=True)
        with scratch_folder(repository.work) as folder:
            canary.probe(folder)
    except (GraderFault, OSError) as error:
        return Finding("a known program", False, str(error), "the last lines are what the failing program said")
    finally:
        processes.close()
    return Finding("a known program", True, f"built and judged in {time.monotonic() - began:.1f} s")
