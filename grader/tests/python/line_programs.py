"""Writes programs of kernels with one mistake each: helpers in helpers are called from several lines of a loop that the
compiler unrolls. test_source_lines.py asks the emulator for the line."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

THREADS = 64
HEADER = """#pragma once
#include "tma-interface.cuh"
__device__ inline int read_one(const int* p, int i) {
  return p[i];
}
__device__ inline int read_scaled(const int* p, int i) {
  return read_one(p, i) * 3;
}
__device__ inline int read_two(const int* p, int i) {
  int sum = read_one(p, i);
  sum += read_one(p, i + 1);
  return sum;
}
__device__ inline int read_through(const int* p, int i) {
  const int x = read_scaled(p, i);
  return x ^ 5;
}
__device__ inline int read_both(const int* p, int i) {
  int sum = read_scaled(p, i);
  sum ^= read_two(p, i);
  return sum;
}
__device__ inline int read_volatile(const int* p, int i) {
  return *const_cast<const volatile int*>(p + i);
}
__device__ inline int read_volatile_scaled(const int* p, int i) {
  return read_volatile(p, i) * 7;
}
__device__ inline void put_one(int* p, int i, int value) {
  p[i] = value;
}
__device__ inline void put_changed(int* p, int i, int value) {
  put_one(p, i, value ^ 9);
}
__device__ inline void put_two(int* p, int i, int value) {
  put_one(p, i, value);
  put_changed(p, i + 1, value);
}
__device__ inline void wait_for(uint64_t* bar, int parity) {
  wait(bar, parity);
}
__device__ inline void wait_and_fence(uint64_t* bar, int parity) {
  wait_for(bar, parity);
  async_proxy_fence();
}
"""
READS = ("read_one", "read_scaled", "read_two", "read_through", "read_both", "read_volatile", "read_volatile_scaled")
PUTS = ("put_one", "put_changed", "put_two")
WAITS = ("wait", "wait_for", "wait_and_fence")


@dataclass
class Kernel:
    lines: list[str]
    mistake: int  # the line with the mistake, counted from the kernel's first


@dataclass
class Program:
    text: str
    firsts: list[int]  # by kernel: its first line in the source
    mistakes: list[int]  # and the line of its mistake


def loop(random_: random.Random, rounds: int) -> list[str]:
    unrolled = random_.choice([1, 2, 4, 8, rounds])
    end = random_.choice([str(rounds), str(rounds), str(rounds), "rounds"])
    return [f"#pragma unroll {unrolled}", f"  for (int r = 0; r < {end}; ++r) {{"]


def accessing_kernel(random_: random.Random, name: str, rounds: int) -> Kernel:
    """One call reads an array that nobody wrote, or lets all threads write the same words."""
    calls = random_.randint(2, 5)
    mistaken = random_.randrange(calls)
    when = random_.choice([f"r == {random_.randrange(rounds)}", f"r == {random_.randrange(rounds)}", "true"])
    reads = random_.sample(READS, random_.randint(1, 3))
    puts = random_.sample(PUTS, random_.randint(1, 2))
    lines: list[str] = []
    if random_.random() < 0.3:
        lines += [
            f"__device__ int step_of_{name}(const int* p, int i) {{",
            f"  const int x = {random_.choice(READS)}(p, i);",
            "  return x + 1;",
            "}",
        ]
        reads = [f"step_of_{name}"]
    lines += [
        f"__global__ void {name}(int* out, int* everybodys, int rounds) {{",
        "  __shared__ int good[256], more[256], unwritten[256];",
        "  const int t = threadIdx.x;",
        f"  for (int i = t; i < 256; i += {THREADS}) good[i] = more[i] = i;",
        "  __syncthreads();",
        "  int* mine = out + 64 * t;",
        "  int sum = 0;",
        *loop(random_, rounds),
    ]
    mistake = 0
    for call in range(calls):
        if call == mistaken:
            mistake = len(lines)
        if random_.random() < 0.65:
            array = random_.choice(["good", "more"])
            array = f"{when} ? unwritten : {array}" if call == mistaken else array
            # nvcc gives no line at all to what it moves in front of the loop.
            index = random_.choice(["r", "2 * r"] if call == mistaken else ["r", "0", "2 * r", "1"])
            lines.append(f"    sum += {random_.choice(reads)}({array}, t + {index});")
        else:
            array = f"{when} ? everybodys : mine" if call == mistaken else "mine"
            lines.append(f"    {random_.choice(puts)}({array}, {random_.choice(['r', '0', '2 * r'])}, sum + t);")
    return Kernel([*lines, "  }", "  out[64 * t + 63] = sum;", "}"], mistake)


def waiting_kernel(random_: random.Random, name: str, rounds: int) -> Kernel:
    """One of several waits has a parity that never changes."""
    tiles = random_.randint(2, 4)
    mistaken = random_.randrange(tiles)
    waits = random_.sample(WAITS, random_.randint(1, 2))
    numbers = range(tiles)
    lines = [
        f"__global__ void {name}(int* out, int* in, int rounds) {{",
        f"  __shared__ alignas(128) int {', '.join(f'tile{k}[{THREADS}]' for k in numbers)};",
        f"  __shared__ uint64_t {', '.join(f'full{k}' for k in numbers)};",
        "  const int t = threadIdx.x;",
        f"  if (t == 0) {{ {' '.join(f'init_barrier(&full{k}, 1);' for k in numbers)} fence_barrier_init(); }}",
        "  __syncthreads();",
        "  int sum = 0;",
        *loop(random_, rounds),
        "    if (t == 0) {",
    ]
    for k in numbers:
        lines += [
            f"      expect_bytes_and_arrive(&full{k}, sizeof tile{k});",
            f"      cp_async_bulk_global_to_shared(tile{k}, in + r * {THREADS}, sizeof tile{k}, &full{k});",
        ]
    lines.append("    }")
    mistake = len(lines) + mistaken
    for k in numbers:
        lines.append(f"    {random_.choice(waits)}(&full{k}, {0 if k == mistaken else 'r & 1'});")
    lines.append(f"    sum += {' + '.join(f'{k + 1} * tile{k}[t]' for k in numbers)};")
    return Kernel([*lines, "    async_proxy_fence();", "    __syncthreads();", "  }", "  out[t] = sum;", "}"], mistake)


SECOND_RACE = 3


def racing_kernel(random_: random.Random, name: str, rounds: int) -> Kernel:
    """Two mistakes: one array after the other is written by one helper and read by another, with no barrier in between,
    and no barrier would mend both. The second read is SECOND_RACE lines behind the first."""
    put = random_.choice(["put_one", "put_changed"])
    read = random_.choice(["read_one", "read_scaled", "read_through"])
    lines = [
        f"__global__ void {name}(int* out, int* everybodys, int rounds) {{",
        "  __shared__ int left[64], right[64];",
        "  const int t = threadIdx.x;",
        "  int sum = 0;",
        *loop(random_, rounds),
        f"    {put}(left, t, sum + r);",
        f"    sum += {read}(left, t ^ {random_.choice([1, 32])});",
        "    __syncthreads();",
        f"    {put}(right, t, sum + 2 * r);",
        f"    sum += {read}(right, t ^ {random_.choice([1, 32])});",
    ]
    end = ["    __syncthreads();", "  }", "  out[t] = sum;", "}"]
    return Kernel([*lines, *end], len(lines) - 1 - SECOND_RACE)


def accessing_or_waiting_kernel(random_: random.Random, name: str, rounds: int) -> Kernel:
    make = accessing_kernel if random_.random() < 0.7 else waiting_kernel
    return make(random_, name, rounds)


def program(
    seed: int, kernels: int, make: Callable[[random.Random, str, int], Kernel] = accessing_or_waiting_kernel
) -> Program:
    """The kernels from the first argument to the second, not included, are launched."""
    random_ = random.Random(seed)
    lines = ["#include <cstdlib>", '#include "helpers.cuh"']
    firsts, mistakes, launches = [], [], []
    for number in range(kernels):
        rounds = random_.randint(2, 8)
        kernel = make(random_, f"k{number}", rounds)
        firsts.append(len(lines) + 1)
        mistakes.append(len(lines) + 1 + kernel.mistake)
        lines += kernel.lines
        launch = f"k{number}<<<1, {THREADS}>>>(out, other, {rounds});"
        launches.append(f"  if (first <= {number} && {number} < last) {launch}")
    lines += [
        "int main(int, char** arguments) {",
        "  const int first = atoi(arguments[1]), last = atoi(arguments[2]);",
        "  int *out, *other;",
        "  cudaMalloc(&out, 4 * 64 * 64);",
        "  cudaMalloc(&other, 4 * 64 * 64);",
        "  cudaMemset(other, 0, 4 * 64 * 64);",
        *launches,
        "  return cudaDeviceSynchronize() != cudaSuccess;",
        "}",
    ]
    return Program("\n".join(lines) + "\n", firsts, mistakes)
