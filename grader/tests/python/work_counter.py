"""How much work a call is, counted: a machine that is busy does no more of it."""

import sys
import tracemalloc
from collections.abc import Callable
from types import FrameType
from typing import Any

# Twice the input may be so many times the work. Sorting alone makes it more than twice.
LINEAR = 2.2


def work_of(call: Callable[[], object]) -> int:
    """How many instructions of Python's the call executes, those of the library included."""
    executed = 0

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal executed
        frame.f_trace_opcodes = True
        executed += event == "opcode"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(before)
    return executed


def memory_of(call: Callable[[], object]) -> int:
    """The most bytes that the call holds at a time."""
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
