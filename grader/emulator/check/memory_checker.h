// What the checker looks after of memory: what threads access, and what they have done for them
// asynchronously.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "emulator/check/access_checker.h"
#include "emulator/check/cluster_state.h"
#include "emulator/check/descriptor_checker.h"
#include "emulator/check/flag_checker.h"
#include "emulator/check/group_ledgers.h"
#include "emulator/check/mbarrier_checker.h"
#include "emulator/check/operation_checker.h"
#include "emulator/check/operations.h"
#include "emulator/check/product_checker.h"
#include "emulator/check/remote_checker.h"
#include "emulator/check/step_checker.h"
#include "emulator/check/swizzle_checker.h"
#include "emulator/model/events.h"

namespace tmaemu::check {

class MemoryChecker {
 public:
  // `flags`: through which the threads of the accesses tell each other what they have done.
  MemoryChecker(ClusterState& state, MbarrierChecker& mbarriers, FlagChecker& flags);

  void start();
  void access(const events::Access& access);
  void issue(const events::Bulk& bulk) {
    swizzles_.issue(bulk);
    descriptors_.issue(bulk);
    steps_.issue(bulk);
    engine_.issue(bulk);
  }
  void issue(const events::AsyncStore& store) { engine_.issue(store); }
  void issue(const events::WarpgroupProduct& product) {
    descriptors_.issue(product);
    steps_.issue(product);
    products_.issue(product);
  }
  void commit_products(WarpId warp) { products_.commit(warp); }
  void await(const events::ProductsAwaited& wait) { products_.await(wait); }
  void make_mbarrier(std::uint32_t address, const Action& action, bool lives) {
    accesses_.make_mbarrier(address, action, lives);
  }
  GroupLedgers& groups() { return groups_; }
  // `last`: what the threads of the CTA knew when the last of them ended.
  void end_cta(std::uint16_t rank, const Clocks& last);

 private:
  void check_variable(const events::Access& access, std::uint64_t lowest, std::uint64_t highest);
  void copy(const events::Access& event, PastAccess access);
  void note_sources(const events::Access& event);
  std::optional<std::int64_t> distance_of(const events::Access& event,
                                          std::span<const events::LaneAddress> lanes) const;

  ClusterState& state_;
  FlagChecker& flags_;
  GroupLedgers groups_;
  Operations operations_;
  AccessChecker accesses_;
  OperationChecker engine_;
  ProductChecker products_;
  RemoteChecker remote_;
  SwizzleChecker swizzles_;
  DescriptorChecker descriptors_;
  StepChecker steps_;
  // What each lane of the cp.async that is under way reads.
  struct CopySource {
    std::uint64_t address = 0;
    unsigned bytes = 0;
  };
  std::array<CopySource, warp_size> sources_{};
};

}  // namespace tmaemu::check
