"""Times of a whole class at once, as a platform says them."""

from datetime import datetime
from pathlib import Path

from staff.commands.feedback_files import bring_feedback_up
from staff.commands.term_here import lab_of, opened_term
from staff.platforms.times import times_in
from staff.term.author import author
from staff.term.sheet import Sheet
from staff.term.store import BY_PLATFORM, Decision
from tmagrade.basics.errors import UsageError
from tmagrade.basics.moment import now
from tmagrade.basics.names import few_of
from tmagrade.basics.printing import print_line
from tmagrade.commands.command_line import err, out


def say_times(path: Path, lab: str | None) -> None:
    """Keeps each time that is another one than is known. What a person has decided stays."""
    with opened_term() as term:
        of_all = lab_of(term, lab) if lab is not None else ""
        before = term.sheet()
        rows = {row.person.id: row for row in before.rows}
        in_force = term.decisions_in_force()
        unknown: list[str] = []
        decided: list[str] = []
        new: dict[tuple[str, str], Decision] = {}
        for said in times_in(path, term.roster, term.settings.zone):
            name = lab_of(term, said.lab) if said.lab else of_all
            if not name:
                raise UsageError(f"of which lab does {path} say the times? --lab says it")
            if not said.people:
                unknown.append(said.called)
            for person in said.people:
                times = [one for one in in_force.get((person.id, name), []) if one.kind == "time"]
                known = times[-1] if times else None
                row = rows.get(person.id)
                if known is not None and not known.is_platforms_time:
                    decided.append(person.id)
                elif row is not None and said.at != (
                    row.cells[name].handed_in if known is None else datetime.fromisoformat(known.value)
                ):
                    reason = f"{BY_PLATFORM}{path.name}"
                    at = said.at.isoformat()
                    new[person.id, name] = Decision(now(), author(), person.id, name, "time", at, reason)
        term.store.add(new.values())
        changed = _others(before, term.sheet())
        bring_feedback_up(term, [term.roster.by_id[who] for who, _ in new])
        print_line(out, f"{path}: {len(new)} times are new; {len(changed)} scores are others now")
        for line in changed:
            print_line(out, f"  {line}")
        for what, whom in (("on the roster is nobody called", unknown), ("decided by hand, and left so", decided)):
            if whom:
                print_line(err, f"tmagrade: {what}: {few_of(whom)}", "yellow")


def _others(before: Sheet, after: Sheet) -> list[str]:
    """Scores that count as others, whatever lab they are of: late days may have moved."""
    return [
        f"{old.person.id}, {lab}: {old.cells[lab].shown} -> {new.cells[lab].shown}"
        for old, new in zip(before.rows, after.rows)
        for lab in before.labs
        if old.cells[lab].counted.score != new.cells[lab].counted.score
    ]
