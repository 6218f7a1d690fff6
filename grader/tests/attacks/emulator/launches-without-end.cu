// Launches kernels without end: whoever records them runs out of memory, whoever replays them out
// of time.
//
// Fails: the recording has a limit.
__global__ void nothing(int) {}

void launch_reverse_tile(int*, const int*, int) {
  for (int i = 0;; ++i) nothing<<<1, 1>>>(i);
}
