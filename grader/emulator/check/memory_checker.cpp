#include "emulator/check/memory_checker.h"

#include <algorithm>
#include <bit>

#include "emulator/check/access_rules.h"
#include "emulator/check/lanes.h"
#include "emulator/check/neighbor_checker.h"
#include "emulator/memory/address_space.h"

namespace tmaemu::check {
namespace {

using Space = events::Access::Space;
using AccessKind = events::Access::Kind;

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

MemoryChecker::MemoryChecker(ClusterState& state, MbarrierChecker& mbarriers, FlagChecker& flags)
    : state_(state),
      mbarriers_(mbarriers),
      flags_(flags),
      shared_(state.ctas),
      bulk_(state.thread_count()),
      copies_(state.thread_count()),
      operations_(state, mbarriers),
      remote_(state) {}

void MemoryChecker::start() {
  records_.clear();
  const std::size_t blocks = (state_.launch.shared_bytes() + block_bytes - 1) / block_bytes;
  for (std::vector<Block>& shared : shared_) {
    shared.clear();
    shared.resize(blocks);
  }
  if (has_ledgers_) {
    std::ranges::fill(bulk_, GroupLedger{});
    std::ranges::fill(copies_, GroupLedger{});
    operations_.start();
    has_ledgers_ = false;
  }
  served_late_.clear();
  remote_.start();
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
  if (access.is_async_store) return remote_.access(access);
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
  record.writes = access.writes();
  record.is_of_warp = access.kind == AccessKind::map_copy;
  record.is_read_only = is_global && state_.launch.facts->is_read_only_load(access.site);
  if (!is_global) {
    remote_.access(access);
    const SharedVariable* const variable = state_.launch.facts->variable(access.site);
    if (variable != nullptr && !access.is_copy) {
      for (const events::LaneAddress& lane : access.lanes) {
        check_bounds(*variable, access.site, thread_of(access.warp, lane.lane), lane.address,
                     access.bytes, Sentence::access_outside_variable);
      }
    }
  }
  if (access.is_copy) return copy(access, record);
  if (access.order.is_strong()) flags_.comes_upon(access);
  const std::uint32_t number = number_of(record, is_global);
  if (number == 0) return;
  touch_lanes(access, number, access.writes(), access.lanes);
  if (access.order.is_strong()) flags_.leaves(access);
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
                                 ThreadId thread, std::uint64_t address, std::uint64_t bytes,
                                 Sentence sentence) {
  const auto offset = std::int64_t{shared_offset(static_cast<std::uint32_t>(address))};
  const std::int64_t first = offset - variable.offset;
  if (first >= 0 && first + static_cast<std::int64_t>(bytes) <= variable.bytes) return;
  state_.report(
      state_.finding(sentence, site, thread, {bytes, variable.name, variable.bytes, first}));
}

const Region* MemoryChecker::region_of(std::uint64_t address) {
  const GlobalMemory& memory = state_.launch.memory;
  if (last_region_ == nullptr || frees_ != memory.frees() || !last_region_->contains(address, 1)) {
    last_region_ = memory.find(address);
    frees_ = memory.frees();
  }
  return last_region_;
}

void MemoryChecker::end_cta(std::uint16_t rank, const Knowledge& last) {
  operations_.end_cta(rank, last[View::done], bulk_);
  remote_.end_cta(rank, last);
}

}  // namespace tmaemu::check
