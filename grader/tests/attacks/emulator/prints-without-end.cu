// Prints without end, on both outputs.
//
// Fails: the judge keeps the first 256 KiB, reads and drops the rest, and looks at its clock.
#include <cstdio>

void launch_reverse_tile(int*, const int*, int) {
  for (;;) {
    std::puts("PASSED");
    std::fputs("lab1.cu:1:1: error: I like to talk\n", stderr);
  }
}
