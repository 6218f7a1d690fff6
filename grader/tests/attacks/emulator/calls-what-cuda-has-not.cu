// Tries to put the blame on the grader: calls a function that only looks as if it were CUDA's.
//
// Fails: CUDA's own libraries do not have it either.
extern "C" int cudaGivePoints();

void launch_reverse_tile(int*, const int*, int) {
  cudaGivePoints();
}
