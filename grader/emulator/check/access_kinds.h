// The kinds of access, and all that the rules ask of a kind. A new kind of asynchronous operation
// is one enumerator, one row of this table, and who issues it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "contract/findings/finding_codes.h"
#include "contract/findings/sentences.h"

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
constexpr ByWriter whoever_writes(Sentence sentence) {
  return {sentence, sentence, sentence};
}

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

  // Of what writes memory while its thread goes on: what is said where it is under way.
  struct Target {
    Sentence read_by_thread;
    Sentence written_by_thread;
  };
  std::optional<Target> target;

  // It goes on while its thread does.
  constexpr bool is_asynchronous() const { return completed_by != CompletedBy::program_order; }
};

// An operation of the engine reads shared memory that another one is still to fill.
inline constexpr ByWriter reads_of_stores{.load = Sentence::store_reads_loading_tile,
                                          .copy = Sentence::store_reads_copy_in_flight,
                                          .async_store = Sentence::store_reads_store_in_flight};

inline constexpr std::array access_kinds{
    AccessKindEntry{AccessKind::plain,
                    CompletedBy::program_order,
                    Proxy::generic,
                    NoteSentence::written_here,
                    {},
                    {}},
    AccessKindEntry{AccessKind::mbarrier,
                    CompletedBy::program_order,
                    Proxy::generic,
                    NoteSentence::initialized_here,
                    {},
                    {}},
    AccessKindEntry{AccessKind::copy, CompletedBy::copies_of_lane, Proxy::generic,
                    NoteSentence::copy_issued_here,
                    AccessKindEntry::Source{
                        .written_by_thread = Sentence::write_during_copy,
                        .written_by_thread_in_global = Sentence::write_during_copy,
                        .written_by_operation = whoever_writes(Sentence::write_to_load_source),
                        .is_filled_by_threads = false,
                        .unsynchronized = Sentence::store_reads_unsynchronized,
                        .unfenced = Sentence::store_reads_unfenced,
                        .unfenced_operation = Sentence::store_reads_copy_unfenced,
                        .not_landed = reads_of_stores},
                    AccessKindEntry::Target{.read_by_thread = Sentence::read_before_copy_done,
                                            .written_by_thread = Sentence::write_during_copy}},
    AccessKindEntry{
        AccessKind::async_store,
        CompletedBy::phase,
        Proxy::generic,
        NoteSentence::store_issued_here,
        {},
        AccessKindEntry::Target{.read_by_thread = Sentence::read_before_async_store_done,
                                .written_by_thread = Sentence::write_during_async_store}},
    AccessKindEntry{AccessKind::load, CompletedBy::phase, Proxy::async,
                    NoteSentence::load_issued_here,
                    AccessKindEntry::Source{
                        .written_by_thread = Sentence::copy_source_overwritten,
                        .written_by_thread_in_global = Sentence::write_to_load_source,
                        .written_by_operation = whoever_writes(Sentence::write_to_load_source),
                        .is_filled_by_threads = false,
                        .unsynchronized = Sentence::store_reads_unsynchronized,
                        .unfenced = Sentence::store_reads_unfenced,
                        .unfenced_operation = Sentence::store_reads_copy_unfenced,
                        .not_landed = reads_of_stores},
                    AccessKindEntry::Target{.read_by_thread = Sentence::read_before_load_done,
                                            .written_by_thread = Sentence::write_during_load}},
    AccessKindEntry{
        AccessKind::store, CompletedBy::bulk_group, Proxy::async, NoteSentence::store_issued_here,
        AccessKindEntry::Source{
            .written_by_thread = Sentence::store_source_overwritten,
            .written_by_thread_in_global = Sentence::store_source_overwritten,
            .written_by_operation = {.load = Sentence::load_overwrites_store_source,
                                     .copy = Sentence::copy_overwrites_store_source,
                                     .async_store = Sentence::copy_overwrites_store_source},
            .is_filled_by_threads = true,
            .unsynchronized = Sentence::store_reads_unsynchronized,
            .unfenced = Sentence::store_reads_unfenced,
            .unfenced_operation = Sentence::store_reads_copy_unfenced,
            .not_landed = reads_of_stores},
        AccessKindEntry::Target{.read_by_thread = Sentence::read_of_unawaited_store,
                                .written_by_thread = Sentence::write_over_unawaited_store}},
    AccessKindEntry{
        AccessKind::product,
        CompletedBy::product_group,
        Proxy::async,
        NoteSentence::product_issued_here,
        AccessKindEntry::Source{
            .written_by_thread = Sentence::product_source_overwritten,
            .written_by_thread_in_global = Sentence::product_source_overwritten,
            .written_by_operation = {.load = Sentence::load_overwrites_product_source,
                                     .copy = Sentence::copy_overwrites_product_source,
                                     .async_store = Sentence::copy_overwrites_product_source},
            .is_filled_by_threads = true,
            .unsynchronized = Sentence::product_reads_unsynchronized,
            .unfenced = Sentence::product_reads_unfenced,
            .unfenced_operation = Sentence::product_reads_copy_unfenced,
            .not_landed = {.load = Sentence::product_reads_loading_tile,
                           .copy = Sentence::product_reads_copy_in_flight,
                           .async_store = Sentence::product_reads_store_in_flight}},
        {}},
};

constexpr const AccessKindEntry& entry_of(AccessKind kind) {
  return access_kinds[static_cast<std::size_t>(kind)];
}

// Each row stands where its enumerator's number says.
static_assert([] {
  for (const AccessKindEntry& entry : access_kinds) {
    if (&entry != &entry_of(entry.kind)) return false;
  }
  return true;
}());

}  // namespace tmaemu::check
