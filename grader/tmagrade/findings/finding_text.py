"""A finding in words, the same for a terminal, Markdown, HTML and JSON: clang's form, which people can read.

The emulator prints findings by itself where no grader is in between (diagnostics/terminal_text.cpp). A test holds its
words and these equal.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass

from markupsafe import Markup, escape
from rich.text import Text

from tmagrade.basics.paths import HERE
from tmagrade.basics.untrusted import visible
from tmagrade.findings.finding import (
    BarrierWait,
    Bytes,
    ClusterBarrierWait,
    Coordinates,
    Excerpt,
    Finding,
    MbarrierWait,
    Place,
    PollWait,
    Waiters,
    WaitingFor,
    WarpWait,
)

# A span's style in a terminal; as a class, in HTML.
STYLES = {"strong": "bold", "error": "bold red", "note": "bold cyan", "caret": "bold green", "help": "bold green"}


@dataclass(frozen=True)
class Span:
    text: str
    style: str = ""  # of STYLES; plain where there is none


Line = tuple[Span, ...]


def plain_text(finding: Finding) -> str:
    return "\n".join("".join(span.text for span in line) for line in finding_lines(finding))


def terminal_lines(finding: Finding) -> Iterator[Text]:
    """The page's path leads from the current folder, so that who is in a lab's can open it."""
    for line in finding_lines(finding, os.path.relpath(HERE.root / finding.page)):
        yield Text.assemble(*((span.text, STYLES.get(span.style, "")) for span in line))


def html(finding: Finding) -> Markup:
    """For inside of <pre>."""
    lines = (Markup().join(map(_html_span, line)) for line in finding_lines(finding))
    return Markup("\n").join(lines)


def _html_span(span: Span) -> Markup:
    if not span.style:
        return escape(span.text)
    return Markup('<span class="{}">{}</span>').format(span.style, span.text)


def headline(finding: Finding) -> str:
    """What is wrong and where, on one line."""
    return "".join(span.text for span in next(finding_lines(finding)))


def finding_lines(finding: Finding, page: str | None = None) -> Iterator[Line]:
    """`page`: the way to it, if not from the top of the repository."""
    code = f"[{finding.code}]"
    yield (*_placed(finding.place), Span("error: ", "error"), _said(f"{finding.message} {code}", "strong"))
    if finding.excerpt is not None:
        yield from _excerpt_lines(finding.excerpt, _remark(finding))
    for note in finding.notes:
        yield (*_placed(note.place), Span("note: ", "note"), _said(note.message))
        if note.excerpt is not None:
            yield from _excerpt_lines(note.excerpt, "")
    for waiters in finding.waiters:
        yield (Span("  "), *_placed(waiters.place), _said(_waiters_text(waiters)))
    if finding.waiters_left_out:
        yield (Span(f"  and {finding.waiters_left_out} more places"),)
    if finding.help:
        yield (Span("help: ", "help"), _said(finding.help))
    yield (Span(f"read: {page or finding.page}"),)
    if finding.count > 1:
        yield (*_placed(finding.place), Span("note: ", "note"), Span(f"{code} was found {finding.count} times"))


def _said(text: str, style: str = "") -> Span:
    """Text that a program may have had a hand in, on one line."""
    return Span(visible(text).replace("\n", "␤"), style)


def _placed(place: Place | None) -> tuple[Span, ...]:
    return () if place is None else (_said(f"{_place_text(place)}: ", "strong"),)


def _place_text(place: Place) -> str:
    if place.column is None:
        return f"{place.name} (PTX line {place.line})"
    return f"{place.name}:{place.line}:{place.column}"


def _excerpt_lines(excerpt: Excerpt, remark: str) -> Iterator[Line]:
    """The line, and a caret with a remark behind it. Tabs are kept, so that the caret stands under its column."""
    yield (Span(f"{excerpt.line:>5} | "), _said(excerpt.text))
    before = excerpt.text.encode()[: max(excerpt.column - 1, 0)]  # columns count bytes
    blank = "".join("\t" if byte == ord("\t") else " " for byte in before)
    yield (Span(f"      | {blank}"), Span("^", "caret"), _said(f" {remark}" if remark else ""))


def _remark(finding: Finding) -> str:
    if finding.block is None or finding.thread is None:
        return ""
    text = _thread_text(finding.block, finding.thread)
    return f"{text} {finding.bytes.use} {_bytes_text(finding.bytes)}" if finding.bytes is not None else text


def _thread_text(block: Coordinates, thread: Coordinates) -> str:
    return f"block ({','.join(map(str, block))}), thread ({','.join(map(str, thread))})"


def _bytes_text(bytes: Bytes) -> str:
    if bytes.count == 1:
        return f"{bytes.of}[byte {bytes.first}]"
    return f"{bytes.of}[bytes {bytes.first} to {bytes.first + bytes.count - 1}]"


def _waiters_text(waiters: Waiters) -> str:
    first = _thread_text(waiters.block, waiters.thread)
    return f"{_counted(waiters.threads, 'thread')}, the first {first}, {_wait_text(waiters.waiting_for)}"


def _wait_text(wait: WaitingFor) -> str:
    match wait:
        case MbarrierWait():
            return _mbarrier_text(wait)
        case BarrierWait():
            arrived = f"{wait.arrived} of {wait.expected} threads have arrived"
            barrier = f"barrier {wait.number}"
            return f"waiting at {barrier if wait.number else f'__syncthreads() ({barrier})'}: {arrived}"
        case ClusterBarrierWait():
            return "waiting for the cluster barrier"
        case WarpWait():
            lanes = f"the other lanes of its warp (member mask {wait.members:#x})"
            return f"waiting for {lanes} to execute the same instruction"
        case PollWait():
            return "polling a flag in memory that nobody changes"


def _mbarrier_text(wait: MbarrierWait) -> str:
    begin = "polling" if wait.polled else "waiting for"
    if not wait.initialized:
        return f"{begin} the mbarrier {wait.name}, which is not initialized"
    text = f"{begin} the phase of parity {wait.parity} of the mbarrier {wait.name}: it is in the phase of parity"
    text += f" {wait.current_parity}, {_counted(wait.arrivals_missing, 'arrival')} of {wait.arrivals_expected} missing"
    if wait.bytes_missing > 0:
        text += f", {_counted(wait.bytes_missing, 'byte')} expected and not arrived"
    elif wait.bytes_missing < 0:
        text += f", {_counted(-wait.bytes_missing, 'byte')} more arrived than expected"
    return text


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
