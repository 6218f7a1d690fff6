// Instruments look on at launches and report what they saw: counts, findings, timelines. They are
// handed to the device as a list. Nothing that executes depends on one, but where a judge wants
// what is handed over to be turned.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "contract/protocol/measures.h"
#include "contract/protocol/turned_signs.h"
#include "emulator/diagnostics/diagnostics.h"
#include "emulator/memory/global_memory.h"
#include "emulator/model/events.h"
#include "emulator/model/finding_sink.h"
#include "emulator/model/host_touch.h"
#include "emulator/model/launch.h"
#include "emulator/model/refused_launch.h"
#include "emulator/model/stream_order.h"
#include "emulator/program/program.h"

namespace tmaemu {

// A launch that is about to begin.
struct ObservedLaunch {
  const Program& program;
  const LaunchRequest& request;
  const GlobalMemory& memory;
  std::uint64_t number = 1;  // in the program's order
  Diagnostics& diagnostics;  // tells what is found
  // Where execution reports what it finds, and who looks on what it does: an instrument may put
  // itself in front.
  FindingSink* findings = nullptr;
  std::uint64_t resident_ctas = 0;  // of such a kernel, that the GPU holds at once
};

// What an instrument sees of one launch.
class LaunchInstrument {
 public:
  virtual ~LaunchInstrument() = default;
  virtual LaunchObserver& observer() = 0;
  // Adds what it knows of the cause to the fault that the launch ends with. Nothing executes any
  // more.
  virtual void explain(Finding& /*fault*/) const {}
  // The launch has ended, with a fault that is told next, or without: null.
  virtual void end(const Finding* /*fault*/) {}
};

class Instrument {
 public:
  virtual ~Instrument() = default;
  // Null where it does not look on at this one.
  virtual std::unique_ptr<LaunchInstrument> begin(ObservedLaunch& launch) = 0;
  // A copy, a memset, an allocation or a free that was submitted to a stream is about these bytes.
  virtual void use(const StreamPlace&, std::span<const StreamedBytes>) {}
  // What the host, which knows so much to be over, must not touch, but for flags.
  virtual UsedBesideHost used_beside_host(const StreamClock& /*host_knows*/) { return {}; }
  // It has touched it all the same, or a flag.
  virtual void host_touches(const StreamClock& /*host_knows*/, const HostTouch&) {}
  // It may have touched any flag unseen.
  virtual void host_may_look_at_flags() {}
  // The program ends, and has not asked about a launch that was refused.
  virtual void ends_unasked(const RefusedLaunch&) {}
  // Kernels are unloaded: of earlier launches nothing may be kept that refers to them.
  virtual void forget_programs() {}
};

// Measures how much of the work of all launches is done which way (contract/protocol/measures.h),
// from when it is told to.
class Meter : public Instrument {
 public:
  // Anew, and from now on.
  virtual void start(const GlobalMemory& memory) = 0;
  virtual bool is_on() const = 0;
  // A copy that no kernel makes reads and writes these bytes of the device's.
  virtual void copy(std::span<const StreamedBytes> bytes) = 0;
  virtual Measured measured() const = 0;
  // Whether the measures of where values come from are taken, where measuring starts from now on.
  virtual void follow_values(bool follows) = 0;
  // Whether signs are turned of what is handed over, likewise: contract/protocol/turned_signs.h.
  virtual void turn_signs(const TurnedSigns& turned) = 0;
};

// In the order in which they look on.
struct Instruments {
  std::vector<std::unique_ptr<Instrument>> all;
  Meter* meter = nullptr;  // one of them
};

}  // namespace tmaemu
