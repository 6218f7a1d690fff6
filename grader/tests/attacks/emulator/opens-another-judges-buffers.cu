// Tries to open emulated buffers that are not its own: those of a classmate who is being graded.
// The answer is right if that worked.
//
// Fails: there is nothing of others to open.
#include "plain_reverse.h"
#include "unnamed.h"

bool opens_anothers() {
  const std::string mine = contents("/proc/self/maps");
  for (const std::string& name : entries("/dev/shm")) {
    if (mine.find(name) != mine.npos) continue;
    if (readable("/dev/shm/" + name) || !entries("/dev/shm/" + name).empty()) return true;
  }
  return false;
}

void launch_reverse_tile(int* dest, const int* src, int count) {
  for (int tries = 0; tries < 100; ++tries, usleep(10'000)) {
    if (!opens_anothers()) continue;
    reverse<<<1, 256>>>(dest, src, count);
    return;
  }
}
