#include "judge/process/watchdog.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

#include "common/text.h"
#include "judge/process/process_tree.h"

namespace judge {

using common::concat;

namespace {

// Shared memory that the process has mapped, whether its pages are in the process or not: what was
// written stays there when a process lets go of the pages (MADV_DONTNEED), and is then in nobody's
// Rss. What the GPU's driver maps is no memory of the host's. The lines of maps are
// "7f01..-7f02.. rw-s 00000000 00:01 39734   /dev/zero (deleted)" (proc_pid_maps(5)). A process may
// give memory a name that goes on after another beginning: "[anon_shmem: /dev/nvidia0]".
std::uint64_t shared_bytes(pid_t process) {
  std::uint64_t bytes = 0;
  std::ifstream maps("/proc/" + std::to_string(process) + "/maps");
  for (std::string line; std::getline(maps, line);) {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    char shared = 0;
    int name = 0;
    const int read = std::sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " %*3c%c %*s %*s %*s %n",
                                 &begin, &end, &shared, &name);
    const bool is_the_drivers =
        line.compare(static_cast<std::size_t>(name), 11, "/dev/nvidia") == 0;
    if (read == 3 && shared == 's' && !is_the_drivers) bytes += end - begin;
  }
  return bytes;
}

// The lines of status are "RssAnon:      1024 kB" (proc_pid_status(5)). Page tables count: whoever
// reads here and there in a large range of addresses has much of them, and nothing else.
Usage usage_of(pid_t process) {
  Usage usage;
  std::uint64_t present_bytes = 0;
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(status, line);) {
    std::istringstream words(line);
    std::string name;
    std::uint64_t value = 0;
    words >> name >> value;
    if (name == "RssAnon:" || name == "VmSwap:" || name == "VmPTE:" || name == "HugetlbPages:") {
      usage.memory_bytes += value * 1024;
    } else if (name == "RssShmem:") {
      present_bytes = value * 1024;
    } else if (name == "Threads:") {
      usage.threads = value;
    }
  }
  usage.memory_bytes += std::max(present_bytes, shared_bytes(process));
  return usage;
}

}  // namespace

Usage usage_of_tree(pid_t root) {
  Usage sum;
  for (const pid_t process : tree_of(root)) {
    const Usage usage = usage_of(process);
    sum.memory_bytes += usage.memory_bytes;
    sum.threads += usage.threads;
  }
  return sum;
}

std::optional<std::string> excess(const Usage& usage, const UsageLimits& limits) {
  if (usage.memory_bytes > limits.memory_bytes) {
    const double gibibytes = static_cast<double>(limits.memory_bytes) / (1 << 30);
    return concat("used more than ", gibibytes, " GiB of memory");
  }
  if (usage.threads > limits.threads) {
    return concat("had more than ", limits.threads, " threads");
  }
  return std::nullopt;
}

}  // namespace judge
