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

namespace protocol {

inline constexpr std::uint32_t kVersion = 4;
inline constexpr std::size_t kPageBytes = 16 * 1024;

// The file descriptors under which a runner finds the page (a sealed memfd) and its doorbell.
inline constexpr int kPageDescriptor = 3;
inline constexpr int kDoorbellDescriptor = 4;
// On the emulator the runner records into a file what the submission asks of the device, and a
// second runner, the replay, repeats it with buffers of its own in a file that only it and the
// judge have (handout/inside/replay.md).
inline constexpr int kRecordingDescriptor = 5;
inline constexpr int kReplayMemoryDescriptor = 6;
// Where a replay writes what the emulator finds, a line of JSON each, and nobody else writes.
inline constexpr int kFindingsDescriptor = 7;
// The folder beside a submission's library with the files that findings may quote.
inline constexpr const char* kSourceFolder = "source";

enum class Command : std::uint32_t {
  kInitialize = 1,  // create the CUDA context
  kLoad,            // load the submission named on the command line
  kMap,             // open `memory_handle`; it becomes the next buffer number, counted from 0
  kUnmapAll,        // close every buffer
  kCall,            // call `part` `repeat` times, then wait for the device; 0 times: an empty call
};

enum class ReplyStatus : std::uint32_t {
  kDone = 1,
  kCudaError,    // `cuda_error` says which
  kMissing,      // the submission defines no launcher for the part
  kLoadFailed,   // `text` is the loader's reason
  kUnknownPart,  // the library and the checks disagree: the grader's own fault
  kBadRequest,   // likewise
  // Of a replay:
  kNotFollowed,  // `text` says why it cannot repeat what was recorded
  kStale,        // the recording is good for nothing; that of a fresh runner will be
};

// The `memory_handle` of a replay's buffer: a piece of kReplayMemoryDescriptor's file.
struct ReplayHandle {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

inline constexpr std::uint32_t kNoBuffer = 0xFFFFFFFF;

// A launcher's argument: a place in a mapped buffer, or an integer.
struct Argument {
  std::uint32_t buffer = kNoBuffer;
  std::uint32_t reserved = 0;
  std::uint64_t value = 0;  // byte offset into the buffer, or the integer
};

inline constexpr std::size_t kMaxArguments = 512;
inline constexpr std::size_t kMaxPartName = 64;
inline constexpr std::size_t kMaxReplyText = 512;

struct Request {
  Command command = Command::kInitialize;
  std::uint32_t repeat = 0;
  // `set_count` argument lists of `arguments_in_set` each, one after the other; call i of `repeat`
  // takes list i modulo `set_count`.
  std::uint32_t set_count = 0;
  std::uint32_t arguments_in_set = 0;
  std::array<char, kMaxPartName> part{};      // ends with a zero
  std::array<std::byte, 64> memory_handle{};  // a cudaIpcMemHandle_t
  std::array<Argument, kMaxArguments> arguments{};
};

// Where nobody counts: on hardware.
inline constexpr std::uint64_t kBytesUnknown = ~std::uint64_t{0};

struct Reply {
  ReplyStatus status = ReplyStatus::kDone;
  std::int32_t cuda_error = 0;
  std::uint64_t tma_bytes = kBytesUnknown;  // of the judge's buffers through the TMA engine
  std::uint64_t findings = 0;               // that the emulator had, told or not
  std::array<char, kMaxReplyText> text{};
};

struct Page {
  std::uint32_t version = kVersion;
  std::atomic<std::uint32_t> request_sequence{0};
  std::atomic<std::uint32_t> reply_sequence{0};
  Request request;
  Reply reply;
};

static_assert(sizeof(Page) <= kPageBytes);
static_assert(std::atomic<std::uint32_t>::is_always_lock_free, "the page is shared by processes");

}  // namespace protocol
