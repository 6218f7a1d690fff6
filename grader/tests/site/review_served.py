"""A class of as many students as one likes, and servers of the review page, each a process of its own."""

import json
import os
import re
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PYTHON = ROOT / ".venv/bin/python"
GRADER = {"PYTHONPATH": f"{ROOT / 'grader'}:{ROOT / 'grader/tests/python'}"}


@dataclass
class Served:
    address: str
    process: subprocess.Popen[str]

    def kill(self) -> None:
        """As kill -9 does: it cannot tidy up."""
        self.process.kill()
        self.process.wait()


@dataclass
class ReviewedClass:
    folder: Path

    @property
    def environment(self) -> dict[str, str]:
        own = {"TMAGRADE_STATE": str(self.folder / "state"), "TMAGRADE_TERM": str(self.folder / "term")}
        return os.environ | GRADER | own

    def run(self, *words: str) -> str:
        command = [str(PYTHON), "-m", *words]
        return subprocess.run(
            command, env=self.environment, cwd=ROOT, check=True, capture_output=True, text=True
        ).stdout

    def feedback(self, student: str) -> str:
        return (self.folder / "state/grades" / student / "feedback.md").read_text(encoding="utf-8")

    @staticmethod
    def say(server: "Served", saying: dict[str, object]) -> None:
        """As the page asks."""
        headers = {"Content-Type": "application/json", "Origin": re.sub(r"(//[^/]*)/.*", r"\1", server.address)}
        request = urllib.request.Request(f"{server.address}say", json.dumps(saying).encode(), headers)
        with urllib.request.urlopen(request) as answer:
            assert json.load(answer) == {"notice": ""}

    @contextmanager
    def served(self) -> Iterator[Served]:
        words = [str(PYTHON), "-u", "-m", "tmagrade", "review"]
        with subprocess.Popen(words, env=self.environment, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None
                found = re.search(r"http://\S+", process.stdout.readline())
                assert found is not None
                yield Served(found[0], process)
            finally:
                process.kill()


def write_class(folder: Path, students: int) -> ReviewedClass:
    reviewed = ReviewedClass(folder)
    reviewed.run("review_class", str(folder), str(students))
    return reviewed
