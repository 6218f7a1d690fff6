"""Texts that somebody has written or exported: in UTF-8, or told how they come to be."""

from pathlib import Path

from tmagrade.basics.errors import UsageError

HOW = (
    "save it anew: in Excel as `CSV UTF-8 (Comma delimited)`, in LibreOffice as CSV with the character set `Unicode "
    "(UTF-8)`, in an editor with the encoding UTF-8"
)


def utf8_of(content: bytes, path: Path) -> str:
    """The text of a file, without the mark that some programs set ahead of it. UsageError where it is not UTF-8."""
    if content.startswith(b"PK"):
        raise UsageError(f"{path} is a workbook or an archive, and no text: {HOW}")
    if b"\0" in content:
        raise UsageError(f"{path} is not in UTF-8, but most likely in UTF-16: {HOW}")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UsageError(f"{path} is not in UTF-8, as line {line} shows: {HOW}") from error
