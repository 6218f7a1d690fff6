#include "emulator/order/causality.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace tmaemu {

Causality::Causality(unsigned ctas, unsigned threads_per_cta)
    : threads_per_cta_(threads_per_cta), threads_(std::size_t{ctas} * threads_per_cta, nothing_) {}

void Causality::reset() {
  now_ = 1;
  last_ = {};
  for (SharedClock& known : threads_) {
    if (known != nothing_) known = nothing_;  // where nobody acquired anything, nobody is counted
  }
}

void Causality::release(ThreadId thread, ReleasedClock& object) {
  object.release(thread, now_, threads_[slot(thread)]);
  ++now_;  // what the thread writes from here on is not covered
}

void Causality::acquire(ThreadId thread, const ReleasedClock& released) {
  const SharedClock& object = released.all();
  SharedClock& own = threads_[slot(thread)];
  if (object == nullptr || own == object) return;
  // A thread that waits for what itself has arrived at acquires nothing: each turn of the usual
  // ring.
  if (!last_.is(own, object) && own->covers(*object, thread)) return;
  own = last_.after(own, object, [&](VectorClock& clock) { clock.join(*object); });
}

void Causality::synchronize_cta(std::uint16_t rank) {
  const std::span<SharedClock> threads =
      std::span(threads_).subspan(slot({rank, 0}), threads_per_cta_);
  auto known = joined<VectorClock>(threads);
  known->add_cta(rank, now_++);
  std::ranges::fill(threads, SharedClock(std::move(known)));
}

void Causality::synchronize_cluster() {
  auto known = std::make_shared<VectorClock>();
  const std::size_t ctas = threads_.size() / threads_per_cta_;
  for (std::size_t rank = 0; rank < ctas; ++rank) {
    known->add_cta(static_cast<std::uint16_t>(rank), now_);
  }
  ++now_;
  std::ranges::fill(threads_, SharedClock(std::move(known)));
}

void Causality::synchronize(std::span<const ThreadId> threads) {
  const auto clock_of = [&](ThreadId thread) -> const SharedClock& {
    return threads_[slot(thread)];
  };
  auto known = joined<VectorClock>(threads, clock_of);
  for (const ThreadId thread : threads) known->add(thread, now_);
  ++now_;
  const SharedClock shared = std::move(known);
  for (const ThreadId thread : threads) threads_[slot(thread)] = shared;
}

}  // namespace tmaemu
