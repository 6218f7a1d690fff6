// Checks accesses against those before them to the same bytes, and remembers them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "emulator/check/access_context.h"
#include "emulator/check/access_rules.h"
#include "emulator/check/past_access.h"
#include "emulator/check/shadow.h"
#include "emulator/check/shared_shadow.h"
#include "emulator/check/unit_set.h"
#include "emulator/model/events.h"

namespace tmaemu::check {

class AccessChecker {
 public:
  class SharedReading;

  AccessChecker(ClusterState& state, MbarrierChecker& mbarriers, GroupLedgers& groups,
                Operations& operations, const HeardFlags& heard_flags)
      : state_(state),
        regions_(state.launch.memory),
        context_{state, mbarriers, groups, operations, regions_, history_, heard_flags},
        shared_(state.ctas) {}
  AccessChecker(const AccessChecker&) = delete;
  AccessChecker& operator=(const AccessChecker&) = delete;

  void start();
  // An access of the thread to be filled in: who, where and when.
  PastAccess begin_access(ThreadId thread, std::uint32_t site) const;
  // Lanes of a warp: `lanes` are those of the event that the access is of.
  void check(const PastAccess& access, const events::Access& event, bool writes,
             std::span<const events::LaneAddress> lanes);
  // An operation: what it reads that it should not.
  UnwrittenBytes check(const PastAccess& access, bool is_global, std::uint64_t address,
                       std::uint64_t bytes, bool writes);
  // An operation that reads here and there in the shared memory of its CTA; nothing where there is
  // no room to remember it.
  std::optional<SharedReading> begin_reading(const PastAccess& access);
  // Who wrote the byte of shared memory last; null: nobody.
  const PastAccess* writer_of(std::uint32_t address) const;
  // Whether anybody has read it since.
  bool is_read(std::uint32_t address) const;
  // mbarrier.init and mbarrier.inval write their object.
  void make_mbarrier(std::uint32_t address, const Action& action, bool lives);

 private:
  // The last access of a warp at a site, whose number may serve again.
  struct Recent {
    PastAccess access;
    std::uint32_t number = 0;
  };
  CheckedAccess remember(const PastAccess& access, bool is_global, bool writes);
  void check_span(const AccessedBytes& span, const BlockAccess& form, const CheckedAccess& checked,
                  AccessRules& rules, GlobalShadow::Visited& visited);
  void check_users(const Block& block, unsigned begin, unsigned end, const Action& initialization);
  void check_user(const Accessor& user, bool wrote, const Action& initialization);

  ClusterState& state_;
  AccessHistory history_;  // of accesses to shared memory
  RegionCache regions_;
  AccessContext context_;
  SharedShadow shared_;
  std::unordered_map<std::uint64_t, Recent> recent_, recent_global_;
};

// An operation reads here and there in the shared memory of its CTA.
class AccessChecker::SharedReading {
 public:
  SharedReading(AccessChecker& accesses, const CheckedAccess& checked);
  SharedReading(const SharedReading&) = delete;
  SharedReading& operator=(const SharedReading&) = delete;

  void read(const UnitSet& units);
  // Whether it comes behind all of these accesses, fenced where it has to be.
  bool comes_behind(std::span<const std::uint32_t> accesses);
  // The writes that it has come upon so far, by their numbers.
  const std::vector<std::uint32_t>& met_writes() const { return met_writes_; }
  std::uint64_t unwritten_bytes() const { return rules_.unwritten().in_shared; }

 private:
  AccessChecker& accesses_;
  const CheckedAccess checked_;
  AccessRules rules_;
  std::vector<std::uint32_t> met_writes_;
};

}  // namespace tmaemu::check
