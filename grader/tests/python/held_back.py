"""What the cases say that only the grader has, and where a text shows it."""

import re
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

COMMENT = re.compile(r"//.*")
# 1'000'003
SEPARATOR = re.compile(r"(?<=\d)'(?=\d)")
# A case, its lists within it: Plane{{68, 3, 5}, 2, 0, {0, 1, 0}}.
CASE = re.compile(r"\{((?:[^{};]|\{[^{};]*\})*)\}")
ARGUMENTS = re.compile(r"testing::Values\(([^{};]*?)\)")
DIGITS = re.compile(r"\d+(?:\.\d+)?(?:e-?\d+)?")
NUMBER = re.compile(rf"(?<![\w.]){DIGITS.pattern}(?=F?(?![\w.]))")
STRING = re.compile(r'"([^"\n]+)"')
CLASS = re.compile(r"^class (\w+)", re.MULTILINE)
# 17 x 40, 17×40, Values<17, 40>, {17, 40}, 17 rows of 40
BETWEEN = r"(?:[\s,x×*<>(){}_/-]{1,5}| by | [a-z]+ of )"

# A file of the repository about one lab.
OF_A_LAB = re.compile(r"(?:grader/checks|labs|handout/labs)/(lab\d+-[\w-]+)[/.]")

Value = tuple[str, ...]


def code_of(text: str) -> str:
    return SEPARATOR.sub("", COMMENT.sub("", text))


def values_of(text: str) -> set[Value]:
    """The numbers of each case: those between its braces, or each by itself where a case is a number."""
    code = code_of(text)
    inner = [found for case in CASE.findall(code) for found in CASE.findall(case)]
    cases = {tuple(NUMBER.findall(case)) for case in [*CASE.findall(code), *inner]}
    cases |= {(number,) for arguments in ARGUMENTS.findall(code) for number in NUMBER.findall(arguments)}
    return cases - {()}


def names_of(text: str) -> set[str]:
    """What a case is called, and the tests that are there for some cases."""
    code = COMMENT.sub("", text)
    included = {line for line in code.splitlines() if line.startswith("#include")}
    strings = {found for line in code.splitlines() if line not in included for found in STRING.findall(line)}
    return strings | set(CLASS.findall(code))


def digits(value: Value) -> int:
    return sum(character.isdigit() for number in value for character in number)


def tells_in_its_lab(value: Value) -> bool:
    """Whether it says something where its lab is spoken of: 8, 1 x 8 and 4096 are everywhere."""
    if len(value) == 1:
        return len(value[0]) >= 3 and not is_round(value[0])
    return digits(value) >= 3 and (len(value) > 3 or any(len(number) > 1 for number in value))


def tells_anywhere(value: Value) -> bool:
    if len(value) == 1:
        return len(value[0]) >= 4 and not is_round(value[0]) and not is_power_of_two(int(value[0]), aside=1)
    return digits(value) >= 5


def is_round(number: str) -> bool:
    return int(number) % 1000 == 0 or is_power_of_two(int(number))


def is_power_of_two(number: int, aside: int = 0) -> bool:
    return any(near & (near - 1) == 0 for near in (number - aside, number + aside))


def shown(value: Value, text: str) -> bool:
    """Whether a text, as text_of() has it, shows these numbers one after another."""
    return re.search(rf"(?<![^\W_])(?<!\.){BETWEEN.join(map(re.escape, value))}(?![^\W_]|\.\d)", text) is not None


def text_of(path: Path) -> str:
    """What one can read in a file, or in the files that it packs."""
    if path.suffix != ".xz":
        return path.read_text(encoding="utf-8")
    with tarfile.open(path) as archive:
        return "\n".join(file.read().decode() for member in archive if (file := archive.extractfile(member)))


@dataclass(frozen=True)
class Text:
    name: str
    text: str
    numbers: frozenset[str]  # which rule most questions out at once

    @classmethod
    def of(cls, name: str, text: str) -> "Text":
        plain = SEPARATOR.sub("", text)
        return cls(name, plain, frozenset(DIGITS.findall(plain)))

    def shows(self, value: Value) -> bool:
        return self.numbers.issuperset(value) and shown(value, self.text)


def leaks(lab: str, held_back: str, public: str, texts: list[Text]) -> Iterator[str]:
    """Where `texts`, the release, shows what only the grader's cases of a lab say."""
    values, names = values_of(held_back) - values_of(public), names_of(held_back) - names_of(public)
    in_its_lab, anywhere = set(filter(tells_in_its_lab, values)), set(filter(tells_anywhere, values))
    for text in texts:
        of = OF_A_LAB.match(text.name)
        if of is not None and of[1] != lab:
            continue  # another lab's sizes are its own
        telling = anywhere if of is None else in_its_lab
        yield from sorted(f"{text.name}: {' x '.join(value)}" for value in telling if text.shows(value))
        yield from sorted(f"{text.name}: {name}" for name in names if name in text.text)
