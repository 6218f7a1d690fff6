// Memory of graphs: its address stands when the graph is made, and there is memory at it from the
// node of a launch that allocates it until somebody frees it. CUDA Programming Guide, "Graph Memory
// Nodes".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

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
  // Precondition: knows(pointer).
  std::size_t size_of(const void* pointer) const { return blocks_.at(pointer).size; }

  Error allocate(void* pointer);
  // Precondition: has_memory(pointer).
  void free(void* pointer);

  // What graphs hold, in pages of 32 MiB as an H200 gives them: all that uploads and launches have
  // used, until it is trimmed to what is in use.
  std::uint64_t held() const { return held_; }
  // Has what an executable graph's nodes will allocate, before its launch.
  void upload(const std::vector<void*>& allocations);
  void trim();

  // The most that was in use, and that was held, since each mark was reset. CUDA counts what is
  // held as used: they differ only by when they were reset.
  enum class Mark { used, reserved };
  std::uint64_t high(Mark mark) const { return high_[static_cast<std::size_t>(mark)]; }
  void reset_high(Mark mark) { high_[static_cast<std::size_t>(mark)] = held_; }

  // Values of `attribute` equal cudaGraphMemAttributeType's. Only the high-water marks can be set,
  // to zero: they begin again at what is now.
  Error get(int attribute, std::uint64_t& value) const;
  Error set(int attribute, std::uint64_t value);

  // Gives everything back, as the end of the context does.
  void reset();

 private:
  struct Block {
    std::size_t size = 0;
    bool has_memory = false;
  };
  void hold(std::uint64_t bytes);

  std::unordered_map<const void*, Block> blocks_;
  std::uint64_t used_ = 0;
  std::uint64_t held_ = 0;
  std::array<std::uint64_t, 2> high_{};
};

// The work of the nodes, and whether a graph may get another that frees this.
Work allocation_work(void* pointer);
Work free_work(void* pointer);
Error check_may_free(const Graph& graph, const char* call, const void* pointer);

}  // namespace tmaemu::runtime
