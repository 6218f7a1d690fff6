// What one cluster did, step by step, with the memory that each step changed: enough to show its
// state at any of them.
//
// A step is what a warp does at one line of the source without another coming between, or one
// action of the TMA engine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "contract/findings/finding_codes.h"
#include "emulator/diagnostics/places.h"
#include "emulator/model/events.h"

namespace tmaemu::record {

enum class View : std::uint8_t { generic, async };

// New bytes of shared memory.
struct Change {
  View view = View::generic;
  unsigned rank = 0;
  std::uint32_t offset = 0;
  std::vector<std::byte> bytes;
};

// What happened to an operation of the TMA engine.
struct BulkMoment {
  enum class Kind : std::uint8_t { issued, source_read, finished };
  BulkMoment(Kind moment, const events::Bulk& operation) : kind(moment), bulk(operation) {
    bulk.global = {};  // which live only as long as the event
  }
  Kind kind;
  events::Bulk bulk;
};

// What happened to products of a warpgroup, a wgmma each.
struct ProductMoment {
  enum class Kind : std::uint8_t {
    issued,      // the first of its warps has come to it
    committed,   // with those before it, as a group
    multiplied,  // for all four warps it has read A and B
    done,        // as all before it: its warps know it
  };
  Kind kind = Kind::issued;
  WarpId first = {};  // of the warpgroup
  std::uint32_t number = 0;
  // Of one that is issued: shared::cluster addresses. Without `a`, A is in registers.
  std::optional<std::uint32_t> a = {};
  std::uint32_t b = 0;
};

// What was reported of a step.
struct Found {
  std::string code;
  std::uint32_t site = 0;
};

struct Step {
  bool is_engine = false;
  WarpId warp = {};                                // of a warp's
  std::uint32_t site = 0;                          // the first of its instructions
  Places::Line line = {};                          // of them all
  LaneMask lanes = 0;                              // that took part in any of them
  bool sleeps = false;                             // lanes wait, and the step has ended so: for
  std::optional<std::uint32_t> mbarrier = {};      // this one, by its shared::cluster address
  std::optional<events::Groups> bulk_groups = {};  // or these
  std::uint32_t polls = 0;                         // how often it asked again with nothing changed
  std::vector<Change> changes = {};
  std::vector<BulkMoment> bulks = {};
  std::vector<ProductMoment> products = {};
  std::vector<std::uint32_t> initialized = {};  // mbarriers, by their shared::cluster addresses
  std::vector<std::pair<Sentence, std::uint32_t>> suspected =
      {};  // what was seen, and of which site
  std::vector<Found> found = {};
};

struct ClusterSteps {
  std::vector<Step> steps;
  bool is_cut = false;  // there were more than anybody would step through
};

inline constexpr std::size_t most_steps = 20'000;

}  // namespace tmaemu::record
