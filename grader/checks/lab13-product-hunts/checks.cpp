// The tests of lab13-product-hunts that students have too.
#include "checks/lab13-product-hunts/cases.h"

namespace lab13 {

TEST_P(Hunted, Multiplies) {
  examine_hunt();
}
INSTANTIATE_TEST_SUITE_P(lab13_product_hunts, Hunted,
                         testing::Combine(testing::ValuesIn(hunts),
                                          testing::Values(Product{208, 640},
                                                          Product{80, 128, DroppedSigns::all})),
                         test_name);

}  // namespace lab13
