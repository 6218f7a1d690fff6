#include "emulator/check/order.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace tmaemu::check {

void Released::add_happened(const SharedClocks& other) {
  if (holds(other) || other == last_happened_) return;
  last_happened_ = other;
  Clocks& own = change();
  for (const View view : views_of_happened) {
    own[View::happened].join_unknown((*other)[view], own[View::done]);
  }
}

Order::Order(unsigned ctas, unsigned threads_per_cta)
    : threads_per_cta_(threads_per_cta),
      warps_per_cta_((threads_per_cta + warp_size - 1) / warp_size),
      ctas_(ctas),
      warps_(std::size_t{ctas} * warps_per_cta_, Warp{1, {}, std::make_shared<const Clocks>(), 0}),
      threads_(std::size_t{ctas} * threads_per_cta) {}

void Order::start(std::span<const std::uint32_t> numbers) {
  std::ranges::copy(numbers, ctas_.begin());
  now_ = 1;
  last_acquired_ = {};
  last_happened_ = {};
  last_taken_ = {};
  const SharedClocks nothing =
      is_pristine_ ? warps_.front().known : std::make_shared<const Clocks>();
  for (Warp& warp : warps_) warp = {now_, {}, nothing, 0};
  is_pristine_ = true;
}

// Where one lane after another of a warp comes to know the same, the warp does with the last.
void Order::set(ThreadId thread, SharedClocks known) {
  is_pristine_ = false;
  Warp& all = warps_[warp(thread)];
  const unsigned lane = thread.index % warp_size;
  threads_[slot(thread)] = std::move(known);
  all.apart |= LaneMask{1} << lane;
  const std::size_t first = slot(thread) - lane;
  const LaneMask lanes = lanes_of(thread);
  if (all.apart != lanes || lane + 1 != static_cast<unsigned>(std::bit_width(lanes))) return;
  const auto others = std::span(threads_).subspan(first, lane);
  const SharedClocks& last = threads_[first + lane];
  if (!std::ranges::all_of(others, [&](const SharedClocks& other) { return other == last; }))
    return;
  all.known = last;
  all.apart = 0;
}

void Order::set(std::span<const ThreadId> threads, const SharedClocks& known) {
  for_each_warp(threads, [&](std::span<const ThreadId> lanes) {
    const ThreadId first = lanes.front();
    if (lanes.size() != static_cast<std::size_t>(std::popcount(lanes_of(first)))) {
      return set(first, known);
    }
    warps_[warp(first)].known = known;
    warps_[warp(first)].apart = 0;
    is_pristine_ = false;
  });
}

void Order::take_exchange(ThreadId thread) {
  const Exchange& exchange = warps_[warp(thread)].exchange;
  const unsigned own_lane = thread.index % warp_size;
  const LaneMask others = exchange.lanes & ~(LaneMask{1} << own_lane);
  if ((exchange.lanes >> own_lane & 1) == 0 || others == 0) return;
  const auto actor_of = [&](unsigned lane) {
    return actor({thread.rank, static_cast<std::uint16_t>(thread.index - own_lane + lane)});
  };
  const SharedClocks& own = known(thread);
  const auto first = static_cast<unsigned>(std::countr_zero(others));
  if ((*own)[View::exchanged].knows(actor_of(first), exchange.time)) return;
  set(thread, last_taken_.after(own, Taken{warp(thread), exchange}, [&](Clocks& taken) {
    for (LaneMask rest = exchange.lanes; rest != 0; rest &= rest - 1) {
      taken[View::exchanged].add(actor_of(static_cast<unsigned>(std::countr_zero(rest))),
                                 exchange.time);
    }
  }));
}

void Order::release(ThreadId thread, Released& object) {
  take_exchange(thread);
  object.join(known(thread));
  object.add(actor(thread), now_);
  advance(thread);
}

SharedClocks Order::snapshot(ThreadId thread) {
  Released object;
  release(thread, object);
  return object.all();
}

void Order::acquire(ThreadId thread, const SharedClocks& object) {
  const SharedClocks& own = known(thread);
  if (object == nullptr || own == object) return;
  if (!last_acquired_.is(own, object) && own->covers(*object)) return;
  set(thread, last_acquired_.after(own, object, [&](Clocks& known) { known.join(*object); }));
}

void Order::acquire(ThreadId thread, const Actor& actor, Time time) {
  const SharedClocks& own = known(thread);
  if ((*own)[View::done].knows(actor, time)) return;
  auto acquired = std::make_shared<Clocks>(*own);
  (*acquired)[View::done].add(actor, time);
  set(thread, std::move(acquired));
}

void Order::see(ThreadId thread, const SharedClocks& object) {
  const SharedClocks& own = known(thread);
  if ((*own)[View::seen].covers((*object)[View::done])) return;
  auto acquired = std::make_shared<Clocks>(*own);
  (*acquired)[View::seen].join((*object)[View::done]);
  set(thread, std::move(acquired));
}

void Order::arrive_relaxed(ThreadId thread, Released& object) {
  take_exchange(thread);
  object.add_happened(known(thread));
  object.add_happened(actor(thread), now(thread));
  advance(thread);
}

void Order::wait_relaxed(ThreadId thread, const SharedClocks& object) {
  const SharedClocks& own = known(thread);
  if (object == nullptr || own == object) return;
  set(thread, last_happened_.after(own, object, [&](Clocks& known) {
    for (const View view : views_of_happened) {
      known[View::happened].join_unknown((*object)[view], (*own)[View::done]);
    }
  }));
}

void Order::synchronize(std::span<const ThreadId> arrived, std::span<const ThreadId> waiting) {
  if (arrived.empty()) return;
  const auto known_to = [&](ThreadId thread) -> const SharedClocks& { return known(thread); };
  std::vector<ThreadId> asked;  // of a warp of one mind, one
  for_each_warp(arrived, [&](std::span<const ThreadId> lanes) {
    if (is_of_one_mind(lanes.front())) lanes = lanes.first(1);
    asked.insert(asked.end(), lanes.begin(), lanes.end());
  });
  auto all = joined<Clocks>(asked, known_to);
  const std::uint16_t rank = arrived.front().rank;
  const bool is_of_cta = arrived.size() == threads_per_cta_ && arrived.back().rank == rank;
  if (is_of_cta) {
    (*all)[View::done].add_cta(ctas_[rank], now_);
    all->gather_fences(ctas_[rank], threads_per_cta_);
    // What is done has happened: no need to say so twice.
    for (const View view : {View::happened, View::exchanged}) {
      Clock& clock = (*all)[view];
      if (!clock.is_empty()) clock.add_cta(ctas_[rank], now_);
    }
  } else {
    for (const ThreadId thread : arrived) (*all)[View::done].add(actor(thread), now_);
  }
  const SharedClocks shared = std::move(all);
  set(waiting, shared);
  ++now_;
  for_each_warp(arrived,
                [&](std::span<const ThreadId> lanes) { warps_[warp(lanes.front())].now = now_; });
}

void Order::share(std::span<const ThreadId> lanes) {
  if (lanes.empty()) return;
  LaneMask mask = 0;
  for (const ThreadId lane : lanes) mask |= LaneMask{1} << lane.index % warp_size;
  Exchange& last = warps_[warp(lanes.front())].exchange;
  if ((last.lanes & ~mask) != 0) {  // the new one does not say all that the last one said
    for (const ThreadId lane : lanes) take_exchange(lane);
  }
  last = {mask, now(lanes.front())};
  advance(lanes.front());
  const SharedClocks& first = known(lanes.front());
  if (std::ranges::all_of(lanes, [&](ThreadId lane) { return known(lane) == first; })) return;
  Released all;
  for (const ThreadId lane : lanes) all.join(known(lane));
  for (const ThreadId lane : lanes) acquire(lane, all.all());
}

void Order::fence(std::span<const ThreadId> lanes, std::initializer_list<View> views) {
  // Lanes of one warp that fence together have the same clocks afterward: an access of the async
  // proxy asks first whether its thread knows of the other lane's write at all.
  const auto is_among = [&](View view) { return std::ranges::find(views, view) != views.end(); };
  const bool is_of_memory = is_among(View::fenced_memory);
  const bool is_sequential = is_of_memory || is_among(View::fenced_memory_in_cta) ||
                             is_among(View::fenced_memory_in_cluster);
  // What other lanes read before they exchanged values with this one has been read: the fence of a
  // proxy covers that, too.
  const auto is_of_proxy = [](View view) {
    return view >= View::fenced_own && view <= View::fenced_global;
  };
  if (std::ranges::any_of(views, is_of_proxy)) {
    for (const ThreadId lane : lanes) take_exchange(lane);
  }
  for (std::size_t begin = 0; begin < lanes.size();) {
    const SharedClocks before = known(lanes[begin]);
    std::size_t end = begin + 1;
    // Of memory, each lane's fence covers what that lane did: the others' fences may come later.
    while (!is_sequential && end < lanes.size() && known(lanes[end]) == before) ++end;
    auto fenced = std::make_shared<Clocks>(*before);
    const Clock& done = (*before)[View::done];
    if (is_of_memory) (*fenced)[View::done].join((*before)[View::seen]);
    for (const View view : views) {
      Clock& clock = (*fenced)[view];
      if (view == View::fenced_received) {
        clock.join_others(done, ctas_[lanes[begin].rank]);
        continue;
      }
      clock.join(done);
      if (is_of_proxy(view)) clock.join((*before)[View::exchanged]);
      for (std::size_t i = begin; i < end; ++i) clock.add(actor(lanes[i]), now_);
    }
    const SharedClocks after = std::move(fenced);
    set(lanes.subspan(begin, end - begin), after);
    begin = end;
  }
  if (!lanes.empty()) advance(lanes.front());
}

}  // namespace tmaemu::check
