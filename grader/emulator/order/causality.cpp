#include "emulator/order/causality.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace tmaemu {

void ReleasedClock::make_own() {
  clock_ =
      clock_ == nullptr ? std::make_shared<VectorClock>() : std::make_shared<VectorClock>(*clock_);
}

void ReleasedClock::release(ThreadId thread, Epoch epoch, const SharedClock& known) {
  VectorClock& clock = own();
  // Nothing is known to threads that only ever waited for what they arrived at themselves.
  if (known != last_joined_ && !known->is_empty()) {
    clock.join(*known);
    last_joined_ = known;
  }
  clock.add(thread, epoch);
}

void ReleasedClock::join(const ReleasedClock& other) {
  if (other.clock_ != nullptr) own().join(*other.clock_);
}

void ReleasedClock::clear() {
  last_joined_ = nullptr;
  if (clock_.use_count() == 1) {
    clock_->clear();
  } else {
    clock_ = nullptr;
  }
}

Causality::Causality(unsigned ctas, unsigned threads_per_cta)
    : threads_per_cta_(threads_per_cta),
      threads_(std::size_t{ctas} * threads_per_cta, std::make_shared<const VectorClock>()) {}

void Causality::reset() {
  now_ = 1;
  last_ = {};
  std::ranges::fill(threads_, std::make_shared<const VectorClock>());
}

void Causality::release(ThreadId thread, ReleasedClock& object) {
  object.release(thread, now_, threads_[slot(thread)]);
  ++now_;  // what the thread writes from here on is not covered
}

void Causality::acquire(ThreadId thread, const ReleasedClock& released) {
  const std::shared_ptr<VectorClock>& object = released.all();
  SharedClock& own = threads_[slot(thread)];
  if (object == nullptr || own == object) return;
  if (own == last_.before && object == last_.object) {
    own = last_.after;
    return;
  }
  // A thread that waits for what itself has arrived at learns nothing: each turn of the usual ring.
  if (own->covers(*object, thread)) return;
  auto learned = std::make_shared<VectorClock>(*own);
  learned->join(*object);
  last_ = {own, object, learned};
  own = std::move(learned);
}

void Causality::synchronize_cta(std::uint16_t rank) {
  const auto begin = threads_.begin() + static_cast<std::ptrdiff_t>(slot({rank, 0}));
  const auto end = begin + threads_per_cta_;
  auto joined = std::make_shared<VectorClock>();
  const VectorClock* previous = nullptr;
  for (auto thread = begin; thread != end; ++thread) {
    if (thread->get() != previous) joined->join(**thread);
    previous = thread->get();
  }
  joined->add_cta(rank, now_++);
  std::fill(begin, end, SharedClock(std::move(joined)));
}

void Causality::synchronize_cluster() {
  auto joined = std::make_shared<VectorClock>();
  const std::size_t ctas = threads_.size() / threads_per_cta_;
  for (std::size_t rank = 0; rank < ctas; ++rank) {
    joined->add_cta(static_cast<std::uint16_t>(rank), now_);
  }
  ++now_;
  std::fill(threads_.begin(), threads_.end(), SharedClock(std::move(joined)));
}

void Causality::synchronize(std::span<const ThreadId> threads) {
  auto joined = std::make_shared<VectorClock>();
  const VectorClock* previous = nullptr;
  for (const ThreadId thread : threads) {
    if (const VectorClock& own = clock(thread); &own != previous) {
      joined->join(own);
      previous = &own;
    }
    joined->add(thread, now_);
  }
  ++now_;
  const SharedClock shared = std::move(joined);
  for (const ThreadId thread : threads) threads_[slot(thread)] = shared;
}

}  // namespace tmaemu
