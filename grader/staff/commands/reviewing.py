"""Serves the page on which hand-ins are read until it is ended."""

from pathlib import Path

from staff.review.desk import Desk
from staff.review.server import LOOPBACK, Server
from tmagrade.basics.errors import UsageError
from tmagrade.basics.paths import HERE
from tmagrade.basics.printing import print_line
from tmagrade.commands.command_line import err, out


def serve_page(grades: Path, port: int) -> None:
    desk = Desk(HERE, grades.absolute())
    desk.class_json()  # what cannot be read is said here, and not in a browser; and the first page waits for nothing
    try:
        desk.bring_up()
    except PermissionError as error:  # they are another assistant's files
        print_line(err, f"tmagrade: {error.filename}: {error.strerror}; students' files stay as they are", "yellow")
    try:
        server = Server(desk, port)
    except OSError as error:
        raise UsageError(f"{LOOPBACK}:{port}: {error.strerror}; --port 0 takes one that is free") from error
    with server:
        print_line(out, f"open {server.address}")
        print_line(out, "The address is for you alone: who has it can read and say all that you can. Ctrl-C ends it")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print_line(out, "ended; all that was said is kept")
