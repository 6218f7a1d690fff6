"""What a compiler says, as a student reads it; where it failed, whether it speaks of the text or of the machine."""

import re

# "lab3.cu(12): error: ...", "lab3.cu:12:5: fatal error: ...": a line of the text, and what is wrong there. What a
# compiler says of a place although the machine is to blame stands in MACHINES_WORDS.
_PLACE = re.compile(r"^[^\s:(][^:(\n]*(?:\(\d+\)|:\d+(?::\d+)?): (?:fatal |catastrophic )?error\b.*", re.MULTILINE)
_NAME = re.compile(r"\b(?:undefined reference to|multiple definition of|Assembler messages)\b")

# A limit on files: the machine's, or what the text makes is too large. gcc calls it an error of its own.
_TOO_LARGE = "File too large|File size limit exceeded"

# (what stands in the output, what the machine lacks)
_REASONS = tuple(
    (re.compile(pattern, re.MULTILINE), words)
    for pattern, words in (
        (r"^(?:/usr/bin/)?prlimit: ", "prlimit cannot set the limits under which submissions are compiled"),
        (r"^bwrap: ", "bubblewrap cannot make the sandbox"),
        (r"^(?:/usr/bin/)?env: ", "env cannot start a program"),
        (r"No space left on device|Disk quota exceeded", "there is no room on a disk"),
        (r"Too many open files", "too few files may be open at once"),
        (_TOO_LARGE, "files may not become large enough"),
        (r"Resource temporarily unavailable|[Cc]annot fork|fork: |vfork: ", "no more processes can be started"),
        (r"CPU time limit exceeded", "a process may not run long enough"),
        (r"Cannot allocate memory|out of memory|virtual memory exhausted|bad_alloc", "there is too little memory"),
        (r"error while loading shared libraries", "a library of the compiler's is missing"),
        (r"collect2: |\bld: |\bld returned|ld terminated|cannot find -l", "the linker does not link"),
        (r"not found|No such file or directory|cannot execute", "a program or a file of the compiler's is missing"),
    )
)
_MACHINES_WORDS = re.compile(
    "No space left|quota exceeded|Too many open files|File too large|temporarily unavailable|[Cc]annot allocate|"
    "out of memory|Permission denied|Input/output error"
)

# The expression below takes the square of a line's length, and what an #error says may have a million characters.
LONGEST_LINE = 2000
# "lab3.cu(7): warning #177-D", "lab3.cu:7:5: warning": where one begins.
WARNING = re.compile(r"^[^\s(:]+[(:][\d:]+\)?:? warning")
# What ptxas notes of the machine code that it makes, where it means a mistake or costs time: products that wait for one
# another, a wait that it had to add, setmaxnreg without effect. "around line 885" is a line of PTX, which nobody sees.
_NOTE = re.compile(r"^ptxas info\s*: (\(C\d+\) (?:Potential Performance Loss: |warpgroup\.wait is injected\b).*)")
WHERE_NOTES_ARE_EXPLAINED = "read: handout/guide/wgmma.md, What makes ptxas serialize"
_PTX_LINE = re.compile(r" in around line \d+")
# "_Z8multiplyILi4EEvPf", "_ZN3own8multiplyEPf": names, each after its length; only behind an N there are several, and
# behind the last one are the types of the parameters.
_MANGLED = re.compile(r"_Z(N?)[KL]*(?=\d)(\w+)")
# What a submission's `main` is called in its library, where nobody calls it. Students read of their own name.
MAIN_OF_THE_LIBRARY = "main_of_the_submission"
# nvcc itself ends so, and names no line, where a pointer that it knows to lead into shared memory is made a global
# address. The course's header does no such thing.
_CRASH = re.compile(
    r"^(?:Segmentation fault|error: Copy one register into another)|died due to signal 11", re.MULTILINE
)
_OF_THE_CRASH = (
    "nvcc itself crashes on this text, and says of no line why. It does where __cvta_generic_to_global() is given a "
    "pointer into shared memory: look for a copy whose source and destination are exchanged"
)
_OF_THE_SIZE = (
    "what the compiler makes of this text is larger than a file may be: a large array is filled when the program runs, "
    "and is not given its values in the text"
)
WAY_TO_THE_COURSE = re.compile(r"(\.\./)+(grader/)*(?=(labs/common|checks)/)")


def compiler_warnings(output: str, limit: int = 20) -> str:
    """nvcc's warnings with their places and excerpts, and what ptxas notes, of a text that compiled: each once, though
    nvcc warns again for each architecture."""
    lines = [line for line in output.splitlines() if line.strip() and not line.startswith(("Remark: ", "ptxas info"))]
    first = next((index for index, line in enumerate(lines) if "warning" in line), len(lines))
    warnings: list[list[str]] = []
    for line in lines[first:]:
        if WARNING.search(line) or not warnings:
            warnings.append([])
        warnings[-1].append(line)
    once = dict.fromkeys([*map(tuple, warnings), *((note,) for note in _notes(output))])
    return _without_ways([line for warning in once for line in warning], limit)


def _notes(output: str) -> list[str]:
    """What ptxas says of wgmma and setmaxnreg: of each function once."""
    found = (_NOTE.match(line[:LONGEST_LINE]) for line in output.splitlines())
    said = (" ".join(_PTX_LINE.sub("", note[1]).split()) for note in found if note is not None)
    notes = [f"ptxas: {_demangled(words)}" for words in said]
    return [*notes, WHERE_NOTES_ARE_EXPLAINED] if notes else []


def _demangled(line: str) -> str:
    return _MANGLED.sub(lambda name: _name_in(*name.groups()), line)


def _name_in(nested: str, rest: str) -> str:
    """The function's own name: of several the last one, behind the namespaces. No kernel is a member of a class."""
    name = ""
    while (length := re.match(r"\d{1,4}", rest)) is not None:
        end = length.end() + int(length[0])
        name, rest = rest[length.end() : end], rest[end:]
        if not nested:
            break
    return name


def compiler_lines(output: str, limit: int = 20) -> str:
    """What a student needs of nvcc's output: its errors with their places, without the grader's own paths."""
    lines = [line for line in output.splitlines() if line.strip() and "detected in the compilation of" not in line]
    if not speaks_of_the_text(output):
        if _CRASH.search(output):
            return _OF_THE_CRASH
        if re.search(_TOO_LARGE, output):
            return _OF_THE_SIZE
    errors = [index for index, line in enumerate(lines) if "error" in line]
    return _without_ways(lines[errors[0] :] if errors else lines, limit)


def _without_ways(found: list[str], limit: int) -> str:
    kept = [_as_students_know_it(line[:LONGEST_LINE]) for line in found[:limit]]
    if len(found) > limit:
        kept.append(f"... and {len(found) - limit} more lines")
    return "\n".join(kept)


def _as_students_know_it(line: str) -> str:
    return _demangled(WAY_TO_THE_COURSE.sub("", line.removeprefix("./")).replace(MAIN_OF_THE_LIBRARY, "main"))


def speaks_of_the_text(output: str) -> bool:
    """Whether the compiler named a place or a name in the text that it does not accept."""
    places = [found.group() for found in _PLACE.finditer(output)]
    return _NAME.search(output) is not None or any(_MACHINES_WORDS.search(line) is None for line in places)


def reason(output: str) -> str:
    """What the machine lacks where a text that is right was not compiled."""
    return next((words for pattern, words in _REASONS if pattern.search(output)), "the compiler fails")
