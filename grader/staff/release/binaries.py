"""The programs that a release may hold: what students would compile of ours, and the Python packages that they need.

grader/portable/build.mk has built them; grader/setup/prebuilt.sh uses them in a student's copy.
"""

import filecmp
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from tmagrade.basics.errors import GraderFault, UsageError
from tmagrade.basics.paths import Repository

# What set-up serves, as grader/setup/lock.py has it.
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
# What the command line imports, and what that does; the rest of requirements.txt is for tests.
PACKAGES = frozenset(
    (
        *("typer", "shellingham", "annotated-doc"),
        *("rich", "markdown-it-py", "mdurl", "pygments"),
        *("jinja2", "markupsafe", "pyyaml"),
        *("pydantic", "pydantic-core", "annotated-types", "typing-extensions", "typing-inspection"),
    )
)
RUNTIME = re.compile(r"NEEDED +(libcudart\.so\.\d+)")


def add_binaries(repository: Repository, out: Path) -> None:
    """Fills `out`/prebuilt. What is in there must have been built from the very files that `out` has."""
    built, prebuilt = repository.build / "portable", out / "prebuilt"
    if not (built / "bin/runner").is_file():
        raise UsageError("there are no programs to release; `make release BINARIES=yes` builds them")
    digests = subprocess.run([out / "grader/setup/sources.sh", out], check=True, capture_output=True, text=True).stdout
    for line in digests.splitlines():
        name = line.split("  ", 1)[1]
        # A page that tmaemu --explain prints may lack a line that leads to what students do not have.
        if not name.endswith(".md") and not filecmp.cmp(repository.root / name, out / name, shallow=False):
            raise GraderFault(f"{name} is released otherwise than it is here, where the programs are built from it")
    for folder in ("bin", "lib"):
        shutil.copytree(built / folder, prebuilt / folder)
    needed = subprocess.run(
        ["objdump", "-p", prebuilt / "bin/runner"], check=True, capture_output=True, text=True
    ).stdout
    runtime = RUNTIME.search(needed)
    assert runtime is not None, needed
    (prebuilt / "runtime").write_text(f"{runtime[1]}\n")
    pythons = add_packages(repository.grader / "setup/requirements.txt", prebuilt / "python")
    (prebuilt / "pythons").write_text("".join(f"{python}\n" for python in pythons))
    # Last: with this file the release says that it holds programs.
    (prebuilt / "sources.sha256").write_text(digests)


def add_packages(lock: Path, out: Path) -> list[str]:
    """Unpacks the locked packages, for each version of Python that pip can get them for; answers these versions. A
    version that is missing costs students no more than an installation by pip."""
    out.mkdir(parents=True)
    got = []
    for python in PYTHONS:
        with tempfile.TemporaryDirectory() as folder:
            wheels = Path(folder)
            if not _download(lock, python, wheels):
                continue
            # The packages' own files are the same for each version; compiled ones have the version in their names.
            for wheel in sorted(wheels.glob("*.whl")):
                with zipfile.ZipFile(wheel) as archive:
                    archive.extractall(out)
            got.append(python)
    if not got:
        print("release: pip could fetch no Python packages; students' set-up will", file=sys.stderr)
    return got


def _download(lock: Path, python: str, out: Path) -> bool:
    rows = [row for row in lock.read_text().splitlines(keepends=True) if row.partition("==")[0] in PACKAGES]
    wanted = out / "wanted.txt"
    wanted.write_text("".join(rows))
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--require-hashes"]
    command += ["--no-deps", "--only-binary", ":all:", "--implementation", "cp", "--python-version", python]
    command += ["--platform", "manylinux_2_17_x86_64", "--platform", "manylinux2014_x86_64"]
    done = subprocess.run([*command, "-r", wanted, "-d", out], capture_output=True, text=True)
    return done.returncode == 0
