"""term.toml: what a course says of its term, checked when it is read; every mistake with its place."""

import re
import tomllib
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from staff.term.deadlines import Deadline, end_of
from staff.term.late_days import LateRule
from staff.term.own_files import text_of
from staff.term.toml_lines import Place, line_of
from tmagrade.basics.errors import UsageError
from tmagrade.course.labs import Lab, names_lab

SETTINGS_FILE = "term.toml"
LOOPBACK = ("127.0.0.1", "localhost")
NUMBER = re.compile(r"\(([0-9]{1,18})\)$")

PendingPolicy = Literal["empty", "scale", "hold"]
MissingPolicy = Literal["empty", "zero"]


def _local(value: datetime) -> datetime:
    if value.tzinfo is not None:
        raise ValueError("is a time of the course's own zone: leave out the offset")
    return value


def _with_time(value: Any) -> Any:
    return end_of(value) if isinstance(value, date) and not isinstance(value, datetime) else value


def _zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise ValueError("is no time zone, such as Europe/Berlin or America/New_York") from None
    return name


def _address(url: str) -> str:
    parts = urlsplit(url.rstrip("/"))
    is_one = parts.hostname and not (parts.username or parts.path or parts.query or parts.fragment)
    if not is_one or not (parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOOPBACK)):
        raise ValueError("is no address of Canvas', as https://canvas.example.edu")
    return url.rstrip("/")


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Late(_Strict):
    grace_minutes: Annotated[int, Field(ge=0, le=1440)] = 0
    late_days: Annotated[int, Field(ge=0, le=100)] = 0
    most_for_a_lab: Annotated[int, Field(ge=0, le=100)] = 0
    percent_a_day: Annotated[int, Field(ge=0, le=100)] = 0
    closed_after_days: Annotated[int, Field(ge=0, le=365)] | None = None

    @property
    def rule(self) -> LateRule:
        penalty = Fraction(self.percent_a_day, 100)
        return LateRule(self.late_days, self.most_for_a_lab, penalty, self.closed_after_days)


class CanvasSettings(_Strict):
    """Where Canvas is asked by its API. The token is in no file."""

    address: Annotated[str, AfterValidator(_address)]
    course: Annotated[int, Field(gt=0)]


class TermLab(_Strict):
    lab: str
    due: Annotated[datetime, BeforeValidator(_with_time), AfterValidator(_local)]
    canvas: str | None = None  # the column of Canvas' grade book, with the assignment's number behind it

    @property
    def assignment(self) -> int | None:
        found = NUMBER.search(self.canvas or "")
        return int(found[1]) if found else None


class Settings(_Strict):
    title: str
    time_zone: Annotated[str, AfterValidator(_zone)]
    pending: PendingPolicy = "empty"
    missing: MissingPolicy = "empty"
    drop_lowest: Annotated[int, Field(ge=0, le=50)] = 0
    late: Late = Late()
    canvas: CanvasSettings | None = None
    labs: tuple[TermLab, ...]

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.time_zone)

    def deadline(self, lab: TermLab) -> Deadline:
        return Deadline(lab.due, self.zone, timedelta(minutes=self.late.grace_minutes))

    def of_lab(self, name: str) -> TermLab | None:
        """What the term says of a lab, by the lab's whole name."""
        return next((one for one in self.labs if one.lab == name or name.startswith(f"{one.lab}-")), None)


def read_settings(folder: Path, labs: Sequence[Lab]) -> Settings:
    """The term's settings, in which each lab has its whole name. UsageError with every mistake and its place."""
    path = folder / SETTINGS_FILE
    return settings_of(text_of(path), str(path), labs)


def settings_of(text: str, path: str, labs: Sequence[Lab]) -> Settings:
    """As read_settings(), of a text that may not be in its file yet."""
    try:
        settings = Settings.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path}: {error}") from error
    except ValidationError as error:
        raise UsageError(_listed(path, text, [(one["loc"], _in_words(one)) for one in error.errors()])) from error
    named = [_whole_name(one.lab, labs) for one in settings.labs]
    if mistakes := [*_of_labs(settings, named), *_of_numbers(settings)]:
        raise UsageError(_listed(path, text, mistakes))
    whole = tuple(one.model_copy(update={"lab": name}) for one, name in zip(settings.labs, named))
    return settings.model_copy(update={"labs": whole})


def _of_labs(settings: Settings, named: Sequence[str | None]) -> Iterator[tuple[Place, str]]:
    for index, (one, name) in enumerate(zip(settings.labs, named)):
        if name is None:
            yield ("labs", index, "lab"), f"there is no lab {one.lab!r}"
        elif name in named[:index]:
            yield ("labs", index, "lab"), f"{name} stands there twice"
        if one.canvas and one.canvas in [other.canvas for other in settings.labs[:index]]:
            yield ("labs", index, "canvas"), f"another lab has the column {one.canvas!r} of Canvas' grade book, too"


def _of_numbers(settings: Settings) -> Iterator[tuple[Place, str]]:
    """Those that are right by themselves, and not beside the others."""
    labs, late = len(settings.labs), settings.late
    if settings.drop_lowest and settings.drop_lowest >= labs:
        yield ("drop_lowest",), f"{settings.drop_lowest} of {labs} labs cannot be dropped: one at least has to count"
    if late.most_for_a_lab > late.late_days:
        more = f"{late.most_for_a_lab} for a lab are more than late_days = {late.late_days}"
        yield ("late", "most_for_a_lab"), f"{more}, which a student has in the whole term"
    if late.late_days and not late.most_for_a_lab:
        yield (
            ("late", "late_days"),
            f"{late.late_days} are of no use with most_for_a_lab = 0: say how many a lab may take",
        )


def _whole_name(name: str, labs: Sequence[Lab]) -> str | None:
    found = [lab.id for lab in labs if names_lab(name, lab)]
    return found[0] if len(found) == 1 else None


def _listed(path: str, text: str, mistakes: Sequence[tuple[Place, str]]) -> str:
    lines = [f"{path} cannot be used:"]
    for place, said in mistakes:
        line = line_of(text, place)
        lines.append(f"  {f'line {line}: ' if line is not None else ''}{_shown(place)}: {said}")
    return "\n".join(lines)


def _shown(place: Place) -> str:
    return "".join(f"[{step + 1}]" if isinstance(step, int) else f".{step}" for step in place).lstrip(".")


def _in_words(mistake: Any) -> str:
    if mistake["type"] == "extra_forbidden":
        return "there is no such setting"
    if mistake["type"] == "missing":
        return "is missing"
    if mistake["type"] == "value_error":
        return f"{mistake['input']} {mistake['ctx']['error']}"
    return f"{mistake['msg']}, not {str(mistake['input'])[:60]!r}"
