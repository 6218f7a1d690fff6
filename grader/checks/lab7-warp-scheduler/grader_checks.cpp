// Further cases of lab7-warp-scheduler, which only the grader has: `make release` leaves this file
// out.
#include "checks/lab7-warp-scheduler/cases.h"

namespace lab7 {

INSTANTIATE_TEST_SUITE_P(lab7_warp_scheduler, MultiwarpPipeline,
                         testing::Values(2, 9, 4095, 8192, 999'999), name_of_count);

INSTANTIATE_TEST_SUITE_P(lab7_warp_scheduler, Axpy,
                         testing::Values(Scaled{3}, Scaled{5}, Scaled{4095}, Scaled{4096, 0.25F},
                                         Scaled{200'001, -3.0F}, Scaled{524'288, 2.0F, 16}),
                         name_of_scaled);

}  // namespace lab7
