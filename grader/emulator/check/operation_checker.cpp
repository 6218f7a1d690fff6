// The operations of the TMA engine, and the groups that threads make of them.
#include <bit>
#include <utility>

#include "emulator/check/access_rules.h"
#include "emulator/check/memory_checker.h"
#include "emulator/memory/address_space.h"
#include "emulator/tma/tensor_map.h"

namespace tmaemu::check {

void MemoryChecker::commit_bulk(const events::Groups& groups) {
  has_ledgers_ = true;
  bulk_[state_.slot(groups.thread)].commit();
}

void MemoryChecker::await_bulk(const events::Groups& groups) {
  has_ledgers_ = true;
  GroupLedger& own = bulk_[state_.slot(groups.thread)];
  own.note_wait(groups.site);
  if (own.issued() == 0) operations_.note_foreign_wait({groups.thread, groups.site, 0});
  const Time done = own.done_after(groups.pending);
  if (done == 0) return;
  state_.order.learn(groups.thread, state_.order.actor(groups.thread, Actor::Track::bulk_reads),
                     done);
  if (groups.only_read) return;
  state_.order.learn(groups.thread, state_.order.actor(groups.thread, Actor::Track::bulk_writes),
                     done);
}

void MemoryChecker::commit_copies(const events::Groups& groups) {
  has_ledgers_ = true;
  copies_[state_.slot(groups.thread)].commit();
}

void MemoryChecker::await_copies(const events::Groups& groups) {
  has_ledgers_ = true;
  GroupLedger& own = copies_[state_.slot(groups.thread)];
  if (!groups.is_for_all) own.note_wait(groups.site);
  const Time done = groups.is_for_all ? own.issued() : own.done_after(groups.pending);
  if (done == 0) return;
  own.note_done(done, state_.order.begin_moment(groups.thread));
}

Record MemoryChecker::record_of(ThreadId thread, std::uint32_t site) const {
  Record record;
  record.rank = thread.rank;
  record.cta = state_.order.cta(thread.rank);
  record.cluster = state_.number;
  record.first = thread.index;
  record.site = site;
  record.time = state_.order.now(thread);
  return record;
}

void MemoryChecker::touch_operation(const Record& record, bool is_global, std::uint64_t address,
                                    std::uint64_t bytes, bool writes) {
  if (bytes == 0) return;
  const std::uint32_t number = number_of(record, is_global);
  if (number == 0) return;
  AccessRules rules(*this, number, is_global, writes, nullptr);
  const Touch form{.writes = writes, .reads_too = writes && record.reduces};
  touch_bytes({is_global, address, bytes, {number, 0, Mark::one_lane}}, form, rules);
}

void MemoryChecker::issue(const events::Bulk& bulk) {
  has_ledgers_ = true;
  Record record = record_of(bulk.thread, bulk.site);
  record.operation = check::number_of(bulk);
  if (const SharedVariable* const variable = state_.launch.facts->variable(bulk.site)) {
    check_bounds(*variable, bulk.site, bulk.thread, bulk.target != 0 ? bulk.target : bulk.shared,
                 bulk.bytes, Sentence::operation_outside_variable);
  }
  if (bulk.kind == BulkKind::shared_to_global || bulk.kind == BulkKind::reduce_to_global) {
    issue_store(bulk, record);
  } else {
    issue_load(bulk, record);
  }
}

void MemoryChecker::issue_load(const events::Bulk& bulk, Record record) {
  record.kind = Record::Kind::load;
  record.reduces = bulk.kind == BulkKind::reduce_to_shared;
  record.reduction = bulk.reduction;
  const Deed deed{bulk.thread, bulk.site, record.time};
  const bool is_from_global = bulk.kind == BulkKind::global_to_shared;
  record.source =
      !is_from_global ? bulk.shared : (bulk.global.empty() ? 0 : bulk.global.front().address);
  const std::uint32_t target = is_from_global ? bulk.shared : bulk.target;
  record.target = shared_offset(target);
  record.bytes = bulk.bytes;
  const std::uint32_t ranks = bulk.multicast != 0 ? bulk.multicast : 1u << shared_rank(target);
  Operations::Operation operation{bulk, 0, {}};
  const auto complete_at = [&](const PhaseOf& phase) {
    record.completion = mbarriers_.actor(phase.mbarrier);
    record.completed = phase.phase + 1;
  };
  nobody_bytes_ = 0;
  for (std::uint32_t rest = ranks; rest != 0; rest &= rest - 1) {
    const auto rank = static_cast<std::uint32_t>(std::countr_zero(rest));
    if (rank >= state_.ctas) break;
    const std::uint32_t signaled =
        bulk.is_paired ? (rank & ~1u) | (shared_rank(bulk.mbarrier) & 1u) : rank;
    const std::uint32_t mbarrier = bulk.multicast != 0
                                       ? signaled << cta_rank_shift | shared_offset(bulk.mbarrier)
                                       : bulk.mbarrier;
    const PhaseOf phase =
        mbarriers_.bring(mbarrier, static_cast<std::int64_t>(bulk.moved_bytes), deed);
    if (!bulk.is_paired && shared_rank(mbarrier) != rank) {
      state_.report(state_.finding(Sentence::operation_completes_elsewhere, bulk.site, bulk.thread,
                                   {rank, shared_rank(mbarrier)}));
      mbarriers_.note_cause(mbarrier);
      mbarriers_.note_cause(rank << cta_rank_shift | shared_offset(mbarrier));
    }
    operation.targets.push_back({static_cast<std::uint16_t>(rank), phase});
    complete_at(phase);
    touch_operation(record, false, rank << cta_rank_shift | shared_offset(target), bulk.bytes,
                    true);
  }
  if (operation.targets.empty()) return;
  complete_at(operation.targets.front().phase);
  if (record.reduces && nobody_bytes_ >= bulk.bytes) tell_fresh_target(deed);
  record.reduces = false;
  if (!is_from_global) touch_operation(record, false, bulk.shared, bulk.bytes, false);
  fresh_bytes_ = 0;
  std::uint64_t loaded = 0;
  for (const events::GlobalRange& range : bulk.global) {
    touch_operation(record, true, range.address, range.bytes, false);
    loaded += range.bytes;
  }
  if (loaded != 0 && fresh_bytes_ == loaded) {
    state_.report(state_.finding(Sentence::load_of_fresh_memory, bulk.site, bulk.thread));
  }
  touch_map(bulk, record);
  if (bulk.bytes > 0) operations_.add(std::move(operation));  // nobody waits for nothing
}

// The operation reads its tensor map until it has read its source. PTX ISA,
// "cp.async.bulk.wait_group": what `.read` waits for is reading from the tensormap, too.
void MemoryChecker::touch_map(const events::Bulk& bulk, Record record) {
  if (bulk.tensor_map == 0) return;
  record.reads_map = true;
  if (record.kind == Record::Kind::load) {
    record.target = bulk_[state_.slot(bulk.thread)].issue();
  }
  touch_operation(record, true, bulk.tensor_map, tma::opaque_bytes, false);
}

void MemoryChecker::issue_store(const events::Bulk& bulk, Record record) {
  record.kind = Record::Kind::store;
  record.source = bulk.shared;
  record.target = bulk.global.empty() ? 0 : bulk.global.front().address;
  record.bytes = bulk.bytes;
  record.is_contiguous = bulk.global.size() == 1 && bulk.global.front().bytes == bulk.bytes;
  record.completed = bulk_[state_.slot(bulk.thread)].issue();
  record.completion = state_.order.actor(bulk.thread, Actor::Track::bulk_reads);
  nobody_bytes_ = 0;
  touch_operation(record, false, bulk.shared, bulk.bytes, false);
  touch_map(bulk, record);
  std::uint64_t stored = 0;
  for (const events::GlobalRange& range : bulk.global) stored += range.bytes;
  const bool is_none = nobody_bytes_ >= bulk.bytes;
  // What hangs over the edge of a tensor need not be written: it goes nowhere.
  if (nobody_bytes_ != 0 && (is_none || stored == bulk.bytes)) {
    Finding finding = state_.finding(
        is_none ? Sentence::store_source_never_written : Sentence::store_source_partly_written,
        bulk.site, bulk.thread, {nobody_bytes_});
    finding.bytes = {shared_offset(bulk.shared), bulk.bytes};
    if (!state_.reporter.is_known(finding.sentence, bulk.site, bulk.site)) {
      state_.reporter.defer(std::move(finding), [this, site = bulk.site] {
        return served_late_.contains(site);  // somebody writes it, too late
      });
    }
  }
  record.completion = state_.order.actor(bulk.thread, Actor::Track::bulk_writes);
  record.reduces = bulk.kind == BulkKind::reduce_to_global;
  record.reduction = bulk.reduction;
  fresh_bytes_ = 0;
  for (const events::GlobalRange& range : bulk.global) {
    touch_operation(record, true, range.address, range.bytes, true);
  }
  if (record.reduces && stored != 0 && fresh_bytes_ == stored) {
    tell_fresh_target({bulk.thread, bulk.site, record.time});
  }
  if (bulk.bytes > 0) operations_.add({bulk, record.completed, {}});
}

// Where somebody writes the bytes, and nothing orders the two, that is the cause and is told.
void MemoryChecker::tell_fresh_target(const Deed& deed) {
  if (state_.reporter.is_known(Sentence::reduction_onto_fresh_memory, deed.site, deed.site)) return;
  state_.reporter.defer(
      state_.finding(Sentence::reduction_onto_fresh_memory, deed.site, deed.thread),
      [this, site = deed.site] { return state_.reporter.is_blamed(site); });
}

void MemoryChecker::issue(const events::AsyncStore& store) {
  Record record = record_of(store.thread, store.site);
  record.kind = Record::Kind::async_store;
  record.reduces = store.reduces;
  const PhaseOf phase =
      mbarriers_.bring(store.mbarrier, store.bytes, {store.thread, store.site, record.time});
  record.completion = mbarriers_.actor(phase.mbarrier);
  record.completed = phase.phase + 1;
  nobody_bytes_ = 0;
  touch_operation(record, false, store.target, store.bytes, true);
  if (store.reduces && nobody_bytes_ >= store.bytes) {
    tell_fresh_target({store.thread, store.site, record.time});
  }
  // PTX ISA, "st.async": the complete-tx is a release of cluster scope, and the operation comes
  // behind what its thread did before.
  mbarriers_.release(store.mbarrier, store.thread);
}

}  // namespace tmaemu::check
