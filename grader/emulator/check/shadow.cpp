#include "emulator/check/shadow.h"

#include <algorithm>
#include <bit>

namespace tmaemu::check {
namespace {

// Asks about one of the marks of a block that the access covers as a whole.
void meet_mark(const Mark& mark, const Mark& written, bool wrote, const BlockAccess& access,
               Rules& rules) {
  if (mark.access == 0 || rules.is_settled(mark.access)) return;
  if (!wrote && rules.is_read_by_itself(mark, access.mark)) return;
  const unsigned written_shift = written.access == 0 ? Mark::one_lane : written.shift;
  const unsigned step = 1u << std::min<unsigned>({mark.shift, access.mark.shift,
                                                  wrote ? Mark::one_lane : written_shift});
  for (unsigned byte = 0; byte < block_bytes; byte += step) {
    rules.meets({mark.at(byte), wrote, written.at(byte)}, access.at(byte), byte, step);
  }
}

bool is_kept(std::uint32_t access, Rules& rules) {
  return access != 0 && rules.is_kept_write(access);
}

// Which earlier write is kept beside that of the access: the last one, or the one that was kept
// beside that, which a weak one goes on being where the last is strong.
enum class Kept : std::uint8_t { none, last, other };
Kept kept_beside(const BlockAccess& access, std::uint32_t last, std::uint32_t other,
                 bool other_wrote, Rules& rules) {
  if (!access.is_strong) return Kept::none;
  if (other_wrote && rules.is_weak_write(other) && !rules.is_weak_write(last)) return Kept::other;
  if (is_kept(last, rules)) return Kept::last;
  return other_wrote ? Kept::other : Kept::none;
}

// Whether a read makes room for another one. What is kept beside a strong write is no read, and
// stays.
auto room_by(Rules& rules) {
  return [&rules](std::uint32_t read, std::uint32_t other) {
    if (is_kept(other, rules)) return false;
    return moves_aside(read, other, [&](std::uint32_t access) { return rules.is_settled(access); });
  };
}

void access_whole(Block& block, const BlockAccess& access, Rules& rules) {
  const Mark mark = access.mark;
  if (access.reads_too) rules.follows(block.write.at(0), access.at(0), 0);
  meet_mark(block.write, block.write, true, access, rules);
  if (access.writes) {
    if (access.reads_too && block.write.access == 0)
      rules.reads_unwritten(access.at(0), 0, block_bytes);
    meet_mark(block.read, block.write, false, access, rules);
    const bool other_wrote = is_kept(block.other_read.access, rules);
    if (!other_wrote || rules.concerns_kept_write(block.other_read.access)) {
      meet_mark(block.other_read, block.write, other_wrote, access, rules);
    }
    const Kept kept =
        kept_beside(access, block.write.access, block.other_read.access, other_wrote, rules);
    block.other_read = kept == Kept::last    ? block.write
                       : kept == Kept::other ? block.other_read
                                             : Mark{};
    block.write = mark;
    block.read = {};
    return;
  }
  if (is_kept(block.other_read.access, rules)) {
    meet_mark(block.other_read, block.write, true, access, rules);
  }
  if (block.write.access == 0) rules.reads_unwritten(access.at(0), 0, block_bytes);
  remember_whole_read(block, mark, room_by(rules));
}

void access_cell(Cell& cell, const Accessor& now, const BlockAccess& access, unsigned byte,
                 unsigned bytes, Rules& rules) {
  const auto meet = [&](std::uint32_t earlier, bool wrote) {
    const Accessor entry = Cell::unpack(earlier);
    if (entry.access == 0 || rules.is_settled(entry.access)) return;
    rules.meets({entry, wrote, Cell::unpack(cell.write)}, now, byte, bytes);
  };
  if (access.reads_too) rules.follows(Cell::unpack(cell.write), now, byte);
  meet(cell.write, true);
  const bool reads = !access.writes || access.reads_too;
  if (reads && cell.write == 0) rules.reads_unwritten(now, byte, bytes);
  const std::uint32_t other = Cell::unpack(cell.other_read).access;
  const bool other_wrote = is_kept(other, rules);
  if (!access.writes) {
    if (other_wrote) meet(cell.other_read, true);
    remember_read(cell, Cell::pack(now), room_by(rules));
    return;
  }
  meet(cell.read, false);
  if (!other_wrote || rules.concerns_kept_write(other)) {
    meet(cell.other_read, other_wrote);
  }
  const Kept kept = kept_beside(access, Cell::unpack(cell.write).access, other, other_wrote, rules);
  const std::uint32_t beside = kept == Kept::last    ? cell.write
                               : kept == Kept::other ? cell.other_read
                                                     : 0;
  cell = {Cell::pack(now), 0, beside};
}

// A block was read as a whole by the access, cell by cell: whether marks can say so.
bool are_reads_whole(const Block& block) {
  const auto cells = std::span(block.cells.get(), block_bytes / block.granule);
  const auto is_read_alike = [&](const Cell& cell) {
    return cell.read == cells[0].read && cell.other_read == 0;
  };
  return std::ranges::all_of(cells, is_read_alike);
}

// Those of a block all of which was written, by few.
std::unique_ptr<Writers> find_writers(const Block& block) {
  Writers writers;
  for (unsigned i = 0; i < block_bytes / block.granule; ++i) {
    const std::uint32_t access = Cell::unpack(block.cells[i].write).access;
    if (access == 0 || !writers.add(access)) return nullptr;
  }
  return std::make_unique<Writers>(writers);
}

// A read of a block with writers. False where it comes upon a write that is to be looked at.
bool is_read_of_settled(Block& block, const BlockAccess& access, Rules& rules) {
  const bool is_settled = std::ranges::all_of(
      block.writers->accesses(), [&](std::uint32_t writer) { return rules.is_settled(writer); });
  if (is_settled) remember_whole_read(block, access.mark, room_by(rules));
  return is_settled;
}

}  // namespace

bool Writers::add(std::uint32_t access) {
  if (std::ranges::find(accesses(), access) != accesses().end()) return true;
  if (count_ == most) return false;
  accesses_[count_++] = access;
  return true;
}

LastAccesses Block::at(unsigned byte) const {
  if (cells == nullptr) return {write.at(byte), read.at(byte), other_read.at(byte)};
  const Cell& cell = cells[byte / granule];
  const Accessor writer = Cell::unpack(cell.write);
  if (writers != nullptr) return {writer, read.at(byte), other_read.at(byte)};
  return {writer, Cell::unpack(cell.read), Cell::unpack(cell.other_read)};
}

void Block::tell_cells() {
  if (writers == nullptr) return;
  writers = nullptr;
  const auto pack = [](const Mark& mark, unsigned byte) {
    return mark.access == 0 ? 0 : Cell::pack(mark.at(byte));
  };
  for (unsigned byte = 0; byte < block_bytes; byte += granule) {
    Cell& cell = cells[byte / granule];
    cell.read = pack(read, byte);
    cell.other_read = pack(other_read, byte);
  }
}

void Block::divide(unsigned bytes) {
  tell_cells();
  has_written_cells = has_written_cells || write.access != 0;
  auto divided = std::make_unique<Cell[]>(block_bytes / bytes);
  for (unsigned byte = 0; byte < block_bytes; byte += bytes) {
    const auto pack = [&](const Mark& mark) {
      return mark.access == 0 ? 0 : Cell::pack(mark.at(byte));
    };
    divided[byte / bytes] =
        cells != nullptr ? cells[byte / granule] : Cell{pack(write), pack(read), pack(other_read)};
  }
  cells = std::move(divided);
  granule = static_cast<std::uint8_t>(bytes);
}

void divide_for(Block& block, const BlockAccess& access) {
  constexpr unsigned word_shift = 2;
  block.tell_cells();
  // Bytes of one word may be of several lanes.
  const unsigned ends = access.begin | access.end;
  const unsigned shift = std::min<unsigned>(
      {word_shift, access.mark.shift, static_cast<unsigned>(std::countr_zero(ends))});
  if (block.cells == nullptr) {
    const unsigned marks = std::min<unsigned>(
        {block.write.shift, block.read.shift, block.other_read.shift, word_shift});
    block.divide(1u << std::min(shift, marks));
  } else if (block.granule > 1u << shift) {
    block.divide(1u << shift);
  }
}

void access_block(Block& block, const BlockAccess& access, Rules& rules) {
  const bool is_whole = access.begin == 0 && access.end == block_bytes;
  if (is_whole && block.cells == nullptr) return access_whole(block, access, rules);
  const bool is_whole_read = is_whole && !access.writes && access.mark.shift == Mark::one_lane;
  if (is_whole_read && block.writers != nullptr && is_read_of_settled(block, access, rules)) return;
  divide_for(block, access);
  block.has_written_cells = block.has_written_cells || access.writes;
  const unsigned granule = block.granule;
  for (unsigned byte = access.begin; byte < access.end; byte += granule) {
    access_cell(block.cells[byte / granule], access.at(byte), access, byte, granule, rules);
  }
  if (is_whole && access.writes) {
    block.write = access.mark;
    block.read = block.other_read = {};
    block.cells = nullptr;
    block.has_written_cells = false;
  }
  if (is_whole_read && are_reads_whole(block)) {
    block.writers = find_writers(block);
    block.read = access.mark;
    block.other_read = {};
  }
}

}  // namespace tmaemu::check
