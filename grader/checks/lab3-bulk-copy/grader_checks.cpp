// Further cases of lab3-bulk-copy, which only the grader has: `make release` leaves this file out.
#include "checks/lab3-bulk-copy/cases.h"

namespace lab3 {

INSTANTIATE_TEST_SUITE_P(lab3_bulk_copy, OneTile,
                         testing::Values(Length{8}, Length{1028}, Length{8188},
                                         Length{4092, Alignment::only_16_bytes}),
                         test_name);

INSTANTIATE_TEST_SUITE_P(lab3_bulk_copy, AnyLength,
                         testing::Values(Length{2}, Length{5}, Length{4095}, Length{4096},
                                         Length{4097}, Length{1'000'003}),
                         test_name);

INSTANTIATE_TEST_SUITE_P(lab3_bulk_copy, Pipeline,
                         testing::Values(Length{4}, Length{300'001, Alignment::only_16_bytes},
                                         Length{524'288}),
                         test_name);

}  // namespace lab3
