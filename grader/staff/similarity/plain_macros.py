"""A text's words with the macros that it defines expanded, and without what stands under `#if 0`.

What the preprocessor does is done as far as it hides a copy: macros with and without arguments, but neither # nor ##,
and no condition but 0. An alias of a type (`using`) is a macro as well.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from staff.similarity.words import Word, words_of

MOST_WORDS = 300_000  # of a hand-in, expanded; nobody writes a tenth of it
DEEPEST = 16  # macros in each other
LONGEST_ALIAS = 16  # words

DEFINE = re.compile(r"\s*\#\s*define\s+(?P<name>[A-Za-z_]\w*)(?:\((?P<parameters>[\w\s,.]*)\))?(?P<body>.*)", re.DOTALL)
CONDITION = re.compile(r"\s*\#\s*(?P<what>if|elif|else|endif)")
IF_0 = re.compile(r"\s*\#\s*if\s+0\s*")


class TooManyWords(Exception):
    """More than anybody writes by hand."""


@dataclass(frozen=True)
class Macro:
    parameters: tuple[str, ...] | None  # none: it takes no arguments
    body: tuple[Word, ...]


def expanded(words: Iterable[Word]) -> list[Word]:
    return _Expansion(words).words


class _Expansion:
    def __init__(self, words: Iterable[Word]) -> None:
        self.words: list[Word] = []
        self._macros: dict[str, Macro] = {}
        self._work = 0
        # What is still to come, the next one last, and how many macros each word comes from.
        self._ahead: list[tuple[Word, int]] = []
        for word in words:
            self._count(1)
            self._ahead.append((word, 0))
        self._ahead.reverse()
        while self._ahead:
            self._take(*self._ahead.pop())

    def _count(self, work: int) -> None:
        """Work and not words: macros of nothing are work as well."""
        self._work += work
        if self._work > 2 * MOST_WORDS:
            raise TooManyWords

    def _take(self, word: Word, depth: int) -> None:
        self._count(1)
        if word.kind == "directive":
            self._obey(word.text)
            return
        if word.text == "using" and self._takes_alias():
            return
        macro = self._macros.get(word.text) if word.kind == "name" and depth < DEEPEST else None
        arguments = self._arguments(macro) if macro is not None else None
        if macro is None or arguments is None:
            self.words.append(word)
            return
        pieces = [arguments.get(one.text, (one,)) for one in macro.body]
        self._count(len(pieces) + sum(map(len, pieces)))
        came = [(replace(one, line=word.line), depth + 1) for piece in pieces for one in piece]
        self._ahead += reversed(came)

    def _obey(self, directive: str) -> None:
        if (define := DEFINE.fullmatch(directive.replace("\\\n", " "))) is not None:
            parameters = define["parameters"]
            names = None if parameters is None else tuple(name.strip() for name in parameters.split(","))
            body: list[Word] = []
            for word in words_of(define["body"]):
                self._count(1)
                body.append(word)
            self._macros[define["name"]] = Macro(names, tuple(body))
        elif IF_0.fullmatch(directive):
            self._skip()

    def _takes_alias(self) -> bool:
        """Whether it is a short name of a type; that is a macro as well."""
        ahead = [word for word, _ in self._ahead[: -LONGEST_ALIAS - 1 : -1]]
        said = [word.text for word in ahead]
        if len(ahead) < 2 or ahead[0].kind != "name" or said[1] != "=" or ";" not in said:
            return False
        end = said.index(";")
        self._macros[said[0]] = Macro(None, tuple(ahead[2:end]))
        del self._ahead[-end - 1 :]
        return True

    def _skip(self) -> None:
        """What is under a condition that does not hold."""
        depth = 0
        while self._ahead:
            word, _ = self._ahead.pop()
            condition = CONDITION.match(word.text) if word.kind == "directive" else None
            if condition is None:
                continue
            if depth == 0 and condition["what"] != "if":
                return
            depth += {"if": 1, "endif": -1}.get(condition["what"], 0)

    def _arguments(self, macro: Macro) -> dict[str, Sequence[Word]] | None:
        """What is given for each parameter, out of what is ahead. None where there are none, or no end."""
        if macro.parameters is None:
            return {}
        given: list[list[Word]] = [[]]
        depth = 0
        for place in range(len(self._ahead) - 1, -1, -1):
            self._count(1)
            word = self._ahead[place][0]
            if depth == 0 and word.text != "(":
                return None
            depth += (word.text in ("(", "[", "{")) - (word.text in (")", "]", "}"))
            if depth == 0:
                del self._ahead[place:]
                return dict(zip(macro.parameters, given))
            if depth == 1 and word.text == ",":
                given.append([])
            elif not (depth == 1 and word.text == "("):
                given[-1].append(word)
        return None
