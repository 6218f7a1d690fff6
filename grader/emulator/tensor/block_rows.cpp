#include "emulator/tensor/block_rows.h"

#include "emulator/tensor/block_lanes.h"

namespace tmaemu::tensor {
namespace {

// What x86-64-v4 adds to v3 ("x86-64 psABI", "Micro-Architecture Levels").
bool has_avx512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl");
}

}  // namespace

u32 add_vector_blocks(const BlockRule& rule, const BlockRow& row) {
  static const bool has_sixteen_lanes = has_avx512();
  unsigned column = 0;
  const u32 left = has_sixteen_lanes ? add_sixteen_lanes(rule, row, column) : 0;
  return left | add_block_lanes<8>(rule, row, column);
}

}  // namespace tmaemu::tensor
