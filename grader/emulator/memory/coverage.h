// Which bytes of a piece of memory something has been done to. Each counts once: whoever moves the
// same bytes again has moved no more of them.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace tmaemu {

class Coverage {
 public:
  // A bit for each 16 bytes: where the TMA engine begins is a multiple of that (PTX ISA,
  // cp.async.bulk and cp.async.bulk.tensor). Where a tensor's row ends between two of them, the
  // rest counts too.
  static constexpr std::size_t granule = 16;

  // Of memory of `size` bytes, none of which is covered. What is never covered takes no memory,
  // however large the piece is.
  explicit Coverage(std::size_t size);
  ~Coverage();
  Coverage(const Coverage&) = delete;
  Coverage& operator=(const Coverage&) = delete;

  // Covers bytes [offset, offset + size). Several host threads may be here at once.
  void add(std::size_t offset, std::size_t size);
  // But for those that `other` covers, a coverage of the same memory.
  void add_outside(const Coverage& other, std::size_t offset, std::size_t size);
  // Of these, those that `other` covers.
  void add_inside(const Coverage& other, std::size_t offset, std::size_t size);
  void remove(std::size_t offset, std::size_t size);
  // Removes them, and says how many there were.
  std::uint64_t take(std::size_t offset, std::size_t size);

  std::uint64_t bytes() const;
  bool has_any(std::size_t offset, std::size_t size) const;
  // Of these, those that are not covered.
  std::uint64_t bytes_outside(std::size_t offset, std::size_t size) const;

  // For who combines several coverages of the same memory: a bit for each 16 bytes of a block of
  // it.
  using Block = std::array<std::uint64_t, 512>;
  std::size_t block_count() const { return count_; }
  // Covers in `block`, too, what is covered here; says whether anything is.
  bool add_to(Block& block, std::size_t index) const;

 private:
  // Calls `change` with each word that these bytes have bits in, and with those bits.
  template <class Change>
  static void for_words(std::size_t offset, std::size_t size, const Change& change);
  // Nothing where no bit of the word's block was ever set.
  std::uint64_t* find(std::size_t word) const;
  std::uint64_t load(std::size_t word) const;
  void set(std::size_t word, std::uint64_t bits);
  // Says which of them were set.
  std::uint64_t clear(std::size_t word, std::uint64_t bits);

  std::size_t count_;
  std::unique_ptr<std::atomic<Block*>[]> blocks_;
};

}  // namespace tmaemu
