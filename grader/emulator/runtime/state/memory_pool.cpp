#include "emulator/runtime/state/memory_pool.h"

#include <cstring>
#include <string>

namespace tmaemu::runtime {
namespace {

Error check_attribute(int attribute) {
  if (attribute < 1 || attribute > last_pool_attribute) return Error::invalid_value;
  return attribute <= last_kept_pool_attribute
             ? Error::success
             : not_modelled("the count of a memory pool's bytes (cudaMemPoolAttr " +
                            std::to_string(attribute) + ")");
}

}  // namespace

MemoryPools& MemoryPools::instance() {
  static auto* pools = new MemoryPools;
  return *pools;
}

MemoryPool* MemoryPools::create() {
  return pools_.add(std::make_unique<MemoryPool>());
}

bool MemoryPools::destroy(MemoryPool* pool) {
  if (current == pool) current = &default_;
  return pools_.remove(pool);
}

void MemoryPools::reset() {
  pools_.clear();
  default_ = {};
  current = &default_;
}

MemoryPool* MemoryPools::find(const void* handle) {
  return handle == &default_ ? &default_ : pools_.find(handle);
}

Error get_attribute(const MemoryPool& pool, int attribute, void* value) {
  if (const Error error = check_attribute(attribute); error != Error::success) return error;
  const std::uint64_t stored = pool.attributes[static_cast<std::size_t>(attribute)];
  std::memcpy(value, &stored, attribute < first_wide_pool_attribute ? sizeof(int) : sizeof stored);
  return Error::success;
}

Error set_attribute(MemoryPool& pool, int attribute, const void* value) {
  if (const Error error = check_attribute(attribute); error != Error::success) return error;
  std::uint64_t stored = 0;
  std::memcpy(&stored, value, attribute < first_wide_pool_attribute ? sizeof(int) : sizeof stored);
  pool.attributes[static_cast<std::size_t>(attribute)] = stored;
  return Error::success;
}

}  // namespace tmaemu::runtime
