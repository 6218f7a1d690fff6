#include "emulator/check/conflict.h"

#include <algorithm>

#include "contract/findings/sentences.h"

namespace tmaemu::check {
namespace {

using Kind = AccessKind;
using Says = Sentence;
using Notes = NoteSentence;

// PTX ISA, "Morally strong operations": both are strong, each is in the scope of the other, and
// they overlap completely. A vector is as many accesses as it has elements. Parts of a word may
// meet the whole word: cuda::atomic of one and two bytes is made of atomics of four.
bool are_morally_strong(const PastAccess& a, const PastAccess& b) {
  const ThreadAccess* const one = a.of_thread();
  const ThreadAccess* const two = b.of_thread();
  if (one == nullptr || two == nullptr) return false;
  if (!one->order.is_strong() || !two->order.is_strong()) return false;
  constexpr std::uint32_t word = 4;
  if (one->element_bytes != two->element_bytes &&
      std::min(one->element_bytes, two->element_bytes) >= word) {
    return false;
  }
  if (a.cta == b.cta) return true;
  const Scope needed = a.cluster == b.cluster ? Scope::cluster : Scope::gpu;
  return one->order.scope >= needed && two->order.scope >= needed;
}

// Nothing keeps two CTAs from coming in the other order: that is a race, and no question of waiting
// for an operation that one of them has started.
bool is_race_of_ctas(const Conflict& c) {
  return c.is_global && c.earlier.cta != c.now.cta && !c.is_issue_ordered;
}

// Between CTAs there is nothing to wait for: either each has its own bytes, or they tell each
// other.
Says race_of_read(const Conflict& c) {
  return is_race_of_ctas(c) ? Says::race_of_read_by_ctas : Says::race_of_read;
}
Says race_of_writes(const Conflict& c) {
  return is_race_of_ctas(c) ? Says::race_of_writes_by_ctas : Says::race_of_writes;
}

// Atomics, flags, and whoever polls one do each other no harm. But who reads data by volatile or
// relaxed accesses may read it before it is written: these order nothing.
std::optional<Verdict> judge_two_strong(const Conflict& c) {
  const auto is_relaxed = [](const PastAccess& access) {
    return access.order().semantics == Semantics::relaxed;
  };
  const bool are_data =
      is_relaxed(c.earlier) && is_relaxed(c.now) && c.earlier_writes != c.now_writes;
  if (!are_data || c.earlier.reduces || c.now.reduces || c.is_poll) return std::nullopt;
  return Verdict{Says::race_of_relaxed_read, !c.now_writes, Notes::written_by};
}

// Both are threads' own.
std::optional<Verdict> judge_two_threads(const Conflict& c) {
  if (c.earlier.kind == Kind::mbarrier) return std::nullopt;
  if (are_morally_strong(c.earlier, c.now)) return judge_two_strong(c);
  if (!c.now_writes) return Verdict{race_of_read(c), true, Notes::written_by};
  if (!c.earlier_writes) return Verdict{race_of_read(c), false, Notes::written_by};
  return Verdict{race_of_writes(c), true, Notes::written_by};
}

// A thread writes what an operation under way reads.
std::optional<Verdict> judge_source_written(const Conflict& c, const AccessKindEntry& operation) {
  if (is_race_of_ctas(c)) return Verdict{race_of_read(c), false, Notes::written_by};
  const auto& source = operation.source;
  if (!source) return std::nullopt;
  const bool is_filled_by_threads = source->is_filled_by_threads && !c.is_global;
  if (is_filled_by_threads && !c.is_issue_ordered && !c.is_next_lap) {
    return Verdict{source->unsynchronized, false, Notes::written_here};
  }
  return Verdict{c.is_global ? source->written_by_thread_in_global : source->written_by_thread,
                 true, operation.issued_here};
}

// A thread comes upon what an operation under way writes.
std::optional<Verdict> judge_target_touched(const Conflict& c, const AccessKindEntry& operation) {
  if (c.is_global && c.earlier.reduces && c.now.reduces) return std::nullopt;
  if (is_race_of_ctas(c)) {
    return Verdict{c.now_writes ? race_of_writes(c) : race_of_read(c), true, Notes::written_by};
  }
  const bool means_earlier = !c.is_issue_ordered || c.reader_waited_behind;
  if (!c.is_global && !c.now_writes && c.read_was_served && means_earlier) {
    return Verdict{Says::load_over_unread_data, false, Notes::read_here};
  }
  const auto& target = operation.target;
  if (!target) return std::nullopt;
  return Verdict{c.now_writes ? target->written_by_thread : target->read_by_thread, true,
                 operation.issued_here};
}

// The later one is a thread's own.
std::optional<Verdict> judge_thread(const Conflict& c) {
  if (c.is_ordered) return std::nullopt;
  const AccessKindEntry& earlier = c.earlier.entry();
  if (c.earlier.reads_map()) {
    return Verdict{Says::tensor_map_changed_in_use, true, earlier.issued_here};
  }
  if (!earlier.is_asynchronous()) return judge_two_threads(c);
  return c.earlier_writes ? judge_target_touched(c, earlier) : judge_source_written(c, earlier);
}

// An operation reads what a thread has written, and nothing orders the two.
std::optional<Verdict> judge_source_unsynchronized(const Conflict& c) {
  if (c.is_global) return Verdict{race_of_read(c), true, Notes::written_by};
  const AccessKindEntry& now = c.now.entry();
  if (!now.source) return std::nullopt;
  if (c.is_next_lap) return Verdict{now.source->written_by_thread, false, now.issued_here};
  return Verdict{now.source->unsynchronized, true, Notes::written_here};
}

// An operation reads what another one, which is under way, writes.
std::optional<Verdict> judge_source_not_landed(const Conflict& c) {
  const NoteSentence note = c.earlier.entry().issued_here;
  if (is_race_of_ctas(c)) return Verdict{race_of_read(c), true, Notes::written_by};
  if (c.is_global) return Verdict{Says::load_of_unawaited_store, true, note};
  if (!c.now.entry().source) return std::nullopt;
  // Who has waited for what was there before, and does not know of the copy, means to read that.
  if (c.earlier.kind == Kind::copy && c.read_was_served && !c.is_issue_ordered) {
    return Verdict{c.now.entry().source->written_by_operation.by(c.earlier.kind), false,
                   c.now.entry().issued_here};
  }
  return Verdict{c.now.entry().source->not_landed.by(c.earlier.kind), true, note};
}

// An operation reads.
std::optional<Verdict> judge_source(const Conflict& c) {
  if (c.earlier.kind == Kind::mbarrier) return std::nullopt;
  if (!c.is_ordered) {
    return c.earlier.is_asynchronous() ? judge_source_not_landed(c)
                                       : judge_source_unsynchronized(c);
  }
  const bool needs_fence = c.now.is_async_proxy() && !c.earlier.is_async_proxy();
  if (c.is_fenced || !needs_fence || !c.now.entry().source) return std::nullopt;
  if (c.is_global) return Verdict{Says::load_reads_unfenced, true, Notes::written_by};
  const AccessKindEntry::Source& source = *c.now.entry().source;
  if (!c.earlier.is_asynchronous()) return Verdict{source.unfenced, true, Notes::written_here};
  return Verdict{source.unfenced_operation, true, c.earlier.entry().issued_here};
}

// Both write, and both go on while their threads do.
std::optional<Verdict> judge_two_operations(const Conflict& c) {
  if (c.is_ordered) return std::nullopt;
  if (c.now.is_one_with(c.earlier)) {
    if (c.now.reduces || !c.is_global) return std::nullopt;
    return Verdict{Says::store_over_itself, true, Notes::store_issued_here};
  }
  // Who adds again, knowing of the first time, adds twice on purpose, and so do two warps: each
  // element is added atomically. PTX ISA, "cp.reduce.async.bulk". Lanes of one warp that issue the
  // same operation have forgotten to elect one of them.
  const bool are_copies = c.earlier.kind == Kind::copy && c.now.kind == Kind::copy;
  if (are_copies && c.now.brings_the_same_as(c.earlier)) return std::nullopt;
  const bool both_commute = c.earlier.commutes_with(c.now);
  if (both_commute && (c.is_issue_ordered || !c.is_of_one_warp())) return std::nullopt;
  if (c.is_of_one_thread && (c.is_next_lap || c.now.is_next_lap_of(c.earlier))) {
    return Verdict{Says::load_into_stage_in_use, true, Notes::also_issued_here};
  }
  if (c.now.is_the_same_as(c.earlier)) {
    const auto sentence = c.is_of_one_thread ? Says::issued_again : Says::issued_twice;
    return Verdict{sentence, true, Notes::also_issued_here};
  }
  if (both_commute) return std::nullopt;
  if (c.earlier.kind != c.now.kind && !c.is_global && c.earlier.entry().target) {
    return Verdict{c.earlier.entry().target->written_by_thread, true, Notes::also_issued_here};
  }
  // Either way is atomic, but which of them comes first decides what is left.
  if (c.earlier.reduces && c.now.reduces) {
    return Verdict{Says::reductions_of_two_kinds, true, Notes::also_issued_here};
  }
  if (is_race_of_ctas(c)) {
    return Verdict{Says::overlapping_stores_of_ctas, true, Notes::also_issued_here};
  }
  if (are_copies) return Verdict{Says::race_of_copies, true, Notes::also_issued_here};
  return Verdict{c.is_global ? Says::overlapping_stores : Says::overlapping_loads, true,
                 Notes::also_issued_here};
}

// An operation writes over what a thread reads, and nothing orders the two.
std::optional<Verdict> judge_target_being_read(const Conflict& c) {
  if (c.is_global) return Verdict{race_of_read(c), false, Notes::store_issued_here};
  if (c.read_was_served) return Verdict{Says::load_over_unread_data, true, Notes::read_here};
  const AccessKindEntry& now = c.now.entry();
  if (!now.target) return std::nullopt;
  return Verdict{now.target->read_by_thread, false, now.issued_here};
}

// A store, or a wgmma, that nothing orders with what fills its tile, and that knows of nothing else
// that it might have meant to read: it does not wait, whichever of them came first.
bool comes_before_its_source(const Conflict& c) {
  const bool is_read_for_use = c.earlier.kind == Kind::store || c.earlier.kind == Kind::product;
  return !c.is_global && is_read_for_use && !c.is_issue_ordered && !c.read_was_served;
}

// An operation writes over what was read.
std::optional<Verdict> judge_target_of_reads(const Conflict& c) {
  if (c.earlier.kind == Kind::mbarrier) return std::nullopt;
  const AccessKindEntry& earlier = c.earlier.entry();
  if (!c.is_ordered) {
    if (!earlier.is_asynchronous()) return judge_target_being_read(c);
    if (is_race_of_ctas(c)) return Verdict{race_of_read(c), false, Notes::written_by};
    if (!earlier.source) return std::nullopt;
    if (comes_before_its_source(c)) {
      return Verdict{earlier.source->not_landed.by(c.now.kind), false, c.now.entry().issued_here};
    }
    return Verdict{earlier.source->written_by_operation.by(c.now.kind), true, earlier.issued_here};
  }
  // A barrier waits for who reads, not for what they read: a read may be under way behind it, and
  // the engine overtake it. PTX ISA, "Causality order", asks for a proxy fence, and an H100 shows
  // why.
  const bool needs_fence = c.now.is_async_proxy() && !earlier.is_asynchronous();
  if (c.is_fenced || !needs_fence) return std::nullopt;
  if (c.is_global) return Verdict{Says::store_over_unfenced_reads, true, Notes::read_by};
  return Verdict{Says::load_over_unfenced_reads, true, Notes::read_here};
}

// An operation writes over what was written.
std::optional<Verdict> judge_target_of_writes(const Conflict& c) {
  if (c.earlier.kind == Kind::mbarrier) return std::nullopt;
  if (!c.is_ordered && c.earlier.is_asynchronous()) return judge_two_operations(c);
  if (c.earlier.is_async_proxy()) return std::nullopt;
  if (!c.is_ordered) {
    if (c.earlier.reduces && c.now.reduces) return std::nullopt;
    if (c.is_global) return Verdict{race_of_writes(c), true, Notes::written_by};
    const AccessKindEntry& now = c.now.entry();
    if (!now.target) return std::nullopt;
    return Verdict{now.target->written_by_thread, false, now.issued_here};
  }
  if (c.is_fenced || !c.now.is_async_proxy()) return std::nullopt;
  if (c.is_global) return Verdict{Says::store_overwrites_unfenced, true, Notes::written_by};
  return Verdict{Says::load_overwrites_unfenced, true, Notes::written_here};
}

}  // namespace

std::optional<Verdict> judge(const Conflict& conflict) {
  if (!conflict.now.is_asynchronous()) return judge_thread(conflict);
  if (!conflict.now_writes) return judge_source(conflict);
  return conflict.earlier_writes ? judge_target_of_writes(conflict)
                                 : judge_target_of_reads(conflict);
}

}  // namespace tmaemu::check
