#include "judge/watchdog.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "judge/text.h"

namespace judge {
namespace {

namespace fs = std::filesystem;

// Nobody has this many; a tree that grows while it is looked at must come to an end.
constexpr std::size_t kMostProcesses = 4096;

fs::path folder_of(pid_t process) {
  return fs::path("/proc") / std::to_string(process);
}

// The lines of status are "RssAnon:      1024 kB" (proc_pid_status(5)).
Usage usage_of(pid_t process) {
  Usage usage;
  std::ifstream status(folder_of(process) / "status");
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

// Each thread has children of its own.
void append_children(pid_t process, std::vector<pid_t>& tree) {
  std::error_code gone;
  for (fs::directory_iterator task(folder_of(process) / "task", gone), end; !gone && task != end;
       task.increment(gone)) {
    std::ifstream children(task->path() / "children");
    for (pid_t child = 0; tree.size() < kMostProcesses && children >> child;) tree.push_back(child);
  }
}

}  // namespace

Usage usage_of_tree(pid_t root) {
  Usage sum;
  std::vector<pid_t> tree{root};
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const pid_t process = tree[i];
    const Usage usage = usage_of(process);
    sum.memory_bytes += usage.memory_bytes;
    sum.threads += usage.threads;
    append_children(process, tree);
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
