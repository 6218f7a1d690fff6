// Tries to use files that the grader has left open. The answer is right if there is one that names
// a file outside.
//
// Fails: a runner inherits its page, its doorbell and its outputs.
#include "plain_reverse.h"
#include "unnamed.h"

void launch_reverse_tile(int* dest, const int* src, int count) {
  for (int file = 0; file < 4096; ++file) {
    char name[512] = {};
    if (readlink(("/proc/self/fd/" + std::to_string(file)).c_str(), name, sizeof name - 1) <= 0)
      continue;
    const std::string path = name;
    const bool harmless = path.front() != '/' || path == "/dev/null" || path.find("/memfd:") == 0 ||
                          path.find("/dev/shm/") == 0 || path.find("/dev/nvidia") == 0;
    if (harmless) continue;
    reverse<<<1, 256>>>(dest, src, count);
    return;
  }
}
