// Further cases of lab13-product-hunts, which only the grader has: `make release` leaves this file
// out.
#include "checks/lab13-product-hunts/cases.h"

namespace lab13 {

INSTANTIATE_TEST_SUITE_P(lab13_product_hunts, Hunted,
                         testing::Combine(testing::ValuesIn(hunts),
                                          testing::Values(Product{80, 128},
                                                          // more steps than there could be stages
                                                          Product{80, 1664},
                                                          Product{128, 384, TurnedProducts::none,
                                                                  0.125F})),
                         test_name);

}  // namespace lab13
