"""The mutants of a source: every way to drop, move, weaken or double one call, or to index one step further."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from source_text import Brackets, Span, arguments, blanked, line_of, on_one_line, statements
from weakenings import COPIES, NAMES, NUMBERS, SYNCHRONIZES, WEAKER

CALL = re.compile(
    r"(?<![\w.])(?:cooperative_groups::)?(?P<name>" + "|".join(sorted(NAMES, key=len, reverse=True)) + r")\b"
    r"\s*(?P<template><[^;(){}]*>)?\s*(?P<opening>\()"
)
BEFORE_A_CALL = re.compile(r"(?:\(void\)\s*)?")
ONLY_IN_THE_RIGHT_ONE = re.compile(r"if\s*(?:constexpr\s*)?\(\s*!mistaken\s*\)\s*$")
BRANCH = re.compile(r"\bif\s*(?:constexpr\s*)?\(\s*(?P<not>!?)mistaken\b(?P<more>[^)]*)\)")
CONTROL_BEFORE = re.compile(r"(?:if|for|while)\b")
MAIN = re.compile(r"^int main\(", re.MULTILINE)
KERNEL = re.compile(r"\b__global__\b[^{;()]*(?:__\w+__\([^()]*\)[^{;()]*)*?\b(?P<name>\w+)\s*\(")
INDEX = re.compile(r"(?P<array>\w+)\[")


@dataclass(frozen=True)
class Edit:
    begin: int
    end: int
    text: str


@dataclass(frozen=True)
class Mutant:
    """One change of a source."""

    source: str
    region: str  # the part of a lab or the pair of a program that it is in; "" is shared by all
    line: int
    place: str  # the same line, by what stands there: it stays when another line is added above
    kind: str
    what: str  # in a line
    edits: tuple[Edit, ...]

    @property
    def name(self) -> str:
        return f"{self.line}: {self.what}"


def applied(text: str, edits: list[Edit]) -> str:
    for edit in sorted(edits, key=lambda edit: edit.begin, reverse=True):
        text = text[: edit.begin] + edit.text + text[edit.end :]
    return text


def without_main(code: str) -> str:
    begin = MAIN.search(code)
    if begin is None:
        return code
    block = code.index("{", begin.end())
    return code[: begin.start()] + code[Brackets(code).closing[block] :]


@dataclass(frozen=True)
class Region:
    name: str
    begin: int
    end: int


class Source:
    def __init__(self, name: str, text: str, regions: list[Region], end: int | None = None) -> None:
        """Nothing from `end` on is mutated."""
        self.end = len(text) if end is None else end
        self.name = name
        self.text = text
        self.code = blanked(text)
        self.brackets = Brackets(self.code)
        self.regions = regions

    def region_at(self, place: int) -> str:
        return next((region.name for region in self.regions if region.begin <= place < region.end), "")

    @cached_property
    def places(self) -> dict[int, str]:
        """Each line's function and code, `copy: wait(&full, 0);`, with ` (2)` for the second such line of a file."""
        functions = self.brackets.functions(self.code)
        places: dict[int, str] = {}
        seen: Counter[str] = Counter()
        begin = 0
        for line, text in enumerate(self.code.split("\n"), 1):
            around = (name for name, block in functions if block.begin < begin + len(text) and begin < block.end)
            place = f"{next(around, '')}: {on_one_line(text)}"
            seen[place] += 1
            places[line] = place if seen[place] == 1 else f"{place} ({seen[place]})"
            begin += len(text) + 1
        return places

    @cached_property
    def dead(self) -> list[Span]:
        """What only the mistaken variants of the hazard programs compile."""
        spans = []
        for branch in BRANCH.finditer(self.code):
            block = self.code.find("{", branch.end())
            if self.code[branch.end() : block].strip() or block < 0:
                continue
            end = self.brackets.closing[block]
            if not branch["not"] and not branch["more"].strip().startswith("||"):
                spans.append(Span(block, end))
            otherwise = re.compile(r"\}\s*else\s*\{").match(self.code, end)
            if branch["not"] and not branch["more"].strip() and otherwise:
                spans.append(Span(otherwise.end() - 1, self.brackets.closing[otherwise.end() - 1]))
        return spans + self._kernels_without_tests()

    def _kernels_without_tests(self) -> list[Span]:
        """Kernels that only main() launches, or that are only the mistaken one of a pair."""
        spans = []
        for kernel in KERNEL.finditer(self.code):
            block = self.code.find("{", kernel.end())
            if block < 0 or ";" in self.code[kernel.end() : block]:
                continue
            end = self.brackets.closing[block]
            elsewhere = self.code[: kernel.start()] + self.code[end:]
            name = rf"\b{kernel['name']}\b"
            tested = re.sub(rf"\bpair<{name},", "", without_main(elsewhere))
            if re.search(name, elsewhere) and not re.search(name, tested):
                spans.append(Span(block, end))
        return spans

    def mutants(self) -> list[Mutant]:
        found: dict[tuple[Edit, ...], Mutant] = {}
        for call in CALL.finditer(self.code):
            if call.start() >= self.end or any(span.begin < call.start() < span.end for span in self.dead):
                continue
            block = self.brackets.block_around(call.start())
            if block is None or self._is_a_declaration(call):
                continue
            for mutant in self._mutants_of(call, block):
                found.setdefault(mutant.edits, mutant)
        return list(found.values())

    def _is_a_declaration(self, call: re.Match[str]) -> bool:
        """A function's own definition in a struct, or a kernel's parameters."""
        before = self.code[: call.start()].rstrip()
        return bool(re.search(r"\b(?:void|int|bool|auto|unsigned|uint64_t|uint32_t)$", before))

    def _mutants_of(self, call: re.Match[str], block: Span) -> Iterator[Mutant]:
        siblings = statements(self.code, self.brackets, block)
        index = next((i for i, s in enumerate(siblings) if s.begin <= call.start() < s.end), None)
        if index is None:
            return
        unit = siblings[index]
        begin = self._where_the_call_begins(unit, call)
        end = self.brackets.closing[call.start("opening")] + 1
        stands_alone = begin is not None and self.code[end : unit.end].strip() == ";"
        if call["name"] in SYNCHRONIZES:
            if stands_alone:
                yield self._mutant(call, "drop", f"drop {self._said(unit)}", self._without(unit))
                yield self._mutant(call, "double", f"double {self._said(unit)}", self._twice(unit))
                yield from self._moved(call, siblings, index, block)
            yield from self._weakened(call, end, stands_alone)
            yield from self._counted(call)
        if call["name"] in SYNCHRONIZES | COPIES:
            yield from self._further(call)

    def _where_the_call_begins(self, unit: Span, call: re.Match[str]) -> int | None:
        """In a statement that is the call, perhaps behind `if (...)` or `for (...)`."""
        place = unit.begin
        while CONTROL_BEFORE.match(self.code, place):
            place = self.brackets.closing[self.code.index("(", place)] + 1
            place += len(self.code[place:]) - len(self.code[place:].lstrip())
        if void := BEFORE_A_CALL.match(self.code, place):
            place = void.end()
        return place if place == call.start() else None

    def _said(self, span: Span) -> str:
        return f"`{on_one_line(span.of(self.text))}`"

    def _mutant(self, call: re.Match[str], kind: str, what: str, *edits: Edit) -> Mutant:
        line = line_of(self.text, call.start())
        region = self.region_at(call.start())
        return Mutant(self.name, region, line, self.places[line], kind, what, edits)

    def _without(self, unit: Span) -> Edit:
        return Edit(unit.begin, unit.end, ";" + "\n" * self.text.count("\n", unit.begin, unit.end))

    def _twice(self, unit: Span) -> Edit:
        return Edit(unit.end, unit.end, " " + on_one_line(unit.of(self.text)))

    def _moved(self, call: re.Match[str], siblings: list[Span], index: int, block: Span) -> Iterator[Mutant]:
        if len(siblings) == 1 and ONLY_IN_THE_RIGHT_ONE.search(self.code[: block.begin]):
            outer = self.brackets.block_around(block.begin)
            if outer is None:
                return
            siblings = statements(self.code, self.brackets, outer)
            index = next(i for i, s in enumerate(siblings) if s.begin <= call.start() < s.end)
        unit = siblings[index]
        moved = on_one_line(unit.of(self.text))
        said = self._said(unit)
        if index + 1 < len(siblings) and self._matters(siblings[index + 1]):
            other = siblings[index + 1]
            what = f"move {said} past {self._short(other)}"
            yield self._mutant(call, "later", what, self._without(unit), Edit(other.end, other.end, " " + moved))
        # What stands before another call that is moved is that one's move.
        if index > 0 and self._matters(siblings[index - 1]) and not self._is_moved_itself(siblings[index - 1]):
            other = siblings[index - 1]
            what = f"move {said} before {self._short(other)}"
            yield self._mutant(call, "earlier", what, Edit(other.begin, other.begin, moved + " "), self._without(unit))

    def _is_moved_itself(self, statement: Span) -> bool:
        name = re.match(r"\w+", statement.of(self.code))
        return name is not None and name[0] in SYNCHRONIZES

    def _matters(self, statement: Span) -> bool:
        """Not a plain declaration or calculation: it calls something, or reads or writes memory."""
        code = statement.of(self.code)
        return bool(re.search(r"[\w>]\s*\(|\w\[|\*\w|->", code)) and not code.startswith("__shared__")

    def _short(self, statement: Span) -> str:
        text = on_one_line(statement.of(self.text))
        return f"`{text if len(text) <= 60 else text[:57] + '...'}`"

    def _weakened(self, call: re.Match[str], end: int, stands_alone: bool) -> Iterator[Mutant]:
        old = self.text[call.start() : end]
        spans = arguments(self.code, self.brackets, call.start("opening"))
        given = [span.of(self.text).strip() for span in spans]
        behind = self.text[call.start("opening") : end]
        template = call["template"] or ""
        for weaker in WEAKER.get(call["name"], ()):
            is_text = ("(" in weaker and not weaker.startswith("(void)")) or "{0}" in weaker
            if not stands_alone and (is_text or weaker.startswith("(void)") or weaker == "expect"):
                continue
            if "{0}" in weaker:
                new = weaker.format(*given)
                new = f"{{ {new}; }}" if ";" in new else new
            elif is_text:
                new = f"{{ {weaker}; }}"
            elif weaker.endswith("<+1>"):
                new = f"{weaker.removesuffix('<+1>')}<{template[1:-1]} + 1>{behind}"
            elif "<" in weaker or weaker in ("__syncthreads", "__threadfence", "fence_gpu"):
                new = f"{weaker}()"
            else:
                new = weaker + template + behind
            what = f"`{on_one_line(old)}` → `{on_one_line(new)}`"
            yield self._mutant(call, "weaken", what, Edit(call.start(), end, new))

    def _counted(self, call: re.Match[str]) -> Iterator[Mutant]:
        numbers = NUMBERS.get(call["name"])
        if numbers is None:
            return
        spans = arguments(self.code, self.brackets, call.start("opening"))
        if numbers.parity is not None and numbers.parity < len(spans):
            span = _trimmed(self.code, spans[numbers.parity])
            old = span.of(self.text)
            new = {"0": "1", "1": "0"}.get(old, f"({old}) ^ 1")
            yield self._changed(call, "parity", span, new)
        for which, step in numbers.steps.items():
            if which < len(spans):
                span = _trimmed(self.code, spans[which])
                yield self._changed(call, "count", span, f"{span.of(self.text)} {'+' if step > 0 else '-'} {abs(step)}")

    def _changed(self, call: re.Match[str], kind: str, span: Span, new: str) -> Mutant:
        end = self.brackets.closing[call.start("opening")] + 1
        said = on_one_line(self.text[call.start() : span.begin] + new + self.text[span.end : end])
        old = on_one_line(self.text[call.start() : end])
        return self._mutant(call, kind, f"`{old}` → `{said}`", Edit(span.begin, span.end, new))

    def _further(self, call: re.Match[str]) -> Iterator[Mutant]:
        """The next stage, where an array's extent is known."""
        opening = call.start("opening")
        for index in INDEX.finditer(self.code, opening, self.brackets.closing[opening]):
            extent = self._extent(index["array"], call.start())
            if extent is None:
                continue
            span = Span(index.end(), self.brackets.closing[index.end() - 1])
            old = span.of(self.text)
            new = f"(({old}) + 1) % ({extent})" if not old.isidentifier() else f"({old} + 1) % {extent}"
            yield self._changed(call, "index", span, new)

    def _extent(self, array: str, place: int) -> str | None:
        """Of the declaration `type array[extent]` that is the last before."""
        declared = re.compile(rf"[\w>*]\s+{array}\[(?P<extent>[^\]]+)\]\s*(?:\[[^\]]*\]\s*)*;")
        found = [match for match in declared.finditer(self.code) if match.start() < place]
        if not found or "return" in found[-1][0]:
            return None
        return found[-1]["extent"]


def _trimmed(code: str, span: Span) -> Span:
    text = span.of(code)
    begin = span.begin + len(text) - len(text.lstrip())
    return Span(begin, begin + len(text.strip()))
