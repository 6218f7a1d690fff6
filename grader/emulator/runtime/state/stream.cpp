#include "emulator/runtime/state/stream.h"

#include <algorithm>
#include <utility>

#include "emulator/runtime/state/context.h"
#include "emulator/runtime/state/host_memory.h"

namespace tmaemu::runtime {

Streams& Streams::instance() {
  static auto* streams = new Streams;
  return *streams;
}

Streams::Streams() {
  legacy_.id = 1;
  legacy_.legacy_default = true;
  per_thread_.id = 2;
}

Stream* Streams::create(unsigned flags, int priority) {
  auto stream = std::make_unique<Stream>();
  stream->id = next_id_++;
  stream->flags = flags;
  stream->non_blocking = (flags & 1u) != 0;
  stream->priority = std::clamp(priority, -5, 0);  // an H200's range
  return streams_.add(std::move(stream));
}

// What was submitted to it goes on.
bool Streams::destroy(Stream* stream) {
  std::erase(capturing_, stream);
  (stream->non_blocking ? ended_ : ended_blocking_).join(stream->known);
  return streams_.remove(stream);
}

void Streams::reset() {
  capturing_.clear();
  streams_.clear();
  for (Stream* stream : {&legacy_, &per_thread_}) {
    stream->capture.reset();
    stream->tail.clear();
    stream->attributes.clear();
    stream->known.clear();
  }
  ended_.clear();
  ended_blocking_.clear();
}

Stream* Streams::find(const void* handle) {
  const auto value = reinterpret_cast<std::uintptr_t>(handle);
  if (value <= 1) return &legacy_;
  if (value == 2) return &per_thread_;
  return streams_.find(handle);
}

Error Streams::submit(Stream& stream, NodeKind kind, Work work) {
  if (stream.capture) {
    if (stream.capture->status != CaptureStatus::active) return Error::stream_capture_invalidated;
    stream.tail = {stream.capture->target->add(kind, std::move(work), stream.tail)};
    return Error::success;
  }
  if (stream.legacy_default && blocking_stream_captures()) {
    invalidate_all();
    return Error::stream_capture_implicit;
  }
  if (FaultState::instance().faulted()) return Error::success;
  if (!work) return Error::success;
  if (current_ != nullptr) return work();  // what a node of a graph consists of
  judge_host();
  let_work_begin();
  const StreamPlace place = begin(stream);
  StreamClock over = place.known;
  const Error error = perform(place, work, over);
  stream.known.join(over);
  watch_host(host_may_know_);
  return error;
}

Error Streams::perform(const StreamPlace& place, const Work& work, StreamClock& over) {
  over.add(place.moment);
  const StreamPlace* const outer = std::exchange(current_, &place);
  StreamClock* const outer_over = std::exchange(current_over_, &over);
  const Error error = work();
  current_ = outer;
  current_over_ = outer_over;
  return error;
}

Error Streams::run_node(std::size_t branch, bool has_branches, const Work& work,
                        StreamClock& over) {
  if (current_ == nullptr) return work();  // put off until now, when no stream is left
  StreamPlace place;
  place.known = current_->known;
  place.known.join(over);
  place.has_other_streams = current_->has_other_streams || has_branches;
  std::uint64_t stream = current_->moment.stream;
  if (branch != 0) {
    std::uint64_t& id = branches_[{stream, branch}];
    if (id == 0) id = next_branch_id_++;
    stream = id;
  }
  place.moment = next_moment(stream);
  over.join(place.known);
  const Error error = perform(place, work, over);
  current_over_->join(over);
  return error;
}

// CUDA C++ Programming Guide, "Default Stream": the legacy default stream waits for all blocking
// streams, and they for it.
StreamPlace Streams::begin(Stream& stream) {
  StreamPlace place;
  place.has_other_streams = next_id_ != first_id;
  if (stream.legacy_default) {
    stream.known.join(per_thread_.known);
    stream.known.join(ended_blocking_);
    streams_.for_each([&](const Stream& other) {
      if (!other.non_blocking) stream.known.join(other.known);
    });
  } else if (!stream.non_blocking) {
    stream.known.join(legacy_.known);
  }
  stream.known.join(host_knows_);
  place.known = stream.known;
  place.moment = next_moment(stream.id);
  return place;
}

void Streams::host_waits_for_all() {
  StreamClock all = legacy_.known;
  all.join(per_thread_.known);
  all.join(ended_);
  all.join(ended_blocking_);
  streams_.for_each([&](const Stream& stream) { all.join(stream.known); });
  host_waits_for(all);
}

void Streams::host_waits_for(const StreamClock& clock) {
  host_knows_.join(clock);
  host_may_know(clock);
}

void Streams::host_may_know(const StreamClock& clock) {
  judge_host();
  host_may_know_.join(clock);
  if (current_ == nullptr) watch_host(host_may_know_);
}

void Streams::judge_host() const {
  runtime::judge_host(host_may_know_);
}

bool Streams::blocking_stream_captures() const {
  return std::any_of(capturing_.begin(), capturing_.end(),
                     [](const Stream* stream) { return !stream->non_blocking; });
}

void Streams::invalidate_all() {
  for (Stream* stream : capturing_) stream->capture->status = CaptureStatus::invalidated;
}

Error Streams::check_may_wait(Stream& stream) {
  if (stream.capture) {
    stream.capture->status = CaptureStatus::invalidated;
    return Error::stream_capture_unsupported;
  }
  if (stream.legacy_default && blocking_stream_captures()) {
    invalidate_all();
    return Error::stream_capture_implicit;
  }
  return Error::success;
}

Error Streams::check_may_wait_for_device() {
  if (capturing_.empty()) return Error::success;
  invalidate_all();
  return Error::stream_capture_unsupported;
}

CaptureMode& thread_capture_mode() {
  thread_local CaptureMode mode = CaptureMode::global;
  return mode;
}

Error Streams::check_may_act_unseen() {
  const CaptureMode own = thread_capture_mode();
  if (own == CaptureMode::relaxed) return Error::success;
  bool forbidden = false;
  for (Stream* stream : capturing_) {
    Capture& capture = *stream->capture;
    const bool is_mine = capture.thread == std::this_thread::get_id();
    const bool concerns_me = is_mine ? capture.mode != CaptureMode::relaxed
                                     : own == CaptureMode::global && capture.mode == own;
    if (!concerns_me) continue;
    capture.status = CaptureStatus::invalidated;
    forbidden = true;
  }
  return forbidden ? Error::stream_capture_unsupported : Error::success;
}

Error Streams::begin_capture(Stream& stream, CaptureMode mode, Graph* target,
                             std::vector<GraphNode*> dependencies) {
  if (mode < CaptureMode::global || mode > CaptureMode::relaxed) return Error::invalid_value;
  if (stream.legacy_default) return Error::stream_capture_unsupported;
  if (stream.capture) return Error::illegal_state;
  stream.capture = std::make_shared<Capture>();
  stream.capture->id = next_capture_id_++;
  stream.capture->origin = &stream;
  stream.capture->mode = mode;
  stream.capture->thread = std::this_thread::get_id();
  stream.capture->target = target != nullptr ? target : stream.capture->graph.get();
  stream.tail = std::move(dependencies);
  capturing_.push_back(&stream);
  return Error::success;
}

Error Streams::end_capture(Stream& stream, Graph*& graph) {
  graph = nullptr;
  if (!stream.capture) return Error::illegal_state;
  if (stream.capture->origin != &stream) return Error::stream_capture_unmatched;
  const std::shared_ptr<Capture> capture = stream.capture;
  // Every node of a stream that joined has to be reachable from the origin stream again.
  const auto reachable = [&](GraphNode* node) {
    std::vector<GraphNode*> todo = stream.tail;
    for (std::size_t i = 0; i < todo.size(); ++i) {
      if (todo[i] == node) return true;
      for (GraphNode* before : todo[i]->dependencies) todo.push_back(before);
    }
    return false;
  };
  bool unjoined = false;
  std::erase_if(capturing_, [&](Stream* other) {
    if (other->capture != capture) return false;
    if (capture->status == CaptureStatus::active) {
      unjoined |= !std::all_of(other->tail.begin(), other->tail.end(), reachable);
    }
    if (other != &stream) other->tail.clear();
    other->capture.reset();
    return true;
  });
  stream.tail.clear();
  if (capture->status != CaptureStatus::active) return Error::stream_capture_invalidated;
  if (unjoined) return Error::stream_capture_unjoined;
  graph = capture->target;
  if (graph == capture->graph.get()) Graphs::instance().graphs.add(std::move(capture->graph));
  return Error::success;
}

Error Streams::join_capture(Stream& stream, const std::shared_ptr<Capture>& capture,
                            const std::vector<GraphNode*>& event_tail) {
  if (capture->status != CaptureStatus::active) return Error::stream_capture_invalidated;
  if (!stream.capture) {
    if (stream.legacy_default) return Error::stream_capture_implicit;
    stream.capture = capture;
    stream.tail.clear();
    capturing_.push_back(&stream);
  } else if (stream.capture != capture) {
    return Error::stream_capture_merge;
  }
  for (GraphNode* node : event_tail) {
    if (std::find(stream.tail.begin(), stream.tail.end(), node) == stream.tail.end()) {
      stream.tail.push_back(node);
    }
  }
  return Error::success;
}

}  // namespace tmaemu::runtime
