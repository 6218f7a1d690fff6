// Where a piece of work stands among a program's streams: what is over when it begins, and what may
// still be running. CUDA C++ Programming Guide, "Streams" and "Events".
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>

namespace tmaemu {

// The work that was submitted to a stream as its `count`th piece, from 1.
struct StreamMoment {
  std::uint64_t stream = 0;
  std::uint64_t count = 0;
};

// What is known to be over: of each stream, everything up to a moment.
class StreamClock {
 public:
  void add(const StreamMoment& moment) {
    std::uint64_t& count = done_[moment.stream];
    count = std::max(count, moment.count);
  }
  void join(const StreamClock& other) {
    for (const auto& [stream, count] : other.done_) add({stream, count});
  }
  bool knows(const StreamMoment& moment) const {
    const auto found = done_.find(moment.stream);
    return found != done_.end() && found->second >= moment.count;
  }
  void clear() { done_.clear(); }

 private:
  std::map<std::uint64_t, std::uint64_t> done_;  // by stream
};

// Bytes of global memory that are used in a stream without a kernel.
struct StreamedBytes {
  enum class Use : std::uint8_t {
    read,       // by a copy, or by cuBLAS
    written,    // by a copy, a memset, or cuBLAS
    allocated,  // cudaMallocAsync: theirs who come behind it
    freed,      // cudaFreeAsync: theirs who come before it
  };
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  Use use = Use::read;
  bool operator==(const StreamedBytes&) const = default;
};

struct StreamPlace {
  StreamMoment moment;
  StreamClock known;  // what is over when the work begins
  // What precedes it in its stream may still be running: programmatic dependent launch.
  bool starts_early = false;
  bool has_other_streams = false;  // the program has made streams of its own
};

}  // namespace tmaemu
