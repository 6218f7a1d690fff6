// Streams and stream capture. Work runs when it is submitted, so streams hold no queue: every order
// that CUDA could show a correct program includes this one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "emulator/model/stream_order.h"
#include "emulator/runtime/state/graph.h"
#include "emulator/runtime/state/handles.h"

namespace tmaemu::runtime {

struct Stream;

// Values equal cudaStreamCaptureStatus's.
enum class CaptureStatus : int { none = 0, active = 1, invalidated = 2 };

// Values equal cudaStreamCaptureMode's.
enum class CaptureMode : int { global = 0, of_thread = 1, relaxed = 2 };

// The calling thread's own mode, as cudaThreadExchangeStreamCaptureMode changes it.
CaptureMode& thread_capture_mode();

// A stream's work on its way into a graph, and the other streams that joined it through events.
struct Capture {
  std::uint64_t id = 0;
  CaptureStatus status = CaptureStatus::active;
  Stream* origin = nullptr;
  CaptureMode mode = CaptureMode::global;
  std::thread::id thread;  // that began it
  std::unique_ptr<Graph> graph = std::make_unique<Graph>();
  Graph* target = nullptr;  // `graph`, or the graph of cudaStreamBeginCaptureToGraph
};

using StreamAttribute = std::array<std::byte, 64>;

struct Stream {
  std::uint64_t id = 0;
  bool non_blocking = false;
  bool legacy_default = false;
  unsigned flags = 0;
  int priority = 0;
  std::map<int, StreamAttribute> attributes;  // by cudaLaunchAttributeID
  std::shared_ptr<Capture> capture;           // null: not capturing
  std::vector<GraphNode*> tail;               // what the next captured node depends on
  StreamClock known;                          // what is over when its next work begins
};

class Streams {
 public:
  static Streams& instance();

  Stream* create(unsigned flags, int priority);
  bool destroy(Stream* stream);
  // Destroys every stream, and ends what the default streams capture.
  void reset();
  // The stream behind a cudaStream_t or CUstream: null is the legacy default stream, 1 and 2 are
  // CU_STREAM_LEGACY and CU_STREAM_PER_THREAD. Null where the handle is none.
  Stream* find(const void* handle);

  // Runs `work` in stream order, or adds it to the graph that the stream captures. Work behind a
  // kernel that has faulted is dropped.
  Error submit(Stream& stream, NodeKind kind, Work work);

  // Runs the work of a node of the graph that is the work that runs now. `over`: what the nodes
  // that it depends on leave done, and then what it does.
  Error run_node(std::size_t branch, bool has_branches, const Work& work, StreamClock& over);

  // Where the work that runs now stands; null where none does.
  const StreamPlace* current() const { return current_; }
  // The host goes on when the stream's work is done, when everything is, or when what a clock knows
  // is: what it submits from here on comes behind that.
  void host_waits_for(const Stream& stream) { host_waits_for(stream.known); }
  void host_waits_for_all();
  void host_waits_for(const StreamClock& clock);
  // The same, but not for certain: a host function that the stream has come to may have told it.
  void host_may_know(const StreamClock& clock);
  // Looks at what the host has done, knowing what it does, with memory that work under way uses.
  void judge_host() const;

  // Fails, and invalidates captures, where waiting for `stream` is not allowed.
  Error check_may_wait(Stream& stream);
  // The same for calls that wait for the whole device.
  Error check_may_wait_for_device();

  // The same for calls that may do such work unseen, as those that allocate: whether they are
  // allowed depends on the modes of the captures and of the thread (CUDA Runtime API,
  // cudaThreadExchangeStreamCaptureMode).
  Error check_may_act_unseen();

  Error begin_capture(Stream& stream, CaptureMode mode, Graph* target,
                      std::vector<GraphNode*> dependencies);
  Error end_capture(Stream& stream, Graph*& graph);
  // `stream` continues after `event_tail` of `capture`; it joins that capture where it has none.
  Error join_capture(Stream& stream, const std::shared_ptr<Capture>& capture,
                     const std::vector<GraphNode*>& event_tail);

 private:
  Streams();
  void invalidate_all();
  bool blocking_stream_captures() const;
  StreamPlace begin(Stream& stream);
  StreamMoment next_moment(std::uint64_t stream) { return {stream, ++submitted_[stream]}; }
  // What is over when the work is done comes to `over`.
  Error perform(const StreamPlace& place, const Work& work, StreamClock& over);

  Handles<Stream> streams_;
  std::vector<Stream*> capturing_;
  Stream legacy_;
  Stream per_thread_;
  StreamClock host_knows_;
  StreamClock host_may_know_;           // and more
  StreamClock ended_, ended_blocking_;  // the work of streams that were destroyed
  const StreamPlace* current_ = nullptr;
  StreamClock* current_over_ = nullptr;
  std::map<std::uint64_t, std::uint64_t> submitted_;  // pieces of work so far, by stream
  // A graph's branches are streams of their own; by the stream that the graph is in, and number.
  std::map<std::pair<std::uint64_t, std::size_t>, std::uint64_t> branches_;
  std::uint64_t next_branch_id_ = std::uint64_t{1} << 32;  // no stream has such a number
  static constexpr std::uint64_t first_id = 3;             // behind the two default streams
  std::uint64_t next_id_ = first_id;
  std::uint64_t next_capture_id_ = 1;
};

// The legacy one.
inline Stream& default_stream() {
  return *Streams::instance().find(nullptr);
}

}  // namespace tmaemu::runtime
