// Launches that may still be running when another one begins, since no stream, event or call of the
// host comes in between; and what they did to global memory.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "emulator/check/global_shadow.h"
#include "emulator/diagnostics/places.h"
#include "emulator/model/launch.h"
#include "emulator/program/program.h"

namespace tmaemu::check {

struct PastLaunch {
  PastLaunch(std::uint64_t number_of, const Program& program, const LaunchRequest& request_of,
             std::shared_ptr<GlobalHistory> global_of)
      : number(number_of),
        lets_dependents_start(program.lets_dependents_start),
        request(request_of),
        places(program, request),
        global(std::move(global_of)) {}
  PastLaunch(const PastLaunch&) = delete;
  PastLaunch& operator=(const PastLaunch&) = delete;

  std::uint64_t number;  // in the program's order
  bool lets_dependents_start;
  LaunchRequest request;  // whose parameters are gone
  Places places;
  std::shared_ptr<GlobalHistory> global;

  Dimensions cta(std::uint32_t cta_number) const {
    const Dimensions& grid = request.grid;
    return {cta_number % grid.x, cta_number / grid.x % grid.y, cta_number / grid.x / grid.y};
  }
};

// A launch beside the one that begins.
struct Neighbor {
  std::shared_ptr<const PastLaunch> launch;
  bool ends_at_wait = false;  // who has passed griddepcontrol.wait comes behind it
};

class PastLaunches {
 public:
  // Those beside the launch that is asked for. What no later launch can be beside is forgotten.
  std::vector<Neighbor> beside(const LaunchRequest& request);
  void add(std::shared_ptr<const PastLaunch> launch);
  void clear() { launches_.clear(); }

 private:
  static constexpr std::size_t most = 16;
  static constexpr std::uint64_t most_pages = 4096;  // 256 MiB of global memory, together

  std::deque<std::shared_ptr<const PastLaunch>> launches_;
};

}  // namespace tmaemu::check
