#include "emulator/check/operation_checker.h"

#include <bit>
#include <utility>

#include "contract/findings/sentences.h"
#include "emulator/check/variable_bounds.h"
#include "emulator/memory/address_space.h"
#include "emulator/tma/paired_ctas.h"
#include "emulator/tma/tensor_map.h"

namespace tmaemu::check {

namespace {

std::uint64_t first_global(const events::Bulk& bulk) {
  return bulk.global.empty() ? 0 : bulk.global.front().address;
}

std::uint64_t global_bytes(const events::Bulk& bulk) {
  std::uint64_t sum = 0;
  for (const events::GlobalRange& range : bulk.global) sum += range.bytes;
  return sum;
}

// Its source is in global memory; else in shared memory, and where to in `bulk.target`.
bool is_from_global(const events::Bulk& bulk) {
  return bulk.kind == BulkKind::global_to_shared;
}

}  // namespace

void OperationChecker::issue(const events::Bulk& bulk) {
  const PastAccess access = accesses_.begin_access(bulk.thread, bulk.site);
  EngineAccess engine;
  engine.operation = number_of(bulk);
  engine.bytes = bulk.bytes;
  const SharedVariable* const variable = state_.launch.facts->variable(bulk.site);
  const std::uint32_t address = bulk.target != 0 ? bulk.target : bulk.shared;
  if (variable != nullptr && leaves(*variable, address, bulk.bytes)) {
    report_outside(state_, *variable, {bulk.thread, bulk.site, 0}, address, bulk.bytes,
                   Sentence::operation_outside_variable);
  }
  if (bulk.is_tensor) note_tensor(bulk);
  if (is_store(bulk)) {
    issue_store(bulk, access, engine);
  } else {
    issue_load(bulk, access, engine);
  }
}

// Whether it moves anything of its tensor.
void OperationChecker::note_tensor(const events::Bulk& bulk) {
  TensorMisses& misses = state_.launch.misses;
  const TensorMisses::Use use{bulk.tensor, is_store(bulk)};
  if (global_bytes(bulk) != 0) return misses.hit(use);
  misses.miss(use, state_.finding(use.is_store ? Sentence::store_outside_tensor
                                               : Sentence::load_outside_tensor,
                                  bulk.site, bulk.thread));
}

// The operation brings its bytes to the CTA of that rank: in which phase of which mbarrier.
PhaseOf OperationChecker::bring_to(std::uint32_t rank, const events::Bulk& bulk,
                                   const Action& action) {
  std::uint32_t mbarrier = bulk.mbarrier;
  if (bulk.multicast != 0) {
    mbarrier = signaled_rank(rank, bulk.mbarrier, bulk.is_paired) << cta_rank_shift |
               shared_offset(bulk.mbarrier);
  }
  const PhaseOf phase = mbarriers_.bring(mbarrier, static_cast<std::int64_t>(bulk.moved_bytes),
                                         action, number_of(bulk));
  if (!bulk.is_paired && shared_rank(mbarrier) != rank) {
    state_.report(state_.finding(Sentence::operation_completes_elsewhere, bulk.site, bulk.thread,
                                 {rank, shared_rank(mbarrier)}));
    state_.reporter.note(Fact::mbarrier_misused, mbarrier);
    state_.reporter.note(Fact::mbarrier_misused, rank << cta_rank_shift | shared_offset(mbarrier));
  }
  return phase;
}

void OperationChecker::issue_load(const events::Bulk& bulk, PastAccess access,
                                  EngineAccess engine) {
  const Action action{bulk.thread, bulk.site, access.time};
  const std::uint32_t target = is_from_global(bulk) ? bulk.shared : bulk.target;
  access.kind = AccessKind::load;
  access.reduces = bulk.kind == BulkKind::reduce_to_shared;
  engine.reduction = bulk.reduction;
  engine.source = is_from_global(bulk) ? first_global(bulk) : bulk.shared;
  engine.target = shared_offset(target);
  engine.turn = static_cast<std::uint16_t>(mbarriers_.turn(bulk.mbarrier, bulk.thread));
  const auto complete_at = [&](const PhaseOf& phase) {
    engine.completion = {mbarriers_.actor(phase.mbarrier), phase.phase + 1};
    access.how = engine;
  };
  Operations::Operation operation{bulk, 0, {}};
  std::uint64_t unwritten = 0;
  const std::uint32_t ranks = bulk.multicast != 0 ? bulk.multicast : 1u << shared_rank(target);
  for (std::uint32_t rest = ranks; rest != 0; rest &= rest - 1) {
    const auto rank = static_cast<std::uint32_t>(std::countr_zero(rest));
    if (rank >= state_.ctas) break;
    const PhaseOf phase = bring_to(rank, bulk, action);
    operation.targets.push_back({static_cast<std::uint16_t>(rank), phase});
    complete_at(phase);
    const std::uint32_t address = rank << cta_rank_shift | shared_offset(target);
    unwritten += accesses_.check(access, false, address, bulk.bytes, true).in_shared;
  }
  if (operation.targets.empty()) return;
  complete_at(operation.targets.front().phase);
  if (access.reduces && unwritten >= bulk.bytes) suspect_fresh_target(action);
  access.reduces = false;
  if (!is_from_global(bulk)) accesses_.check(access, false, bulk.shared, bulk.bytes, false);
  std::uint64_t fresh = 0;
  for (const events::GlobalRange& range : bulk.global) {
    fresh += accesses_.check(access, true, range.address, range.bytes, false).in_global;
  }
  if (fresh != 0 && fresh == global_bytes(bulk)) {
    state_.report(state_.finding(Sentence::load_of_fresh_memory, bulk.site, bulk.thread));
  }
  if (bulk.tensor_map != 0) read_map(bulk, access, groups_.issue_bulk(bulk.thread));
  if (bulk.bytes > 0) operations_.add(std::move(operation));  // nobody waits for nothing
}

// The operation reads its tensor map until it has read its source. PTX ISA,
// "cp.async.bulk.wait_group": what `.read` waits for is reading from the tensormap, too.
void OperationChecker::read_map(const events::Bulk& bulk, PastAccess access, Time groups) {
  access.how = MapRead{access.completion(), access.operation(), groups};
  accesses_.check(access, true, bulk.tensor_map, tma::opaque_bytes, false);
}

void OperationChecker::issue_store(const events::Bulk& bulk, PastAccess access,
                                   EngineAccess engine) {
  access.kind = AccessKind::store;
  const Time time = groups_.issue_bulk(bulk.thread);
  engine.source = bulk.shared;
  engine.target = first_global(bulk);
  engine.is_contiguous = bulk.global.size() == 1 && bulk.global.front().bytes == bulk.bytes;
  engine.completion = {state_.order.actor(bulk.thread, Actor::Track::bulk_reads), time};
  access.how = engine;
  const std::uint64_t unwritten =
      accesses_.check(access, false, bulk.shared, bulk.bytes, false).in_shared;
  if (bulk.tensor_map != 0) read_map(bulk, access, time);
  const std::uint64_t stored = global_bytes(bulk);
  check_store_source(bulk, stored, unwritten);
  engine.completion.actor = state_.order.actor(bulk.thread, Actor::Track::bulk_writes);
  engine.reduction = bulk.reduction;
  access.how = engine;
  access.reduces = bulk.kind == BulkKind::reduce_to_global;
  std::uint64_t fresh = 0;
  for (const events::GlobalRange& range : bulk.global) {
    fresh += accesses_.check(access, true, range.address, range.bytes, true).in_global;
  }
  if (access.reduces && fresh != 0 && fresh == stored) {
    suspect_fresh_target({bulk.thread, bulk.site, access.time});
  }
  if (bulk.bytes > 0) operations_.add({bulk, time, {}});
}

// `stored`: the bytes that go to global memory. What hangs over the edge of a tensor need not be
// written: it goes nowhere.
void OperationChecker::check_store_source(const events::Bulk& bulk, std::uint64_t stored,
                                          std::uint64_t unwritten) {
  const bool is_none = unwritten >= bulk.bytes;
  if (unwritten == 0 || (!is_none && stored != bulk.bytes)) return;
  Finding finding = state_.finding(
      is_none ? Sentence::store_source_never_written : Sentence::store_source_partly_written,
      bulk.site, bulk.thread, {unwritten});
  finding.bytes = {shared_offset(bulk.shared), bulk.bytes};
  state_.suspect(std::move(finding));
}

// Where somebody writes the bytes, and nothing orders the two, that is the cause and is reported.
void OperationChecker::suspect_fresh_target(const Action& action) {
  state_.suspect(state_.finding(Sentence::reduction_onto_fresh_memory, action.site, action.thread));
}

void OperationChecker::issue(const events::AsyncStore& store) {
  PastAccess access = accesses_.begin_access(store.thread, store.site);
  const Action action{store.thread, store.site, access.time};
  access.kind = AccessKind::async_store;
  access.reduces = store.reduces;
  const PhaseOf phase = mbarriers_.bring(store.mbarrier, store.bytes, action);
  access.how = DeferredAccess{{mbarriers_.actor(phase.mbarrier), phase.phase + 1}};
  const std::uint64_t unwritten =
      accesses_.check(access, false, store.target, store.bytes, true).in_shared;
  if (store.reduces && unwritten >= store.bytes) suspect_fresh_target(action);
  // PTX ISA, "st.async": the complete-tx is a release of cluster scope, and the operation comes
  // behind what its thread did before.
  mbarriers_.release(store.mbarrier, store.thread);
}

}  // namespace tmaemu::check
