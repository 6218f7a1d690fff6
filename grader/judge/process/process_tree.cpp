#include "judge/process/process_tree.h"

#include <fstream>
#include <string>
#include <system_error>

namespace judge {
namespace {

// Nobody has this many; a tree that grows while it is looked at must come to an end.
constexpr std::size_t most_processes = 4096;

}  // namespace

std::vector<std::filesystem::path> tasks_of(pid_t process) {
  namespace fs = std::filesystem;
  std::vector<fs::path> found;
  std::error_code gone;
  const fs::path tasks = fs::path("/proc") / std::to_string(process) / "task";
  for (fs::directory_iterator task(tasks, gone), end; !gone && task != end; task.increment(gone)) {
    found.push_back(task->path());
  }
  return found;
}

std::vector<pid_t> children_of(pid_t process) {
  std::vector<pid_t> found;
  for (const std::filesystem::path& task : tasks_of(process)) {
    std::ifstream children(task / "children");
    for (pid_t child = 0; children >> child;) found.push_back(child);
  }
  return found;
}

std::vector<pid_t> tree_of(pid_t root) {
  std::vector<pid_t> tree{root};
  for (std::size_t i = 0; i < tree.size() && tree.size() < most_processes; ++i) {
    // One by one: of a range that is inserted, GCC 13 says wrongly that it overflows.
    for (const pid_t child : children_of(tree[i])) tree.push_back(child);
  }
  return tree;
}

}  // namespace judge
