// What one cluster did and when, as a timeline shows it.
//
// The emulator has no notion of time. A tick is one instruction of a warp or one action of the TMA
// engine, in the order in which the cluster did them: a legal order, and with one seed always the
// same.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "emulator/model/events.h"

namespace tmaemu::trace {

using Tick = std::uint64_t;

// From the tick `begin` up to the tick `end`, which is no part of it.
struct Span {
  Tick begin = 0;
  Tick end = 0;
};

// A warp executes, and no other does meanwhile.
struct Run {
  WarpId warp;
  Span span;
  std::uint32_t first_site = 0;
  std::uint32_t last_site = 0;
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;
};

// Lanes of a warp wait at a barrier.
struct BarrierWait {
  WarpId warp;
  BarrierId barrier;
  Span span;
  std::uint32_t site = 0;
  LaneMask lanes = 0;
  unsigned passed = 0;  // 0: the cluster ended before
  unsigned slept = 0;
  unsigned row = 0;  // lanes of a warp that wait at several barriers need several rows
};

// Of an mbarrier.
struct PhaseSpan {
  std::uint32_t mbarrier = 0;  // shared::cluster address
  std::uint64_t number = 0;
  Span span;
  std::int64_t arrivals = 0;
  std::int64_t bytes = 0;  // that the TMA engine brought
  bool is_over = false;
};

// A moment in one of a warp's rows.
struct WarpMoment {
  WarpId warp;
  unsigned row = 0;
  Tick at = 0;
};

// An operation of the TMA engine, from its issue until its result is written.
struct BulkSpan {
  events::Bulk bulk;  // without the ranges of global memory
  std::uint64_t global_bytes = 0;
  Span span;
  std::optional<Tick> source_read;
  bool is_finished = false;
  std::optional<WarpMoment> awaited;  // the wait that its landing ended
};

// A group of wgmmas, from the issue of the first one until a wait has covered the last.
struct ProductSpan {
  WarpId first;            // of the warpgroup
  std::uint32_t site = 0;  // of the first wgmma
  unsigned products = 0;
  Span span;
  bool is_over = false;
};

// Bytes of one CTA that are on their way.
struct InFlight {
  std::uint16_t rank = 0;
  Tick at = 0;
  std::uint64_t in = 0;   // to its shared memory
  std::uint64_t out = 0;  // not yet read from there
};

struct ClusterTrace {
  Dimensions first;  // ctaid of rank 0
  Tick end = 0;
  std::vector<Run> runs;
  std::vector<BarrierWait> waits;
  std::vector<PhaseSpan> phases;
  std::vector<BulkSpan> bulks;        // by id
  std::vector<ProductSpan> products;  // by issue
  std::vector<InFlight> in_flight;
};

}  // namespace tmaemu::trace
