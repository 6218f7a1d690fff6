"""handout/reference/attacks.md: what was tried on the grader, and what it gained."""

from itertools import groupby

from attacks import FOLDER, Attack

from tmagrade.basics.paths import HERE

TABLE = HERE.root / "handout/reference/attacks.md"

HEAD = """\
# Attacks on the grader

Written by `make attacks`, which hands in everything below beside honest students, has the class graded, and looks for
what was left behind. It writes this page only when every verdict is the one below, nobody gained more, the honest
students have all of theirs, no file outside was written, no process was left and no judge failed. `make test` does the
same with the first attack of each section, and compares this page with
[attacks.toml](../../grader/tests/attacks/attacks.toml). The attacks on bandwidth need an sm_90 GPU: `make attacks
BACKEND=gpu`.

{count} attacks. *Verdict* is that of the part that was handed in; two with a comma are those of two parts, and of two
with *or* the moment decides. *Gained* are points beyond those that an attack's answers are honestly worth.
"""

ROW = "| {name} | {tries} {fails} | {verdict} | {gained} |"


def rendered(attacks: list[Attack]) -> str:
    sections = [HEAD.format(count=len(attacks))]
    for family, members in groupby(attacks, key=lambda attack: attack.family):
        rows = [_row(attack) for attack in members]
        sections.append("\n".join([f"## {family[0].upper()}{family[1:]}\n", *COLUMNS, *rows]) + "\n")
    return "\n".join(sections)


COLUMNS = ["| attack | what it tries, and why it fails | verdict | gained |", "|---|---|---|---|"]


def _row(attack: Attack) -> str:
    wanted = {"": attack.verdicts} if isinstance(attack.verdicts, str) else attack.verdicts
    verdicts = "not graded" if attack.absent else ", ".join(dict.fromkeys(wanted.values()))
    return ROW.format(
        name=f"[{attack.name}]({_link(attack)})",
        tries=_cell(attack.tries),
        fails=_cell(attack.fails),
        verdict=verdicts,
        gained=f"up to {attack.gains:g}" if attack.gains else "0",
    )


def _link(attack: Attack) -> str:
    place = "crafted.py" if attack.place == "crafted" else f"{attack.place}/{attack.name}.cu"
    return f"../../{FOLDER.relative_to(HERE.root)}/{place}"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")
