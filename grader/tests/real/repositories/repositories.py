"""make test-repositories: builds programs of public repositories as they stand there, and runs them under the emulator.
Each is to end as on an H200, and nothing is to be found in it that repositories.toml does not explain; of some is known
which function the emulator lacks, and that it says so by name.

python3 repositories.py [PROGRAM...] [--sources FOLDER] [--jobs N] [--write]
    --write puts the digests into repositories.toml and makes handout/reference/repositories.md of the table, with
            the seconds of what was run
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "running")]

from emulated import Ran, run  # noqa: E402
from sources import (  # noqa: E402
    TABLE,
    NoSources,
    OtherSources,
    Program,
    Repository,
    digest_of,
    have_sources,
    read_table,
    sources_of,
)

ROOT = HERE.parents[3]
PAGE = ROOT / "handout/reference/repositories.md"
EMULATOR = ROOT / "build/bin/tmaemu"
FETCHED = ROOT / "build/repositories"
BUILD_LIMIT = RUN_LIMIT = 900  # seconds: many times what any of them takes on two cores that do something else, too
# With -arch=sm_90a alone nvcc assembles the code for sm_90, too, which has no wgmma.
CODE = ("-gencode", "arch=compute_90a,code=[sm_90a,compute_90a]")
NVCC = (*CODE, "-std=c++17", "-O2", "-lineinfo", "-w")
# A sample that has compared its results and found them wrong may still end with 0.
SAYS_THAT_IT_FAILED = re.compile(r"\bfail(ed)?\b(?! as expected)|mismatch", re.IGNORECASE)


def is_right(program: Program, ran: Ran) -> bool:
    says_so = re.search(program.says, ran.stdout) is not None
    return ran.returncode == 0 and says_so and not SAYS_THAT_IT_FAILED.search(ran.stdout)


def verdict(program: Program, ran: Ran) -> str:
    """What is not as the table has it: "" where all is."""
    if program.refuses:
        says_so = re.search(rf"\b{re.escape(program.refuses)}\b", ran.stderr)
        return "" if says_so else f"it does not name {program.refuses}: the table has to be brought up to date"
    if unexpected := ran.unexpected(program.findings):
        return unexpected
    return "" if is_right(program, ran) else f"it ends with {ran.returncode}, and an H200 finds its result right"


@dataclass(frozen=True)
class Outcome:
    program: Program
    digest: str
    wrong: str
    ran: Ran


def test(repository: Repository, program: Program, root: Path) -> Outcome:
    """Builds and runs one, where its sources are: some read files beside them."""
    digest = digest_of(program, root)
    if program.digest and digest != program.digest:
        said = f"its sources have changed: {digest}, and the table has {program.digest}"
        return Outcome(program, digest, said, Ran(1, "", ""))
    place = root / program.path
    folder = place if place.is_dir() else place.parent
    executable = folder / f"{program.name}.program"
    try:
        commands = compilations(repository, program, root, executable)
    except OtherSources as other:
        return Outcome(program, digest, str(other), Ran(1, "", ""))
    for command in commands:
        built = run(["nice", *command], BUILD_LIMIT, folder)
        if built.returncode:
            return Outcome(program, digest, f"not built: {shlex.join(command)}", built)
    ran = joined([run([str(EMULATOR), str(executable), *each], RUN_LIMIT, folder) for each in program.runs])
    return Outcome(program, digest, verdict(program, ran), ran)


def compilations(repository: Repository, program: Program, root: Path, executable: Path) -> list[list[str]]:
    nvcc = str(Path(os.environ.get("CUDA_HOME", ROOT / ".venv/cuda")) / "bin/nvcc")
    common = [nvcc, *NVCC, *(f"-I{root / name}" for name in repository.include), *repository.options]
    commands = [[*common, *program.options, "-o", str(executable), *map(str, sources_of(program, root)), "-lcuda"]]
    if program.kernels:
        stem = f"{Path(program.kernels).stem}64"
        commands += [[*common, f"-{form}", "-o", f"{stem}.{form}", program.kernels] for form in ("fatbin", "ptx")]
    return commands


def joined(runs: Sequence[Ran]) -> Ran:
    """Several runs of a program as one, which ends well where each does."""
    returncode = next((ran.returncode for ran in runs if ran.returncode), 0)
    out, err = ("".join(texts) for texts in zip(*((ran.stdout, ran.stderr) for ran in runs), strict=True))
    return Ran(returncode, out, err, sum(ran.seconds for ran in runs))


def tell(outcome: Outcome) -> None:
    program, ran = outcome.program, outcome.ran
    result = "FAILED" if outcome.wrong else "refused" if program.refuses else "ok"
    print(f"{program.repository + ' ' + program.name:44} {result:8} {ran.seconds:6.1f} s", flush=True)
    if outcome.wrong:
        print(f"    {outcome.wrong}")
        print("\n".join("    " + line for line in (ran.stderr + ran.stdout[-1500:]).splitlines()[:16]), flush=True)


def page(repositories: Sequence[Repository], seconds: Mapping[str, str]) -> str:
    """The page, with the seconds of each program, by what it names it."""
    tables, why, refused, count = [], [], [], 0
    for repository in repositories:
        programs = sorted(repository.programs, key=lambda program: program.name.lower())
        running = [program for program in programs if not program.refuses]
        count += len(running)
        tables.append(table_of(repository, running, seconds))
        why += [f"- `{program.name}`: {program.why}" for program in running if program.findings]
        refused += [f"| `{program.name}` | `{program.refuses}` |" for program in programs if program.refuses]
    text = (HERE / "page.md").read_text(encoding="utf-8")
    return text.format(count=count, tables="\n\n".join(tables), why="\n".join(why), refused="\n".join(refused))


def table_of(repository: Repository, programs: Sequence[Program], seconds: Mapping[str, str]) -> str:
    lines = [f"## [{repository.name}]({repository.url}/tree/{repository.commit})", ""]
    lines += ["| program | seconds | findings |", "|---|---|---|"]
    for program in programs:
        findings = ", ".join(f"[{code}](../findings/{code}.md)" for code in program.findings)
        lines.append(f"| {program.called} | {seconds[program.called]} | {findings or 'none'} |")
    return "\n".join(lines)


def seconds_of(outcomes: Sequence[Outcome], old_page: str) -> dict[str, str]:
    """Of what was run, and for the rest what the page has."""
    known = dict(re.findall(r"^\| (`.*?) \| ([\d.]+) \|", old_page, re.MULTILINE))
    return known | {outcome.program.called: f"{outcome.ran.seconds:.1f}" for outcome in outcomes}


def with_digests(text: str, outcomes: Sequence[Outcome]) -> str:
    """repositories.toml with the digests of what was run."""
    for outcome in outcomes:
        path = re.escape(f'"{outcome.program.path}" = {{')
        text = re.sub(rf'({path}) (?:digest = "\w*"(?:, )?)?', rf'\1 digest = "{outcome.digest}", ', text)
    return text.replace(",  }", " }").replace(", }", " }")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*")
    parser.add_argument("--sources", type=Path, help="a folder with a copy of each repository, by its name")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    repositories = read_table(TABLE.read_text(encoding="utf-8"))
    unknown = set(options.programs) - {program.name for each in repositories for program in each.programs}
    if unknown:
        parser.error(f"repositories.toml has no {', '.join(sorted(unknown))}")
    outcomes = []
    with ThreadPoolExecutor(options.jobs) as pool:
        futures = []
        for repository in repositories:
            chosen = [each for each in repository.programs if not options.programs or each.name in options.programs]
            if not chosen:
                continue
            try:
                root = have_sources(repository, options.sources and options.sources.resolve(), FETCHED)
            except NoSources as missing:
                print(f"test-repositories: {missing}", file=sys.stderr)
                return 1
            futures += [pool.submit(test, repository, program, root) for program in chosen]
        for future in futures:
            outcomes.append(future.result())
            tell(outcomes[-1])
    wrong = [outcome for outcome in outcomes if outcome.wrong]
    print(f"{len(outcomes) - len(wrong)} of {len(outcomes)} programs are as repositories.toml has them")
    if options.write:
        TABLE.write_text(with_digests(TABLE.read_text(encoding="utf-8"), outcomes), encoding="utf-8")
        seconds = seconds_of(outcomes, PAGE.read_text(encoding="utf-8"))
        repositories = read_table(TABLE.read_text(encoding="utf-8"))
        PAGE.write_text(page(repositories, seconds), encoding="utf-8")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
