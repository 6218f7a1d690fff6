"""When the files of a zip were written: its own times have no zone."""

import struct
import time
import zipfile
from datetime import datetime, tzinfo

from tmagrade.basics.moment import handed_in_at

# The extra field of Info-ZIP, in which `zip` on Linux and macOS says the moment itself, in seconds since 1970.
UNIX_TIME = 0x5455
HAS_MODIFIED = 1


def written_at(info: zipfile.ZipInfo, zone: tzinfo | None) -> float | None:
    """The moment that is said there; else the time of the clock on the wall, which is taken for one of `zone`, and
    without a zone for this machine's. None where nothing sensible is said."""
    if (moment := _moment(info.extra)) is not None:
        return moment
    try:
        return handed_in_at(datetime(*info.date_time), zone).timestamp() if info.date_time[0] > 1980 else None
    except (ValueError, OverflowError):
        return None


def _moment(extra: bytes) -> float | None:
    while len(extra) >= 4:
        kind, size = struct.unpack("<HH", extra[:4])
        field, extra = extra[4 : 4 + size], extra[4 + size :]
        if kind == UNIX_TIME and len(field) >= 5 and field[0] & HAS_MODIFIED:
            [seconds] = struct.unpack("<i", field[1:5])
            return float(seconds) if seconds > 0 else None
    return None


def described(zone: tzinfo | None) -> str:
    """What tells a zone from another one, also that of this machine."""
    return str(zone) if zone is not None else f"{time.tzname} {time.timezone} {time.altzone}"
