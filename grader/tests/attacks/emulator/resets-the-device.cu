// Gives the right answer, and then resets the device, so that the judge's buffers are no longer
// mapped.
//
// Fails: a reply without a device is a crash; what the buffers hold is read in the judge's process.
#include "plain_reverse.h"

void launch_reverse_tile(int* dest, const int* src, int count) {
  reverse<<<1, 256>>>(dest, src, count);
  cudaDeviceReset();
}
