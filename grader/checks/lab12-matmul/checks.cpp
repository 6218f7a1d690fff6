// The tests of lab12-matmul that students have too.
#include "checks/lab12-matmul/bandwidth.h"
#include "checks/lab12-matmul/cases.h"

namespace lab12 {

// What has come out of wgmma shows where it turns the signs of some products: a sum of products
// that were multiplied elsewhere is another. And where it turns only signs of what is not swizzled
// in shared memory, what is right has come from tiles that are.

TEST_P(MatmulDescriptors, MultipliesCoreMatrices) {
  examine_tile(parts::descriptors);
}
INSTANTIATE_TEST_SUITE_P(lab12_matmul, MatmulDescriptors,
                         testing::Values(Product{64, 8, 16},
                                         Product{64, 8, 16, TurnedProducts::all}),
                         name_of_product);

TEST_P(MatmulSwizzle64, MultipliesWhatTmaSwizzled) {
  examine_tile(parts::swizzle_64);
}
INSTANTIATE_TEST_SUITE_P(lab12_matmul, MatmulSwizzle64,
                         testing::Values(Product{64, 8, 32},
                                         Product{64, 8, 32, TurnedProducts::all},
                                         Product{64, 8, 32, TurnedProducts::without_swizzle}),
                         name_of_product);

TEST_P(MatmulSwizzle128, MultipliesWhatTmaSwizzled) {
  examine_tile(parts::swizzle_128);
}
INSTANTIATE_TEST_SUITE_P(lab12_matmul, MatmulSwizzle128,
                         testing::Values(Product{64, 8, 64},
                                         Product{64, 8, 64, TurnedProducts::all},
                                         Product{64, 8, 64, TurnedProducts::without_swizzle}),
                         name_of_product);

TEST_P(MatmulFragments, MultipliesWhatIsInRegisters) {
  examine_two_products();
}
// With fractions the first product has to be rounded. Before the turned signs, which it is told of
// otherwise.
INSTANTIATE_TEST_SUITE_P(lab12_matmul, MatmulFragments,
                         testing::Values(Product{64, 8, 64},
                                         Product{64, 8, 64, TurnedProducts::none, 0.125F},
                                         Product{64, 8, 64, TurnedProducts::all}),
                         name_of_product);

// One step of k, as many as a ring may have stages and a few more, and enough to go around several
// times.
TEST_P(MatmulRing, SumsOverK) {
  examine_product(judge::following_values(parts::ring));
}
INSTANTIATE_TEST_SUITE_P(lab12_matmul, MatmulRing,
                         testing::Values(Product{64, 64, 64}, Product{64, 64, 448},
                                         Product{128, 192, 1152},
                                         Product{128, 64, 448, TurnedProducts::all}),
                         name_of_product);

TEST_P(MatmulSpecialized, SumsOverK) {
  examine_product(judge::following_values(parts::specialized));
}
INSTANTIATE_TEST_SUITE_P(lab12_matmul, MatmulSpecialized,
                         testing::Values(Product{128, 128, 64}, Product{128, 128, 448},
                                         Product{256, 256, 1152},
                                         Product{128, 128, 448, TurnedProducts::all}),
                         name_of_product);

// The first is as another course has them: whole tiles, whichever their size.
TEST_P(MatmulAnyShape, MultipliesEveryElement) {
  examine_product(judge::following_values(parts::any_shape));
}
INSTANTIATE_TEST_SUITE_P(lab12_matmul, MatmulAnyShape,
                         testing::Values(Product{512, 512, 256}, Product{8, 8, 8},
                                         Product{136, 264, 72}, Product{520, 24, 328},
                                         Product{512, 512, 256, TurnedProducts::all},
                                         Product{136, 264, 72, TurnedProducts::all}),
                         name_of_product);

// Many tiles for each CTA that stays, and whole steps of k, as at the size at which it is timed:
// more than a lap of the ring, for somebody who skips those of another consumer.
TEST_P(MatmulAnyShapeOnFewSms, MultipliesEveryTile) {
  examine_product(judge::following_values(parts::any_shape), judge::few_sms);
}
INSTANTIATE_TEST_SUITE_P(lab12_matmul, MatmulAnyShapeOnFewSms,
                         testing::Values(Product{520, 568, 448}), name_of_product);

// More pairs of tiles of 128 x 256 than an H200 has pairs of SMs, the last ones beyond the edge.
TEST_P(MatmulAnyShapeOfManyTiles, MultipliesEveryTile) {
  examine_product(judge::following_values(parts::any_shape));
}
INSTANTIATE_TEST_SUITE_P(lab12_matmul, MatmulAnyShapeOfManyTiles,
                         testing::Values(Product{2056, 1800, 40}), name_of_product);

// The values are followed here, too: by its sizes the launcher knows that the part is another one.
TEST_P(MatmulPersistent, MultipliesEveryTile) {
  examine_product(judge::following_values(parts::persistent));
}
INSTANTIATE_TEST_SUITE_P(lab12_matmul, MatmulPersistent,
                         testing::Values(Product{512, 512, 256},
                                         Product{512, 512, 256, TurnedProducts::all}),
                         name_of_product);

TEST_P(MatmulPersistentOnFewSms, MultipliesEveryTile) {
  examine_product(judge::following_values(parts::persistent), judge::few_sms);
}
INSTANTIATE_TEST_SUITE_P(lab12_matmul, MatmulPersistentOnFewSms,
                         testing::Values(Product{520, 776, 136}), name_of_product);

// More tiles of 128 x 256 than an H200 has SMs, the last ones beyond the edge, and more than a band
// of the skeleton's along M.
TEST_P(MatmulPersistentOfManyTiles, MultipliesEveryTile) {
  examine_product(parts::persistent);
}
INSTANTIATE_TEST_SUITE_P(lab12_matmul, MatmulPersistentOfManyTiles,
                         testing::Values(Product{2568, 1544, 40}), name_of_product);

// The size at which the public course times it. A set is 384 MiB.
class lab12_matmul_bandwidth : public judge::Check {};
TEST_F(lab12_matmul_bandwidth, Matmul) {
  constexpr judge::ProductSizes sizes{8192, 8192, 8192};
  using Set = judge::BandwidthCase::Set;
  using judge::TimedBuffer;
  measure({parts::any_shape,
           {sizes.m * sizes.k * sizeof(Bfloat16), sizes.n * sizes.k * sizeof(Bfloat16),
            sizes.m * sizes.n * sizeof(Bfloat16)},
           {sizes.m, sizes.n, sizes.k, TimedBuffer{0}, TimedBuffer{1}, TimedBuffer{2}},
           sizes.operations(),
           [=](Set set, std::uint64_t seed) { return fill_factors(set, sizes, seed); },
           {},  // by the library that it is held against
           sizes});
}

}  // namespace lab12
