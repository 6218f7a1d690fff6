// The cases of the TMA conformance suite: parameters drawn from fixed seeds, so that an H200 and
// the emulator run the same ones. Nothing here knows what a case's result is.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "common/split_mix.h"

namespace conformance {

class Random {
 public:
  explicit Random(std::uint64_t seed) : numbers_(seed) {}
  std::uint64_t next() { return numbers_.next(); }
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(next() % n); }
  bool one_in(std::uint32_t n) { return below(n) == 0; }
  template <class T, std::size_t N>
  T pick(const T (&values)[N]) {
    return values[below(N)];
  }

 private:
  common::SplitMix64 numbers_;
};

// The arguments of cuTensorMapEncodeTiled or cuTensorMapEncodeIm2col, enumerations by number.
struct MapArguments {
  std::uint32_t type, rank, interleave, swizzle, l2_promotion, fill;
  std::uint64_t address;
  std::array<std::uint64_t, 5> size;
  std::array<std::uint64_t, 4> stride;
  std::array<std::uint32_t, 5> box, element_stride;
  bool is_im2col;  // these, and not the box:
  std::array<std::int32_t, 3> lower, upper;
  std::uint32_t channels, pixels;
};

inline constexpr std::uint32_t data_types = 13;
std::uint32_t element_bytes(std::uint32_t type);
bool is_floating(std::uint32_t type);

enum class Kind : std::uint32_t {
  tensor_load,
  tensor_store,
  tensor_reduce,
  bulk_load,
  bulk_store,
  bulk_reduce,         // shared to global
  bulk_copy_shared,    // shared to shared
  bulk_reduce_shared,  // shared to shared
};
inline constexpr int kinds = 8;

// The kinds that end in shared memory, and so with an mbarrier; a bit each. Not a function, since
// device code reads it too.
inline constexpr std::uint32_t kinds_to_shared = 1u << static_cast<int>(Kind::tensor_load) |
                                                 1u << static_cast<int>(Kind::bulk_load) |
                                                 1u << static_cast<int>(Kind::bulk_copy_shared) |
                                                 1u << static_cast<int>(Kind::bulk_reduce_shared);

// How the words that a case works on are drawn: the special values of which format are frequent.
enum class Values : std::uint32_t { integers, f16, bf16, f32, f64 };

// Global and shared memory of a case.
inline constexpr std::uint32_t slot_bytes = 64 * 1024;
inline constexpr std::uint32_t shared_bytes = 40 * 1024;
inline constexpr std::uint32_t largest_cluster = 4;

// What the kernel needs. Plain data: copied to the device as it is.
struct Operation {
  Kind kind;
  std::uint32_t form;  // tensor reductions: the operation; bulk reductions: bulk_forms
  std::uint32_t rank;
  std::int32_t coordinates[5];
  std::uint32_t shared_offset;  // of the tile
  std::uint32_t second_offset;  // shared to shared: of the destination
  std::uint32_t global_offset;  // of the tensor or the bulk copy within the slot
  std::uint32_t bytes;          // of a bulk copy; of a tensor load: what the mbarrier expects
  std::uint32_t shared_size;    // bytes of shared memory that are filled before, hashed after
  std::uint32_t global_size;    // the same of the slot
  std::uint32_t cluster;        // CTAs
  std::uint32_t issuer;         // rank of the CTA that issues the operation
  std::uint32_t target;         // rank of the CTA whose shared memory it writes
  std::uint32_t multicast;      // mask of ranks that a load writes to instead; 0: no multicast
  Values values;
  std::uint64_t seed;
  bool is_im2col;
  std::uint32_t offsets[3];  // of an im2col load
};

struct Case {
  MapArguments map;  // address: an offset within the slot; tensor kinds only
  Operation operation;
  bool map_is_missing;  // the instruction is given 128 zero bytes
};

// Of a data type: how values are drawn, and the tensor reductions that it has, a bit each in the
// order of TENSOR_REDUCE.
Values values_of_type(std::uint32_t type);
std::uint32_t reductions_of_type(std::uint32_t type);

// Tensor maps for the accept/reject comparison; addresses are plain numbers, no allocation.
std::vector<MapArguments> map_cases();
std::vector<MapArguments> im2col_map_cases();
// Operations that the hardware executes.
std::vector<Case> operation_cases();
std::vector<Case> im2col_operation_cases();
// One operation for each rule that the hardware enforces with an error: it ends the CUDA context.
std::vector<Case> fault_cases();

std::string text(const MapArguments& map);
std::string text(const Case& drawn);

}  // namespace conformance
