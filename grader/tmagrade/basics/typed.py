"""Whether what was read from a file is what its type says: a file on a disk may be damaged, or written by others."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

# What every reader of JSON keeps. No score and no size comes near.
LARGEST = 2**53

# What comes of taking JSON apart that has another form.
UNREADABLE = (KeyError, IndexError, TypeError, AttributeError, ValueError, OverflowError, RecursionError)


def misfit(value: Any, kind: Any, place: str = "") -> str | None:
    """The first place at which the value is not of its kind, in words; nothing where it is. Looked at are dataclasses,
    tuples, mappings, texts and numbers."""
    origin = get_origin(kind)
    if origin in (Union, UnionType):
        found = [misfit(value, option, place) for option in get_args(kind)]
        return None if None in found else found[0]
    if is_dataclass(kind) and isinstance(kind, type):
        if not isinstance(value, kind):
            return _said(place, value)
        members = ((f"{place}.{name}", getattr(value, name), hint) for name, hint in _hints(kind))
        return _first(members)
    if origin is tuple:
        return _of_tuple(value, get_args(kind), place)
    if origin is not None and isinstance(origin, type) and issubclass(origin, Mapping):
        if not isinstance(value, Mapping):
            return _said(place, value)
        return _first((f"{place}[{key!r}]", member, get_args(kind)[1]) for key, member in value.items())
    if kind is float or kind is int:
        return None if _is_number(value, kind) else _said(place, value)
    if kind in (str, bool, NoneType):
        return None if isinstance(value, kind) else _said(place, value)
    return None


@cache
def _hints(kind: type) -> tuple[tuple[str, Any], ...]:
    hints = get_type_hints(kind)
    return tuple((field.name, hints[field.name]) for field in fields(kind))


def _of_tuple(value: Any, kinds: tuple[Any, ...], place: str) -> str | None:
    if not isinstance(value, tuple):
        return _said(place, value)
    if len(kinds) == 2 and kinds[1] is ...:
        return _first((f"{place}[{index}]", member, kinds[0]) for index, member in enumerate(value))
    if len(value) != len(kinds):
        return _said(place, value)
    return _first((f"{place}[{index}]", member, kinds[index]) for index, member in enumerate(value))


def _first(members: Iterable[tuple[str, Any, Any]]) -> str | None:
    return next((said for place, value, kind in members if (said := misfit(value, kind, place)) is not None), None)


def _is_number(value: Any, kind: type) -> bool:
    if isinstance(value, bool) or not isinstance(value, (int, float) if kind is float else int):
        return False
    return abs(value) <= LARGEST and math.isfinite(value)


def _said(place: str, value: Any) -> str:
    try:
        shown = repr(value)
    except ValueError:  # a number of thousands of digits
        shown = "a number"
    return f"{place.lstrip('.') or 'the whole'} is {shown if len(shown) <= 40 else shown[:40] + '...'}"
