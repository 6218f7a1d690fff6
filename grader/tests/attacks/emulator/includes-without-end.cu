// Includes a file that has no end.
//
// Fails: the compiler's memory and time are limited.
#include "/dev/zero"

void launch_reverse_tile(int*, const int*, int) {}
