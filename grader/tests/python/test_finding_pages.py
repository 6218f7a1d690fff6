"""handout/findings has a page for each code, its examples are what it says they are, and tmaemu --explain prints it."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tmagrade.basics.paths import HERE
from tmagrade.machine.toolkit import find_toolkit

sys.path.insert(0, str(HERE.root / "handout/site/stepping"))

from finding_examples import (
    EXAMPLE,
    INDEX,
    PAGES,
    WITH_WGMMA,
    examples,
    kernel_of,
    program_of,
    text_of,
    wgmma_examples,
)

TMAEMU = HERE.build / "bin/tmaemu"

SENTENCE = re.compile(r"\A# ([a-z-]+)\n\n\*\*([^*]+\.)\*\*\n\n")
ROW = re.compile(r"^\| \[([a-z-]+)\]\(([a-z-]+)\.md\) \| (.+) \|$", re.MULTILINE)
WRONG = "  // WRONG: "

# Not about a kernel that could be mended.
WITHOUT_EXAMPLE = {"not-modeled", "not-told", "refused-launch"}
# Codes of the registry that no check reports.
NEVER_REPORTED = {"invalid-address-space"}


def name_of(page: Path) -> str:
    return page.stem


def registry() -> list[str]:
    printed = subprocess.run([TMAEMU, "--findings=json"], capture_output=True, text=True, check=True)
    return [row["code"] for row in json.loads(printed.stdout)["codes"]]


EXAMPLES = examples()
WGMMA_EXAMPLES = wgmma_examples()


# The pages


def test_every_code_of_the_registry_has_a_page() -> None:
    assert set(registry()) <= {page.stem for page in PAGES}


def test_the_index_has_every_page_in_its_own_words() -> None:
    rows = ROW.findall(text_of(INDEX))
    assert all(code == file for code, file, _ in rows)
    sentences = {page.stem: SENTENCE.match(text_of(page))[2] for page in PAGES}  # type: ignore[index]
    assert {code: sentence for code, _, sentence in rows} == sentences
    assert len(rows) == len(sentences)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_page_has_the_form_of_a_page(page: Path) -> None:
    text = text_of(page)
    begin = SENTENCE.match(text)
    assert begin and begin[1] == page.stem
    assert len(begin[2]) <= 70, "is a line of the list"
    alone, sections = WITH_WGMMA.subn("", text)
    assert 20 <= len(alone.splitlines()) <= 60, "is short"
    assert len(text.splitlines()) - len(alone.splitlines()) <= 32 * sections, "so is what it says of wgmma"
    assert "```text\n" in text, "has a picture"
    kinds = [kind for kind, _ in EXAMPLE.findall(text)]
    assert kinds == ([] if page.stem in WITHOUT_EXAMPLE else ["Wrong", "Right"])
    assert text.count(WRONG) == len(kinds) // 2 + sections, "marks the line that is wrong"
    assert all(
        len(line) <= 104
        for block in re.findall(r"^```\w+\n(.*?)^```", text, re.M | re.S)
        for line in block.splitlines()
    )


# The examples

Run = Callable[[str], str]


@pytest.fixture(scope="module")
def run_example(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Runs an example on the emulator; what is told of it."""
    source = tmp_path_factory.mktemp("examples") / "examples.cu"
    kernels = {name: kernel_of(name[1], body) for name, body in (EXAMPLES | WGMMA_EXAMPLES).items()}
    source.write_text(program_of(kernels))
    program = source.with_suffix("")
    command: list[str | Path] = [
        find_toolkit(HERE).nvcc,
        "-cudart",
        "shared",
        "-gencode",
        "arch=compute_90a,code=[sm_90a,compute_90a]",
    ]
    options = ["-lineinfo", "-std=c++20", "-diag-suppress=177,550", f"-I{HERE.root / 'labs/common'}"]
    subprocess.run([*command, *options, "-o", program, source], check=True)

    def run(name: str) -> str:
        return subprocess.run([TMAEMU, program, name], capture_output=True, text=True, timeout=60).stderr

    return run


@pytest.mark.parametrize("code", [code for kind, code in EXAMPLES if kind == "right"])
def test_what_is_right_has_no_finding(run_example: Run, code: str) -> None:
    assert run_example(f"right {code}") == ""


@pytest.mark.parametrize("code", [code for kind, code in EXAMPLES if kind == "wrong" and code not in NEVER_REPORTED])
def test_what_is_wrong_has_the_finding(run_example: Run, code: str) -> None:
    assert f"[{code}]" in run_example(f"wrong {code}")


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_section_on_wgmma_has_both_examples(page: Path) -> None:
    assert text_of(page).count("## With wgmma") == len(WITH_WGMMA.findall(text_of(page)))


@pytest.mark.parametrize("code", [code for kind, code in WGMMA_EXAMPLES if kind == "right_wgmma"])
def test_what_is_right_with_wgmma_has_no_finding(run_example: Run, code: str) -> None:
    assert run_example(f"right_wgmma {code}") == ""


@pytest.mark.parametrize("code", [code for kind, code in WGMMA_EXAMPLES if kind == "wrong_wgmma"])
def test_what_is_wrong_with_wgmma_has_the_finding(run_example: Run, code: str) -> None:
    assert f"[{code}]" in run_example(f"wrong_wgmma {code}")


# tmaemu --explain


def explain(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([TMAEMU, "--explain", *arguments], capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_page_is_printed_without_marks(page: Path) -> None:
    printed = explain(page.stem)
    assert (printed.returncode, printed.stderr) == (0, "")
    assert printed.stdout.startswith(f"{page.stem}\n\n")
    assert not re.search(r"```|^#+ |\]\(|\*\*|`|\x1b", printed.stdout, re.MULTILINE)
    for _, body in EXAMPLE.findall(text_of(page)):
        assert "".join(f"    {line}\n" for line in body.splitlines()) in printed.stdout


def test_a_code_may_be_given_as_findings_print_it() -> None:
    assert explain("[deadlock]").stdout == explain("deadlock").stdout


def test_the_list_has_a_line_for_each_code() -> None:
    lines = {" ".join(line.split()) for line in explain().stdout.splitlines()}
    for page in PAGES:
        begin = SENTENCE.match(text_of(page))
        assert begin and f"{begin[1]} {begin[2]}".replace("`", "") in lines


@pytest.mark.parametrize(
    ("asked", "nearest"),
    [
        ("expect-to-many", "expect-too-many"),
        ("proxy-fence", "missing-proxy-fence"),
        ("dedlock", "deadlock"),
        ("missing_proxy_fence", "missing-proxy-fence"),
    ],
)
def test_an_unknown_code_gets_the_nearest(asked: str, nearest: str) -> None:
    printed = explain(asked)
    assert (printed.returncode, printed.stdout) == (2, "")
    assert printed.stderr.startswith(f"tmaemu: there is no finding '{asked}'; the nearest are {nearest}")
    assert len(printed.stderr.splitlines()) == 1


def test_one_code_is_explained_at_a_time() -> None:
    assert explain("deadlock", "trap").returncode == 2


def test_help_has_an_example() -> None:
    printed = subprocess.run([TMAEMU, "--help"], capture_output=True, text=True, check=True).stdout
    assert "\n  tmaemu --explain missing-proxy-fence\n" in printed
