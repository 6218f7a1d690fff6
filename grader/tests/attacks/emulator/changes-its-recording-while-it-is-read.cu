// Changes what the emulator has recorded, again and again, while another process reads it: what was
// checked shall not be what is used.
//
// Fails: it may start no thread, and without one it stands still when the recording is read. (Every
// event is read once, besides.)
#include "contract/protocol/protocol.h"
#include "reverse.h"
#include "unnamed.h"

__global__ void reverse(int* dest, const int* src, int count) {
  reverse_elements(dest, src, count);
}

void launch_reverse_tile(int* dest, const int* src, int count) {
  constexpr size_t bytes = 1 << 20;
  auto* recording = static_cast<std::uint64_t*>(
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, protocol::recording_descriptor, 0));
  in_a_thread([recording] {
    for (std::uint64_t turn = 0;; ++turn) {
      for (size_t i = 0; i < bytes / 8; ++i) {
        if (recording[i] != 0) recording[i] ^= std::uint64_t{1} << turn % 64;
      }
    }
  });
  reverse<<<1, 256>>>(dest, src, count);
}
