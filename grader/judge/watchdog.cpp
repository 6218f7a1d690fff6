#include "judge/watchdog.h"

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "judge/process_tree.h"
#include "judge/text.h"

namespace judge {
namespace {

// Nobody has this many; a tree that grows while it is looked at must come to an end.
constexpr std::size_t kMostProcesses = 4096;

// The lines of status are "RssAnon:      1024 kB" (proc_pid_status(5)).
Usage usage_of(pid_t process) {
  Usage usage;
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(status, line);) {
    std::istringstream words(line);
    std::string name;
    std::uint64_t value = 0;
    words >> name >> value;
    if (name == "RssAnon:" || name == "RssShmem:" || name == "VmSwap:") {
      usage.memory_bytes += value * 1024;
    } else if (name == "Threads:") {
      usage.threads = value;
    }
  }
  return usage;
}

}  // namespace

Usage usage_of_tree(pid_t root) {
  Usage sum;
  std::vector<pid_t> tree{root};
  for (std::size_t i = 0; i < tree.size() && i < kMostProcesses; ++i) {
    const pid_t process = tree[i];
    const Usage usage = usage_of(process);
    sum.memory_bytes += usage.memory_bytes;
    sum.threads += usage.threads;
    const std::vector<pid_t> children = children_of(process);
    tree.insert(tree.end(), children.begin(), children.end());
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
