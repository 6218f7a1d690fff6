"""Canvas as its published API has it (https://canvas.instructure.com/doc/api), on this machine's loopback: users,
sections, assignments, submissions, grades and comments in bulk, progress, and files that lie on another host.

Pages have ten entries at most, whatever is asked for, and name the next one by a link that means nothing to a client.
"""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

TOKEN = "7~secret-of-a-teacher"
COURSE = 77
PAGE = 10
NO_TOKEN = {"errors": [{"message": "Invalid access token."}]}
NOT_THERE = {"errors": [{"message": "The specified resource does not exist."}]}
Json = dict[str, Any]


@dataclass
class Assignment:
    points: float = 100.0
    submissions: dict[int, Json] = field(default_factory=dict)  # by the user
    overrides: list[Json] = field(default_factory=list)


@dataclass
class PretendedCanvas:
    users: dict[int, Json] = field(default_factory=dict)
    sections: dict[int, str] = field(default_factory=dict)
    assignments: dict[int, Assignment] = field(default_factory=dict)
    groups: dict[int, list[int]] = field(default_factory=dict)  # Canvas' numbers of the users in each
    files: dict[int, bytes] = field(default_factory=dict)
    late_policy: Json | None = None
    # What goes wrong, and what was asked.
    busy: int = 0  # so many requests are refused from now on: the limit of requests
    hangs_up: bool = False  # once Canvas has done what a POST asks for
    broken: int = 0  # so many downloads break off in the middle
    failing: str = ""  # a progress fails with this
    ignores: frozenset[int] = frozenset()  # users whose grades Canvas does not change
    at_request: Callable[[str], None] = lambda place: None
    asked: list[str] = field(default_factory=list)
    fetched: list[int] = field(default_factory=list)
    tokens_elsewhere: list[str] = field(default_factory=list)
    address: str = ""
    elsewhere: str = ""
    _links: list[str] = field(default_factory=list)
    _progress: list[list[Callable[[], None]]] = field(default_factory=list)

    def enroll(self, number: int, name: str, section: int, **more: str) -> None:
        enrollment = {"course_section_id": section, "type": "StudentEnrollment", "enrollment_state": "active"}
        given, _, family = name.partition(" ")
        user = {"id": number, "name": name, "sortable_name": f"{family}, {given}", "short_name": given}
        self.users[number] = {**user, **more, "enrollments": [enrollment]}
        for made in self.assignments.values():
            made.submissions.setdefault(number, nothing_yet(number))

    def assign(self, assignment: int, points: float = 100.0) -> None:
        """A submission is there for everybody, as Canvas has it, before anything is handed in."""
        self.assignments[assignment] = Assignment(points, {user: nothing_yet(user) for user in self.users})

    def hand_in(self, assignment: int, users: list[int], at: str, files: dict[str, str], *, late: bool = False) -> None:
        """An attempt of one user, or of a group's members, who have the same files."""
        numbers = range(9000 + len(self.files), 9000 + len(self.files) + len(files))
        self.files |= {number: text.encode() for number, text in zip(numbers, files.values())}
        attachments = [
            {
                "id": number, "display_name": name, "filename": name, "size": len(self.files[number]),
                "url": f"{self.address}/files/{number}/download?download_frd=1&verifier=v{number}",
            }
            for number, name in zip(numbers, files)
        ]  # fmt: skip
        for user in users:
            one = self.assignments[assignment].submissions[user]
            one |= {"submitted_at": at, "attempt": (one["attempt"] or 0) + 1, "late": late}
            one |= {"attachments": attachments, "submission_type": "online_upload", "workflow_state": "submitted"}

    def score_of(self, assignment: int, user: int) -> object:
        one = self.assignments[assignment].submissions[user]
        return "EX" if one["excused"] else one["score"]

    def put_score(self, assignment: int, user: int, score: float) -> None:
        """By hand, in Canvas' own pages."""
        self.assignments[assignment].submissions[user] |= {"score": score, "entered_score": score, "excused": False}

    def answer(self, method: str, url: str, body: Any) -> tuple[int, Any, dict[str, str]]:
        place, _, query = url.partition("?")
        self.asked.append(f"{method} {place}")
        self.at_request(place)
        asked = parse_qs(query)
        if "bookmark" in asked:
            place, query = self._links[int(asked["bookmark"][0])].split("?")
            asked = parse_qs(query)
        found = self._found(method, place, asked, body)
        if not isinstance(found, list):
            return (404, NOT_THERE, {}) if found is None else (200, found, {})
        start = int(asked.get("start", ["0"])[0])
        links = [f'<{self.address}{place}?bookmark=0>; rel="first"']
        if start + PAGE < len(found):
            self._links.append(f"{place}?{re.sub('&start=[0-9]+', '', query)}&start={start + PAGE}")
            links.insert(0, f'<{self.address}{place}?bookmark={len(self._links) - 1}>; rel="next"')
        return 200, found[start : start + PAGE], {"link": ",".join(links)}

    def _found(self, method: str, place: str, asked: dict[str, list[str]], body: Any) -> Any:
        if found := re.fullmatch(r"/api/v1/progress/(\d+)", place):
            return self._progressed(int(found[1]))
        course = f"/api/v1/courses/{COURSE}"
        if found := re.fullmatch(r"/api/v1/groups/(\d+)/users", place):
            return [self.users[user] for user in self.groups[int(found[1])]]
        if not place.startswith(course):
            return None
        rest = place.removeprefix(course)
        if rest == "/sections":
            return [{"id": number, "name": name} for number, name in self.sections.items()]
        if rest == "/users":
            assert asked["enrollment_type[]"] == ["student"] and set(asked["include[]"]) == {"email", "enrollments"}
            return list(self.users.values())
        if rest == "/late_policy":
            return self.late_policy
        if (found := re.fullmatch(r"/assignments/(\d+)/overrides", rest)) and int(found[1]) in self.assignments:
            return self.assignments[int(found[1])].overrides
        found = re.fullmatch(r"/assignments/(\d+)(/submissions)?(/update_grades)?", rest)
        assignment = self.assignments.get(int(found[1])) if found else None
        if found is None or assignment is None:
            return None
        if found[3]:
            return self._queued(assignment, body["grade_data"]) if method == "POST" else None
        if not found[2]:
            return {"id": int(found[1]), "points_possible": assignment.points, "published": True}
        there = [one for user, one in assignment.submissions.items() if user in self.users]
        return [self._submission(one, asked.get("include[]", [])) for one in there]

    def _submission(self, one: Json, include: list[str]) -> Json:
        shown = {key: value for key, value in one.items() if key != "comments"}
        if "user" in include:
            shown["user"] = self.users[one["user_id"]]
        if "submission_comments" in include:
            shown["submission_comments"] = [{"comment": text} for text in one["comments"]]
        return shown

    def _queued(self, assignment: Assignment, data: dict[str, Json]) -> Json:
        self._progress.append([lambda: None, lambda: self._update(assignment, data)])
        return {"id": len(self._progress) - 1, "workflow_state": "queued", "message": None}

    def go_on(self) -> None:
        """With all that is queued, whether anybody asks or not."""
        for steps in self._progress:
            while steps:
                steps.pop(0)()

    def _progressed(self, number: int) -> Json:
        """One step further at each question."""
        if self.failing:
            return {"id": number, "workflow_state": "failed", "message": self.failing}
        if self._progress[number]:
            self._progress[number].pop(0)()
            return {"id": number, "workflow_state": "running", "message": None}
        return {"id": number, "workflow_state": "completed", "message": None}

    def _update(self, assignment: Assignment, data: dict[str, Json]) -> None:
        for user, what in data.items():
            one = assignment.submissions[int(user)]
            if "text_comment" in what:
                one["comments"].append(what["text_comment"])
            if int(user) not in self.ignores:
                if what.get("excuse"):
                    one |= {"excused": True, "score": None, "entered_score": None}
                elif "posted_grade" in what:
                    score = float(what["posted_grade"])
                    one |= {"excused": False, "score": score, "entered_score": score}


def nothing_yet(user: int) -> Json:
    return {
        "user_id": user, "submitted_at": None, "attempt": None, "late": False, "workflow_state": "unsubmitted",
        "submission_type": None, "body": None, "url": None, "score": None, "entered_score": None, "grade": None,
        "excused": False, "comments": [],
    }  # fmt: skip


class _Handler(BaseHTTPRequestHandler):
    canvas: PretendedCanvas

    def log_message(self, *_: object) -> None:
        pass

    def give(self, status: int, content: bytes, headers: dict[str, str], length: int | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(content) if length is None else length), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)


class _Api(_Handler):
    def do_GET(self) -> None:
        canvas, token = self.canvas, self.headers.get("Authorization")
        if found := re.match(r"/files/(\d+)/download\?", self.path):
            self.give(302, b"", {"Location": f"{canvas.elsewhere}/{found[1]}?signature=s"})
            return
        if token != f"Bearer {TOKEN}":
            headers = {"WWW-Authenticate": 'Bearer realm="canvas-lms"'}
            self.give(401, json.dumps(NO_TOKEN | {"said": str(token)}).encode(), headers)
            return
        if canvas.busy:
            canvas.busy -= 1
            self.give(403, b"403 Forbidden (Rate Limit Exceeded)\n", {"X-Rate-Limit-Remaining": "0.0"})
            return
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        status, content, headers = canvas.answer(self.command, self.path, json.loads(body) if body else None)
        if canvas.hangs_up and self.command == "POST":
            canvas.go_on()
            self.close_connection = True
            return
        headers |= {"Content-Type": "application/json", "X-Rate-Limit-Remaining": "699.5", "X-Request-Cost": "0.5"}
        self.give(status, json.dumps(content).encode(), headers)

    do_POST = do_GET


class _Files(_Handler):
    """Where Canvas keeps files: signed addresses for a while, and nobody's token."""

    def do_GET(self) -> None:
        canvas = self.canvas
        if "Authorization" in self.headers:
            canvas.tokens_elsewhere.append(self.path)
        number = int(urlsplit(self.path).path.lstrip("/"))
        canvas.fetched.append(number)
        content = canvas.files[number]
        canvas.at_request(f"/files/{number}")
        cut = len(content) // 2 if canvas.broken else len(content)
        canvas.broken = max(canvas.broken - 1, 0)
        self.give(200, content[:cut], {}, len(content))
        self.close_connection = True


@contextmanager
def serving(canvas: PretendedCanvas) -> Iterator[PretendedCanvas]:
    servers = [
        ThreadingHTTPServer(("127.0.0.1", 0), type(handler.__name__, (handler,), {"canvas": canvas}))
        for handler in (_Api, _Files)
    ]
    canvas.address, canvas.elsewhere = (f"http://127.0.0.1:{server.server_address[1]}" for server in servers)
    for server in servers:
        Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield canvas
    finally:
        for server in servers:
            server.shutdown()
            server.server_close()
