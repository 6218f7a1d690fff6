// Knows the facts of the two GPUs that students can see, and asks no device for anything but which
// of the two it is.
//
// Fails: a case has a GPU whose facts are drawn.
#include <cuda_runtime.h>

struct DeviceFacts {
  int sms, max_threads_per_sm, registers_per_sm, shared_bytes_per_sm, shared_bytes_per_cta,
      l2_bytes;
  int peak_gb_per_s, bytes_in_flight_per_sm;
};

DeviceFacts query_device(int device) {
  int sms = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
  if (sms == 132) return {132, 2048, 65536, 233472, 232448, 62914560, 4814, 21881};
  return {sms, 1536, 65536, 102400, 101376, 6291456, 768, 4608};
}
