// Further cases of lab7-warp-scheduler, which only the grader has: `make release` leaves this file
// out.
#include "checks/grader_lengths.h"
#include "checks/lab7-warp-scheduler/cases.h"

namespace lab7 {

INSTANTIATE_TEST_SUITE_P(lab7_warp_scheduler, MultiwarpPipeline,
                         testing::ValuesIn(judge::with_lengths<std::size_t>(
                             judge::lengths_beyond_tile(4096, judge::bfloat16_per_vector),
                             {4095, 8192, 999'999})),
                         name_of_count);

INSTANTIATE_TEST_SUITE_P(lab7_warp_scheduler, Axpy,
                         testing::ValuesIn(judge::with_lengths<Scaled>(
                             judge::lengths_beyond_tile(4096, judge::floats_per_vector),
                             {Scaled{4095}, Scaled{4097, 1.0F}, Scaled{4097, 0.0F},
                              Scaled{4096, 2961 / 2048.0F},  // of 12 bits: no bfloat16, no half
                              // A factor of any size: the products are exact all the same.
                              Scaled{4098, -0x1.8p+100F}, Scaled{4100, 0x1.8p-9F},
                              Scaled{200'001, -3.0F, 0, 0.125F},
                              Scaled{99'999, 2.0F, 0, 0x1p-140F},  // subnormals
                              Scaled{524'288, 2.0F, 16}})),
                         name_of_scaled);

}  // namespace lab7
