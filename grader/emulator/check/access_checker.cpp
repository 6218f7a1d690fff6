#include "emulator/check/access_checker.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "contract/findings/sentences.h"
#include "emulator/check/neighbor_checker.h"
#include "emulator/memory/address_space.h"

namespace tmaemu::check {
namespace {

// How many of the lanes from `begin` on access bytes that follow one another.
std::size_t run_length(std::span<const events::LaneAddress> lanes, std::size_t begin,
                       unsigned bytes) {
  // Most are of a whole warp, and a loop without an exit is one that the compiler vectorizes.
  if (begin == 0 && lanes.size() == warp_size) {
    std::uint64_t differences = 0;
    for (std::size_t i = 0; i < warp_size; ++i) {
      differences |= lanes[i].address ^ (lanes[0].address + i * bytes);
    }
    if (differences == 0) return warp_size;
  }
  std::size_t end = begin + 1;
  while (end < lanes.size() && lanes[end].address == lanes[end - 1].address + bytes &&
         lanes[end].lane == lanes[end - 1].lane + 1) {
    ++end;
  }
  return end - begin;
}

// Whether two accesses of a warp at a site need not be told apart.
bool are_alike(const PastAccess& one, const PastAccess& other) {
  if (one.time != other.time || one.kind != other.kind) return false;
  return !one.is_asynchronous() ||
         (one.completion() == other.completion() && one.operation() == other.operation() &&
          one.reads_map() == other.reads_map());
}

}  // namespace

void AccessChecker::start() {
  history_.clear();
  shared_.start(state_.launch.shared_bytes());
  recent_.clear();
  recent_global_.clear();
}

PastAccess AccessChecker::begin_access(ThreadId thread, std::uint32_t site) const {
  PastAccess access;
  access.rank = thread.rank;
  access.cta = state_.order.cta(thread.rank);
  access.cluster = state_.number;
  access.first = thread.index;
  access.site = site;
  access.time = state_.order.now(thread);
  return access;
}

// Under the number of the warp's last access at this site, where that is like it. No number: there
// is no room for more.
CheckedAccess AccessChecker::remember(const PastAccess& access, bool is_global, bool writes) {
  const std::uint64_t key =
      std::uint64_t{access.rank} << 48 | std::uint64_t{access.first} << 32 | access.site;
  Recent& recent = (is_global ? recent_global_ : recent_)[key];
  const bool is_new = recent.number == 0 || !are_alike(recent.access, access);
  if (is_new) recent = {access, context_.history(is_global).add(access)};
  return {recent.number, is_new, is_global, writes, nullptr};
}

void AccessChecker::check(const PastAccess& access, const events::Access& event, bool writes,
                          std::span<const events::LaneAddress> lanes) {
  const bool is_global = event.space == events::Access::Space::global;
  CheckedAccess checked = remember(access, is_global, writes);
  if (checked.number == 0) return;
  checked.lanes = &event;
  const auto shift = static_cast<std::uint8_t>(std::countr_zero(event.bytes));
  AccessRules rules(context_, checked);
  GlobalShadow::Visited visited;
  const bool is_atomic = event.kind == events::Access::Kind::atomic;
  const BlockAccess form{.writes = writes,
                         .reads_too = is_atomic,
                         .is_strong = is_atomic || (writes && event.order.is_strong())};
  const bool has_runs = std::has_single_bit(event.bytes) && shift < Mark::one_lane;
  for (std::size_t begin = 0; begin < lanes.size();) {
    const events::LaneAddress& first = lanes[begin];
    const bool is_regular = has_runs && (first.address & (event.bytes - 1)) == 0;
    const std::size_t length = is_regular ? run_length(lanes, begin, event.bytes) : 1;
    const auto lane = static_cast<std::uint8_t>(first.lane);
    check_span({first.address,
                length * event.bytes,
                {checked.number, lane, length > 1 ? shift : Mark::one_lane}},
               form, checked, rules, visited);
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

UnwrittenBytes AccessChecker::check(const PastAccess& access, bool is_global, std::uint64_t address,
                                    std::uint64_t bytes, bool writes) {
  if (bytes == 0) return {};
  const CheckedAccess checked = remember(access, is_global, writes);
  if (checked.number == 0) return {};
  AccessRules rules(context_, checked);
  const BlockAccess form{.writes = writes, .reads_too = writes && access.reduces};
  GlobalShadow::Visited visited;
  check_span({address, bytes, {checked.number, 0, Mark::one_lane}}, form, checked, rules, visited);
  return rules.unwritten();
}

std::optional<AccessChecker::SharedReading> AccessChecker::begin_reading(const PastAccess& access) {
  const CheckedAccess checked = remember(access, false, false);
  if (checked.number == 0) return std::nullopt;
  return std::optional<SharedReading>(std::in_place, *this, checked);
}

const PastAccess* AccessChecker::writer_of(std::uint32_t address) const {
  const Block* const block = shared_.find(address);
  const std::uint32_t number =
      block == nullptr ? 0 : block->at(shared_offset(address) % block_bytes).write.access;
  return number == 0 ? nullptr : &history_[number];
}

bool AccessChecker::is_read(std::uint32_t address) const {
  const Block* const block = shared_.find(address);
  return block != nullptr && block->at(shared_offset(address) % block_bytes).read.access != 0;
}

AccessChecker::SharedReading::SharedReading(AccessChecker& accesses, const CheckedAccess& checked)
    : accesses_(accesses), checked_(checked), rules_(accesses.context_, checked) {
  rules_.collect_writes(met_writes_);
}

void AccessChecker::SharedReading::read(const UnitSet& units) {
  const std::uint32_t rank = accesses_.history_[checked_.number].rank;
  GlobalShadow::Visited nothing;
  units.for_each_run([&](std::uint32_t offset, std::uint32_t bytes) {
    accesses_.check_span(
        {rank << cta_rank_shift | offset, bytes, {checked_.number, 0, Mark::one_lane}}, {},
        checked_, rules_, nothing);
  });
}

// What was written before a reduction is asked of at its bytes.
bool AccessChecker::SharedReading::comes_behind(std::span<const std::uint32_t> accesses) {
  return std::ranges::all_of(accesses, [&](std::uint32_t number) {
    return accesses_.history_[number].follows.access == 0 && rules_.is_settled(number);
  });
}

// `form`: how; its bytes and its mark are those of each block then.
void AccessChecker::check_span(const AccessedBytes& span, const BlockAccess& form,
                               const CheckedAccess& checked, AccessRules& rules,
                               GlobalShadow::Visited& visited) {
  rules.begin_span(span);
  const bool is_global_read = checked.is_global && checked.lanes != nullptr && !form.writes;
  const auto check_block = [&](Block& block, std::uint64_t address, unsigned begin, unsigned end) {
    const std::uint64_t done = address - span.address;
    BlockAccess access = form;
    access.begin = begin;
    access.end = end;
    access.mark = span.mark;
    if (span.mark.shift != Mark::one_lane) {
      access.mark.lane = static_cast<std::uint8_t>(span.mark.lane + (done >> span.mark.shift));
    }
    rules.begin_block(done - begin);
    if (!is_global_read || !block.is_unwritten()) return access_block(block, access, rules);
    rules.reads_unwritten_global(access);
    remember_read_of_unwritten(block, access,
                               [&](std::uint32_t read) { return rules.is_read_over(read); });
  };
  if (!checked.is_global) {
    return shared_.for_each_block(static_cast<std::uint32_t>(span.address), span.count,
                                  check_block);
  }
  if (!state_.launch.neighbors.empty()) {
    visited.leave();
    check_neighbors(state_, state_.launch.accesses[checked.number], form.writes, span.address,
                    span.count, span.mark);
  }
  state_.launch.shadow.for_each_block(span.address, span.count, visited, check_block);
}

void AccessChecker::make_mbarrier(std::uint32_t address, const Action& action, bool lives) {
  PastAccess access = begin_access(action.thread, action.site);
  access.kind = lives ? AccessKind::mbarrier : AccessKind::plain;
  access.time = action.time;
  const std::uint32_t number = history_.add(access);
  if (number == 0) return;
  shared_.for_each_block(
      address, mbarrier_bytes,
      [&](Block& block, std::uint64_t /*address*/, unsigned begin, unsigned end) {
        if (lives) check_users(block, begin, end, action);
        if (block.cells == nullptr) block.divide(1);
        block.tell_cells();
        block.has_written_cells = true;
        for (unsigned byte = begin; byte < end; byte += block.granule) {
          block.cells[byte / block.granule] = {Cell::pack({number, 0}), 0, 0};
        }
      });
}

// Who still uses as data what becomes an mbarrier.
void AccessChecker::check_users(const Block& block, unsigned begin, unsigned end,
                                const Action& initialization) {
  for (unsigned byte = begin; byte < end; ++byte) {
    const LastAccesses last = block.at(byte);
    if (last.write.access != 0) check_user(last.write, true, initialization);
    for (const Accessor& reader : {last.read, last.other_read}) {
      if (reader.access != 0) check_user(reader, false, initialization);
    }
  }
}

void AccessChecker::check_user(const Accessor& user, bool wrote, const Action& initialization) {
  const PastAccess& access = history_[user.access];
  const ThreadId thread = initialization.thread;
  const ThreadId user_thread = access.thread(user.lane);
  const auto finding = [&](Sentence sentence) {
    return state_.finding(sentence, initialization.site, thread, {"shared memory"});
  };
  if (access.is_async_proxy()) {
    const Completion done = access.completion();
    if (state_.order.knows(thread, done.actor, done.time)) return;
    const auto& source = access.entry().source;
    const Sentence sentence =
        source && !wrote ? source->written_by_thread : Sentence::write_during_load;
    return state_.report(finding(sentence), {access.entry().issued_here, access.site,
                                             state_.launch.cta(access.cta), user_thread});
  }
  if (access.kind != AccessKind::plain || access.is_plain_write() || access.rank != thread.rank) {
    return;
  }
  if (user_thread == thread || state_.order.has_been_read(thread, user_thread, access.time)) {
    return;
  }
  state_.report(state_.finding(Sentence::race_of_read, access.site, user_thread, {"shared memory"}),
                state_.note(NoteSentence::initialized_here, initialization.site, thread));
}

}  // namespace tmaemu::check
