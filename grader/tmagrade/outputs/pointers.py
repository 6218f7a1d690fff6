"""Where in the handout a student reads on: a lab's chapter, and the page that a finding is about."""

from collections.abc import Iterator

from tmagrade.labs import Lab
from tmagrade.outputs.words import finding, lab_number
from tmagrade.scoring import PartResult

FINDINGS = 'handout/emulator.md, "Findings"'
FAULTS = 'handout/emulator.md, "Faults"'
DEADLOCKS = 'handout/emulator.md, "Deadlocks"'

# The emulator's findings and faults. The handout's table of them says in a line what to do about each.
PAGES = {
    "missing-proxy-fence": ("handout/guide/proxies.md", FINDINGS),
    "unsynchronized-tma-store": ("handout/guide/proxies.md", FINDINGS),
    "overwrite-before-read-done": ("handout/guide/stores.md", FINDINGS),
    "smem-released-early": ("handout/guide/stores.md", FINDINGS),
    "missing-barrier-init-fence": ("handout/guide/mbarriers.md", FINDINGS),
    "arrival-overflow": ("handout/guide/mbarriers.md", FINDINGS),
    "barrier-misuse": ("handout/guide/mbarriers.md", FINDINGS),
    "missing-tensor-map-fence": ("handout/guide/tensor-map-edit.md", FINDINGS),
    "bad-tensor-map": ("handout/guide/tensor-maps.md", FINDINGS),
    "illegal-address": (FAULTS,),
    "misaligned-address": ("handout/guide/alignment.md", FAULTS),
    "invalid-address-space": (FAULTS,),
    "illegal-instruction": (FAULTS,),
    "assertion": (FAULTS,),
    "trap": (FAULTS,),
    "deadlock": (DEADLOCKS,),
    "not-modeled": (FAULTS,),
}


def chapter(lab: Lab) -> str:
    return f"handout/labs/{lab.id}.md"


def lab_name(lab: Lab) -> str:
    number = lab_number(lab)
    return f"Lab {number}: {lab.title}" if number else lab.title


def pages_for(part: PartResult) -> Iterator[str]:
    """What to read about a part's mistake, besides the lab's chapter; the nearest first."""
    first = finding(part.message)
    if first is not None:
        yield from PAGES.get(first.code, (FINDINGS,))
    elif part.verdict == "timeout":
        yield DEADLOCKS


def command(lab: Lab, part: PartResult) -> str:
    """What a student types to see it again."""
    action = {"hygiene": " check", "bandwidth": " bench"}.get(part.id, "")
    return f"make -C labs/{lab.id}{action}"
