"""Whether a compiler that failed speaks of the text that it was given, or of the machine."""

import re

# "lab3.cu(12): error: ...", "lab3.cu:12:5: fatal error: ...": a line of the text, and what is wrong there. What a
# compiler says of a place although the machine is to blame stands in MACHINES_WORDS.
_PLACE = re.compile(r"^[^\s:(][^:(\n]*(?:\(\d+\)|:\d+(?::\d+)?): (?:fatal |catastrophic )?error\b.*", re.MULTILINE)
_NAME = re.compile(r"\b(?:undefined reference to|multiple definition of|Assembler messages)\b")

# (what stands in the output, what the machine lacks)
_REASONS = tuple(
    (re.compile(pattern, re.MULTILINE), words)
    for pattern, words in (
        (r"^(?:/usr/bin/)?prlimit: ", "prlimit cannot set the limits under which submissions are compiled"),
        (r"^bwrap: ", "bubblewrap cannot make the sandbox"),
        (r"^(?:/usr/bin/)?env: ", "env cannot start a program"),
        (r"No space left on device|Disk quota exceeded", "there is no room on a disk"),
        (r"Too many open files", "too few files may be open at once"),
        (r"File too large|File size limit exceeded", "files may not become large enough"),
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


def speaks_of_the_text(output: str) -> bool:
    """Whether the compiler named a place or a name in the text that it does not accept."""
    places = [found.group() for found in _PLACE.finditer(output)]
    return _NAME.search(output) is not None or any(_MACHINES_WORDS.search(line) is None for line in places)


def reason(output: str) -> str:
    """What the machine lacks where a text that is right was not compiled."""
    return next((words for pattern, words in _REASONS if pattern.search(output)), "the compiler fails")
