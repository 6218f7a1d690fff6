"""Child processes that end with the grader: on Ctrl-C, and also when it is killed itself."""

import contextlib
import math
import os
import selectors
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from tmagrade.basics.errors import GraderFault
from tmagrade.machine import child_process_guard, processor_time

# A child waits for its name to be known to the guard. Should the grader die before, `read` finds the end of the pipe.
START = 'read -r start && exec "$@" </dev/null'

# Lists of folders, in which an empty or relative name is one of the folder that a program is started in: that may be a
# student's, whose libc.so.6 the loader would then take.
SEARCHED = ("PATH", "LD_LIBRARY_PATH", "LIBRARY_PATH", "CPATH")

# What is kept of a child's output; what a submission makes a compiler print has no end of its own.
KEPT_BYTES = 1 << 20

# How often a child's use of the processors is looked at, at most.
LEAST_SECONDS_BETWEEN = 0.1


@dataclass(frozen=True)
class Finished:
    status: int  # as subprocess has it: negative for a signal
    output: str  # the beginning of stdout and stderr, as they came
    timed_out: bool = False
    had_seconds: float = 0.0  # where it timed out: of the processors, or else by the clock
    cut: bool = False  # there was more output than is kept


class TookTooLong(Exception):
    """A child has had its time."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class Processes:
    """Runs programs from several threads; stop() ends those that run and refuses further ones."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: set[int] = set()
        self._stopped = False
        self._guard: subprocess.Popen[str] | None = None

    def run(
        self,
        command: list[str],
        *,
        cwd: Path,
        environment: dict[str, str],
        timeout_seconds: float,
        processor_seconds: float = math.inf,
        stderr: int = subprocess.STDOUT,
    ) -> Finished:
        """`processor_seconds`: the most that the child and its children may have of the processors, in all.
        `stderr`: as subprocess has it. Where output is read as data, messages are not to be among it."""
        with self._lock:
            if self._stopped:
                raise KeyboardInterrupt
            try:
                self._start_guard()
                process = subprocess.Popen(
                    ["/bin/sh", "-c", START, "sh", *command],
                    cwd=cwd,
                    env=without_relative_places(without_loaders_orders(environment)),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=stderr,
                    start_new_session=True,
                )
            except OSError as error:
                raise GraderFault(f"this machine starts no process any more: {error.strerror}") from error
            self._running.add(process.pid)
            self._tell_guard(f"+{process.pid}")
        assert process.stdin is not None and process.stdout is not None
        kept = bytearray()
        end = _End(process.pid, timeout_seconds, processor_seconds)
        had: float | None = None
        try:
            with contextlib.suppress(BrokenPipeError), process.stdin as start:
                start.write(b"start\n")
            _keep_beginning(process.stdout, kept, end)
            while process.poll() is None:  # with its output closed
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(end.next_look())
        except TookTooLong as too_long:
            self._kill(process.pid)
            process.wait()
            had = too_long.seconds
        except BaseException:
            self._kill(process.pid)
            process.wait()
            raise
        finally:
            process.stdout.close()
            with self._lock:
                self._running.discard(process.pid)
                self._tell_guard(f"-{process.pid}")
                stopped = self._stopped
        if stopped:
            raise KeyboardInterrupt
        output = kept[:KEPT_BYTES].decode(errors="replace")
        return Finished(process.returncode, output, had is not None, had or 0.0, cut=len(kept) > KEPT_BYTES)

    def stop(self) -> None:
        with self._lock:
            self._stopped = True
            for pid in self._running:
                self._kill(pid)

    def close(self) -> None:
        """Lets the guard go; the next run() starts another."""
        with self._lock:
            if self._guard is not None:
                self._guard.communicate()
                self._guard = None

    def _start_guard(self) -> None:
        if self._guard is None:
            command = [sys.executable, "-I", "-S", child_process_guard.__file__]
            self._guard = subprocess.Popen(command, stdin=subprocess.PIPE, text=True, start_new_session=True)

    def _tell_guard(self, line: str) -> None:
        assert self._guard is not None and self._guard.stdin is not None
        self._guard.stdin.write(line + "\n")
        self._guard.stdin.flush()

    @staticmethod
    def _kill(group: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(group, signal.SIGKILL)


def without_loaders_orders(environment: dict[str, str]) -> dict[str, str]:
    """Without LD_PRELOAD, LD_DEBUG and their like (ld.so(8)): of what they add, the loader writes into the output of
    every program."""
    return {name: value for name, value in environment.items() if not name.startswith("LD_") or name in SEARCHED}


def without_relative_places(environment: dict[str, str]) -> dict[str, str]:
    """As `export LD_LIBRARY_PATH=$LD_LIBRARY_PATH:/usr/local/cuda/lib64` makes one where there was none before."""
    searched = {name: environment[name].split(":") for name in SEARCHED if name in environment}
    absolute = {name: ":".join(filter(os.path.isabs, places)) for name, places in searched.items()}
    return {name: value for name, value in (environment | absolute).items() if value or name not in searched}


class _End:
    """When a child has had its time."""

    def __init__(self, pid: int, seconds: float, processor_seconds: float) -> None:
        self._pid = pid
        self._seconds = seconds
        self._deadline = time.monotonic() + seconds
        self._processor_seconds = processor_seconds
        self._looks_again = time.monotonic() + self._soonest(processor_seconds)

    def next_look(self) -> float:
        """In how many seconds to ask again. TookTooLong where the child has had its time."""
        now = time.monotonic()
        if now >= self._looks_again:
            left = self._processor_seconds - processor_time.of_tree(self._pid)
            if left <= 0:
                raise TookTooLong(self._processor_seconds)
            self._looks_again = now + self._soonest(left)
        if now >= self._deadline:
            raise TookTooLong(self._seconds)
        return min(self._deadline, self._looks_again) - now

    @staticmethod
    def _soonest(processor_seconds: float) -> float:
        """Before that it cannot have had them: so a program that is soon done is never looked at."""
        return max(LEAST_SECONDS_BETWEEN, processor_seconds / (os.cpu_count() or 1))


def _keep_beginning(output: IO[bytes], kept: bytearray, end: _End) -> None:
    """Reads all that comes in the child's time, and keeps one byte more than KEPT_BYTES at most."""
    with selectors.DefaultSelector() as selector:
        selector.register(output, selectors.EVENT_READ)
        while True:
            if not selector.select(end.next_look()):
                continue
            chunk = os.read(output.fileno(), 1 << 16)
            if not chunk:
                return
            kept += chunk[: KEPT_BYTES + 1 - len(kept)]
