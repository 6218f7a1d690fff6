"""What a new lab is called, and what follows from that."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from tmagrade.basics.errors import UsageError
from tmagrade.course.labs import Lab, number_of, within_a_line

NAME = re.compile(r"lab(0|[1-9][0-9]{0,2})((?:-[a-z0-9]+)+)")
LONGEST_NAME = 40
# They go into TOML, C++, Markdown and its tables.
SPECIAL = re.compile(r'["\\|*`$<>\x00-\x1f]')
EXAMPLES_IDEA = "What comes in by the engine goes out by the engine."


@dataclass(frozen=True)
class NewLab:
    id: str  # "lab14-two-words"
    title: str  # "Two words"
    idea: str

    @property
    def number(self) -> int:
        return number_of(self.id)

    @property
    def source(self) -> str:
        return f"lab{self.number}.cu"

    def variables(self) -> dict[str, str]:
        """Those of the templates."""
        return {
            "lab": self.id,
            "title": self.title,
            "idea": self.idea,
            "number": str(self.number),
            "source": self.source,
            "words": within_a_line(self.title),
            "suite": self.id.replace("-", "_"),
            "space": f"lab{self.number}",
            "prefix": f"Lab{self.number}",
        }


def name_lab(name: str, title: str | None, idea: str | None, known: Iterable[Lab]) -> NewLab:
    """UsageError where the lab cannot be called so."""
    known = list(known)
    free = 1 + max(number_of(lab.id) for lab in known)
    found = NAME.fullmatch(name)
    if found is None or len(name) > LONGEST_NAME:
        raise UsageError(
            f"{name!r} is no name for a lab: it is `lab`, a number, and words of small letters and digits with hyphens"
            f" between, at most {LONGEST_NAME} characters, as in lab{free}-two-words"
        )
    for lab in known:
        if number_of(lab.id) == int(found[1]):
            raise UsageError(f"there is a lab {found[1]} already, {lab.id}; the next number is {free}")
    words = found[2].removeprefix("-").replace("-", " ")
    made = NewLab(name, title or words[0].upper() + words[1:], idea or EXAMPLES_IDEA)
    for what, text in (("title", made.title), ("idea", made.idea)):
        if SPECIAL.search(text) or text != text.strip():
            raise UsageError(f'a {what} is one line without any of " \\ | * ` $ < >, not {text!r}')
    return made
