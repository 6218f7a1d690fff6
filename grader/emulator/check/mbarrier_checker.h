// What the checker looks after of mbarriers: who may use one, what its phases order, and whether
// what is announced comes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "contract/findings/sentences.h"
#include "emulator/check/cluster_state.h"
#include "emulator/check/flags.h"
#include "emulator/check/heard_flags.h"
#include "emulator/check/mbarrier_ledger.h"
#include "emulator/check/mbarrier_lives.h"
#include "emulator/model/events.h"

namespace tmaemu::check {

class MbarrierChecker {
 public:
  MbarrierChecker(ClusterState& state, const HeardFlags& heard_flags)
      : state_(state), lives_(state, heard_flags) {}

  void start() {
    ledgers_.clear();
    lives_.start();
    last_waits_.resize(state_.thread_count());
    for (std::vector<Waited>& waits : last_waits_) waits.clear();  // and keep their memory
    wait_moments_.assign(state_.thread_count(), 0);
    last_waits_for_loads_.assign(state_.thread_count(), std::nullopt);
    last_arrivals_.assign(state_.thread_count(), std::nullopt);
    last_asked_.assign(state_.thread_count(), nowhere);
    filled_unasked_.assign(state_.thread_count(), 0);
    passed_threads_.clear();
  }
  void initialize(std::uint32_t address, std::int64_t count, const Action& action) {
    lives_.begin(ledger(address), count, action);
  }
  void invalidate(std::uint32_t address, const Action& action) {
    lives_.end(ledger(address), action);
  }
  void arrive(const events::Arrival& arrival);
  void sleep(std::uint32_t address, const Action& action);
  // What the phases so far have released; null where there was none. The thread knows it if its
  // wait acquires.
  SharedClocks see_phase(const events::PhaseSeen& seen);
  // Reports it when the cluster ends, if nothing else is its cause.
  void suspect(std::uint32_t address, Finding finding, std::optional<Note> note = {});
  // It was asked for more than it can take, and has taken nothing of it.
  void overflow(std::uint32_t address, std::int64_t tx_bytes, const Finding& finding);
  // Of a phase that does not get its arrivals: where their number was given, and who arrives.
  void explain_wait(std::uint32_t address, std::vector<Note>& notes) const;
  // Where nothing can run any more: whether none of those that have arrived there before, and not
  // in this phase, sleeps at another mbarrier. Else that is what its phase waits for.
  bool is_root_of_waits(std::uint32_t address) const;
  // The instructions that have arrived in its current phase.
  std::vector<std::uint32_t> arrivals_at(std::uint32_t address) const;
  // Whether nobody has ever arrived there.
  bool has_no_arrivals(std::uint32_t address) const;
  // How many of its phases are over.
  std::size_t phases_ended(std::uint32_t address) const;
  // Of a load into a tile that is in use: what ended the wait in front of it, where its thread has
  // waited for an mbarrier other than that of the load.
  void explain_passage(ThreadId thread, const Actor& load, std::vector<Note>& notes) const;
  // Something is asked of an mbarrier that is none.
  void miss(std::uint32_t address, const Action& action) {
    lives_.use_none(ledger(address), action);
  }
  // A relaxed arrival releases what a fence before it has covered. PTX ISA, "Release and Acquire
  // Patterns".
  void release_fenced(std::uint32_t address, ThreadId thread, const Release& fenced);
  // The copies that a thread has issued by now, which its arrival makes known.
  void add_copies(std::uint32_t address, const Actor& copies, Time issued);
  // An operation of the thread will complete `bytes` on the mbarrier: in its current phase.
  PhaseOf bring(std::uint32_t address, std::int64_t bytes, const Action& action,
                std::uint32_t operation = 0);
  // cp.async.mbarrier.arrive, which arrives later.
  void order_arrival(const events::OrderedArrival& arrival);

  // How often the thread has arrived at the mbarrier: two of its loads between which this does not
  // change are of one lap.
  std::uint32_t turn(std::uint32_t address, ThreadId thread) const;
  // The phase under way tells those who wait for it what the thread has done, too.
  void release(std::uint32_t address, ThreadId thread) {
    state_.order.release(thread, ledger(address).handover.arriving);
  }
  Actor actor(std::uint32_t address) const;

  // The phase that the thread's last wait returned for; nothing where it has not waited.
  struct Waited : PhaseOf {
    Actor phases;
    std::uint32_t site = 0;
    MemoryOrder order;
    Time time = 0;
  };
  std::optional<Waited> last_wait(ThreadId thread) const;
  // The last one in front of that moment: what the thread did then, it did behind this one.
  std::optional<Waited> wait_before(ThreadId thread, Time moment) const;
  // The same of the last one for an mbarrier that counts the bytes of loads.
  std::optional<Waited> last_wait_for_load(ThreadId thread) const {
    return last_waits_for_loads_[state_.slot(thread)];
  }
  std::optional<PhaseOf> lap_of(ThreadId thread) const;  // the same, as an arrival remembers it
  // The thread's last wait for the mbarrier, if it returned for that phase.
  std::optional<Action> wait_for(const PhaseOf& phase, ThreadId thread) const;
  // Whether the thread's last wait for the mbarrier came after that moment of its own, and told it
  // that the phase is over.
  bool has_learned_since(const PhaseOf& phase, ThreadId thread, Time since) const;
  // The last wait of a thread that loads, if it was for an mbarrier other than that of the load and
  // returned for the same phase as when the thread loaded before.
  std::optional<Action> repeated_wait(ThreadId thread, const Actor& load) const;
  // Of the phase that a wait returned for: the arrival of another lane of the thread's warp, if the
  // thread itself has not arrived since then: where it has, and too late, it did not leave that to
  // the other one.
  std::optional<PhaseLedger::Arriver> arrival_for(ThreadId thread, Time since, ThreadId waiting,
                                                  const std::optional<Waited>& wait) const;

  // Of an arrival by `thread` since then and the last wait of `waiting`, which returned for the
  // phase of it: why they order nothing. Nothing where they do, or where there is no such arrival.
  std::optional<Note> short_edge(ThreadId thread, Time since, ThreadId waiting) const;

  // The last arrival of `reader`, if `loader` waits for the mbarrier: it gives a stage back.
  std::optional<Action> handed_back(ThreadId reader, ThreadId loader) const;
  // Of the phase that the wait in front of a load returned for: the arrival by which the reader's
  // warp gave a stage back before that moment of its own.
  std::optional<Action> given_back(ThreadId reader, Time before, ThreadId loader,
                                   const std::optional<Waited>& wait) const;

  // A thread of the CTA has waited for the phase, or knows of one that did.
  bool is_known(const PhaseOf& phase, const Clock& clock) const;
  // Of an operation that completes a phase which nobody waited for: the wait that returned for an
  // earlier phase instead, by this thread if it made one.
  std::optional<Action> stale_wait(const PhaseOf& phase, ThreadId thread) const;
  // Whether it brings more than was announced so far.
  bool lacks_announcement(const PhaseOf& phase) const;

  // `last`: what the threads of the CTA knew when the last of them ended.
  void end_cta(std::uint16_t rank, const Clocks& last);
  void end_cluster(events::End end);
  // Whether an mbarrier lives in these bytes; its ledger, or null.
  const MbarrierLedger* live_in(std::uint32_t address, std::uint32_t bytes) const;

 private:
  static constexpr std::uint32_t nowhere = ~std::uint32_t{0};

  void add_arrivals(const MbarrierLedger& ledger, const PhaseLedger& phase, NoteSentence sentence,
                    std::vector<Note>& notes) const;
  // What brings bytes: a load, or what a thread stores (st.async), which is no operation of the
  // engine's.
  Note issued_here(const PhaseLedger::Brought& brought) const {
    return state_.note(
        brought.operation == 0 ? NoteSentence::store_issued_here : NoteSentence::load_issued_here,
        brought.action.site, brought.action.thread);
  }
  // The line that says how many arrivals the mbarrier counts.
  Note given_here(const MbarrierLedger& ledger) const {
    return state_.note(NoteSentence::count_given_here, ledger.initialized.site,
                       ledger.initialized.thread, bytes_of(ledger));
  }
  void suspect_announcement(const MbarrierLedger& ledger, const PhaseLedger& phase,
                            const Action& load);
  bool suspect_unannounced(const MbarrierLedger& ledger, const PhaseLedger& phase);
  void check_announcement(const MbarrierLedger& ledger, const Action& action, std::int64_t bytes);
  void check_late(const MbarrierLedger& ledger);
  bool is_of_previous_phase(const MbarrierLedger& ledger, const Action& load) const;
  void check_arrival(MbarrierLedger& ledger, const PhaseLedger::Arriver& action);
  void count_in_lap(MbarrierLedger& ledger, const Action& action, bool follows_copies);
  void complete_phase(MbarrierLedger& ledger);
  void check_announcements(MbarrierLedger& ledger, bool is_over);
  void check_protection(const MbarrierLedger& ledger);
  // `arrives`: by the same instruction.
  void announce(PhaseLedger& phase, const Action& action, std::int64_t bytes, bool arrives);
  void bring_before_announcements(PhaseLedger& phase, ThreadId loading, std::int64_t bytes);
  void arrive_behind_announcements(PhaseLedger& phase, ThreadId arriving);
  bool knows(ThreadId thread, const Action& action) const {
    return thread == action.thread ||
           state_.order.has_happened(thread, state_.order.actor(action.thread), action.time);
  }
  void suspect_overrun(const MbarrierLedger& ledger, const Action& wait);
  void suspect_stale_wait(const MbarrierLedger& ledger, const Action& wait);
  bool check_late_wait(const MbarrierLedger& ledger, const Action& action);
  void check_early_wait(const MbarrierLedger& ledger, const Action& action,
                        std::int64_t seen_before);
  void check_overrun(const MbarrierLedger& ledger);
  bool waits_for_loads(std::uint32_t site) const;
  void check_sleepers(const MbarrierLedger& ledger);
  bool report_fresh_wait(const MbarrierLedger& ledger, const Action& sleeper);
  void report_returned_for_past(const MbarrierLedger& ledger, const Action& wait, NoteSentence said,
                                const Action& other);
  void accuse_early_reads() const;
  void note_filling(ThreadId thread) {
    if (last_asked_[state_.slot(thread)] == nowhere) ++filled_unasked_[state_.slot(thread)];
  }
  // Whether it has filled a stage so: who announces and waits then, and loads behind that, has not.
  bool has_filled_unasked(ThreadId thread) const {
    return filled_unasked_[state_.slot(thread)] > 1;
  }
  // Who arrived in the phase that a wait returned for; null where that is long ago.
  const std::vector<PhaseLedger::Arriver>* arrivers_of(const std::optional<Waited>& wait) const;
  bool is_cta_held_up(std::uint32_t rank) const;
  bool is_load_held_up(const MbarrierLedger& ledger) const;
  void begin_moment_of_wait(ThreadId thread);
  MbarrierLedger& ledger(std::uint32_t address);
  const MbarrierLedger* find(std::uint32_t address) const;
  Action action(ThreadId thread, std::uint32_t site) const {
    return {thread, site, state_.order.now(thread)};
  }

  ClusterState& state_;
  MbarrierLives lives_;
  std::map<std::uint32_t, MbarrierLedger> ledgers_;  // by address
  struct LastArrival : Action {
    std::uint32_t mbarrier = 0;
  };
  std::vector<std::optional<LastArrival>> last_arrivals_;  // by thread: those without bytes
  std::vector<std::vector<Waited>> last_waits_;            // by thread: the last few
  std::vector<Time> wait_moments_;  // by the first thread of a warp: begun by its last wait
  std::vector<std::optional<Waited>> last_waits_for_loads_;
  std::vector<std::uint32_t> last_asked_;  // by thread: the mbarrier of its last wait
  // By thread: announcements and loads before its first wait, as of a ring's prologue. Behind it
  // one may well wait for the first phase of an mbarrier that gives stages back.
  std::vector<std::uint32_t> filled_unasked_;
  std::set<std::uint32_t> passed_threads_;  // by phases, while they may have been waiting
};

}  // namespace tmaemu::check
