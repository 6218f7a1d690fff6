#include "judge/random.h"

#include <algorithm>
#include <cstring>

namespace judge {

std::uint64_t derive_seed(std::uint64_t seed, std::string_view text) {
  std::uint64_t hash = seed ^ 0xCBF29CE484222325;  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  return hash;
}

std::uint64_t unforeseeable() {
  std::random_device device;
  return std::uint64_t{device()} << 32 | device();
}

void Random::fill(std::byte* to, std::size_t bytes) {
  while (bytes > 0) {
    const std::uint64_t word = bits();
    const std::size_t part = std::min(bytes, sizeof word);
    std::memcpy(to, &word, part);
    to += part;
    bytes -= part;
  }
}

std::vector<std::int32_t> Random::integers(std::size_t count) {
  std::vector<std::int32_t> drawn(count);
  for (auto& value : drawn) value = static_cast<std::int32_t>(bits() >> 33) - (1 << 30);
  return drawn;
}

std::vector<float> Random::floats(std::size_t count) {
  std::vector<float> drawn(count);
  for (auto& value : drawn) {
    value = static_cast<float>(static_cast<std::int64_t>(bits() >> 40) - (1 << 23)) / 8192.0F;
  }
  return drawn;
}

std::vector<Bfloat16> Random::any_bfloat16(std::size_t count) {
  std::vector<Bfloat16> drawn(count);
  for (auto& value : drawn) value = {static_cast<std::uint16_t>(bits())};
  return drawn;
}

std::vector<Bfloat16> Random::bfloat16(std::size_t count) {
  std::vector<Bfloat16> drawn(count);
  for (auto& value : drawn) {
    const std::uint64_t word = bits();
    const auto sign_and_fraction = static_cast<std::uint16_t>(word & 0x807F);
    const auto exponent = static_cast<std::uint16_t>(127 - 8 + (word >> 32) % 17);
    value = {static_cast<std::uint16_t>(sign_and_fraction | exponent << 7)};
  }
  return drawn;
}

}  // namespace judge
