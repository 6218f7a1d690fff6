#include "emulator/sched/grid.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <mutex>
#include <span>
#include <thread>

#include "emulator/sched/cluster.h"
#include "emulator/sched/deadlock.h"
#include "emulator/sched/poll_watch.h"
#include "emulator/sched/turn_order.h"

namespace tmaemu {
namespace {

// Rounds a cluster may run before the next one has its turn.
constexpr unsigned rounds_per_turn = 16;
// Turns after which a cluster that still runs gets company: it may wait for another one.
constexpr unsigned turns_alone = 64;
// How often the time limits of all sleeping try_waits pass in vain before it is a deadlock. A
// program may count its own retries; it gets this many.
constexpr unsigned vain_timeouts = 256;
// Clocks that pass for threads which wait in vain and look at a clock: who gives up after some time
// does, and who only backs off asks again. Each time more, up to hours.
constexpr std::uint64_t first_pause = 1'000'000;
constexpr std::uint64_t longest_pause = first_pause << 24;
constexpr unsigned pause_growth = 8;

// Hands out the clusters of a grid in ascending order.
class Queue {
 public:
  explicit Queue(const Launch& launch) : launch_(launch) {
    const LaunchRequest& request = *launch.request;
    across_ = request.grid.x / request.cluster.x;
    down_ = request.grid.y / request.cluster.y;
    total_ = request.grid.count() / request.cluster.count();
  }
  std::uint64_t total() const { return total_; }
  // The index of the next cluster; total() or more where none is left.
  std::uint64_t take() { return stopped_.load() ? total_ : next_.fetch_add(1); }
  bool is_empty() const { return stopped_.load() || next_.load() >= total_; }
  void stop() { stopped_.store(true); }
  Dimensions first_cta(std::uint64_t index) const {
    const Dimensions& cluster = launch_.request->cluster;
    const auto at = [](std::uint64_t value) { return static_cast<std::uint32_t>(value); };
    return {at(index % across_) * cluster.x, at(index / across_ % down_) * cluster.y,
            at(index / across_ / down_) * cluster.z};
  }

 private:
  const Launch& launch_;
  std::uint64_t across_ = 0;
  std::uint64_t down_ = 0;
  std::uint64_t total_ = 0;
  std::atomic<std::uint64_t> next_{0};
  std::atomic<bool> stopped_{false};
};

// The first fault in the grid's order, whichever thread met it.
class FirstFault {
 public:
  void offer(std::uint64_t cluster, KernelFault fault) {
    const std::lock_guard lock(mutex_);
    if (fault_ && cluster_ <= cluster) return;
    cluster_ = cluster;
    fault_ = std::move(fault);
  }
  std::optional<KernelFault> take() { return std::move(fault_); }

 private:
  std::mutex mutex_;
  std::uint64_t cluster_ = 0;
  std::optional<KernelFault> fault_;
};

// A thread that waits for nothing, of the first cluster that has one; else any.
StillRunning running_thread(std::span<const Cluster* const> clusters) {
  std::optional<StillRunning> found;
  for (const Cluster* cluster : clusters) {
    for (const auto& cta : cluster->ctas) {
      for (const auto& warp : cta->warps) {
        for (const LaneGroup& group : warp->groups()) {
          const bool waits = group.wait.kind != Wait::Kind::none;
          if (waits && found) continue;
          const auto lane = static_cast<unsigned>(std::countr_zero(group.lanes));
          found = {group.next->site, cta->id, warp->thread(lane), warp->instructions_per_thread()};
          if (!waits) return *found;
        }
      }
    }
  }
  return found.value_or(StillRunning{});
}

// The end of the launch's time, whichever thread sees it.
class TimeOut {
 public:
  bool has_come() const { return has_come_.load(std::memory_order_relaxed); }
  void come(const StillRunning& running) {
    const std::lock_guard lock(mutex_);
    if (!running_) running_ = running;
    has_come_.store(true, std::memory_order_relaxed);
  }
  std::optional<StillRunning> take() { return running_; }

 private:
  std::mutex mutex_;
  std::optional<StillRunning> running_;
  std::atomic<bool> has_come_{false};
};

// One host thread's clusters.
class Worker {
 public:
  Worker(const Launch& launch, Queue& queue, FirstFault& first_fault, TimeOut& time_out,
         TimeLimit::Watch time, std::uint64_t capacity)
      : launch_(launch),
        queue_(queue),
        first_fault_(first_fault),
        time_out_(time_out),
        time_(time),
        capacity_(capacity),
        turns_(launch.schedule) {}

  // By its clusters.
  std::uint64_t thread_instructions() const {
    std::uint64_t sum = 0;
    for (const auto& cluster : spare_) sum += cluster->thread_instructions();
    for (const Resident& resident : residents_) sum += resident.cluster->thread_instructions();
    return sum;
  }

  void run() {
    // The CTAs of a cooperative launch wait for each other: all are resident from the start.
    while (launch_.request->cooperative && admit()) {
    }
    while (admit_if_empty()) {
      mix();
      bool anything_ran = false;
      for (std::size_t i = 0; i < residents_.size(); ++i) {
        anything_ran |= give_turn(i);
        if (residents_[i].finished) {
          // The others may wait for what the cluster that has faulted would have done.
          if (residents_[i].has_faulted && launch_.program->is_ordered) return end_all();
          retire(i--);
        } else if (residents_[i].wants_company) {
          residents_[i].wants_company = false;
          admit();
        }
        if (!residents_.empty() && (time_out_.has_come() || time_.is_over())) {
          return end_in_the_middle();
        }
      }
      if (!anything_ran && !residents_.empty() && !revive()) return;
    }
  }

 private:
  struct Resident {
    std::unique_ptr<Cluster> cluster;
    std::uint64_t index = 0;
    unsigned turns = 0;
    PollWatch polls;
    bool finished = false;
    bool has_faulted = false;
    bool wants_company = false;
  };

  // Whether clusters that see each other's effects are to come in another order.
  bool is_mixed() const { return launch_.schedule && launch_.program->is_ordered; }
  // Then several are resident from the start, and take short turns.
  void mix() {
    if (!is_mixed()) return;
    constexpr std::size_t company = 8;
    while (residents_.size() < company && admit()) {
    }
    turns_.start(rounds_++, residents_.size());
    std::vector<Resident> mixed;
    for (const std::size_t i : turns_.next()) mixed.push_back(std::move(residents_[i]));
    residents_ = std::move(mixed);
  }

  bool admit_if_empty() { return !residents_.empty() || admit(); }

  bool admit() {
    if (residents_.size() >= capacity_) return false;
    const std::uint64_t index = queue_.take();
    if (index >= queue_.total()) return false;
    Resident resident;
    resident.index = index;
    if (spare_.empty()) {
      resident.cluster = std::make_unique<Cluster>(launch_);
    } else {
      resident.cluster = std::move(spare_.back());
      spare_.pop_back();
    }
    resident.cluster->start(queue_.first_cta(index));
    residents_.push_back(std::move(resident));
    return true;
  }

  void retire(std::size_t i) {
    if (!residents_[i].has_faulted) launch_.findings->cluster_ended(residents_[i].index);
    spare_.push_back(std::move(residents_[i].cluster));
    residents_.erase(residents_.begin() + static_cast<std::ptrdiff_t>(i));
  }

  // Those that have not ended will go no further, and what they found is told.
  void end_all() {
    for (const Resident& resident : residents_) {
      if (!resident.finished) resident.cluster->end_observation(events::End::fault);
    }
  }

  // The time is over, and clusters are resident.
  void end_in_the_middle() {
    std::vector<const Cluster*> clusters;
    for (const Resident& resident : residents_) clusters.push_back(resident.cluster.get());
    time_out_.come(running_thread(clusters));
    queue_.stop();
    end_all();
  }

  // True where the cluster did anything but wait.
  bool give_turn(std::size_t i) {
    Resident& resident = residents_[i];
    try {
      const std::uint64_t before = resident.cluster->progress();
      const Cluster::Progress progress = resident.cluster->run(is_mixed() ? 1 : rounds_per_turn);
      // Threads that run again because their time limits have passed, and wait again, do not count.
      if (resident.cluster->progress() != before) {
        vain_timeouts_ = 0;
        pause_ = first_pause;
        resident.polls.start_again();
      }
      switch (progress) {
        case Cluster::Progress::finished:
          resident.finished = true;
          return true;
        case Cluster::Progress::ran:
          resident.wants_company = ++resident.turns % turns_alone == 0;
          return !resident.polls.is_stuck_after_turn(*resident.cluster, false);
        case Cluster::Progress::polling:
          resident.wants_company = true;
          return !resident.polls.is_stuck_after_turn(*resident.cluster, true);
        case Cluster::Progress::blocked:
          resident.wants_company = true;
          return false;
      }
    } catch (KernelFault& fault) {
      resident.cluster->end_observation(events::End::fault);
      first_fault_.offer(resident.index, std::move(fault));
      queue_.stop();
      resident.finished = true;
      resident.has_faulted = true;
    }
    return true;
  }

  // Nothing ran: more clusters may help, or the time limits of the waits. False: a deadlock.
  bool revive() {
    if (admit()) return true;
    bool any = false;
    if (vain_timeouts_++ < vain_timeouts) {
      for (Resident& resident : residents_) any |= resident.cluster->time_out_waits();
    }
    if (any || let_time_pass()) return true;
    // Which clusters are resident depends on the number of host threads, if there may be several;
    // the first that is in a deadlock does not.
    std::vector<const Cluster*> clusters;
    for (const Resident& resident : residents_) {
      clusters.push_back(resident.cluster.get());
      if (!launch_.program->is_ordered) break;
    }
    tell_missing_lanes(clusters);
    Finding deadlock = deadlock_of(clusters);
    for (const Resident& resident : residents_) {
      resident.cluster->end_observation(events::End::deadlock);
    }
    if (const auto cause = missing_lanes_of(deadlock, clusters)) launch_.findings->report(*cause);
    if (auto refused = wait_for_host_in(deadlock, *launch_.memory)) deadlock = std::move(*refused);
    first_fault_.offer(residents_.front().index, {std::move(deadlock)});
    queue_.stop();
    return false;
  }

  // False where nobody looks at a clock, or has for hours.
  bool let_time_pass() {
    if (pause_ > longest_pause || !launch_.program->reads_clocks()) return false;
    for (Resident& resident : residents_) {
      resident.cluster->let_time_pass(pause_);
      resident.polls.look_again();
    }
    pause_ *= pause_growth;
    vain_timeouts_ = 0;
    return true;
  }

  const Launch& launch_;
  Queue& queue_;
  FirstFault& first_fault_;
  TimeOut& time_out_;
  TimeLimit::Watch time_;
  std::uint64_t capacity_;
  std::vector<Resident> residents_;
  std::vector<std::unique_ptr<Cluster>> spare_;
  unsigned vain_timeouts_ = 0;
  std::uint64_t pause_ = first_pause;
  TurnOrder turns_;
  std::uint64_t rounds_ = 0;
};

}  // namespace

GridResult run_grid(const Launch& launch, std::uint64_t resident_clusters, unsigned host_threads) {
  Queue queue(launch);
  FirstFault first_fault;
  // A thread is worth its start only where it has several clusters to run.
  constexpr std::uint64_t clusters_per_thread = 4;
  const std::uint64_t useful = std::max<std::uint64_t>(queue.total() / clusters_per_thread, 1);
  const bool may_spread = !launch.program->is_ordered;
  const auto threads =
      static_cast<unsigned>(may_spread ? std::min<std::uint64_t>(host_threads, useful) : 1);
  const std::uint64_t capacity = std::max<std::uint64_t>(resident_clusters / threads, 1);
  std::mutex sums_mutex;
  std::uint64_t thread_instructions = 0;
  TimeOut time_out;
  const auto used =
      launch.time_limit == nullptr ? TimeLimit::Duration{} : launch.time_limit->used();
  const auto work = [&] {
    Worker worker(launch, queue, first_fault, time_out, {launch.time_limit, used}, capacity);
    worker.run();
    const std::lock_guard lock(sums_mutex);
    thread_instructions += worker.thread_instructions();
  };
  std::vector<std::jthread> helpers;
  for (unsigned i = 1; i < threads; ++i) helpers.emplace_back(work);
  work();
  helpers.clear();  // joins
  return {first_fault.take(), thread_instructions, time_out.take()};
}

}  // namespace tmaemu
