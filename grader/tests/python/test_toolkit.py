"""The compiler's command and its messages."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import Course, write_program

from tmagrade.basics.errors import GraderFault
from tmagrade.basics.paths import HERE
from tmagrade.building.compiler_output import (
    LONGEST_LINE,
    MAIN_OF_THE_LIBRARY,
    WHERE_NOTES_ARE_EXPLAINED,
    compiler_lines,
    compiler_warnings,
)
from tmagrade.building.nvcc import library_command, target
from tmagrade.building.sandbox import NoSandbox
from tmagrade.course.labs import Lab
from tmagrade.machine.toolkit import Toolkit, find_toolkit


def test_the_toolkit_that_the_set_up_chose_comes_first(course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_HOME", str(course.toolkit.home))
    chosen = course.repository.root / ".venv/cuda"
    assert find_toolkit(course.repository).home == course.toolkit.home
    write_program(chosen / "bin/nvcc", "#!/bin/sh\n")
    assert find_toolkit(course.repository).home == chosen


def test_no_toolkit_is_a_fault_that_says_what_to_type(course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tmagrade.machine.toolkit.USUAL_PLACE", "/nowhere")
    monkeypatch.delenv("CUDA_HOME", raising=False)
    with pytest.raises(GraderFault, match="make setup"):
        find_toolkit(course.repository)


def test_cublaslt_is_found_in_a_whole_toolkit_or_among_nvidias_wheels(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.prefix", str(tmp_path / "python"))
    assert Toolkit(tmp_path / "cuda").product_library is None
    of_a_wheel = tmp_path / "python/lib/python3.11/site-packages/nvidia/cu13/lib/libcublasLt.so.13"
    of_the_toolkit = tmp_path / "cuda/lib64/libcublasLt.so"
    for library in (of_a_wheel, of_the_toolkit):
        library.parent.mkdir(parents=True)
        library.touch()
    assert Toolkit(tmp_path / "cuda").product_library == of_the_toolkit
    assert Toolkit(tmp_path / "elsewhere").product_library == of_a_wheel


def test_the_toolkits_version_has_its_build(course: Course) -> None:
    assert course.toolkit.version == "13.0.88"


def test_the_compiler_is_told_no_path_that_leads_out_of_the_course(course: Course) -> None:
    stage = course.repository.work / "ada/lab3-bulk-copy"
    command = library_command(course.toolkit, course.repository, course.labs[0], stage)
    assert command[0] == str(course.toolkit.nvcc)
    assert not any(Path(word.removeprefix("-I")).is_absolute() for word in command[1:])
    assert "-I../../../../labs/common" in command


def test_a_course_whose_build_folder_is_a_link_is_built_all_the_same(course: Course, tmp_path: Path) -> None:
    (tmp_path / "large/disk").mkdir(parents=True)
    repository = course.repository
    repository.build.rename(tmp_path / "large/disk/build")
    repository.build.symlink_to(tmp_path / "large/disk/build")
    stage = repository.work / "tmagrade-x/stage"
    stage.mkdir(parents=True)
    command = NoSandbox(repository, course.toolkit).compiler(course.labs[0], stage)
    [common] = [word[2:] for word in command if word.endswith("labs/common")]
    assert (stage.resolve() / common).samefile(repository.labs / "common")


def test_the_passes_for_host_and_device_are_compiled_side_by_side(course: Course) -> None:
    command = library_command(course.toolkit, course.repository, course.labs[0], course.repository.work)
    assert command[command.index("--threads") + 1] == "2"


def codes(lab: Lab) -> list[str]:
    return [word for word in target(lab) if word.startswith("arch=")]


def test_a_lab_is_compiled_for_hopper(course: Course) -> None:
    assert codes(course.labs[0]) == ["arch=compute_90a,code=[sm_90a,compute_90a]"]


def test_the_architectures_of_parts_for_later_gpus_are_compiled_to_ptx(course: Course) -> None:
    lab3 = course.labs[0]
    later = replace(lab3, parts=tuple(replace(part, architecture="100a") for part in lab3.parts))
    assert codes(later) == [*codes(lab3), "arch=compute_100a,code=compute_100a"]


def test_a_students_messages_begin_at_the_first_error() -> None:
    output = """lab3.cu(3): warning #177-D: variable "x" was declared but never referenced

./lab3.cu(9): error: expected a ";"

1 error detected in the compilation of "../../../../grader/checks/lab3-bulk-copy/entry.cu".
"""
    assert compiler_lines(output) == 'lab3.cu(9): error: expected a ";"'


@pytest.mark.parametrize("above", ["../grader/", "../../../../"])
def test_messages_name_the_courses_files_without_the_way_to_them(above: str) -> None:
    assert compiler_lines(f"{above}labs/common/tma.cuh(3): error: no") == "labs/common/tma.cuh(3): error: no"
    assert compiler_lines(f"{above}grader/checks/lab3/entry.cu(1): error: no") == "checks/lab3/entry.cu(1): error: no"


@pytest.mark.parametrize(
    "output",
    [
        "lab3.cu(6): warning #177-D: declared but never referenced\nSegmentation fault (core dumped)",
        "error: Copy one register into another with a different width",
        "nvcc error   : 'cicc' died due to signal 11 (Invalid memory reference)",
    ],
)
def test_a_crash_of_the_compilers_is_told_as_one(output: str) -> None:
    said = compiler_lines(output)
    assert said.startswith("nvcc itself crashes on this text")
    assert said.endswith("source and destination are exchanged")


def test_a_library_that_would_be_too_large_is_no_error_of_the_compilers() -> None:
    of_gcc = "gcc: internal compiler error: File size limit exceeded signal terminated program as\nPlease submit a bug"
    assert compiler_lines(of_gcc).startswith("what the compiler makes of this text is larger than a file may be")


def test_an_error_of_ptxas_names_the_function_as_the_student_does() -> None:
    line = "ptxas error   : Entry function '_Z12add_one_tilePii' uses too much shared data (0x18010 bytes, 0xc000 max)"
    assert compiler_lines(line).startswith("ptxas error   : Entry function 'add_one_tile' uses too much shared data")


def test_messages_call_a_students_main_as_the_student_does() -> None:
    line = f'lab6.cu(3): error: function "{MAIN_OF_THE_LIBRARY}" has already been defined'
    assert compiler_lines(line) == 'lab6.cu(3): error: function "main" has already been defined'
    assert MAIN_OF_THE_LIBRARY not in compiler_warnings(line.replace("error", "warning"))


def test_a_warning_that_the_compiler_repeats_for_another_architecture_is_told_once() -> None:
    unused = """./lab9.cu(64): warning #177-D: variable "a" was declared but never referenced
    int a;
        ^

Remark: The warnings can be suppressed with "-diag-suppress <warning-number>"

./lab9.cu(178): warning #177-D: variable "a" was declared but never referenced
    int a;
        ^
"""
    said = compiler_warnings(unused + unused)
    assert [line for line in said.splitlines() if "warning" in line] == [
        'lab9.cu(64): warning #177-D: variable "a" was declared but never referenced',
        'lab9.cu(178): warning #177-D: variable "a" was declared but never referenced',
    ]
    assert said == compiler_warnings(unused)


READS_TOO_EARLY = (
    "ptxas info    : (C7514) Potential Performance Loss: wgmma.mma_async instructions are serialized due to non wgmma "
    "instructions reading accumulator registers of  a wgmma between start and end of the pipeline stage in the "
    "function "
)


@pytest.mark.parametrize(
    ("mangled", "name"),
    [
        ("_Z11specializedILb1EEvPKiPi", "specialized"),
        ("_ZN3own8multiplyEPf", "multiply"),
        ("_ZN12_GLOBAL__N_18multiplyILi4EEEvPf", "multiply"),
        ("_Z18specialized_matmul14CUtensorMap_stS_P13__nv_bfloat16ii", "specialized_matmul"),
        ("_ZN3own8multiplyE14CUtensorMap_stPf", "multiply"),
        ("_ZL8multiply14CUtensorMap_st", "multiply"),
        ("multiply", "multiply"),
    ],
)
def test_what_ptxas_notes_of_products_is_told_with_the_functions_name(mangled: str, name: str) -> None:
    assert compiler_warnings(f"{READS_TOO_EARLY}'{mangled}'\n") == (
        "ptxas: (C7514) Potential Performance Loss: wgmma.mma_async instructions are serialized due to non wgmma "
        "instructions reading accumulator registers of a wgmma between start and end of the pipeline stage in the "
        f"function '{name}'\n{WHERE_NOTES_ARE_EXPLAINED}"
    )


def test_a_wait_that_ptxas_adds_is_told_once_of_each_function() -> None:
    note = "ptxas info    : (C7517) warpgroup.wait is injected in around line {} by compiler in function '_Z1fv'\n"
    assert compiler_warnings(note.format(885) + note.format(2034)) == (
        f"ptxas: (C7517) warpgroup.wait is injected by compiler in function 'f'\n{WHERE_NOTES_ARE_EXPLAINED}"
    )


def test_the_page_that_explains_what_ptxas_notes_has_such_a_section() -> None:
    page, section = re.fullmatch(r"read: (\S+), (.+)", WHERE_NOTES_ARE_EXPLAINED).groups()  # type: ignore[union-attr]
    assert f"\n## {section}\n" in (HERE.root / page).read_text(encoding="utf-8")


def test_what_ptxas_says_of_right_code_is_not_told() -> None:
    arrives = "ptxas info    : (C7519) warpgroup.arrive is injected in around line 3 by compiler in function '_Z1fv'\n"
    assert compiler_warnings("ptxas info    : 0 bytes gmem\n" + arrives) == ""


def test_many_messages_are_cut() -> None:
    output = "\n".join(f"lab3.cu({line}): error: no" for line in range(30))
    assert compiler_lines(output).splitlines()[-1] == "... and 10 more lines"


def test_a_line_without_end_is_cut() -> None:
    """What takes the square of its length would be at it for an hour."""
    line = "lab3.cu:1:2: error: #error " + "../" * 300_000
    assert compiler_lines(line) == line[:LONGEST_LINE]


def test_messages_without_an_error_are_kept() -> None:
    assert compiler_lines("nvcc fatal: out of memory") == "nvcc fatal: out of memory"
