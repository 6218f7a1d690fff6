// The tests of lab10-rmsnorm that students have too.
#include "checks/lab10-rmsnorm/bandwidth.h"
#include "checks/lab10-rmsnorm/cases.h"

namespace lab10 {

TEST_P(RmsNorm, NormalizesEveryRow) {
  examine_rms_norm();
}
// 600 rows are several for every SM of an H200; of 64 columns most threads have none.
INSTANTIATE_TEST_SUITE_P(lab10_rmsnorm, RmsNorm,
                         testing::Values(Rows{1, 1024}, Rows{3, 8192}, Rows{2, 1000},
                                         Rows{1, 16384}, Rows{600, 64},
                                         Rows{2, 2048, 1e-3, Rows::small},
                                         Rows{4, 1024, 1e-5, Rows::special}),
                         rows_name);

TEST_P(AddRmsNorm, AddsAndNormalizesEveryRow) {
  examine_add_rms_norm();
}
INSTANTIATE_TEST_SUITE_P(lab10_rmsnorm, AddRmsNorm,
                         testing::Values(Rows{0, 1024}, Rows{1, 1024}, Rows{3, 8192}, Rows{2, 5120},
                                         Rows{2, 1000}, Rows{600, 1024}, Rows{3, 64},
                                         Rows{1, 16384}, Rows{2, 2048, 1e-3, Rows::small},
                                         Rows{4, 1024, 1e-5, Rows::special}),
                         rows_name);

// 32,768 rows of 8192: a large batch of prompts in a model of this width.
class lab10_rmsnorm_bandwidth : public judge::Check {};
TEST_F(lab10_rmsnorm_bandwidth, AddRmsNorm) {
  constexpr std::size_t rows = 32768;
  constexpr std::size_t columns = 8192;
  constexpr std::size_t row_bytes = columns * sizeof(judge::Bfloat16);
  constexpr std::size_t bytes = rows * row_bytes;
  constexpr double eps = 1e-5;
  using judge::TimedBuffer;
  using Set = judge::BandwidthCase::Set;
  measure({parts::add_rms_norm,
           {bytes, bytes, row_bytes, bytes},
           {TimedBuffer{0}, TimedBuffer{1}, TimedBuffer{2}, TimedBuffer{3}, std::int64_t{rows},
            std::int64_t{columns}, std::bit_cast<std::int64_t>(eps)},
           4 * bytes,  // reads x and residual, writes residual and y
           [=](Set set, std::uint64_t seed) { return fill_rows(set, rows, columns, seed); },
           [=](Set set, std::uint64_t seed, judge::Mismatches* result) {
             return check_rows(set, rows, columns, eps, seed, result);
           }});
}

}  // namespace lab10
