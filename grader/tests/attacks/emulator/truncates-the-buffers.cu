// Tries to cut off the emulated buffers that it shares with the judge: whoever reads there then
// dies of SIGBUS.
//
// Fails: it may change no file's size.
#include "unnamed.h"

void launch_reverse_tile(int*, const int*, int) {
  for (const std::string& line : lines(contents("/proc/self/maps"))) {
    if (line.find("rw-s") == line.npos || line.find('/') == line.npos) continue;
    const std::string range = line.substr(0, line.find(' '));
    for (const std::string& name : {line.substr(line.find('/')), "/proc/self/map_files/" + range}) {
      const int file = open(name.c_str(), O_RDWR);
      if (file >= 0 && ftruncate(file, 0) == 0) unlink(name.c_str());
      open(name.c_str(), O_RDWR | O_TRUNC);
    }
  }
}
