"""Child processes that end with the grader: all are killed, with their own children, on Ctrl-C."""

import contextlib
import os
import signal
import subprocess
import threading
from dataclasses import dataclass
from pathlib import Path


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

    def run(self, command: list[str], *, cwd: Path, environment: dict[str, str], timeout_seconds: float) -> Finished:
        with self._lock:
            if self._stopped:
                raise KeyboardInterrupt
            process = subprocess.Popen(
                command,
                cwd=cwd,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                start_new_session=True,
            )
            self._running.add(process.pid)
        try:
            output, _ = process.communicate(timeout=timeout_seconds)
            timed_out = False
        except subprocess.TimeoutExpired:
            self._kill(process.pid)
            output, _ = process.communicate()
            timed_out = True
        finally:
            with self._lock:
                self._running.discard(process.pid)
                stopped = self._stopped
        if stopped:
            raise KeyboardInterrupt
        return Finished(process.returncode, output, timed_out)

    def stop(self) -> None:
        with self._lock:
            self._stopped = True
            for pid in self._running:
                self._kill(pid)

    @staticmethod
    def _kill(group: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(group, signal.SIGKILL)
