// Tries a time near zero: replies before it has done anything, and works afterward.
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
  if (count >= TIMED) {
    page->reply = protocol::Reply{};
    page->reply_sequence = page->request_sequence.load();
  }
  honest(dest, src, count);
}
