// The TMA engine's queues: what is in flight, and which moment it may wait for.
#include "emulator/tma/engine.h"

#include <algorithm>

#include "emulator/memory/address_space.h"

namespace tmaemu {
namespace {

// A store whose source has been read may stay unwritten until it is waited for. More than this in
// one cluster, and the oldest are written, down to one: thousands of clusters may be resident.
constexpr std::size_t max_buffered_bytes = std::size_t{64} << 10;

// Asks the host's caches for the start of what will soon be copied: between the issue of a load and
// its delivery, and between the reading and the writing of a store, the warp's instructions hide
// the wait for the host's memory.
template <bool writes>
void prefetch(const std::byte* first, std::size_t bytes) {
  constexpr std::size_t line = 64;
  constexpr std::size_t most = 1024;  // what follows is in order, which the host notices by itself
  const std::size_t length = std::min(bytes, most);
  for (std::size_t at = 0; at < length; at += line) __builtin_prefetch(first + at, writes ? 1 : 0);
}

// What the engine reads from shared memory that is no longer its CTA's.
constexpr std::byte lost_byte{0xFF};

}  // namespace

AsyncEngine::AsyncEngine(ClusterPort& cluster, const TimingPolicy& policy)
    : cluster_(cluster),
      memory_(cluster.global_memory()),
      mbarriers_(cluster.mbarriers()),
      observer_(cluster.observer()),
      cta_count_(cluster.cta_count()),
      threads_per_cta_(cluster.threads_per_cta()),
      policy_(policy) {}

void AsyncEngine::reset(std::uint64_t cluster_index) {
  pending_.clear();
  buffered_.clear();
  groups_.clear();
  buffered_bytes_ = 0;
  // Each cluster has a sequence of its own, so that results do not depend on which host thread
  // runs it.
  random_ = common::SplitMix64(common::seed_of_sequence(policy_.seed, cluster_index));
}

AsyncEngine::ThreadGroups& AsyncEngine::groups(ThreadId thread) {
  if (groups_.empty()) groups_.resize(std::size_t{cta_count_} * threads_per_cta_);
  auto& own = groups_[std::size_t{thread.rank} * threads_per_cta_ + thread.index];
  if (!own) own = std::make_unique<ThreadGroups>();
  return *own;
}

void AsyncEngine::issue(BulkOperation&& operation) {
  operation.id = next_id_++;
  operation.frees = memory_.frees();
  if (observer_ != nullptr) observer_->issues(operation.event(operation.global_ranges()));
  if (operation.kind == BulkOperation::Kind::global_to_shared && !operation.is_tensor) {
    prefetch<false>(operation.host, operation.bytes);
  }
  if (!operation.signals_mbarrier()) {
    ThreadGroups& own = groups(operation.thread);
    own.members.push_back({operation.id, own.open});
  }
  pending_.push_back(make_pending(std::move(operation)));
  if (policy_.kind == TimingPolicy::Kind::early) complete_at(pending_, pending_.size() - 1);
}

// Small tiles come by the million: a new buffer for each would cost as much as its copy.
AsyncEngine::Pending AsyncEngine::make_pending(BulkOperation&& operation) {
  if (spare_.empty()) return std::make_unique<BulkOperation>(std::move(operation));
  Pending pending = std::move(spare_.back());
  spare_.pop_back();
  operation.buffer = std::move(pending->buffer);
  *pending = std::move(operation);
  return pending;
}

void AsyncEngine::commit_group(ThreadId thread) {
  ++groups(thread).open;
}

void AsyncEngine::wait_group(ThreadId thread, std::uint32_t pending, bool read_only) {
  ThreadGroups& own = groups(thread);
  const std::uint64_t end = own.open - std::min<std::uint64_t>(own.open, pending);
  // A pipeline waits after each store: what it has waited for before is not looked at again.
  const std::uint64_t begin = read_only ? own.read : 0;
  auto member = own.members.end();
  while (member != own.members.begin() && std::prev(member)->group >= begin) --member;
  for (; member != own.members.end() && member->group < end; ++member) {
    finish(member->operation, read_only);
  }
  own.read = std::max(own.read, end);
  if (read_only) limit_buffered();
  while (!own.members.empty() && own.members.front().group < end &&
         is_done(own.members.front().operation)) {
    own.members.pop_front();
  }
}

namespace {

// Where the operation is in a queue, or would be. Nearly always at an end: then only that one is
// looked at, and not a dozen operations that have left the host's caches.
template <class Queue>
std::size_t place_of(const Queue& queue, std::uint64_t id) {
  if (queue.empty() || id <= queue.front()->id) return 0;
  if (id >= queue.back()->id) return id == queue.back()->id ? queue.size() - 1 : queue.size();
  const auto place = std::ranges::lower_bound(queue, id, {}, [](const auto& p) { return p->id; });
  return static_cast<std::size_t>(place - queue.begin());
}

template <class Queue>
bool is_at(const Queue& queue, std::size_t place, std::uint64_t id) {
  return place < queue.size() && queue[place]->id == id;
}

// Removes one; nearly always the first or the last.
template <class Queue>
auto take(Queue& queue, std::size_t index) {
  auto taken = std::move(queue[index]);
  if (index == 0) {
    queue.pop_front();
  } else if (index == queue.size() - 1) {
    queue.pop_back();
  } else {
    queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(index));
  }
  return taken;
}

}  // namespace

bool AsyncEngine::is_done(std::uint64_t id) const {
  return !is_at(pending_, place_of(pending_, id), id) &&
         !is_at(buffered_, place_of(buffered_, id), id);
}

void AsyncEngine::finish(std::uint64_t id, bool read_only) {
  if (const std::size_t place = place_of(pending_, id); is_at(pending_, place, id)) {
    if (read_only) {
      read_early(place);
    } else {
      complete_at(pending_, place);
    }
  } else if (const std::size_t later = place_of(buffered_, id); is_at(buffered_, later, id)) {
    if (!read_only) complete_at(buffered_, later);
  }
}

void AsyncEngine::read_early(std::size_t index) {
  Pending operation = take(pending_, index);
  read_source(*operation);
  if (!operation->is_tensor) prefetch<true>(operation->host, operation->bytes);
  const std::size_t place = place_of(buffered_, operation->id);
  buffered_.insert(buffered_.begin() + static_cast<std::ptrdiff_t>(place), std::move(operation));
}

void AsyncEngine::limit_buffered() {
  while (buffered_bytes_ > max_buffered_bytes && buffered_.size() > 1) complete_at(buffered_, 0);
}

bool AsyncEngine::deliver_oldest() {
  const auto oldest =
      std::ranges::find_if(pending_, [](const Pending& p) { return p->signals_mbarrier(); });
  if (oldest == pending_.end()) return false;
  complete_at(pending_, static_cast<std::size_t>(oldest - pending_.begin()));
  return true;
}

void AsyncEngine::tick() {
  if (policy_.kind != TimingPolicy::Kind::random) return;
  constexpr std::uint64_t one_in = 4;
  for (std::size_t i = 0; i < buffered_.size();) {
    if (random_.next() % one_in == 0) {
      complete_at(buffered_, i);
    } else {
      ++i;
    }
  }
  for (std::size_t i = 0; i < pending_.size();) {
    const std::uint64_t draw = random_.next();
    if (draw % one_in != 0) {
      ++i;
    } else if (pending_[i]->kind == BulkOperation::Kind::shared_to_global &&
               (draw >> 32 & 1) != 0) {
      read_early(i);
    } else {
      complete_at(pending_, i);
    }
  }
}

void AsyncEngine::on_cta_exit(std::uint16_t rank) {
  // PTX does not promise that the memory is given to nobody before its stores have read it, but an
  // H200 waits for that: handout/reference/experiments.md.
  for (Queue* const queue : {&buffered_, &pending_}) {
    for (std::size_t i = 0; i < queue->size();) {
      const BulkOperation& operation = *(*queue)[i];
      const bool is_store = !operation.signals_mbarrier();
      if (is_store && operation.reads_from(rank)) {
        complete_at(*queue, i);
      } else {
        ++i;
      }
    }
  }
  for (std::size_t i = 0; i < pending_.size();) {
    const bool is_used = pending_[i]->writes_to(rank) || pending_[i]->reads_from(rank);
    if (!is_used || !lose_memory(i, rank)) ++i;
  }
}

bool AsyncEngine::lose_memory(std::size_t index, std::uint16_t rank) {
  BulkOperation& operation = *pending_[index];
  if (operation.writes_to(rank)) {
    const auto others = static_cast<std::uint16_t>(operation.multicast & ~(1u << rank));
    if (others != 0) {  // they get their tile
      operation.multicast = others;
      return false;
    }
    const bool has_source = operation.kind != BulkOperation::Kind::global_to_shared;
    if (has_source && !operation.source_read) tell_source_released(operation);
    tell_finished(operation);
    pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(index));
    return true;
  }
  tell_source_released(operation);
  operation.buffer.assign(operation.bytes, lost_byte);
  operation.source_read = true;
  buffered_bytes_ += operation.bytes;
  complete_at(pending_, index);
  return true;
}

void AsyncEngine::complete_at(Queue& queue, std::size_t index) {
  Pending operation = take(queue, index);
  complete(*operation);
  spare_.push_back(std::move(operation));
}

}  // namespace tmaemu
