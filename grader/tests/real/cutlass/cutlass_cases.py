"""make test-cutlass: runs the programs of this folder under the emulator, case by case, and prints a table. Each is to
give an H100's result, bit for bit, and nothing is to be found in it that cases.toml does not explain.

python3 cutlass_cases.py [CASE...] [--write]       --write makes handout/reference/cutlass.md of the table
python3 cutlass_cases.py --record FILE             takes the digests that on-gpu.sh has printed
"""

from __future__ import annotations

import argparse
import re
import shlex
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "running"))

from emulated import Ran, run  # noqa: E402

TABLE = HERE / "cases.toml"
PAGE = HERE.parents[3] / "handout/reference/cutlass.md"
BUILD = Path("build")
EMULATOR = BUILD / "bin/tmaemu"
TIME_LIMIT = 600  # seconds: minutes more than any of them takes on a busy machine
NOT_RECORDED = "not recorded"


@dataclass(frozen=True)
class Known:
    """What cases.toml has of a case."""

    digest: str = ""  # of an H100's result; "" where nobody has recorded it
    findings: tuple[str, ...] = ()
    why: str = ""
    # By PTX the mistake that was found leaves the result open, and the emulator shows another one than an H100.
    is_open: bool = False


def digest_of(ran: Ran) -> str:
    """Of the result, as the program prints it."""
    found = re.search(r"^digest (\w+)$", ran.stdout, re.MULTILINE)
    return found[1] if found else ""


def known_cases(text: str) -> dict[str, Known]:
    rows = tomllib.loads(text)
    return {
        name: Known(
            row.get("digest", ""),
            tuple(sorted(row.get("findings", ()))),
            row.get("why", ""),
            row.get("result") == "open",
        )
        for name, row in rows.items()
    }


def verdict(known: Known, ran: Ran) -> str:
    """What is wrong with it: "" where nothing is."""
    is_right = ran.returncode == 0 and ran.stdout.splitlines()[-1:] == ["ok"]
    if not is_right and not (known.is_open and digest_of(ran)):
        return "FAILED: it does not find what the CPU finds"
    if ran.findings != known.findings:
        found, expected = (", ".join(codes) or "nothing" for codes in (ran.findings, known.findings))
        return f"FAILED: found {found}, expected {expected}"
    if not known.digest:
        return NOT_RECORDED
    if digest_of(ran) != known.digest and not known.is_open:
        return f"FAILED: {digest_of(ran)} is not an H100's {known.digest}"
    return ""


def test(program: Path, name: str, known: Known) -> tuple[str, float]:
    """Runs one case, prints its line of the table, and says what is wrong with it and how long it took."""
    ran = run([str(EMULATOR), str(program), name], TIME_LIMIT)
    wrong = verdict(known, ran)
    print(f"{name:36} {wrong.partition(':')[0] or 'ok':12} {ran.seconds:6.1f} s", flush=True)
    if wrong:
        print(f"    {wrong}; it gives {digest_of(ran)}")
        if wrong != NOT_RECORDED:
            print("\n".join("    " + line for line in (ran.stderr + ran.stdout).splitlines()[:12]))
        print(f"    to reproduce: {shlex.join([str(BUILD / 'bin/tmaemu'), str(program), name])}", flush=True)
    return wrong, ran.seconds


def page(cases: dict[str, Known], seconds: dict[str, float]) -> str:
    """The page of those that were run."""
    rows, why = [], []
    for name in sorted(seconds):
        known = cases.get(name, Known())
        result = "left open" if known.is_open else "an H100's" if known.digest else NOT_RECORDED
        findings = ", ".join(f"[{code}](../findings/{code}.md)" for code in known.findings)
        rows.append(f"| `{name}` | {seconds[name]:.1f} | {result} | {findings or 'none'} |")
        if known.findings:
            why.append(f"- `{name}`: {known.why.strip()}")
    text = (HERE / "page.md").read_text(encoding="utf-8")
    return text.format(count=len(rows), rows="\n".join(rows), why="\n".join(why))


def record(text: str, recorded: str) -> str:
    """cases.toml with the digests of `recorded`, which has a line "CASE DIGEST" for each."""
    for name, digest in re.findall(r"^(\w+) ([0-9a-f]{16})$", recorded, re.MULTILINE):
        changed, count = re.subn(rf'(\[{name}\]\ndigest = )"\w*"', rf'\1"{digest}"', text)
        text = changed if count else f'{text}\n[{name}]\ndigest = "{digest}"\n'
    return text


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--record", type=Path)
    options = parser.parse_args()
    if options.record:
        TABLE.write_text(record(TABLE.read_text(encoding="utf-8"), options.record.read_text()), encoding="utf-8")
        return 0
    cases = known_cases(TABLE.read_text(encoding="utf-8"))
    wrong: list[str] = []
    seconds: dict[str, float] = {}
    for source in sorted(HERE.glob("*.cu")):
        program = BUILD / "tests/real/cutlass" / source.stem
        if not program.exists():
            print(f"{source.stem:36} FAILED: not built: make -C grader BUILD=../build ../{program}")
            wrong.append(source.stem)
            continue
        for name in run([str(EMULATOR), str(program)], TIME_LIMIT).stdout.split():
            if options.cases and name not in options.cases:
                continue
            problem, seconds[name] = test(program, name, cases.get(name, Known()))
            wrong += [name] if problem else []
    missing = set(options.cases or cases) - seconds.keys()
    if missing:
        print(f"FAILED: no program has {', '.join(sorted(missing))}")
    right = len(seconds.keys() - set(wrong))
    print(f"{right} of {len(seconds)} cases are as cases.toml has them")
    if options.write:
        PAGE.write_text(page(cases, seconds), encoding="utf-8")
    return 1 if wrong or missing else 0


if __name__ == "__main__":
    sys.exit(main())
