"""What `make test-repositories` says of a program: grader/tests/real/repositories."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

REPOSITORIES = Path(__file__).parents[1] / "real/repositories"
sys.path.append(str(REPOSITORIES))

import repositories as command  # noqa: E402
from emulated import Ran  # noqa: E402
from repositories import Outcome, joined, page, seconds_of, verdict, with_digests  # noqa: E402
from sources import (  # noqa: E402
    TABLE,
    NoSources,
    Program,
    Repository,
    digest_of,
    have_sources,
    read_table,
    sources_of,
)

PROGRAM = Program("samples", "Samples/scan")
RIGHT = Ran(0, "Test passed\n", "")
FOUND = "a.cu:7:5: error: shared memory is read that nobody has written [uninitialized-read]\n"
ARRAYS = "tmaemu: cudaMallocArray is not modeled: texture and surface objects are out of the course's scope\n"


def test_a_program_that_ends_well_is_right() -> None:
    assert verdict(PROGRAM, RIGHT) == ""


@pytest.mark.parametrize("ran", [replace(RIGHT, returncode=1), replace(RIGHT, stdout="Test FAILED\n")])
def test_a_program_that_ends_otherwise_or_says_so_is_wrong(ran: Ran) -> None:
    assert "an H200 finds its result right" in verdict(PROGRAM, ran)


def test_a_program_that_ends_with_0_either_way_has_to_say_that_it_is_right() -> None:
    program = replace(PROGRAM, says="(?m)^Error count: 0$")
    assert verdict(program, replace(RIGHT, stdout="Error count: 0\n")) == ""
    assert "an H200 finds its result right" in verdict(program, replace(RIGHT, stdout="Error count: 10\n"))


def test_a_finding_that_is_not_explained_is_told() -> None:
    assert verdict(PROGRAM, replace(RIGHT, stderr=FOUND)) == "found uninitialized-read, expected nothing"


def test_a_finding_that_is_explained_has_to_be_there() -> None:
    explained = replace(PROGRAM, findings=("uninitialized-read",))
    assert verdict(explained, replace(RIGHT, stderr=FOUND)) == ""
    assert verdict(explained, RIGHT) == "found nothing, expected uninitialized-read"


def test_what_the_emulator_lacks_is_named() -> None:
    refused = replace(PROGRAM, refuses="cudaMallocArray")
    assert verdict(refused, Ran(1, "", ARRAYS)) == ""
    assert "brought up to date" in verdict(refused, RIGHT)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "with spaces/samples/Samples/scan"
    folder.mkdir(parents=True)
    for name in ("scan.cu", "main.cpp", "scan_kernel.cu", "scan.h", "README.md"):
        (folder / name).write_text(f"// {name}\n")
    return tmp_path / "with spaces/samples"


def test_a_folders_sources_are_compiled_together_but_not_what_the_program_loads(root: Path) -> None:
    program = replace(PROGRAM, kernels="scan_kernel.cu")
    assert [path.name for path in sources_of(program, root)] == ["main.cpp", "scan.cu"]


def test_the_digest_is_of_sources_and_headers_alone(root: Path) -> None:
    before = digest_of(PROGRAM, root)
    (root / "Samples/scan/README.md").write_text("other words")
    (root / "Samples/scan/scan.h").write_bytes(b"// scan.h\r\n")
    assert digest_of(PROGRAM, root) == before
    (root / "Samples/scan/scan.h").write_text("// another")
    assert digest_of(PROGRAM, root) != before


def test_changed_sources_are_neither_built_nor_run(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "run", lambda *_: pytest.fail("was run"))
    changed = replace(PROGRAM, digest="0" * 16)
    assert "have changed" in command.test(Repository("samples", "", ""), changed, root).wrong


def test_what_a_program_loads_is_there_as_a_fat_binary_and_as_ptx(root: Path) -> None:
    program = replace(PROGRAM, kernels="scan_kernel.cu")
    commands = command.compilations(Repository("samples", "", ""), program, root, root / "scan.program")
    assert [words[words.index("-o") + 1] for words in commands[1:]] == ["scan_kernel64.fatbin", "scan_kernel64.ptx"]


def test_what_a_program_is_compiled_with_is_not_for_what_it_loads(root: Path) -> None:
    program = replace(PROGRAM, kernels="scan_kernel.cu", options=("other.cpp",))
    commands = command.compilations(Repository("samples", "", ""), program, root, root / "scan.program")
    assert ["other.cpp" in words for words in commands] == [True, False, False]


def test_of_programs_that_are_not_asked_for_no_repository_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    def have(repository: Repository, *_: object) -> Path:
        assert repository.name == "cuda-samples"
        return Path()

    monkeypatch.setattr(command, "have_sources", have)
    monkeypatch.setattr(command, "test", lambda _, program, __: Outcome(program, "", "", RIGHT))
    monkeypatch.setattr(sys, "argv", ["repositories.py", "vectorAdd"])
    assert command.main() == 0


def test_a_folder_with_copies_takes_the_place_of_the_network(root: Path, tmp_path: Path) -> None:
    repository = Repository("samples", "https://nowhere.invalid/samples", "0" * 40)
    assert have_sources(repository, root.parent, tmp_path) == root
    with pytest.raises(NoSources, match="git clone"):
        have_sources(replace(repository, name="others"), root.parent, tmp_path)


def test_git_fetches_one_commit_and_leaves_nothing_where_it_cannot(root: Path, tmp_path: Path) -> None:
    def git(*words: str) -> str:
        who = ["-c", "user.name=somebody", "-c", "user.email=somebody@example.org"]
        return subprocess.run(["git", "-C", str(root), *who, *words], check=True, capture_output=True, text=True).stdout

    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "samples")
    commit = git("rev-parse", "HEAD").strip()
    cache = tmp_path / "cache"
    fetched = have_sources(Repository("samples", root.as_uri(), commit), None, cache)
    assert digest_of(PROGRAM, fetched) == digest_of(PROGRAM, root)
    with pytest.raises(NoSources, match="SOURCES=folder"):
        have_sources(Repository("samples", root.as_uri(), "0" * 40), None, cache)
    assert [path.name for path in cache.iterdir()] == [fetched.name]


def test_writing_puts_each_digest_into_the_table() -> None:
    text = '[s]\nurl = ""\ncommit = ""\n[s.programs]\n"Samples/scan" = { }\n"b" = { digest = "0", refuses = "x" }\n'
    outcomes = [Outcome(PROGRAM, "a1", "", RIGHT), Outcome(Program("s", "b"), "b2", "", RIGHT)]
    written = read_table(with_digests(text, outcomes))[0].programs
    assert [(program.digest, program.refuses) for program in written] == [("a1", ""), ("b2", "x")]


EXPLAINED = Program("samples", "a/one", findings=("data-race",), why="It races.")
REFUSED = Program("samples", "a/two", refuses="cudaMallocArray")
SAMPLES = Repository("samples", "https://example.org/samples", "abc", programs=(EXPLAINED, REFUSED))


def test_the_page_has_what_runs_its_findings_and_what_is_refused() -> None:
    text = page([SAMPLES], {"`one`": "0.3"})
    assert "[samples](https://example.org/samples/tree/abc)" in text
    assert "| `one` | 0.3 | [data-race](../findings/data-race.md) |" in text
    assert "- `one`: It races." in text
    assert "| `two` | `cudaMallocArray` |" in text


def test_what_was_not_run_keeps_its_seconds_on_the_page() -> None:
    other = Program("samples", "a/other", runs=(("1",), ("2",)), constants=(("N", "8"),))
    before = page([replace(SAMPLES, programs=(EXPLAINED, other))], {"`one`": "0.3", other.called: "7.5"})
    ran = Outcome(EXPLAINED, "", "", replace(RIGHT, seconds=1.0))
    assert seconds_of([ran], before) == {"`one`": "1.0", other.called: "7.5"}


def test_a_program_is_named_with_its_runs_and_the_constants_that_are_changed() -> None:
    program = Program("samples", "a/softmax.cu", runs=(("1",), ("2",)), constants=(("B", "1"), ("T", "64")))
    assert program.called == "`softmax {1,2}` with `B = 1`, `T = 64`"
    assert Program("samples", "a/scan", runs=(("-n", "8"),)).called == "`scan -n 8`"


def test_several_runs_are_one_that_is_right_where_each_is() -> None:
    whole = joined([replace(RIGHT, seconds=1.0), Ran(3, "", FOUND, 2.0)])
    assert (whole.returncode, whole.findings, whole.seconds) == (3, ("uninitialized-read",), 3.0)
    assert joined([RIGHT, RIGHT]).returncode == 0


def test_constants_get_other_values_in_a_copy_that_is_no_source_of_its_own(root: Path) -> None:
    source = root / "Samples/scan/scan.cu"
    source.write_text("int main() {\n  const long B = 8;\n  int T = 1024; // int B = C;\n}\n")
    program = Program("samples", "Samples/scan/scan.cu", constants=(("B", "2"),))
    before = digest_of(PROGRAM, root)
    (copy,) = sources_of(program, root)
    assert copy.read_text() == "int main() {\n  const long B = 2;\n  int T = 1024; // int B = C;\n}\n"
    assert digest_of(PROGRAM, root) == before
    assert copy not in sources_of(PROGRAM, root)


def test_constants_of_a_source_that_is_included_get_other_values_in_a_copy_for_this_program(root: Path) -> None:
    (root / "Samples/scan/scan.cu").write_text('#include "main.cu"\n')
    (root / "Samples/scan/main.cu").write_text("int main() {\n  int N;\n  N = 4096;\n  // N = 8192;\n}\n")
    (copy,) = sources_of(Program("samples", "Samples/scan/scan.cu", constants=(("N", "64"),)), root)
    assert copy.read_text() == '#include "main.smaller.scan.cu"\n'
    main = copy.with_name("main.smaller.scan.cu").read_text()
    assert main == "int main() {\n  int N;\n  N = 64;\n  // N = 8192;\n}\n"


def test_constants_of_several_files_get_other_values_in_copies_of_all(root: Path) -> None:
    (root / "Samples/scan/scan.h").write_text("#define ROWS 512\n#define ROWS_PER_CTA 8\n")
    program = replace(PROGRAM, constants=(("ROWS", "64"),))
    before = digest_of(PROGRAM, root)
    copies = sources_of(program, root)
    assert [path.name for path in copies] == ["main.cpp", "scan.cu", "scan_kernel.cu"]
    assert copies[0].with_name("scan.h").read_text() == "#define ROWS 64\n#define ROWS_PER_CTA 8\n"
    assert digest_of(PROGRAM, root) == before


def test_a_constant_that_is_not_there_is_named(root: Path) -> None:
    program = Program("samples", "Samples/scan/scan.cu", constants=(("B", "2"),))
    assert "no, or more than one, constant B" in command.test(Repository("samples", "", ""), program, root).wrong


def test_the_digest_of_a_file_is_of_what_it_includes_too(root: Path) -> None:
    program = Program("samples", "Samples/scan/scan.cu")
    (root / "Samples/scan/scan.cu").write_text('#include "scan.h"\n#include "not_there.h"\n')
    before = digest_of(program, root)
    (root / "Samples/scan/main.cpp").write_text("// another")
    assert digest_of(program, root) == before
    (root / "Samples/scan/scan.h").write_text("// another")
    assert digest_of(program, root) != before


def test_each_program_of_the_table_has_a_digest_and_a_reason_for_each_finding() -> None:
    programs = [program for repository in read_table(TABLE.read_text()) for program in repository.programs]
    assert len(programs) >= 60
    assert [program.name for program in programs if not program.digest] == []
    assert [program.name for program in programs if bool(program.findings) != bool(program.why)] == []
