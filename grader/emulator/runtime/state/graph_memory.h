// Memory of graphs: its address stands when the graph is made, and there is memory at it from the
// node of a launch that allocates it until somebody frees it. CUDA Programming Guide, "Graph Memory
// Nodes".
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "emulator/runtime/state/error.h"
#include "emulator/runtime/state/graph.h"

namespace tmaemu::runtime {

class GraphMemory {
 public:
  static GraphMemory& instance();

  // An address for `size` bytes, which are not there yet.
  Error reserve(std::size_t size, void*& pointer);
  // Whether reserve() gave it, and whether there is memory now.
  bool knows(const void* pointer) const { return blocks_.contains(pointer); }
  bool has_memory(const void* pointer) const;

  Error allocate(void* pointer);
  // Precondition: has_memory(pointer).
  void free(void* pointer);

  // What a graph has used stays its until it is trimmed, for the next launch.
  std::uint64_t held() const { return held_; }
  std::uint64_t held_high() const { return held_high_; }
  void trim() { held_ = used_; }
  void reset_high() { held_high_ = held_; }

  // Gives everything back, as the end of the context does.
  void reset();

 private:
  struct Block {
    std::size_t size = 0;
    bool has_memory = false;
  };
  std::unordered_map<const void*, Block> blocks_;
  std::uint64_t used_ = 0;
  std::uint64_t held_ = 0;
  std::uint64_t held_high_ = 0;
};

// The work of the nodes, and whether a graph may get another that frees this.
Work allocation_work(void* pointer);
Work free_work(void* pointer);
Error check_may_free(const Graph& graph, const char* call, const void* pointer);

}  // namespace tmaemu::runtime
