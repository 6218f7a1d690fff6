"""JSON as a type says: read into dataclasses, each value as strictly as its type, and written from them.

Nothing is converted: a number is no text, and a text no number. Keys that the type does not have are passed over.
"""

from typing import Annotated, Any, TypeVar

from pydantic import Field, InstanceOf, PlainSerializer, Strict, TypeAdapter, ValidationError

T = TypeVar("T")

# What comes of taking JSON apart that has another form.
UNREADABLE = (KeyError, IndexError, TypeError, AttributeError, ValueError, OverflowError, RecursionError)

# What every reader of JSON keeps. No score and no size comes near.
LARGEST = 2**53


def plain(points: float) -> float | int:
    return int(points) if points == int(points) else points


def is_empty(value: Any) -> bool:
    return not value


Number = Annotated[float, Strict(), Field(ge=-LARGEST, le=LARGEST, allow_inf_nan=False)]
Amount = Annotated[float, Strict(), Field(ge=0, le=LARGEST, allow_inf_nan=False)]
Count = Annotated[int, Strict(), Field(ge=-LARGEST, le=LARGEST)]
Natural = Annotated[int, Strict(), Field(ge=0, le=LARGEST)]
Flag = Annotated[bool, Strict()]
# Of points: 60, and not 60.0.
Score = Annotated[Amount, PlainSerializer(plain)]
# A text with a name from a disk in it, which need not be Unicode.
DiskText = InstanceOf[str]
# What is not written where there is none of it.
IF_ANY = Field(exclude_if=is_empty)


class Misfit(ValueError):
    """JSON of another form."""

    def __init__(self, place: tuple[str | int, ...], said: str) -> None:
        """`said` follows the place: " is None", ": 'id' is missing"."""
        super().__init__(f"{in_words(place) or 'the whole'}{said}")
        self.place = place
        self.said = said


def in_words(place: tuple[str | int, ...]) -> str:
    """As "labs[0].points"."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in place).lstrip(".")


_adapters: dict[object, TypeAdapter[Any]] = {}


def adapter(kind: type[T]) -> TypeAdapter[T]:
    if kind not in _adapters:
        _adapters[kind] = TypeAdapter(kind)
    return _adapters[kind]


def from_json(value: Any, kind: type[T]) -> T:
    """The value as a `kind`; Misfit, which says the first place that is none, where it is not."""
    try:
        read: T = adapter(kind).validate_python(value)
    except ValidationError as error:
        raise _first(error, value) from error
    return read


def to_json(value: Any) -> Any:
    """What from_json() takes, for the value's own type."""
    return adapter(type(value)).dump_python(value, mode="json", by_alias=True)


def _first(error: ValidationError, value: Any) -> Misfit:
    found = error.errors(include_url=False)[0]
    place, last = steps(found["loc"], value), found["loc"][-1:]
    if found["type"] == "missing":
        return Misfit(place, f": {last[0]!r} is missing")
    if found["type"] == "unexpected_keyword_argument":
        return Misfit(place[:-1], f": there is no {last[0]!r}")
    if found["type"] == "value_error":
        return Misfit(place, f": {found['ctx']['error']}")
    return Misfit(place, f" is {shown(found['input'])}")


def steps(place: tuple[str | int, ...], value: Any) -> tuple[str | int, ...]:
    """Those that lead into the value, without the names of types among which there was a choice."""
    steps: list[str | int] = []
    for step in place:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            continue
        steps.append(step)
    return tuple(steps)


def shown(value: Any) -> str:
    try:
        shown = repr(value)
    except ValueError:  # a number of thousands of digits
        shown = "a number"
    return shown if len(shown) <= 40 else shown[:40] + "..."
