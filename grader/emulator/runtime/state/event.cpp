#include "emulator/runtime/state/event.h"

#include "emulator/runtime/state/context.h"
#include "emulator/runtime/state/node_parameters.h"

namespace tmaemu::runtime {

Events& Events::instance() {
  static auto* events = new Events;
  return *events;
}

Error create_event(unsigned flags, Event*& event) {
  const bool interprocess_with_timing =
      (flags & event_interprocess) != 0 && (flags & event_disable_timing) == 0;
  if ((flags & ~event_all_flags) != 0 || interprocess_with_timing) return Error::invalid_value;
  auto created = std::make_unique<Event>();
  created->flags = flags;
  event = Events::instance().events.add(std::move(created));
  return Error::success;
}

Work record_work(Event& event) {
  return [handle = &event] {
    Event* event = Events::instance().events.find(handle);  // a graph may outlive it
    if (event == nullptr) return Error::invalid_handle;
    event->recorded = std::chrono::steady_clock::now();
    if (const StreamPlace* const place = Streams::instance().current()) {
      event->known = place->known;
      event->known.add(place->moment);
    }
    event->capture.reset();
    return Error::success;
  };
}

Error record(Event& event, Stream& stream, bool external) {
  if (external && !stream.capture) return Error::illegal_state;
  if (stream.capture && !external) {
    if (stream.capture->status != CaptureStatus::active) return Error::stream_capture_invalidated;
    event.capture = stream.capture;
    event.captured_tail = stream.tail;
    return Error::success;
  }
  const Error error =
      Streams::instance().submit(stream, NodeKind::event_record, record_work(event));
  if (error == Error::success && stream.capture) note_captured(stream, &event);
  return error;
}

Error wait_event(Stream& stream, Event& event, bool external) {
  if (external) {
    const Error error = Streams::instance().submit(stream, NodeKind::wait_event, {});
    if (error == Error::success && stream.capture) note_captured(stream, &event);
    return error;
  }
  if (event.capture) {
    return Streams::instance().join_capture(stream, event.capture, event.captured_tail);
  }
  // An event that was recorded outside the capture would tie the graph to work that ran before it.
  if (stream.capture && event.recorded) {
    stream.capture->status = CaptureStatus::invalidated;
    return Error::stream_capture_isolation;
  }
  if (!stream.capture) stream.known.join(event.known);
  return Error::success;
}

Error synchronize(Event& event) {
  if (event.capture) {
    event.capture->status = CaptureStatus::invalidated;
    return Error::captured_event;
  }
  if (const Error error = Streams::instance().check_may_act_unseen(); error != Error::success) {
    return error;
  }
  Streams::instance().host_waits_for(event.known);
  return FaultState::instance().report();
}

Error elapsed_milliseconds(const Event& start, const Event& end, float& milliseconds) {
  if (start.capture || end.capture) return Error::captured_event;
  const bool timed = ((start.flags | end.flags) & event_disable_timing) == 0;
  if (!timed || !start.recorded || !end.recorded) return Error::invalid_handle;
  milliseconds = std::chrono::duration<float, std::milli>(*end.recorded - *start.recorded).count();
  return Error::success;
}

}  // namespace tmaemu::runtime
