// The tests of lab6-memcpy that students have too.
#include "checks/lab6-memcpy/cases.h"
#include "judge/session/large_copies.h"

namespace lab6 {

TEST_P(TmaCopy, CopiesBitForBit) {
  examine_copy();
}
// A tile of the reference solution has 2048 elements, a vector has 8; 2^20 is a whole number of
// anybody's tiles.
INSTANTIATE_TEST_SUITE_P(lab6_memcpy, TmaCopy,
                         testing::ValuesIn(judge::with_lengths<Elements>(
                             judge::short_lengths(judge::bfloat16_per_vector),
                             {Elements{2048}, Elements{2049}, Elements{4104, 16}, Elements{100'003},
                              Elements{1'048'576, 16}})),
                         name_of_elements);

// More than 2 GiB: their offsets in bytes do not fit into an int.
class LargeTmaCopy : public judge::LargeCopies {};
TEST_P(LargeTmaCopy, CopiesBitForBit) {
  examine_copy_unless_lost(parts::tma_copy, "100003 elements");
}
INSTANTIATE_TEST_SUITE_P(lab6_memcpy, LargeTmaCopy, testing::Values(1'107'296'261),
                         testing::PrintToStringParamName());
// The one size of 6.S894's Lab 9, for a copy that is right at no other.
class OneSizeOfTmaCopy : public judge::LargeCopies {};
TEST_P(OneSizeOfTmaCopy, CopiesBitForBit) {
  examine_copy_where_wrong(parts::tma_copy, "1048576 elements, aligned to 16 bytes only");
}
INSTANTIATE_TEST_SUITE_P(lab6_memcpy, OneSizeOfTmaCopy, testing::Values(692'060'160),
                         testing::PrintToStringParamName());

TEST_P(Memcpy, CopiesBitForBit) {
  examine_memcpy();
}
INSTANTIATE_TEST_SUITE_P(
    lab6_memcpy, Memcpy,
    testing::Values(Bytes{0}, Bytes{1}, Bytes{16}, Bytes{4097}, Bytes{100'003},
                    Bytes{9, 5, 5},        // all of it comes before the first aligned address
                    Bytes{11, 5, 5},       // ends at that address
                    Bytes{27, 5, 5},       // a head and one vector
                    Bytes{29, 5, 5},       // a head, one vector and a tail
                    Bytes{100'000, 3, 3},  //
                    Bytes{519, 8, 0}, Bytes{519, 2, 0}, Bytes{100'000, 1, 2}),
    name_of_bytes);

TEST_P(LargeMemcpy, CopiesBitForBit) {
  examine_memcpy();
}
INSTANTIATE_TEST_SUITE_P(lab6_memcpy, LargeMemcpy, testing::Values(2'214'592'517),
                         testing::PrintToStringParamName());

// 2 GiB and 12 bytes an array: the offsets of its end do not fit into an int, nor do they into 16
// bytes a vector.
class lab6_memcpy_bandwidth : public judge::Check {};
TEST_F(lab6_memcpy_bandwidth, TmaCopy) {
  constexpr std::size_t elements = (std::size_t{1} << 30) + 6;
  constexpr std::size_t bytes = elements * sizeof(judge::Bfloat16);
  constexpr std::size_t words = bytes / sizeof(std::uint32_t);
  const auto array = [](judge::BandwidthCase::Set set, int index) {
    return static_cast<std::uint32_t*>(set[index]);
  };
  measure({parts::tma_copy,
           {bytes, bytes},
           {judge::TimedBuffer{0}, judge::TimedBuffer{1}, std::int64_t{elements}},
           2 * bytes,
           [=](judge::BandwidthCase::Set set, std::uint64_t seed) {
             // Other numbers than src's stand in for the poison.
             const cudaError_t error = judge::fill_words(array(set, 0), words, ~seed);
             return error == cudaSuccess ? judge::fill_words(array(set, 1), words, seed) : error;
           },
           [=](judge::BandwidthCase::Set set, std::uint64_t seed, judge::Mismatches* result) {
             const cudaError_t error = judge::check_words(array(set, 0), words, seed, 0, result);
             return error == cudaSuccess ? judge::check_words(array(set, 1), words, seed, 0, result)
                                         : error;
           }});
}

}  // namespace lab6
