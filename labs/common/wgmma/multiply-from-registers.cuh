// Products whose A is in registers: the second of two products in a row, as in attention, needs no
// way through shared memory.
//
// a       this thread's part of A, 64 x 16 bf16: four words of two elements, of which the one with
//         the lower k has the lower bits. With lane l of warp w of the warpgroup:
//             a[0]  row 16 * w + l / 4,     k = 2 * (l % 4) and the next one
//             a[1]  row 16 * w + l / 4 + 8, the same k
//             a[2], a[3]  the same rows, k higher by 8
//         No thread may write them until wgmma_wait.
//
// All else is as in multiply.cuh. Whole warpgroup. PTX ISA, "wgmma.mma_async".
#pragma once

#include "architecture.cuh"

// D is 64 x 8.
template <int ScaleD, int ScaleA, int ScaleB, int TransB>
__device__ static __forceinline__ void wgmma_n8_registers(const uint32_t a[4], uint64_t desc_b,
                                                          float d[4]) {
  asm volatile(
      "{\n"
      ".reg .pred adds;\n"
      "setp.ne.b32 adds, %9, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16\n"
      "{%0, %1, %2, %3}, "
      "{%4, %5, %6, %7}, %8, adds, %10, %11, %12;\n"
      "}"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(desc_b), "n"(ScaleD), "n"(ScaleA),
        "n"(ScaleB), "n"(TransB)
      : "memory");
}

// D is 64 x 64.
template <int ScaleD, int ScaleA, int ScaleB, int TransB>
__device__ static __forceinline__ void wgmma_n64_registers(const uint32_t a[4], uint64_t desc_b,
                                                           float d[4][8]) {
  asm volatile(
      "{\n"
      ".reg .pred adds;\n"
      "setp.ne.b32 adds, %37, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16\n"
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, "
      "%18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, "
      "{%32, %33, %34, %35}, %36, adds, %38, %39, %40;\n"
      "}"
      : "+f"(d[0][0]), "+f"(d[0][1]), "+f"(d[0][2]), "+f"(d[0][3]), "+f"(d[0][4]), "+f"(d[0][5]),
        "+f"(d[0][6]), "+f"(d[0][7]), "+f"(d[1][0]), "+f"(d[1][1]), "+f"(d[1][2]), "+f"(d[1][3]),
        "+f"(d[1][4]), "+f"(d[1][5]), "+f"(d[1][6]), "+f"(d[1][7]), "+f"(d[2][0]), "+f"(d[2][1]),
        "+f"(d[2][2]), "+f"(d[2][3]), "+f"(d[2][4]), "+f"(d[2][5]), "+f"(d[2][6]), "+f"(d[2][7]),
        "+f"(d[3][0]), "+f"(d[3][1]), "+f"(d[3][2]), "+f"(d[3][3]), "+f"(d[3][4]), "+f"(d[3][5]),
        "+f"(d[3][6]), "+f"(d[3][7])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(desc_b), "n"(ScaleD), "n"(ScaleA),
        "n"(ScaleB), "n"(TransB)
      : "memory");
}
