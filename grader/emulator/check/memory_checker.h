// What the checker looks after of memory: every access, of threads and of the TMA engine, against
// those before it to the same bytes.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

#include "emulator/check/cluster_state.h"
#include "emulator/check/flag_checker.h"
#include "emulator/check/groups.h"
#include "emulator/check/mbarrier_checker.h"
#include "emulator/check/operations.h"
#include "emulator/check/remote_checker.h"
#include "emulator/check/shadow.h"
#include "emulator/model/events.h"

namespace tmaemu::check {

class AccessRules;

class MemoryChecker {
 public:
  // `flags`: through which the threads of the accesses tell each other what they have done.
  MemoryChecker(ClusterState& state, MbarrierChecker& mbarriers, FlagChecker& flags);

  void start();
  void access(const events::Access& access);
  void issue(const events::Bulk& bulk);
  void issue(const events::AsyncStore& store);
  // mbarrier.init and mbarrier.inval write their object.
  void make_mbarrier(std::uint32_t address, const Deed& deed, bool lives);

  void commit_bulk(const events::Groups& groups);
  void await_bulk(const events::Groups& groups);
  void commit_copies(const events::Groups& groups);
  void await_copies(const events::Groups& groups);
  // The thread will arrive at the mbarrier when its copies so far are done, and it arrives: the
  // copies that were meant.
  void order_arrival(ThreadId thread, std::uint32_t mbarrier) {
    copies_[state_.slot(thread)].order_arrival(mbarrier);
  }
  Time take_ordered_arrival(ThreadId thread, std::uint32_t mbarrier) {
    return copies_[state_.slot(thread)].take_ordered_arrival(mbarrier);
  }

  // `last`: what the threads of the CTA knew when the last of them ended.
  void end_cta(std::uint16_t rank, const Knowledge& last);

 private:
  friend class AccessRules;

  // Bytes that are accessed alike.
  struct Span {
    bool is_global = false;
    std::uint64_t address = 0;  // global, or shared::cluster
    std::uint64_t bytes = 0;
    Mark mark;  // of the first byte
  };
  // The last record of a warp at a site, to be used again.
  struct Recent {
    Record record;
    std::uint32_t number = 0;
  };

  std::uint32_t number_of(const Record& record, bool is_global);
  void copy(const events::Access& access, Record record);
  Time next_copy(const events::Access& access, std::size_t index) const;
  void touch_lanes(const events::Access& access, std::uint32_t number, bool writes,
                   std::span<const events::LaneAddress> lanes);
  void touch_bytes(const Span& span, const Touch& form, AccessRules& rules);
  void check_users(const Block& block, unsigned begin, unsigned end, const Deed& initialization);
  void check_user(const Entry& entry, const Deed& initialization);
  void touch_map(const events::Bulk& bulk, Record record);
  void touch_operation(const Record& record, bool is_global, std::uint64_t address,
                       std::uint64_t bytes, bool writes);
  void check_bounds(const SharedVariable& variable, std::uint32_t site, ThreadId thread,
                    std::uint64_t address, std::uint64_t bytes, Sentence sentence);
  // The allocation that holds the address; null where there is none.
  const Region* region_of(std::uint64_t address);
  Record record_of(ThreadId thread, std::uint32_t site) const;
  void issue_load(const events::Bulk& bulk, Record record);
  void issue_store(const events::Bulk& bulk, Record record);
  void tell_fresh_target(const Deed& deed);

  ClusterState& state_;
  MbarrierChecker& mbarriers_;
  FlagChecker& flags_;
  Records records_;                         // of accesses to shared memory
  std::vector<std::vector<Block>> shared_;  // by rank
  std::vector<GroupLedger> bulk_, copies_;  // by thread
  Operations operations_;
  bool has_ledgers_ = false;  // the three above hold anything
  RemoteChecker remote_;
  std::uint32_t fresh_record_ = 0;  // the last record, where it is of one access
  // The sites of reads of what nobody had written, and somebody is writing.
  std::set<std::uint32_t> served_late_;
  std::uint64_t fresh_bytes_ = 0;   // of global memory that the last operation read, the same
  std::uint64_t nobody_bytes_ = 0;  // that the last operation read and nobody had written
  std::unordered_map<std::uint64_t, Recent> recent_, recent_global_;
  const Region* last_region_ = nullptr;
  std::uint64_t frees_ = 0;  // when it was looked up
};

}  // namespace tmaemu::check
