// Tries to detect the warm-up: works in the first two calls, and never again.
//
// Fails: every call is checked, not the first ones only.
#include "plain_reverse.h"
void launch_reverse_tile(int* dest, const int* src, int count) {
  static int calls = 0;
  if (++calls <= 2) reverse<<<1, 256>>>(dest, src, count);
}
