#!/usr/bin/env python3
"""Gradescope runs this for each submission: hands over what the course has graded already, by the submitter's e-mail
address. No code of a student's is run. Whoever has no result gets none, so that Gradescope reports a failure instead of
a score of 0.

It runs in Gradescope's image, with what that image's Python has, and nothing of tmagrade.
"""

import json
import sys
from pathlib import Path
from typing import Any


def look_up(autograder: Path) -> int:
    """`autograder`: the folder whose files are as in https://gradescope-autograders.readthedocs.io/en/latest/specs/"""
    metadata = json.loads((autograder / "submission_metadata.json").read_text(encoding="utf-8"))
    emails = [str(user.get("email") or "").strip().casefold() for user in metadata.get("users", [])]
    known: dict[str, Any] = json.loads((autograder / "source" / "results.json").read_text(encoding="utf-8"))
    found = [known[email] for email in emails if email in known]
    if not found:
        print("nothing is published of", ", ".join(emails) or "nobody")
        return 1
    if len({str(one["score"]) for one in found}) > 1 or len(found) < len(emails):
        print("these members of a group have not the same score: enter it by hand:", ", ".join(emails))
        return 1
    results = autograder / "results"
    results.mkdir(exist_ok=True)
    (results / "results.json").write_text(json.dumps(found[0], ensure_ascii=False), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(look_up(Path("/autograder")))
