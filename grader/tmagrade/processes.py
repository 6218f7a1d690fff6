"""Child processes that end with the grader: on Ctrl-C, and also when it is killed itself."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path

from tmagrade import guard

# A child waits for its name to be known to the guard. Should the grader die before, `read` finds the end of the pipe.
START = 'read -r start && exec "$@" </dev/null'


@dataclass(frozen=True)
class Finished:
    status: int  # as subprocess has it: negative for a signal
    output: str  # stdout and stderr, as they came
    timed_out: bool = False


class Processes:
    """Runs programs from several threads; stop() ends those that run and refuses further ones."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: set[int] = set()
        self._stopped = False
        self._guard: subprocess.Popen[str] | None = None

    def run(self, command: list[str], *, cwd: Path, environment: dict[str, str], timeout_seconds: float) -> Finished:
        with self._lock:
            if self._stopped:
                raise KeyboardInterrupt
            process = subprocess.Popen(
                ["/bin/sh", "-c", START, "sh", *command],
                cwd=cwd,
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                start_new_session=True,
            )
            self._running.add(process.pid)
            self._tell_guard(f"+{process.pid}")
        try:
            output, _ = process.communicate("start\n", timeout=timeout_seconds)
            timed_out = False
        except subprocess.TimeoutExpired:
            self._kill(process.pid)
            output, _ = process.communicate()
            timed_out = True
        except BaseException:
            self._kill(process.pid)
            process.wait()
            raise
        finally:
            with self._lock:
                self._running.discard(process.pid)
                self._tell_guard(f"-{process.pid}")
                stopped = self._stopped
        if stopped:
            raise KeyboardInterrupt
        return Finished(process.returncode, output, timed_out)

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

    def _tell_guard(self, line: str) -> None:
        if self._guard is None:
            self._guard = subprocess.Popen(
                [sys.executable, "-I", "-S", guard.__file__], stdin=subprocess.PIPE, text=True, start_new_session=True
            )
        assert self._guard.stdin is not None
        self._guard.stdin.write(line + "\n")
        self._guard.stdin.flush()

    @staticmethod
    def _kill(group: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(group, signal.SIGKILL)
