// What the text of a program says about its instructions, found once a program.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "emulator/check/dataflow.h"
#include "emulator/program/program.h"

namespace tmaemu::check {

class SiteFacts {
 public:
  explicit SiteFacts(const Program& program);

  // The shared variable that the instruction's address in shared memory is computed from; null
  // where it may be several. One with an end: dynamic shared memory has none.
  const SharedVariable* variable(std::uint32_t site) const { return variables_[site]; }
  // It asks an mbarrier, or a flag, and nobody looks at the answer.
  bool is_vain_question(std::uint32_t site) const { return vain_questions_[site]; }
  // An atomic, and somebody looks at what it found.
  bool is_answered(std::uint32_t site) const { return answered_[site]; }
  // A strong load that polls (polls.h): that it races with writes is what it is for.
  bool is_poll(std::uint32_t site) const { return polls_[site]; }
  // ld.global.nc, which goes through the read-only cache.
  bool is_read_only_load(std::uint32_t site) const { return read_only_loads_[site]; }
  // It reads since it cannot write otherwise, and nobody looks at what it brings: a load for a
  // write to a bit field, or atomicExch() to set a value.
  bool reads_to_write(std::uint32_t site) const { return reads_to_write_[site]; }
  // Of an instruction that lanes meet at (shfl.sync and others): the site of a store that they come
  // to later, and from which there is no way back. Nothing where none is known.
  std::optional<std::uint32_t> store_behind(std::uint32_t site) const {
    const std::uint32_t store = stores_behind_[site];
    return store == nowhere ? std::nullopt : std::optional(store);
  }
  // Whether it is such a store.
  bool is_store_behind(std::uint32_t site) const { return is_store_behind_[site]; }
  // Of a shuffle: where the value that it brings gets to in any case.
  Dataflow::Reach reach(std::uint32_t site) const { return reaches_[site]; }
  // Whether it is a shfl.sync.down of the whole warp.
  bool shuffles_down(std::uint32_t site) const { return shuffles_down_[site]; }
  // Of a wgmma.mma_async: whether its D, or its A, has registers that the function gives no value,
  // but by products that add to them.
  bool has_unset_results(std::uint32_t site) const { return unset_results_[site]; }
  bool has_unset_factors(std::uint32_t site) const { return unset_factors_[site]; }
  // Of two wgmma.mma_async: whether their accumulators have one shape.
  bool accumulate_alike(std::uint32_t site, std::uint32_t other) const {
    return site == other || accumulators_[site] == accumulators_[other];
  }
  // Whether two instructions are of one line of the source: of one lap of an unrolled loop and of
  // another, for example.
  bool are_of_one_line(std::uint32_t site, std::uint32_t other) const {
    return site == other || lines_[site] == lines_[other];
  }

 private:
  static constexpr std::uint32_t nowhere = ~std::uint32_t{0};
  void look_at_convergence(const DecodedFunction& decoded, std::span<const Effects> effects,
                           const Dataflow& dataflow);

  std::vector<const SharedVariable*> variables_;  // by site
  std::vector<std::uint32_t> lines_;              // by site: a number for each line
  std::vector<std::uint32_t> accumulators_;       // by site: a number for each shape and type
  std::vector<bool> unset_results_;
  std::vector<bool> unset_factors_;
  std::vector<std::uint32_t> stores_behind_;
  std::vector<bool> is_store_behind_;
  std::vector<Dataflow::Reach> reaches_;
  std::vector<bool> shuffles_down_;
  std::vector<bool> vain_questions_;
  std::vector<bool> answered_;
  std::vector<bool> polls_;
  std::vector<bool> read_only_loads_;
  std::vector<bool> reads_to_write_;
};

// Whether who has waited for an mbarrier at that site may come to a load of the TMA engine before
// another wait, as the producer of a ring does. A line that may also be come to without a wait does
// not count: its load is what the wait is for, and in the next lap it is behind the wait, too.
bool loads_behind_wait(const Program& program, const SiteFacts& facts, std::uint32_t wait);

}  // namespace tmaemu::check
