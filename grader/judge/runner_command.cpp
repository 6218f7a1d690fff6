#include "judge/runner_command.h"

namespace judge {

std::vector<std::string> runner_command(const RunnerFiles& files) {
  return {files.runner, files.submission};
}

}  // namespace judge
