// What grader_checks.cpp tries of lab4-single-tile: `make release` leaves this file out, too.
#pragma once

namespace tmagrade_entry {

template <>
struct Further<TileShapes>
    : Instances<Values<2, 16>, Values<17, 40>, Values<256, 64>, Values<96, 200>> {};

}  // namespace tmagrade_entry
