#include "tests/conformance/arithmetic_digest.h"

namespace conformance {
namespace {

constexpr unsigned index_bits = 6;
constexpr unsigned part_bits = 6;
constexpr unsigned parts_start = 28;

// Steele, Lea and Flood's mixer ("Fast splittable pseudorandom number generators", 2014).
std::uint64_t mixed(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15;
  value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9;
  value = (value ^ value >> 27) * 0x94d049bb133111eb;
  return value ^ value >> 31;
}

constexpr std::uint64_t ones(unsigned bits) {
  return (std::uint64_t{1} << bits) - 1;
}

}  // namespace

std::uint64_t digest_of(std::span<const std::uint64_t> block, unsigned stride) {
  std::uint64_t digest = 0;
  for (unsigned tuple = 0; tuple * stride < block.size(); ++tuple) {
    std::uint64_t hash = tuple;
    for (unsigned i = 0; i < stride; ++i) hash = mixed(hash ^ block[tuple * stride + i]);
    digest ^= hash & ones(parts_start);
    for (unsigned bit = 0; bit < index_bits; ++bit) {
      const std::uint64_t part = hash >> (parts_start + part_bits * bit) & ones(part_bits);
      if (tuple >> bit & 1) digest ^= part << (parts_start + part_bits * bit);
    }
  }
  return digest;
}

unsigned differing_tuple(std::uint64_t digest, std::uint64_t other) {
  unsigned tuple = 0;
  for (unsigned bit = 0; bit < index_bits; ++bit) {
    const unsigned start = parts_start + part_bits * bit;
    if (((digest ^ other) >> start & ones(part_bits)) != 0) tuple |= 1u << bit;
  }
  return tuple;
}

}  // namespace conformance
