#include "emulator/check/access_rules.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "contract/findings/sentences.h"
#include "emulator/memory/address_space.h"
#include "emulator/memory/global_memory.h"
#include "emulator/model/h200.h"

namespace tmaemu::check {
namespace {

bool only_reads_shared(const PastAccess& access) {
  return access.kind == AccessKind::store || access.kind == AccessKind::product ||
         (access.kind == AccessKind::plain && !access.is_plain_write());
}

}  // namespace

AccessRules::AccessRules(const AccessContext& context, const CheckedAccess& checked)
    : context_(context),
      checked_(checked),
      history_(context.history(checked.is_global)),
      now_(history_[checked.number]),
      order_(context.order()),
      laps_(context, checked.is_global),
      is_alone_(context.state.order.is_pristine()),
      place_{checked.is_global, 0} {
  const Order& order = context.state.order;
  if (checked.lanes == nullptr || is_alone_ || order.is_of_one_mind(now_.thread(0))) return;
  const auto& lanes = checked.lanes->lanes;
  const SharedClocks& first = order.known(now_.thread(lanes.front().lane));
  is_uniform_ = std::ranges::all_of(lanes, [&](const events::LaneAddress& lane) {
    return order.known(now_.thread(lane.lane)) == first;
  });
}

bool AccessRules::is_read_by_itself(const Mark& read, const Mark& now) {
  const PastAccess& earlier = history_[read.access];
  return read.lane == now.lane && read.shift == now.shift && earlier.kind == AccessKind::plain &&
         now_.kind == AccessKind::plain && !now_.reads_map() &&
         order_.is_same_thread(earlier, 0, now_.thread(0));
}

// Of atomics, those of another CTA that nothing orders before this access; in global memory, where
// counters are read again by who came last, none.
bool AccessRules::is_kept_write(std::uint32_t access) {
  const PastAccess& earlier = history_[access];
  if (!earlier.is_plain_write()) return false;
  if (!earlier.reduces) return true;
  return !checked_.is_global && earlier.cta != now_.cta && !is_settled(access);
}

// Whether what is written now is worth being remembered as coming behind that: what an operation
// writes over anything, another operation before all, and what a warp writes again at the same
// instruction.
bool AccessRules::replaces(const PastAccess& earlier, std::uint32_t number) const {
  if (!checked_.writes || checked_.is_global || only_reads_shared(earlier)) return false;
  if (now_.is_asynchronous()) {
    return replaced_ == 0 || (earlier.is_asynchronous() && !history_[replaced_].is_asynchronous());
  }
  if (replaced_ != 0) return false;
  return now_.kind == AccessKind::plain && earlier.kind == AccessKind::plain &&
         earlier.first == now_.first && number != checked_.number &&
         context_.are_of_one_line(earlier, now_);
}

void AccessRules::note_replaced(std::uint32_t number) {
  replaced_ = number;
  context_.shared_history.set_replaced(checked_.number, number);
}

// Whether all lanes of an earlier access are known to all lanes of this one, and no proxy fence is
// asked for: then there is nothing to look at.
bool AccessRules::is_settled(std::uint32_t number) {
  const PastAccess& earlier = history_[number];
  if (earlier.follows.access != 0 && (looked_behind_ != number || looked_at_ != address_of(0))) {
    looked_behind_ = number;
    looked_at_ = address_of(0);
    meet_followed(earlier);
  }
  if (!is_uniform_ || bypasses_write(earlier)) return false;
  Settled& known = settled_[number % settled_.size()];
  if (known.access == number) return known.answer;
  if (writes_ != nullptr) collect(earlier, number);
  const bool answer = are_all_ordered(earlier);
  if (answer && replaces(earlier, number)) note_replaced(number);
  known = {number, answer};
  return answer;
}

void AccessRules::collect(const PastAccess& earlier, std::uint32_t number) {
  if (only_reads_shared(earlier) || std::ranges::find(*writes_, number) != writes_->end()) return;
  writes_->push_back(number);
}

bool AccessRules::are_all_ordered(const PastAccess& earlier) const {
  if (earlier.kind == AccessKind::mbarrier) return !checked_.writes;
  const unsigned lane = checked_.lanes == nullptr ? 0 : checked_.lanes->lanes.front().lane;
  const Clocks& clocks = *context_.state.order.known(now_.thread(lane));
  const bool needs_fence = now_.is_async_proxy() && !earlier.is_async_proxy();
  return order_.are_all_done(earlier, clocks, needs_fence, place_);
}

// Reductions do each other no harm, and memory remembers the last one; but who reads what they add
// up to has to come behind all of them, and all of them behind who wrote the first value.
void AccessRules::follows(const Accessor& writer, const Accessor& now, unsigned byte) {
  if (std::exchange(is_following_known_, true) || writer.access == 0) return;
  if (!checked_.is_new) return;  // others may see its number
  const PastAccess& before = history_[writer.access];
  PastWrite followed{address_of(byte), writer.access, writer.lane};
  if (const EngineAccess* const engine = before.of_engine(); engine && engine->is_contiguous) {
    followed.address = engine->target;
    followed.bytes = engine->bytes;
  }
  if (before.reduces) {
    // Who looks at an atomic's answer may know by it who came before: that it is the last, for
    // example.
    const bool looks = context_.state.launch.facts->is_answered(now_.site);
    if (looks || order_.is_done(before, writer.lane, now_.thread(now.lane))) {
      followed = before.follows;
    }
  }
  if (followed.access == 0) return;
  context_.history(checked_.is_global).set_followed(now.access, followed);
}

void AccessRules::meet_followed(const PastAccess& reduction) {
  // Who of the access touches the first of the bytes that it touches in the block.
  const auto meet = [&](const PastWrite& write, const Accessor& now, std::uint64_t address,
                        std::uint64_t bytes) {
    const std::uint64_t first = std::max({write.address, address_of(0), address});
    const std::uint64_t end =
        std::min({write.address + write.bytes, address_of(block_bytes), address + bytes});
    if (first >= end) return false;
    if (!(history_[write.access].reduces && now_.reduces)) {
      meets({write.by(), true, {}}, now, static_cast<unsigned>(first - address_of(0)), 1);
    }
    return true;
  };
  constexpr int most = 64;
  PastWrite write = reduction.follows;
  for (int i = 0; i < most && write.access != 0; ++i) {
    if (checked_.lanes == nullptr) {
      meet(write, span_->mark.at(0), span_->address, span_->count);
    } else {
      for (const events::LaneAddress& lane : checked_.lanes->lanes) {
        const Accessor now{checked_.number, lane.lane};
        if (meet(write, now, lane.address, checked_.lanes->bytes)) break;
      }
    }
    write = history_[write.access].follows;
  }
}

// Threads that write one value to one place do each other no harm.
bool AccessRules::writes_the_same(const Earlier& earlier, const Accessor& now) const {
  if (checked_.lanes == nullptr || checked_.lanes->values == nullptr || now_.reduces) return false;
  const auto& lanes = checked_.lanes->lanes;
  const auto index_of = [&](unsigned lane) {
    const auto found = std::ranges::find(lanes, lane, &events::LaneAddress::lane);
    return static_cast<std::size_t>(found - lanes.begin());
  };
  const std::size_t index = index_of(now.lane);
  if (index == lanes.size()) return false;
  if (earlier.by.access == checked_.number) {
    const std::size_t other = index_of(earlier.by.lane);
    if (other != lanes.size() && lanes[other].address == lanes[index].address) {
      return checked_.lanes->values->are_equal(index, other);
    }
  }
  return checked_.lanes->values->leaves_memory(index);
}

void AccessRules::meets(const Earlier& earlier, const Accessor& now, unsigned byte,
                        unsigned bytes) {
  const PastAccess& before = history_[earlier.by.access];
  if (now_.reads_map()) return;  // what it needs of earlier changes, TensorMapChecker knows
  const ThreadId thread = now_.thread(now.lane);
  if (before.kind == AccessKind::mbarrier && checks_mbarrier(before, now, byte, bytes)) return;
  if (earlier.wrote && replaces(before, earlier.by.access)) note_replaced(earlier.by.access);
  const unsigned lane = earlier.by.lane;
  const LaunchState& launch = context_.state.launch;
  if (bypasses_write(before)) {
    return context_.state.report(
        finding_of(launch, now_, now.lane, false, Sentence::read_only_load_of_written,
                   byte_at(byte)),
        note_of(launch, before, lane, NoteSentence::written_by, byte_at(byte)));
  }
  const bool are_threads = !now_.is_asynchronous() && !before.is_asynchronous();
  const bool is_same_thread = order_.is_same_thread(before, lane, thread);
  if (are_threads && is_same_thread) return;
  Conflict conflict{before, earlier.wrote, now_, checked_.writes};
  conflict.is_global = checked_.is_global;
  conflict.is_ordered =
      order_.is_done(before, lane, thread) || (before.kind == AccessKind::plain && !earlier.wrote &&
                                               order_.has_been_read(before, lane, thread));
  conflict.is_of_one_thread = is_same_thread;
  if (conflict.is_ordered && !now_.is_async_proxy()) return;
  conflict.is_issue_ordered = order_.is_issued(before, lane, thread);
  conflict.is_fenced = order_.is_fenced(before, lane, thread, place_);
  conflict.read_was_served =
      earlier.wrote ? laps_.knew_before(before, thread) : laps_.was_served(earlier, now_);
  conflict.reader_waited_behind = earlier.wrote && laps_.waits_behind(before, thread);
  conflict.is_next_lap = laps_.is_next_lap(earlier, now_, thread);
  conflict.is_poll =
      are_threads && launch.facts->is_poll(checked_.writes ? before.site : now_.site);
  const auto verdict = judge(conflict);
  if (!verdict) return;
  if (are_threads && earlier.wrote && checked_.writes && writes_the_same(earlier, now)) return;
  report_conflict(
      context_, conflict, *verdict,
      {lane, now.lane, byte_at(byte), {checked_.is_global, span_->address, span_->count}});
}

// CUDA programming guide, "Read-Only Data Cache Load Function": the data is read-only for the
// lifetime of the kernel. No barrier and no fence make the cache look again. By the letter a write
// that is ordered behind the load is forbidden, too; but nothing is lost by it, and Thrust compacts
// arrays in place so.
bool AccessRules::bypasses_write(const PastAccess& earlier) const {
  return now_.is_read_only() && (earlier.is_plain_write() || earlier.kind == AccessKind::store);
}

bool AccessRules::checks_mbarrier(const PastAccess& mbarrier, const Accessor& now, unsigned byte,
                                  unsigned bytes) {
  if (!checked_.writes || checked_.is_global) return true;
  const auto address = static_cast<std::uint32_t>(address_of(byte));
  if (context_.mbarriers.live_in(address, bytes) == nullptr) return false;
  const LaunchState& launch = context_.state.launch;
  const ReportedBytes one = byte_at(byte);
  const ReportedBytes all{false, span_->address, span_->count};
  context_.state.report(finding_of(launch, now_, now.lane, true, Sentence::mbarrier_overwritten,
                                   now_.is_async_proxy() ? all : one),
                        note_of(launch, mbarrier, 0, NoteSentence::initialized_here, one));
  return true;
}

void AccessRules::reads_unwritten(const Accessor& now, unsigned byte, unsigned bytes) {
  if (now_.reads_map()) return;
  ClusterState& state = context_.state;
  if (state.launch.facts->reads_to_write(now_.site)) return;
  if (checked_.is_global) return reads_fresh_memory(now, byte, bytes);
  if (now_.is_asynchronous()) {
    unwritten_.in_shared += bytes;
    return;
  }
  const std::uint32_t offset = shared_offset(static_cast<std::uint32_t>(address_of(byte)));
  if (offset < h200::reserved_shared_bytes_per_cta) return;
  if (state.reporter.is_known(Sentence::shared_never_written, now_.site, now_.site)) return;
  state.reporter.suspect(finding_of(state.launch, now_, now.lane, checked_.writes,
                                    Sentence::shared_never_written, byte_at(byte)));
}

// Of lanes that read less than a word each, where they do not read a whole block together, it is
// not known whether anybody has written what they read: first_fresh() looks at words.
void AccessRules::reads_unwritten_global(const BlockAccess& access) {
  constexpr unsigned word = 4;
  const unsigned bytes = access.end - access.begin;
  if (checked_.lanes->bytes < word && bytes < block_bytes) return;
  reads_unwritten(access.at(access.begin), access.begin, bytes);
}

// The bytes of global memory were not written by this launch. What a lane reads is reported where
// nobody at all has written any of it.
void AccessRules::reads_fresh_memory(const Accessor& now, unsigned byte, unsigned bytes) {
  ClusterState& state = context_.state;
  const Region* const region = context_.regions.find(address_of(byte));
  if (region == nullptr) return;
  if (checked_.lanes == nullptr) {  // what hangs over the edge of an input may be anything
    if (GlobalMemory::first_fresh(*region, address_of(byte), bytes, bytes) == 0) {
      unwritten_.in_global += bytes;
    }
    return;
  }
  const auto report = [&](unsigned lane, unsigned at) {
    state.report(finding_of(state.launch, now_, lane, checked_.writes,
                            Sentence::global_never_written, byte_at(at)));
  };
  const auto& lanes = checked_.lanes->lanes;
  const std::size_t piece = checked_.lanes->bytes;
  if (bytes < piece) {  // a part of what the lane reads
    const auto lane = std::ranges::find(lanes, now.lane, &events::LaneAddress::lane);
    if (lane == lanes.end() ||
        GlobalMemory::first_fresh(*region, lane->address, piece, piece) != 0) {
      return;
    }
    return report(now.lane, byte);
  }
  const std::size_t found = GlobalMemory::first_fresh(*region, address_of(byte), bytes, piece);
  if (found == bytes) return;
  const auto first = static_cast<unsigned>(found);
  const bool is_one_lane = span_->mark.shift == Mark::one_lane;
  report(is_one_lane ? now.lane : now.lane + (first >> span_->mark.shift), byte + first);
}

}  // namespace tmaemu::check
