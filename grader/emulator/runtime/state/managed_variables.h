// Which kernels of a module have to do with its __managed__ variables.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace tmaemu::runtime {

class ManagedVariables {
 public:
  explicit ManagedVariables(std::string_view ptx);
  // Whether the kernel's text names one, or that of a function, which it may call.
  bool may_be_used_by(const std::string& kernel) const {
    return used_by_functions_ || kernels_.contains(kernel);
  }

 private:
  std::set<std::string> kernels_;
  bool used_by_functions_ = false;
};

}  // namespace tmaemu::runtime
