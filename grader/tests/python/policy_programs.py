"""Writes programs of kernels that load and store through shared memory, each a right one with up to two changes:
a statement dropped, doubled, exchanged with its neighbor, or with another number in it. What is wrong with them, if
anything, nobody has decided; test_policies.py asks whether the emulator finds the same under every timing policy."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass

HEADER = """#pragma once
#include <cuda.h>
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdlib>
#include "ptx.h"
"""
INTS = 8192  # of each array
NUMBER = re.compile(r"`(\d+)`")  # a number that a change may touch
FIXED = "|"  # in front of a line that stays as it is


@dataclass
class Kernel:
    lines: list[str]
    threads: int
    cluster: int = 1
    changes: tuple[str, ...] = ()


@dataclass
class Program:
    text: str
    kernels: list[Kernel]


def barriers(names: list[str], counts: list[int]) -> list[str]:
    """One thread initializes all of them, for everybody."""
    inits = [f"    init_barrier(&{name}, `{count}`);" for name, count in zip(names, counts, strict=True)]
    return ["|  if (threadIdx.x == 0) {", *inits, "    fence_barrier_init();", "|  }", "  __syncthreads();"]


def stages_of_all(stages: int, arrivals: int) -> list[str]:
    """Tiles that all threads of a CTA read, and an mbarrier for each, full by so many arrivals."""
    return [
        f"|  __shared__ alignas(128) int tile[{stages}][64];",
        f"|  __shared__ uint64_t full[{stages}];",
        "|  const int t = threadIdx.x;",
        *barriers([f"full[{s}]" for s in range(stages)], [arrivals] * stages),
    ]


def ring(random_: random.Random) -> Kernel:
    """A warp loads, the others read and hand back."""
    stages, loads, laps = random_.randint(1, 3), random_.randint(1, 2), random_.randint(1, 5)
    readers, words = random_.choice([32, 64]), 64
    first = random_.choice([0, readers])  # of the producer's threads
    base = 32 if first == 0 else 0
    everybody = random_.random() < 0.5  # arrives
    names = [f"full[{s}]" for s in range(stages)] + [f"empty[{s}]" for s in range(stages)]
    counts = [1] * stages + [readers if everybody else readers // 32] * stages
    announce = random_.choice(["together", "each", "behind"])
    produce = []
    for load in range(loads):
        if announce == "each":
            produce.append(f"      expect(&full[s], `{4 * words}`);")
        produce.append(
            f"      load_bulk(tile[s][{load}], in + {words} * ({loads} * i + {load}), {4 * words}, &full[s]);"
        )
    match announce:
        case "together":
            produce.insert(0, f"      arrive_and_expect(&full[s], `{4 * words * loads}`);")
        case "each":
            produce.append("      arrive(&full[s]);")
        case "behind":
            produce.append(f"      arrive_and_expect(&full[s], `{4 * words * loads}`);")
    hand_back = ["      arrive(&empty[s]);"]
    if not everybody:
        hand_back = ["      __syncwarp();", "      if (t % 32 == `0`) arrive(&empty[s]);"]
    lines = [
        f"|  __shared__ alignas(128) int tile[{stages}][{loads}][{words}];",
        f"|  __shared__ uint64_t full[{stages}], empty[{stages}];",
        *barriers(names, counts),
        f"|  if (threadIdx.x == {first}) {{",
        f"|    for (int i = 0; i < {laps}; ++i) {{",
        f"      const int s = i % {stages};",
        f"      wait_parity(&empty[s], (i / {stages} + `1`) % 2);",
        *produce,
        "|    }",
        f"|  }} else if (threadIdx.x >= {base} && threadIdx.x < {base + readers}) {{",
        f"|    const int t = threadIdx.x - {base};",
        f"|    for (int i = 0; i < {laps}; ++i) {{",
        f"      const int s = i % {stages};",
        f"      wait_parity(&full[s], (i / {stages} + `0`) % 2);",
        *[f"      out[t + {readers} * ({loads} * i + {k})] = tile[s][{k}][t];" for k in range(loads)],
        "      fence_proxy_async_shared();",
        *hand_back,
        "|    }",
        "|  }",
    ]
    return Kernel(lines, readers + 32)


def in_place(random_: random.Random) -> Kernel:
    """Load, change in place, store; the next tile into the same stage."""
    stages, laps, threads = random_.randint(1, 2), random_.randint(1, 5), 64
    wait = random_.choice(["wait_group_read", "wait_group"])
    read_back = random_.random() < 0.3
    lines = [
        *stages_of_all(stages, 1),
        f"|  for (int i = 0; i < {laps}; ++i) {{",
        f"    const int s = i % {stages};",
        "|    if (t == 0) {",
        f"      {wait}<`{stages - 1}`>();",
        "      arrive_and_expect(&full[s], `256`);",
        "      load_bulk(tile[s], in + 64 * i, 256, &full[s]);",
        "|    }",
        f"    wait_parity(&full[s], (i / {stages} + `0`) % 2);",
        "    tile[s][t] = tile[s][t] + 1;",
        "    fence_proxy_async_shared();",
        "    __syncthreads();",
        "|    if (t == 0) {",
        "      store_bulk(out + 64 * i, tile[s], 256);",
        "      commit_group();",
        "|    }",
        "|  }",
        "  if (t == 0) wait_group<`0`>();",
    ]
    if read_back:
        lines += ["  __syncthreads();", f"  other[t] = out[64 * {laps - 1} + t];"]
    return Kernel(lines, threads)


def ahead(random_: random.Random) -> Kernel:
    """One thread of all loads some tiles ahead; barriers of the CTA give stages back."""
    stages, laps, threads = random_.randint(2, 3), random_.randint(3, 6), 64
    lines = [
        *stages_of_all(stages, 1),
        "|  if (t == 0) {",
        f"|    for (int i = 0; i < {stages - 1}; ++i) {{",
        "      arrive_and_expect(&full[i], `256`);",
        "      load_bulk(tile[i], in + 64 * i, 256, &full[i]);",
        "|    }",
        "|  }",
        "|  int sum = 0;",
        f"|  for (int i = 0; i < {laps}; ++i) {{",
        f"    const int s = i % {stages}, n = (i + `{stages - 1}`) % {stages};",
        f"|    if (t == 0 && i + {stages - 1} < {laps}) {{",
        "      arrive_and_expect(&full[n], `256`);",
        f"      load_bulk(tile[n], in + 64 * (i + {stages - 1}), 256, &full[n]);",
        "|    }",
        f"    wait_parity(&full[s], (i / {stages} + `0`) % 2);",
        "    sum += tile[s][(t + 1) % 64];",
        "    fence_proxy_async_shared();",
        "    __syncthreads();",
        "|  }",
        "  out[t] = sum;",
    ]
    return Kernel(lines, threads)


def staged_stores(random_: random.Random) -> Kernel:
    """Threads fill a tile, the engine stores it, adds it up, or carries it to the next load."""
    stages, laps, threads = random_.randint(1, 2), random_.randint(1, 4), 64
    store = random_.choice(["store_bulk(out + 64 * i", "reduce_add_bulk(out"])
    again = random_.random() < 0.4
    lines = [
        f"|  __shared__ alignas(128) int tile[{stages}][64], back[64];",
        "|  __shared__ uint64_t full[1];",
        "|  const int t = threadIdx.x;",
        *barriers(["full[0]"], [1]),
        f"|  for (int i = 0; i < {laps}; ++i) {{",
        f"    const int s = i % {stages};",
        f"    if (t == 0) wait_group_read<`{stages - 1}`>();",
        "    __syncthreads();",
        "    tile[s][t] = in[64 * i + t];",
        "    fence_proxy_async_shared();",
        "    __syncthreads();",
        "|    if (t == 0) {",
        f"      {store}, tile[s], 256);",
        "      commit_group();",
        "|    }",
        "|  }",
        "  if (t == 0) wait_group<`0`>();",
    ]
    if again:
        lines += [
            "|  if (t == 0) {",
            "    fence_proxy_async();",
            "    arrive_and_expect(&full[0], `256`);",
            "    load_bulk(back, out, 256, &full[0]);",
            "|  }",
            "  wait_parity(&full[0], `0`);",
            "  other[t] = back[t];",
        ]
    return Kernel(lines, threads)


def copies(random_: random.Random) -> Kernel:
    """cp.async into stages, by groups or by arrivals."""
    stages, laps, threads = random_.randint(2, 3), random_.randint(2, 5), 64
    by_arrival = random_.random() < 0.5
    lines = [
        *stages_of_all(stages, threads),
        f"|  for (int i = 0; i < {stages - 1}; ++i) {{",
        "    cp_async_4(&tile[i][t], in + 64 * i + t);",
        "    cp_async_arrive(&full[i]);" if by_arrival else "    cp_async_commit();",
        "|  }",
        "|  int sum = 0;",
        f"|  for (int i = 0; i < {laps}; ++i) {{",
        f"    const int s = i % {stages}, n = (i + {stages - 1}) % {stages};",
    ]
    if by_arrival:
        lines.append(f"    wait_parity(&full[s], (i / {stages} + `0`) % 2);")
    else:
        lines += [f"    cp_async_wait<`{stages - 2}`>();", "    __syncthreads();"]
    lines += [
        "    sum += tile[s][(t + 1) % 64];",
        "    __syncthreads();",
        f"    if (i + {stages - 1} < {laps}) cp_async_4(&tile[n][t], in + 64 * (i + {stages - 1}) + t);",
        "    cp_async_arrive(&full[n]);" if by_arrival else "    cp_async_commit();",
        "|  }",
        "  out[t] = sum;",
    ]
    return Kernel(lines, threads)


def pair_of_ctas(random_: random.Random) -> Kernel:
    """What the first CTA loads lands in both; both hand back to the first."""
    stages, laps, threads = random_.randint(1, 2), random_.randint(1, 4), 64
    names = [f"full[{s}]" for s in range(stages)] + [f"empty[{s}]" for s in range(stages)]
    lines = [
        f"|  __shared__ alignas(128) int tile[{stages}][64];",
        f"|  __shared__ uint64_t full[{stages}], empty[{stages}];",
        "|  const unsigned rank = cluster_rank();",
        "|  const int t = threadIdx.x - 32;",
        *barriers(names, [1] * stages + [2] * stages),
        "  cluster_sync();",
        "|  if (threadIdx.x == 0) {",
        f"|    for (int i = 0; i < {laps}; ++i) {{",
        f"      const int s = i % {stages};",
        "      arrive_and_expect(&full[s], `256`);",
        "|      if (rank == 0) {",
        f"        wait_parity_cluster(&empty[s], (i / {stages} + `1`) % 2);",
        "        load_bulk_multicast(tile[s], in + 64 * i, 256, &full[s], `3`);",
        "|      }",
        f"      wait_parity(&full[s], (i / {stages} + `0`) % 2);",
        "|    }",
        "|  } else if (t >= 0) {",
        f"|    for (int i = 0; i < {laps}; ++i) {{",
        f"      const int s = i % {stages};",
        f"      wait_parity(&full[s], (i / {stages} + `0`) % 2);",
        f"      out[t + 64 * ({laps} * rank + i)] = tile[s][t];",
        "      fence_proxy_async_shared_cluster();",
        "      named_barrier_sync(1, 64);",
        "      if (t == 0) arrive_remote(address_in_cta(&empty[s], `0`));",
        "|    }",
        "|  }",
        "  cluster_sync();",
    ]
    return Kernel(lines, threads + 32, cluster=2)


def sent_words(random_: random.Random) -> Kernel:
    """Each CTA of a pair sends words to the other, whose mbarrier counts them."""
    laps, threads = random_.randint(1, 3), 64
    how = random_.choice(["store_async", "store_async", "copy"])
    lines = [
        "|  __shared__ alignas(128) int mine[64], theirs[64];",
        "|  __shared__ uint64_t full[1];",
        "|  const unsigned peer = cluster_rank() ^ 1;",
        "|  const int t = threadIdx.x;",
        *barriers(["full[0]"], [1]),
        "  cluster_sync();",
        f"|  for (int i = 0; i < {laps}; ++i) {{",
        "    if (t == 0) arrive_and_expect(&full[0], `256`);",
    ]
    if how == "store_async":
        lines.append("    store_async(address_in_cta(&theirs[t], peer), in[t] + i, address_in_cta(&full[0], peer));")
    else:
        lines += [
            "    mine[t] = in[t] + i;",
            "    fence_proxy_async_shared();",
            "    __syncthreads();",
            "    if (t == 0) copy_bulk_to_cta(address_in_cta(theirs, peer), mine, 256,"
            " address_in_cta(&full[0], peer));",
        ]
    lines += [
        "    wait_parity_cluster(&full[0], (i + `0`) % 2);",
        "    out[t + 64 * (2 * i + peer)] = theirs[t];",
        "    fence_proxy_async_shared_cluster();",
        "    cluster_sync();",
        "|  }",
        "  cluster_sync();",
    ]
    return Kernel(lines, threads, cluster=2)


FAMILIES: tuple[Callable[[random.Random], Kernel], ...] = (
    ring,
    ring,
    in_place,
    ahead,
    staged_stores,
    copies,
    pair_of_ctas,
    sent_words,
)


def is_declaration(line: str) -> bool:
    return line.lstrip().startswith("const int")


def indentation(line: str) -> int:
    code = line.removeprefix(FIXED)
    return len(code) - len(code.lstrip())


def next_in_block(lines: list[str], at: int, statements: list[int]) -> int:
    """The statement behind it in the same block: `at` itself, where there is none."""
    for number in range(at + 1, len(lines)):
        if indentation(lines[number]) < indentation(lines[at]) or is_declaration(lines[number]):
            return at
        if number in statements and indentation(lines[number]) == indentation(lines[at]):
            return number
    return at


def changed(random_: random.Random, lines: list[str]) -> str:
    """Changes the lines in one place; says how."""
    mine = [number for number, line in enumerate(lines) if not line.startswith(FIXED)]
    numbers = [number for number in mine if NUMBER.search(lines[number])]
    statements = [number for number in mine if not is_declaration(lines[number])]
    kind = random_.choice(["drop", "drop", "drop", "number", "number", "double", "exchange"])
    at = random_.choice(numbers if kind == "number" else statements)
    what = f"{kind}: {lines[at].strip()}"
    match kind:
        case "drop":
            lines[at] = "  ;"
        case "double":
            lines.insert(at, lines[at])
        case "exchange":
            other = next_in_block(lines, at, statements)
            lines[at], lines[other] = lines[other], lines[at]
        case "number":
            spot = random_.choice(list(NUMBER.finditer(lines[at])))
            value = int(spot[1])
            new = random_.choice([value + 1, max(0, value - 1), value + 1, value // 2, 2 * value])
            if value % 16 == 0 and value:
                new = random_.choice([value // 2, 2 * value, value + 16])
            lines[at] = f"{lines[at][: spot.start()]}{new}{lines[at][spot.end() :]}"
            what += f" -> {new}"
    return what


def kernel_of(random_: random.Random) -> Kernel:
    kernel = random_.choice(FAMILIES)(random_)
    changes = [changed(random_, kernel.lines) for _ in range(random_.choice([0, 1, 1, 1, 1, 2, 2]))]
    kernel.lines = [NUMBER.sub(r"\1", line.removeprefix(FIXED)) for line in kernel.lines]
    kernel.changes = tuple(changes)
    return kernel


def program(seed: int, kernels: int) -> Program:
    """Its argument is the number of the kernel that is launched."""
    random_ = random.Random(seed)
    lines = ['#include "policies.cuh"']
    made = [kernel_of(random_) for _ in range(kernels)]
    launches = []
    for number, kernel in enumerate(made):
        cluster = f"__cluster_dims__({kernel.cluster}) " if kernel.cluster > 1 else ""
        lines += [f"// {kernel.changes}" if kernel.changes else "// as it should be"]
        lines += [f"__global__ void {cluster}k{number}(const int* in, int* out, int* other) {{", *kernel.lines, "}"]
        launches.append(f"  if (which == {number}) k{number}<<<{kernel.cluster}, {kernel.threads}>>>(in, out, other);")
    lines += [
        "int main(int, char** arguments) {",
        "  const int which = atoi(arguments[1]);",
        "  int *in, *out, *other;",
        *(f"  cudaMalloc(&{name}, 4 * {INTS});" for name in ("in", "out", "other")),
        *(f"  cudaMemset({name}, 1, 4 * {INTS});" for name in ("in", "out", "other")),
        *launches,
        "  return cudaDeviceSynchronize() != cudaSuccess;",
        "}",
    ]
    return Program("\n".join(lines) + "\n", made)
