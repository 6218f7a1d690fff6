"""nvcc's own commands, those for the host beside those for the device: nvcc runs them one after another.

A text has a module ID, by which cudafe++ and cicc call what the text keeps to itself. cudafe++ finds it out and writes
it down at its end, and cicc begins with it: so cicc would wait. But the ID depends on the course's headers more than on
the text, and is nearly always that of the text before. cicc is started with that one, and once more where it was wrong.
"""

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

from tmagrade.building.nvcc_plan import NotUnderstood, Plan, Step
from tmagrade.machine.processes import without_relative_places

GUESSED = "guessed.module_id"
MODULE_ID = re.compile(r"_[0-9a-f]{8}_\d{1,3}_\w{1,200}_[0-9a-f]{8}")

# How the script ends where a command has failed by what it has read, and all is said.
AS_NVCC = 3

# How a chain ends whose command at place 0 has failed by itself; 126 and more are a shell's words for signals and for
# programs that are not there.
FIRST = 10
FAILED = f"""\
ended() {{{{ [ $1 -lt 126 ] && exit $(({FIRST} + $2)); exit 1; }}}}
failed() {{{{
    trap '' TERM
    kill -TERM 0
    wait
    [ $1 -ge {FIRST} ] || exit 1
    place=0
    while [ $place -le $(($1 - {FIRST})) ]; do cat {{folder}}/$place.said || exit 1; place=$((place + 1)); done
    exit {AS_NVCC}
}}}}"""

# The kernel takes no longer word.
MOST_CHARACTERS = 100_000


@dataclass(frozen=True)
class _Parts:
    """The commands by their places in the plan."""

    chains: list[list[int]]  # each in its order, and beside the others
    again: list[int]  # those of them that a wrong guess has misled
    after: list[int]  # one after another


def script(plan: Plan, guess: str | None) -> str:
    """For /bin/sh: prints the module ID in a line, and then what the commands say, in nvcc's order.

    It ends with 0 where every command does. Where one fails, it ends those that nvcc would not have come to, and then
    itself: with AS_NVCC where it has printed all that nvcc would have said until there, and nothing else.
    """
    steps = list(plan.steps)
    if guess is not None:
        steps = [_with_guess(step) for step in steps]
    parts = _parts(steps, plan)
    folder, module_id = shlex.quote(str(plan.folder)), shlex.quote(_module_id_of(plan))
    is_right = f"cmp -s {folder}/{GUESSED} {folder}/{module_id}" if parts.again else "true"
    lines = [
        *(f"export {name}={shlex.quote(value)}" for name, value in without_relative_places(plan.variables).items()),
        f"rm -rf {folder} && mkdir {folder} || exit 1",
        *([f"printf %s {shlex.quote(guess)} > {folder}/{GUESSED} || exit 1"] if guess is not None else []),
        FAILED.format(folder=folder),
    ]
    for number, one in enumerate(parts.chains):
        lines.append(f"({_in_turn(steps, one, plan)}) & chain{number}=$!")
    # In nvcc's order: what it comes to first is waited for first. What fails of a wrong guess shows nothing.
    for number, one in enumerate(parts.chains):
        took_guess = any(index in parts.again for index in one)
        fails = f"{{ status=$?; {is_right} || status=1; failed $status; }}" if took_guess else "failed $?"
        lines.append(f"wait $chain{number} || {fails}")
    if parts.again:
        lines.append(f"{is_right} || ({_in_turn(plan.steps, parts.again, plan)}) || failed $?")
    lines.append(f"({_in_turn(steps, parts.after, plan)}) || failed $?")
    lines.append(f"cat {folder}/{module_id} && echo")
    lines.append(" ".join(["exec cat", *(_said(plan, index) for index in range(len(steps)))]))
    text = "\n".join(lines)
    if len(text) > MOST_CHARACTERS:
        raise NotUnderstood("the commands are too long for a shell's word")
    return text


def told(output: str) -> tuple[str | None, str]:
    """The module ID that the script has printed, and the rest of its output."""
    first, _, rest = output.partition("\n")
    return (first if MODULE_ID.fullmatch(first) else None), rest


def _module_id_of(plan: Plan) -> str:
    named = {step.module_id for step in plan.steps if step.module_id is not None}
    if len(named) != 1:
        raise NotUnderstood(f"{len(named)} files with a module ID")
    return named.pop()


def _with_guess(step: Step) -> Step:
    """The step as it waits for nobody to tell the module ID."""
    if step.module_id is None:
        return step
    words = tuple(_beside(word, step.module_id) for word in step.words)
    return replace(step, words=words, reads=step.reads - {step.module_id})


def _beside(word: str, name: str) -> str:
    return f"{word.removesuffix(name)}{GUESSED}" if word.endswith(f"/{name}") else word


def _parts(steps: Sequence[Step], plan: Plan) -> _Parts:
    """A command that needs no other begins a chain, and one that needs one chain goes on with it. The first that needs
    two comes after all of them, and so does whatever comes behind it."""
    chains: list[list[int]] = []
    chain_of: dict[str, list[int]] = {}
    for index, step in enumerate(steps):
        needed = {id(chain_of[name]): chain_of[name] for name in step.reads}
        if len(needed) > 1:
            break
        if not needed:
            chains.append([])
        own = next(iter(needed.values()), chains[-1] if chains else [])
        own.append(index)
        chain_of |= dict.fromkeys(step.writes, own)
    else:
        raise NotUnderstood("nothing brings the chains together")
    if any(one != list(range(one[0], one[-1] + 1)) for one in chains):
        raise NotUnderstood("nvcc goes to and fro between the chains")
    misled = [one[place:] for one in chains for place in _guesses(steps, plan, one)]
    return _Parts(chains, sorted(chain.from_iterable(misled)), list(range(index, len(steps))))


def _guesses(steps: Sequence[Step], plan: Plan, own: list[int]) -> list[int]:
    """Where in the chain the first command stands that took a guess for the module ID."""
    return [place for place, index in enumerate(own) if steps[index].words != plan.steps[index].words][:1]


def _in_turn(steps: Sequence[Step], indices: Sequence[int], plan: Plan) -> str:
    """Where a command fails, ends with FIRST and its place in the plan; with 1 where it was killed."""
    run = (f"{shlex.join(steps[index].words)} > {_said(plan, index)} 2>&1 || ended $? {index}" for index in indices)
    return "; ".join(run)


def _said(plan: Plan, index: int) -> str:
    return shlex.quote(f"{plan.folder}/{index}.said")
