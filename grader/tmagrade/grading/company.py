"""Work that several threads do side by side, and that one of them may ask to go on with alone."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Company:
    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._at_work = 0
        self._waiting = 0  # for being alone
        self._is_one_alone = False

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Beside others; whoever waits for being alone comes first, else nobody ever is in a large class."""
        with self._changed:
            self._changed.wait_for(lambda: not self._waiting and not self._is_one_alone)
            self._at_work += 1
        try:
            yield
        finally:
            with self._changed:
                self._at_work -= 1
                self._changed.notify_all()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """For one who is at work: until the others are done, and none begins before this ends."""
        with self._changed:
            self._at_work -= 1
            self._waiting += 1
            self._changed.notify_all()
            self._changed.wait_for(lambda: not self._at_work and not self._is_one_alone)
            self._waiting -= 1
            self._is_one_alone = True
        try:
            yield
        finally:
            with self._changed:
                self._is_one_alone = False
                self._at_work += 1
                self._changed.notify_all()
