// Pools of stream-ordered allocation. Memory comes from one store, so a pool is only its settings.
#pragma once

#include <array>
#include <cstdint>

#include "emulator/runtime/state/error.h"
#include "emulator/runtime/state/handles.h"

namespace tmaemu::runtime {

// Attributes have the numbers of cudaMemPoolAttr: 1 to 3 are ints, 4 (the release threshold) is 64
// bits wide. 5 to 8 count the pool's memory, which nobody does here.
inline constexpr int first_wide_pool_attribute = 4;
inline constexpr int last_kept_pool_attribute = 4;
inline constexpr int last_pool_attribute = 8;

struct MemoryPool {
  std::array<std::uint64_t, last_kept_pool_attribute + 1> attributes{0, 1, 1, 1, 0};
};

class MemoryPools {
 public:
  static MemoryPools& instance();
  MemoryPool* create();
  bool destroy(MemoryPool* pool);
  void reset();
  MemoryPool* find(const void* handle);
  MemoryPool* default_pool() { return &default_; }
  MemoryPool* current = &default_;

 private:
  MemoryPool default_;
  Handles<MemoryPool> pools_;
};

Error get_attribute(const MemoryPool& pool, int attribute, void* value);
Error set_attribute(MemoryPool& pool, int attribute, const void* value);

}  // namespace tmaemu::runtime
