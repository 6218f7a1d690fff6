"""The repository uses the field's words and American spelling: no word of words.toml stands in code, comments,
messages or prose."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tmagrade.basics.paths import HERE

TABLE = HERE.root / "grader/tests/words.toml"
EXAMPLES = Path(__file__)  # has the words that it looks for

# Files, folders, or patterns of them, that are checked.
CHECKED = ("README.md", "Makefile", "maintainer.mk", "handout", "labs", "solutions", "docker", "grader")
NAME = re.compile(
    r".*\.(?:md|py|cpp|h|def|cu|cuh|toml|sh|mk|yaml|j2|css|js|json|txt|map)|Makefile|Dockerfile|run_autograder"
)
# Generated from sources that are checked themselves, or written by others.
NOT_OURS = (
    *(f"handout/reference/{page}.md" for page in ("attacks", "hazards", "instructions")),
    "grader/emulator/runtime/exports",
)

# An identifier's words: HTTPServer_names2 is http, server, names.
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
# What may stand between the words of a phrase: the end of a line, and the marks of a comment.
BETWEEN = re.compile(r"[\s/#*]+")
# Names of others, in their own spelling: CUDA's, CUTLASS's, and a state of Slurm's jobs.
NAME_OF_OTHERS = re.compile(r"\b(?:cu|cuda|CU|CUDA)_?[A-Z]\w*|\bcutlass(?:(?:::|/)\w+)+|\bCANCELLED\b")
# What programs print is checked where they print it.
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Rule:
    phrase: tuple[str, ...]  # the last one may end in a star
    write: str
    folder: str

    def fits(self, words: list[str], at: int) -> bool:
        if len(words) - at < len(self.phrase):
            return False
        return all(
            word.startswith(wanted[:-1]) if wanted.endswith("*") else word == wanted
            for word, wanted in zip(words[at:], self.phrase, strict=False)
        )


def rules_of(table: str) -> dict[str, list[Rule]]:
    """The rules, by the first letters of their first word."""
    rules: dict[str, list[Rule]] = {}
    read = tomllib.loads(table)
    for folder, entries in [("", read["words"]), *read["in"].items()]:
        for write, phrases in entries.items():
            for phrase in phrases:
                words = tuple(re.findall(r"[a-z]+\*?", phrase.lower()))
                rules.setdefault(words[0][:3], []).append(Rule(words, write, folder))
    return rules


RULES = rules_of(TABLE.read_text(encoding="utf-8"))


def wrong_words(text: str, name: str, rules: dict[str, list[Rule]] = RULES) -> Iterator[str]:
    """`file:line: "word": write ...` for each word that is not ours."""
    if name.endswith(".md"):
        text = FENCED.sub(lambda fenced: "\n" * fenced.group().count("\n"), text)
    text = NAME_OF_OTHERS.sub("", text)
    found = list(WORD.finditer(text))
    words = [match.group().lower() for match in found]
    for at, word in enumerate(words):
        for rule in rules.get(word[:3], ()):
            last = at + len(rule.phrase)
            gaps = zip(found[at:last], found[at + 1 : last], strict=False)
            if (
                name.startswith(rule.folder)
                and rule.fits(words, at)
                and all(BETWEEN.fullmatch(text, one.end(), two.start()) for one, two in gaps)
            ):
                line = text.count("\n", 0, found[at].start()) + 1
                stands = " ".join(words[at:last])
                yield f'{name}:{line}: "{stands}": write {rule.write}'


def is_text(path: Path) -> bool:
    name = str(path.relative_to(HERE.root))
    return NAME.fullmatch(path.name) is not None and not name.startswith(NOT_OURS) and path not in (TABLE, EXAMPLES)


def files_of(pattern: str) -> list[Path]:
    places = sorted(HERE.root.glob(pattern))
    inside = [path for place in places for path in ([place] if place.is_file() else sorted(place.rglob("*")))]
    return [path for path in inside if path.is_file() and is_text(path)]


@pytest.mark.parametrize("pattern", CHECKED)
def test_no_word_that_is_not_ours(pattern: str) -> None:
    files = files_of(pattern)
    assert files
    wrong = [
        line
        for path in files
        for line in wrong_words(path.read_text(encoding="utf-8"), str(path.relative_to(HERE.root)))
    ]
    assert wrong == [], "\n".join(wrong)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("one\nIts Mood is late.\n", 'a.py:2: "mood": write timing policy'),
        ("x = initialised_at", 'a.py:1: "initialised": write initializ-'),
        ("bool isInitialised;", 'a.py:1: "initialised": write initializ-'),
        ("constexpr int COLOUR_MAP = 1;", 'a.py:1: "colour": write color'),
        ("# right\n# under every\n# engine", 'a.py:2: "under every engine": write under every timing policy'),
    ],
)
def test_a_word_is_found_with_its_line_and_what_to_write(text: str, line: str) -> None:
    [found] = wrong_words(text, "a.py")
    assert found.startswith(line)


@pytest.mark.parametrize(
    "text",
    [
        "initialized",
        "initial",
        "a realistic optimist",
        "cudaErrorCancelled and CU_SYNCHRONISE_X",
        "moody cancellation",
        "int asyncEngineCount",
        "what it is for. Ever since",
    ],
)
def test_other_words_are_not_found(text: str) -> None:
    assert list(wrong_words(text, "a.md")) == []


def test_what_a_program_prints_is_not_checked_where_it_is_quoted() -> None:
    assert list(wrong_words("```\nmood\n```\nmood\n", "a.md")) == ['a.md:4: "mood": write timing policy']
    assert len(list(wrong_words("```\nmood\n```\n", "a.cpp"))) == 1


def test_a_word_may_belong_to_a_folder() -> None:
    rules = rules_of('[words]\n[in."grader/emulator"]\nepoch = ["stamp"]\n')
    assert len(list(wrong_words("a stamp", "grader/emulator/a.h", rules))) == 1
    assert list(wrong_words("a stamp", "Makefile", rules)) == []
