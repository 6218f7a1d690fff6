"""What is done to a text that is not one's own, so that it looks as if it were: each keeps what the text does."""

import re

from staff.similarity.tokens import KEPT, TOKEN, names_in

RENAMED = ("first", "second", "value", "total", "place", "count", "part", "other", "thing", "buffer", "left", "right")


def renamed(text: str, given: frozenset[str]) -> str:
    """Every name but the language's and the course's is another one."""
    names = sorted(names_in(text) - KEPT - given)
    new = {name: f"{RENAMED[number % len(RENAMED)]}{number}" for number, name in enumerate(names)}
    return _with_names(text, new)


def _with_names(text: str, new: dict[str, str]) -> str:
    return TOKEN.sub(lambda match: new.get(match[0], match[0]) if match.lastgroup == "name" else match[0], text)


def without_comments(text: str) -> str:
    return TOKEN.sub(lambda match: "" if match.lastgroup == "comment" else match[0], text)


def reflowed(text: str) -> str:
    """Other blanks and line breaks, wherever the language has none to say."""
    return TOKEN.sub(lambda match: f"{match[0]}\n\n" if match[0] in (";", "{", "}") else match[0], text)


def in_another_order(text: str) -> str:
    """The functions from the last to the first, as far as blank lines divide them; what begins with # stays ahead."""
    head, *pieces = re.split(r"\n\n(?=\S)", text)
    return "\n\n".join([head, *reversed(pieces)])


def padded(text: str) -> str:
    """A statement that does nothing behind every twelfth."""
    ends = list(re.finditer(r";\n", text))[::12]
    for end in reversed(ends):
        text = text[: end.end()] + "  if (false) { return; }\n" + text[end.end() :]
    return text


def with_while(text: str) -> str:
    """Every `for` that has a condition as a `while` in a block of its own."""
    for match in reversed(list(re.finditer(r"(?<!\w)for \(", text))):
        end = _closed(text, match.end() - 1)
        parts = text[match.end() : end - 1].split(";")
        stop = _statement_end(text, end)
        body = text[end:stop]
        if len(parts) == 3 and "continue" not in body and not _is_after_pragma(text, match.start()):
            first, condition, step = (part.strip() for part in parts)
            loop = f"{{ {first}; while ({condition or 'true'}) {{ {body.strip()} {step}; }} }}"
            text = text[: match.start()] + loop + text[stop:]
    return text


def _closed(text: str, at: int) -> int:
    """Behind the bracket that closes the one at `at`."""
    depth = 0
    for place in range(at, len(text)):
        depth += (text[place] in "({[") - (text[place] in ")}]")
        if depth == 0:
            return place + 1
    return len(text)


def _statement_end(text: str, at: int) -> int:
    at += len(text[at:]) - len(text[at:].lstrip())
    if text[at] == "{":
        return _closed(text, at)
    if word := re.match(r"(for|while|if|if constexpr) \(", text[at:]):
        end = _statement_end(text, _closed(text, at + word.end() - 1))
        if other := re.match(r"\s*else\b", text[end:]):
            end = _statement_end(text, end + other.end())
        return end
    while text[at] != ";":
        at = _closed(text, at) if text[at] in "({[" else at + 1
    return at + 1


def _is_after_pragma(text: str, at: int) -> bool:
    return text[:at].rstrip().rsplit("\n", 1)[-1].lstrip().startswith("#pragma")


def all_of_them(text: str, given: frozenset[str]) -> str:
    return reflowed(renamed(with_while(without_comments(in_another_order(text))), given))
