#include "judge/random.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

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

// An index starts anew after `period` elements: so far the type has every whole number.
template <class T, class Draw>
std::vector<T> Random::elements(std::size_t count, std::uint64_t period, Draw draw) {
  std::vector<T> made(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (data_ == InputData::random) {
      made[i] = draw(bits());
    } else {
      const std::uint64_t number = data_ == InputData::ones ? 1 : i % period;
      if constexpr (std::is_same_v<T, Bfloat16>) {
        made[i] = Bfloat16::nearest(static_cast<float>(number));
      } else {
        made[i] = static_cast<T>(number);
      }
    }
  }
  return made;
}

void Random::fill(std::byte* to, std::size_t bytes) {
  if (data_ != InputData::random) {
    for (std::size_t i = 0; i < bytes; ++i) {
      to[i] = static_cast<std::byte>(data_ == InputData::ones ? 1 : i);
    }
    return;
  }
  while (bytes > 0) {
    const std::uint64_t word = bits();
    const std::size_t part = std::min(bytes, sizeof word);
    std::memcpy(to, &word, part);
    to += part;
    bytes -= part;
  }
}

std::vector<std::int32_t> Random::integers(std::size_t count) {
  return elements<std::int32_t>(count, std::uint64_t{1} << 30, [](std::uint64_t word) {
    return static_cast<std::int32_t>(word >> 33) - (1 << 30);
  });
}

std::vector<float> Random::floats(std::size_t count) {
  return elements<float>(count, std::uint64_t{1} << 24, [](std::uint64_t word) {
    return static_cast<float>(static_cast<std::int64_t>(word >> 40) - (1 << 23)) / 8192.0F;
  });
}

std::vector<float> Random::whole_floats(std::size_t count) {
  return elements<float>(
      count, 2048, [](std::uint64_t word) { return static_cast<float>(word >> 52) - 2048.0F; });
}

std::vector<Bfloat16> Random::any_bfloat16(std::size_t count) {
  return elements<Bfloat16>(
      count, 256, [](std::uint64_t word) { return Bfloat16{static_cast<std::uint16_t>(word)}; });
}

std::vector<Bfloat16> Random::bfloat16(std::size_t count) {
  return elements<Bfloat16>(count, 256, [](std::uint64_t word) {
    const auto sign_and_fraction = static_cast<std::uint16_t>(word & 0x807F);
    const auto exponent = static_cast<std::uint16_t>(127 - 8 + (word >> 32) % 17);
    return Bfloat16{static_cast<std::uint16_t>(sign_and_fraction | exponent << 7)};
  });
}

}  // namespace judge
