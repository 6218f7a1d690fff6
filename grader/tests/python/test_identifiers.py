"""Identifiers are written in one way, which cpp_names.py knows."""

from pathlib import Path

import pytest
from cpp_names import misnamed

from tmagrade.basics.paths import HERE

# Folders, or patterns of them, whose C++ is checked.
CHECKED = ("labs", "solutions", "grader")
# What lays out CUDA's structures has CUDA's names.
NOT_OURS = ("grader/emulator/runtime/cudart/device_properties_layout.h",)
# Answers as other people write them, each in a style of its own.
IN_OTHER_STYLES = "grader/tests/similarity/texts"
# Kernels for students and by students: constants may be called LIKE_THIS.
KERNELS = ("labs", "solutions", "grader/tests")
SUFFIXES = (".h", ".cpp", ".cu", ".cuh")


def sources() -> list[Path]:
    folders = [folder for pattern in CHECKED for folder in HERE.root.glob(pattern)]
    files = {path for folder in folders for path in folder.rglob("*") if path.suffix in SUFFIXES and path.is_file()}
    ours = files - {HERE.root / name for name in NOT_OURS}
    return sorted(path for path in ours if not path.is_relative_to(HERE.root / IN_OTHER_STYLES))


def is_kernel(path: Path) -> bool:
    return str(path.relative_to(HERE.root)).startswith(KERNELS)


@pytest.mark.parametrize("pattern", CHECKED)
def test_there_is_something_to_check(pattern: str) -> None:
    assert any(path.suffix in SUFFIXES for folder in HERE.root.glob(pattern) for path in folder.rglob("*"))


def test_identifiers_are_written_as_the_house_writes_them() -> None:
    wrong = [
        f"{path.relative_to(HERE.root)}:{name.line}: {name.text} ({name.rule})"
        for path in sources()
        for name in misnamed(path.read_text(encoding="utf-8"), upper_case_constants=is_kernel(path))
    ]
    assert wrong == []


@pytest.mark.parametrize(
    "declaration",
    [
        "constexpr int kSeconds = 3;",
        "inline constexpr std::array<int, 2> kPair{1, 2};",
        "static const char* const kText[] = {};",
        "int LIMIT = 3;",
        "void DoIt();",
        "std::vector<int> allOfThem(int count) { return {}; }",
        "auto doIt = [] {};",
        "void f(int theCount, const Thing& aThing);",
        "struct Thing { int memberOne = 0; };",
        "for (const auto& theItem : items) {}",
        "enum class Verdict { kPass };",
        "enum class Verdict : int { pass = 1, Fail };",
        "enum { kOne, two };",
        "struct snake_type {};",
        "class camelType final : public Base {};",
        "enum class lower { one };",
        "using my_alias = int;",
    ],
)
def test_a_name_of_another_style_is_found(declaration: str) -> None:
    assert len(misnamed(declaration)) >= 1


@pytest.mark.parametrize(
    "text",
    [
        "constexpr int seconds = 3;\nint trailing_ = 0;\nint f(int n_2);",
        "struct Thing {\n  Thing();\n  explicit Thing(int x);\n  ~Thing();\n  Thing& operator=(const Thing&);\n};",
        "enum class Verdict { pass, fail = 2 };\nauto v = Verdict::pass;",
        "using u32 = std::uint32_t;\nusing Handler = void (*)(int);",
        "template <class T, int N, typename Rest>\nT get(Rest rest) { return T(rest, N); }",
        "TEST(Suite, NameOfTheTest) { EXPECT_EQ(1, 1); }",
        '// kSeconds in a comment\nconst char* text = "int kSeconds = 3;";\n#define kSeconds 3\n',
        'auto raw = R"(int kSeconds = 3;)";',
        "cudaError_t cudaMalloc(void** pointer, size_t bytes);\nCUresult cuInit(unsigned flags);",
        "int i = blockIdx.x * gridDim.x;",
        "int status = WEXITSTATUS(raw);\nreturn WIFEXITED(raw) && WEXITSTATUS(raw) == 0;",
        "void SetUp() override;",
    ],
)
def test_what_is_written_as_it_should_be_is_not_found(text: str) -> None:
    assert misnamed(text) == []


def test_kernels_may_call_their_constants_like_this() -> None:
    text = "inline constexpr int TILE_INTS = 1024;"
    assert misnamed(text, upper_case_constants=True) == []
    assert [name.text for name in misnamed(text)] == ["TILE_INTS"]


def test_the_line_is_that_of_the_name() -> None:
    [name] = misnamed("/* two\nlines */ int a = 1'000;\n\nint kB = 2;\n")
    assert (name.text, name.line) == ("kB", 4)
