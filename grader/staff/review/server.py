"""Gives the page to a browser on this machine, and to nobody else.

Whoever has the address has its token, which is random and new each time. What another site makes a browser ask is
refused by its Origin; what reaches this machine under another name, as after DNS rebinding, by its Host. No answer may
be kept, framed or read by others, and the page runs nothing but the files that are served here.
"""

import hmac
import json
import secrets
import sys
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from typing import Any
from urllib.parse import parse_qs, urlsplit

from pydantic import ValidationError

from staff.review.desk import Desk
from staff.review.sayings import Saying
from tmagrade.basics.errors import CannotRecord, GraderFault, UsageError

LOOPBACK = "127.0.0.1"
MOST_BYTES = 64 << 10  # of what a browser sends
SECONDS = 60  # that a connection may say nothing

TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript"}
CONTENT_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "img-src data:",  # an icon that is none, which no browser asks the server for
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}


def page_files() -> dict[str, bytes]:
    """What the page consists of, by name; the report's colors are the page's, too."""
    page = resources.files("staff.review") / "page"
    files = {entry.name: entry.read_bytes() for entry in page.iterdir() if entry.is_file()}
    report = resources.files("staff.outputs") / "report.css"
    return {name: text for name, text in files.items() if _type(name)} | {"report.css": report.read_bytes()}


def _type(name: str) -> str | None:
    return next((type_ for suffix, type_ in TYPES.items() if name.endswith(suffix)), None)


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, desk: Desk, port: int = 0, token: str | None = None) -> None:
        self.desk = desk
        self.token = token or secrets.token_urlsafe(24)
        self.files = page_files()
        super().__init__((LOOPBACK, port), Answer)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that goes away in the middle of an answer is no event."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)

    @property
    def hosts(self) -> tuple[str, ...]:
        return (f"{LOOPBACK}:{self.server_port}", f"localhost:{self.server_port}")

    @property
    def address(self) -> str:
        return f"http://{self.hosts[0]}/{self.token}/"


class Refused(Exception):
    def __init__(self, status: HTTPStatus, said: str) -> None:
        super().__init__(said)
        self.status = status


class Answer(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"
    server_version = "tmagrade"
    sys_version = ""
    timeout = SECONDS

    def do_GET(self) -> None:
        self._answered(self._get)

    def do_POST(self) -> None:
        self._answered(self._post)

    def _answered(self, answer: Any) -> None:
        try:
            self._demand_own()
            status, type_, content = answer()
        except Refused as refused:
            # Of what was not read nothing may be taken for the next request.
            self.close_connection = True
            status, type_, content = refused.status, *_json({"error": str(refused)})
        except (UsageError, CannotRecord, GraderFault) as error:
            status, type_, content = HTTPStatus.BAD_REQUEST, *_json({"error": str(error)})
        except OSError as error:
            status, type_, content = HTTPStatus.INTERNAL_SERVER_ERROR, *_json({"error": str(error)})
        self.send_response(status)
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Type", f"{type_}; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(content)

    def _demand_own(self) -> None:
        """Refuses what the page itself would not ask."""
        hosts = self.headers.get_all("Host", [])
        if len(hosts) != 1 or hosts[0] not in self.server.hosts:
            raise Refused(HTTPStatus.FORBIDDEN, "this is not for that host")
        origins = self.headers.get_all("Origin", [])
        if any(origin != f"http://{hosts[0]}" for origin in origins):
            raise Refused(HTTPStatus.FORBIDDEN, "another site asks")
        if self.headers.get("Sec-Fetch-Site", "none") not in ("same-origin", "none"):
            raise Refused(HTTPStatus.FORBIDDEN, "another site asks")
        if self.command == "POST" and not origins:
            raise Refused(HTTPStatus.FORBIDDEN, "nobody says which site asks")
        given = self.path.removeprefix("/").split("/")[0].split("?")[0]
        if not hmac.compare_digest(given.encode(), self.server.token.encode()):
            raise Refused(HTTPStatus.NOT_FOUND, "the address is not complete: its token is missing, or an old one")

    @property
    def _asked(self) -> tuple[str, dict[str, str]]:
        parts = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        return parts.path.removeprefix(f"/{self.server.token}").removeprefix("/"), query

    def _get(self) -> tuple[HTTPStatus, str, bytes]:
        name, query = self._asked
        desk = self.server.desk
        if name == "class":
            return HTTPStatus.OK, *_json(desk.class_json())
        if name == "hand-in":
            return HTTPStatus.OK, *_json(desk.hand_in_json(query.get("student", ""), query.get("lab", "")))
        if name == "figures":
            return HTTPStatus.OK, *_json(desk.figures_json(query.get("lab", "")))
        name = name or "index.html"
        if name not in self.server.files:
            raise Refused(HTTPStatus.NOT_FOUND, "there is no such page")
        return HTTPStatus.OK, _type(name) or "", self.server.files[name]

    def _post(self) -> tuple[HTTPStatus, str, bytes]:
        name, _ = self._asked
        if name != "say":
            raise Refused(HTTPStatus.NOT_FOUND, "there is no such page")
        if self.headers.get_content_type() != "application/json" or "Transfer-Encoding" in self.headers:
            raise Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "only JSON is read")
        length = self.headers.get("Content-Length", "")
        if not length.isascii() or not length.isdigit() or int(length) > MOST_BYTES:
            raise Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"no more than {MOST_BYTES >> 10} KiB are read")
        try:
            saying = Saying.model_validate_json(self.rfile.read(int(length)))
        except ValidationError as error:
            first = error.errors()[0]
            raise UsageError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from error
        return HTTPStatus.OK, *_json({"notice": self.server.desk.say(saying)})

    def log_message(self, format: str, *args: Any) -> None:
        """The address is a secret, so no request is printed."""


def _json(value: Any) -> tuple[str, bytes]:
    # A name that is no text in any encoding stands as \udcff, and comes back so.
    return "application/json", json.dumps(value).encode()
