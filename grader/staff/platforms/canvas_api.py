"""Canvas' API as a client has to use it (https://canvas.instructure.com/doc/api): lists in pages that name the next,
a limit on requests, files that lie on other hosts, and work that Canvas goes on with by itself.

The token comes from the environment. It is in no message, and no other host gets it.
"""

import json
import os
import re
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from decimal import Decimal
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit

from staff.term.settings import LOOPBACK
from tmagrade.basics.cache import replace_atomically
from tmagrade.basics.errors import UsageError
from tmagrade.basics.untrusted import visible_line

TOKEN = "CANVAS_TOKEN"
PAGE = 100  # asked for; Canvas gives fewer where it likes to
TRIES = 7
FIRST_PAUSE = 1.0  # doubled each time
LONGEST_PAUSE = 60.0
TIMEOUT = 60.0
MOST_REDIRECTS = 5
REDIRECTS = (301, 302, 303, 307, 308)
TOO_MANY = (403, 429)
MOST_PROGRESS = 60
MOST_CHARACTERS = 200
CHUNK = 1 << 16
LINK = re.compile(r"<([^>]*)>([^<]*)")
REL_NEXT = re.compile(r';\s*rel="?next"?\s*(?:[;,]|$)', re.IGNORECASE)

BROKEN = (OSError, HTTPException)  # among them urllib's own; one that has an answer in it is none

pause = time.sleep


@contextmanager
def hidden_token() -> Iterator[None]:
    """Whatever is started meanwhile does not inherit it: neither what students hand in, nor a cluster's jobs, whose
    environment is kept in files."""
    token = os.environ.pop(TOKEN, None)
    try:
        yield
    finally:
        if token is not None:
            os.environ[TOKEN] = token


class _Stay(urllib.request.HTTPRedirectHandler):
    """urllib takes the headers along, to whatever host."""

    def redirect_request(self, *_: object) -> None:
        return None


class Canvas:
    """What one token may see and do at one address."""

    def __init__(self, address: str) -> None:
        self.address = address.rstrip("/")
        self._token = _token()
        self._opener = urllib.request.build_opener(_Stay)

    def all(self, path: str, **query: object) -> Iterator[Mapping[str, Any]]:
        """The entries of a list, from all of its pages."""
        url: str | None = f"{self.address}{path}?{urlencode({'per_page': PAGE, **query}, doseq=True)}"
        while url is not None:
            with self._answered("GET", url) as answer:
                yield from self._json(answer)
                url = next_page(answer.headers.get("Link", ""))
            if url is not None and not self._is_own(url):
                raise UsageError(f"{self.address} names a next page elsewhere: is {origin(url)} its address?")

    def get(self, path: str) -> Any:
        with self._answered("GET", f"{self.address}{path}") as answer:
            return self._json(answer)

    def do(self, path: str, what: Mapping[str, Any]) -> None:
        """Has Canvas do something that it goes on with by itself, and waits until it is done."""
        with self._answered("POST", f"{self.address}{path}", json.dumps(what).encode()) as answer:
            progress = self._json(answer)
        for tried in range(MOST_PROGRESS):
            if progress["workflow_state"] == "completed":
                return
            if progress["workflow_state"] == "failed":
                raise UsageError(f"Canvas could not do it: {self._shown(str(progress.get('message') or 'no reason'))}")
            pause(min(FIRST_PAUSE * 1.5**tried, 10.0))
            progress = self.get(f"/api/v1/progress/{int(progress['id'])}")
        raise UsageError("Canvas is still at it: the same command looks again, and does what is left")

    def download(self, url: str, size: int, to: Path, name: str) -> None:
        """A file, whole or not at all. The address is a secret for a while, so it is in no message."""
        if not url:
            raise UsageError(f"{name} is locked on Canvas, which gives no address of it")
        for tried in range(TRIES):
            if tried:
                pause(FIRST_PAUSE * 2 ** (tried - 1))
            try:
                replace_atomically(to, lambda unfinished: self._fill(unfinished, url, size, name))
                return
            except _Short:
                continue
        raise UsageError(f"{name} broke off {TRIES} times; what has come is kept, and the same command goes on")

    def _fill(self, unfinished: Path, url: str, size: int, name: str) -> None:
        there = 0
        with self._found(url, name) as answer, unfinished.open("wb") as file:
            while True:
                try:
                    piece = answer.read(CHUNK)
                except BROKEN as error:
                    raise _Short from error
                if not piece:
                    break
                there += len(piece)
                if there > size:
                    raise UsageError(f"{name} is longer than the {size} bytes that Canvas says")
                file.write(piece)
        if there < size:
            raise _Short

    def _found(self, url: str, name: str) -> Any:
        """What is at the end of redirects, which go to other hosts."""
        for _ in range(MOST_REDIRECTS):
            url = urljoin(self.address, url)
            if not is_safe(url):
                raise UsageError(f"{name} lies where no https leads: {visible_line(origin(url))}")
            answer = self._answered("GET", url)
            if answer.status not in REDIRECTS:
                return answer
            answer.close()
            url = urljoin(url, answer.headers.get("Location", ""))
        raise UsageError(f"{name}: more than {MOST_REDIRECTS} redirects")

    def _is_own(self, url: str) -> bool:
        return origin(url) == origin(self.address)

    def _answered(self, method: str, url: str, body: bytes | None = None) -> Any:
        """Tries again where Canvas wants fewer requests, and where nothing is done twice by that."""
        said = ""
        for tried in range(TRIES):
            wait = min(FIRST_PAUSE * 2 ** (tried - 1), LONGEST_PAUSE)
            if tried:
                pause(wait)
            try:
                answer = self._sent(method, url, body)
            except BROKEN as error:
                said = f"{origin(url)} does not answer: {self._shown(str(getattr(error, 'reason', error)))}"
                if method != "GET":
                    break
                continue
            if answer.status < 400:
                return answer
            said, is_for_a_while = self._refusal(answer)
            if not is_for_a_while or (answer.status >= 500 and method != "GET"):
                break
        raise UsageError(said)

    def _sent(self, method: str, url: str, body: bytes | None) -> Any:
        request = urllib.request.Request(url, body, {"Accept": "application/json"}, method=method)
        if body is not None:
            request.add_header("Content-Type", "application/json")
        if self._is_own(url):
            request.add_unredirected_header("Authorization", f"Bearer {self._token}")
        try:
            return self._opener.open(request, timeout=TIMEOUT)
        except urllib.error.HTTPError as answer:
            return answer

    def _refusal(self, answer: Any) -> tuple[str, bool]:
        """What to say of an answer, and whether it may be another one after a while."""
        where = urlsplit(answer.url).path if self._is_own(answer.url) else "a file"
        with answer:
            try:
                text = answer.read(CHUNK).decode(errors="replace")
            except BROKEN:
                text = ""
        left = answer.headers.get("X-Rate-Limit-Remaining")
        if answer.status in TOO_MANY and (_is_used_up(left) or answer.status == 429 or "Rate Limit" in text):
            return "Canvas wants fewer requests, and for longer than was waited: try again in some minutes", True
        if answer.status == 401 and "WWW-Authenticate" in answer.headers:
            return f"Canvas refuses the token in {TOKEN}: make a new one there (Account, Settings)", False
        if answer.status in (401, 403):
            return f"the token in {TOKEN} is of somebody who may not do that: {where}", False
        if answer.status == 404:
            return f"Canvas has no {where}: term.toml says which course and assignment", False
        return f"Canvas answers {where} with {answer.status}: {self._shown(text)}", answer.status >= 500

    def _json(self, answer: Any) -> Any:
        if answer.status in REDIRECTS:
            to = origin(urljoin(self.address, answer.headers.get("Location", "")))
            raise UsageError(f"{self.address} leads to {visible_line(to)}: address in term.toml is to be the last one")
        try:
            return json.loads(answer.read(), parse_float=Decimal)
        except (*BROKEN, ValueError, RecursionError):
            raise UsageError(f"what {self.address} answers is not Canvas': no JSON, or not all of it") from None

    def _shown(self, text: str) -> str:
        """What Canvas says of it, without the token, whoever repeats it."""
        return visible_line(text.replace(self._token, TOKEN))[:MOST_CHARACTERS]


class _Short(Exception):
    """Less came than was said."""


def _token() -> str:
    token = os.environ.get(TOKEN, "").strip()
    if not token:
        raise UsageError(f"{TOKEN} is not set: a token of Canvas' (Account, Settings, New Access Token), and no file's")
    if not token.isascii() or not token.isprintable() or " " in token:
        raise UsageError(f"what {TOKEN} holds is no token: it has blanks, or characters that no token has")
    return token


def origin(url: str) -> str:
    """Whom one speaks to there: the scheme, the host and the port. Empty where that is nobody."""
    try:
        parts = urlsplit(url)
        port = parts.port or {"https": 443, "http": 80}[parts.scheme]
    except (ValueError, KeyError):
        return ""
    return f"{parts.scheme}://{parts.hostname}:{port}"


def is_safe(url: str) -> bool:
    """Whether nobody on the way reads along."""
    scheme, _, host = origin(url).partition("://")
    return scheme == "https" or (scheme == "http" and host.rpartition(":")[0] in LOOPBACK)


def next_page(link: str) -> str | None:
    """What a Link header names as the next page: `<https://...>; rel="next"`, between others."""
    return next((url for url, said in LINK.findall(link) if REL_NEXT.search(said)), None)


def _is_used_up(left: str | None) -> bool:
    try:
        return left is not None and float(left) <= 0
    except ValueError:
        return False
