// Tries the same behind the emulator's back: looks up in /proc/self/maps where it has mapped the
// judge's buffers, and stores the answer there.
//
// Fails: what counts is what the recorded launches do to fresh inputs, in a process that never
// loads this code.
#include "unnamed.h"

void launch_reverse_tile(int*, const int*, int count) {
  std::vector<int*> buffers;  // dest, then src, or the other way round
  for (const std::string& line : lines(contents("/proc/self/maps"))) {
    char* begin;
    const bool shared = line.find("rw-s") != line.npos && line.find("tmaemu") != line.npos;
    if (!shared || std::sscanf(line.c_str(), "%p-", reinterpret_cast<void**>(&begin)) != 1)
      continue;
    buffers.push_back(reinterpret_cast<int*>(begin + 32 * 1024));  // behind the red zone
  }
  for (int* to : buffers) {
    for (const int* from : buffers) {
      if (to == from || to[0] != to[1]) continue;  // only the output is the same pattern everywhere
      for (int i = 0; i < count; ++i) to[i] = from[count - 1 - i];
    }
  }
}
