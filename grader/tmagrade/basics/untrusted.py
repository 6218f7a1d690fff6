"""Text that a student, or a compiler on a student's code, wrote: shown as it is, and never obeyed."""

import re

# Reorders or hides what stands beside it (UAX 9's embeddings, overrides, isolates and marks; zero width; separators).
_INVISIBLE = "\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f"
_UNSHOWABLE = re.compile(f"[\x00-\x1f\x7f-\x9f{_INVISIBLE}\ud800-\udfff]")
# A spreadsheet takes a cell for a formula that begins with one of these; some do so after blanks, or in full width.
_BEGINS_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")


def visible(text: str) -> str:
    """The text with its control characters as symbols, so that no terminal and no page obeys them. Lines stay lines."""
    return _UNSHOWABLE.sub(_symbol, text.replace("\r\n", "\n"))


def visible_line(text: str) -> str:
    """The same on one line."""
    return visible(text).replace("\n", "␤").replace("\t", "␉")


def never_formula(text: str) -> str:
    """The text for a cell. An apostrophe in front makes a spreadsheet take it for text, as it does for a person."""
    line = visible_line(text)
    return f"'{line}" if line.lstrip().startswith(_BEGINS_FORMULA) else line


def _symbol(found: re.Match[str]) -> str:
    code = ord(found.group())
    if found.group() in "\n\t":
        return found.group()
    if code < 0x20:
        return chr(0x2400 + code)  # ␀ to ␟
    if code == 0x7F:
        return "␡"
    return f"<U+{code:04X}>"
