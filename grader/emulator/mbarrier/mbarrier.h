// The mbarrier object: PTX ISA, "Parallel Synchronization and Communication Instructions:
// mbarrier".
//
// Its 64 bits are opaque to programs. Here they are, from the least significant:
//   20 bits  pending arrivals of the current phase
//   20 bits  expected arrivals (what the next phase starts with)
//   21 bits  tx-count, two's complement
//    1 bit   phase parity
//    2 bits  a mark that tells an initialized object from other data
#pragma once

#include <cstdint>

#include "emulator/model/finding.h"

namespace tmaemu {

struct Mbarrier {
  // PTX ISA, "Contents of the mbarrier object": the ranges of the counts.
  static constexpr std::int64_t max_count = (1 << 20) - 1;
  static constexpr std::int64_t max_tx_count = (1 << 20) - 1;

  std::int64_t pending = 0;   // arrivals still missing in this phase
  std::int64_t expected = 0;  // arrivals of a whole phase
  std::int64_t tx_count = 0;  // bytes announced and not yet arrived
  bool parity = false;        // of the current, incomplete phase
  bool initialized = false;

  static Mbarrier initialize(std::int64_t count) { return {count, count, 0, false, true}; }

  static Mbarrier unpack(std::uint64_t bits) {
    Mbarrier barrier;
    barrier.pending = static_cast<std::int64_t>(bits & 0xFFFFF);
    barrier.expected = static_cast<std::int64_t>(bits >> 20 & 0xFFFFF);
    barrier.tx_count = static_cast<std::int64_t>(bits << 3) >> 43;
    barrier.parity = (bits >> 61 & 1) != 0;
    barrier.initialized = bits >> 62 == mark;
    return barrier;
  }

  std::uint64_t pack() const {
    return (static_cast<std::uint64_t>(pending) & 0xFFFFF) |
           (static_cast<std::uint64_t>(expected) & 0xFFFFF) << 20 |
           (static_cast<std::uint64_t>(tx_count) & 0x1FFFFF) << 40 |
           static_cast<std::uint64_t>(parity) << 61 | (initialized ? mark : 0) << 62;
  }

  // The phase completes when nothing is pending: PTX ISA, "Phase Completion of the mbarrier
  // object". True where it did; the next phase has then begun.
  bool complete_phase() {
    if (pending != 0 || tx_count != 0) return false;
    pending = expected;
    parity = !parity;
    return true;
  }

  // Whether the phase with this parity is over: it is, where the current phase has the other one.
  bool phase_is_over(bool phase_parity) const { return parity != phase_parity; }

 private:
  static constexpr std::uint64_t mark = 0b10;
};

// What an mbarrier was asked for that it cannot do.
struct MbarrierMisuse {
  enum class Kind : std::uint8_t { uninitialized, too_many_arrivals, tx_count_out_of_range };
  Kind kind;
  Mbarrier barrier;  // as it was, but for the tx-count: as it would have become
  std::int64_t arrivals = 0;

  // How one who signals mbarriers says each kind.
  struct Sentences {
    Sentence uninitialized;
    Sentence too_many_arrivals;
    Sentence tx_count_out_of_range;
  };
  Sentence said_as(const Sentences& sentences) const;
  Values values() const;
};

}  // namespace tmaemu
