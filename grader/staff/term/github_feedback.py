"""Students' feedback for repositories on GitHub, with Classroom or without it: a file a repository, and the script that
opens an issue in each (GitHub CLI manual, "gh issue create")."""

from collections.abc import Callable, Iterable

from staff.term.feedback_zip import FEEDBACK, Packed
from tmagrade.basics.zips import zip_of

GITHUB = "github"
POST = "post.sh"
SCRIPT = f"""#!/bin/sh
# Opens an issue with the feedback in each student's repository. It needs GitHub's gh, logged in.
# Usage: sh {POST} OWNER TITLE      (sh {POST} our-course "Feedback on lab 3")
set -eu
cd "$(dirname "$0")"
for folder in */; do
    gh issue create --repo "$1/${{folder%/}}" --title "$2" --body-file "${{folder}}{FEEDBACK}"
done
"""


def pack_for_github(repositories: Iterable[str], feedback_of: Callable[[str], str | None]) -> Packed:
    """`repositories` are the clones' names: an assignment's, a hyphen, and a login."""
    files: dict[str, bytes | str] = {POST: SCRIPT}
    without: list[str] = []
    for name in repositories:
        said = next((text for login in _endings(name) if (text := feedback_of(login)) is not None), None)
        if said is None:
            without.append(name)
        else:
            files[f"{name}/{FEEDBACK}"] = said
    return Packed(zip_of(files), len(files) - 1, tuple(without))


def _endings(name: str) -> list[str]:
    """What may be the login: logins and assignments may have hyphens themselves, so the longest first."""
    parts = name.split("-")
    return ["-".join(parts[first:]) for first in range(len(parts))]
