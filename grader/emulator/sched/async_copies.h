// cp.async, st.async and red.async of a cluster: copies that threads wait for, from issue to
// completion. PTX ISA, "Non-bulk copy" and "Data Movement: Asynchronous store".
//
// As with the TMA engine, a copy may happen at any moment from its issue on. Under `late` it
// happens when its thread waits for it, or when somebody can go no further without it; under
// `early` at once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "emulator/model/ids.h"
#include "emulator/tma/timing_policy.h"

namespace tmaemu {

struct Cluster;
struct Cta;

// One thread's cp.async: `source_bytes` from global memory, zeros up to `bytes`.
struct AsyncCopy {
  Cta* cta = nullptr;  // whose shared memory is written
  std::uint32_t offset = 0;
  const std::byte* source = nullptr;
  std::uint32_t bytes = 0;
  std::uint32_t source_bytes = 0;
  std::uint32_t site = 0;
  std::uint64_t global = 0;  // address of the source,
  std::uint64_t frees = 0;   // and GlobalMemory::frees() when it was looked up
};

// st.async or red.async: writes to shared memory of the cluster, then complete_tx on an mbarrier.
struct AsyncStore {
  std::function<void()> write;
  std::uint32_t mbarrier = 0;  // shared::cluster address
  std::uint32_t bytes = 0;
  ThreadId thread;
  std::uint32_t site = 0;
};

class AsyncCopies {
 public:
  AsyncCopies(Cluster& cluster, const TimingPolicy& policy);
  void reset(std::uint64_t cluster_index);

  void issue(ThreadId thread, const AsyncCopy& copy);
  // cp.async.commit_group, wait_group (at most `pending` groups may not be done), wait_all.
  void commit_group(ThreadId thread);
  void wait_group(ThreadId thread, std::uint32_t pending);
  void wait_all(ThreadId thread);
  // cp.async.mbarrier.arrive: an arrival that is made when the thread's copies so far are done.
  void arrive(ThreadId thread, std::uint32_t mbarrier, std::uint32_t site);
  void issue(AsyncStore store);

  // Completes one thing that signals the mbarrier, or any at all; false where there is none.
  bool deliver_for(std::uint32_t mbarrier);
  bool deliver_oldest();

 private:
  struct Entry {
    enum class Kind : std::uint8_t { copy, group_end, arrival };
    Kind kind = Kind::copy;
    AsyncCopy copy;
    std::uint32_t mbarrier = 0;  // arrival
  };
  struct Arrival {
    ThreadId thread;
    std::uint32_t mbarrier;
  };
  std::deque<Entry>& entries(ThreadId thread);
  static void perform(ThreadId thread, const AsyncCopy& copy);
  // Completes the thread's first `count` entries.
  void complete(ThreadId thread, std::size_t count);
  void deliver_arrival(std::size_t index);
  void deliver_store(std::size_t index);
  void signal(std::uint32_t mbarrier, std::int64_t arrivals, std::int64_t bytes, ThreadId thread,
              std::uint32_t site);

  Cluster& cluster_;
  TimingPolicy policy_;
  Moments moments_;
  std::vector<std::deque<Entry>> threads_;  // empty until the first copy
  std::vector<Arrival> arrivals_;           // in the order of issue
  std::deque<AsyncStore> stores_;
};

}  // namespace tmaemu
