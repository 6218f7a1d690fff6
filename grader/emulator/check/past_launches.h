// Launches that may still be running when another one begins, since no stream, event or call of the
// host comes in between; and what they did to global memory.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "emulator/check/global_history.h"
#include "emulator/diagnostics/places.h"
#include "emulator/model/cta_numbers.h"
#include "emulator/model/launch.h"
#include "emulator/program/program.h"

namespace tmaemu::check {

// The next launch of a stream begins when every CTA has let it, by any of its threads, or is over.
// PTX ISA, "griddepcontrol".
struct DependentStart {
  bool is_let = false;             // by some CTA: the launch may still be running then
  bool waits = false;              // for the launches before it: when it is over, so are they
  bool is_let_after_wait = false;  // by some CTA: even then they are over

  void join(const DependentStart& other) {
    is_let |= other.is_let;
    waits |= other.waits;
    is_let_after_wait |= other.is_let_after_wait;
  }
};

struct PastLaunch {
  PastLaunch(std::uint64_t number_of, const Program& program_of, const LaunchRequest& request_of,
             std::shared_ptr<GlobalHistory> global_of, const DependentStart& next_of)
      : number(number_of),
        next(next_of),
        program(program_of),
        request(request_of),
        places(program, request),
        global(std::move(global_of)) {}
  PastLaunch(const PastLaunch&) = delete;
  PastLaunch& operator=(const PastLaunch&) = delete;

  std::uint64_t number;  // in the program's order
  DependentStart next;
  const Program& program;
  LaunchRequest request;  // whose parameters are gone
  Places places;
  std::shared_ptr<GlobalHistory> global;

  Dimensions cta(std::uint32_t cta_number) const { return cta_of_number(request.grid, cta_number); }
};

// A copy, a memset or an allocation, and what it is about.
struct PastUse {
  StreamMoment moment;
  StreamedBytes bytes;
};

// A launch, or another use of memory, beside the launch that begins.
struct Neighbor {
  std::shared_ptr<const PastLaunch> launch;  // null: another use
  bool ends_at_wait = false;                 // who has passed griddepcontrol.wait comes behind it
  StreamedBytes bytes = {};
  bool is_outrun = false;  // a launch in between may be over before it
};

class PastLaunches {
 public:
  // Those beside the launch that is asked for. What no later launch can be beside is forgotten.
  std::vector<Neighbor> beside(const LaunchRequest& request);
  void add(std::shared_ptr<const PastLaunch> launch);
  // Launches that may run beside other work at such a place.
  std::vector<std::shared_ptr<const PastLaunch>> beside(const StreamPlace& place) const;
  // What is freed is forgotten: the bytes may be somebody else's from here on.
  void add(const PastUse& use);
  void clear() {
    launches_.clear();
    uses_.clear();
  }

 private:
  // Which of the launches of its own stream one may overlap that starts early.
  std::vector<Neighbor> overlapped(const StreamPlace& place) const;

  static constexpr std::size_t most = 16;
  static constexpr std::uint64_t most_pages = 4096;  // 256 MiB of global memory, together

  static constexpr std::size_t most_uses = 256;

  std::deque<std::shared_ptr<const PastLaunch>> launches_;
  std::deque<PastUse> uses_;
};

}  // namespace tmaemu::check
