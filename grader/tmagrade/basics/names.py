"""Names in a line of text: which of many is meant, and a few of many."""

import difflib
from collections.abc import Sequence

from tmagrade.basics.errors import UsageError


def one_of(kind: str, name: str, names: Sequence[str]) -> str:
    """The one of the names that is meant."""
    if name in names:
        return name
    found = [known for known in names if name.casefold() in known.casefold()]
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageError(f"{name!r} could be {few_of(found)}")
    folded = {known.casefold(): known for known in names}
    near = [folded[known] for known in difflib.get_close_matches(name.casefold(), folded, n=3, cutoff=0.5)]
    raise UsageError(f"there is no {kind} {name!r}; there is {few_of(near or names)}")


def few_of(names: Sequence[str], most: int = 8) -> str:
    """The names in a line of text, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
