"""A CTA's timeline as one HTML file that needs no other and no network."""

import json
from dataclasses import asdict
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from tmagrade.timelines.one_cta import OneCta

KINDS = {
    "run": "the warp executes",
    "wait": "the warp waits",
    "tma": "an operation of the TMA engine",
    "phase": "a phase of an mbarrier",
}


def timeline_page(cta: OneCta, title: str, policy: str) -> str:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    # In a script nothing may look like its end.
    data = json.dumps(asdict(cta), separators=(",", ":")).replace("<", "\\u003c")
    return environment.get_template("timeline.html.j2").render(
        cta=cta, title=title, policy=policy, kinds=KINDS, data=data
    )
