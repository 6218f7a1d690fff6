// A sink of findings for tests, which keeps them.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "emulator/model/finding_sink.h"

namespace tmaemu {

class FindingLog final : public FindingSink {
 public:
  void report(const Finding& finding) override {
    const std::lock_guard lock(mutex_);
    findings.push_back(finding);
  }
  void fault(const Finding& finding) override { report(finding); }
  void cluster_ended(std::uint64_t) override {}
  // The names of the codes, in the order in which they came.
  std::vector<std::string> codes() const {
    std::vector<std::string> names;
    for (const Finding& finding : findings) names.emplace_back(finding.code().name);
    return names;
  }

  std::vector<Finding> findings;

 private:
  std::mutex mutex_;
};

}  // namespace tmaemu
