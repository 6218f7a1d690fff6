"""What tmaemu says when it cannot run a program: one line, the reason, and what to do about it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from compile_once import compile_once

from tmagrade.basics.paths import Repository
from tmagrade.machine.toolkit import find_toolkit

REPOSITORY = Repository(Path(__file__).parents[3])
BUILD = REPOSITORY.root / "build"
TMAEMU = BUILD / "bin/tmaemu"

SOURCE = """
#include <cstdio>
__global__ void nothing() {}
int main() {
  nothing<<<1, 1>>>();
  std::puts(cudaGetErrorName(cudaGetLastError()));
  return 0;
}
"""
PTX_AND_MACHINE_CODE = "arch=compute_90a,code=[sm_90a,compute_90a]"
MACHINE_CODE_ONLY = "arch=compute_90a,code=sm_90a"

Run = Callable[..., subprocess.CompletedProcess[str]]
Compile = Callable[..., Path]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    def start(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [TMAEMU, *arguments],
            cwd=tmp_path,
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    return start


@pytest.fixture
def compile_program(tmp_path: Path) -> Compile:
    """Builds a source with the toolkit's nvcc."""

    def build(
        *options: str | Path,
        runtime: str = "shared",
        architecture: str = PTX_AND_MACHINE_CODE,
        text: str = SOURCE,
        name: str = "program",
    ) -> Path:
        return compile_once(text, tmp_path / name, "-cudart", runtime, "-gencode", architecture, *options)

    return build


def refusal(run: subprocess.CompletedProcess[str], status: int) -> str:
    """The message of a run that was refused with this status."""
    assert run.returncode == status, run.stdout + run.stderr
    assert run.stdout == ""
    lines = run.stderr.splitlines()
    assert len(lines) == 1 and lines[0].startswith("tmaemu: "), run.stderr
    return lines[0].removeprefix("tmaemu: ")


def test_a_program_that_is_not_there_is_named(run: Run) -> None:
    assert refusal(run("./lab3"), 127) == "there is no program './lab3'"


def test_a_name_without_a_slash_is_looked_up_in_path(run: Run) -> None:
    assert refusal(run("no-such-lab"), 127) == "there is no program 'no-such-lab' in PATH"


def test_a_file_of_that_name_in_the_current_folder_is_suggested(run: Run, tmp_path: Path) -> None:
    (tmp_path / "lab3-program").touch()
    assert refusal(run("lab3-program"), 127).endswith("; did you mean './lab3-program'?")


def test_a_folder_is_called_a_folder(run: Run, tmp_path: Path) -> None:
    assert refusal(run(tmp_path), 126) == f"'{tmp_path}' is a folder"


def test_a_source_file_is_not_executable(run: Run, tmp_path: Path) -> None:
    (tmp_path / "lab3.cu").write_text(SOURCE)
    message = refusal(run("./lab3.cu"), 126)
    assert message.startswith("'./lab3.cu' is not executable")
    assert "nvcc has yet to compile" in message


@pytest.mark.parametrize("kept", (10, 64, 4000, 12000, -1))
def test_an_executable_that_is_cut_short_is_said_in_words(
    run: Run, compile_program: Compile, tmp_path: Path, kept: int
) -> None:
    whole = compile_program().read_bytes()
    part = tmp_path / "part"
    part.write_bytes(whole[:kept])
    part.chmod(0o755)
    described = len(whole) if kept >= 64 or kept < 0 else 64
    assert f"'./part' is cut short: its headers describe {described} bytes" in refusal(run("./part"), 126)


@pytest.mark.parametrize(
    ("content", "called"), ((b"", "empty"), (b"int main() {}", "no program"), (b"\x7fEL", "no program"))
)
def test_what_is_neither_an_executable_nor_a_script_is_said_in_words(
    run: Run, tmp_path: Path, content: bytes, called: str
) -> None:
    file = tmp_path / "file"
    file.write_bytes(content)
    file.chmod(0o755)
    assert refusal(run("./file"), 126).startswith(f"'./file' is {called} (")


@pytest.mark.parametrize("runtime", ["shared", "static"])
def test_a_program_with_ptx_runs_wherever_its_runtime_is(run: Run, compile_program: Compile, runtime: str) -> None:
    result = run(compile_program(runtime=runtime))
    assert (result.stdout, result.stderr) == ("cudaSuccess\n", "")


@pytest.mark.parametrize("linker", ["gold", "lld"])
def test_a_runtime_that_another_linker_linked_in_is_served(run: Run, compile_program: Compile, linker: str) -> None:
    if shutil.which(f"ld.{linker}") is None:
        pytest.skip(f"there is no ld.{linker}")
    result = run(compile_program("-Xcompiler", f"-fuse-ld={linker}", runtime="static"))
    assert (result.stdout, result.stderr) == ("cudaSuccess\n", "")


def test_a_runtime_that_is_linked_in_without_symbols_is_refused_with_what_to_do(
    run: Run, compile_program: Compile
) -> None:
    result = run(compile_program("-Xlinker", "-s", runtime="static"))
    assert result.stdout == "cudaErrorNotSupported\n"
    assert "program has CUDA's runtime linked into it, and no symbols" in result.stderr
    assert result.stderr.endswith("or build it with: nvcc -cudart shared\n")


FAULTY = """
__global__ void beyond(int* out) { out[1 << 20] = 1; }
int main() {
  int* out = nullptr;
  cudaMalloc(&out, sizeof *out);
  beyond<<<1, 1>>>(out);
  return cudaDeviceSynchronize() == cudaSuccess;
}
"""


def test_findings_are_the_same_wherever_the_runtime_is(run: Run, compile_program: Compile) -> None:
    shared, static = (run(compile_program("-lineinfo", text=FAULTY, runtime=kind)) for kind in ("shared", "static"))
    assert "program.cu:2:" in shared.stderr
    assert static.stderr == shared.stderr


def test_a_finding_ends_the_program_with_the_status_that_is_asked_for(run: Run, compile_program: Compile) -> None:
    assert run("--error-exitcode=9", compile_program("-lineinfo", text=FAULTY)).returncode == 9
    right = run("--error-exitcode=9", compile_program())
    assert (right.returncode, right.stdout) == (0, "cudaSuccess\n")


@pytest.mark.parametrize("status", ["", "0", "256", "one"])
def test_a_status_that_no_program_can_have_is_refused(run: Run, status: str) -> None:
    assert refusal(run(f"--error-exitcode={status}", "./lab3"), 2) == f"--error-exitcode is 1 to 255, not '{status}'"


BY_PATH = """
import ctypes, sys
devices = ctypes.c_int()
print(ctypes.CDLL(sys.argv[1]).cudaGetDeviceCount(ctypes.byref(devices)), devices.value)
"""


def test_a_runtime_that_is_opened_by_its_path_is_the_emulators(run: Run, tmp_path: Path) -> None:
    [library, *_] = sorted(find_toolkit(REPOSITORY).libraries.glob("libcudart.so.1*"))
    renamed = tmp_path / "libcudart-1a2b3c4d.so.13"  # as a wheel that was repaired has it
    renamed.symlink_to(library)
    without_version = tmp_path / "libcudart.so"  # as a toolkit has it for linkers
    without_version.symlink_to(library)
    for path in (library, renamed, without_version):
        assert run(sys.executable, "-c", BY_PATH, path).stdout == "0 1\n"


def test_a_runtime_that_a_run_path_leads_to_is_the_emulators(
    run: Run, compile_program: Compile, tmp_path: Path
) -> None:
    toolkit = tmp_path / "toolkit"  # whose own path may have a space, which nvcc does not pass on
    toolkit.symlink_to(find_toolkit(REPOSITORY).libraries)
    program = compile_program("-Xlinker", f"--disable-new-dtags,-rpath={toolkit}")
    assert run(program).stdout == "cudaSuccess\n"
    assert run(program, LD_LIBRARY_PATH=str(toolkit)).stdout == "cudaSuccess\n"


def test_what_a_program_starts_is_under_the_emulator(run: Run, compile_program: Compile) -> None:
    assert run("sh", "-c", str(compile_program(runtime="static"))).stdout == "cudaSuccess\n"


def test_machine_code_without_ptx_is_an_error_with_the_options_to_use(run: Run, compile_program: Compile) -> None:
    result = run(compile_program(architecture=MACHINE_CODE_ONLY))
    assert result.stdout == "cudaErrorNoKernelImageForDevice\n"
    assert "kernel nothing() of program has no PTX, only machine code" in result.stderr
    assert f"nvcc -gencode {PTX_AND_MACHINE_CODE}" in result.stderr


def test_device_code_that_is_linked_is_refused_with_what_to_do(run: Run, compile_program: Compile) -> None:
    result = run(compile_program("-rdc=true"))
    assert result.stdout == "cudaErrorNotSupported\n"
    assert "kernel nothing() of program has no PTX, as relocatable device code" in result.stderr
    assert result.stderr.endswith("as one file, without -rdc=true\n")


TEXTURES = """
#include <cstdio>
__global__ void fetch(cudaTextureObject_t texture, float* out) { *out = tex1Dfetch<float>(texture, 0); }
int main() {
  float* out = nullptr;
  cudaMallocManaged(&out, sizeof *out);
  cudaTextureObject_t texture = 0;
  cudaResourceDesc resource{};
  cudaTextureDesc description{};
  std::puts(cudaGetErrorName(cudaCreateTextureObject(&texture, &resource, &description, nullptr)));
  fetch<<<1, 1>>>(texture, out);
  std::puts(cudaGetErrorName(cudaDeviceSynchronize()));
}
"""


def test_textures_are_refused_with_what_to_do(run: Run, compile_program: Compile) -> None:
    result = run(compile_program("-lineinfo", text=TEXTURES))
    assert result.stdout == "cudaErrorNotSupported\ncudaErrorNotSupported\n"
    instead = "give the kernel a pointer to the data and use ordinary loads and stores, or TMA"
    call, instruction = [line for line in result.stderr.splitlines() if instead in line]
    assert call.startswith("tmaemu: cudaCreateTextureObject is not modeled: ")
    assert instruction.startswith("program.cu:3:") and " tex.1d.v4.f32.s32 is not modeled " in instruction


NOT_MODELED = """
#include <cuda.h>
#include <cstdio>
int main() {
  cudaFree(nullptr);
  std::printf("%d\\n", cuArrayDestroy(nullptr));
  std::puts(cudaGetErrorName(cudaGetLastError()));
  cudaArray_t array = nullptr;
  std::printf("%d\\n", cudaFreeArray(array));
  std::puts(cudaGetErrorName(cudaGetLastError()));
}
"""


def test_a_call_of_the_drivers_that_is_not_modeled_is_not_the_runtimes_last_error(
    run: Run, compile_program: Compile
) -> None:
    printed = run(compile_program("-lcuda", text=NOT_MODELED)).stdout
    assert printed == "801\ncudaSuccess\n801\ncudaErrorNotSupported\n"


LIBRARY = """
__global__ void kernel() {}
extern "C" int run_kernel() {
  kernel<<<1, 1>>>();
  return cudaGetLastError();
}
"""
CALLER = """
extern "C" int run_kernel();
int main() { return run_kernel() == 0; }
"""


def with_library(compile_program: Compile, name: str, *more: str, **options: str) -> Path:
    """A program that calls a kernel in a library of this name."""
    library = compile_program("-shared", "-Xcompiler", "-fPIC", *more, text=LIBRARY, name=name, **options)
    return compile_program(library, "-Xlinker", f"-rpath={library.parent}", text=CALLER)


# cuFFT and the like come so: with the runtime inside, without symbols, and machine code alone.
def test_a_library_of_nvidias_is_refused_with_what_to_do(run: Run, compile_program: Compile) -> None:
    stripped = ("-Xlinker", "-s")
    options = {"runtime": "static", "architecture": MACHINE_CODE_ONLY}
    result = run(with_library(compile_program, "libcufft.so", *stripped, **options))
    assert result.returncode == 0
    assert "libcufft.so has CUDA's runtime linked into it" in result.stderr
    assert "its kernels have no PTX either, only machine code" in result.stderr
    assert result.stderr.endswith("compute it in a kernel of your own, or run the program on a GPU\n")


@pytest.mark.parametrize("runtimes", [("static", "static"), ("static", "shared"), ("shared", "static")])
def test_programs_and_libraries_may_each_have_a_runtime(
    run: Run, compile_program: Compile, runtimes: tuple[str, str]
) -> None:
    library = compile_program("-shared", "-Xcompiler", "-fPIC", text=LIBRARY, name="libmine.so", runtime=runtimes[0])
    program = compile_program(library, "-Xlinker", f"-rpath={library.parent}", text=CALLER, runtime=runtimes[1])
    result = run(program)
    assert (result.returncode, result.stderr) == (1, "")  # run_kernel() is 0


def test_a_kernel_without_ptx_is_named_with_its_library(run: Run, compile_program: Compile) -> None:
    mine = run(with_library(compile_program, "libmine.so", architecture=MACHINE_CODE_ONLY))
    assert "kernel kernel() of libmine.so has no PTX, only machine code; build it with: nvcc" in mine.stderr
    nvidias = run(with_library(compile_program, "libcufft.so", architecture=MACHINE_CODE_ONLY))
    assert "kernel kernel() of libcufft.so has no PTX, only machine code, as NVIDIA's libraries come" in (
        nvidias.stderr
    )


@pytest.mark.parametrize("option", ["--sync=late", "-x", "--async"])
def test_an_unknown_option_is_named(run: Run, option: str) -> None:
    assert refusal(run(option, "./lab3"), 2).startswith(f"unknown option '{option}'")


@pytest.mark.parametrize("engine", ["", "soon", "random", "random:", "random:x", "random:1x"])
def test_an_unknown_engine_is_named(run: Run, engine: str) -> None:
    assert refusal(run(f"--async={engine}", "./lab3"), 2).endswith(f"not '{engine}'")


def test_a_program_has_to_be_given(run: Run) -> None:
    assert refusal(run("--async=early"), 2) == "no program given; 'tmaemu --help' has examples"


def test_options_after_the_program_are_the_programs(run: Run) -> None:
    assert run("echo", "--help", "--async=soon").stdout == "--help --async=soon\n"


def test_two_dashes_end_the_options(run: Run) -> None:
    assert run("--", "echo", "-n").stdout == ""


def test_the_programs_status_is_the_status(run: Run) -> None:
    assert run("sh", "-c", "exit 7").returncode == 7


def test_the_option_wins_over_the_environment(run: Run) -> None:
    assert run("--async=random:7", "sh", "-c", "echo $TMAEMU_ASYNC", TMAEMU_ASYNC="early").stdout == "random:7\n"


def test_without_the_option_the_environment_stays(run: Run) -> None:
    assert run("sh", "-c", "echo $TMAEMU_ASYNC", TMAEMU_ASYNC="early").stdout == "early\n"


def test_a_programs_own_library_path_stays_as_it_is(run: Run) -> None:
    assert run("sh", "-c", "echo $LD_LIBRARY_PATH", LD_LIBRARY_PATH="/others").stdout == "/others\n"


def test_help_names_every_option(run: Run) -> None:
    result = run("--help")
    assert result.returncode == 0
    for word in ("--async=late", "--async=early", "--async=random:SEED", "--help", "--version", "TMAEMU_ASYNC"):
        assert word in result.stdout


def test_version_names_the_device_and_cuda(run: Run) -> None:
    result = run("--version")
    assert result.returncode == 0
    assert result.stdout.startswith("tmaemu ")
    assert "H200" in result.stdout and "CUDA 13.0" in result.stdout
