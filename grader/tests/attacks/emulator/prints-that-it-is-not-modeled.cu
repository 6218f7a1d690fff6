// Tries to put the blame on the grader: prints what the emulator prints when it meets what it does
// not model.
//
// Fails: what a submission prints is no finding.
#include <cstdio>

void launch_reverse_tile(int*, const int*, int) {
  std::fputs("lab1.cu:7:3: error: this instruction is not modeled [not-modeled]\n", stderr);
}
