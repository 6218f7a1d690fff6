// Further cases of lab12-matmul, which only the grader has: `make release` leaves this file out.
#include "checks/lab12-matmul/cases.h"

namespace lab12 {

constexpr TurnedProducts none = TurnedProducts::none;

INSTANTIATE_TEST_SUITE_P(lab12_matmul, MatmulDescriptors,
                         testing::Values(Product{64, 8, 16, none, 0.125F}), name_of_product);
INSTANTIATE_TEST_SUITE_P(lab12_matmul, MatmulSwizzle64,
                         testing::Values(Product{64, 8, 32, none, 0.125F}), name_of_product);
INSTANTIATE_TEST_SUITE_P(lab12_matmul, MatmulSwizzle128,
                         testing::Values(Product{64, 8, 64, none, 0.125F}), name_of_product);
INSTANTIATE_TEST_SUITE_P(lab12_matmul, MatmulFragments,
                         testing::Values(Product{64, 8, 64, none, 1, Product::special}),
                         name_of_product);
INSTANTIATE_TEST_SUITE_P(lab12_matmul, MatmulRing,
                         testing::Values(Product{192, 64, 704, none, 0.125F},
                                         Product{64, 64, 128, none, 1, Product::special}),
                         name_of_product);
INSTANTIATE_TEST_SUITE_P(lab12_matmul, MatmulSpecialized,
                         testing::Values(Product{128, 256, 704, none, 0.125F},
                                         Product{128, 128, 128, none, 1, Product::special}),
                         name_of_product);
// Where k is long, no kernel has all of it in shared memory at once, in tiles of whatever size.
INSTANTIATE_TEST_SUITE_P(lab12_matmul, MatmulAnyShape,
                         testing::Values(Product{1000, 8, 64}, Product{8, 1000, 200},
                                         Product{264, 520, 392, none, 0.125F},
                                         Product{136, 72, 200, none, 1, Product::special},
                                         Product{72, 8, 3592}),
                         name_of_product);
INSTANTIATE_TEST_SUITE_P(lab12_matmul, MatmulPersistent,
                         testing::Values(Product{264, 792, 328, none, 0.125F},
                                         Product{136, 72, 3592}),
                         name_of_product);

}  // namespace lab12
