// Who wrote each byte of a memory last, and when. Most writes are of whole words, so a word is
// divided into its bytes only where they were written apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "emulator/model/ids.h"
#include "emulator/order/vector_clock.h"

namespace tmaemu {

class LastWrites {
 public:
  struct Write {
    ThreadId writer;
    Epoch epoch = 0;
    bool operator==(const Write&) const = default;
  };

  // Of memory of so many bytes, a multiple of a word; nothing is kept before.
  void make_room(std::size_t bytes);
  bool has_room() const { return !words_.empty(); }

  void set(std::size_t offset, std::size_t bytes, const Write& write);

  const Write& at(std::size_t byte) const {
    const std::size_t word = byte / word_bytes;
    return is_divided(word) ? bytes_[byte] : words_[word];
  }
  // The first byte behind `begin`, and `end` at most, that the write at `begin` has not left.
  std::size_t end_of_run(std::size_t begin, std::size_t end) const;

 private:
  static constexpr std::size_t word_bytes = 4;

  bool is_divided(std::size_t word) const { return !bytes_.empty() && is_divided_[word]; }
  void divide(std::size_t word);

  std::vector<Write> words_;
  std::vector<bool> is_divided_;  // words of which the bytes have their own
  std::vector<Write> bytes_;      // empty before the first one is divided
};

}  // namespace tmaemu
