"""The launches that the pages of findings run: the page's wrong kernel and its right one, a fourth as large."""

import tempfile
from pathlib import Path

from finding_examples import PROGRAM, examples, kernel_of, program_of, smaller
from launches import compiled, launch_of

# Of the others, one instruction says it all: there is nothing to step through.
CODES = (
    *("missing-proxy-fence", "unsynchronized-tma-store", "read-before-wait", "write-during-load"),
    *("store-of-loading-tile", "overwrite-before-read-done", "load-over-unread-data", "overlapping-tma-writes"),
    *("smem-released-early", "exit-during-bulk-copy", "store-not-awaited", "wait-wrong-parity", "phase-overrun"),
    *("expect-too-many", "expect-too-few", "arrival-overflow", "barrier-reinit", "missing-barrier-init-fence"),
    *("wait-without-commit", "divergent-issue", "divergent-barrier", "data-race", "cluster-not-ready"),
    *("barrier-of-another-cta", "deadlock"),
)
KINDS = ("wrong", "right")


def name_of(code: str, kind: str) -> str:
    """What the archive calls the launch of an example."""
    return f"findings/{code}/{kind}"


def kernels() -> dict[tuple[str, str], str]:
    bodies = examples()
    return {(kind, code): smaller(kernel_of(code, bodies[kind, code])) for code in CODES for kind in KINDS}


def program_of_all(nvcc: Path, folder: Path) -> Path:
    """One program with all of the kernels, compiled in the folder, where their sources lie, too."""
    texts = kernels()
    for (kind, code), text in texts.items():  # so that the emulator can quote them
        (folder / kind).mkdir(exist_ok=True)
        (folder / kind / f"{code}.cu").write_text(text, encoding="utf-8")
    source = folder / "examples.cu"
    source.write_text(program_of(texts, smaller(PROGRAM)), encoding="utf-8")
    return compiled(nvcc, source, "-diag-suppress=177,550")


def all_launches(nvcc: Path) -> dict[str, str]:
    """The text of every launch, by its name in the archive."""
    with tempfile.TemporaryDirectory() as folder:
        program = program_of_all(nvcc, Path(folder))
        return {
            name_of(code, kind): launch_of(program, f"{code}.cu", text.splitlines(), f"{kind} {code}")
            for (kind, code), text in kernels().items()
        }
