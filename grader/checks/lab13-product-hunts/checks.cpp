// The tests of lab13-product-hunts that students have too.
#include "checks/lab13-product-hunts/cases.h"

namespace lab13 {

TEST_P(Hunted, Multiplies) {
  examine_hunt();
}
INSTANTIATE_TEST_SUITE_P(lab13_product_hunts, Hunted,
                         testing::Combine(testing::ValuesIn(hunts),
                                          testing::Values(Product{208, 640},
                                                          Product{80, 128, TurnedProducts::all})),
                         test_name);

// All hunts make the same product. What some of them are about shows where only products of such
// factors as they have are turned.
class HuntedInCoreMatrices : public Hunted {};
TEST_P(HuntedInCoreMatrices, Multiplies) {
  examine_hunt();
}
INSTANTIATE_TEST_SUITE_P(lab13_product_hunts, HuntedInCoreMatrices,
                         testing::Combine(testing::Values(parts::own_hands, parts::this_way),
                                          testing::Values(Product{
                                              80, 128, TurnedProducts::without_swizzle})),
                         test_name);
class HuntedInRegisters : public Hunted {};
TEST_P(HuntedInRegisters, Multiplies) {
  examine_hunt();
}
INSTANTIATE_TEST_SUITE_P(lab13_product_hunts, HuntedInRegisters,
                         testing::Combine(testing::Values(parts::from_registers),
                                          testing::Values(Product{80, 128,
                                                                  TurnedProducts::from_registers})),
                         test_name);

}  // namespace lab13
