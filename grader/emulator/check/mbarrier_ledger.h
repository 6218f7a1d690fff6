// What the checker knows of an mbarrier: its life from mbarrier.init to mbarrier.inval, and its
// phases by number, with what was announced in each and what comes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "emulator/check/order.h"
#include "emulator/memory/address_space.h"
#include "emulator/model/finding.h"
#include "emulator/model/ids.h"

namespace tmaemu::check {

inline constexpr std::uint32_t mbarrier_bytes = 8;
// Of the threads that arrived in a phase, as many as are remembered.
inline constexpr std::size_t most_arrivers = 1024;

// What a thread did: an instruction, and when.
struct Action {
  ThreadId thread;
  std::uint32_t site = 0;
  Time time = 0;
};

// A phase that an asynchronous operation completes.
struct PhaseOf {
  std::uint32_t mbarrier = 0;  // shared::cluster address
  Time phase = 0;
  bool operator==(const PhaseOf&) const = default;
};

// One phase, from the completion of the one before it.
struct PhaseLedger {
  // An operation whose bytes count in this phase.
  struct Brought {
    Action action;
    std::int64_t bytes = 0;
    std::uint32_t operation = 0;  // its number in the cluster; 0: not one of the engine's
  };
  struct Arriver : Action {
    bool announces = false;  // bytes
    bool releases = true;
    bool is_of_cta = false;           // its scope, and the mbarrier is of another
    std::optional<PhaseOf> lap = {};  // what the thread had last waited for
  };
  struct Announcement : Action {
    std::int64_t bytes = 0;
    // Of what its thread knew to be announced, and of what others bring who do not know of this
    // announcement: the rest comes behind it, and the phase waits for that.
    std::int64_t owed_before = 0;
    bool has_arrival_behind = false;

    bool is_protected() const { return has_arrival_behind || owed_before > 0; }
  };
  std::int64_t announced = 0;
  std::int64_t announced_in_vain = 0;  // by arrivals that the mbarrier could not take
  std::int64_t brought = 0;
  std::int64_t arrivals = 0;
  std::set<ThreadId> surplus_of;       // whose arrival was one too many in the phase before
  bool has_late = false;               // operations that were issued when it was over
  std::optional<Action> announcement;  // the last one
  std::vector<Brought> operations;
  std::vector<Arriver> arrivers;  // no more than a few
  std::vector<Announcement> announcements;

  bool has_arrival_of(ThreadId thread) const;
  // One of them has arrived, waited, and arrived again.
  bool has_thread_of_two_laps() const;
  // `next` arrives in the lap in which all of these did, and each of these threads once.
  bool is_of_one_lap(const Arriver& next) const;
  // More bytes come than somebody meant to announce.
  bool is_starved() const { return brought_by_operations() > announced + announced_in_vain; }
  // The first operation whose bytes exceed that, those left out that are issued too often: it is
  // not the announcement that is wrong where they come. Null where there is none.
  const Brought* first_unannounced(const std::function<bool(const Brought&)>& is_left_out) const;

 private:
  std::int64_t brought_by_operations() const;
};

// What arrivals release and waits acquire.
struct Handover {
  Released arriving;       // in the current phase
  SharedClocks completed;  // by all phases before

  // The phase is over, at that moment of the mbarrier's phases.
  void complete(const Actor& phases, Time moment) {
    Released all;
    all.join(completed);
    all.join(arriving);
    all.add(phases, moment);
    completed = all.all();
    arriving.clear();
  }
  void clear() {
    arriving.clear();
    completed = nullptr;
  }
};

// A use of what is no mbarrier yet; its number among such uses.
struct EarlyUse : Action {
  std::uint64_t number = 0;
};

// Arrivals by threads that come behind no later phase than this one, for an mbarrier that counts
// those of cp.async.mbarrier.arrive.noinc. When these come is left to the copies; how many are
// ordered is not.
struct OrderedLap {
  Time phase = 0;
  bool has_copies = false;   // the mbarrier is one of those
  bool has_surplus = false;  // of any lap
  struct Arrival : Action {
    bool follows_copies = false;
  };
  std::vector<Arrival> arrivals;
};

struct MbarrierLedger {
  // The last wait of a thread that returned.
  struct LastWait {
    Action action;
    std::int64_t phase = -1;   // that it returned for; -1: of a barrier that is in its first phase
    bool is_stale = false;     // the thread knew already that this phase was over
    bool is_used = false;      // the thread has issued an operation behind it
    bool is_repeated = false;  // the wait before it returned for the same phase, and was used
    // Its thread had arrived in the phase under way, for which it does not wait; how many
    // operations were in that by then.
    bool is_behind_arrival = false;
    std::size_t operations_before = 0;
  };

  std::uint32_t address = 0;  // shared::cluster
  Actor phases;               // completes phase n at moment n + 1
  bool is_live = false;
  // In an earlier phase of this life it could not take an announcement: from then on bytes come in
  // other phases than they were announced in, and that they were not says nothing.
  bool is_out_of_step = false;
  bool is_loaded = false;  // operations have brought bytes, in any phase
  std::int64_t count = 0;
  Action initialized;
  std::optional<Action> invalidated;
  Time phase = 0;        // the current one, counted over all lives
  Time first_phase = 0;  // of this life
  PhaseLedger current;
  PhaseLedger previous;
  PhaseLedger earlier;       // the one before the previous one
  Handover handover;         // by all arrivals
  Handover handover_in_cta;  // by those of the mbarrier's own CTA, for waits that acquire nothing
                             // else; kept in clusters of several CTAs
  std::unordered_map<std::uint32_t, LastWait> waits;   // by thread
  std::unordered_map<std::uint32_t, Action> uses;      // by thread: the last one
  std::unordered_map<std::uint32_t, Action> sleepers;  // by thread: those that wait
  // Of what is no mbarrier yet: the first one of each thread and instruction.
  std::map<std::pair<ThreadId, std::uint32_t>, EarlyUse> early_uses;
  std::unordered_map<std::uint32_t, std::uint32_t> arrivals;  // by thread: taken or not, how many
  OrderedLap lap;

  bool is_awaited() const { return !waits.empty() || !sleepers.empty(); }
  // Where nothing comes and nobody waits, it does no harm that the phase does not end.
  bool is_in_use() const { return is_awaited() || !current.operations.empty(); }
};

inline SharedBytes bytes_of(const MbarrierLedger& ledger) {
  return {shared_offset(ledger.address), mbarrier_bytes};
}

inline std::uint32_t number_of(ThreadId thread) {
  return std::uint32_t{thread.rank} << 16 | thread.index;
}

}  // namespace tmaemu::check
