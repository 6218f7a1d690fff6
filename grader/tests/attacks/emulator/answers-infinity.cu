// Tries the other number that arithmetic cannot get away from: infinity is within any relative
// bound of itself.
//
// Fails: an infinity never matches a finite number.
#include <cmath>

double copy_gb_per_s(size_t, double) {
  return INFINITY;
}
