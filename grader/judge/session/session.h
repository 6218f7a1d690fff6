// What the tests of a run share: the options, the device, and where the results go.
#pragma once

#include <string>
#include <string_view>

#include "common/text.h"
#include "judge/call/runner_pool.h"
#include "judge/examine/again.h"
#include "judge/examine/examiner.h"
#include "judge/memory/device.h"
#include "judge/report/report.h"
#include "judge/session/options.h"

namespace judge {

class Session {
 public:
  Session(Options options, Device& device);
  Session(const Session&) = delete;
  ~Session() { current_ = nullptr; }

  // GoogleTest makes the tests itself, so they find the session here. Precondition: there is one.
  static Session& current() { return *current_; }

  const Options& options() const { return options_; }
  Device& device() { return device_; }
  RunnerPool& runners() { return runners_; }
  Examiner& examiner() { return examiner_; }
  // Of a second runner, whose calls are not checked. The emulator's.
  Examiner& unchecked_examiner() { return unchecked_examiner_; }
  Again& again() { return again_; }
  Report& report() { return report_; }

  // Whether to go on with this part. After a fault of the grader there is nothing to go on with.
  bool wants(std::string_view part) const {
    return report_.faults.empty() && (options_.filter.empty() || options_.filter == part);
  }
  // Of a part that is wanted: whether also this case is. Those that --case does not name are kept
  // by name, and so are those that a part that hangs keeps from being run.
  bool wants_case(const std::string& part, const std::string& name) {
    if (!options_.only_case.empty() && options_.only_case != name) {
      report_.passed_over.push_back(name);
      return false;
    }
    if (options_.left_out.contains(common::concat(part, '/', name))) return false;
    if (!options_.stop_at_timeout || !report_.has_hung(part)) return true;
    report_.not_run.push_back({part, name});
    return false;
  }

 private:
  static Session* current_;

  Options options_;
  Device& device_;
  RunnerPool runners_;
  Examiner examiner_;
  RunnerPool unchecked_runners_;
  Examiner unchecked_examiner_;
  Again again_;
  Report report_;
};

}  // namespace judge
