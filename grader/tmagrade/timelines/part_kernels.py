"""Which kernels a part of a lab launches: those that its launcher, or a function that this one calls, names."""

import re
from collections.abc import Mapping

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
PART = re.compile(r"^PART\((?P<part>\w+),\s*[^,]+,\s*(?P<launcher>\w+)", re.MULTILINE)
TEMPLATE_PART = re.compile(
    r"^TEMPLATE_PART\((?P<part>\w+),\s*\w+,\s*\([^()]*\),\s*[^,]+,\s*(?P<launcher>\w+)", re.MULTILINE
)
# Between the word and the kernel's name: its type, and what the compiler is to know of it.
KERNEL = re.compile(r"__global__\s+(?:(?:void|__\w+__\s*\((?:[^()]|\([^()]*\))*\))\s*)+(\w+)\s*\(")
FUNCTION = re.compile(r"\b(\w+)\s*\([^;{}]*\)\s*\{")
WORD = re.compile(r"\w+")


def launchers(parts_def: str) -> dict[str, str]:
    """The launcher of each part, as the lab's parts.def names them."""
    found = [*PART.finditer(parts_def), *TEMPLATE_PART.finditer(parts_def)]
    return {match["part"].replace("_", "-"): match["launcher"] for match in found}


def kernels_of(launcher: str, source: str) -> set[str]:
    source = COMMENT.sub(" ", source)
    bodies = _bodies(source)
    kernels = set(KERNEL.findall(source))
    seen: set[str] = set()
    ahead = [launcher]
    while ahead:
        name = ahead.pop()
        if name in seen or name in kernels:
            continue
        seen.add(name)
        ahead += WORD.findall(bodies.get(name, ""))
    return kernels & {word for name in seen for word in WORD.findall(bodies.get(name, ""))}


def base_name(kernel: str) -> str:
    """`copy` of `(anonymous namespace)::copy<4, float>`."""
    return kernel.partition("<")[0].rpartition("::")[2]


def _bodies(source: str) -> Mapping[str, str]:
    """What stands between the braces of each function; of overloads all together."""
    bodies: dict[str, str] = {}
    for match in FUNCTION.finditer(source):
        bodies[match[1]] = bodies.get(match[1], "") + _braced(source, match.end())
    return bodies


def _braced(source: str, begin: int) -> str:
    depth = 1
    for match in re.compile(r"[{}]").finditer(source, begin):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            return source[begin : match.start()]
    return source[begin:]
