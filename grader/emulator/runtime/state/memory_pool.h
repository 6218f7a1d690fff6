// Pools of stream-ordered allocation. Memory comes from one store; a pool is its settings and its
// books.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "emulator/runtime/state/error.h"
#include "emulator/runtime/state/handles.h"
#include "emulator/runtime/state/stream.h"

namespace tmaemu::runtime {

// Attributes have the numbers of cudaMemPoolAttr: 1 to 3 are ints, the others 64 bits wide.
enum PoolAttribute {
  release_threshold = 4,
  reserved_now,
  reserved_high,
  used_now,
  used_high,
};
inline constexpr int first_wide_pool_attribute = release_threshold;
inline constexpr int last_pool_attribute = used_high;

struct MemoryPool {
  std::array<std::uint64_t, last_pool_attribute + 1> attributes{0, 1, 1, 1};
  std::uint64_t largest = 0;  // bytes it may hold; 0: no limit

  // A pool takes memory in blocks, and gives back what it does not use beyond the threshold.
  void note_use(std::uint64_t used);
  // Gives back what is not used, down to `keep` bytes.
  void trim(std::uint64_t keep);
};

class MemoryPools {
 public:
  static MemoryPools& instance();
  MemoryPool* create(std::uint64_t largest);
  bool destroy(MemoryPool* pool);
  void reset();
  MemoryPool* find(const void* handle);
  MemoryPool* default_pool() { return &default_; }
  MemoryPool* current = &default_;

  Error allocate(MemoryPool& pool, std::size_t size, void*& pointer);
  // Any free of device memory: tells the pool that it came from, if it came from one.
  void note_freed(const void* pointer);

 private:
  struct Block {
    MemoryPool* pool;
    std::size_t size;
  };
  MemoryPool default_;
  Handles<MemoryPool> pools_;
  std::unordered_map<const void*, Block> blocks_;
};

Error get_attribute(const MemoryPool& pool, int attribute, void* value);
Error set_attribute(MemoryPool& pool, int attribute, const void* value);

// Stream-ordered allocation: memory that is a program's from a point in one stream to a point in
// another. CUDA C++ Programming Guide, "Stream Ordered Memory Allocator".
// In a stream that captures, they are nodes of the graph. `call`: the function that the program
// called.
Error allocate_in(Stream& stream, MemoryPool& pool, std::size_t size, void*& pointer);
Error free_in(Stream& stream, const char* call, void* pointer);
// The work that runs now allocates or frees the memory that begins here.
void note_use_in_stream(const void* pointer, StreamedBytes::Use use);

}  // namespace tmaemu::runtime
