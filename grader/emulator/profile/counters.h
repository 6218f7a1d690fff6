// What one launch did, in numbers. Every host thread counts for itself; sums and maxima are the
// same in whatever order they are merged.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>

#include "emulator/model/events.h"
#include "emulator/profile/banks.h"

namespace tmaemu::profile {

using Count = std::uint64_t;

// Bytes that the lanes of one access ask for.
struct Asked {
  Count all = 0;
  Count distinct = 0;  // those that several lanes ask for count once
};

struct GlobalTraffic {
  Count accesses = 0;  // instructions that a warp executed
  Count bytes = 0;     // asked for by its lanes
  Count distinct_bytes = 0;
  Count sectors = 0;  // touched

  void add(const Asked& asked, Count touched_sectors) {
    ++accesses;
    bytes += asked.all;
    distinct_bytes += asked.distinct;
    sectors += touched_sectors;
  }
  void merge(const GlobalTraffic& other);
};

struct SharedTraffic {
  Count accesses = 0;
  Count bytes = 0;
  Count distinct_bytes = 0;
  Count wavefronts = 0;
  Count conflicts = 0;  // wavefronts that better addresses would have saved

  void add(const Asked& asked, const Wavefronts& needed) {
    ++accesses;
    bytes += asked.all;
    distinct_bytes += asked.distinct;
    wavefronts += needed.actual;
    conflicts += needed.conflicts();
  }
  void merge(const SharedTraffic& other);
};

// Operations of the TMA engine. A multicast is one operation, which reads global memory once and
// writes the shared memory of several CTAs; what lies out of a tensor's bounds is in shared memory
// only.
struct TmaTraffic {
  Count operations = 0;
  Count global_bytes = 0;
  Count global_sectors = 0;
  Count shared_bytes = 0;

  void merge(const TmaTraffic& other);
};

template <class Traffic>
struct ByDirection {
  Traffic load;
  Traffic store;
  Traffic atomic;  // of the TMA engine: reductions

  void merge(const ByDirection& other) {
    load.merge(other.load);
    store.merge(other.store);
    atomic.merge(other.atomic);
  }
};

struct Waits {
  Count waits = 0;  // by warps
  Count slept = 0;  // those that found what they waited for not there yet

  void merge(const Waits& other) {
    waits += other.waits;
    slept += other.slept;
  }
};

// What an instruction costs above what the same bytes could have cost.
struct Excess {
  Count sectors = 0;
  Count conflicts = 0;

  void merge(const Excess& other) {
    sectors += other.sectors;
    conflicts += other.conflicts;
  }
};

// What the tensor cores multiply.
struct Multiplications {
  Count instructions = 0;  // of warps
  Count products = 0;      // multiply-adds
  Count clocks = 0;        // that a tensor core needs; see tensor_clocks.h

  void merge(const Multiplications& other) {
    instructions += other.instructions;
    products += other.products;
    clocks += other.clocks;
  }
};

struct Counters {
  Count warp_instructions = 0;  // PTX
  Count thread_instructions = 0;
  ByDirection<GlobalTraffic> global;
  ByDirection<SharedTraffic> shared;         // the CTA's own
  ByDirection<GlobalTraffic> remote_shared;  // that of other CTAs of the cluster
  ByDirection<TmaTraffic> tma;
  TmaTraffic tma_between_ctas;             // from shared memory to shared memory
  Count most_load_bytes_in_flight = 0;     // of one CTA
  Count most_store_bytes_in_flight = 0;    // of one CTA: not yet read from its shared memory
  std::map<BarrierId, Waits> waits;        // mbarriers by their offset in shared memory
  std::map<std::uint32_t, Excess> excess;  // by site, as Program::sites numbers them
  std::map<std::uint32_t, Multiplications> multiplications;  // by site

  void merge(const Counters& other);
};

}  // namespace tmaemu::profile
