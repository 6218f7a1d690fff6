// Tries to leave files where they would be found and used: beside the runner, its own library and
// the libraries of the emulator, in system folders, in the folder above. The answer is right if
// that worked anywhere.
//
// Fails: it makes no files, and what it sees is read-only.
#include "plain_reverse.h"
#include "unnamed.h"

bool leave_a_file_in(const std::string& folder) {
  return open((folder + "/tma-attack-was-here").c_str(), O_WRONLY | O_CREAT, 0600) >= 0;
}

void launch_reverse_tile(int* dest, const int* src, int count) {
  std::vector<std::string> folders{
      ".",    "..",       "",        "/etc",           "/usr",  "/usr/lib", "/var/tmp",
      "/tmp", "/dev/shm", "/grader", "/usr/local/bin", "/root", "/home",    "/dev"};
  for (const std::string& line : lines(contents("/proc/self/maps"))) {
    if (line.find('/') != line.npos) folders.push_back(folder_of(line.substr(line.find('/'))));
  }
  bool written = false;
  for (const std::string& folder : folders) written |= leave_a_file_in(folder);
  if (written) reverse<<<1, 256>>>(dest, src, count);
}
