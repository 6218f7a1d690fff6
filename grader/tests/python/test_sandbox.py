"""What a student's code finds in the sandbox, seen with a shell in its place."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Course, write_program

from tmagrade.basics.errors import UsageError
from tmagrade.basics.paths import HERE, Repository
from tmagrade.building import sandbox
from tmagrade.building.builder import Builder
from tmagrade.building.sandbox import STAGE, Bubblewrap, NoSandbox, demand_sandbox, entry_files, sandbox_if_any
from tmagrade.course.labs import load_labs
from tmagrade.machine.backend import Engine, Gpu
from tmagrade.machine.processes import Processes
from tmagrade.machine.toolkit import Toolkit, find_toolkit
from tmagrade.submissions.submission import Submission

PutOnPath = Callable[[str, str], None]

LAB3 = next(lab for lab in load_labs(HERE.labs) if lab.id == "lab3-bulk-copy")


EMULATOR = Engine("late")


class Shell:
    """Runs scripts where the runner, or the compiler, would run; here of the repository itself."""

    def __init__(self, tmp_path: Path) -> None:
        self.stage = tmp_path / "another student" / "stage"
        self.memory = tmp_path / "a memory"
        for folder in (self.stage, self.memory):
            folder.mkdir(parents=True)
        (self.stage / "submission.so").touch()
        (self.stage.parent / "secret").write_text("another's work")
        self.sandbox = Bubblewrap(HERE, find_toolkit(HERE))

    def run(self, script: str, engine: Engine = EMULATOR) -> str:
        command = self.sandbox.runner(engine, self.stage / "submission.so", self.memory)
        return self._said(command[:-2], script)

    def build(self, script: str) -> str:
        command = self.sandbox.compiler(LAB3, self.stage)
        return self._said(command[: command.index(str(self.sandbox.toolkit_inside.nvcc))], script)

    def _said(self, words: list[str], script: str) -> str:
        answer = subprocess.run([*words, "bash", "-c", script], capture_output=True, text=True, cwd=self.stage)
        return (answer.stdout + answer.stderr).strip()


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


def test_a_run_sees_the_runner_and_the_emulator_alone(shell: Shell) -> None:
    files = set(shell.run("find /grader -type f").splitlines())
    there = (path.relative_to(HERE.build) for path in HERE.emulator_libraries.rglob("*") if path.is_file())
    libraries = {f"/grader/build/{path}" for path in there}
    assert files == {"/grader/build/bin/runner"} | libraries


def test_a_run_on_a_gpu_sees_the_toolkit_and_the_driver(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = tmp_path / "a driver"
    driver.mkdir()
    (driver / "libcuda.so.1").touch()
    monkeypatch.setenv("LD_LIBRARY_PATH", str(driver))
    sandbox.driver_folder.cache_clear()
    gpu = Engine("gpu", Gpu(2, "NVIDIA H200", "9.0", "580"))
    found = shell.run(
        "IFS=:; ls $LD_LIBRARY_PATH; ls -d $LD_LIBRARY_PATH/libcuda*; ls /sys; echo $CUDA_VISIBLE_DEVICES", gpu
    )
    sandbox.driver_folder.cache_clear()
    assert f"{driver}/libcuda.so.1" in found
    assert "libcudart.so" in found
    assert "devices" in found
    assert found.endswith("\n2")
    assert sandbox.MEMORY_VARIABLE not in shell.run("env", gpu)


@pytest.mark.parametrize(("machine", "folder"), [("x86_64", "of x86-64"), ("aarch64", "of aarch64")])
def test_the_driver_is_this_machines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, machine: str, folder: str
) -> None:
    places = {"x86-64": tmp_path / "of x86-64", "AArch64": tmp_path / "of aarch64"}
    for place in places.values():
        place.mkdir()
        (place / "libcuda.so.1").touch()
    known = "".join(f"\tlibcuda.so.1 (libc6,{kind}) => {place}/libcuda.so.1\n" for kind, place in places.items())
    monkeypatch.setattr(subprocess, "run", lambda *words, **more: subprocess.CompletedProcess(words, 0, known))
    monkeypatch.setattr("platform.machine", lambda: machine)
    monkeypatch.delenv("LD_LIBRARY_PATH", raising=False)
    sandbox.driver_folder.cache_clear()
    assert sandbox.driver_folder() == tmp_path / folder
    sandbox.driver_folder.cache_clear()


def test_a_build_sees_the_labs_headers_and_its_entry_alone(shell: Shell) -> None:
    files = set(shell.build("find /grader -type f").splitlines())
    common = {f"/grader/{path.relative_to(HERE.root)}" for path in (HERE.labs / "common").rglob("*") if path.is_file()}
    runner = {f"runner/{name}" for name in ("part_calls.h", "bind_parts.h", "submission.map")}
    contract = {"contract/protocol/submission_entry.h"}
    lab = {f"checks/lab3-bulk-copy/{name}" for name in ("entry.cu", "parts.def")}
    assert files == common | {f"/grader/grader/{name}" for name in runner | contract | lab}


def test_a_build_sees_instances_that_only_the_grader_tries_where_the_lab_has_some() -> None:
    of = {lab.id: [path.name for path in entry_files(HERE, lab)] for lab in load_labs(HERE.labs)}
    assert "grader_entry.h" in of["lab4-single-tile"]
    assert "grader_entry.h" not in of["lab3-bulk-copy"]


def test_nothing_of_the_users_is_there(shell: Shell) -> None:
    assert "No such file" in shell.run(f"ls '{HERE.root}'")
    assert "No such file" in shell.run(f"cat '{shell.stage.parent / 'secret'}'")
    assert "No such file" in shell.run(f"ls '{Path.home()}'")


@pytest.mark.parametrize(
    "place", ["/", "/usr", "/etc", "/dev", "/dev/shm", "/grader", "/grader/build/bin", "/submission"]
)
def test_a_run_writes_nowhere_outside_its_tmp(shell: Shell, place: str) -> None:
    assert "Read-only file system" in shell.run(f"touch {place}/x")


def test_a_build_writes_its_library_and_nothing_else_that_stays(shell: Shell) -> None:
    assert shell.build("echo made > submission.so") == ""
    assert (shell.stage / "submission.so").read_text() == "made\n"
    assert "Read-only file system" in shell.build("touch here")
    assert {path.name for path in shell.stage.iterdir()} == {"submission.so"}


def test_tmp_is_private_and_limited(shell: Shell) -> None:
    assert shell.run("find /tmp -type f") == ""
    size = shell.run("touch /tmp/x && stat -f -c '%b %S' /tmp").split()
    assert int(size[0]) * int(size[1]) == sandbox.TMP_BYTES


def test_there_is_no_network(shell: Shell) -> None:
    devices = [line.split(":")[0].strip() for line in shell.run("cat /proc/net/dev").splitlines() if ":" in line]
    assert devices == ["lo"]


def test_proc_shows_own_processes_alone(shell: Shell) -> None:
    shown = shell.run("cat /proc/[0-9]*/comm").splitlines()
    assert set(shown) == {"bwrap", "cat"}


def test_the_kernels_settings_cannot_be_written(shell: Shell) -> None:
    assert "Read-only file system" in shell.run("exec 3>>/proc/sys/kernel/core_pattern")


def test_no_capability_is_left(shell: Shell) -> None:
    capabilities = shell.run("grep Cap /proc/self/status").splitlines()
    assert {line.split()[1] for line in capabilities} == {"0" * 16}


def test_the_environment_is_not_the_graders(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "token")
    monkeypatch.setenv("TMAEMU_THREADS", "2")
    names = {line.split("=")[0] for line in shell.run("env").splitlines()}
    expected = {"PATH", "HOME", "LANG", "LD_LIBRARY_PATH", "TMAEMU_ASYNC", "TMAEMU_THREADS", sandbox.MEMORY_VARIABLE}
    assert names - {"PWD", "SHLVL", "_"} == expected


def test_nothing_in_the_environment_decides_what_the_emulator_finds(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("TMAEMU_CHECK", "TMAEMU_STATS", "TMAEMU_SCHEDULE"):
        monkeypatch.setenv(name, "off")
    assert not [line for line in shell.run("env").splitlines() if line.endswith("=off")]
    environment = Engine("late").environment(HERE, Toolkit(HERE.root))
    assert not {"TMAEMU_CHECK", "TMAEMU_STATS", "TMAEMU_SCHEDULE"} & set(environment)


def test_no_process_in_the_sandbox_shows_the_graders_environment(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "token")
    found = shell.run("cat /proc/[0-9]*/environ | tr '\\0' '\\n'")
    assert "TMAEMU_ASYNC=" in found
    assert "SECRET" not in found


def test_no_other_judges_memory_is_there(shell: Shell) -> None:
    other = Path("/dev/shm/tmagrade-test-of-the-sandbox")
    other.touch()
    try:
        assert shell.run("ls -A /dev/shm") == ""
    finally:
        other.unlink()


def test_the_judges_memory_is_there(shell: Shell) -> None:
    assert shell.run(f'echo 1 > "${sandbox.MEMORY_VARIABLE}/x"') == ""
    assert (shell.memory / "x").read_text() == "1\n"


def test_a_file_has_a_largest_size(shell: Shell) -> None:
    assert "File size limit exceeded" in shell.build("head -c 300M /dev/zero > submission.so; true")
    assert (shell.stage / "submission.so").stat().st_size == 256 << 20


def test_a_repository_below_usr_is_hidden() -> None:
    words = sandbox.bubblewrap(Repository(Path("/usr/share/a course")), [], {})
    assert words[words.index("--tmpfs") + 1] == "/usr/share/a course"
    assert words.count("/usr/share/a course") == 2  # and it is read-only in the end


def test_a_repository_is_hidden_where_a_link_leads_below_usr(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/usr/share")
    words = sandbox.bubblewrap(Repository(tmp_path / "link/course"), [], {})
    assert words[words.index("--tmpfs") + 1] == "/usr/share/course"


def a_folder_below_usr() -> Path:
    return next(path for path in Path("/usr/share").iterdir() if path.is_dir() and any(path.iterdir()))


def test_a_home_below_usr_is_hidden(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    home = a_folder_below_usr()
    assert shell.run(f"ls {home}") != ""
    monkeypatch.setenv("HOME", str(home))
    assert shell.run(f"ls {home}; touch {home}/x") == f"touch: cannot touch '{home}/x': Read-only file system"


def test_a_toolkit_in_a_home_below_usr_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    home = a_folder_below_usr().resolve()
    monkeypatch.setenv("HOME", str(home))
    words = Bubblewrap(HERE, Toolkit(home / "cuda")).compiler(LAB3, Path("/stage"))
    assert words.count(f"{home}/cuda") == 2
    assert words.index(str(home)) < words.index(f"{home}/cuda")


def message(folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Of a real build in the sandbox."""
    monkeypatch.setenv("TMAGRADE_STATE", str(folder.parent / "state"))
    toolkit = find_toolkit(HERE)
    builder = Builder(HERE, toolkit, Processes(), Bubblewrap(HERE, toolkit))
    submission = Submission("ada", LAB3, folder)
    return builder.build(submission, builder.key(submission), lambda: None).message


@pytest.mark.parametrize(
    "path", [f"{HERE.solutions}/lab3-bulk-copy/lab3.cu", "../grader/solutions/lab3-bulk-copy/lab3.cu"]
)
def test_a_solution_cannot_be_included(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    (tmp_path / "lab3.cu").write_text(f'#include "{path}"\n')
    assert message(tmp_path, monkeypatch).startswith(f"lab3.cu:1:10: fatal error: {path}: No such file or directory")


def test_messages_name_the_labs_headers_as_a_student_knows_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lab3.cu").write_text('#define __cvta_generic_to_shared(x) ERROR\n#include "tma-interface.cuh"\n')
    assert message(tmp_path, monkeypatch).startswith("labs/common/")


def test_a_course_in_a_folder_with_spaces_is_built(course: Course) -> None:
    assert " " in str(course.repository.root)
    for path in entry_files(course.repository, LAB3):
        path.parent.mkdir(exist_ok=True)
        path.touch()
    program = '[ "$1" = --version ] || gcc -shared -nostdlib -x c "a file.cu" -o submission.so'
    write_program(course.toolkit.nvcc, f"#!/bin/sh\n{program}\n")
    builder = Builder(course.repository, course.toolkit, Processes(), Bubblewrap(course.repository, course.toolkit))
    submission = course.submit("ada", "int number = 7;", name="a file.cu")
    built = builder.build(submission, builder.key(submission), lambda: None)
    assert built.library is not None, built.message


def test_without_bubblewrap_grading_says_what_to_do(course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(UsageError, match=r"apt-get install -y bubblewrap\n.*--no-sandbox"):
        demand_sandbox(course.repository, course.toolkit)


def test_without_bubblewrap_ones_own_work_is_tested_all_the_same(
    course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert isinstance(sandbox_if_any(course.repository, course.toolkit), NoSandbox)


def test_a_container_without_namespaces_is_told_its_options(course: Course, put_on_path: PutOnPath) -> None:
    says = "No permissions to create new namespace"
    put_on_path("bwrap", f"#!/bin/sh\n[ $1 = --version ] && echo bubblewrap 0.8.0\necho '{says}' >&2\nexit 1\n")
    with pytest.raises(UsageError, match=r"(?s)No permissions to create new namespace.*seccomp=unconfined"):
        demand_sandbox(course.repository, course.toolkit)


def test_the_stage_is_where_the_code_finds_itself(shell: Shell) -> None:
    assert shell.build("pwd") == shell.run("pwd") == str(STAGE)
