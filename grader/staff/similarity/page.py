"""The pairs on one page for the course's staff: matched lines side by side."""

from collections.abc import Sequence
from itertools import cycle
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from staff.similarity.alike import HandedIn, Match, Pair
from staff.similarity.fingerprints import Lines
from tmagrade.basics.untrusted import visible

# Of matches that stand next to each other; a match has the same on both sides.
SHADES = ("#fff2b3", "#cfe8ff", "#d9f2d0", "#f6d5e5", "#e3dcf7")


def page(lab: str, pairs: Sequence[Pair]) -> str:
    folder = FileSystemLoader(Path(__file__).parent)
    environment = Environment(loader=folder, autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    shown = [
        {
            "percent": f"{pair.share * 100:.0f}",
            "one": visible(pair.one.who),
            "other": visible(pair.other.who),
            "sides": [_side(pair.one, pair.matches, "here"), _side(pair.other, pair.matches, "there")],
        }
        for pair in pairs
    ]
    return environment.get_template("page.html.j2").render(lab=lab, pairs=shown)


def _side(one: HandedIn, matches: Sequence[Match], side: str) -> list[dict[str, object]]:
    shades: dict[int, str] = {}
    for match, shade in zip(matches, cycle(SHADES)):
        lines: Lines = getattr(match, side)
        for number in range(lines[0], lines[1] + 1):
            shades.setdefault(number, shade)
    return [
        {"number": number, "text": visible(line), "shade": shades.get(number, "")}
        for number, line in enumerate(one.text.splitlines(), start=1)
    ]
