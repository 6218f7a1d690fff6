// The registers of wgmma.mma_async. PTX ISA, "wgmma.fence" and "wgmma.wait_group": a wgmma.fence
// stands before the first wgmma, and between any use of a register by its thread and a wgmma that
// uses it, but that wgmmas of one shape may add to one D; and from its issue to a wait that covers
// it, nobody else uses its registers.
//
// What compilers make of a program's registers is not what its author wrote: constants are written
// where they are first needed, behind a fence, and values are copied from one register to another.
// So copies count for nothing here.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "emulator/check/cluster_state.h"
#include "emulator/check/lanes.h"
#include "emulator/model/events.h"

namespace tmaemu::check {

class RegisterChecker {
 public:
  explicit RegisterChecker(ClusterState& state) : state_(state) {}

  void start() { warps_.clear(); }
  void use(const events::RegisterUse& use);
  void fence(WarpId warp) {
    Warp& own = of(warp);
    own.has_fenced = true;
    ++own.fences;
  }
  void issue(const events::WarpgroupProduct& product);
  void commit(WarpId warp) {
    Warp& own = of(warp);
    own.committed = own.issued;
  }
  void await(const events::ProductsAwaited& wait);

 private:
  // What is known of a register.
  struct Register {
    std::uint32_t result_of = 0;   // the number of the last product that writes it,
    std::uint32_t factor_of = 0;   // and that reads it as A
    std::uint32_t issued_at = 0;   // their last site
    std::uint32_t used_at = 0;     // where another instruction used it last,
    std::uint32_t used_after = 0;  // and how many fences that was behind
    bool was_used = false;
  };
  struct Warp {
    bool has_fenced = false;
    std::uint32_t fences = 0;
    std::uint32_t issued = 0;
    std::uint32_t committed = 0;
    std::uint32_t done = 0;
    std::optional<std::uint32_t> last_wait;  // its site,
    std::uint32_t issued_by_wait = 0;        // and what was issued by then
    std::map<events::Register, Register> registers;
  };
  Warp& of(WarpId warp) { return warps_[number_of(warp)]; }
  void report_in_flight(const Warp& own, const events::RegisterUse& use, const Register& found,
                        std::uint32_t product, Sentence sentence);

  ClusterState& state_;
  std::map<std::uint32_t, Warp> warps_;
};

}  // namespace tmaemu::check
