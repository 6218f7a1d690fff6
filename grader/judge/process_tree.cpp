#include "judge/process_tree.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

namespace judge {

std::vector<pid_t> children_of(pid_t process) {
  namespace fs = std::filesystem;
  std::vector<pid_t> found;
  std::error_code gone;
  const fs::path tasks = fs::path("/proc") / std::to_string(process) / "task";
  for (fs::directory_iterator task(tasks, gone), end; !gone && task != end; task.increment(gone)) {
    std::ifstream children(task->path() / "children");
    for (pid_t child = 0; children >> child;) found.push_back(child);
  }
  return found;
}

}  // namespace judge
