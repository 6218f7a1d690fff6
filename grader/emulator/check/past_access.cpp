#include "emulator/check/past_access.h"

namespace tmaemu::check {

std::uint32_t Records::add(const Record& record) {
  const std::uint32_t number = next_.fetch_add(1, std::memory_order_relaxed);
  if (number >= most) {
    next_ = most;
    return 0;
  }
  std::atomic<Record*>& chunk = chunks_[number / chunk_size];
  if (chunk.load(std::memory_order_acquire) == nullptr) {
    const std::lock_guard lock(growing_);
    if (chunk.load() == nullptr) chunk.store(new Record[chunk_size], std::memory_order_release);
  }
  chunk.load(std::memory_order_acquire)[number % chunk_size] = record;
  return number;
}

Records::~Records() {
  for (std::uint32_t i = 0; i < most / chunk_size; ++i) {
    delete[] chunks_[i].load();
  }
}

}  // namespace tmaemu::check
