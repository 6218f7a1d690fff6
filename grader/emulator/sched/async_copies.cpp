#include "emulator/sched/async_copies.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>

#include "contract/findings/sentences.h"
#include "emulator/sched/cluster.h"

namespace tmaemu {
namespace {

constexpr std::size_t most_bytes = 16;  // of a cp.async

}  // namespace

AsyncCopies::AsyncCopies(Cluster& cluster, const TimingPolicy& policy)
    : cluster_(cluster), policy_(policy) {}

void AsyncCopies::reset(std::uint64_t cluster_index) {
  for (auto& entries : threads_) entries.clear();
  arrivals_.clear();
  stores_.clear();
  moments_ = Moments(policy_, cluster_index);
}

std::deque<AsyncCopies::Entry>& AsyncCopies::entries(ThreadId thread) {
  if (threads_.empty()) threads_.resize(cluster_.thread_count());
  return threads_[cluster_.number_of(thread)];
}

void AsyncCopies::perform(ThreadId thread, const AsyncCopy& copy) {
  const GlobalMemory& memory = *copy.cta->cluster.launch.memory;
  if (copy.frees != memory.frees() && copy.source_bytes != 0 &&
      memory.translate(copy.global, copy.source_bytes) == nullptr) {
    const bool is_mapped = memory.reach(copy.global, copy.source_bytes) != nullptr;
    const Finding freed{
        is_mapped ? Sentence::async_copy_freed_unreported : Sentence::async_copy_source_freed,
        {memory.describe(copy.global)},
        copy.site,
        copy.cta->cluster.ctas[thread.rank]->id,
        thread};
    if (!is_mapped) throw KernelFault{freed};
    copy.cta->cluster.launch.findings->notice(freed);
  }
  // The engine sees the bytes at once. PTX asks for a proxy fence, and a missing one is found; but
  // an H200's engine has never read older ones (handout/reference/experiments.md).
  std::array<std::byte, most_bytes> bytes{};
  std::copy_n(copy.source, copy.source_bytes, bytes.begin());  // no source where it reads no bytes
  copy.cta->shared.write_async(copy.offset, std::span(bytes).first(copy.bytes));
}

void AsyncCopies::issue(ThreadId thread, const AsyncCopy& copy) {
  if (moments_.is_now()) {
    perform(thread, copy);
  } else {
    entries(thread).push_back({Entry::Kind::copy, copy, 0});
  }
}

void AsyncCopies::commit_group(ThreadId thread) {
  entries(thread).push_back({Entry::Kind::group_end, {}, 0});
}

void AsyncCopies::wait_group(ThreadId thread, std::uint32_t pending) {
  const std::deque<Entry>& own = entries(thread);
  // From the back: the entries up to the end of the last group that must be done.
  std::size_t groups = 0;
  for (std::size_t count = own.size(); count > 0; --count) {
    if (own[count - 1].kind != Entry::Kind::group_end) continue;
    if (groups++ < pending) continue;
    complete(thread, count);
    return;
  }
}

void AsyncCopies::wait_all(ThreadId thread) {
  complete(thread, entries(thread).size());
}

void AsyncCopies::arrive(ThreadId thread, std::uint32_t mbarrier, std::uint32_t site) {
  AsyncCopy place;
  place.site = site;
  entries(thread).push_back({Entry::Kind::arrival, place, mbarrier});
  arrivals_.push_back({thread, mbarrier});
  if (moments_.is_now()) deliver_arrival(arrivals_.size() - 1);
}

void AsyncCopies::issue(AsyncStore store) {
  stores_.push_back(std::move(store));
  if (moments_.is_now()) deliver_store(stores_.size() - 1);
}

void AsyncCopies::complete(ThreadId thread, std::size_t count) {
  std::deque<Entry>& own = entries(thread);
  for (; count > 0; --count) {
    const Entry entry = own.front();
    own.pop_front();
    if (entry.kind == Entry::Kind::copy) perform(thread, entry.copy);
    if (entry.kind != Entry::Kind::arrival) continue;
    const auto made = std::ranges::find_if(arrivals_, [&](const Arrival& arrival) {
      return arrival.thread == thread && arrival.mbarrier == entry.mbarrier;
    });
    arrivals_.erase(made);
    signal(entry.mbarrier, 1, 0, thread, entry.copy.site);
  }
}

// Completes the thread's entries up to its first arrival on that mbarrier.
void AsyncCopies::deliver_arrival(std::size_t index) {
  const Arrival arrival = arrivals_[index];
  const std::deque<Entry>& own = entries(arrival.thread);
  const auto entry = std::ranges::find_if(own, [&](const Entry& e) {
    return e.kind == Entry::Kind::arrival && e.mbarrier == arrival.mbarrier;
  });
  complete(arrival.thread, static_cast<std::size_t>(entry - own.begin()) + 1);
}

void AsyncCopies::deliver_store(std::size_t index) {
  const AsyncStore store = std::move(stores_[index]);
  stores_.erase(stores_.begin() + static_cast<std::ptrdiff_t>(index));
  store.write();
  signal(store.mbarrier, 0, -static_cast<std::int64_t>(store.bytes), store.thread, store.site);
}

bool AsyncCopies::deliver_for(std::uint32_t mbarrier) {
  const auto arrival = std::ranges::find(arrivals_, mbarrier, &Arrival::mbarrier);
  if (arrival != arrivals_.end()) {
    deliver_arrival(static_cast<std::size_t>(arrival - arrivals_.begin()));
    return true;
  }
  const auto store = std::ranges::find(stores_, mbarrier, &AsyncStore::mbarrier);
  if (store == stores_.end()) return false;
  deliver_store(static_cast<std::size_t>(store - stores_.begin()));
  return true;
}

bool AsyncCopies::deliver_oldest() {
  if (!arrivals_.empty()) {
    deliver_arrival(0);
  } else if (!stores_.empty()) {
    deliver_store(0);
  } else {
    return false;
  }
  return true;
}

void AsyncCopies::signal(std::uint32_t mbarrier, std::int64_t arrivals, std::int64_t bytes,
                         ThreadId thread, std::uint32_t site) {
  // What stores bring, the engine counts.
  const Mbarriers::Arriver arriver{
      arrivals > 0 ? &thread : nullptr, site, {Semantics::relaxed, Scope::cta}, arrivals > 0};
  const auto misuse = cluster_.mbarriers().arrive(mbarrier, arrivals, bytes, arriver);
  if (!misuse) return;
  if (misuse->kind == MbarrierMisuse::Kind::uninitialized && cluster_.observer() != nullptr) {
    cluster_.observer()->misses_mbarrier(mbarrier, thread, site);
  }
  constexpr MbarrierMisuse::Sentences sentences{Sentence::copy_on_uninitialized_mbarrier,
                                                Sentence::copy_beyond_arrivals,
                                                Sentence::copy_beyond_tx_count};
  cluster_.launch.findings->report(
      {misuse->said_as(sentences), misuse->values(), site, cluster_.ctas[thread.rank]->id, thread});
}

}  // namespace tmaemu
