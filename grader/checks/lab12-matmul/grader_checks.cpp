// Further cases of lab12-matmul, which only the grader has: `make release` leaves this file out.
#include "checks/lab12-matmul/cases.h"

namespace lab12 {

constexpr DroppedSigns none = DroppedSigns::none;

INSTANTIATE_TEST_SUITE_P(lab12_matmul, MatmulDescriptors,
                         testing::Values(Product{64, 8, 16, none, 0.125F}), name_of_product);
INSTANTIATE_TEST_SUITE_P(lab12_matmul, MatmulSwizzle64,
                         testing::Values(Product{64, 8, 32, none, 0.125F}), name_of_product);
INSTANTIATE_TEST_SUITE_P(lab12_matmul, MatmulSwizzle128,
                         testing::Values(Product{64, 8, 64, none, 0.125F}), name_of_product);
INSTANTIATE_TEST_SUITE_P(lab12_matmul, MatmulFragments,
                         testing::Values(Product{64, 8, 64, none, 0.125F}), name_of_product);
INSTANTIATE_TEST_SUITE_P(lab12_matmul, MatmulRing,
                         testing::Values(Product{192, 64, 704, none, 0.125F}), name_of_product);
INSTANTIATE_TEST_SUITE_P(lab12_matmul, MatmulSpecialized,
                         testing::Values(Product{128, 256, 704, none, 0.125F}), name_of_product);
INSTANTIATE_TEST_SUITE_P(lab12_matmul, MatmulAnyShape,
                         testing::Values(Product{1000, 8, 64}, Product{8, 1000, 200},
                                         Product{264, 520, 392, none, 0.125F}),
                         name_of_product);
INSTANTIATE_TEST_SUITE_P(lab12_matmul, MatmulPersistent,
                         testing::Values(Product{264, 792, 328, none, 0.125F}), name_of_product);

}  // namespace lab12
