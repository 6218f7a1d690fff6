"""term.toml: what a course says of its term, checked when it is read; every mistake with its place."""

import tomllib
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from tmagrade.basics.errors import UsageError
from tmagrade.course.labs import Lab, names_lab
from tmagrade.term.deadlines import Deadline, end_of
from tmagrade.term.late_days import LateRule

SETTINGS_FILE = "term.toml"

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


class TermLab(_Strict):
    lab: str
    due: Annotated[datetime, BeforeValidator(_with_time), AfterValidator(_local)]
    canvas: str | None = None  # the column of Canvas' grade book


class Settings(_Strict):
    title: str
    time_zone: Annotated[str, AfterValidator(_zone)]
    pending: PendingPolicy = "empty"
    missing: MissingPolicy = "empty"
    drop_lowest: Annotated[int, Field(ge=0, le=50)] = 0
    late: Late = Late()
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
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
        settings = Settings.model_validate(values)
    except FileNotFoundError:
        raise UsageError(f"{path} does not exist: tmagrade term init writes one") from None
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: {error}") from error
    except ValidationError as error:
        raise UsageError(_listed(path, [_in_words(mistake) for mistake in error.errors()])) from error
    named = [_whole_name(one.lab, labs) for one in settings.labs]
    mistakes = [
        f"labs[{i + 1}].lab: there is no lab {one.lab!r}" for i, one in enumerate(settings.labs) if not named[i]
    ]
    mistakes += [f"labs: {name} stands there twice" for name in _repeated(named)]
    columns = [one.canvas for one in settings.labs]
    mistakes += [f"labs: two of them have the column {name!r} of Canvas' grade book" for name in _repeated(columns)]
    if mistakes:
        raise UsageError(_listed(path, mistakes))
    whole = tuple(one.model_copy(update={"lab": name}) for one, name in zip(settings.labs, named))
    return settings.model_copy(update={"labs": whole})


def _repeated(names: Sequence[str | None]) -> list[str]:
    return sorted({name for name in names if name and names.count(name) > 1})


def _whole_name(name: str, labs: Sequence[Lab]) -> str | None:
    found = [lab.id for lab in labs if names_lab(name, lab)]
    return found[0] if len(found) == 1 else None


def _listed(path: Path, mistakes: Sequence[str]) -> str:
    return "\n".join([f"{path} cannot be used:", *(f"  {mistake}" for mistake in mistakes)])


def _in_words(mistake: Any) -> str:
    place = "".join(f"[{step + 1}]" if isinstance(step, int) else f".{step}" for step in mistake["loc"]).lstrip(".")
    if mistake["type"] == "extra_forbidden":
        return f"{place}: there is no such setting"
    if mistake["type"] == "missing":
        return f"{place}: is missing"
    if mistake["type"] == "value_error":
        return f"{place}: {mistake['input']} {mistake['ctx']['error']}"
    return f"{place}: {mistake['msg']}, not {str(mistake['input'])[:60]!r}"
