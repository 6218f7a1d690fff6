#include "emulator/check/neighbor_checker.h"

#include <algorithm>
#include <set>

#include "common/hexadecimal.h"
#include "contract/findings/sentences.h"

namespace tmaemu::check {
namespace {

constexpr unsigned word = 4;

struct Meeting {
  const PastLaunch& launch;
  bool is_outrun;
  const PastAccess& before;
  unsigned before_lane;
  bool wrote;
  const PastAccess& now;
  unsigned lane;
  bool writes;
  std::uint64_t address;
};

// Atomics and strong accesses of the whole GPU are no race wherever they come from.
bool is_harmless(const Meeting& m) {
  if (!m.wrote && !m.writes) return true;
  if (m.before.kind == AccessKind::mbarrier) return true;
  if (m.before.reduces && m.now.reduces) return true;
  const MemoryOrder before = m.before.order();
  const MemoryOrder now = m.now.order();
  return before.is_strong() && now.is_strong() && before.scope >= Scope::gpu &&
         now.scope >= Scope::gpu;
}

Sentence sentence_of(const Meeting& m) {
  if (m.wrote && m.before.kind == AccessKind::store) {
    return m.is_outrun ? Sentence::store_of_outrun_launch : Sentence::store_of_earlier_launch;
  }
  if (m.is_outrun) return Sentence::use_beside_outrun_launch;
  return m.writes ? Sentence::write_beside_earlier_launch : Sentence::read_beside_earlier_launch;
}

void report(ClusterState& state, const Meeting& m) {
  const ThreadId thread = m.now.thread(m.lane);
  Finding finding = state.finding(sentence_of(m), m.now.site, thread,
                                  {state.launch.places.global(state.launch.memory, m.address)});
  Note note{
      m.wrote ? NoteSentence::written_by_earlier_launch : NoteSentence::read_by_earlier_launch,
      m.before.site, m.launch.cta(m.before.cta), m.before.thread(m.before_lane)};
  note.launch = m.launch.number;
  state.report(std::move(finding), std::move(note));
}

using Use = StreamedBytes::Use;

// "global address 0x58..." and what is done with it.
Finding finding_beside(Use use, const PastAccess& access, unsigned lane, const Dimensions& cta,
                       std::uint64_t address) {
  Finding finding{Sentence::access_beside_copy,
                  {"global address " + common::hexadecimal(address)},
                  access.site,
                  cta,
                  access.thread(lane)};
  switch (use) {
    case Use::read:
      finding.values.emplace_back("read");
      break;
    case Use::written:
      finding.values.emplace_back("written");
      break;
    case Use::allocated:
      finding.sentence = Sentence::access_beside_allocation;
      break;
    case Use::freed:
      finding.sentence = Sentence::access_beside_free;
      break;
  }
  return finding;
}

void check_use(ClusterState& state, const PastAccess& now, bool writes, std::uint64_t address,
               std::uint64_t bytes, unsigned lane, const StreamedBytes& used) {
  if (!writes && used.use == Use::read) return;
  const std::uint64_t first = std::max(address, used.address);
  if (first >= std::min(address + bytes, used.address + used.bytes)) return;
  state.report(finding_beside(used.use, now, lane, state.launch.cta(now.cta), first));
}

// A launch and bytes that are used beside it; `reported`: the launch's sites that were reported of.
void check_piece(const PastLaunch& launch, const StreamedBytes& used,
                 std::set<std::uint32_t>& reported, FindingSink& sink) {
  launch.global->shadow.for_each_touched_block(
      used.address, used.bytes,
      [&](const Block& block, std::uint64_t address, unsigned begin, unsigned end) {
        for (unsigned byte = begin; byte < end; byte += word) {
          const LastAccesses touched = block.at(byte);
          for (const Accessor& entry : {touched.write, touched.read}) {
            if (entry.access == 0) continue;
            const PastAccess& access = launch.global->accesses[entry.access];
            const bool writes = access.is_plain_write() || access.kind == AccessKind::store;
            if ((!writes && used.use == Use::read) || !reported.insert(access.site).second)
              continue;
            sink.report(finding_beside(used.use, access, entry.lane, launch.cta(access.cta),
                                       address + (byte - begin)));
          }
        }
      });
}

}  // namespace

void check_uses(const PastLaunch& launch, std::span<const StreamedBytes> used, FindingSink& sink) {
  std::set<std::uint32_t> reported;
  for (const StreamedBytes& bytes : used) check_piece(launch, bytes, reported, sink);
}

Release released_by_neighbor(const LaunchState& launch, std::uint64_t address) {
  for (std::size_t i = 0; i < launch.neighbors.size(); ++i) {
    const PastLaunch* const past = launch.neighbors[i].launch.get();
    if (past == nullptr) continue;
    const Release released = past->global->flags.read(address);
    if (released.clocks == nullptr) continue;
    const auto clocks = std::make_shared<Clocks>();
    (*clocks)[View::done].add(neighbor_actor(i), 1);
    constexpr std::uint32_t elsewhere = ~std::uint32_t{0};
    return {clocks, released.scope, elsewhere, elsewhere};
  }
  return {};
}

void check_neighbors(ClusterState& state, const PastAccess& now, bool writes, std::uint64_t address,
                     std::uint64_t bytes, const Mark& mark) {
  for (std::size_t i = 0; i < state.launch.neighbors.size(); ++i) {
    const Neighbor& neighbor = state.launch.neighbors[i];
    if (neighbor.launch == nullptr) {
      check_use(state, now, writes, address, bytes, mark.lane, neighbor.bytes);
      continue;
    }
    const PastLaunch& launch = *neighbor.launch;
    const auto check_block = [&](const Block& block, std::uint64_t first, unsigned begin,
                                 unsigned end) {
      for (unsigned byte = begin; byte < end; byte = (byte / word + 1) * word) {
        const std::uint64_t at = first + (byte - begin);
        // A mark tells lanes apart within one block; what one lane accesses may be larger.
        const unsigned lane = mark.shift == Mark::one_lane
                                  ? mark.lane
                                  : mark.at(static_cast<unsigned>(at - address)).lane;
        if (neighbor.ends_at_wait && state.order.knows(now.thread(lane), earlier_launches, 1)) {
          continue;
        }
        if (state.order.knows(now.thread(lane), neighbor_actor(i), 1)) continue;
        const auto meet = [&](const Accessor& entry, bool wrote) {
          if (entry.access == 0) return;
          const PastAccess& before = launch.global->accesses[entry.access];
          const Meeting meeting{launch,
                                neighbor.is_outrun,
                                before,
                                entry.lane,
                                wrote || before.is_plain_write(),
                                now,
                                lane,
                                writes,
                                at};
          if (!is_harmless(meeting)) report(state, meeting);
        };
        const LastAccesses touched = block.at(byte);
        meet(touched.write, true);
        meet(touched.read, false);
        meet(touched.other_read, false);
      }
    };
    launch.global->shadow.for_each_touched_block(address, bytes, check_block);
  }
}

}  // namespace tmaemu::check
