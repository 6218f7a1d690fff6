#include "emulator/check/conflict.h"

#include <algorithm>

namespace tmaemu::check {
namespace {

using Kind = Record::Kind;
using Says = Sentence;
using Notes = NoteSentence;

// PTX ISA, "Morally strong operations": both are strong, each is in the scope of the other, and
// they overlap completely. A vector is as many accesses as it has elements. Parts of a word may
// meet the whole word: cuda::atomic of one and two bytes is made of atomics of four.
bool are_morally_strong(const Record& a, const Record& b) {
  if (!a.order.is_strong() || !b.order.is_strong()) return false;
  constexpr std::uint32_t word = 4;
  if (a.bytes != b.bytes && std::min(a.bytes, b.bytes) >= word) return false;
  if (a.cta == b.cta) return true;
  const Scope needed = a.cluster == b.cluster ? Scope::cluster : Scope::gpu;
  return a.order.scope >= needed && b.order.scope >= needed;
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

std::optional<Verdict> judge_plain(const Conflict& c) {
  if (c.is_ordered) return std::nullopt;
  if (c.earlier.reads_map) {
    const bool is_load = c.earlier.kind == Kind::load;
    return Verdict{Says::tensor_map_changed_in_use, true,
                   is_load ? Notes::load_issued_here : Notes::store_issued_here};
  }
  switch (c.earlier.kind) {
    case Kind::mbarrier:
      return std::nullopt;
    case Kind::plain:
      if (are_morally_strong(c.earlier, c.now)) return std::nullopt;
      if (!c.now_writes) return Verdict{race_of_read(c), true, Notes::written_by};
      if (!c.earlier_writes) return Verdict{race_of_read(c), false, Notes::written_by};
      return Verdict{race_of_writes(c), true, Notes::written_by};
    case Kind::copy:
      if (!c.now_writes && c.read_was_served && !c.is_issue_ordered) {
        return Verdict{Says::load_over_unread_data, false, Notes::read_here};
      }
      if (!c.now_writes) return Verdict{Says::read_before_copy_done, true, Notes::copy_issued_here};
      return Verdict{Says::write_during_copy, true, Notes::copy_issued_here};
    case Kind::load:
    case Kind::async_store:
      if (!c.earlier_writes) {
        if (is_race_of_ctas(c)) return Verdict{race_of_read(c), false, Notes::written_by};
        const auto sentence =
            c.is_global ? Says::write_to_load_source : Says::copy_source_overwritten;
        return Verdict{sentence, true, Notes::load_issued_here};
      }
      if (!c.now_writes && c.read_was_served && !c.is_issue_ordered) {
        return Verdict{Says::load_over_unread_data, false, Notes::read_here};
      }
      if (!c.now_writes) return Verdict{Says::read_before_load_done, true, Notes::load_issued_here};
      return Verdict{Says::write_during_load, true, Notes::load_issued_here};
    case Kind::store:
      if (c.earlier.reduces && c.now.reduces) return std::nullopt;
      if (c.earlier_writes) {
        if (is_race_of_ctas(c)) {
          return c.now_writes ? Verdict{race_of_writes(c), true, Notes::written_by}
                              : Verdict{race_of_read(c), true, Notes::written_by};
        }
        return c.now_writes
                   ? Verdict{Says::write_over_unawaited_store, true, Notes::store_issued_here}
                   : Verdict{Says::read_of_unawaited_store, true, Notes::store_issued_here};
      }
      // The writer did not wait for the store; or the store did not wait for the writer.
      if (c.is_issue_ordered || c.is_next_lap) {
        return Verdict{Says::store_source_overwritten, true, Notes::store_issued_here};
      }
      return Verdict{Says::store_reads_unsynchronized, false, Notes::written_here};
  }
  return std::nullopt;
}

// The engine, or cp.async, reads.
std::optional<Verdict> judge_source(const Conflict& c) {
  switch (c.earlier.kind) {
    case Kind::mbarrier:
      return std::nullopt;
    case Kind::plain:
      if (!c.is_ordered) {
        if (c.is_global) return Verdict{race_of_read(c), true, Notes::written_by};
        if (c.is_next_lap)
          return Verdict{Says::store_source_overwritten, false, Notes::store_issued_here};
        return Verdict{Says::store_reads_unsynchronized, true, Notes::written_here};
      }
      [[fallthrough]];
    case Kind::copy:
    case Kind::async_store:
      if (!c.is_ordered)
        return Verdict{Says::store_reads_loading_tile, true, Notes::copy_issued_here};
      if (c.is_fenced || !c.now.is_async_proxy()) return std::nullopt;
      if (c.is_global) return Verdict{Says::load_reads_unfenced, true, Notes::written_by};
      return Verdict{Says::store_reads_unfenced, true, Notes::written_here};
    case Kind::load:
      if (c.is_ordered) return std::nullopt;
      return Verdict{Says::store_reads_loading_tile, true, Notes::load_issued_here};
    case Kind::store:
      if (c.is_ordered) return std::nullopt;
      if (is_race_of_ctas(c)) return Verdict{race_of_read(c), true, Notes::written_by};
      return Verdict{Says::load_of_unawaited_store, true, Notes::store_issued_here};
  }
  return std::nullopt;
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
  const bool both_commute = c.earlier.commutes_with(c.now);
  if (both_commute && (c.is_issue_ordered || !c.is_of_one_warp())) return std::nullopt;
  if (c.now.is_the_same_as(c.earlier)) {
    const auto sentence = c.is_of_one_thread ? Says::issued_again : Says::issued_twice;
    return Verdict{sentence, true, Notes::also_issued_here};
  }
  if (both_commute) return std::nullopt;
  if (c.earlier.kind != c.now.kind && !c.is_global) {
    return Verdict{Says::write_during_load, true, Notes::also_issued_here};
  }
  // Either way is atomic, but which of them comes first decides what is left.
  if (c.earlier.reduces && c.now.reduces) {
    return Verdict{Says::reductions_of_two_kinds, true, Notes::also_issued_here};
  }
  if (is_race_of_ctas(c)) {
    return Verdict{Says::overlapping_stores_of_ctas, true, Notes::also_issued_here};
  }
  return Verdict{c.is_global ? Says::overlapping_stores : Says::overlapping_loads, true,
                 Notes::also_issued_here};
}

// The engine, or cp.async, writes over what was read.
std::optional<Verdict> judge_target_of_reads(const Conflict& c) {
  switch (c.earlier.kind) {
    case Kind::plain:
      if (c.is_ordered) {
        if (!c.is_strict || c.is_fenced || !c.now.is_async_proxy()) return std::nullopt;
        if (c.is_global) return Verdict{Says::store_over_unfenced_reads, true, Notes::read_by};
        return Verdict{Says::load_over_unfenced_reads, true, Notes::read_here};
      }
      if (c.is_global) return Verdict{race_of_read(c), false, Notes::store_issued_here};
      if (c.read_was_served) return Verdict{Says::load_over_unread_data, true, Notes::read_here};
      if (c.now.kind == Kind::copy) {
        return Verdict{Says::read_before_copy_done, false, Notes::copy_issued_here};
      }
      return Verdict{Says::read_before_load_done, false, Notes::load_issued_here};
    case Kind::store:
      if (c.is_ordered) return std::nullopt;
      return Verdict{Says::load_overwrites_store_source, true, Notes::store_issued_here};
    case Kind::load:
    case Kind::copy:
    case Kind::async_store:
      if (c.is_ordered) return std::nullopt;
      if (is_race_of_ctas(c)) return Verdict{race_of_read(c), false, Notes::written_by};
      return Verdict{Says::write_to_load_source, true, Notes::load_issued_here};
    case Kind::mbarrier:
      break;
  }
  return std::nullopt;
}

// The engine, or cp.async, writes over what was written.
std::optional<Verdict> judge_target_of_writes(const Conflict& c) {
  if (c.earlier.kind == Kind::mbarrier) return std::nullopt;
  if (!c.is_ordered && c.earlier.kind != Kind::plain) return judge_two_operations(c);
  if (c.earlier.is_async_proxy()) return std::nullopt;
  if (!c.is_ordered) {
    if (c.earlier.reduces && c.now.reduces) return std::nullopt;
    if (c.is_global) return Verdict{race_of_writes(c), true, Notes::written_by};
    return Verdict{Says::write_during_load, false, Notes::load_issued_here};
  }
  if (c.is_fenced || !c.now.is_async_proxy()) return std::nullopt;
  if (c.is_global) return Verdict{Says::store_overwrites_unfenced, true, Notes::written_by};
  return Verdict{Says::load_overwrites_unfenced, true, Notes::written_here};
}

}  // namespace

std::optional<Verdict> judge(const Conflict& conflict) {
  if (!conflict.now.is_done_later()) return judge_plain(conflict);
  if (!conflict.now_writes) return judge_source(conflict);
  return conflict.earlier_writes ? judge_target_of_writes(conflict)
                                 : judge_target_of_reads(conflict);
}

}  // namespace tmaemu::check
