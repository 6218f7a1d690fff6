// Writes files wherever it may, until there is no more room. The answer is right if it wrote 4 GiB.
//
// Fails: it makes no files.
#include "plain_reverse.h"
#include "unnamed.h"

// The usual places, and the folders of all files that this process has mapped.
std::vector<std::string> folders() {
  std::vector<std::string> found{"/tmp", "/var/tmp", "/dev/shm", ".", "/submission"};
  for (const std::string& line : lines(contents("/proc/self/maps"))) {
    if (line.find('/') != line.npos) found.push_back(folder_of(line.substr(line.find('/'))));
  }
  return found;
}

void launch_reverse_tile(int* dest, const int* src, int count) {
  const std::vector<char> bytes(64 << 20, 1);
  size_t written = 0;
  std::vector<std::string> made;
  for (const std::string& folder : folders()) {
    for (int number = 0; written < size_t{4} << 30; ++number) {
      const std::string name = folder + "/tma-attack-" + std::to_string(number);
      const int file = open(name.c_str(), O_WRONLY | O_CREAT, 0600);
      if (file < 0) break;
      made.push_back(name);
      const ssize_t got = write(file, bytes.data(), bytes.size());
      close(file);
      if (got <= 0) break;
      written += static_cast<size_t>(got);
    }
  }
  if (written >= size_t{4} << 30) reverse<<<1, 256>>>(dest, src, count);
  for (const std::string& name : made)
    unlink(name.c_str());  // where it works, it shall not do harm
}
