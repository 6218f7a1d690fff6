#include "judge/examine/other_contents.h"

#include <algorithm>

#include "judge/arrays/random.h"

namespace judge {

Tensor other_contents(const Tensor& contents) {
  Tensor other = contents;
  Random random(unforeseeable());
  const std::size_t width = size_of(contents.type);
  const std::size_t piece = contents.size() < 65'536 ? 1 : 64;
  for (std::size_t i = 0; i < contents.size(); i += piece) {
    const std::size_t count = std::min(piece, contents.size() - i);
    const std::size_t from = random.bits() % (contents.size() - count + 1);
    std::copy_n(&contents.bytes[from * width], count * width, &other.bytes[i * width]);
  }
  // One element, or all of them equal: then the first takes bits that nobody can tell from those
  // that are there. The last byte stays: a float's sign and exponent.
  if (!other.bytes.empty() && other.bytes == contents.bytes) {
    const std::size_t changed = std::max<std::size_t>(width - 1, 1);
    const std::uint64_t bits = 1 + random.bits() % ((std::uint64_t{1} << 8 * changed) - 1);
    for (std::size_t i = 0; i < changed; ++i) {
      other.bytes[i] ^= static_cast<std::byte>(bits >> 8 * i);
    }
  }
  return other;
}

}  // namespace judge
