#include "emulator/check/access_kinds.h"

#include <array>
#include <cstddef>

#include "contract/findings/sentences.h"

namespace tmaemu::check {
namespace {

constexpr ByWriter whoever_writes(Sentence sentence) {
  return {sentence, sentence, sentence};
}

// An operation of the engine reads shared memory that another one is still to fill.
constexpr ByWriter reads_what_is_to_come{.load = Sentence::store_reads_loading_tile,
                                         .copy = Sentence::store_reads_copy_in_flight,
                                         .async_store = Sentence::store_reads_store_in_flight};

constexpr std::array access_kinds{
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
                        .not_landed = reads_what_is_to_come},
                    AccessKindEntry::Target{.name = "an asynchronous copy",
                                            .read_by_thread = Sentence::read_before_copy_done,
                                            .written_by_thread = Sentence::write_during_copy}},
    AccessKindEntry{
        AccessKind::async_store,
        CompletedBy::phase,
        Proxy::generic,
        NoteSentence::store_issued_here,
        {},
        AccessKindEntry::Target{.name = "an asynchronous store",
                                .read_by_thread = Sentence::read_before_async_store_done,
                                .written_by_thread = Sentence::write_during_async_store}},
    AccessKindEntry{AccessKind::load, CompletedBy::phase, Proxy::async,
                    NoteSentence::load_issued_here,
                    AccessKindEntry::Source{
                        .written_by_thread = Sentence::copy_source_overwritten,
                        .written_by_thread_in_global = Sentence::write_to_load_source,
                        .written_by_operation = whoever_writes(Sentence::write_to_load_source),
                        .is_filled_by_threads = true,
                        .unsynchronized = Sentence::store_reads_unsynchronized,
                        .unfenced = Sentence::store_reads_unfenced,
                        .unfenced_operation = Sentence::store_reads_copy_unfenced,
                        .not_landed = reads_what_is_to_come},
                    AccessKindEntry::Target{.name = "a load",
                                            .read_by_thread = Sentence::read_before_load_done,
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
            .not_landed = reads_what_is_to_come},
        AccessKindEntry::Target{.name = "a store",
                                .read_by_thread = Sentence::read_of_unawaited_store,
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

constexpr const AccessKindEntry& row_of(AccessKind kind) {
  return access_kinds[static_cast<std::size_t>(kind)];
}

// Each row stands where its enumerator's number says.
static_assert([] {
  for (const AccessKindEntry& entry : access_kinds) {
    if (&entry != &row_of(entry.kind)) return false;
  }
  return true;
}());

}  // namespace

const AccessKindEntry& entry_of(AccessKind kind) {
  return row_of(kind);
}

}  // namespace tmaemu::check
