#include "emulator/check/shadow.h"

namespace tmaemu::check {
namespace {

// Asks about one of the marks of a block that the touch covers as a whole.
void meet_mark(const Mark& mark, const Mark& written, bool wrote, const Touch& touch,
               Rules& rules) {
  if (mark.record == 0 || rules.is_settled(mark.record)) return;
  const unsigned written_shift = written.record == 0 ? Mark::one_lane : written.shift;
  const unsigned step = 1u << std::min<unsigned>(
                            {mark.shift, touch.mark.shift, wrote ? Mark::one_lane : written_shift});
  for (unsigned byte = 0; byte < block_bytes; byte += step) {
    rules.meets({mark.at(byte), wrote, written.at(byte)}, touch.at(byte), byte, step);
  }
}

bool is_kept(std::uint32_t record, Rules& rules) {
  return record != 0 && rules.is_kept_write(record);
}

// Which earlier write is kept beside that of the touch: the last one, or the one that was kept
// beside that, which a weak one goes on being where the last is strong.
enum class Kept : std::uint8_t { none, last, other };
Kept kept_beside(const Touch& touch, std::uint32_t last, std::uint32_t other, bool other_wrote,
                 Rules& rules) {
  if (!touch.is_strong) return Kept::none;
  if (other_wrote && rules.is_weak_write(other) && !rules.is_weak_write(last)) return Kept::other;
  if (is_kept(last, rules)) return Kept::last;
  return other_wrote ? Kept::other : Kept::none;
}

void touch_whole(Block& block, const Touch& touch, Rules& rules) {
  const Mark mark = touch.mark;
  if (touch.reads_too) rules.comes_behind(block.write.at(0), touch.at(0), 0);
  meet_mark(block.write, block.write, true, touch, rules);
  if (touch.writes) {
    if (touch.reads_too && block.write.record == 0) rules.meets_nobody(touch.at(0), 0, block_bytes);
    meet_mark(block.read, block.write, false, touch, rules);
    const bool other_wrote = is_kept(block.other_read.record, rules);
    if (!other_wrote || rules.concerns_kept_write(block.other_read.record)) {
      meet_mark(block.other_read, block.write, other_wrote, touch, rules);
    }
    const Kept kept =
        kept_beside(touch, block.write.record, block.other_read.record, other_wrote, rules);
    block.other_read = kept == Kept::last    ? block.write
                       : kept == Kept::other ? block.other_read
                                             : Mark{};
    block.write = mark;
    block.read = {};
    return;
  }
  if (is_kept(block.other_read.record, rules)) {
    meet_mark(block.other_read, block.write, true, touch, rules);
  }
  if (block.write.record == 0) rules.meets_nobody(touch.at(0), 0, block_bytes);
  if (block.read == mark) return;
  if (block.read.record != 0 && !rules.is_settled(block.read.record) &&
      block.other_read.record == 0) {
    block.other_read = block.read;
  }
  block.read = mark;
}

// Whether a read takes the place of the one before it: then that is ordered before this one.
void remember_read(Cell& cell, std::uint32_t now, Rules& rules) {
  if (cell.read == now) return;
  if (cell.read != 0 && cell.other_read == 0 && !rules.is_settled(Cell::unpack(cell.read).record)) {
    cell.other_read = cell.read;
  }
  cell.read = now;
}

void touch_cell(Cell& cell, const Entry& now, const Touch& touch, unsigned byte, unsigned bytes,
                Rules& rules) {
  const auto meet = [&](std::uint32_t earlier, bool wrote) {
    const Entry entry = Cell::unpack(earlier);
    if (entry.record == 0 || rules.is_settled(entry.record)) return;
    rules.meets({entry, wrote, Cell::unpack(cell.write)}, now, byte, bytes);
  };
  if (touch.reads_too) rules.comes_behind(Cell::unpack(cell.write), now, byte);
  meet(cell.write, true);
  const bool reads = !touch.writes || touch.reads_too;
  if (reads && cell.write == 0) rules.meets_nobody(now, byte, bytes);
  const std::uint32_t other = Cell::unpack(cell.other_read).record;
  const bool other_wrote = is_kept(other, rules);
  if (!touch.writes) {
    if (other_wrote) meet(cell.other_read, true);
    remember_read(cell, Cell::pack(now), rules);
    return;
  }
  meet(cell.read, false);
  if (!other_wrote || rules.concerns_kept_write(other)) {
    meet(cell.other_read, other_wrote);
  }
  const Kept kept = kept_beside(touch, Cell::unpack(cell.write).record, other, other_wrote, rules);
  const std::uint32_t beside = kept == Kept::last    ? cell.write
                               : kept == Kept::other ? cell.other_read
                                                     : 0;
  cell = {Cell::pack(now), 0, beside};
}

}  // namespace

Touched Block::at(unsigned byte) const {
  if (cells == nullptr) return {write.at(byte), read.at(byte), other_read.at(byte)};
  const Cell& cell = cells[byte / granule];
  return {Cell::unpack(cell.write), Cell::unpack(cell.read), Cell::unpack(cell.other_read)};
}

void Block::divide(unsigned bytes) {
  auto divided = std::make_unique<Cell[]>(block_bytes / bytes);
  for (unsigned byte = 0; byte < block_bytes; byte += bytes) {
    const auto pack = [&](const Mark& mark) {
      return mark.record == 0 ? 0 : Cell::pack(mark.at(byte));
    };
    divided[byte / bytes] =
        cells != nullptr ? cells[byte / granule] : Cell{pack(write), pack(read), pack(other_read)};
  }
  cells = std::move(divided);
  granule = static_cast<std::uint8_t>(bytes);
}

void touch(Block& block, const Touch& touch, Rules& rules) {
  constexpr unsigned word = 4;
  const bool is_whole = touch.begin == 0 && touch.end == block_bytes;
  if (is_whole && block.cells == nullptr) return touch_whole(block, touch, rules);
  // Bytes of one word may be of several lanes.
  const bool is_in_words =
      touch.begin % word == 0 && touch.end % word == 0 && touch.mark.shift >= 2;
  const unsigned needed = is_in_words ? word : 1;
  const bool marks_fit_words =
      block.write.shift >= 2 && block.read.shift >= 2 && block.other_read.shift >= 2;
  if (block.cells == nullptr) {
    block.divide(marks_fit_words ? needed : 1);
  } else if (block.granule > needed) {
    block.divide(needed);
  }
  const unsigned granule = block.granule;
  for (unsigned byte = touch.begin; byte < touch.end; byte += granule) {
    touch_cell(block.cells[byte / granule], touch.at(byte), touch, byte, granule, rules);
  }
  if (is_whole && touch.writes) {
    block.write = touch.mark;
    block.read = block.other_read = {};
    block.cells = nullptr;
  }
}

}  // namespace tmaemu::check
