// The flags that threads have read, for findings about what these did not order: what the writer
// left out, or the reader.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "emulator/check/cluster_state.h"
#include "emulator/check/flags.h"

namespace tmaemu::check {

// What a read has found at an address.
struct FoundMessage {
  const Flags* flags;
  std::uint64_t address;
  FlagMessage message;
};

class HeardFlags {
 public:
  explicit HeardFlags(const ClusterState& state) : state_(state), heard_(state.thread_count()) {}

  void start();
  // The thread's strong read of that line has found the message.
  void hear(ThreadId thread, FoundMessage found, std::uint32_t site, MemoryOrder order);
  // A fence makes acquires of the reads before it.
  void fence(ThreadId thread, Scope scope);
  // Of a flag that was set behind that moment of the actor, and read by `reader` or by somebody
  // whom it knows to have read it: why it orders nothing. Nothing where there is no such flag.
  std::optional<Note> short_edge(const Actor& actor, Time since, ThreadId reader) const;
  // Of a flag that orders two threads of the two CTAs, and neither or only one of these two: whom
  // it leaves out. Nothing where there is no such flag.
  std::optional<Note> missing_meeting(const Actor& actor, Time since, ThreadId reader) const;

 private:
  struct Heard {
    FoundMessage found;
    ThreadId thread;
    std::uint32_t site = 0;
    Time time = 0;
    std::optional<Scope> acquired;  // by the read, or by a fence behind it
  };
  std::optional<Note> why_short(const Heard& heard, const FlagMessage& message, const Actor& actor,
                                Time since) const;

  const ClusterState& state_;
  std::vector<std::vector<Heard>> heard_;  // by thread: the last few
  bool is_empty_ = true;
};

}  // namespace tmaemu::check
