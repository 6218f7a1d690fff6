"""Writes CUDA C++ kernels with shared variables, for conformance_shared: shared_kernels.py NUMBER >FILE.

One number, one file, with every version of Python. nvcc compiles each file in several ways, with -DWAY=name.
"""

import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

KERNELS = 40  # a file

HEADER = """\
#include <cstdint>

#include "tests/conformance/shared_kernels.h"

#define TEXT_OF(word) #word
#define TEXT(word) TEXT_OF(word)

namespace conformance::WAY::file_{number} {{
namespace {{

struct alignas(32) Row {{
  int values[8];
}};
struct Packed {{
  char bytes[7];
}};

template <class T>
__device__ __forceinline__ std::uint32_t address(T& variable) {{
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(&variable));
}}
template <class T>
__device__ __forceinline__ void touch(T& variable, std::uint32_t value) {{
  *reinterpret_cast<volatile char*>(&variable) = static_cast<char>(value);
}}

}}  // namespace

"""

TYPES = {
    "char": 1,
    "short": 2,
    "int": 4,
    "float": 4,
    "Packed": 7,
    "double": 8,
    "std::uint64_t": 8,
    "int4": 16,
    "Row": 32,
}
ALIGNMENTS = (8, 16, 64, 128, 256, 1024)
LENGTHS = (1, 1, 2, 3, 4, 5, 7, 16, 17, 32, 33, 64, 100, 128, 256, 512, 1024)
MOST_BYTES = 2048  # a variable: all of a kernel's fit into 48 KiB

T = TypeVar("T")


class Draw:
    """Only Random.random() is promised to give the same numbers with every version."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def below(self, end: int) -> int:
        return int(self._random.random() * end)

    def one_in(self, count: int) -> bool:
        return self.below(count) == 0

    def of(self, values: Sequence[T]) -> T:
        return values[self.below(len(values))]

    def shuffled(self, values: Sequence[T]) -> list[T]:
        return [value for _, value in sorted(((self._random.random(), i), value) for i, value in enumerate(values))]


@dataclass
class Function:
    name: str  # as it is called
    lines: list[str] = field(default_factory=list)
    words: int = 0  # that it stores, those of its callees included


def variable(draw: Draw, name: str) -> str:
    type_name = draw.of(list(TYPES))
    alignment = f"__align__({draw.of(ALIGNMENTS)}) " if draw.one_in(4) else ""
    length = draw.of([n for n in LENGTHS if n * TYPES[type_name] <= MOST_BYTES])
    if length == 1 and draw.one_in(2):
        dimensions = ""
    elif length % 4 == 0 and draw.one_in(3):
        dimensions = f"[{length // 4}][4]"
    else:
        dimensions = f"[{length}]"
    return f"__shared__ {alignment}{type_name} {name}{dimensions};"


def uses(draw: Draw, function: Function, name: str) -> list[str]:
    store = f"results[{function.words}] = address({name});"
    touch = f"touch({name}, results[0]);"
    function.words += 1
    how = draw.below(10)
    if how == 0:  # named, and its address not known
        return [touch]
    if how == 1:
        return [f"if (results[0] == {draw.below(9)}) {touch}", store]
    if how == 2:
        return [touch, store]
    return [store]


def write_body(draw: Draw, function: Function, modules: list[str], callees: list[Function], most: int) -> None:
    names = [f"{function.name.split('<')[0]}_{letter}" for letter in "abcdefg"[: draw.below(most + 1)]]
    function.lines += [f"  {variable(draw, name)}" for name in names]
    named = [name for name in names if not draw.one_in(6)] + [name for name in modules if draw.one_in(3)]
    statements = [line for name in draw.shuffled(named) for line in uses(draw, function, name)]
    for callee in callees:
        if draw.one_in(3):
            statements.insert(draw.below(len(statements) + 1), f"{callee.name}(results + {function.words});")
            function.words += callee.words
    function.lines += [f"  {statement}" for statement in statements] + ["}", ""]


def source(number: int) -> str:
    draw = Draw(number)
    text = [HEADER.format(number=number)]
    modules = [f"module_{letter}" for letter in "abcd"[: draw.below(5)]]
    text += [("static " if draw.one_in(2) else "") + variable(draw, name) for name in modules]
    for letter in "abc"[: draw.below(4)]:
        name = f"dynamic_{letter}"
        alignment = f"__align__({draw.of(ALIGNMENTS)}) " if draw.one_in(2) else ""
        text.append(f"extern __shared__ {alignment}{draw.of(list(TYPES))} {name}[];")
        modules.append(name)
    callees: list[Function] = []
    for i in range(draw.below(6)):
        how = draw.of(["__noinline__", "__noinline__", "__forceinline__", "inline"])
        is_template = draw.one_in(3)
        function = Function(f"helper{i}")
        if is_template:
            text.append("template <int number>")
        text.append(f"__device__ {how} void {function.name}(std::uint32_t* results) {{")
        write_body(draw, function, modules, callees, 3)
        text += function.lines
        if is_template:
            callees += [Function(f"helper{i}<{n}>", words=function.words) for n in range(2)]
        else:
            callees.append(function)
    kernels = []
    for i in range(KERNELS):
        kernel = Function(f"kernel{i}")
        linkage = "static " if draw.one_in(5) else ""
        text.append(f"{linkage}__global__ void {kernel.name}(std::uint32_t* results) {{")
        write_body(draw, kernel, modules, callees, 6)
        text += kernel.lines
        kernels.append(kernel)
    text.append("static const SharedKernel kernels[] = {")
    for kernel in kernels:
        name = f'TEXT(WAY) "/{number}/{kernel.name}"'
        text.append(f"    {{{name}, reinterpret_cast<const void*>({kernel.name}), {kernel.words}}},")
    text += [
        "};",
        "static const AddedSharedKernels added(kernels);",
        "",
        f"}}  // namespace conformance::WAY::file_{number}",
    ]
    return "\n".join(text) + "\n"


if __name__ == "__main__":
    sys.stdout.write(source(int(sys.argv[1])))
