// Allocates memory at each launch and frees none of it. The answer is right, until a program has
// called it often enough.
//
// Fails: what a launcher leaves allocated after each of two further calls, one like the other, it
// leaks.
#include "add_one.h"

void launch_add_one_tile(int* data, int count) {
  int* own;
  cudaMalloc(&own, 4096);
  launch_honestly(data, count);
}
