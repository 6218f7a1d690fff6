"""Whether a GPU or the emulator executes."""

from collections.abc import Callable, Iterator

import pytest
from conftest import Course, Silent

from tmagrade.basics.errors import UsageError
from tmagrade.basics.paths import HERE
from tmagrade.building.sandbox import NoSandbox
from tmagrade.commands.start_grading import local_grading
from tmagrade.machine import backend
from tmagrade.machine.backend import Backend, Engine, Gpu, choose_backend, emulator_engines, side_by_side
from tmagrade.machine.toolkit import Toolkit

PutOnPath = Callable[[str, str], None]

H200 = "0, NVIDIA H200, 9.0, 580.159.03"
A100 = "1, NVIDIA A100-SXM4-80GB, 8.0, 580.159.03"


@pytest.fixture(autouse=True)
def forget_gpus() -> Iterator[None]:
    backend.list_gpus.cache_clear()
    yield
    backend.list_gpus.cache_clear()


def smi(*gpus: str) -> str:
    return "#!/bin/sh\n" + "".join(f"echo '{gpu}'\n" for gpu in gpus)


def test_a_hopper_gpu_is_used_where_there_is_one(put_on_path: PutOnPath) -> None:
    put_on_path("nvidia-smi", smi(A100, H200))
    assert choose_backend(None) is Backend.GPU
    assert backend.hopper_gpus() == [Gpu(0, "NVIDIA H200", "9.0", "580.159.03")]


def test_another_gpu_means_the_emulator(put_on_path: PutOnPath) -> None:
    put_on_path("nvidia-smi", smi(A100))
    assert choose_backend(None) is Backend.EMULATOR


def test_a_driver_that_does_not_answer_means_the_emulator(put_on_path: PutOnPath) -> None:
    put_on_path("nvidia-smi", "#!/bin/sh\necho 'NVIDIA-SMI has failed'\nexit 9\n")
    assert choose_backend(None) is Backend.EMULATOR


def test_no_driver_means_the_emulator(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert choose_backend(None) is Backend.EMULATOR


def test_the_emulator_may_be_asked_for_beside_a_gpu(put_on_path: PutOnPath) -> None:
    put_on_path("nvidia-smi", smi(H200))
    assert choose_backend(Backend.EMULATOR) is Backend.EMULATOR


def test_asking_for_a_gpu_that_is_not_there_is_an_error_that_names_those_that_are(put_on_path: PutOnPath) -> None:
    put_on_path("nvidia-smi", smi(A100))
    with pytest.raises(UsageError, match=r"GPUs here: NVIDIA A100-SXM4-80GB \(sm_8\.0\)"):
        choose_backend(Backend.GPU)


def test_correctness_is_judged_late_and_hygiene_early_and_at_random_too() -> None:
    assert [engine.name for engine in emulator_engines(2)] == ["late", "early", "random:1", "random:2"]


def test_a_library_path_that_was_set_stays_behind_ours(course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LD_LIBRARY_PATH", "/opt/gcc/lib64")
    environment = Engine("late").environment(course.repository, course.toolkit)
    assert environment["LD_LIBRARY_PATH"] == f"{course.repository.emulator_libraries}:/opt/gcc/lib64"


def test_each_gpu_run_sees_its_own_gpu_alone(course: Course) -> None:
    engine = Engine("gpu", Gpu(3, "NVIDIA H200", "9.0", "580"))
    assert engine.environment(course.repository, course.toolkit)["CUDA_VISIBLE_DEVICES"] == "3"


def test_engines_side_by_side_share_the_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TMAEMU_THREADS", raising=False)
    assert [engine.host_threads for engine in side_by_side(emulator_engines(1), 7)] == [2, 2, 2]
    assert [engine.host_threads for engine in side_by_side(emulator_engines(1), 2)] == [1, 1, 1]
    monkeypatch.setenv("TMAEMU_THREADS", "5")
    assert [engine.host_threads for engine in side_by_side(emulator_engines(1), 2)] == [None, None, None]


def test_for_a_student_who_waits_the_engine_with_the_long_cases_has_every_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TMAEMU_THREADS", raising=False)
    monkeypatch.setattr("tmagrade.commands.start_grading.find_toolkit", lambda repository: Toolkit(repository.root))
    sandbox = NoSandbox(HERE, Toolkit(HERE.root))
    own = local_grading(Backend.EMULATOR, 1, 2, sandbox, Silent(), own=True).plan.emulator_engines
    assert [(engine.name, engine.host_threads) for engine in own] == [("late", None), ("early", 1), ("random:1", 1)]
    of_a_class = local_grading(Backend.EMULATOR, 1, 2, sandbox, Silent()).plan.emulator_engines
    assert {engine.host_threads for engine in of_a_class} == {None}
