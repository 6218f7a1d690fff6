// The protocol between judge and runner: one shared page and one doorbell socket.
//
// The judge writes a request into the page, publishes its sequence number and rings; the runner
// obeys, writes a reply, publishes the same number and rings back. At most one request is under
// way. Either side may find the other dead, and the judge believes nothing it reads here: it keeps
// its own copy of the sequence, takes every reply out of the page once, and checks it before use.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "contract/protocol/launched.h"
#include "contract/protocol/measures.h"
#include "contract/protocol/turned_signs.h"

namespace protocol {

inline constexpr std::uint32_t protocol_version = 15;
inline constexpr std::size_t page_bytes = 16 * 1024;

// The file descriptors under which a runner finds the page (a sealed memfd) and its doorbell.
inline constexpr int page_descriptor = 3;
inline constexpr int doorbell_descriptor = 4;
// On the emulator the runner records into a file what the submission asks of the device, and a
// second runner, the replay, repeats it with buffers of its own in a file that only it and the
// judge have (handout/inside/replay.md).
inline constexpr int recording_descriptor = 5;
inline constexpr int replay_memory_descriptor = 6;
// Where a replay writes what the emulator finds, a line of JSON each, and nobody else writes.
inline constexpr int findings_descriptor = 7;
// The folder beside a submission's library with the files that findings may quote.
inline constexpr const char* source_folder = "source";

enum class Command : std::uint32_t {
  initialize = 1,  // create the CUDA context
  load,            // load the submission named on the command line
  map,             // open `memory_handle`; it becomes the next buffer number, counted from 0
  unmap_all,       // close every buffer
  call,            // call `part` `repeat` times, then wait for the device; 0 times: an empty call
  // The same, but nothing is done of what the calls ask of the device: it is only noted. On the
  // emulator alone, and nothing else may follow.
  rehearse,
};

enum class ReplyStatus : std::uint32_t {
  done = 1,
  cuda_error,    // `cuda_error` says which
  missing,       // the submission defines no launcher for the part
  load_failed,   // `text` is the loader's reason
  unknown_part,  // the library and the checks disagree: the grader's own fault
  bad_request,   // likewise
  // Of a replay:
  not_followed,  // `text` says why it cannot repeat what was recorded
  stale,         // the recording is good for nothing; that of a fresh runner will be
  out_of_time,   // `text` says where a kernel still ran when `kernel_milliseconds` were over
};

// The `memory_handle` of a replay's buffer: a piece of replay_memory_descriptor's file, or one that
// is there again and again, every `period` bytes, until `bytes` are full.
struct ReplayHandle {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint64_t period = 0;  // a multiple of a page; 0: it is there once
};

inline constexpr std::size_t max_array_name = 36;

// Where in a buffer the launcher's array is, outside of which it has no business. The emulator
// holds it to that; a GPU knows allocations alone.
struct Array {
  static constexpr std::uint64_t whole_buffer = ~std::uint64_t{0};
  std::uint64_t offset = 0;
  std::uint64_t bytes = whole_buffer;
  std::uint32_t holds_input = 1;            // something that the launcher may need, and no poison
  std::array<char, max_array_name> name{};  // the launcher's own; ends with a zero
};

inline constexpr std::uint32_t no_buffer = 0xFFFFFFFF;

// A launcher's argument: a place in a mapped buffer, or an integer.
struct Argument {
  std::uint32_t buffer = no_buffer;
  std::uint32_t reserved = 0;
  std::uint64_t value = 0;  // byte offset into the buffer, or the integer
};

// What a device says of itself, where that is not what it is: on the emulator only.
struct Attribute {
  std::int32_t number = 0;  // a cudaDeviceAttr
  std::int32_t value = 0;
};

inline constexpr std::size_t max_attributes = 8;
inline constexpr std::size_t max_arguments = 512;
inline constexpr std::size_t max_part_name = 64;
inline constexpr std::size_t max_reply_text = 512;

struct Request {
  Command command = Command::initialize;
  std::uint32_t repeat = 0;
  // `set_count` argument lists of `arguments_in_set` each, one after the other; call i of `repeat`
  // takes list i modulo `set_count`.
  std::uint32_t set_count = 0;
  std::uint32_t arguments_in_set = 0;
  std::array<char, max_part_name> part{};  // ends with a zero
  // Of a replay: how long kernels may run together, in time of a processor.
  std::uint32_t kernel_milliseconds = 0;
  std::uint32_t follows_values = 0;  // whether it follows where each value comes from
  tmaemu::TurnedSigns turned_signs;  // by wgmma
  std::uint32_t attribute_count = 0;
  std::array<Attribute, max_attributes> attributes{};
  std::array<std::byte, 64> memory_handle{};  // a cudaIpcMemHandle_t
  Array array{};                              // in that memory
  std::array<Argument, max_arguments> arguments{};
};

struct Reply {
  ReplyStatus status = ReplyStatus::done;
  std::int32_t cuda_error = 0;
  std::uint32_t is_measured = 0;  // whether `measured` says which way the work was done: a replay's
  tmaemu::Measured measured{};
  tmaemu::LaunchedSet launched{};   // in the call: a replay's
  std::uint64_t memory_in_use = 0;  // bytes that the program has allocated and not freed: likewise
  std::uint64_t findings = 0;       // that the emulator had, told or not
  std::array<char, max_reply_text> text{};
};

struct Page {
  std::uint32_t version = protocol_version;
  std::atomic<std::uint32_t> request_sequence{0};
  std::atomic<std::uint32_t> reply_sequence{0};
  Request request;
  Reply reply;
};

static_assert(sizeof(Page) <= page_bytes);
static_assert(std::atomic<std::uint32_t>::is_always_lock_free, "the page is shared by processes");

}  // namespace protocol
