"""make test-repositories: builds programs of public repositories as they stand there, and runs them under the emulator.
Each is to end as on an H200, and nothing is to be found in it that repositories.toml does not explain; of some is known
which function the emulator lacks, and that it says so by name.

python3 repositories.py [PROGRAM...] [--sources FOLDER] [--jobs N] [--write]
    --write puts the digests into repositories.toml and makes handout/reference/repositories.md of the table
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "running")]

from emulated import Ran, run  # noqa: E402
from sources import TABLE, NoSources, Program, Repository, digest_of, have_sources, read_table, sources_of  # noqa: E402

ROOT = HERE.parents[3]
PAGE = ROOT / "handout/reference/repositories.md"
EMULATOR = ROOT / "build/bin/tmaemu"
FETCHED = ROOT / "build/repositories"
BUILD_LIMIT = RUN_LIMIT = 900  # seconds: many times what any of them takes on two cores that do something else, too
NVCC = ("-arch=sm_90a", "-std=c++17", "-O2", "-lineinfo", "-w")
# A sample that has compared its results and found them wrong may still end with 0.
SAYS_THAT_IT_FAILED = re.compile(r"\bfail(ed)?\b(?! as expected)|mismatch", re.IGNORECASE)


def is_right(ran: Ran) -> bool:
    return ran.returncode == 0 and not SAYS_THAT_IT_FAILED.search(ran.stdout)


def verdict(program: Program, ran: Ran) -> str:
    """What is not as the table has it: "" where all is."""
    if program.refuses:
        says_so = re.search(rf"\b{re.escape(program.refuses)}\b", ran.stderr)
        return "" if says_so else f"it does not name {program.refuses}: the table has to be brought up to date"
    if ran.findings != program.findings:
        found, expected = (", ".join(codes) or "nothing" for codes in (ran.findings, program.findings))
        return f"found {found}, expected {expected}"
    return "" if is_right(ran) else f"it ends with {ran.returncode}, and an H200 finds its result right"


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
    nvcc = str(Path(os.environ.get("CUDA_HOME", ROOT / ".venv/cuda")) / "bin/nvcc")
    common = [nvcc, *NVCC, *(f"-I{root / name}" for name in repository.include), *repository.options, *program.options]
    executable = folder / f"{program.name}.program"
    commands = [[*common, "-o", str(executable), *map(str, sources_of(program, root)), "-lcuda"]]
    if program.kernels:
        commands.append([*common, "-fatbin", "-o", f"{Path(program.kernels).stem}64.fatbin", program.kernels])
    for command in commands:
        built = run(["nice", *command], BUILD_LIMIT, folder)
        if built.returncode:
            return Outcome(program, digest, f"not built: {shlex.join(command)}", built)
    ran = run([str(EMULATOR), str(executable), *program.arguments], RUN_LIMIT, folder)
    return Outcome(program, digest, verdict(program, ran), ran)


def tell(outcome: Outcome) -> None:
    program, ran = outcome.program, outcome.ran
    result = "FAILED" if outcome.wrong else "refused" if program.refuses else "ok"
    print(f"{program.repository + ' ' + program.name:44} {result:8} {ran.seconds:6.1f} s", flush=True)
    if outcome.wrong:
        print(f"    {outcome.wrong}")
        print("\n".join("    " + line for line in (ran.stderr + ran.stdout[-1500:]).splitlines()[:16]), flush=True)


def page(outcomes: Sequence[Outcome], repositories: Sequence[Repository]) -> str:
    """The page of those that were run."""
    rows, why, refused = [], [], []
    for outcome in sorted(outcomes, key=lambda outcome: (outcome.program.repository, outcome.program.name.lower())):
        program = outcome.program
        if program.refuses:
            refused.append(f"| `{program.name}` | `{program.refuses}` |")
            continue
        findings = ", ".join(f"[{code}](../findings/{code}.md)" for code in program.findings)
        called = " ".join((program.name, *program.arguments))
        rows.append(f"| `{called}` | {outcome.ran.seconds:.1f} | {findings or 'none'} |")
        if program.findings:
            why.append(f"- `{program.name}`: {program.why}")
    of = ", ".join(f"[{each.name}]({each.url}/tree/{each.commit})" for each in repositories)
    text = (HERE / "page.md").read_text(encoding="utf-8")
    return text.format(
        count=len(rows), repositories=of, rows="\n".join(rows), why="\n".join(why), refused="\n".join(refused)
    )


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
            try:
                root = have_sources(repository, options.sources, FETCHED)
            except NoSources as missing:
                print(f"test-repositories: {missing}", file=sys.stderr)
                return 1
            chosen = [each for each in repository.programs if not options.programs or each.name in options.programs]
            futures += [pool.submit(test, repository, program, root) for program in chosen]
        for future in futures:
            outcomes.append(future.result())
            tell(outcomes[-1])
    wrong = [outcome for outcome in outcomes if outcome.wrong]
    print(f"{len(outcomes) - len(wrong)} of {len(outcomes)} programs are as repositories.toml has them")
    if options.write:
        TABLE.write_text(with_digests(TABLE.read_text(encoding="utf-8"), outcomes), encoding="utf-8")
        PAGE.write_text(page(outcomes, repositories), encoding="utf-8")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
