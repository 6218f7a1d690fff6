"""What the doctor says of a machine."""

from collections.abc import Callable

import pytest
from conftest import Course

from tmagrade.building.sandbox import NoSandbox
from tmagrade.commands import doctor
from tmagrade.commands.doctor import Finding
from tmagrade.machine import backend

PutOnPath = Callable[[str, str], None]


def finding(course: Course, what: str) -> Finding:
    backend.list_gpus.cache_clear()
    return next(finding for finding in doctor.examine(course.repository) if finding.what == what)


def test_an_old_compiler_is_lacking(course: Course, put_on_path: PutOnPath) -> None:
    put_on_path("g++", "#!/bin/sh\necho 11.4.0\n")
    assert not finding(course, "g++").fine
    assert "g++ 12 or later" in finding(course, "g++").remedy


def test_a_missing_header_names_its_package(course: Course, put_on_path: PutOnPath) -> None:
    put_on_path("g++", "#!/bin/sh\n[ $1 = -dumpfullversion ] && echo 12.2.0 || exit 1\n")
    assert finding(course, "GoogleTest").remedy == "sudo apt-get install -y libgtest-dev"


def test_a_sandbox_that_may_make_no_namespaces_is_lacking(course: Course, put_on_path: PutOnPath) -> None:
    put_on_path("bwrap", "#!/bin/sh\n[ $1 = --version ] && echo bubblewrap 0.8.0 && exit\necho no >&2\nexit 1\n")
    assert finding(course, "sandbox").detail == "bubblewrap may make no namespaces here (no)"


def test_a_machine_without_a_gpu_is_fine(course: Course, put_on_path: PutOnPath) -> None:
    put_on_path("nvidia-smi", "#!/bin/sh\nexit 9\n")
    assert finding(course, "GPU").fine
    assert "run on the emulator" in finding(course, "GPU").detail


def test_aarch64_is_fine(course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "aarch64")
    assert finding(course, "processor").fine


def test_a_processor_of_another_kind_is_lacking(course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    assert not finding(course, "processor").fine
    assert "aarch64" in finding(course, "processor").remedy


def test_larger_pages_are_lacking(course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sysconf", lambda name: 65536)
    assert finding(course, "pages") == Finding(
        "pages",
        False,
        "65536 bytes",
        "the emulator needs a Linux kernel with pages of 4096 bytes, as Docker and most distributions have",
    )


def test_a_missing_toolkit_has_a_remedy(course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tmagrade.machine.toolkit.USUAL_PLACE", "/nowhere")
    monkeypatch.delenv("CUDA_HOME", raising=False)
    assert not finding(course, "CUDA toolkit").fine
    assert "make setup CUDA=wheels" in finding(course, "CUDA toolkit").remedy


def test_a_grader_that_is_not_built_has_a_remedy(course: Course) -> None:
    course.repository.judge("canary").unlink()
    assert finding(course, "grader").remedy == "make build"


@pytest.fixture
def able(course: Course, monkeypatch: pytest.MonkeyPatch) -> Course:
    """A course on a machine that has all that doctor looks for."""
    monkeypatch.setattr(doctor, "find_toolkit", lambda repository: course.toolkit)
    monkeypatch.setattr(doctor, "problem", lambda repository: None)
    monkeypatch.setattr("tmagrade.building.sandbox.Bubblewrap", NoSandbox)
    monkeypatch.setattr("tmagrade.machine.backend.list_gpus", lambda: ())
    monkeypatch.setattr(backend, "hopper_gpus", lambda: [])
    (course.repository.emulator_libraries / "libcuda.so.1").touch()
    return course


def in_words(course: Course, what: str) -> Finding:
    return next(finding for finding in doctor.examine(course.repository) if finding.what == what)


def test_a_program_that_is_known_to_be_right_is_built_and_judged(able: Course) -> None:
    assert in_words(able, "a known program").fine


def test_a_linker_that_does_not_link_is_lacking(able: Course) -> None:
    (able.repository.root / "linker is broken").touch()
    assert "the linker does not link" in in_words(able, "a known program").detail


def test_a_low_limit_is_lacking(able: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("resource.getrlimit", lambda which: (10, 10))
    monkeypatch.setattr("resource.setrlimit", lambda *_: None)
    details = [finding.detail for finding in doctor.examine(able.repository) if finding.what == "limits"]
    assert any("ulimit -n" in detail for detail in details)
