// Tries to outlive its call: a thread waits for further buffers of the judge's to appear where it
// found the first ones, and answers there what no kernel has computed.
//
// Fails: it may start no thread, and sees no buffer but its own.
#include "unnamed.h"

std::string shared_folder() {
  for (const std::string& line : lines(contents("/proc/self/maps"))) {
    if (line.find("rw-s") != line.npos && line.find("tmaemu") != line.npos)
      return folder_of(line.substr(line.find('/')));
  }
  return "/dev/shm";
}

void answer(const std::string& folder, int count) {
  const size_t bytes = 65536 + (count * sizeof(int) + 4095) / 4096 * 4096;
  std::vector<int*> buffers;
  for (const std::string& name : entries(folder)) {
    const int file = open((folder + "/" + name).c_str(), O_RDWR);
    struct stat status {};
    if (file >= 0 && fstat(file, &status) == 0 && status.st_size == static_cast<off_t>(bytes)) {
      void* mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
      if (mapped != MAP_FAILED) buffers.push_back(static_cast<int*>(mapped));
    }
    if (file >= 0) close(file);
  }
  constexpr int red_zone = 8192;
  for (int* to : buffers) {
    for (const int* from : buffers) {
      if (to[red_zone] != to[red_zone + 1] || from[red_zone] == from[red_zone + 1]) continue;
      for (int i = 0; i < count; ++i) to[red_zone + i] = from[red_zone + count - 1 - i];
    }
  }
  for (int* buffer : buffers) munmap(buffer, bytes);
}

void launch_reverse_tile(int*, const int*, int count) {
  in_a_thread([folder = shared_folder(), count] {
    for (;;) answer(folder, count);
  });
  usleep(5000);
}
