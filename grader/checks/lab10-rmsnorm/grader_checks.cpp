// Further cases of lab10-rmsnorm, which only the grader has: `make release` leaves this file out.
#include "checks/lab10-rmsnorm/cases.h"

namespace lab10 {

INSTANTIATE_TEST_SUITE_P(lab10_rmsnorm, RmsNorm,
                         testing::Values(Rows{0, 1024}, Rows{5, 1032}, Rows{2, 12288}, Rows{1, 8},
                                         Rows{3, 248}, Rows{2, 504}, Rows{401, 16},
                                         Rows{1, 1024, 1e-6, Rows::small}),
                         rows_name);

INSTANTIATE_TEST_SUITE_P(lab10_rmsnorm, AddRmsNorm,
                         testing::Values(Rows{1, 8}, Rows{3, 248}, Rows{2, 504}, Rows{7, 1032},
                                         Rows{2, 7168}, Rows{1, 16376}, Rows{401, 2056},
                                         Rows{1, 1024, 1e-6, Rows::small}),
                         rows_name);

// More rows than an H200 holds CTAs at once, for whom that is a natural limit.
class RmsNormOfManyRows : public judge::LongCases<Norm> {};
TEST_P(RmsNormOfManyRows, NormalizesEveryRow) {
  examine_rms_norm();
}
INSTANTIATE_TEST_SUITE_P(lab10_rmsnorm, RmsNormOfManyRows, testing::Values(Rows{4'300, 8}),
                         rows_name);
class AddRmsNormOfManyRows : public judge::LongCases<Norm> {};
TEST_P(AddRmsNormOfManyRows, AddsAndNormalizesEveryRow) {
  examine_add_rms_norm();
}
INSTANTIATE_TEST_SUITE_P(lab10_rmsnorm, AddRmsNormOfManyRows, testing::Values(Rows{4'300, 8}),
                         rows_name);

}  // namespace lab10
