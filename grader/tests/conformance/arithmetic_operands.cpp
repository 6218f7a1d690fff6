#include "tests/conformance/arithmetic_operands.h"

#include <algorithm>
#include <bit>
#include <random>
#include <span>

#include "tests/conformance/arithmetic_kernel.h"

namespace conformance {
namespace {

using Generator = std::mt19937_64;

std::uint64_t ones(unsigned bits) {
  return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}

struct Format {
  unsigned exponent_bits, fraction_bits;
  unsigned width() const { return 1 + exponent_bits + fraction_bits; }
  std::uint64_t bias() const { return ones(exponent_bits - 1); }
  std::uint64_t infinity() const { return ones(exponent_bits) << fraction_bits; }
  std::uint64_t sign() const { return std::uint64_t{1} << (width() - 1); }
  // 2^exponent.
  std::uint64_t power(int exponent) const {
    return static_cast<std::uint64_t>(static_cast<int>(bias()) + exponent) << fraction_bits;
  }
  std::uint64_t quiet() const { return std::uint64_t{1} << (fraction_bits - 1); }
};
constexpr Format f16{5, 10}, bf16{8, 7}, f32{8, 23}, f64{11, 52};

// Values at which something changes, the most telling ones first.
std::vector<std::uint64_t> edges_of(const Format& format) {
  const std::uint64_t one = format.power(0);
  const std::uint64_t least_normal = std::uint64_t{1} << format.fraction_bits;
  std::vector<std::uint64_t> positive = {0,
                                         1,
                                         least_normal - 1,
                                         least_normal,
                                         one,
                                         format.infinity() - 1,
                                         format.infinity(),
                                         format.infinity() | format.quiet(),
                                         format.infinity() + 1,
                                         format.infinity() | format.quiet() | 5,
                                         one + 1,
                                         one - 1,
                                         format.power(1) + format.quiet(),
                                         format.power(-1),
                                         one + format.quiet(),
                                         format.power(1) + format.quiet() / 2,
                                         least_normal + 1,
                                         ones(format.width() - 1)};
  // Where integers and narrower formats end, and halfway between their numbers.
  constexpr int exponents[] = {-149, -150, -133, -134, -126, -127, -25, -24, -17, -16,
                               -15,  -14,  -10,  -9,   -7,   7,    8,   15,  16,  23,
                               24,   31,   32,   52,   53,   63,   64,  127};
  for (const int exponent : exponents) {
    const int biased = exponent + static_cast<int>(format.bias());
    if (biased <= 0 || biased >= static_cast<int>(ones(format.exponent_bits))) continue;
    const std::uint64_t power = format.power(exponent);
    positive.insert(positive.end(), {power - 1, power, power + 1, power + format.quiet()});
  }
  std::vector<std::uint64_t> all;
  for (const std::uint64_t value : positive) {
    all.push_back(value);
    all.push_back(value | format.sign());
  }
  return all;
}

std::vector<std::uint64_t> integer_edges(unsigned bits) {
  const std::uint64_t all_ones = ones(bits);
  const std::uint64_t top = std::uint64_t{1} << (bits - 1);
  std::vector<std::uint64_t> values = {0,
                                       1,
                                       2,
                                       3,
                                       all_ones,
                                       all_ones - 1,
                                       top,
                                       top - 1,
                                       top + 1,
                                       top - 2,
                                       7,
                                       8,
                                       31,
                                       32,
                                       33,
                                       0x7f,
                                       0x80,
                                       0xff,
                                       0x100,
                                       0x7fff & all_ones,
                                       0x8000 & all_ones,
                                       all_ones / 3,
                                       all_ones / 3 * 2,
                                       all_ones / 0xff};
  for (unsigned i = 4; i < bits; ++i) {
    const std::uint64_t power = std::uint64_t{1} << i;
    values.insert(values.end(), {power, power - 1, all_ones - power});
  }
  return values;
}

std::vector<std::uint64_t> edges_of(Kind kind) {
  switch (kind) {
    case Kind::pred:
      return {0, 1};
    case Kind::b8:
      return {0, 1, 2, 0x7e, 0x7f, 0x80, 0x81, 0xfe, 0xff, 0x100, 0xff00, 0xff7f, 0xff80, 0xffff};
    case Kind::b16:
      return integer_edges(16);
    case Kind::b64:
    case Kind::b128:
      return integer_edges(64);
    case Kind::f16:
    case Kind::f16x2:
      return edges_of(f16);
    case Kind::bf16:
    case Kind::bf16x2:
      return edges_of(bf16);
    case Kind::f32:
      return edges_of(f32);
    case Kind::f64:
      return edges_of(f64);
    case Kind::few32:
      return {0, 1, 0x80000000, 0xffffffff};
    case Kind::few64:
      return {0, 1, 0x100000000, ~std::uint64_t{0}};
    case Kind::amount:
      return {0,  1,  2,  3,  7,  8,   15,  16,  17,  24,  31,         32,         33,        40,
              48, 63, 64, 65, 96, 127, 128, 129, 255, 256, 0x7fffffff, 0x80000000, 0xffffffff};
    case Kind::angle:
      return {0, 0x80000000, 1, 0x007fffff, 0x00800000, 0x7f800000, 0xff800000, 0x7fc00001};
    default:
      return integer_edges(32);
  }
}

// Few digits, and an exponent not far from one: sums are exact, halfway cases and cancellations
// are frequent.
std::uint64_t short_float(const Format& format, Generator& random) {
  const int reach = static_cast<int>(std::min<std::uint64_t>(format.bias() - 1, 30));
  const int exponent = static_cast<int>(random() % (2 * static_cast<unsigned>(reach) + 1)) - reach;
  const unsigned digits = static_cast<unsigned>(random() % (format.fraction_bits + 1));
  const std::uint64_t fraction =
      random() & ones(format.fraction_bits) & ~ones(format.fraction_bits - digits);
  return format.power(exponent) | fraction | (random() & 1 ? format.sign() : 0);
}

// Any number of significant bits.
std::uint64_t short_integer(unsigned bits, Generator& random) {
  const std::uint64_t value = random() >> (64 - bits) >> (random() % bits);
  return random() & 1 ? value : (0 - value) & ones(bits);
}

std::uint64_t plain(Kind kind, Generator& random) {
  switch (kind) {
    case Kind::f16:
    case Kind::f16x2:
      return short_float(f16, random);
    case Kind::bf16:
    case Kind::bf16x2:
      return short_float(bf16, random);
    case Kind::f32:
      return short_float(f32, random);
    case Kind::f64:
      return short_float(f64, random);
    case Kind::amount:
      return random() % 70;
    default:
      return short_integer(std::min(bits_of(kind), 64u), random);
  }
}

class Drawer {
 public:
  explicit Drawer(Kind kind) : kind_(kind), edges_(edges_of(kind)) {}

  std::uint64_t edge(std::size_t index) const { return edges_[index % edges_.size()]; }
  std::size_t edges() const { return edges_.size(); }

  std::uint64_t any(Generator& random) const {
    if (kind_ == Kind::f16x2 || kind_ == Kind::bf16x2) {
      return one(random) | one(random) << 16;
    }
    return one(random);
  }

 private:
  std::uint64_t one(Generator& random) const {
    const std::uint64_t choice = random() % 8;
    if (kind_ == Kind::angle && choice != 0) {
      const double turns = static_cast<double>(random() >> 11) * 0x1p-52 - 1;
      const double reach = (choice & 1 ? 100 : 2) * 3.1415926;
      return std::bit_cast<std::uint32_t>(static_cast<float>(turns * reach));
    }
    const bool has_few = kind_ == Kind::few32 || kind_ == Kind::few64 || kind_ == Kind::pred;
    if (has_few || choice < 3) return edge(random());
    if (choice < 6 || kind_ == Kind::amount) return plain(kind_, random);
    const bool is_pair = kind_ == Kind::f16x2 || kind_ == Kind::bf16x2;
    return random() & ones(is_pair ? 16 : std::min(bits_of(kind_), 64u));
  }

  Kind kind_;
  std::vector<std::uint64_t> edges_;
};

// The same number, its neighbor, its negative, or one with another exponent.
std::uint64_t relative_of(std::uint64_t value, unsigned bits, Generator& random) {
  const std::uint64_t top = std::uint64_t{1} << (bits - 1);
  switch (random() % 6) {
    case 0:
      return value;
    case 1:
      return (value + 1) & ones(bits);
    case 2:
      return (value - 1) & ones(bits);
    case 3:
      return value ^ top;
    case 4:
      return (value + (top >> (4 + random() % (bits / 2)))) & ones(bits);
    default:
      return (0 - value) & ones(bits);
  }
}

std::uint64_t seed_of(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

// Kinds whose values may be derived from each other.
bool are_alike(Kind a, Kind b) {
  return bits_of(a) == bits_of(b) && bits_of(a) <= 64 && bits_of(a) > 1 && a != Kind::amount &&
         b != Kind::amount && a != Kind::members && b != Kind::members;
}

void draw_tuple(const Form& form, const std::vector<Drawer>& drawers, std::size_t tuple,
                std::uint64_t members, Generator& random, std::span<std::uint64_t> words) {
  constexpr std::size_t crossed = 24;
  // Of three operands, the infinities and NaNs that edges_of() has there, in all combinations.
  constexpr std::size_t special = 12;
  constexpr std::size_t specials = 8;
  const std::size_t sources = form.sources.size();
  std::size_t word = 0;
  for (std::size_t i = 0; i < sources; ++i) {
    const Kind kind = form.sources[i];
    for (unsigned part = 0; part < words_of(kind); ++part) {
      std::uint64_t value = drawers[i].any(random);
      if (sources == 1 && tuple < drawers[0].edges()) value = drawers[0].edge(tuple);
      if (sources == 2 && tuple < crossed * crossed) {
        value = drawers[i].edge(i == 0 ? tuple / crossed : tuple % crossed);
      } else if (sources == 3 && tuple < specials * specials * specials) {
        value = drawers[i].edge(special + (tuple >> 3 * i) % specials);
      } else if (i > 0 && are_alike(kind, form.sources[i - 1]) && random() % 4 == 0) {
        value = relative_of(words[word - 1], bits_of(kind), random);
      }
      words[word++] = kind == Kind::members ? members : value;
    }
    // A compare-and-swap of 128 bits succeeds in one case of four.
    if (kind == Kind::b128 && i == 1 && random() % 4 == 0) std::copy_n(&words[0], 2, &words[2]);
  }
}

}  // namespace

std::size_t tuples_of(const Form& form) {
  return form.sources.size() < 2 || form.draw != nullptr ? 1024 : 2048;
}

std::vector<std::uint64_t> operands_of(const Form& form) {
  return operands_of(form, tuples_of(form), seed_of(form.name));
}

std::vector<std::uint64_t> operands_of(const Form& form, std::size_t tuples, std::uint64_t seed) {
  Generator random(seed);
  const std::size_t stride = source_stride(form);
  std::vector<std::uint64_t> operands(tuples * stride);
  std::vector<Drawer> drawers;
  for (const Kind kind : form.sources) drawers.emplace_back(kind);
  std::uint64_t members = 0;
  for (std::size_t tuple = 0; tuple < tuples; ++tuple) {
    const std::span<std::uint64_t> words(&operands[tuple * stride], stride);
    if (tuple % 32 == 0) members = random() % 3 == 0 ? 0xffffffff : random() & 0xffffffff;
    if (form.draw != nullptr) {
      form.draw(form, random(), words);
    } else {
      draw_tuple(form, drawers, tuple, members, random, words);
    }
  }
  return operands;
}

}  // namespace conformance
