// Pages of the host program's that are closed to it for a while, and what it touches there all the
// same. A touch is noted by the handler of SIGSEGV, which opens the pages and lets the program go
// on as if nothing was. The emulator has its own view of the same bytes (GlobalMemory).
//
// Of pages that are closed in part, the program is let through to the other bytes one instruction
// at a time. What the system does in its place (read() into such a page) opens them first, where
// that can be seen (system_call_gate.h); where it cannot, it fails.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "emulator/model/stream_order.h"

namespace tmaemu::runtime {

// [begin, end): whole pages.
struct ClosedPages {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool may_be_read = false;
  // What the host may learn from it opens all: with one such page all pages are opened.
  bool has_flags = false;
  std::vector<StreamedBytes> in_use = {};  // the bytes that are closed; empty: all
  bool operator==(const ClosedPages&) const = default;
};

// An access to what was closed, and where the program was: the instruction first, then who called.
struct NotedTouch {
  static constexpr std::size_t most_frames = 12;
  std::uint64_t address = 0;
  bool writes = false;
  std::array<std::uint64_t, most_frames> frames{};
};

class HostWatch {
 public:
  static HostWatch& instance();

  // These pages are closed from now on, and no others.
  void close(std::vector<ClosedPages> pages);
  // What was touched since the last call, in order.
  std::vector<NotedTouch> take();
  // Whether pages with flags have been opened since they were closed.
  bool may_have_seen_flags();

  // For the handlers of signals, which may interrupt any thread. False where the address has
  // nothing to do with closed pages; `steps`: the pages are to be closed again behind the
  // instruction.
  bool note(std::uint64_t address, bool writes, std::uint64_t instruction, bool& steps);
  void close_again();
  // The pages of such an instruction stay open, since it cannot be executed alone.
  void leave_open();
  // Those that are closed in part.
  void open_parts();

 private:
  struct Watched {
    ClosedPages pages;
    bool is_open = false;
    unsigned steps = 0;
  };
  class Lock;
  void open(Watched& watched);
  // Whether some of them are closed in part.
  bool replace(std::vector<ClosedPages> pages);
  static bool protect(const ClosedPages& pages, bool is_open);

  static constexpr std::size_t most_touches = 64;
  std::atomic_flag lock_ = ATOMIC_FLAG_INIT;
  std::vector<Watched> watched_;
  std::array<NotedTouch, most_touches> touches_{};
  std::atomic<std::size_t> touch_count_ = 0;
};

}  // namespace tmaemu::runtime
