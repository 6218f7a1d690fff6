"""Which functions the host code of a submission may call."""

from pathlib import Path

import pytest

from tmagrade.basics.paths import HERE
from tmagrade.building.builder import Builder
from tmagrade.building.launcher_calls import complaint, refused_call, refused_calls
from tmagrade.building.sandbox import sandbox_if_any
from tmagrade.course.labs import load_labs
from tmagrade.machine.processes import Processes
from tmagrade.machine.toolkit import defined_functions, find_toolkit
from tmagrade.submissions.submission import Submission

LAB3 = next(lab for lab in load_labs(HERE.labs) if lab.id == "lab3-bulk-copy")


@pytest.mark.parametrize(
    "name", ["cudaMalloc", "__cudaLaunchKernel", "cuTensorMapEncodeTiled", "memcpy", "printf", "__printf_chk", "sqrtf"]
)
def test_a_launcher_may_compute_call_cuda_and_print(name: str) -> None:
    assert refused_call(name) is None


@pytest.mark.parametrize(
    "name",
    [
        *["dlopen", "dlsym", "dl_iterate_phdr", "syscall", "system", "fork", "execve", "posix_spawn", "ptrace"],
        *["open", "open64", "openat", "fopen", "opendir", "read", "write", "mmap", "mprotect", "memfd_create"],
        *["socket", "connect", "shm_open", "signal", "sigaction", "setjmp", "raise", "kill", "prctl", "truncate"],
        *["pthread_create", "cudaIpcOpenMemHandle", "curl_easy_init", "environ", "__libc_start_main"],
    ],
)
def test_it_may_call_nothing_else(name: str) -> None:
    assert refused_call(name) == name


@pytest.mark.parametrize(
    ("name", "known_as"),
    [
        ("_ZNSt14basic_ifstreamIcSt11char_traitsIcEEC1EPKcSt13_Ios_Openmode", "std::ifstream"),
        ("_ZTVSt14basic_ofstreamIcSt11char_traitsIcEE", "std::ofstream"),
        ("_ZNSt10filesystem6removeERKNS_7__cxx114pathE", "std::filesystem"),
        ("_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE", "std::thread"),
    ],
)
def test_cplusplus_names_are_refused_by_the_name_that_a_student_knows(name: str, known_as: str) -> None:
    assert refused_call(name) == known_as


def test_versions_and_weak_names_are_read() -> None:
    assert refused_calls("                 U dlsym@GLIBC_2.34\n                 w fork\n") == ["dlsym", "fork"]


def test_a_complaint_names_some() -> None:
    assert complaint(list("abcdefg")).startswith("host code calls `a`, `b`, `c`, `d`, `e` and 2 more;")


def message(folder: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Of a real build."""
    (folder / "lab3.cu").write_text(text)
    monkeypatch.setenv("TMAGRADE_STATE", str(folder.parent / "state"))
    toolkit = find_toolkit(HERE)
    builder = Builder(HERE, toolkit, Processes(), sandbox_if_any(HERE, toolkit))
    submission = Submission("ada", LAB3, folder)
    return builder.build(submission, builder.key(submission), lambda: None).message


def test_a_build_says_what_was_called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = '#include <dlfcn.h>\nvoid launch_add_one(int*, std::size_t) { dlsym(nullptr, "x"); }\n'
    assert message(tmp_path, text, monkeypatch).startswith("host code calls `dlsym`; ")


def test_what_only_the_students_own_main_calls_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = '#include <fstream>\nint main() { std::ofstream("result.txt") << 7; }\n'
    assert message(tmp_path, text, monkeypatch) == ""


def test_a_function_that_cuda_does_not_have_is_the_students_mistake(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = 'extern "C" int cudaDoIt();\nvoid launch_add_one(int*, std::size_t) { cudaDoIt(); }\n'
    version = find_toolkit(HERE).version
    assert message(tmp_path, text, monkeypatch) == f"host code calls `cudaDoIt`, which CUDA {version} does not have"


def test_the_emulator_has_every_function_that_the_toolkit_has() -> None:
    libraries = HERE.emulator_libraries
    runtime = f"libcudart.so.{find_toolkit(HERE).version.split('.')[0]}"
    emulated = defined_functions([libraries / runtime, libraries / "libcuda.so.1", libraries / "libtmaemu.so"])
    assert find_toolkit(HERE).functions <= emulated


def test_the_toolkit_knows_the_functions_of_the_runtime_and_the_driver() -> None:
    calls = {"cudaMalloc", "__cudaRegisterFatBinary", "cuTensorMapEncodeTiled", "cudaFuncSetAttribute"}
    assert calls <= find_toolkit(HERE).functions
