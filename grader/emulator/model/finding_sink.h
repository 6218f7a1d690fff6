// Where findings go. The floors that see mistakes know nothing of who tells them.
#pragma once

#include <cstdint>

#include "emulator/model/finding.h"

namespace tmaemu {

class FindingSink {
 public:
  virtual ~FindingSink() = default;
  // It is seen now, and reported later where it is no consequence of something else.
  virtual void suspect(const Finding&) {}
  // The program goes on, and so it does on a GPU, which says nothing: told while somebody looks for
  // such mistakes.
  virtual void notice(const Finding&) {}
  // The program goes on.
  virtual void report(const Finding& finding) = 0;
  // The kernel ends with it.
  virtual void fault(const Finding& finding) = 0;
  // The cluster of this number has ended without a fault.
  virtual void cluster_ended(std::uint64_t cluster) = 0;
};

}  // namespace tmaemu
