// Which processes a process has started.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <vector>

namespace judge {

// The folders of its threads in /proc, by their numbers; none where the process has ended.
std::vector<std::filesystem::path> tasks_of(pid_t process);

// Of all of its threads; none where the process has ended.
std::vector<pid_t> children_of(pid_t process);

// A process and all of its descendants, 4096 at most.
std::vector<pid_t> tree_of(pid_t root);

}  // namespace judge
