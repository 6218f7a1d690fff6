"""Who is answered by the server of the review page, and what an answer allows a browser to do: asked over HTTP."""

import http.client
import json
import re
import socket
import threading
from collections.abc import Iterator

import pytest
from conftest import tmagrade_of
from graded_apart import temporary_course
from test_term import begin_term, grade, put

from staff.review.desk import Desk
from staff.review.server import MOST_BYTES, Server, page_files

COMMENT = {"id": "comment-1", "student": "ada", "lab": "lab3-bulk-copy", "kind": "comment", "text": "Why?"}


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with pytest.MonkeyPatch.context() as patch, temporary_course() as course:
        patch.setenv("PATH", f"{course.repository.root / 'bin'}:/usr/bin:/bin")
        begin_term(course)
        put(course, "ada/lab3/lab3.cu", "<script>alert(1)</script>\n")
        grade(tmagrade_of(course, patch), course, "--labs", "lab3")
        with Server(Desk(course.repository, course.repository.grades)) as server:
            thread = threading.Thread(target=server.serve_forever)
            thread.start()
            yield server
            server.shutdown()
            thread.join()


Reply = tuple[int, dict[str, str], bytes]


def asked(
    server: Server,
    method: str = "GET",
    path: str = "class",
    body: bytes | None = None,
    host: str | None = None,
    token: str | None = None,
    **headers: str,
) -> Reply:
    """What the server answers to a program that sends just this."""
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port)
    connection.putrequest(method, f"/{server.token if token is None else token}/{path}", skip_host=True)
    for name, value in {"Host": host or server.hosts[0], **headers}.items():
        if value:
            connection.putheader(name.replace("_", "-"), value)
    if body is not None and "Content_Length" not in headers:
        connection.putheader("Content-Length", str(len(body)))
    connection.endheaders(body)
    answer = connection.getresponse()
    reply = answer.status, dict(answer.getheaders()), answer.read()
    connection.close()
    return reply


def said(server: Server, body: bytes | None = None, **headers: str) -> int:
    """The status of what a page posts, which is right but for what is given."""
    own = {"Origin": f"http://{server.hosts[0]}", "Content_Type": "application/json"} | headers
    return asked(server, "POST", "say", json.dumps(COMMENT).encode() if body is None else body, **own)[0]


def comments(server: Server) -> int:
    row = json.loads(asked(server)[2])["rows"][0]
    return int(row["comments"])


def test_the_page_itself_is_answered(server: Server) -> None:
    assert asked(server)[0] == 200
    assert asked(server, path="")[1]["Content-Type"].startswith("text/html")


def test_it_listens_on_loopback_alone(server: Server) -> None:
    assert server.server_address[0] == "127.0.0.1"
    other = socket.gethostbyname_ex(socket.gethostname())[2]
    for address in [one for one in other if not one.startswith("127.")]:
        with pytest.raises(OSError), socket.create_connection((address, server.server_port), timeout=2):
            pass


@pytest.mark.parametrize("token", ["", "x", "class", "%00"])
def test_without_the_token_nothing_is_told(server: Server, token: str) -> None:
    status, _, content = asked(server, token=token)
    assert status == 404
    assert b"ada" not in content


def test_each_server_has_a_token_of_its_own(server: Server) -> None:
    with Server(server.desk) as other:
        assert len(other.token) >= 32
        assert asked(server, token=other.token)[0] == 404


@pytest.mark.parametrize("host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1.evil.example:{port}"])
def test_a_name_that_was_bound_to_this_machine_is_refused(server: Server, host: str) -> None:
    host = host.format(port=server.server_port)
    status, _, content = asked(server, host=host)
    assert (status, b"ada" in content) == (403, False)
    assert said(server, Host=host, Origin=f"http://{host}") == 403
    assert comments(server) == 0


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": ""},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
    ],
)
def test_what_another_site_posts_is_refused(server: Server, headers: dict[str, str]) -> None:
    assert said(server, None, **headers) == 403
    assert comments(server) == 0


def test_what_another_site_asks_for_is_refused(server: Server) -> None:
    assert asked(server, Sec_Fetch_Site="cross-site")[0] == 403
    assert asked(server, Origin="https://evil.example")[0] == 403


@pytest.mark.parametrize("type_", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_what_a_form_can_post_is_refused(server: Server, type_: str) -> None:
    assert said(server, Content_Type=type_) == 415


@pytest.mark.parametrize("length", [str(MOST_BYTES + 1), "-1", "x", ""])
def test_what_has_no_length_or_too_large_a_one_is_not_read(server: Server, length: str) -> None:
    assert said(server, b"", Content_Length=length) == 413


@pytest.mark.parametrize(
    "more", [{"by": "somebody else"}, {"id": "short"}, {"points": "1e9"}, {"text": "x" * 4001}, {"kind": "override"}]
)
def test_what_is_no_remark_is_refused(server: Server, more: dict[str, str]) -> None:
    assert said(server, json.dumps(COMMENT | more).encode()) == 400
    assert comments(server) == 0


@pytest.mark.parametrize("path", ["../desk.py", "..%2fdesk.py", "page/main.js", "main.js/", "term.sqlite"])
def test_only_the_pages_own_files_are_given(server: Server, path: str) -> None:
    assert asked(server, path=path)[0] == 404


@pytest.mark.parametrize("path", ["", "class", "main.js", "nothing"])
def test_no_answer_may_be_kept_framed_or_run_as_something_else(server: Server, path: str) -> None:
    headers = asked(server, path=path)[1]
    policy = headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'") and "unsafe" not in policy and "frame-ancestors 'none'" in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cache-Control"] == "no-store"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert "Access-Control-Allow-Origin" not in headers


def test_a_students_text_is_given_as_data(server: Server) -> None:
    status, headers, content = asked(server, path="hand-in?student=ada&lab=lab3-bulk-copy")
    assert (status, headers["Content-Type"]) == (200, "application/json; charset=utf-8")
    assert json.loads(content)["files"][0]["lines"] == ["<script>alert(1)</script>"]


def test_no_module_of_the_page_makes_html_of_text() -> None:
    scripts = {name: text.decode() for name, text in page_files().items() if name.endswith((".js", ".html"))}
    assert len(scripts) > 5
    makes_html = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function|DOMParser|srcdoc| style="
    assert [name for name, text in scripts.items() if re.search(makes_html, text)] == []


def test_a_wrong_word_on_the_line_ends_no_server(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.server_port)) as connection:
        connection.sendall(b"GET * HTTP/1.1\r\n\r\n")
        assert b" 403 " in connection.recv(1 << 16)
    assert asked(server)[0] == 200


# The last one: what it says is there from now on.
def test_what_the_page_itself_posts_is_kept(server: Server) -> None:
    assert said(server) == 200
    assert comments(server) == 1
