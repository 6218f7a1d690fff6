#include "emulator/check/neighbor_checker.h"

#include <array>

#include "common/hexadecimal.h"

namespace tmaemu::check {
namespace {

constexpr unsigned word = 4;

struct Meeting {
  const PastLaunch& launch;
  const Record& before;
  unsigned before_lane;
  bool wrote;
  const Record& now;
  unsigned lane;
  bool writes;
  std::uint64_t address;
};

// Atomics and strong accesses of the whole GPU are no race wherever they come from.
bool is_harmless(const Meeting& m) {
  if (!m.wrote && !m.writes) return true;
  if (m.before.kind == Record::Kind::mbarrier) return true;
  if (m.before.reduces && m.now.reduces) return true;
  return m.before.order.is_strong() && m.now.order.is_strong() &&
         m.before.order.scope >= Scope::gpu && m.now.order.scope >= Scope::gpu;
}

Sentence sentence_of(const Meeting& m) {
  if (m.wrote && m.before.kind == Record::Kind::store) return Sentence::store_of_earlier_launch;
  return m.writes ? Sentence::write_beside_earlier_launch : Sentence::read_beside_earlier_launch;
}

void report(ClusterState& state, const Meeting& m) {
  const ThreadId thread = m.now.thread(m.lane);
  Finding finding = state.finding(sentence_of(m), m.now.site, thread,
                                  {"global address " + common::hexadecimal(m.address)});
  Note note{
      m.wrote ? NoteSentence::written_by_earlier_launch : NoteSentence::read_by_earlier_launch,
      m.before.site, m.launch.cta(m.before.cta), m.before.thread(m.before_lane)};
  note.launch = m.launch.number;
  state.report(std::move(finding), std::move(note));
}

}  // namespace

void check_neighbors(ClusterState& state, const Record& now, bool writes, std::uint64_t address,
                     std::uint64_t bytes, const Mark& mark) {
  for (const Neighbor& neighbor : state.launch.neighbors) {
    const PastLaunch& launch = *neighbor.launch;
    GlobalShadow& shadow = launch.global->shadow;
    if (!shadow.has_page_of(address) && !shadow.has_page_of(address + bytes - 1)) continue;
    std::uint64_t done = 0;
    shadow.for_each_block(address, bytes, [&](Block& block, unsigned begin, unsigned end) {
      for (unsigned byte = begin; byte < end; byte = (byte / word + 1) * word) {
        const std::uint64_t from_start = done + (byte - begin);
        const unsigned lane = mark.at(static_cast<unsigned>(from_start)).lane;
        if (neighbor.ends_at_wait && state.order.knows(now.thread(lane), earlier_launches, 1)) {
          continue;
        }
        const auto meet = [&](const Entry& entry, bool wrote) {
          if (entry.record == 0) return;
          const Record& before = launch.global->records[entry.record];
          const Meeting meeting{launch, before, entry.lane, wrote || before.writes,
                                now,    lane,   writes,     address + from_start};
          if (!is_harmless(meeting)) report(state, meeting);
        };
        if (block.cells != nullptr) {
          const Cell& cell = block.cells[byte / block.granule];
          meet(Cell::unpack(cell.write), true);
          meet(Cell::unpack(cell.read), false);
          meet(Cell::unpack(cell.other_read), false);
        } else {
          meet(block.write.at(byte), true);
          meet(block.read.at(byte), false);
          meet(block.other_read.at(byte), false);
        }
      }
      done += end - begin;
    });
  }
}

}  // namespace tmaemu::check
