#include "emulator/runtime/state/graph_memory.h"

#include <algorithm>
#include <string>

#include "common/round_up.h"
#include "emulator/runtime/state/allocation.h"
#include "emulator/runtime/state/call_log.h"
#include "emulator/runtime/state/memory_pool.h"

namespace tmaemu::runtime {
namespace {

constexpr std::size_t graph_page = std::size_t{2} << 20;
constexpr std::size_t held_page = std::size_t{32} << 20;

std::uint64_t graph_address(const void* pointer) {
  return reinterpret_cast<std::uint64_t>(pointer);
}

// With room behind it that is nobody's.
std::size_t range_of(std::size_t size) {
  return common::round_up(size + 1, graph_page);
}

}  // namespace

GraphMemory& GraphMemory::instance() {
  static auto* all = new GraphMemory;
  return *all;
}

Error GraphMemory::reserve(std::size_t size, void*& pointer) {
  CallLog::instance().unsupported("cudaGraphAddMemAllocNode");
  if (size == 0) return Error::invalid_value;
  if (size > device_memory().capacity()) return Error::out_of_memory;
  const auto address = device_memory().reserve_range(range_of(size), graph_page);
  if (!address) {
    explain(address.error().message);
    return Error::out_of_memory;
  }
  pointer = reinterpret_cast<void*>(*address);
  blocks_[pointer] = {size, false};
  return Error::success;
}

bool GraphMemory::has_memory(const void* pointer) const {
  const auto found = blocks_.find(pointer);
  return found != blocks_.end() && found->second.has_memory;
}

Error GraphMemory::allocate(void* pointer) {
  Block& block = blocks_.at(pointer);
  if (const auto done = device_memory().allocate_at(graph_address(pointer), block.size); !done) {
    explain(done.error().message);
    return Error::out_of_memory;
  }
  block.has_memory = true;
  used_ += common::round_up(block.size, graph_page);
  hold(used_);
  return Error::success;
}

void GraphMemory::hold(std::uint64_t bytes) {
  held_ = std::max(held_, common::round_up(bytes, held_page));
  for (std::uint64_t& high : high_) high = std::max(high, held_);
}

void GraphMemory::upload(const std::vector<void*>& allocations) {
  std::uint64_t bytes = used_;
  for (const void* pointer : allocations) {
    const Block& block = blocks_.at(pointer);
    if (!block.has_memory) bytes += common::round_up(block.size, graph_page);
  }
  hold(bytes);
}

void GraphMemory::trim() {
  held_ = common::round_up(used_, held_page);
}

void GraphMemory::free(void* pointer) {
  Block& block = blocks_.at(pointer);
  device_memory().free_at(graph_address(pointer));
  block.has_memory = false;
  used_ -= common::round_up(block.size, graph_page);
}

namespace {

enum class MemoryAttribute : int {
  used_now = 0,
  used_high = 1,
  reserved_now = 2,
  reserved_high = 3
};

}  // namespace

Error GraphMemory::get(int attribute, std::uint64_t& value) const {
  switch (static_cast<MemoryAttribute>(attribute)) {
    case MemoryAttribute::used_now:
    case MemoryAttribute::reserved_now:
      value = held();
      return Error::success;
    case MemoryAttribute::used_high:
      value = high(Mark::used);
      return Error::success;
    case MemoryAttribute::reserved_high:
      value = high(Mark::reserved);
      return Error::success;
  }
  return Error::invalid_value;
}

Error GraphMemory::set(int attribute, std::uint64_t value) {
  const auto which = static_cast<MemoryAttribute>(attribute);
  const bool is_used = which == MemoryAttribute::used_high;
  if ((!is_used && which != MemoryAttribute::reserved_high) || value != 0) {
    return Error::invalid_value;
  }
  reset_high(is_used ? Mark::used : Mark::reserved);
  return Error::success;
}

void GraphMemory::reset() {
  for (const auto& [pointer, block] : blocks_) {
    if (block.has_memory) device_memory().free_at(graph_address(pointer));
    device_memory().release_range(graph_address(pointer), range_of(block.size));
  }
  blocks_.clear();
  used_ = held_ = 0;
  high_ = {};
}

Work allocation_work(void* pointer) {
  return [pointer] {
    const Error error = GraphMemory::instance().allocate(pointer);
    if (error != Error::success) return error;
    note_use_in_stream(pointer, StreamedBytes::Use::allocated);
    return Error::success;
  };
}

Work free_work(void* pointer) {
  return [pointer] {
    if (!GraphMemory::instance().has_memory(pointer)) {
      explain("a graph frees memory that no launch has allocated since it was freed last");
      return Error::invalid_value;
    }
    note_use_in_stream(pointer, StreamedBytes::Use::freed);
    GraphMemory::instance().free(pointer);
    return Error::success;
  };
}

Error check_may_free(const Graph& graph, const char* call, const void* pointer) {
  if (!GraphMemory::instance().knows(pointer)) {
    explain(std::string(call) +
            ": a graph frees what a graph's node has allocated, and nothing else");
    return Error::invalid_value;
  }
  const bool is_freed =
      std::any_of(graph.nodes.begin(), graph.nodes.end(), [pointer](const auto& node) {
        return node->kind == NodeKind::memory_free && node->memory == pointer;
      });
  return is_freed ? Error::invalid_value : Error::success;
}

}  // namespace tmaemu::runtime
