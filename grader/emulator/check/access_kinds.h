// The kinds of access, and all that the rules ask of a kind. A new kind of asynchronous operation
// is one enumerator, one row in access_kinds.cpp, and who issues it.
#pragma once

#include <cstdint>
#include <optional>

#include "contract/findings/finding_codes.h"

namespace tmaemu::check {

enum class AccessKind : std::uint8_t {
  plain,        // lanes of a warp, through the generic proxy
  mbarrier,     // the object that mbarrier.init made
  copy,         // cp.async
  async_store,  // st.async, red.async
  load,         // the TMA engine: from global memory, or from shared memory of the cluster
  store,        // the TMA engine: to global memory
  product,      // wgmma.mma_async
};

// What says that an access is done.
enum class CompletedBy : std::uint8_t {
  program_order,   // its thread goes on when it is
  copies_of_lane,  // what each lane waits for of its cp.async, or an arrival that follows them
  phase,           // the phase of an mbarrier that counts its bytes
  bulk_group,      // the bulk async-group of its thread
  product_group,   // the wgmma-group of its warpgroup
};

enum class Proxy : std::uint8_t { generic, async };

// What is said of a conflict with an operation that writes shared memory while its thread goes on.
struct ByWriter {
  Sentence load;  // of the TMA engine
  Sentence copy;
  Sentence async_store;

  constexpr Sentence by(AccessKind writer) const {
    if (writer == AccessKind::copy) return copy;
    return writer == AccessKind::async_store ? async_store : load;
  }
};

struct AccessKindEntry {
  AccessKind kind;
  CompletedBy completed_by;
  Proxy proxy;  // that it reads and writes through
  NoteSentence issued_here;

  // Of what reads memory while its thread goes on.
  struct Source {
    // What is said where it is under way, and somebody writes what it reads.
    Sentence written_by_thread;
    Sentence written_by_thread_in_global;
    ByWriter written_by_operation;
    // Threads fill the bytes for it. So where neither knows of the other, it is the operation that
    // came too early, in whatever order the two came in this run.
    bool is_filled_by_threads;
    // What is said where it is issued, and what it reads in shared memory
    Sentence unsynchronized;      // is written by a thread that nothing orders before it,
    Sentence unfenced;            // is written before it, and no proxy fence lies between,
    Sentence unfenced_operation;  // the same of an operation that writes through the generic proxy,
    ByWriter not_landed;          // is written by an operation that is still under way.
  };
  std::optional<Source> source;

  // Of what writes memory while its thread goes on: what it is called, and what is said where it is
  // under way.
  struct Target {
    const char* name;
    Sentence read_by_thread;
    Sentence written_by_thread;
  };
  std::optional<Target> target;

  // It goes on while its thread does.
  constexpr bool is_asynchronous() const { return completed_by != CompletedBy::program_order; }
};

// Its row, in access_kinds.cpp: who names what the rows say is compiled again with each new
// finding, and who asks a row is not.
const AccessKindEntry& entry_of(AccessKind kind);

}  // namespace tmaemu::check
