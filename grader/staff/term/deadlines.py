"""How late a hand-in is: in days of the course's wall clock, so that a change of clocks moves no deadline."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from tmagrade.basics.moment import moments_of

# Beyond this many days nothing is counted any more.
MOST_DAYS = 400

# A deadline that is a day alone is over with that day.
END_OF_A_DAY = time(23, 59)
# A deadline of 23:59 is over with that minute, as on clocks that show no seconds, and on the platforms.
LAST_OF_A_MINUTE = timedelta(seconds=59, microseconds=999_999)


def end_of(day: date) -> datetime:
    return datetime.combine(day, END_OF_A_DAY)


@dataclass(frozen=True)
class Deadline:
    """When a lab is due, in the local time of `zone`; so much later is still in time."""

    due: datetime  # without a time zone: what the clock on the wall shows
    zone: ZoneInfo
    grace: timedelta = timedelta()

    def end_of_day(self, days: int) -> datetime:
        """The last moment, in UTC, at which a hand-in is no more than `days` days late: the wall clock's time of the
        deadline, so many days later, and the grace. A deadline without seconds is the whole minute."""
        # Of an hour that comes twice, or not at all, what is better for the student.
        last = max(moments_of(self.due + timedelta(days=days), self.zone)) + self.grace
        return last if self.due.second else last + LAST_OF_A_MINUTE

    def days_late(self, handed_in: datetime) -> int:
        """How many days late that is, each begun day for a whole one; 0: in time."""
        about = max((handed_in.astimezone(UTC) - self.end_of_day(0)).days - 1, 0)
        days = range(min(about, MOST_DAYS), MOST_DAYS + 1)
        return next((days_ for days_ in days if handed_in <= self.end_of_day(days_)), MOST_DAYS)

    def extended(self, until: Iterable[datetime]) -> "Deadline":
        """With extensions, in whatever order they were given: the latest counts, and none makes it earlier."""
        return Deadline(max([self.due, *until]), self.zone, self.grace)
