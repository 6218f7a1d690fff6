#include "emulator/check/memory_checker.h"

#include <algorithm>
#include <bit>

#include "emulator/check/access_rules.h"
#include "emulator/check/lanes.h"
#include "emulator/check/neighbor_checker.h"
#include "emulator/memory/address_space.h"
#include "emulator/tma/tensor_map.h"

namespace tmaemu::check {
namespace {

using Space = events::Access::Space;
using AccessKind = events::Access::Kind;

bool writes(AccessKind kind) {
  return kind == AccessKind::store || kind == AccessKind::matrix_store ||
         kind == AccessKind::map_change || kind == AccessKind::map_copy ||
         kind == AccessKind::atomic;
}

bool is_misaligned(const events::Access& access) {
  if (access.kind != AccessKind::load && access.kind != AccessKind::store &&
      access.kind != AccessKind::atomic) {
    return false;
  }
  return std::has_single_bit(access.bytes) &&
         std::ranges::any_of(access.lanes, [&](const events::LaneAddress& lane) {
           return (lane.address & (access.bytes - 1)) != 0;
         });
}

// How many of the lanes from `begin` on access bytes that follow one another.
std::size_t run_length(std::span<const events::LaneAddress> lanes, std::size_t begin,
                       unsigned bytes) {
  std::size_t end = begin + 1;
  while (end < lanes.size() && lanes[end].address == lanes[end - 1].address + bytes &&
         lanes[end].lane == lanes[end - 1].lane + 1) {
    ++end;
  }
  return end - begin;
}

}  // namespace

MemoryChecker::MemoryChecker(ClusterState& state, MbarrierChecker& mbarriers)
    : state_(state),
      mbarriers_(mbarriers),
      shared_(state.ctas),
      bulk_(state.thread_count()),
      copies_(state.thread_count()),
      pending_(state.thread_count()),
      operations_(state, mbarriers),
      remote_(state.ctas) {}

void MemoryChecker::start() {
  records_.clear();
  const std::size_t blocks = (state_.launch.shared_bytes() + block_bytes - 1) / block_bytes;
  for (std::vector<Block>& shared : shared_) {
    shared.clear();
    shared.resize(blocks);
  }
  flags_.clear();
  if (has_ledgers_) {
    std::ranges::fill(bulk_, GroupLedger{});
    std::ranges::fill(copies_, GroupLedger{});
    std::ranges::fill(pending_, Pending{});
    operations_.start();
    has_ledgers_ = false;
  }
  served_late_.clear();
  for (Remote& remote : remote_) remote = {};
  recent_.clear();
  recent_global_.clear();
}

// The number of a record that is like the last one of the warp at this site, or a new one.
std::uint32_t MemoryChecker::number_of(const Record& record, bool is_global) {
  const std::uint64_t key =
      std::uint64_t{record.rank} << 48 | std::uint64_t{record.first} << 32 | record.site;
  Recent& recent = (is_global ? recent_global_ : recent_)[key];
  const bool is_same =
      recent.number != 0 && recent.record.time == record.time &&
      recent.record.kind == record.kind && recent.record.completion == record.completion &&
      recent.record.completed == record.completed && recent.record.operation == record.operation &&
      recent.record.reads_map == record.reads_map;
  if (!is_same) {
    recent = {record, (is_global ? state_.launch.records : records_).add(record)};
  }
  fresh_record_ = is_same ? 0 : recent.number;
  return recent.number;
}

void MemoryChecker::access(const events::Access& access) {
  if (access.is_async_store) return note_remote(access);
  if (is_misaligned(access)) return;  // a fault, which says all
  const bool is_global = access.space == Space::global;
  const ThreadId first = thread_of(access.warp, 0);
  Record record;
  record.rank = first.rank;
  record.cta = state_.order.cta(first.rank);
  record.cluster = state_.number;
  record.first = first.index;
  record.site = access.site;
  record.time = state_.order.now(first);
  record.order = access.order;
  if (access.order.is_strong()) record.bytes = access.element_bytes;
  record.reduces = access.kind == AccessKind::atomic;
  record.writes = writes(access.kind);
  record.is_of_warp = access.kind == AccessKind::map_copy;
  record.is_read_only = is_global && state_.launch.facts->is_read_only_load(access.site);
  if (!is_global) {
    note_remote(access);
    const SharedVariable* const variable = state_.launch.facts->variable(access.site);
    if (variable != nullptr && !access.is_copy) {
      for (const events::LaneAddress& lane : access.lanes) {
        check_bounds(*variable, access.site, thread_of(access.warp, lane.lane), lane.address,
                     access.bytes);
      }
    }
  }
  if (access.is_copy) return copy(access, record);
  if (access.order.is_strong()) acquire(access, access.lanes);
  const std::uint32_t number = number_of(record, is_global);
  if (number == 0) return;
  touch_lanes(access, number, writes(access.kind), access.lanes);
  if (!access.order.is_strong()) return;
  if (access.kind != AccessKind::atomic) return release(access, access.lanes);
  // The lanes of an atomic come one after another, and each finds what those before it released.
  for (const events::LaneAddress& lane : access.lanes) {
    acquire(access, {&lane, 1});
    release(access, {&lane, 1});
  }
}

// cp.async: one record for lanes that have issued as many before.
void MemoryChecker::copy(const events::Access& access, Record record) {
  has_ledgers_ = true;
  record.kind = Record::Kind::copy;
  record.completion = {record.cta, 0, Actor::Track::copies};
  const bool is_global = access.space == Space::global;
  const auto time_of = [&](const events::LaneAddress& lane) {
    GroupLedger& copies = copies_[state_.slot(thread_of(access.warp, lane.lane))];
    return is_global ? copies.issued() + 1 : copies.issue();  // the load is told first
  };
  for (std::size_t begin = 0; begin < access.lanes.size();) {
    record.completed = time_of(access.lanes[begin]);
    std::size_t end = begin + 1;
    while (end < access.lanes.size() && next_copy(access, end) == record.completed) {
      if (!is_global) time_of(access.lanes[end]);
      ++end;
    }
    const std::uint32_t number = number_of(record, is_global);
    if (number != 0)
      touch_lanes(access, number, !is_global, access.lanes.subspan(begin, end - begin));
    begin = end;
  }
}

// The moment of the lane's copy that is about to be told.
Time MemoryChecker::next_copy(const events::Access& access, std::size_t index) const {
  return copies_[state_.slot(thread_of(access.warp, access.lanes[index].lane))].issued() + 1;
}

void MemoryChecker::touch_lanes(const events::Access& access, std::uint32_t number, bool writes,
                                std::span<const events::LaneAddress> lanes) {
  const bool is_global = access.space == Space::global;
  const auto shift = static_cast<std::uint8_t>(std::countr_zero(access.bytes));
  AccessRules rules(*this, number, is_global, writes, &access);
  const bool is_atomic = access.kind == AccessKind::atomic;
  const Touch form{.writes = writes,
                   .reads_too = is_atomic,
                   .is_strong = is_atomic || (writes && access.order.is_strong())};
  for (std::size_t begin = 0; begin < lanes.size();) {
    const events::LaneAddress& first = lanes[begin];
    const bool is_regular = std::has_single_bit(access.bytes) && shift < Mark::one_lane &&
                            first.address % access.bytes == 0;
    const std::size_t length = is_regular ? run_length(lanes, begin, access.bytes) : 1;
    const auto lane = static_cast<std::uint8_t>(first.lane);
    touch_bytes({is_global,
                 first.address,
                 length * access.bytes,
                 {number, lane, length > 1 ? shift : Mark::one_lane}},
                form, rules);
    // Lanes that read one place are remembered by the first and the last of them.
    std::size_t next = begin + length;
    if (!writes && length == 1) {
      while (next + 1 < lanes.size() && lanes[next].address == first.address &&
             lanes[next + 1].address == first.address) {
        ++next;
      }
    }
    begin = next;
  }
}

// `form`: how; its bytes and its mark are those of each block then.
void MemoryChecker::touch_bytes(const Span& span, const Touch& form, AccessRules& rules) {
  rules.begin_span(span);
  const auto touch_block = [&](Block& block, unsigned begin, unsigned end, std::uint64_t done) {
    Touch touch = form;
    touch.begin = begin;
    touch.end = end;
    touch.mark = span.mark;
    if (span.mark.shift != Mark::one_lane) {
      touch.mark.lane = static_cast<std::uint8_t>(span.mark.lane + (done >> span.mark.shift));
    }
    rules.begin_block(done - begin);
    check::touch(block, touch, rules);
  };
  if (span.is_global) {
    if (!state_.launch.neighbors.empty()) {
      check_neighbors(state_, state_.launch.records[span.mark.record], form.writes, span.address,
                      span.bytes, span.mark);
    }
    state_.launch.shadow.for_each_block(
        span.address, span.bytes,
        [&](Block& block, std::uint64_t address, unsigned begin, unsigned end) {
          touch_block(block, begin, end, address - span.address);
        });
    return;
  }
  const auto address = static_cast<std::uint32_t>(span.address);
  const std::uint32_t rank = shared_rank(address);
  const std::uint64_t offset = shared_offset(address);
  if (rank >= state_.ctas || offset + span.bytes > state_.launch.shared_bytes()) return;  // a fault
  for (std::uint64_t at = offset; at < offset + span.bytes;) {
    const auto begin = static_cast<unsigned>(at % block_bytes);
    const auto end = static_cast<unsigned>(
        std::min<std::uint64_t>(block_bytes, begin + offset + span.bytes - at));
    touch_block(shared_[rank][at / block_bytes], begin, end, at - offset);
    at += end - begin;
  }
}

void MemoryChecker::make_mbarrier(std::uint32_t address, const Deed& deed, bool lives) {
  constexpr std::uint32_t bytes = 8;
  Record record;
  record.kind = lives ? Record::Kind::mbarrier : Record::Kind::plain;
  record.rank = deed.thread.rank;
  record.cta = state_.order.cta(deed.thread.rank);
  record.cluster = state_.number;
  record.first = deed.thread.index;
  record.site = deed.site;
  record.time = deed.time;
  const std::uint32_t number = records_.add(record);
  const std::uint32_t rank = shared_rank(address);
  const std::uint32_t offset = shared_offset(address);
  if (number == 0 || rank >= state_.ctas || offset + bytes > state_.launch.shared_bytes()) return;
  Block& block = shared_[rank][offset / block_bytes];
  const unsigned begin = offset % block_bytes;
  if (lives) check_users(block, begin, begin + bytes, deed);
  if (block.cells == nullptr) block.divide(1);
  for (unsigned byte = begin; byte < begin + bytes; byte += block.granule) {
    block.cells[byte / block.granule] = {Cell::pack({number, 0}), 0, 0};
  }
}

// Who still uses as data what becomes an mbarrier.
void MemoryChecker::check_users(const Block& block, unsigned begin, unsigned end,
                                const Deed& initialization) {
  for (unsigned byte = begin; byte < end; ++byte) {
    const Touched touched = block.at(byte);
    for (const Entry& entry : {touched.write, touched.read, touched.other_read}) {
      if (entry.record != 0) check_user(entry, initialization);
    }
  }
}

void MemoryChecker::check_user(const Entry& entry, const Deed& initialization) {
  const Record& user = records_[entry.record];
  const ThreadId thread = initialization.thread;
  const auto note = [&](NoteSentence sentence) {
    return Note{sentence, user.site, state_.launch.cta(user.cta), user.thread(entry.lane), {}};
  };
  const auto finding = [&](Sentence sentence) {
    return state_.finding(sentence, initialization.site, thread, {"shared memory"});
  };
  if (user.is_async_proxy()) {
    if (state_.order.knows(thread, user.completion, user.completed)) return;
    if (user.kind == Record::Kind::store) {
      state_.report(finding(Sentence::store_source_overwritten),
                    note(NoteSentence::store_issued_here));
    } else {
      state_.report(finding(Sentence::write_during_load), note(NoteSentence::load_issued_here));
    }
    return;
  }
  if (user.kind != Record::Kind::plain || user.writes || user.rank != thread.rank) return;
  const ThreadId reader = user.thread(entry.lane);
  if (reader == thread || state_.order.has_been_read(thread, reader, user.time)) {
    return;
  }
  Finding race = state_.finding(Sentence::race_of_read, user.site, reader, {"shared memory"});
  state_.report(std::move(race),
                state_.note(NoteSentence::initialized_here, initialization.site, thread));
}

// Beyond the variable that the address is computed from: the neighbor's bytes.
void MemoryChecker::check_bounds(const SharedVariable& variable, std::uint32_t site,
                                 ThreadId thread, std::uint64_t address, std::uint64_t bytes) {
  const auto offset = std::int64_t{shared_offset(static_cast<std::uint32_t>(address))};
  const std::int64_t first = offset - variable.offset;
  if (first >= 0 && first + static_cast<std::int64_t>(bytes) <= variable.bytes) return;
  state_.report(state_.finding(Sentence::access_outside_variable, site, thread,
                               {bytes, variable.name, variable.bytes, first}));
}

void MemoryChecker::note_remote(const events::Access& access) {
  const bool is_write = access.is_async_store || writes(access.kind);
  for (const events::LaneAddress& lane : access.lanes) {
    const auto rank = shared_rank(static_cast<std::uint32_t>(lane.address));
    if (rank == access.warp.rank || rank >= state_.ctas) continue;
    const ThreadId thread = thread_of(access.warp, lane.lane);
    const Deed deed{thread, access.site, state_.order.now(thread)};
    Remote& remote = remote_[rank];
    (is_write ? remote.writes : remote.reads)[check::number_of(thread)] = deed;
    if (state_.has_ended[rank]) {
      state_.report(state_.finding(Sentence::access_outlives_cta, access.site, thread));
    } else if (!state_.order.known(thread)->done.knows_any_of(
                   state_.order.cta(static_cast<std::uint16_t>(rank)))) {
      state_.report(state_.finding(Sentence::cta_not_known_to_run, access.site, thread));
    }
  }
}

const Region* MemoryChecker::region_of(std::uint64_t address) {
  const GlobalMemory& memory = state_.launch.memory;
  if (last_region_ == nullptr || frees_ != memory.frees() || !last_region_->contains(address, 1)) {
    last_region_ = memory.find(address);
    frees_ = memory.frees();
  }
  return last_region_;
}

// --- Flags ---

void MemoryChecker::acquire(const events::Access& access,
                            std::span<const events::LaneAddress> lanes) {
  if (access.kind == AccessKind::store) return;
  if (state_.launch.facts->is_vain_question(access.site)) return;
  const bool is_global = access.space == Space::global;
  const Flags& flags = is_global ? state_.launch.flags : flags_;
  for (const events::LaneAddress& lane : lanes) {
    const ThreadId thread = thread_of(access.warp, lane.lane);
    Release found = flags.read(lane.address);
    if (!found.holds() && is_global) found = released_by_neighbor(state_.launch, lane.address);
    if (!found.holds()) continue;
    if (!access.order.acquires()) {
      expect_fence(thread, found);
    } else {
      learn(thread, found, access.order.scope);
    }
  }
}

void MemoryChecker::learn(ThreadId thread, const Release& found, Scope acquired) {
  const std::uint32_t cta = state_.order.cta(thread.rank);
  if (found.cta == cta) state_.order.learn(thread, found.near);
  const bool is_nearby = found.cluster == state_.number && acquired >= Scope::cluster;
  if (found.cta == cta || is_nearby) state_.order.learn(thread, found.nearby);
  if (found.reaches(cta, state_.number, acquired)) state_.order.learn(thread, found.knowledge);
}

void MemoryChecker::expect_fence(ThreadId thread, const Release& found) {
  has_ledgers_ = true;
  if (found.scope >= Scope::gpu && found.knowledge != nullptr) {
    state_.order.see(thread, found.knowledge);
  }
  std::vector<Release>& read = pending_[state_.slot(thread)].read;
  const auto is_same = [&](const Release& other) {
    return other.knowledge == found.knowledge && other.near == found.near &&
           other.nearby == found.nearby;
  };
  if (std::ranges::none_of(read, is_same)) read.push_back(found);
  constexpr std::size_t most = 64;  // of those who poll, the last ones count
  if (read.size() > most) read.erase(read.begin());
}

void MemoryChecker::release(const events::Access& access,
                            std::span<const events::LaneAddress> lanes) {
  if (access.kind == AccessKind::load) return;
  Flags& flags = access.space == Space::global ? state_.launch.flags : flags_;
  for (const events::LaneAddress& lane : lanes) {
    const ThreadId thread = thread_of(access.warp, lane.lane);
    Release release{nullptr, access.order.scope, state_.order.cta(thread.rank), state_.number};
    if (access.order.releases()) {
      release.knowledge = state_.order.snapshot(thread);
    } else {
      const Release& fenced = pending_[state_.slot(thread)].fenced;
      release.knowledge = fenced.knowledge;
      const Clock& by_others = state_.order.known(thread)->fenced_memory;
      const bool holds_theirs = fenced.scope >= Scope::gpu && fenced.knowledge != nullptr &&
                                fenced.knowledge->done.covers(by_others) &&
                                fenced.knowledge->fenced_memory.covers(by_others);
      if (!by_others.is_empty() && !holds_theirs) {
        const auto covered = std::make_shared<Knowledge>();
        covered->done = by_others;
        covered->fenced_memory = by_others;
        // A fence of the CTA takes what others have fenced no further than to the CTA.
        Released both;
        both.join(covered);
        if (fenced.scope >= Scope::gpu) {
          both.join(fenced.knowledge);
        } else {
          release.near = fenced.knowledge;
        }
        release.knowledge = both.all();
      } else {
        release.scope = std::min(release.scope, fenced.scope);
      }
      add_fenced_nearby(thread, access.order.scope, release);
    }
    if (!release.holds()) state_.has_loose_flags = true;
    flags.write(lane.address, release, access.kind == AccessKind::atomic);
  }
}

// What others have fenced for the CTA or the cluster, and the thread knows of. PTX ISA, "Fence-SC":
// such fences are ordered among the threads that their scopes hold.
void MemoryChecker::add_fenced_nearby(ThreadId thread, Scope flag, Release& release) const {
  const Knowledge& known = *state_.order.known(thread);
  const auto add = [](const Clock& fenced, Clock Knowledge::*clock, Known& reach) {
    if (fenced.is_empty() ||
        (reach != nullptr && reach->done.covers(fenced) && ((*reach).*clock).covers(fenced))) {
      return;
    }
    const auto covered = std::make_shared<Knowledge>();
    covered->done = fenced;
    (*covered).*clock = fenced;
    Released both;
    both.join(covered);
    both.join(reach);
    reach = both.all();
  };
  if (!known.fenced_memory_in_cta.is_empty()) {
    add(known.fenced_memory_in_cta.of([&](std::uint32_t cta) { return cta == release.cta; }),
        &Knowledge::fenced_memory_in_cta, release.near);
  }
  if (!known.fenced_memory_in_cluster.is_empty() && flag >= Scope::cluster) {
    const auto is_of_cluster = [&](std::uint32_t cta) {
      for (unsigned rank = 0; rank < state_.ctas; ++rank) {
        if (state_.order.cta(static_cast<std::uint16_t>(rank)) == cta) return true;
      }
      return false;
    };
    add(known.fenced_memory_in_cluster.of(is_of_cluster), &Knowledge::fenced_memory_in_cluster,
        release.nearby);
  }
}

void MemoryChecker::fence(const events::Fence& fence) {
  has_ledgers_ = true;
  for_each_thread(fence.warp, fence.lanes, [&](ThreadId thread) {
    Pending& pending = pending_[state_.slot(thread)];
    if (fence.order.acquires()) {
      for (const Release& read : pending.read) learn(thread, read, fence.order.scope);
      pending.read.clear();
    }
    if (fence.order.releases()) {
      pending.fenced = {state_.order.snapshot(thread), fence.order.scope,
                        state_.order.cta(thread.rank), state_.number};
    }
  });
}

// --- Groups ---

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

// --- Operations of the engine ---

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
                 bulk.bytes);
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

void MemoryChecker::end_cta(std::uint16_t rank, const Knowledge& last) {
  operations_.end_cta(rank, last.done, bulk_);
  const auto check = [&](const Deed& deed, bool is_over) {
    if (is_over || state_.reporter.is_known(Sentence::access_outlives_cta, deed.site, deed.site)) {
      return;
    }
    state_.reporter.defer(state_.finding(Sentence::access_outlives_cta, deed.site, deed.thread),
                          [this, site = deed.site] { return state_.reporter.is_blamed(site); });
  };
  for (const auto& [thread, deed] : remote_[rank].writes) {
    check(deed, last.done.knows(state_.order.actor(deed.thread), deed.time));
  }
  // Of a read it is enough to have heard: many kernels end with a relaxed barrier of the cluster.
  for (const auto& [thread, deed] : remote_[rank].reads) {
    check(deed, Order::has_heard(last, state_.order.actor(deed.thread), deed.time));
  }
}

}  // namespace tmaemu::check
