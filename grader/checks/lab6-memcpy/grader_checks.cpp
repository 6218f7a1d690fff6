// Further cases of lab6-memcpy, which only the grader has: `make release` leaves this file out.
#include "checks/grader_lengths.h"
#include "checks/lab6-memcpy/cases.h"

namespace lab6 {
namespace {

// Every tail, behind a head and without one.
std::vector<Bytes> equal_alignments() {
  std::vector<Bytes> cases;
  for (std::size_t tail = 0; tail < judge::bytes_per_vector; ++tail) {
    cases.push_back({512 + tail, 5, 5});
    cases.push_back({4112 + tail});
  }
  for (const std::size_t offset : {1, 2, 4, 8}) cases.push_back({517, offset, offset});
  return cases;
}

// From addresses and to addresses that are 8, 4, 2 or 1 bytes apart, modulo 16: as far as the wider
// accesses of plain loads and stores get. Many bytes, an odd number of them, and few.
std::vector<Bytes> unequal_alignments() {
  std::vector<Bytes> cases;
  for (const std::size_t apart : {8, 4, 2, 1}) {
    for (const std::size_t offset : {0, 4, 5}) {
      for (const std::size_t count : {11, 517}) {
        cases.push_back({count, offset + apart, offset});
        cases.push_back({count, offset, offset + apart});
      }
    }
  }
  return cases;
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(lab6_memcpy, TmaCopy,
                         testing::ValuesIn(judge::with_lengths<Elements>(
                             judge::lengths_beyond_tile(2048, judge::bfloat16_per_vector),
                             {Elements{16}, Elements{2047}, Elements{4096}, Elements{1'000'005}})),
                         name_of_elements);

// More tiles than an H200 holds CTAs at once, for whom that is a natural limit. And whose grid has
// four CTAs for each of its SMs, whatever the length, has eight tiles of 16 KiB for each of them:
// every stage of a ring is used again, more than once.
class LongTmaCopy : public judge::LongCases<TmaCopy> {};
TEST_P(LongTmaCopy, CopiesBitForBit) {
  examine_copy();
}
INSTANTIATE_TEST_SUITE_P(lab6_memcpy, LongTmaCopy, testing::Values(Elements{35'000'003}),
                         name_of_elements);
class LongMemcpy : public judge::LongCases<Memcpy> {};
TEST_P(LongMemcpy, CopiesBitForBit) {
  examine_memcpy();
}
INSTANTIATE_TEST_SUITE_P(lab6_memcpy, LongMemcpy,
                         testing::Values(Bytes{18'000'003, 7, 7}, Bytes{1'200'003, 1, 2}),
                         name_of_bytes);

class MemcpyOfEqualAlignment : public Memcpy {};
TEST_P(MemcpyOfEqualAlignment, CopiesBitForBit) {
  examine_memcpy();
}
INSTANTIATE_TEST_SUITE_P(lab6_memcpy, MemcpyOfEqualAlignment, testing::ValuesIn(equal_alignments()),
                         name_of_bytes);
class MemcpyOfUnequalAlignment : public Memcpy {};
TEST_P(MemcpyOfUnequalAlignment, CopiesBitForBit) {
  examine_memcpy();
}
INSTANTIATE_TEST_SUITE_P(lab6_memcpy, MemcpyOfUnequalAlignment,
                         testing::ValuesIn(unequal_alignments()), name_of_bytes);

INSTANTIATE_TEST_SUITE_P(lab6_memcpy, Memcpy,
                         testing::Values(Bytes{15}, Bytes{4095}, Bytes{4096}, Bytes{1'000'019},
                                         Bytes{1, 15, 15}, Bytes{3, 14, 14}, Bytes{8192, 8, 8},
                                         Bytes{999'999, 13, 13}, Bytes{50'000, 0, 9},
                                         Bytes{17, 12, 0}),
                         name_of_bytes);

}  // namespace lab6
