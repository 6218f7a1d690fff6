#include "emulator/provenance/origins.h"

#include <algorithm>
#include <bit>
#include <span>
#include <tuple>
#include <utility>

#include "emulator/memory/address_space.h"
#include "emulator/observe/targets.h"

namespace tmaemu::provenance {
namespace {

using Kind = events::Access::Kind;

constexpr unsigned word_bytes = 4;

constexpr LaneMask all_if(LaneMask any) {
  return any != 0 ? all_lanes : 0;
}

}  // namespace

void Origins::Marks::add(const Marks& other, LaneMask lanes) {
  remote |= other.remote & lanes;
  own |= other.own & lanes;
  handed |= other.handed & lanes;
  multiplied |= other.multiplied & lanes;
  chained |= other.chained & lanes;
}

void Origins::Marks::set(const Marks& other, LaneMask lanes) {
  remote = (remote & ~lanes) | (other.remote & lanes);
  own = (own & ~lanes) | (other.own & lanes);
  handed = (handed & ~lanes) | (other.handed & lanes);
  multiplied = (multiplied & ~lanes) | (other.multiplied & lanes);
  chained = (chained & ~lanes) | (other.chained & lanes);
}

Origins::Marks Origins::Marks::of_any_lane() const {
  return {all_if(remote), all_if(own), all_if(handed), all_if(multiplied), all_if(chained)};
}

void Origins::cluster_starts() {
  ctas_.clear();
  completed_.clear();
  counted_.clear();
  begun_.clear();
  phases_ = later_phases_ = polls_ = 0;
  time_ = 0;
}

Origins::Cta& Origins::cta(std::uint32_t rank) {
  if (ctas_.size() <= rank) ctas_.resize(rank + 1);
  return ctas_[rank];
}

Origins::WarpState& Origins::warp(WarpId id) {
  Cta& its = cta(id.rank);
  if (its.warps.size() <= id.index) its.warps.resize(id.index + 1U);
  WarpState& found = its.warps[id.index];
  if (found.registers.empty()) found.registers.resize(steps_.register_count() + 1);
  return found;
}

Origins::Marks Origins::sources(const WarpState& warp, const Step& step) const {
  Marks marks;
  for (const std::uint32_t source : steps_.sources(step)) marks.add(warp.registers[source]);
  return marks;
}

void Origins::initializes(std::uint32_t mbarrier) {
  begun_[mbarrier] = completed_[mbarrier];
}

void Origins::executes(const events::Instruction& instruction) {
  const Step& step = steps_.at(instruction.site);
  if (step.asks_phase) warp(instruction.warp).has_polled = true;
  if (step.takes_registers) warp(instruction.warp).has_grown = true;
  if (step.kind == Step::Kind::other || step.kind == Step::Kind::stores) return;
  WarpState& its = warp(instruction.warp);
  Marks marks;
  if (step.kind == Step::Kind::meets) {
    marks = sources(its, step).of_any_lane();
  } else if (step.kind == Step::Kind::loads) {
    marks.own = all_lanes;  // of constant memory, if no access says otherwise
  } else {
    marks = sources(its, step);
  }
  if (step.is_of_warpgroup) marks.multiplied = all_lanes;
  for (const std::uint32_t factor : steps_.factors(step)) {
    marks.chained |= all_if(its.registers[factor].multiplied);
  }
  for (const std::uint32_t result : steps_.results(step)) {
    its.registers[result].set(marks, instruction.effective);
  }
}

template <class Visit>
void Origins::for_words(std::uint32_t shared, std::uint64_t bytes, Visit visit) {
  constexpr std::size_t page_words = std::tuple_size_v<Page>;
  std::vector<std::unique_ptr<Page>>& pages = cta(shared_rank(shared)).pages;
  const std::size_t end = (shared_offset(shared) + bytes + word_bytes - 1) / word_bytes;
  for (std::size_t word = shared_offset(shared) / word_bytes; word < end;) {
    const std::size_t number = word / page_words;
    if (pages.size() <= number) pages.resize(number + 1);
    if (pages[number] == nullptr) pages[number] = std::make_unique<Page>();
    const std::size_t page_end = std::min(end, (number + 1) * page_words);
    for (; word < page_end; ++word) visit((*pages[number])[word % page_words]);
  }
}

template <class Visit>
void Origins::for_local_words(WarpState& warp, std::uint64_t offset, std::uint64_t bytes,
                              Visit visit) {
  const std::uint64_t end = (offset + bytes + word_bytes - 1) / word_bytes;
  for (std::uint64_t word = offset / word_bytes; word < end; ++word) visit(warp.local[word]);
}

bool Origins::is_handed_over(WarpId reader, const Word& word) {
  if (word.writer == nobody || word.writer == reader.index) return false;
  const Phase& seen = warp(reader).seen;
  if (seen.number == 0 || seen.time < word.time) return false;
  if (word.barriers != cta(reader.rank).barriers) return false;
  std::uint64_t& counted = counted_[seen.mbarrier];
  if (counted < seen.number) {
    counted = seen.number;
    ++phases_;
    if (!seen.is_first) ++later_phases_;
  }
  return true;
}

void Origins::turn(WarpId reader, std::uint32_t shared, unsigned bytes) {
  if (shared_rank(shared) != reader.rank) return;
  std::uint32_t address = shared / word_bytes * word_bytes;
  for_words(shared, bytes, [&](Word& word) {
    if (!word.is_handed && !word.is_turned && is_handed_over(reader, word)) {
      word.is_turned = true;
      std::array<std::byte, word_bytes> value;
      const auto there = views_->generic_view(reader.rank).subspan(shared_offset(address));
      std::copy_n(there.begin(), word_bytes, value.begin());
      const std::int32_t turned = turned_int(turned_.key, std::bit_cast<std::int32_t>(value));
      views_->replace(address, std::as_bytes(std::span(&turned, 1)));
    }
    address += word_bytes;
  });
}

void Origins::load(WarpId reader, std::uint32_t shared, unsigned bytes, LaneMask lane,
                   Marks& marks) {
  const bool is_remote = shared_rank(shared) != reader.rank;
  for_words(shared, bytes, [&](const Word& word) {
    if (is_remote) {
      marks.remote |= lane;
      return;
    }
    if (word.is_remote) marks.remote |= lane;
    if (word.is_own) marks.own |= lane;
    if (is_handed_over(reader, word) || word.is_handed) marks.handed |= lane;
    if (word.is_multiplied) marks.multiplied |= lane;
    if (word.is_chained) marks.chained |= lane;
  });
}

void Origins::store(WarpId writer, const events::Access& access, const events::LaneAddress& lane,
                    const Marks& marks) {
  const auto shared = static_cast<std::uint32_t>(lane.address);
  if (shared_rank(shared) != writer.rank) {
    return arrives_for(writer, shared, access.bytes, true);
  }
  const LaneMask bit = LaneMask{1} << lane.lane;
  const bool adds = access.kind == Kind::atomic;
  const std::uint32_t barriers = cta(writer.rank).barriers;
  ++time_;
  for_words(shared, access.bytes, [&](Word& word) {
    const bool is_joint =
        adds && word.writer != nobody && word.barriers == barriers && word.writer != writer.index;
    word = {(marks.remote & bit) != 0 || (adds && word.is_remote),
            (marks.own & bit) != 0 || access.is_copy || (adds && word.is_own),
            (marks.handed & bit) != 0 || (adds && word.is_handed),
            (marks.multiplied & bit) != 0 || (adds && word.is_multiplied),
            (marks.chained & bit) != 0 || (adds && word.is_chained),
            is_joint ? several : writer.index,
            barriers,
            time_};
  });
}

void Origins::arrives_for(WarpId writer, std::uint32_t shared, std::uint64_t bytes, bool is_remote,
                          bool is_multiplied) {
  const std::uint32_t barriers = cta(shared_rank(shared)).barriers;
  const std::uint16_t by = writer.rank == shared_rank(shared) ? writer.index : elsewhere;
  ++time_;
  for_words(shared, bytes, [&](Word& word) {
    word = {.is_remote = is_remote,
            .is_own = !is_remote,
            .is_multiplied = is_multiplied,
            .writer = by,
            .barriers = barriers,
            .time = time_};
  });
}

void Origins::accesses_shared(const events::Access& access) {
  const Step& step = steps_.at(access.site);
  if (access.writes() && std::exchange(warp(access.warp).has_polled, false)) ++polls_;
  const Marks given = sources(warp(access.warp), step);
  const bool reads =
      access.kind == Kind::load || access.kind == Kind::matrix_load || access.kind == Kind::atomic;
  const bool is_of_matrix = access.kind == Kind::matrix_load || access.kind == Kind::matrix_store;
  Marks found;
  LaneMask lanes = 0;
  for (const events::LaneAddress& lane : access.lanes) {
    const LaneMask bit = LaneMask{1} << lane.lane;
    lanes |= bit;
    const auto address = static_cast<std::uint32_t>(lane.address);
    if (reads) {
      if (turned_.products == TurnedProducts::handed_over) turn(access.warp, address, access.bytes);
      load(access.warp, address, access.bytes, bit, found);
    }
    if (access.kind == Kind::load || access.kind == Kind::matrix_load) continue;
    store(access.warp, access, lane, is_of_matrix ? given.of_any_lane() : given);
  }
  if (!reads) return;
  if (is_of_matrix) {
    found = found.of_any_lane();
    lanes = all_lanes;
  }
  if (access.kind == Kind::atomic) found.add(given);
  for (const std::uint32_t result : steps_.results(step)) {
    warp(access.warp).registers[result].set(found, lanes);
  }
}

void Origins::accesses_local(const events::Access& access) {
  const Step& step = steps_.at(access.site);
  WarpState& its = warp(access.warp);
  const Marks given = sources(its, step);
  Marks found;
  LaneMask lanes = 0;
  for (const events::LaneAddress& lane : access.lanes) {
    const LaneMask bit = LaneMask{1} << lane.lane;
    lanes |= bit;
    for_local_words(its, lane.address, access.bytes, [&](Marks& word) {
      if (access.kind == Kind::load) return found.add(word, bit);
      // The rest of a word is still there.
      access.bytes < word_bytes ? word.add(given, bit) : word.set(given, bit);
    });
  }
  if (access.kind != Kind::load) return;
  for (const std::uint32_t result : steps_.results(step)) its.registers[result].set(found, lanes);
}

void Origins::copies_local(WarpId id, unsigned lane, std::uint32_t from, std::uint32_t to,
                           std::uint32_t bytes) {
  WarpState& its = warp(id);
  std::vector<Marks> copied;
  for_local_words(its, from, bytes, [&](const Marks& word) { copied.push_back(word); });
  std::size_t next = 0;
  for_local_words(its, to, bytes, [&](Marks& word) {
    if (next < copied.size()) word.set(copied[next++], LaneMask{1} << lane);
  });
}

void Origins::loads_global(const events::Access& access, LaneMask products) {
  if (access.is_copy) return;
  LaneMask lanes = 0;
  for (const events::LaneAddress& lane : access.lanes) lanes |= LaneMask{1} << lane.lane;
  for (const std::uint32_t result : steps_.results(steps_.at(access.site))) {
    warp(access.warp).registers[result].set({.own = lanes, .multiplied = products}, lanes);
  }
}

void Origins::issues(const events::Bulk& bulk, bool of_products) {
  switch (bulk.kind) {
    case BulkKind::global_to_shared:
      for_each_target(bulk, [&](std::uint32_t rank) {
        const std::uint32_t target = rank << cta_rank_shift | shared_offset(bulk.shared);
        arrives_for(warp_of(bulk.thread), target, bulk.bytes, false, of_products);
      });
      break;
    case BulkKind::shared_to_shared:
    case BulkKind::reduce_to_shared:
      arrives_for(warp_of(bulk.thread), bulk.target, bulk.bytes,
                  shared_rank(bulk.target) != shared_rank(bulk.shared));
      break;
    case BulkKind::shared_to_global:
    case BulkKind::reduce_to_global:
      break;
  }
}

// Of each unit that the engine reads the first word stands for all: what it multiplies was brought
// by copies, or written by threads in vectors.
void Origins::issues_product(const events::WarpgroupProduct& product) {
  Marks found;
  for (const auto units : {product.own_units, product.common_units}) {
    for (const std::uint32_t unit : units) load(product.warp, unit, word_bytes, all_lanes, found);
  }
  if (found.handed != 0 && warp(product.warp).has_grown) {
    cta(product.warp.rank).grown_warpgroups.insert(product.warp.index / warps_of_warpgroup);
  }
  for (const std::uint32_t result : steps_.results(steps_.at(product.site))) {
    warp(product.warp).registers[result].add(found);
  }
}

std::uint64_t Origins::grown_warpgroups() const {
  std::size_t most = 0;
  for (const Cta& each : ctas_) most = std::max(most, each.grown_warpgroups.size());
  return most;
}

void Origins::arrives(const events::Arrival& arrival) {
  if (arrival.completes_phase) ++completed_[arrival.mbarrier];
}

void Origins::sees_phase(const events::PhaseSeen& seen) {
  WarpState& its = warp(warp_of(seen.thread));
  // Who has waited for it has not asked.
  if (!steps_.at(seen.site).asks_without_waiting) its.has_polled = false;
  const auto found = completed_.find(seen.mbarrier);
  if (found == completed_.end()) return;  // that before the first
  const bool is_first = found->second == begun_[seen.mbarrier] + 1;
  its.seen = {seen.mbarrier, found->second, ++time_, is_first};
}

void Origins::completes_barrier(BarrierId barrier, std::uint16_t rank) {
  if (barrier.kind == BarrierId::Kind::cta) ++cta(rank).barriers;
  if (barrier.kind == BarrierId::Kind::cluster) {
    for (Cta& each : ctas_) ++each.barriers;
  }
}

Origins::Written Origins::written_by_lane(const events::Access& store, unsigned lane) {
  const Marks marks = sources(warp(store.warp), steps_.at(store.site));
  const LaneMask bit = LaneMask{1} << lane;
  return {(marks.remote & ~marks.own & bit) != 0,
          (marks.handed & bit) != 0,
          false,
          (marks.multiplied & bit) != 0,
          (marks.chained & bit) != 0,
          steps_.has_warpgroups() && ((marks.remote | marks.own | marks.handed) & bit) == 0};
}

Origins::Written Origins::written_from(ThreadId issuer, std::uint32_t shared, std::uint64_t bytes) {
  const WarpId reader = warp_of(issuer);
  bool is_remote = false;
  bool is_own = false;
  bool is_handed = false;
  bool is_handed_to_store = false;
  bool is_multiplied = false;
  bool is_chained = false;
  for_words(shared, bytes, [&](const Word& word) {
    is_remote |= word.is_remote;
    is_own |= word.is_own;
    is_handed_to_store |= is_handed_over(reader, word);
    is_handed |= word.is_handed;
    is_multiplied |= word.is_multiplied;
    is_chained |= word.is_chained;
  });
  return {is_remote && !is_own, is_handed || is_handed_to_store, is_handed_to_store, is_multiplied,
          is_chained};
}

}  // namespace tmaemu::provenance
