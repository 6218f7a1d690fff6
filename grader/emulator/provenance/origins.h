// Where the values come from that a kernel writes. Whether bytes crossed from CTA to CTA, or were
// handed from warp to warp, for the sake of the result shows in the result alone: so each value is
// followed, from memory through the threads' registers and shared memory, to where it is written.
//
// A value is
//   remote   if it comes from the shared memory of another CTA,
//   own      if the thread, or a load into its CTA's shared memory, has it from global or constant
//            memory,
//   multiplied  if it comes out of a product of a warpgroup,
//   chained  if that product had a factor in registers which was multiplied,
//   handed   if another warp left it in shared memory, or the TMA engine did so for one, and its
//            reader waited for a phase of an mbarrier and for no barrier of the CTA since;
// and so is what is computed from it, or goes through local memory or a call. Which way a branch
// goes, and where an address points to, is not followed. Whether what was handed over is what the
// result needs, a judge learns where its sign is turned.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>
#include <vector>

#include "contract/protocol/turned_signs.h"
#include "emulator/model/events.h"
#include "emulator/provenance/steps.h"

namespace tmaemu::provenance {

class Origins {
 public:
  // `turned`: whether signs of ints that are handed over are turned as they are read.
  Origins(const Steps& steps, const TurnedSigns& turned) : steps_(steps), turned_(turned) {}

  void may_look_at(SharedViews& views) { views_ = &views; }
  void cluster_starts();
  void initializes(std::uint32_t mbarrier);
  void executes(const events::Instruction& instruction);
  void accesses_shared(const events::Access& access);
  void accesses_local(const events::Access& access);
  // What a call is given, or gives back.
  void copies_local(WarpId id, unsigned lane, std::uint32_t from, std::uint32_t to,
                    std::uint32_t bytes);
  // `products`: the lanes that read what has come out of a product.
  void loads_global(const events::Access& access, LaneMask products);
  // `of_products`: a load of such.
  void issues(const events::Bulk& bulk, bool of_products);
  void issues_product(const events::WarpgroupProduct& product);
  void arrives(const events::Arrival& arrival);
  void sees_phase(const events::PhaseSeen& seen);
  void completes_barrier(BarrierId barrier, std::uint16_t rank);

  // What a thread or the engine writes to global memory.
  struct Written {
    bool is_remote = false;  // and not own
    bool is_handed = false;
    bool is_handed_to_store = false;  // at last: to the warp that issues a bulk store
    bool is_multiplied = false;
    bool is_chained = false;
    bool is_constant = false;  // comes from no memory, in a kernel that has products
  };
  Written written_by_lane(const events::Access& store, unsigned lane);
  // From shared memory.
  Written written_from(ThreadId issuer, std::uint32_t shared, std::uint64_t bytes);

  // Phases for which a warp waited that then read what the phase had handed over; each once.
  std::uint64_t phases() const { return phases_; }
  // Of these, those that were not the mbarrier's first.
  std::uint64_t later_phases() const { return later_phases_; }
  // Polls of an mbarrier after which a warp put something into shared memory before it polled
  // again: by test_wait, or by a try_wait whose answer was no.
  std::uint64_t polls() const { return polls_; }
  // Of the CTA that has most of them: contract/protocol/measures.h.
  std::uint64_t grown_warpgroups() const;

 private:
  // By lanes.
  struct Marks {
    LaneMask remote = 0;
    LaneMask own = 0;
    LaneMask handed = 0;
    LaneMask multiplied = 0;
    LaneMask chained = 0;
    void add(const Marks& other, LaneMask lanes = all_lanes);
    void set(const Marks& other, LaneMask lanes);
    Marks of_any_lane() const;
  };
  // Of four bytes of shared memory.
  struct Word {
    bool is_remote = false;
    bool is_own = false;
    bool is_handed = false;
    bool is_multiplied = false;
    bool is_chained = false;
    std::uint16_t writer = nobody;  // a warp, also where the engine does it for one
    std::uint32_t barriers = 0;     // of the CTA, that were complete
    std::uint64_t time = 0;
    bool is_turned = false;  // its sign
  };
  static constexpr std::uint16_t nobody = 0xFFFF;
  static constexpr std::uint16_t elsewhere = 0xFFFE;  // in another CTA
  static constexpr std::uint16_t several = 0xFFFD;

  struct Phase {
    std::uint32_t mbarrier = 0;
    std::uint64_t number = 0;  // 0: none
    std::uint64_t time = 0;    // when it was seen
    bool is_first = false;     // since the mbarrier was initialized
  };
  struct WarpState {
    std::vector<Marks> registers;
    std::unordered_map<std::uint64_t, Marks> local;  // memory of the lanes, by words
    Phase seen;                                      // the last one
    bool has_polled = false;                         // an mbarrier, and has not waited for it
    bool has_grown = false;                          // has executed setmaxnreg.inc
  };
  // Most CTAs touch little of their shared memory.
  using Page = std::array<Word, 256>;
  struct Cta {
    std::vector<std::unique_ptr<Page>> pages;  // null where nothing is known yet
    std::vector<WarpState> warps;
    std::set<std::uint16_t> grown_warpgroups;
    std::uint32_t barriers = 0;
  };
  Cta& cta(std::uint32_t rank);
  WarpState& warp(WarpId id);
  Marks sources(const WarpState& warp, const Step& step) const;
  // Calls visit(word) for each that these bytes have a part of.
  template <class Visit>
  void for_words(std::uint32_t shared, std::uint64_t bytes, Visit visit);
  // Calls visit(marks) for each word of the lanes' local memory that these bytes have a part of.
  template <class Visit>
  static void for_local_words(WarpState& warp, std::uint64_t offset, std::uint64_t bytes,
                              Visit visit);
  void load(WarpId reader, std::uint32_t shared, unsigned bytes, LaneMask lane, Marks& marks);
  void store(WarpId writer, const events::Access& access, const events::LaneAddress& lane,
             const Marks& marks);
  bool is_handed_over(WarpId reader, const Word& word);
  // Turns signs of what these bytes have been handed over, and were not before.
  void turn(WarpId reader, std::uint32_t shared, unsigned bytes);
  // What the engine writes for a warp, or what one writes that is of another CTA.
  void arrives_for(WarpId writer, std::uint32_t shared, std::uint64_t bytes, bool is_remote,
                   bool is_multiplied = false);

  const Steps& steps_;
  const TurnedSigns turned_;
  SharedViews* views_ = nullptr;
  std::vector<Cta> ctas_;
  std::uint64_t time_ = 0;
  std::map<std::uint32_t, std::uint64_t> completed_;  // phases of each mbarrier
  std::map<std::uint32_t, std::uint64_t> counted_;    // the last of them
  std::map<std::uint32_t, std::uint64_t> begun_;      // that were over when it was initialized
  std::uint64_t phases_ = 0;
  std::uint64_t later_phases_ = 0;
  std::uint64_t polls_ = 0;
};

}  // namespace tmaemu::provenance
