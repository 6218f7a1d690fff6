// Events: points in a stream, with the host's clock as their time.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "emulator/runtime/state/handles.h"
#include "emulator/runtime/state/stream.h"

namespace tmaemu::runtime {

// Values equal cudaEventDisableTiming and cudaEventInterprocess.
inline constexpr unsigned event_disable_timing = 2;
inline constexpr unsigned event_interprocess = 4;
inline constexpr unsigned event_all_flags = 7;

struct Event {
  unsigned flags = 0;
  std::optional<std::chrono::steady_clock::time_point> recorded;
  StreamClock known;  // what was over, or before it in its stream
  // Where it was recorded in a capturing stream.
  std::shared_ptr<Capture> capture;
  std::vector<GraphNode*> captured_tail;
};

struct Events {
  static Events& instance();
  Handles<Event> events;
};

Error create_event(unsigned flags, Event*& event);
// The recording of the event as a stream's or a graph's work.
Work record_work(Event& event);
// With `external` (cudaEventRecordExternal) a capturing stream gets a node that records the event.
Error record(Event& event, Stream& stream, bool external);
Error wait_event(Stream& stream, Event& event, bool external);
// cudaEventQuery and cudaEventSynchronize: the work before a recorded event is always done.
Error synchronize(Event& event);
Error elapsed_milliseconds(const Event& start, const Event& end, float& milliseconds);

}  // namespace tmaemu::runtime
