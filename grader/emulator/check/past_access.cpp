#include "emulator/check/past_access.h"

namespace tmaemu::check {

Completion PastAccess::completion(unsigned lane) const {
  Completion done = std::visit(
      [](const auto& access) {
        if constexpr (requires { access.completion; }) {
          return access.completion;
        } else {
          return Completion{};
        }
      },
      how);
  if (entry().completed_by == CompletedBy::copies_of_lane) {
    done.actor.index = static_cast<std::uint16_t>(first + lane);
  }
  return done;
}

std::uint32_t PastAccess::operation() const {
  if (const EngineAccess* const engine = of_engine()) return engine->operation;
  if (const auto* const map = std::get_if<MapRead>(&how)) return map->operation;
  return 0;
}

bool PastAccess::is_the_same_as(const PastAccess& other) const {
  const EngineAccess* const one = of_engine();
  const EngineAccess* const two = other.of_engine();
  return one != nullptr && two != nullptr && kind == other.kind && cluster == other.cluster &&
         one->source != 0 && one->source == two->source && one->target == two->target &&
         one->bytes == two->bytes && one->reduction == two->reduction;
}

bool PastAccess::is_next_lap_of(const PastAccess& other) const {
  const EngineAccess* const one = of_engine();
  const EngineAccess* const two = other.of_engine();
  return one != nullptr && two != nullptr && kind == AccessKind::load && other.kind == kind &&
         cluster == other.cluster && one->target == two->target && one->bytes == two->bytes &&
         one->completion.actor == two->completion.actor && one->turn != two->turn;
}

bool PastAccess::brings_the_same_as(const PastAccess& other) const {
  const auto* const one = std::get_if<DeferredAccess>(&how);
  const auto* const two = std::get_if<DeferredAccess>(&other.how);
  return one != nullptr && two != nullptr && one->distance && one->distance == two->distance;
}

bool PastAccess::commutes_with(const PastAccess& other) const {
  if (!reduces || !other.reduces) return false;
  const auto reduction_of = [](const PastAccess& access) {
    return access.of_engine() != nullptr ? access.of_engine()->reduction : std::uint8_t{0};
  };
  const std::uint8_t one = reduction_of(*this);
  const std::uint8_t two = reduction_of(other);
  return one == 0 || two == 0 || one == two;
}

std::uint32_t AccessHistory::add(const PastAccess& access) {
  const std::uint32_t number = next_.fetch_add(1, std::memory_order_relaxed);
  if (number >= most) {
    next_ = most;
    return 0;
  }
  std::atomic<PastAccess*>& chunk = chunks_[number / chunk_size];
  if (chunk.load(std::memory_order_acquire) == nullptr) {
    const std::lock_guard lock(growing_);
    if (chunk.load() == nullptr) chunk.store(new PastAccess[chunk_size], std::memory_order_release);
  }
  chunk.load(std::memory_order_acquire)[number % chunk_size] = access;
  return number;
}

AccessHistory::~AccessHistory() {
  for (std::uint32_t i = 0; i < most / chunk_size; ++i) {
    delete[] chunks_[i].load();
  }
}

}  // namespace tmaemu::check
