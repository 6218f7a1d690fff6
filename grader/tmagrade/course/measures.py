"""The measures of lab.toml's `about`, as grader/contract/protocol/measures.def lists them for the emulator, too."""

import re

from tmagrade.basics.paths import HERE

ROW = re.compile(r"^MEASURE\((\w+), (\w+),\s*((?:\"[^\"]*\"\s*)+)\)", re.MULTILINE)


def _rows() -> list[tuple[str, str, str]]:
    """Of each measure its name, what it counts, and its words."""
    text = (HERE.grader / "contract/protocol/measures.def").read_text(encoding="utf-8")
    return [(name, counts, "".join(re.findall(r'"([^"]*)"', words))) for name, counts, words in ROW.findall(text)]


# In words that follow a number of bytes.
BYTE_MEASURES = {name: words for name, counts, words in _rows() if counts in ("bytes", "loads", "bytes_anyhow")}
# What loads of inputs bring, of all that is read of them.
LOADS = frozenset(name for name, counts, _ in _rows() if counts == "loads")
ALL_READ = "inputs_read"
ANY_DETOUR = frozenset(name for name, counts, _ in _rows() if counts == "bytes_anyhow")
# Bytes that were left in global memory and read from there again: such a result has not stayed in shared memory from
# its load to its store, and as many bytes less count as what a part asks for.
DETOURS = tuple(name for name, counts, _ in _rows() if counts == "detour")
# Those that count something else, in words around a number.
OTHER_MEASURES = {name: words for name, counts, words in _rows() if counts in ("number", "largest")}
