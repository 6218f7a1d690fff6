"""A full disk is waited for, wherever the server meets it: what it was about to write is in its hands until then."""

from collections.abc import Callable
from typing import TypeVar

from tmagrade.basics.cache import NO_ROOM
from tmagrade.basics.errors import CannotRecord

T = TypeVar("T")

PATIENCE_SECONDS = 5.0


class FullDisk:
    def __init__(self, say: Callable[[str], None], sleep: Callable[[float], None]) -> None:
        self._say = say
        self._sleep = sleep

    def outlast(self, work: Callable[[], T]) -> T:
        """Does what can be done again, until there is space for it."""
        waited = False
        while True:
            try:
                result = work()
            except (OSError, CannotRecord) as error:
                cause = error.__cause__ if isinstance(error, CannotRecord) else error
                if not isinstance(cause, OSError) or cause.errno not in NO_ROOM:
                    raise
                if not waited:
                    self._say(f"{cause.strerror}: nothing is lost, and the queue goes on when there is space")
                waited = True
                self._sleep(PATIENCE_SECONDS)
            else:
                if waited:
                    self._say("there is space again, and the queue goes on")
                return result
