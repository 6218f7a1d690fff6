// Which processes a process has started.
#pragma once

#include <sys/types.h>

#include <vector>

namespace judge {

// Of all of its threads; none where the process has ended.
std::vector<pid_t> children_of(pid_t process);

}  // namespace judge
