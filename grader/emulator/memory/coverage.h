// Which bytes of a piece of memory something has been done to. Each counts once: whoever moves the
// same bytes again has moved no more of them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>

namespace tmaemu {

class Coverage {
 public:
  // A bit for each 16 bytes: where the TMA engine begins is a multiple of that (PTX ISA,
  // cp.async.bulk and cp.async.bulk.tensor). Where a tensor's row ends between two of them, the
  // rest counts too.
  static constexpr std::size_t granule = 16;

  // Of memory of `size` bytes, none of which is covered.
  explicit Coverage(std::size_t size);

  // Covers bytes [offset, offset + size). Several host threads may be here at once.
  void add(std::size_t offset, std::size_t size);
  // But for those that `other` covers, a coverage of the same memory.
  void add_outside(const Coverage& other, std::size_t offset, std::size_t size);
  // Of these, those that `other` covers.
  void add_inside(const Coverage& other, std::size_t offset, std::size_t size);
  void remove(std::size_t offset, std::size_t size);
  void remove_outside(const Coverage& other, std::size_t offset, std::size_t size);
  // Removes them, and says how many there were.
  std::uint64_t take(std::size_t offset, std::size_t size);

  // What `other`, a coverage of the same memory, covers.
  void add_all(const Coverage& other);
  void remove_all(const Coverage& other);

  std::uint64_t bytes() const;
  // Of these, those that are not covered.
  std::uint64_t bytes_outside(std::size_t offset, std::size_t size) const;

 private:
  // Calls `change` with each word that these bytes have bits in, and with those bits.
  template <class Change>
  static void for_words(std::size_t offset, std::size_t size, const Change& change);

  struct Freed {
    void operator()(std::uint64_t* words) const { std::free(words); }
  };
  // Of calloc: what is never covered takes no memory, however large the piece is.
  std::unique_ptr<std::uint64_t[], Freed> words_;
  std::span<std::uint64_t> covered_;
};

}  // namespace tmaemu
