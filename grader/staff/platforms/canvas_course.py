"""A course on Canvas, asked by its API: who is in it, its grade book, and scores and comments that go there."""

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any

from staff.platforms import canvas
from staff.platforms.canvas_api import Canvas
from staff.platforms.listed import NOBODY, Listed
from staff.term.published_cells import EXCUSED
from tmagrade.basics.errors import UsageError

THERE = ("active", "invited")  # states of an enrollment; who is concluded or inactive has left
STUDENT = "StudentEnrollment"
Submission = Mapping[str, Any]


@dataclass(frozen=True)
class OtherDue:
    """An override of an assignment's due date."""

    title: str
    at: str | None  # None: without end
    users: tuple[str, ...]  # by Canvas' numbers


class CanvasCourse:
    def __init__(self, asked: Canvas, number: int) -> None:
        self.asked = asked
        self.place = f"/api/v1/courses/{number}"

    @cached_property
    def people(self) -> list[Listed]:
        """Everybody who is a student there, as listed() has them."""
        sections = {one["id"]: str(one["name"]) for one in self.asked.all(f"{self.place}/sections")}
        return [_person(user, sections) for user in self._users]

    @cached_property
    def _users(self) -> list[Mapping[str, Any]]:
        query = {"enrollment_type[]": "student", "include[]": ["email", "enrollments"], "enrollment_state[]": THERE}
        return list(self.asked.all(f"{self.place}/users", **query))

    def submissions(self, assignment: int, *more: str) -> list[Submission]:
        """The newest attempt of everybody who has the assignment; not of the student with whom teachers try things."""
        place = f"{self.place}/assignments/{assignment}/submissions"
        found = list(self.asked.all(place, **{"include[]": ["user", *more]}))
        if any(one.get("user_id") is None for one in found):
            raise UsageError("Canvas does not say whose hand-ins those are: the assignment is graded anonymously there")
        return [one for one in found if one["user"]["name"] not in NOBODY]

    def other_dues(self, assignment: int) -> list[OtherDue]:
        """Due dates of some students, of a section or of a group of Canvas'
        (https://canvas.instructure.com/doc/api/assignments.html, "AssignmentOverride": student_ids, group_id or
        course_section_id; `due_at` is there where it is overridden, and null where there is none). Who stands in
        several has each of them here."""
        found = self.asked.all(f"{self.place}/assignments/{assignment}/overrides")
        return [
            OtherDue(str(one.get("title") or one["id"]), one["due_at"], self._users_of(one))
            for one in found
            if "due_at" in one
        ]

    def _users_of(self, override: Mapping[str, Any]) -> tuple[str, ...]:
        """Canvas' numbers of them; of a group by https://canvas.instructure.com/doc/api/groups.html, "List group's
        users", of a section by the enrollments of the class."""
        if override.get("student_ids"):
            return tuple(str(number) for number in override["student_ids"])
        if override.get("group_id"):
            return tuple(str(user["id"]) for user in self.asked.all(f"/api/v1/groups/{override['group_id']}/users"))
        section = override.get("course_section_id")
        return tuple(
            str(user["id"])
            for user in self._users
            if any(one.get("course_section_id") == section and _is_there(one) for one in user.get("enrollments", []))
        )

    def takes_off_for_lateness(self) -> bool:
        """As far as there is a policy, and the token's owner may read it."""
        try:
            policy = self.asked.get(f"{self.place}/late_policy")["late_policy"]
        except UsageError:
            return False
        return bool(policy.get("late_submission_deduction_enabled"))

    def grade_book(self, assignment: int, column: str) -> bytes:
        """The assignment's column, and what identifies people, as an export of the grade book has them."""
        points = self.asked.get(f"{self.place}/assignments/{assignment}").get("points_possible")
        known = {one["canvas"]: one for one in self.people}
        text = io.StringIO()
        table = csv.writer(text)
        table.writerow(["Student", canvas.ID, canvas.SIS_ID, canvas.SIS_LOGIN, "Section", column])
        table.writerow(["Points Possible", "", "", "", "", _number(points)])
        for one in self.submissions(assignment):
            person = known.get(str(one["user_id"]), {})
            said = (person.get(name, "") for name in ("sis", "login", "section"))
            table.writerow([one["user"]["name"], one["user_id"], *said, _cell(one)])
        return text.getvalue().encode()

    def grade(self, assignment: int, cells: Mapping[str, str]) -> None:
        """Puts cells, by Canvas' numbers of people."""
        self._update(
            assignment,
            {who: {"excuse": True} if cell == EXCUSED else {"posted_grade": cell} for who, cell in cells.items()},
        )

    def comment(self, assignment: int, texts: Mapping[str, str]) -> None:
        """Adds comments, by Canvas' numbers of people."""
        self._update(assignment, {who: {"text_comment": text} for who, text in texts.items()})

    def commented(self, assignment: int) -> dict[str, set[str]]:
        """What was commented, as same_comment() has it, by Canvas' numbers of all people."""
        found = self.submissions(assignment, "submission_comments")
        return {str(one["user_id"]): set(_comments(one.get("submission_comments", []))) for one in found}

    def _update(self, assignment: int, data: Mapping[str, Mapping[str, object]]) -> None:
        if data:
            self.asked.do(f"{self.place}/assignments/{assignment}/submissions/update_grades", {"grade_data": data})


def same_comment(text: str) -> str:
    """A comment without what a round trip through Canvas may change."""
    return " ".join(text.split())


def _comments(comments: Iterable[Mapping[str, Any]]) -> Iterable[str]:
    return (same_comment(one.get("comment") or "") for one in comments)


def _person(user: Mapping[str, Any], sections: Mapping[object, str]) -> Listed:
    theirs = [sections.get(one["course_section_id"], "") for one in user.get("enrollments", []) if _is_there(one)]
    login, email = user.get("login_id") or "", user.get("email") or ""
    person = {
        "name": user["name"],
        "email": email or (login if "@" in login else ""),
        "section": _and(sorted({*theirs} - {""})),
        "canvas": str(user["id"]),
        "sis": user.get("sis_user_id") or "",
        "login": login,
    }
    return {column: value for column, value in person.items() if value}


def _is_there(enrollment: Mapping[str, Any]) -> bool:
    return enrollment.get("type") == STUDENT and enrollment.get("enrollment_state") in THERE


def _and(names: list[str]) -> str:
    """As Canvas' export of a grade book says several sections."""
    first = ", ".join(names[:-1])
    return f"{first}{',' if len(names) > 2 else ''} and {names[-1]}" if first else "".join(names)


def _cell(one: Submission) -> str:
    """What the grade book says; before Canvas' own late policy takes something off."""
    if one.get("excused"):
        return EXCUSED
    return _number(one["entered_score"] if one.get("entered_score") is not None else one.get("score"))


def _number(value: Decimal | int | None) -> str:
    return "" if value is None else str(value)
