// Tries to stop the clock before the work is done: sends the reply itself when three quarters of
// the timed calls have been executed, while the kernels of the rest are still to run.
//
// Fails: the judge takes a look at the outputs right after the reply, before anything else can run.
#include <cuda_runtime.h>

#include "contract/protocol/protocol.h"
#include "reverse_tiles.h"
#include "unnamed.h"

void honest(int* dest, const int* src, size_t count, cudaStream_t stream = nullptr) {
  if (count == 0) return;
  reverse<<<static_cast<unsigned>((count + 255) / 256), 256, 0, stream>>>(dest, src, count);
}

// Arrays of the timed calls are larger than those of the tests.
constexpr size_t TIMED = 100'000'000;

void launch_reverse(int* dest, const int* src, size_t count) {
  static auto* page =
      static_cast<protocol::Page*>(mmap(nullptr, protocol::page_bytes, PROT_READ | PROT_WRITE,
                                        MAP_SHARED, protocol::page_descriptor, 0));
  static cudaEvent_t most_is_done;
  static unsigned call = 0;
  honest(dest, src, count);
  if (count < TIMED) return;
  if (!most_is_done) cudaEventCreateWithFlags(&most_is_done, cudaEventDisableTiming);
  const unsigned calls = page->request.repeat;
  if (++call == calls * 3 / 4) cudaEventRecord(most_is_done);
  if (call < calls) return;
  call = 0;
  cudaEventSynchronize(most_is_done);
  page->reply = protocol::Reply{};
  page->reply_sequence = page->request_sequence.load();
}
