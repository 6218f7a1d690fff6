// What the checker remembers of each byte of memory: the last write, and up to two reads since that
// nothing orders.
//
// Memory is remembered in blocks of 128 bytes. Where the lanes of a warp, or the engine, access a
// block as a whole and in order, three marks say all of it; else it has cells, one for each word or
// for each byte. A tile that threads have filled piece by piece is often read as a whole, again and
// again: then marks say who reads, and of the writes it is enough to know whose they are.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "emulator/check/past_access.h"

namespace tmaemu::check {

inline constexpr unsigned block_bytes = 128;

// Who accessed the bytes of a block: one lane all of them, or each lane 2^shift of them, in order.
struct Mark {
  static constexpr std::uint8_t one_lane = 7;

  std::uint32_t access = 0;  // 0: nobody
  std::uint8_t lane = 0;     // of the first byte
  std::uint8_t shift = one_lane;

  Accessor at(unsigned byte) const { return {access, lane + (byte >> shift)}; }
  bool operator==(const Mark&) const = default;
};

// An access and a lane in 32 bits.
struct Cell {
  std::uint32_t write = 0;
  std::uint32_t read = 0;
  std::uint32_t other_read = 0;

  static std::uint32_t pack(const Accessor& entry) { return entry.access << 5 | entry.lane; }
  static Accessor unpack(std::uint32_t bits) { return {bits >> 5, bits & 31}; }
  bool operator==(const Cell&) const = default;
};

// What is remembered of a byte.
struct LastAccesses {
  Accessor write, read, other_read;
};

// The accesses that have written the bytes of a block, each once.
class Writers {
 public:
  static constexpr unsigned most = 4;

  // False where there are too many.
  bool add(std::uint32_t access);
  std::span<const std::uint32_t> accesses() const { return {accesses_.data(), count_}; }

 private:
  std::array<std::uint32_t, most> accesses_{};
  std::uint8_t count_ = 0;
};

struct Block {
  Mark write, read, other_read;
  std::unique_ptr<Cell[]> cells;  // null: the marks say all
  // Of a block with cells: who wrote them all, and `read` and `other_read` say who has read them
  // since. Null: the cells say that.
  std::unique_ptr<Writers> writers;
  std::uint8_t granule = 0;        // bytes that a cell stands for: 1, 2 or 4
  bool has_written_cells = false;  // there may be some

  LastAccesses at(unsigned byte) const;
  bool is_unwritten() const { return !has_written_cells && write.access == 0; }
  // One cell for each `bytes` bytes, which say all.
  void divide(unsigned bytes);
  // Has the cells say all, where the block has cells.
  void tell_cells();
};

// An access to bytes [begin, end) of a block.
struct BlockAccess {
  unsigned begin = 0;
  unsigned end = block_bytes;
  Mark mark = {};  // mark.lane is that of the byte at `begin`
  bool writes = false;
  bool reads_too = false;  // an atomic or a reduction: it must not be the first to write
  bool is_strong = false;  // and writes: the write that it comes behind is kept beside it
  Accessor at(unsigned byte) const { return mark.at(byte - begin); }
};

// An earlier access to the same bytes.
struct Earlier {
  Accessor by;
  bool wrote = false;
  Accessor written_by;  // who wrote the bytes last, where it read
};

// The rules. `meets` is asked for each earlier access that this one comes upon.
class Rules {
 public:
  virtual void meets(const Earlier& earlier, const Accessor& now, unsigned byte,
                     unsigned bytes) = 0;
  // Whether every lane of the earlier access is ordered before this one, as far as that is known
  // without looking at each; what it answers is remembered for as long as one access lasts.
  virtual bool is_settled(std::uint32_t access) = 0;
  // Whether, by the marks, each lane comes upon what it has read itself: then meets() is not asked.
  virtual bool is_read_by_itself(const Mark& read, const Mark& now) = 0;
  // Whether the access is a write that is kept beside a strong one that comes behind it. Strong
  // accesses do each other no harm, but may well do some to a plain write that another strong one
  // came behind; and who reads plainly has to come behind all of them, not only behind the last.
  virtual bool is_kept_write(std::uint32_t access) = 0;
  // Whether a kept one goes on being kept where another could be in its place.
  virtual bool is_weak_write(std::uint32_t access) = 0;
  // Whether one that is kept concerns the access.
  virtual bool concerns_kept_write(std::uint32_t access) = 0;
  // The first thing that is asked of a reduction, at the first byte: who wrote it last, which
  // memory remembers no more from now on; nobody, perhaps.
  virtual void follows(const Accessor& writer, const Accessor& now, unsigned byte) = 0;
  // Bytes are read that nobody wrote.
  virtual void reads_unwritten(const Accessor& now, unsigned byte, unsigned bytes) = 0;

 protected:
  ~Rules() = default;
};

// Asks the rules about what the access comes upon, and remembers it.
void access_block(Block& block, const BlockAccess& access, Rules& rules);

// Has the block cells that an access, which does not cover it as marks would, can be told in.
void divide_for(Block& block, const BlockAccess& access);

// Whether a read takes the second place, as another one takes its own: nobody is ordered behind it,
// and the second place is free, or its read is over.
template <class IsOver>
bool moves_aside(std::uint32_t read, std::uint32_t other, IsOver is_over) {
  return read != 0 && !is_over(read) && (other == 0 || is_over(other));
}

// Remembers a read of a whole block without cells. makes_room(read, other) says whether the read
// before takes the second place.
template <class MakesRoom>
void remember_whole_read(Block& block, const Mark& mark, MakesRoom makes_room) {
  if (block.read == mark) return;
  if (makes_room(block.read.access, block.other_read.access)) block.other_read = block.read;
  block.read = mark;
}
// The same of a cell.
template <class MakesRoom>
void remember_read(Cell& cell, std::uint32_t now, MakesRoom makes_room) {
  if (cell.read == now) return;
  if (makes_room(Cell::unpack(cell.read).access, Cell::unpack(cell.other_read).access)) {
    cell.other_read = cell.read;
  }
  cell.read = now;
}

// Remembers a read of what nobody has written: what kernels do most, and where nothing but reads
// can be met. is_over(access) says whether all lanes of an earlier read are ordered before it.
template <class IsOver>
void remember_read_of_unwritten(Block& block, const BlockAccess& access, IsOver is_over) {
  const auto makes_room = [&](std::uint32_t read, std::uint32_t other) {
    return moves_aside(read, other, is_over);
  };
  if (access.begin == 0 && access.end == block_bytes && block.cells == nullptr) {
    return remember_whole_read(block, access.mark, makes_room);
  }
  divide_for(block, access);
  const unsigned granule = block.granule;
  for (unsigned byte = access.begin; byte < access.end; byte += granule) {
    remember_read(block.cells[byte / granule], Cell::pack(access.at(byte)), makes_room);
  }
}

}  // namespace tmaemu::check
