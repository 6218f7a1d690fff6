// Results in little: 64 bits for a block of 64 tuples.
#pragma once

#include <cstdint>
#include <span>

namespace conformance {

// Of a block of results, `stride` words a tuple: 28 bits of all results and, for each of the six
// bits of a tuple's number, six bits of the results of the tuples whose number has that bit. So
// where one result differs, they say which.
std::uint64_t digest_of(std::span<const std::uint64_t> block, unsigned stride);

// The only tuple that can differ, where it is the only one.
unsigned differing_tuple(std::uint64_t digest, std::uint64_t other);

}  // namespace conformance
