#include "tests/conformance/arithmetic_digest.h"

#include "common/split_mix.h"

namespace conformance {
namespace {

constexpr unsigned index_bits = 6;
constexpr unsigned part_bits = 6;
constexpr unsigned parts_start = 28;

std::uint64_t mixed(std::uint64_t value) {
  return common::SplitMix64(value).next();
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
