// Which registers each instruction of a program computes from which: what a value's way through a
// thread is followed by (provenance/origins.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "emulator/program/program.h"

namespace tmaemu::provenance {

struct Step {
  enum class Kind : std::uint8_t {
    other,     // gives no register a value that anybody follows
    computes,  // its results come from its sources
    meets,     // so do they, and from those of other lanes
    loads,     // from memory; which, an access says
    adds,      // an atomic: from memory and from its sources
    stores,    // its sources go to memory; which, an access says
  };
  Kind kind = Kind::other;
  bool asks_phase = false;            // whether a phase of an mbarrier is over,
  bool asks_without_waiting = false;  // by test_wait
  bool is_of_warpgroup = false;       // a wgmma
  bool takes_registers = false;       // setmaxnreg.inc
  std::uint32_t first = 0;            // of its registers: the results, then the sources
  std::uint16_t results = 0;
  std::uint16_t sources = 0;
  std::uint16_t first_factor = 0;  // and those of its sources that are its factor A, if any are
  std::uint16_t factors = 0;
};

class Steps {
 public:
  explicit Steps(const Program& program);

  const Step& at(std::uint32_t site) const { return steps_[site]; }
  // Registers as numbers; those of different functions are different.
  std::span<const std::uint32_t> results(const Step& step) const {
    return std::span(registers_).subspan(step.first, step.results);
  }
  std::span<const std::uint32_t> sources(const Step& step) const {
    return std::span(registers_).subspan(step.first + step.results, step.sources);
  }
  std::span<const std::uint32_t> factors(const Step& step) const {
    return sources(step).subspan(step.first_factor, step.factors);
  }
  std::size_t register_count() const { return register_count_; }
  // Whether threads ask an mbarrier, or warpgroups multiply.
  bool waits_for_phases() const { return waits_for_phases_; }
  bool has_warpgroups() const { return has_warpgroups_; }

 private:
  class Reader;

  std::vector<Step> steps_;  // by site
  std::vector<std::uint32_t> registers_;
  std::size_t register_count_ = 0;
  bool waits_for_phases_ = false;
  bool has_warpgroups_ = false;
};

}  // namespace tmaemu::provenance
