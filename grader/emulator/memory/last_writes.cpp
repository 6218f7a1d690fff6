#include "emulator/memory/last_writes.h"

#include <algorithm>

namespace tmaemu {

void LastWrites::make_room(std::size_t bytes) {
  words_.resize(bytes / word_bytes);
}

void LastWrites::divide(std::size_t word) {
  if (bytes_.empty()) {
    bytes_.resize(words_.size() * word_bytes);
    is_divided_.resize(words_.size());
  }
  if (is_divided_[word]) return;
  is_divided_[word] = true;
  std::fill_n(bytes_.begin() + static_cast<std::ptrdiff_t>(word * word_bytes), word_bytes,
              words_[word]);
}

void LastWrites::set(std::size_t offset, std::size_t bytes, const Write& write) {
  const std::size_t end = offset + bytes;
  for (std::size_t at = offset; at < end;) {
    const std::size_t word = at / word_bytes;
    const std::size_t word_end = (word + 1) * word_bytes;
    if (at % word_bytes == 0 && word_end <= end) {
      words_[word] = write;
      if (!bytes_.empty()) is_divided_[word] = false;
      at = word_end;
      continue;
    }
    divide(word);
    for (; at < std::min(word_end, end); ++at) bytes_[at] = write;
  }
}

std::size_t LastWrites::end_of_run(std::size_t begin, std::size_t end) const {
  const Write& write = at(begin);
  std::size_t byte = begin;
  do {
    const std::size_t word = byte / word_bytes;
    byte = is_divided(word) ? byte + 1 : (word + 1) * word_bytes;
  } while (byte < end && at(byte) == write);
  return std::min(byte, end);
}

}  // namespace tmaemu
