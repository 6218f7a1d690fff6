"""What becomes of the grader's child processes."""

import math
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tmagrade.basics.paths import HERE
from tmagrade.machine.processes import KEPT_BYTES, SEARCHED, Finished, Processes

# A grader with two children, each with a child of its own, as nvcc has; it says when all run.
GRADER = """
import os, sys, threading
from pathlib import Path
from tmagrade.machine.processes import KEPT_BYTES, Finished, Processes
processes, folder = Processes(), Path(sys.argv[1])
def run(name):
    processes.run(["/bin/sh", "-c", f"sleep 77 & echo $! > {name}; wait"], cwd=folder, environment=dict(os.environ),
                  timeout_seconds=77)
for name in ("one", "two"):
    threading.Thread(target=run, args=(name,)).start()
"""


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def wait_until(what: object, seconds: float = 20) -> None:
    assert callable(what)
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.02)


def test_a_killed_graders_children_die_with_all_their_children(tmp_path: Path) -> None:
    grader = subprocess.Popen([sys.executable, "-c", GRADER, str(tmp_path)], cwd=HERE.grader)
    files = [tmp_path / "one", tmp_path / "two"]
    wait_until(lambda: all(file.exists() and file.read_text().endswith("\n") for file in files))
    pids = [int(file.read_text()) for file in files]
    assert all(is_alive(pid) for pid in pids)
    grader.send_signal(signal.SIGKILL)
    grader.wait()
    wait_until(lambda: not any(is_alive(pid) for pid in pids))


def test_a_child_has_no_input(tmp_path: Path) -> None:
    processes = Processes()
    finished = processes.run(["/bin/cat"], cwd=tmp_path, environment=dict(os.environ), timeout_seconds=20)
    processes.close()
    assert (finished.status, finished.output) == (0, "")


def test_the_status_is_the_programs_own(tmp_path: Path) -> None:
    processes = Processes()
    program = ["/bin/sh", "-c", "kill -9 $$"]
    finished = processes.run(program, cwd=tmp_path, environment=dict(os.environ), timeout_seconds=20)
    processes.close()
    assert finished.status == -signal.SIGKILL


def test_time_out_kills_the_whole_group(tmp_path: Path) -> None:
    processes = Processes()
    program = ["/bin/sh", "-c", "sleep 77 & echo $! > pid; wait"]
    finished = processes.run(program, cwd=tmp_path, environment=dict(os.environ), timeout_seconds=0.5)
    processes.close()
    assert finished.timed_out
    wait_until(lambda: not is_alive(int((tmp_path / "pid").read_text())))


@pytest.mark.parametrize("places", ["", ":", "/nowhere:", ":/nowhere", ".", "/nowhere:lib"])
@pytest.mark.parametrize("name", SEARCHED)
def test_nothing_is_searched_for_where_a_child_is_started(tmp_path: Path, name: str, places: str) -> None:
    """There a student's files are, and the loader would take a libc.so.6 among them."""
    for folder in (tmp_path, tmp_path / "lib"):
        folder.mkdir(exist_ok=True)
        (folder / "libc.so.6").write_text("a student's")
    environment = {"PATH": os.environ["PATH"]} | {name: f"{places}:/usr/bin" if name == "PATH" else places}
    processes = Processes()
    finished = processes.run(["/usr/bin/env"], cwd=tmp_path, environment=environment, timeout_seconds=20)
    processes.close()
    assert finished.status == 0, finished.output
    kept = dict(line.split("=", 1) for line in finished.output.splitlines()).get(name, "/")
    assert all(place.startswith("/") for place in kept.split(":"))


def run(
    script: str,
    timeout_seconds: float = 60.0,
    environment: dict[str, str] | None = None,
    stderr: int = subprocess.STDOUT,
    processor_seconds: float = math.inf,
) -> Finished:
    processes = Processes()
    finished = processes.run(
        ["/bin/bash", "-c", script],
        cwd=Path("/"),
        environment=environment or {},
        timeout_seconds=timeout_seconds,
        processor_seconds=processor_seconds,
        stderr=stderr,
    )
    processes.close()
    return finished


def test_a_child_has_none_of_the_loaders_orders() -> None:
    orders = {"LD_PRELOAD": "/none.so", "LD_DEBUG": "statistics", "LD_LIBRARY_PATH": "/usr/lib"}
    kept = run("/usr/bin/env", environment=orders).output
    assert [line for line in kept.splitlines() if "LD_" in line] == ["LD_LIBRARY_PATH=/usr/lib"]


def test_messages_can_be_left_out() -> None:
    assert run("echo data; echo message >&2", stderr=subprocess.DEVNULL).output == "data\n"


def test_both_outputs_are_kept_in_their_order() -> None:
    assert run("echo one; echo two >&2; exit 3") == Finished(3, "one\ntwo\n")


def test_of_much_output_the_beginning_is_kept() -> None:
    finished = run("echo first; head -c 64M /dev/zero")
    assert (finished.status, finished.timed_out, finished.cut) == (0, False, True)
    assert len(finished.output) == KEPT_BYTES
    assert finished.output.startswith("first\n")


def test_output_without_end_is_ended() -> None:
    assert run("exec yes", 0.3).timed_out


def test_what_closes_its_output_and_hangs_is_ended() -> None:
    assert run("exec >&- 2>&-; sleep 60", 0.3).timed_out


def test_time_that_a_child_does_not_have_of_a_processor_is_not_the_processors() -> None:
    assert not run("sleep 0.7", processor_seconds=0.2).timed_out


# A grandchild that works for a fifth of a second, and then another.
BRIEFLY = "import time; end = time.process_time() + 0.2\nwhile time.process_time() < end: pass"


def test_what_all_that_a_child_starts_has_of_the_processors_counts_together() -> None:
    finished = run(f"while true; do {sys.executable} -S -c '{BRIEFLY}'; done", processor_seconds=0.8)
    assert (finished.timed_out, finished.had_seconds) == (True, 0.8)


def test_a_child_that_has_had_its_time_by_the_clock_has_had_that() -> None:
    assert run("sleep 60", 0.3, processor_seconds=20).had_seconds == 0.3
