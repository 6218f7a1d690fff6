// The registers of wgmma.mma_async. PTX ISA, "wgmma.fence" and "wgmma.wait_group": a wgmma.fence
// stands before the first wgmma, and between any use of a register by its thread and a wgmma that
// uses it, but that wgmmas of one shape may add to one D; and from its issue to a wait that covers
// it, nobody else uses its registers.
//
// What compilers make of a program's registers is not what its author wrote: constants are written
// where they are first needed, behind a fence, and values are copied from one register to another.
// So a copy is no use here; who uses the copy of a result before it was waited for uses the result.
// In code for a debugger all values live in memory, and whatever lies between a product and its
// wait moves some: nothing of that is the author's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
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
    own.groups.push_back(own.issued);
  }
  void await(const events::ProductsAwaited& wait);

 private:
  // What is known of a register.
  struct Register {
    bool has_value = false;          // somebody has written it
    std::uint32_t result_of = 0;     // the number of the last product that writes it,
    std::uint32_t factor_of = 0;     // and that reads it as A
    std::uint32_t issued_at = 0;     // their last site,
    std::uint32_t issued_after = 0;  // and how many fences that was behind
    std::uint32_t used_at = 0;       // where another instruction used it last,
    std::uint32_t used_after = 0;    // and how many fences that was behind
    bool was_used = false;
    std::uint32_t copy_of = 0;         // the product whose result, in flight then, was copied here,
    std::uint32_t copy_issued_at = 0;  // and its site
  };
  // A product that may still write what a register or a copy of one holds; number 0 where none
  // does.
  struct InFlight {
    std::uint32_t product = 0;
    std::uint32_t issued_at = 0;
  };
  // A wgmma.wait_group.
  struct Wait {
    std::uint32_t site = 0;
    std::uint32_t pending = 0;  // so many groups it need not wait for
    std::uint32_t issued = 0;   // products by then,
    std::size_t groups = 0;     // and groups
  };
  struct Warp {
    bool has_fenced = false;
    std::uint32_t fences = 0;
    std::uint32_t issued = 0;
    std::uint32_t done = 0;
    // Those that were not waited for: each as the number of its last product.
    std::deque<std::uint32_t> groups;
    std::optional<Wait> last_wait;
    // By frame, and place there.
    std::map<const void*, std::vector<Register>> registers;

    std::uint32_t committed() const { return groups.empty() ? done : groups.back(); }
  };
  Warp& of(WarpId warp) { return warps_[number_of(warp)]; }
  static Register& find(std::vector<Register>& registers, std::uint32_t place);
  // The product whose result, which was not waited for, the register holds or is a copy of.
  static InFlight result_in(const Warp& own, const Register& found);
  // `sentence`: what is said where the warp has not waited since; `behind_wait`: where it has.
  void report_in_flight(const Warp& own, std::uint32_t site, ThreadId thread, InFlight found,
                        Sentence sentence, Sentence behind_wait);
  // Registers that the function sets nowhere, and no product has.
  void check_values(const events::WarpgroupProduct& product, std::vector<Register>& registers);
  void check_factor(const Warp& own, const events::WarpgroupProduct& product,
                    const Register& factor);

  ClusterState& state_;
  std::map<std::uint32_t, Warp> warps_;
};

}  // namespace tmaemu::check
