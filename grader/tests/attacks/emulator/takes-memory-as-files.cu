// Writes to files that are memory and that nobody maps. The answer is right if it got 10 GiB.
//
// Fails: it makes no such files.
#include "plain_reverse.h"
#include "unnamed.h"

void launch_reverse_tile(int* dest, const int* src, int count) {
  const std::vector<char> bytes(64 << 20, 1);
  for (size_t taken = 0; taken < size_t{10} << 30; taken += bytes.size()) {
    if (!plenty_of_memory()) return;
    const int file = memfd_create("tma-attack", 0);
    if (file < 0 || write(file, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
      return;
  }
  reverse<<<1, 256>>>(dest, src, count);
}
