// Overwrites what the emulator has recorded of its work, and which another process is to repeat,
// with noise.
//
// Fails: a recording is read as a stranger's bytes. What is none cannot be followed.
#include "contract/protocol/protocol.h"
#include "plain_reverse.h"
#include "unnamed.h"

void launch_reverse_tile(int* dest, const int* src, int count) {
  reverse<<<1, 256>>>(dest, src, count);
  constexpr size_t bytes = 1 << 20;
  auto* recording = static_cast<unsigned char*>(
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, protocol::recording_descriptor, 0));
  for (size_t i = 0; i < bytes; ++i)
    recording[i] = static_cast<unsigned char>(i * 2654435761u >> 13);
}
