// Runs all cases in worker processes: an operation that the hardware refuses ends its CUDA context,
// and so its process, but no more than that.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "tests/conformance/tma_cases.h"

namespace conformance {

// `count` zeros that processes forked from this one share; never freed.
void* shared_memory(std::size_t bytes);

class Run {
 public:
  // `ordinary` cases, which should not fault, precede those that should. Every `every`th group of
  // the ordinary ones is run.
  Run(const std::vector<Case>& cases, std::size_t ordinary, std::size_t every);

  // Runs the cases. Calls `tick` about once a second. Gives up the ordinary cases that are left
  // when more than `fault_limit` of them have ended their process.
  void execute(int workers, const std::function<void()>& tick);

  std::uint64_t answer(std::size_t index) const { return answers_[index]; }
  bool is_selected(std::size_t index) const {
    return index >= ordinary_ || index / group_size % every_ == 0;
  }
  std::size_t answered() const;
  std::size_t unexpected_faults() const { return unexpected_faults_; }

 private:
  static constexpr std::size_t group_size = 64;
  static constexpr std::size_t fault_limit = 250;
  struct Board;
  struct Worker {
    pid_t process = 0;
    std::size_t watched = 0;  // the case that it was seen at, and for how long
    double seconds = 0;
  };

  void start(std::size_t worker);
  void work(std::size_t worker);
  bool take(std::size_t worker);
  // A worker's process has ended before its work was done.
  void attribute_end(std::size_t worker, int status);
  void kill_if_hung(std::size_t worker, double seconds);

  const std::vector<Case>& cases_;
  std::size_t ordinary_;
  std::size_t every_;
  Board* board_;
  std::uint64_t* answers_;
  std::vector<Worker> workers_;
  std::size_t unexpected_faults_ = 0;
};

}  // namespace conformance
