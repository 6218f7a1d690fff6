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
  PastLaunch(std::uint64_t number_of, const Program& program_of, const LaunchRequest& request_of,
             std::shared_ptr<GlobalHistory> global_of)
      : number(number_of),
        lets_dependents_start(program_of.lets_dependents_start),
        program(program_of),
        request(request_of),
        places(program, request),
        global(std::move(global_of)) {}
  PastLaunch(const PastLaunch&) = delete;
  PastLaunch& operator=(const PastLaunch&) = delete;

  std::uint64_t number;  // in the program's order
  bool lets_dependents_start;
  const Program& program;
  LaunchRequest request;  // whose parameters are gone
  Places places;
  std::shared_ptr<GlobalHistory> global;

  Dimensions cta(std::uint32_t cta_number) const { return cta_of_number(request.grid, cta_number); }
};

// A copy or a memset, and what it is about.
struct PastCopy {
  StreamMoment moment;
  CopiedBytes bytes;
};

// A launch, or a copy, beside the launch that begins.
struct Neighbor {
  std::shared_ptr<const PastLaunch> launch;  // null: a copy
  bool ends_at_wait = false;                 // who has passed griddepcontrol.wait comes behind it
  CopiedBytes copied = {};
};

class PastLaunches {
 public:
  // Those beside the launch that is asked for. What no later launch can be beside is forgotten.
  std::vector<Neighbor> beside(const LaunchRequest& request);
  void add(std::shared_ptr<const PastLaunch> launch);
  // Launches that such a copy, at such a place, may run beside.
  std::vector<std::shared_ptr<const PastLaunch>> beside(const StreamPlace& place) const;
  void add(const PastCopy& copy);
  void clear() {
    launches_.clear();
    copies_.clear();
  }

 private:
  static constexpr std::size_t most = 16;
  static constexpr std::uint64_t most_pages = 4096;  // 256 MiB of global memory, together

  static constexpr std::size_t most_copies = 256;

  std::deque<std::shared_ptr<const PastLaunch>> launches_;
  std::deque<PastCopy> copies_;
};

}  // namespace tmaemu::check
