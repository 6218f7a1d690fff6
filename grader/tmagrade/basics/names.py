"""Names: compared, found by a part of one, and a few of many in a line of text."""

import difflib
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from tmagrade.basics.errors import UsageError


@lru_cache(maxsize=1 << 13)
def folded(name: str) -> str:
    """A name as names are compared, in every script: whatever its case and its blanks, with accents composed or not,
    and without what nobody sees, as the joiners of Persian and Hindi, which some platforms leave out."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", name).casefold())
    return " ".join("".join(c for c in plain if unicodedata.category(c) != "Cf").split())


def one_of(kind: str, name: str, names: Sequence[str]) -> str:
    """The one of the names that is meant."""
    if name in names:
        return name
    found = [known for known in names if folded(name) in folded(known)]
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageError(f"{name!r} could be {few_of(found)}")
    known_as = {folded(known): known for known in names}
    near = [known_as[one] for one in difflib.get_close_matches(folded(name), known_as, n=3, cutoff=0.5)]
    raise UsageError(f"there is no {kind} {name!r}; there is {few_of(near or names)}")


def few_of(names: Sequence[str], most: int = 8) -> str:
    """The names in a line of text, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
