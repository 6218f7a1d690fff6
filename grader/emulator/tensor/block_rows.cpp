#include "emulator/tensor/block_rows.h"

#include "emulator/tensor/block_lanes.h"

namespace tmaemu::tensor {
namespace {

#ifdef __x86_64__
// What x86-64-v4 adds to v3 ("x86-64 psABI", "Micro-Architecture Levels").
bool has_sixteen_lanes() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl");
}
#endif

}  // namespace

u32 add_vector_blocks(const BlockRule& rule, const BlockRow& row) {
  unsigned column = 0;
  u32 left = 0;
#ifdef __x86_64__
  static const bool is_wide = has_sixteen_lanes();
  if (is_wide) left = add_sixteen_lanes(rule, row, column);
#endif
  return left | add_block_lanes<8>(rule, row, column);
}

}  // namespace tmaemu::tensor
