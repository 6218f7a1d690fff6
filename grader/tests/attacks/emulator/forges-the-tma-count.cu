// Adds one with plain loads and stores, and sends the reply itself, with a count of TMA bytes to
// its liking.
//
// Fails: the count is the replay's, where no host code of a submission runs; and a call that never
// ended has no record.
#include <cuda_runtime.h>

#include "contract/protocol/protocol.h"
#include "unnamed.h"

__global__ void add_one(int* data, int count) {
  for (int i = threadIdx.x; i < count; i += blockDim.x) data[i] += 1;
}

void launch_add_one_tile(int* data, int count) {
  add_one<<<1, 256>>>(data, count);
  cudaDeviceSynchronize();
  auto* page =
      static_cast<protocol::Page*>(mmap(nullptr, protocol::page_bytes, PROT_READ | PROT_WRITE,
                                        MAP_SHARED, protocol::page_descriptor, 0));
  page->reply = protocol::Reply{};
  page->reply.is_measured = 1;
  page->reply.measured.fill(1 << 30);
  page->reply_sequence = page->request_sequence.load();
  pause();
}
