#include "judge/arrays/random.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

namespace judge {
namespace {

float ordinary_float(std::uint64_t word) {
  return static_cast<float>(static_cast<std::int64_t>(word >> 40) - (1 << 23)) / 8192.0F;
}

float special_float(std::uint64_t word, Subnormals subnormals) {
  constexpr std::uint32_t infinity = 0x7F80'0000;
  constexpr std::uint32_t exponent_unit = 0x0080'0000;
  const auto sign = static_cast<std::uint32_t>(word) & 0x8000'0000;
  const auto fraction = static_cast<std::uint32_t>(word) & (exponent_unit - 1);
  const auto exponent = static_cast<std::uint32_t>(1 + (word >> 40) % 254);
  switch ((word >> 32) % 6) {
    case 0:
      return std::bit_cast<float>(sign | infinity);
    case 1:
      return std::bit_cast<float>(sign | infinity | fraction | 1);
    case 2:
      return std::bit_cast<float>(sign);
    case 3:
      return std::bit_cast<float>(sign | (infinity - 1));
    case 4:
      if (subnormals == Subnormals::drawn) return std::bit_cast<float>(sign | fraction);
      [[fallthrough]];
    default:
      return std::bit_cast<float>(sign | exponent * exponent_unit | fraction);
  }
}

}  // namespace

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
  return elements<float>(count, std::uint64_t{1} << 24, ordinary_float);
}

std::vector<float> Random::any_floats(std::size_t count, Subnormals subnormals) {
  return elements<float>(count, std::uint64_t{1} << 24, [&](std::uint64_t word) {
    return word % 8 == 0 ? special_float(bits(), subnormals) : ordinary_float(word);
  });
}

std::vector<float> Random::whole_floats(std::size_t count, float unit) {
  return elements<float>(count, 2048, [=](std::uint64_t word) {
    return unit * (static_cast<float>(word >> 52) - 2048.0F);
  });
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

std::vector<Bfloat16> Random::whole_bfloat16(std::size_t count, int limit, float unit) {
  const auto most = static_cast<std::uint64_t>(limit);
  return elements<Bfloat16>(count, most + 1, [&](std::uint64_t word) {
    const auto drawn = static_cast<int>(word % (2 * most + 1)) - limit;
    return Bfloat16::nearest(unit * static_cast<float>(drawn));
  });
}

}  // namespace judge
