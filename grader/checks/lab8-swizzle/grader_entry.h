// What grader_checks.cpp tries of lab8-swizzle: `make release` leaves this file out, too.
#pragma once

namespace tmagrade_entry {

template <>
struct Further<Tiles64> : Instances<Values<2, 64, 1>, Values<17, 64, 3>> {};
template <>
struct Further<Tiles32And128>
    : Instances<Values<1, 32, 3, 32>, Values<3, 32, 2, 32>, Values<1, 128, 5, 128>,
                Values<3, 128, 7, 128>, Values<33, 128, 4, 128>> {};

}  // namespace tmagrade_entry
