"""Times as they are written down."""

from datetime import UTC, datetime, tzinfo


def now() -> str:
    """ISO 8601, in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def moments_of(local: datetime, zone: tzinfo | None) -> tuple[datetime, datetime]:
    """The moments, in UTC, that a clock on the wall may mean: two of an hour that comes twice, or not at all, else one
    and the same. Without a zone: this machine's clock."""
    first, second = (local.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))
    return first, second


def handed_in_at(local: datetime, zone: tzinfo | None) -> datetime:
    """When something was handed in, by a clock on the wall: of two moments the earlier, which is better for the
    student."""
    return min(moments_of(local, zone))
