#include "emulator/check/order.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace tmaemu::check {

Knowledge& Released::own() {
  if (knowledge_ == nullptr) {
    knowledge_ = std::make_shared<Knowledge>();
  } else if (knowledge_.use_count() > 1) {
    knowledge_ = std::make_shared<Knowledge>(*knowledge_);
  }
  return *knowledge_;
}

void Released::join(const Known& other) {
  if (other == nullptr || other == last_joined_ || other == knowledge_) return;
  if (knowledge_ == nullptr) {
    // Never written to: own() copies it, since last_joined_ holds it, too.
    knowledge_ = std::const_pointer_cast<Knowledge>(other);
  } else {
    own().join(*other);
  }
  last_joined_ = other;
}

void Released::clear() {
  knowledge_ = nullptr;
  last_joined_ = nullptr;
  last_mentioned_ = nullptr;
}

Order::Order(unsigned ctas, unsigned threads_per_cta)
    : threads_per_cta_(threads_per_cta),
      warps_per_cta_((threads_per_cta + warp_size - 1) / warp_size),
      ctas_(ctas),
      warps_(std::size_t{ctas} * warps_per_cta_),
      exchanges_(warps_.size()),
      threads_(std::size_t{ctas} * threads_per_cta, std::make_shared<const Knowledge>()) {}

void Order::start(std::span<const std::uint32_t> numbers) {
  std::ranges::copy(numbers, ctas_.begin());
  now_ = 1;
  last_ = {};
  last_heard_ = {};
  std::ranges::fill(warps_, now_);
  std::ranges::fill(exchanges_, Exchange{});
  last_taken_ = {};
  if (!is_pristine_) std::ranges::fill(threads_, std::make_shared<const Knowledge>());
  is_pristine_ = true;
}

void Released::mention(const Known& other) {
  if (other == last_joined_ || other == knowledge_ || other == last_mentioned_) return;
  last_mentioned_ = other;
  Knowledge& own = this->own();
  for (const Clock* const clock : {&other->done, &other->heard, &other->exchanged})
    own.heard.join_unknown(*clock, own.done);
}

void Order::take_exchange(ThreadId thread) {
  const Exchange& exchange = exchanges_[warp(thread)];
  const unsigned own_lane = thread.index % warp_size;
  const LaneMask others = exchange.lanes & ~(LaneMask{1} << own_lane);
  if ((exchange.lanes >> own_lane & 1) == 0 || others == 0) return;
  const auto actor_of = [&](unsigned lane) {
    return actor({thread.rank, static_cast<std::uint16_t>(thread.index - own_lane + lane)});
  };
  const Known& own = known(thread);
  const auto first = static_cast<unsigned>(std::countr_zero(others));
  if (own->exchanged.knows(actor_of(first), exchange.time)) return;
  const Taken& last = last_taken_;  // the other lanes of the warp nearly always know the same
  if (own != last.before || warp(thread) != last.warp || exchange != last.exchange) {
    auto taken = std::make_shared<Knowledge>(*own);
    for (LaneMask rest = exchange.lanes; rest != 0; rest &= rest - 1)
      taken->exchanged.add(actor_of(static_cast<unsigned>(std::countr_zero(rest))), exchange.time);
    last_taken_ = {own, std::move(taken), warp(thread), exchange};
  }
  set(thread, last_taken_.after);
}

void Order::release(ThreadId thread, Released& object) {
  take_exchange(thread);
  object.join(known(thread));
  object.add(actor(thread), now_);
  advance(thread);
}

Known Order::snapshot(ThreadId thread) {
  Released object;
  release(thread, object);
  return object.all();
}

void Order::learn(ThreadId thread, const Known& object) {
  const Known& own = known(thread);
  if (object == nullptr || own == object) return;
  if (own == last_.before && object == last_.object) return set(thread, last_.after);
  if (own->covers(*object)) return;
  auto learned = std::make_shared<Knowledge>(*own);
  learned->join(*object);
  last_ = {own, object, learned};
  set(thread, std::move(learned));
}

void Order::learn(ThreadId thread, const Actor& actor, Time time) {
  const Known& own = known(thread);
  if (own->done.knows(actor, time)) return;
  auto learned = std::make_shared<Knowledge>(*own);
  learned->done.add(actor, time);
  set(thread, std::move(learned));
}

void Order::see(ThreadId thread, const Known& object) {
  const Known& own = known(thread);
  if (own->seen.covers(object->done)) return;
  auto learned = std::make_shared<Knowledge>(*own);
  learned->seen.join(object->done);
  set(thread, std::move(learned));
}

void Order::tell(ThreadId thread, Released& object) {
  take_exchange(thread);
  object.mention(known(thread));
  object.mention(actor(thread), now(thread));
  advance(thread);
}

void Order::hear(ThreadId thread, const Known& object) {
  const Known& own = known(thread);
  if (object == nullptr || own == object) return;
  if (own == last_heard_.before && object == last_heard_.object)
    return set(thread, last_heard_.after);
  auto heard = std::make_shared<Knowledge>(*own);
  for (const Clock* const clock : {&object->done, &object->heard, &object->exchanged})
    heard->heard.join_unknown(*clock, own->done);
  last_heard_ = {own, object, heard};
  set(thread, std::move(heard));
}

void Order::synchronize(std::span<const ThreadId> arrived, std::span<const ThreadId> waiting) {
  if (arrived.empty()) return;
  auto joined = std::make_shared<Knowledge>();
  const Knowledge* previous = nullptr;
  for (const ThreadId thread : arrived) {
    const Knowledge* const own = known(thread).get();
    if (own != previous) joined->join(*own);
    previous = own;
  }
  const std::uint16_t rank = arrived.front().rank;
  const bool is_of_cta = arrived.size() == threads_per_cta_ && arrived.back().rank == rank;
  if (is_of_cta) {
    joined->done.add_cta(ctas_[rank], now_);
    joined->fenced_own.gather(ctas_[rank], threads_per_cta_);
    joined->fenced_shared.gather(ctas_[rank], threads_per_cta_);
    joined->fenced_global.gather(ctas_[rank], threads_per_cta_);
    joined->released_maps.gather(ctas_[rank], threads_per_cta_);
    joined->released_maps_in_cta.gather(ctas_[rank], threads_per_cta_);
    joined->fenced_memory.gather(ctas_[rank], threads_per_cta_);
    joined->fenced_memory_in_cta.gather(ctas_[rank], threads_per_cta_);
    joined->fenced_memory_in_cluster.gather(ctas_[rank], threads_per_cta_);
    // No need to have heard of what is known.
    for (Clock* const clock : {&joined->heard, &joined->exchanged})
      if (!clock->is_empty()) clock->add_cta(ctas_[rank], now_);
  } else {
    for (const ThreadId thread : arrived) joined->done.add(actor(thread), now_);
  }
  const Known shared = std::move(joined);
  for (const ThreadId thread : waiting) set(thread, shared);
  ++now_;
  for (const ThreadId thread : arrived) warps_[warp(thread)] = now_;
}

void Order::share(std::span<const ThreadId> lanes) {
  if (lanes.empty()) return;
  LaneMask mask = 0;
  for (const ThreadId lane : lanes) mask |= LaneMask{1} << lane.index % warp_size;
  Exchange& last = exchanges_[warp(lanes.front())];
  if ((last.lanes & ~mask) != 0) {  // the new one does not say all that the last one said
    for (const ThreadId lane : lanes) take_exchange(lane);
  }
  last = {mask, now(lanes.front())};
  advance(lanes.front());
  const Known& first = known(lanes.front());
  if (std::ranges::all_of(lanes, [&](ThreadId lane) { return known(lane) == first; })) return;
  Released all;
  for (const ThreadId lane : lanes) all.join(known(lane));
  for (const ThreadId lane : lanes) learn(lane, all.all());
}

void Order::fence(std::span<const ThreadId> lanes,
                  std::initializer_list<Clock Knowledge::*> clocks) {
  // Lanes of one warp that fence together have one knowledge afterward: an access of the async
  // proxy asks first whether its thread knows of the other lane's write at all.
  const auto is_among = [&](Clock Knowledge::*clock) {
    return std::ranges::find(clocks, clock) != clocks.end();
  };
  const bool is_of_memory = is_among(&Knowledge::fenced_memory);
  const bool is_sequential = is_of_memory || is_among(&Knowledge::fenced_memory_in_cta) ||
                             is_among(&Knowledge::fenced_memory_in_cluster);
  for (std::size_t begin = 0; begin < lanes.size();) {
    const Known before = known(lanes[begin]);
    std::size_t end = begin + 1;
    // Of memory, each lane's fence covers what that lane did: the others' fences may come later.
    while (!is_sequential && end < lanes.size() && known(lanes[end]) == before) ++end;
    auto fenced = std::make_shared<Knowledge>(*before);
    if (is_of_memory) fenced->done.join(before->seen);
    for (Clock Knowledge::*const member : clocks) {
      Clock& clock = (*fenced).*member;
      if (member == &Knowledge::fenced_received) {
        clock.join_others(before->done, ctas_[lanes[begin].rank]);
        continue;
      }
      clock.join(before->done);
      for (std::size_t i = begin; i < end; ++i) clock.add(actor(lanes[i]), now_);
    }
    const Known after = std::move(fenced);
    for (std::size_t i = begin; i < end; ++i) set(lanes[i], after);
    begin = end;
  }
  if (!lanes.empty()) advance(lanes.front());
}

}  // namespace tmaemu::check
