// Runs all cases in worker processes: an operation that the hardware refuses ends its CUDA context,
// and so its process, but no more than that.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace conformance {

// The answer to a case: a number of the suite's own, or one of these.
inline constexpr std::uint64_t not_run = 0;
inline constexpr std::uint64_t refused = 1;  // by the host's side of CUDA
inline constexpr std::uint64_t hung = 2;
inline constexpr std::uint64_t crashed = 3;  // the process ended
// The launch ended with this cudaError_t. All errors have higher numbers than the above.
inline constexpr std::uint64_t last_error = 9999;

constexpr bool is_error(std::uint64_t answer) {
  return answer > refused && answer <= last_error;
}

// What is run. `ordinary` cases, which should not fault, precede those that should.
struct Suite {
  std::size_t cases = 0;
  std::size_t ordinary = 0;
  // Called in a worker's process; what it returns answers one case. The context is lost where
  // is_error(answer).
  std::function<std::function<std::uint64_t(std::size_t)>()> start;
  std::function<std::string(std::size_t)> text;
  std::size_t group = 64;  // of ordinary cases, which a worker takes at once
  double patience = 30;    // seconds until a case counts as hung
};

// `count` zeros that processes forked from this one share; never freed.
void* shared_memory(std::size_t bytes);

class Run {
 public:
  // Every `every`th group of the ordinary cases is run.
  Run(Suite suite, std::size_t every);

  // Runs the cases. Calls `tick` about once a second. Gives up the ordinary cases that are left
  // when more than `fault_limit` of them have ended their process.
  void execute(int workers, const std::function<void()>& tick);

  std::uint64_t answer(std::size_t index) const { return answers_[index]; }
  bool is_selected(std::size_t index) const {
    return index >= suite_.ordinary || index / suite_.group % every_ == 0;
  }
  std::size_t answered() const;
  std::size_t unexpected_faults() const { return unexpected_faults_; }

 private:
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

  Suite suite_;
  std::size_t every_;
  Board* board_;
  std::uint64_t* answers_;
  std::vector<Worker> workers_;
  std::size_t unexpected_faults_ = 0;
};

}  // namespace conformance
