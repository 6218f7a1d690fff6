// What the checker of a launch shares among its clusters: global memory, which all of them see.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "emulator/check/global_history.h"
#include "emulator/check/missing_barriers.h"
#include "emulator/check/past_launches.h"
#include "emulator/check/site_facts.h"
#include "emulator/check/tensor_misses.h"
#include "emulator/diagnostics/places.h"
#include "emulator/memory/global_memory.h"
#include "emulator/model/cta_numbers.h"
#include "emulator/model/finding_sink.h"
#include "emulator/model/launch.h"
#include "emulator/program/program.h"

namespace tmaemu::check {

struct LaunchState {
  LaunchState(const Program& program_of, const SiteFacts& facts_of, const LaunchRequest& request_of,
              const GlobalMemory& memory_of, FindingSink& sink_of,
              std::vector<Neighbor> neighbors_of)
      : program(program_of),
        request(request_of),
        memory(memory_of),
        sink(sink_of),
        neighbors(std::move(neighbors_of)),
        places(program_of, request_of),
        missing_barriers(program_of, places),
        facts(&facts_of) {}

  const Program& program;
  const LaunchRequest& request;
  const GlobalMemory& memory;
  FindingSink& sink;
  std::vector<Neighbor> neighbors;
  Places places;
  MissingBarriers missing_barriers;
  const SiteFacts* facts;
  std::shared_ptr<GlobalHistory> global = std::make_shared<GlobalHistory>();
  GlobalShadow& shadow = global->shadow;
  AccessHistory& accesses = global->accesses;
  Flags& flags = global->flags;
  TensorMisses misses;

  std::uint32_t shared_bytes() const {
    return static_cast<std::uint32_t>(program.shared_bytes + request.dynamic_shared_bytes);
  }
  // The number of a CTA in the grid, and the CTA of a number.
  std::uint32_t number_of(const Dimensions& cta) const {
    return static_cast<std::uint32_t>(number_in_grid(cta, request.grid));
  }
  Dimensions cta(std::uint32_t number) const { return cta_of_number(request.grid, number); }
};

}  // namespace tmaemu::check
