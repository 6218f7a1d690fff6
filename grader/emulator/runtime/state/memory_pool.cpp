#include "emulator/runtime/state/memory_pool.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "common/round_up.h"
#include "emulator/runtime/state/allocation.h"
#include "emulator/runtime/state/context.h"
#include "emulator/runtime/state/graph_memory.h"

namespace tmaemu::runtime {
namespace {

constexpr std::size_t pool_block_size = std::size_t{32} << 20;  // as on an H200

bool is_attribute(int attribute) {
  return attribute >= 1 && attribute <= last_pool_attribute;
}

}  // namespace

void MemoryPool::note_use(std::uint64_t used) {
  attributes[used_now] = used;
  attributes[used_high] = std::max(attributes[used_high], used);
  const std::uint64_t needed = common::round_up(used, pool_block_size);
  attributes[reserved_now] = std::max(attributes[reserved_now], needed);
  attributes[reserved_high] = std::max(attributes[reserved_high], attributes[reserved_now]);
  if (attributes[reserved_now] > attributes[release_threshold]) trim(attributes[release_threshold]);
}

void MemoryPool::trim(std::uint64_t keep) {
  const std::uint64_t least = std::max(attributes[used_now], keep);
  attributes[reserved_now] =
      std::min<std::uint64_t>(attributes[reserved_now], common::round_up(least, pool_block_size));
}

MemoryPools& MemoryPools::instance() {
  static auto* pools = new MemoryPools;
  return *pools;
}

MemoryPool* MemoryPools::create(std::uint64_t largest) {
  auto pool = std::make_unique<MemoryPool>();
  pool->largest = common::round_up(largest, pool_block_size);
  return pools_.add(std::move(pool));
}

// What it gave out stays valid.
bool MemoryPools::destroy(MemoryPool* pool) {
  if (current == pool) current = &default_;
  std::erase_if(blocks_, [pool](const auto& block) { return block.second.pool == pool; });
  return pools_.remove(pool);
}

void MemoryPools::reset() {
  blocks_.clear();
  pools_.clear();
  default_ = {};
  current = &default_;
}

MemoryPool* MemoryPools::find(const void* handle) {
  return handle == &default_ ? &default_ : pools_.find(handle);
}

Error MemoryPools::allocate(MemoryPool& pool, std::size_t size, void*& pointer) {
  const std::uint64_t used = pool.attributes[used_now];
  if (pool.largest != 0 && (size > pool.largest || used > pool.largest - size)) {
    return Error::out_of_memory;
  }
  const Error error = allocate_device(size, pointer);
  if (error != Error::success || pointer == nullptr) return error;
  blocks_[pointer] = {&pool, size};
  pool.note_use(used + size);
  return Error::success;
}

void MemoryPools::note_freed(const void* pointer) {
  const auto block = blocks_.find(pointer);
  if (block == blocks_.end()) return;
  MemoryPool& pool = *block->second.pool;
  pool.note_use(pool.attributes[used_now] - block->second.size);
  blocks_.erase(block);
}

Error get_attribute(const MemoryPool& pool, int attribute, void* value) {
  if (value == nullptr || !is_attribute(attribute)) return Error::invalid_value;
  const std::uint64_t stored = pool.attributes[static_cast<std::size_t>(attribute)];
  std::memcpy(value, &stored, attribute < first_wide_pool_attribute ? sizeof(int) : sizeof stored);
  return Error::success;
}

// Of the counts only the high-water marks can be set, to zero: they begin again at what is now.
Error set_attribute(MemoryPool& pool, int attribute, const void* value) {
  if (value == nullptr || !is_attribute(attribute)) return Error::invalid_value;
  std::uint64_t given = 0;
  std::memcpy(&given, value, attribute < first_wide_pool_attribute ? sizeof(int) : sizeof given);
  auto& attributes = pool.attributes;
  if (attribute > release_threshold) {
    const bool is_mark = attribute == reserved_high || attribute == used_high;
    if (!is_mark || given != 0) return Error::invalid_value;
    given = attributes[static_cast<std::size_t>(attribute) - 1];
  }
  attributes[static_cast<std::size_t>(attribute)] = given;
  return Error::success;
}

namespace {

// A node of the graph that the stream captures.
Error capture(Stream& stream, NodeKind kind, Work work, void* memory) {
  const Error error = Streams::instance().submit(stream, kind, std::move(work));
  if (error == Error::success) stream.tail.back()->memory = memory;
  return error;
}

}  // namespace

void note_use_in_stream(const void* pointer, StreamedBytes::Use use) {
  const StreamPlace* const place = Streams::instance().current();
  const Region* const region = find_region(pointer);
  if (place == nullptr || region == nullptr) return;
  const StreamedBytes bytes{region->address, region->size, use};
  Device::instance().note_use(*place, {&bytes, 1});
}

Error allocate_in(Stream& stream, MemoryPool& pool, std::size_t size, void*& pointer) {
  if (stream.capture) {
    const Error error = GraphMemory::instance().reserve(size, pointer);
    if (error != Error::success) return error;
    return capture(stream, NodeKind::memory_allocation, allocation_work(pointer), pointer);
  }
  const Error error = MemoryPools::instance().allocate(pool, size, pointer);
  if (error != Error::success || pointer == nullptr) return error;
  return Streams::instance().submit(stream, NodeKind::empty, [pointer] {
    note_use_in_stream(pointer, StreamedBytes::Use::allocated);
    return Error::success;
  });
}

Error free_in(Stream& stream, const char* call, void* pointer) {
  if (stream.capture) {
    const Error error = check_may_free(*stream.capture->target, call, pointer);
    if (error != Error::success) return error;
    return capture(stream, NodeKind::memory_free, free_work(pointer), pointer);
  }
  // The memory of a kernel that faulted stays: what lies behind the kernel never runs.
  return Streams::instance().submit(stream, NodeKind::empty, [call, pointer] {
    if (pointer != nullptr) note_use_in_stream(pointer, StreamedBytes::Use::freed);
    return free_device(call, pointer);
  });
}

}  // namespace tmaemu::runtime
