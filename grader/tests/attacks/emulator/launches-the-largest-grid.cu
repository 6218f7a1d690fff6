// Launches as many threads as a launch can have.
//
// Fails: the judge looks at its clock.
__global__ void nothing() {}

void launch_reverse_tile(int*, const int*, int) {
  nothing<<<0x7FFFFFFF, 1024>>>();
}
