"""Messages for students without the folders of the machine that graded them."""

import tempfile
from pathlib import Path

import pytest
from conftest import Course

from tmagrade.judging import host_paths

OWN = Path("/srv/course/build/libraries/0a1b")
OTHERS = [Path("/srv/course"), Path("/opt/cuda")]


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/teacher")


@pytest.mark.parametrize(
    ("printed", "shown"),
    [
        ("/srv/course/build/libraries/0a1b/submission.so: undefined symbol", "submission.so: undefined symbol"),
        ("cannot open /srv/course/grades.csv", "cannot open .../grades.csv"),
        ("'/srv/course'", "'...'"),
        ("LD_LIBRARY_PATH=/opt/cuda/lib64:/home/teacher/lib", "LD_LIBRARY_PATH=.../lib64:.../lib"),
        ("/dev/shm/tmagrade-123-abc/memory/1", ".../memory/1"),
        (f"{tempfile.gettempdir()}/tmagrade-123-abc/x", ".../x"),
        ("/srv/courses of others", "/srv/courses of others"),
        ("/mnt/srv/course", "/mnt/srv/course"),
        ("lab3.cu:12: what() of /submission/submission.so", "lab3.cu:12: what() of /submission/submission.so"),
    ],
)
def test_folders_of_the_machine_are_taken_out(printed: str, shown: str) -> None:
    assert host_paths.without(OWN, OTHERS)(printed) == shown


def test_a_machine_whose_user_has_no_home_keeps_its_slashes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/")
    assert host_paths.without(OWN, OTHERS)("1/2 and /etc/passwd") == "1/2 and /etc/passwd"


def test_the_last_words_of_a_crash_hold_no_host_path(course: Course) -> None:
    [job] = course.grade(course.submit("ada", "one-tile any crash\ntells where it is"))
    message = job.result().parts[0].message
    assert "submission.so" in message
    assert str(course.repository.root) not in message
