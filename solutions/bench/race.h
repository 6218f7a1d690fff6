// Measures a solution and its peers side by side, in one run on one GPU.
//
// A lab's program (<lab>.cu beside this file) describes one Race for each case and runs it. What it
// prints is read by run.py, which `make bench` calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace bench {

// What one call does, and how its rate is written: bytes (what has to be read plus what has to be
// written) in GB/s, or operations of a matrix product, two for each multiplication and addition, in
// TFLOP/s.
struct Work {
  enum class Kind { bytes, operations };
  Kind kind;
  double amount;

  const char* unit() const { return kind == Kind::bytes ? "GB/s" : "TFLOP/s"; }
  double rate(double seconds) const {
    return amount / seconds / (kind == Kind::bytes ? 1e9 : 1e12);
  }
};
inline Work bytes_moved(std::uint64_t bytes) {
  return {Work::Kind::bytes, static_cast<double>(bytes)};
}
inline Work operations(double count) {
  return {Work::Kind::operations, count};
}

// What the solution is to reach: a fraction of the best peer's rate, or of the copy roofline (the
// best of cudaMemcpyAsync and a plain vector kernel, which takes part where bytes are measured).
enum class Against { best_peer, roofline };
struct Target {
  double fraction;
  Against against;
};

// A race uses several sets of equal buffers in turn, so that no call finds its data in the L2
// cache.
using Buffers = std::span<void* const>;
using Call = std::function<void(Buffers)>;

class Race {
 public:
  // `buffer_bytes`: of each buffer of a set. `work`: of one call.
  Race(std::string lab, std::string name, std::vector<std::size_t> buffer_bytes, Work work,
       std::vector<Target> targets);

  // The targets are those of the first solution.
  void solution(std::string name, Call call) { runners_.push_back({"solution", name, call}); }
  void peer(std::string name, Call call) { runners_.push_back({"peer", name, call}); }
  // A step on the way to the solution, which no target speaks of.
  void rung(std::string name, Call call) { runners_.push_back({"rung", name, call}); }

  // All runners in turn, several rounds of several calls; prints the median of each. A round is
  // work long enough that starting and awaiting it is nothing.
  void run(int rounds = 15, int calls = 16);

 private:
  struct Runner {
    std::string role;
    std::string name;
    Call call;
  };

  void print(const Runner& runner, double rate) const;

  std::string lab_;
  std::string name_;
  std::vector<std::size_t> buffer_bytes_;
  Work work_;
  std::vector<Target> targets_;
  std::vector<Runner> runners_;
};

}  // namespace bench
