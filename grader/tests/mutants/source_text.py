"""Enough of C++ to find statements: comments and strings blanked, brackets matched, a block's statements in order."""

from __future__ import annotations

import re
from dataclasses import dataclass

UNREAD = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])'|^[ \t]*#(?:\\\n|[^\n])*", re.DOTALL | re.MULTILINE
)
OPENING = {"(": ")", "[": "]", "{": "}"}
CONTROL = re.compile(r"(?:if(?:\s+constexpr)?|for|while|switch)\s*(?=\()")
ELSE = re.compile(r"\s*else\b")
NOT_SPACE = re.compile(r"\S")
CALLED = re.compile(r"(?P<name>\w+)\s*$")
NO_FUNCTIONS = frozenset(["if", "constexpr", "for", "while", "switch"])


@dataclass(frozen=True)
class Span:
    begin: int
    end: int

    def of(self, text: str) -> str:
        return text[self.begin : self.end]


def blanked(text: str) -> str:
    """The text at the same places, with spaces for comments, strings and the preprocessor's lines."""
    return UNREAD.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


class Brackets:
    """Which bracket of a blanked text closes which, and the block that a place is in."""

    def __init__(self, code: str) -> None:
        self.closing: dict[int, int] = {}
        open_ones: list[int] = []
        for place, character in enumerate(code):
            if character in OPENING:
                open_ones.append(place)
            elif open_ones and character == OPENING[code[open_ones[-1]]]:
                self.closing[open_ones.pop()] = place
        self.blocks = sorted(
            (Span(begin, end) for begin, end in self.closing.items() if code[begin] == "{"), key=lambda b: b.begin
        )

    def functions(self, code: str) -> list[tuple[str, Span]]:
        """The functions that are in no other, by name, each with its block."""
        opening = {end: begin for begin, end in self.closing.items()}
        found: list[tuple[str, Span]] = []
        for block in self.blocks:
            parameters = opening.get(len(code[: block.begin].rstrip()) - 1)
            if parameters is None or code[parameters] != "(" or (found and block.begin < found[-1][1].end):
                continue
            name = CALLED.search(code[:parameters][-100:])
            if name and name["name"] not in NO_FUNCTIONS:
                found.append((name["name"], block))
        return found

    def block_around(self, place: int) -> Span | None:
        around = [block for block in self.blocks if block.begin < place < block.end]
        return around[-1] if around else None


def end_of_statement(code: str, brackets: Brackets, begin: int) -> int:
    """Behind the statement that begins here, or, where none does, behind the character."""
    if code[begin] == "{":
        return brackets.closing[begin] + 1
    if control := CONTROL.match(code, begin):
        end = _end_of_body(code, brackets, brackets.closing[control.end()] + 1)
        if code.startswith("if", begin) and (otherwise := ELSE.match(code, end)):
            end = _end_of_body(code, brackets, otherwise.end())
        return end
    place = begin
    while place < len(code):
        if code[place] in OPENING:
            place = brackets.closing.get(place, place)
        elif code[place] == ";":
            return place + 1
        elif code[place] == "}":
            return place
        place += 1
    return place


def _end_of_body(code: str, brackets: Brackets, place: int) -> int:
    start = NOT_SPACE.search(code, place)
    return end_of_statement(code, brackets, start.start()) if start else len(code)


def statements(code: str, brackets: Brackets, block: Span) -> list[Span]:
    found: list[Span] = []
    place = block.begin + 1
    while start := NOT_SPACE.search(code, place, block.end):
        place = max(end_of_statement(code, brackets, start.start()), start.start() + 1)
        found.append(Span(start.start(), place))
    return found


def arguments(code: str, brackets: Brackets, opening: int) -> list[Span]:
    """Of the call whose bracket opens here."""
    end = brackets.closing[opening]
    found: list[Span] = []
    begin = place = opening + 1
    while place < end:
        if code[place] in OPENING:
            place = brackets.closing.get(place, place)
        elif code[place] == ",":
            found.append(Span(begin, place))
            begin = place + 1
        place += 1
    if code[begin:end].strip():
        found.append(Span(begin, end))
    return found


def line_of(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1


def on_one_line(text: str) -> str:
    return " ".join(blanked(text).split())
