"""What the emulator answers about a kernel's registers and local memory, beside what ptxas said when it
compiled the kernel. The kernels are those of the solutions."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from long_cases import long_but

REPOSITORY = Path(__file__).parents[3]
SOLUTIONS = sorted((REPOSITORY / "solutions").glob("lab*/*.cu"))
NVCC = Path(os.environ.get("CUDA_HOME", REPOSITORY / ".venv/cuda")) / "bin/nvcc"

# Prints a line for each kernel of a fat binary, through the driver's calls.
ASK = """
import ctypes, sys
cuda = ctypes.CDLL("libcuda.so.1")
def call(name, *arguments):
    error = getattr(cuda, name)(*arguments)
    assert error == 0, (name, error)
module, count, context = ctypes.c_void_p(), ctypes.c_uint(), ctypes.c_void_p()
call("cuInit", 0)
call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
call("cuCtxSetCurrent", context)
call("cuModuleLoad", ctypes.byref(module), sys.argv[1].encode())
call("cuModuleGetFunctionCount", ctypes.byref(count), module)
functions = (ctypes.c_void_p * count.value)()
call("cuModuleEnumerateFunctions", functions, count, module)
for function in map(ctypes.c_void_p, functions):
    name, registers, frame = ctypes.c_char_p(), ctypes.c_int(), ctypes.c_int()
    call("cuFuncGetName", ctypes.byref(name), function)
    call("cuFuncGetAttribute", ctypes.byref(registers), 4, function)  # CU_FUNC_ATTRIBUTE_NUM_REGS
    call("cuFuncGetAttribute", ctypes.byref(frame), 3, function)  # CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES
    print(name.value.decode(), registers.value, frame.value)
"""

PTXAS = re.compile(
    r"Compiling entry function '(?P<name>\w+)' for 'sm_90a'.*?(?P<frame>\d+) bytes stack frame"
    r".*?Used (?P<registers>\d+) registers",
    re.DOTALL,
)


def lab_of(source: Path) -> str:
    return source.parent.name


@pytest.mark.parametrize("source", long_but({"lab3-bulk-copy", "lab12-matmul"}, SOLUTIONS, lab_of), ids=lab_of)
def test_registers_and_local_memory_are_what_ptxas_allocated(source: Path, tmp_path: Path) -> None:
    fat_binary = tmp_path / "kernels.fatbin"
    command: list[str | Path] = [NVCC, "-std=c++20", "-fatbin"]
    command += ["-gencode", "arch=compute_90a,code=[sm_90a,compute_90a]"]
    command += ["-Xptxas", "-v", "-I", REPOSITORY / "labs/common", "-o", fat_binary, source]
    compiled = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=True,
    )
    said = {m["name"]: (int(m["registers"]), int(m["frame"])) for m in PTXAS.finditer(compiled.stderr)}
    assert said
    asked = subprocess.run(
        [REPOSITORY / "build/bin/tmaemu", sys.executable, "-c", ASK, fat_binary],
        capture_output=True,
        text=True,
        check=False,
    )
    assert asked.returncode == 0, asked.stderr
    answers = {}
    for line in asked.stdout.splitlines():
        name, registers, frame = line.split()
        answers[name] = (int(registers), int(frame))
    assert answers == said
