"""Runs a lab's own program under `tmaemu --trace`, and keeps what one part did."""

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tmagrade.basics.cache import write_atomically
from tmagrade.basics.errors import UsageError
from tmagrade.basics.paths import Repository
from tmagrade.building.programs import build_program
from tmagrade.course.labs import Lab
from tmagrade.machine.backend import Engine
from tmagrade.machine.toolkit import Toolkit
from tmagrade.submissions.staging import source_files
from tmagrade.timelines.one_cta import busiest_cta
from tmagrade.timelines.page import timeline_page
from tmagrade.timelines.part_kernels import base_name, kernels_of, launchers

Trace = dict[str, Any]


@dataclass(frozen=True)
class Traced:
    """What was written: the trace for Perfetto, and the page with one CTA."""

    trace: Path
    page: Path
    cta: str  # which one the page shows


def trace_part(
    repository: Repository, toolkit: Toolkit, lab: Lab, part: str | None, folder: Path, policy: str
) -> Traced:
    """`part`: its launches alone; without one all that the program launches."""
    wanted = None if part is None else _kernels(repository, lab, part, folder)
    program = build_program(repository, toolkit, lab, folder)
    written = repository.state / "traces" / lab.id
    written.mkdir(parents=True, exist_ok=True)
    whole = written / ".whole.json"
    try:
        trace = _run(repository, toolkit, program, policy, whole)
    finally:
        whole.unlink(missing_ok=True)
    ran = [launch["kernel"] for launch in trace["otherData"]["launches"]]
    if not ran:
        raise UsageError("the program's main launches no kernel")
    if wanted is not None:
        trace = only_launches(trace, [index for index, kernel in enumerate(ran) if base_name(kernel) in wanted])
        if not trace["otherData"]["launches"]:
            launched = ", ".join(sorted(set(ran)))
            raise UsageError(
                f"main in {folder} does not launch {part}'s {_either(wanted)}; it launches {launched}: "
                f"call {part}'s launcher in your main"
            )
    name = part or "all"
    write_atomically(written / f"{name}.json", _text(trace))
    shown = busiest_cta(trace)
    write_atomically(written / f"{name}.html", timeline_page(shown, f"{lab.title}: {name}", policy))
    return Traced(written / f"{name}.json", written / f"{name}.html", shown.name)


def _kernels(repository: Repository, lab: Lab, part: str, folder: Path) -> set[str]:
    known = launchers((repository.grader / "checks" / lab.id / "parts.def").read_text())
    if part not in known:
        raise UsageError(f"{lab.id} has no part {part}; its parts are {', '.join(known)}")
    source = "\n".join(path.read_text(errors="replace") for path in source_files(folder))
    kernels = kernels_of(known[part], source)
    if not kernels:
        raise UsageError(f"{known[part]} in {folder} launches no kernel that the file has")
    return kernels


def _run(repository: Repository, toolkit: Toolkit, program: Path, policy: str, file: Path) -> Trace:
    environment = Engine(policy).environment(repository, toolkit) | {"TMAEMU_TRACE": str(file)}
    sys.stdout.flush()
    status = subprocess.run([program], env=os.environ | environment, stdin=subprocess.DEVNULL).returncode
    if not file.exists():
        raise UsageError(f"the program asked for no device (status {status}); what it said is above")
    try:
        trace: Trace = json.loads(file.read_text())
    except ValueError as error:  # the end of the file is missing
        raise UsageError(f"the program was ended before it came to its end (status {status})") from error
    return trace


def only_launches(trace: Trace, wanted: Iterable[int]) -> Trace:
    """The launches of these indices, from the first tick of the first on."""
    launches = [trace["otherData"]["launches"][index] for index in wanted]
    begin = min((launch["begin"] for launch in launches), default=0)
    kept = {launch["pid"] + cta for launch in launches for cta in range(launch["ctas"])}
    events = [event for event in trace["traceEvents"] if event["pid"] in kept]
    for event in events:
        if "ts" in event:
            event["ts"] -= begin
    moved = [launch | {"begin": launch["begin"] - begin, "end": launch["end"] - begin} for launch in launches]
    return trace | {"traceEvents": events, "otherData": trace["otherData"] | {"launches": moved}}


def _text(trace: Trace) -> str:
    lines = ",\n".join(json.dumps(event, separators=(",", ":")) for event in trace["traceEvents"])
    head = json.dumps(trace | {"traceEvents": []})
    return head.replace('"traceEvents": []', f'"traceEvents": [\n{lines}\n]', 1) + "\n"


def _either(kernels: set[str]) -> str:
    return " or ".join(f"kernel {name}" for name in sorted(kernels))
