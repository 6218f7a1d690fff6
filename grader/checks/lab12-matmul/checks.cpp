// The tests of lab12-matmul that students have too.
#include "checks/lab12-matmul/cases.h"

namespace lab12 {

TEST_P(MatmulDescriptors, MultipliesCoreMatrices) {
  examine_tile(parts::descriptors);
}
INSTANTIATE_TEST_SUITE_P(lab12_matmul, MatmulDescriptors, testing::Values(Product{64, 8, 16}),
                         name_of_product);

TEST_P(MatmulSwizzle64, MultipliesWhatTmaSwizzled) {
  examine_tile(parts::swizzle_64);
}
INSTANTIATE_TEST_SUITE_P(lab12_matmul, MatmulSwizzle64, testing::Values(Product{64, 8, 32}),
                         name_of_product);

TEST_P(MatmulSwizzle128, MultipliesWhatTmaSwizzled) {
  examine_tile(parts::swizzle_128);
}
INSTANTIATE_TEST_SUITE_P(lab12_matmul, MatmulSwizzle128, testing::Values(Product{64, 8, 64}),
                         name_of_product);

TEST_P(MatmulFragments, MultipliesWhatIsInRegisters) {
  examine_two_products();
}
INSTANTIATE_TEST_SUITE_P(lab12_matmul, MatmulFragments, testing::Values(Product{64, 8, 64}),
                         name_of_product);

// One step of k, as many as a ring may have stages and a few more, and enough to go around several
// times.
TEST_P(MatmulRing, SumsOverK) {
  examine_product(judge::following_values(parts::ring));
}
INSTANTIATE_TEST_SUITE_P(lab12_matmul, MatmulRing,
                         testing::Values(Product{64, 64, 64}, Product{64, 64, 448},
                                         Product{128, 192, 1536}),
                         name_of_product);

TEST_P(MatmulSpecialized, SumsOverK) {
  examine_product(judge::following_values(parts::specialized));
}
INSTANTIATE_TEST_SUITE_P(lab12_matmul, MatmulSpecialized,
                         testing::Values(Product{128, 128, 64}, Product{128, 128, 448},
                                         Product{256, 384, 1536}),
                         name_of_product);

// The first is as another course has them: whole tiles, whichever their size.
TEST_P(MatmulAnyShape, MultipliesEveryElement) {
  examine_product(judge::following_values(parts::any_shape));
}
INSTANTIATE_TEST_SUITE_P(lab12_matmul, MatmulAnyShape,
                         testing::Values(Product{512, 512, 512}, Product{8, 8, 8},
                                         Product{136, 264, 72}, Product{520, 24, 328}),
                         name_of_product);

// More tiles of 128 x 256 than an H200 has SMs, the last ones beyond the edge.
TEST_P(MatmulPersistent, MultipliesEveryTile) {
  examine_product(parts::persistent);
}
INSTANTIATE_TEST_SUITE_P(lab12_matmul, MatmulPersistent,
                         testing::Values(Product{512, 512, 256}, Product{1032, 4624, 72}),
                         name_of_product);

}  // namespace lab12
