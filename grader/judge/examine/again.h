// Calls the launcher of a part with what it has been called with before. A launcher may keep state
// from call to call: what it leaves must do for the same size at once, and after another size. And
// it may leave no memory behind, each time anew. Nor are arrays done because they were before.
#pragma once

#include <map>
#include <string>

#include "common/result.h"
#include "judge/cases/call_case.h"
#include "judge/examine/examiner.h"
#include "judge/verdict/verdict.h"

namespace judge {

class Again {
 public:
  explicit Again(Examiner& examiner) : examiner_(examiner) {}

  // To be called after every case that was right. Of each part a short case is called twice in a
  // row, and once more after the next one. The case's own outcome, or what came of the further
  // call.
  common::Result<Outcome> after(const CallCase& test, Outcome outcome);

 private:
  struct Known {
    CallCase test;
    bool is_done = false;  // also after another size
  };

  common::Result<Outcome> call(const CallCase& test, const char* when, Outcome outcome);
  // Twice in a row; and a third time, where the launcher may have left memory behind.
  common::Result<Outcome> twice(const CallCase& test, Outcome outcome);
  // Twice in a row with the same arrays.
  common::Result<Outcome> in_place(const CallCase& test, Outcome outcome);

  Examiner& examiner_;
  std::map<std::string, Known> known_;  // by part
};

}  // namespace judge
