// A mistake that the emulator has seen, as data. Who sees one names a sentence of the registry and
// adds what this one is about; places, names and words are looked up where it is told.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "emulator/model/finding_codes.h"
#include "emulator/model/ids.h"

namespace tmaemu {

// What stands for a {} of a sentence.
struct Value {
  Value(std::integral auto number) : text(std::to_string(number)) {}
  Value(std::string words) : text(std::move(words)) {}
  Value(std::string_view words) : text(words) {}
  Value(const char* words) : text(words) {}
  std::string text;
};
using Values = std::vector<Value>;

// Bytes of shared memory, by the offset in their CTA's.
struct SharedBytes {
  std::uint32_t offset = 0;
  std::uint32_t count = 0;
};

// What the thread of a finding does with the bytes.
enum class BytesUse : std::uint8_t { reads, writes, loads_into };

// Another place that has to do with a finding.
struct Note {
  NoteSentence sentence;
  std::uint32_t site = 0;
  Dimensions cta = {0, 0, 0};
  ThreadId thread = {};
  SharedBytes bytes = {};
  std::uint64_t launch = 0;  // whose instruction it is, in the program's order; 0: of this one
};

// What a thread waits for in a deadlock.
struct MbarrierWait {
  std::uint32_t offset = 0;  // in shared memory
  bool parity = false;       // of the phase waited for
  bool is_initialized = false;
  bool current_parity = false;
  std::int64_t arrivals_missing = 0;
  std::int64_t arrivals_expected = 0;
  std::int64_t bytes_missing = 0;  // negative: that many more arrived than expected
  bool is_polled = false;          // the threads ask again and again
  std::uint16_t rank = 0;          // of the CTA in whose shared memory it is
  bool operator==(const MbarrierWait&) const = default;
};
struct CtaBarrierWait {
  unsigned barrier = 0;  // __syncthreads() is 0
  unsigned arrived = 0;  // threads
  unsigned expected = 0;
  bool operator==(const CtaBarrierWait&) const = default;
};
struct ClusterBarrierWait {
  bool operator==(const ClusterBarrierWait&) const = default;
};
struct WarpWait {
  std::uint32_t members = 0;  // the lanes of the mask
  bool operator==(const WarpWait&) const = default;
};
// For the other lanes of a warp, to execute what no lane executes alone.
struct WholeWarpWait {
  bool operator==(const WholeWarpWait&) const = default;
};
// For the other warps of a warpgroup, to issue what all four execute together.
struct WarpgroupWait {
  bool operator==(const WarpgroupWait&) const = default;
};
// setmaxnreg.inc, for registers of the CTA's pool. All of a thread.
struct RegistersWait {
  unsigned wanted = 0;
  unsigned owned = 0;
  unsigned in_pool = 0;  // for the threads of one warp
  bool operator==(const RegistersWait&) const = default;
};
struct PollWait {
  std::uint64_t address = 0;  // of the flag; of an mbarrier whose phase is over, that of its object
  // Who polls at one line polls for one thing, whatever the place of each thread's own flag.
  bool operator==(const PollWait&) const { return true; }
};
using WaitedFor = std::variant<MbarrierWait, CtaBarrierWait, ClusterBarrierWait, WarpWait,
                               WholeWarpWait, WarpgroupWait, RegistersWait, PollWait>;

// Threads that wait at one place for one thing.
struct Waiters {
  std::uint32_t site = 0;
  Dimensions cta;  // of the first of them
  ThreadId first;
  std::uint64_t threads = 0;
  WaitedFor waited_for;
  std::size_t number = 0;  // in the order in which they were seen
};

struct Finding {
  Sentence sentence;
  Values values = {};
  std::uint32_t site = 0;
  Dimensions cta = {0, 0, 0};  // ctaid of the thread that did it
  ThreadId thread = {};
  std::optional<SharedBytes> bytes = {};
  BytesUse use = BytesUse::reads;
  std::vector<Note> notes = {};
  std::vector<Waiters> waiters = {};  // a deadlock's
  std::string rule = {};              // the rule of a tensor map or an operation that was broken

  const CodeEntry& code() const { return entry_of(entry_of(sentence).code); }
};

// The kernel cannot go on. Thrown where that is seen, caught by the launch.
struct KernelFault {
  Finding finding;
};

}  // namespace tmaemu
