// Launches by <<<>>> that were refused. They return nothing, so the program hears of it only where
// it asks for the last error; where it never does, that is told when it ends.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace tmaemu::runtime {

class RefusedLaunches {
 public:
  static RefusedLaunches& instance();

  // `launched_at`: where the <<<>>> stands.
  void add(std::uint64_t launched_at, std::string reason);
  // The program has asked for its last error.
  void asked();

 private:
  void tell() const;

  std::mutex mutex_;
  std::map<std::uint64_t, std::string> reasons_;  // by place
};

// Where the <<<>>> stands that the calling thread's next launch is of; 0: it is of none. Whoever
// launches takes it.
std::uint64_t& launched_at();

}  // namespace tmaemu::runtime
