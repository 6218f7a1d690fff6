// What the TMA engine notices when it is given work: sources that it cannot see, and tiles that are
// still in use. The engine goes on with what the rules give it; the student is told.
#include <utility>

#include "emulator/memory/address_space.h"
#include "emulator/tma/engine.h"

namespace tmaemu {
namespace {

// What every finding about a store's source says: who reads what, and which write is in the way.
Finding source_finding(const ClusterPort& cluster, const BulkOperation& operation,
                       const SharedMemory::StaleByte& stale, Sentence sentence) {
  Finding finding = finding_of(cluster, operation, sentence);
  finding.bytes = {shared_offset(operation.shared), operation.bytes};
  finding.notes.push_back({NoteSentence::written_here,
                           stale.site,
                           cluster.cta_id(shared_rank(operation.shared)),
                           stale.writer,
                           {stale.offset, 1}});
  return finding;
}

}  // namespace

Finding finding_of(const ClusterPort& cluster, const BulkOperation& operation, Sentence sentence,
                   Values values) {
  return {sentence, std::move(values), operation.site, cluster.cta_id(operation.thread.rank),
          operation.thread};
}

// The engine will read what the async view holds. Where a generic write is not in it, the program
// forgot either the fence or the synchronization.
void AsyncEngine::check_source_is_visible(BulkOperation& operation) {
  const SharedMemory& source = cluster_.shared_memory(shared_rank(operation.shared));
  const auto stale = source.first_stale(shared_offset(operation.shared), operation.bytes);
  if (!stale) return;
  const bool is_ordered = causality_.knows(operation.thread, stale->writer, stale->epoch);
  operation.reported = true;
  cluster_.findings().report(source_finding(
      cluster_, operation, *stale,
      is_ordered ? Sentence::store_reads_unfenced : Sentence::store_reads_unsynchronized));
}

// Between issue and the moment the source is read, nobody may write it.
void AsyncEngine::check_source_is_settled(BulkOperation& operation) {
  if (operation.reported) return;
  const SharedMemory& source = cluster_.shared_memory(shared_rank(operation.shared));
  const auto stale = source.first_stale(shared_offset(operation.shared), operation.bytes);
  if (!stale) return;
  // Did the writer know that the store had been issued? Then it did not wait for the store;
  // otherwise the store did not wait for the writer.
  const bool writer_knew = causality_.knows(stale->writer, operation.thread, operation.issued);
  operation.reported = true;
  cluster_.findings().report(source_finding(
      cluster_, operation, *stale,
      writer_knew ? Sentence::store_source_overwritten : Sentence::store_reads_unsynchronized));
}

// A load must not land on a tile that an earlier store may still have to read.
void AsyncEngine::check_target_is_free(const BulkOperation& load) {
  for (const Pending& store : pending_) {
    if (store->kind == BulkOperation::Kind::global_to_shared || store->source_read ||
        store->reported || shared_rank(store->shared) != shared_rank(load.shared) ||
        load.shared >= store->shared + store->bytes || store->shared >= load.shared + load.bytes) {
      continue;
    }
    Finding finding = finding_of(cluster_, load, Sentence::load_overwrites_store_source);
    finding.bytes = {shared_offset(load.shared), load.bytes};
    finding.use = BytesUse::loads_into;
    finding.notes.push_back({NoteSentence::store_issued_here, store->site});
    store->reported = true;
    cluster_.findings().report(finding);
  }
}

// A load or a copy that goes to other CTAs of the cluster: they must be there still, and the
// mbarriers that count must be there already.
void AsyncEngine::check_other_ctas(const BulkOperation& operation) {
  for (std::uint32_t rank = 0; rank < cluster_.cta_count(); ++rank) {
    if (!operation.writes_to(rank)) continue;
    if (cluster_.has_ended(rank)) {
      cluster_.findings().report(
          finding_of(cluster_, operation, Sentence::operation_into_ended_cta));
    }
    const std::uint32_t owner =
        operation.multicast != 0 ? operation.signaled_by(rank) : shared_rank(operation.mbarrier);
    check_remote_barrier(operation, owner << cta_rank_shift | shared_offset(operation.mbarrier));
  }
}

void AsyncEngine::check_remote_barrier(const BulkOperation& operation, std::uint32_t mbarrier) {
  if (shared_rank(mbarrier) == operation.thread.rank ||
      mbarriers_.sees_initialization(mbarrier, operation.thread)) {
    return;
  }
  cluster_.findings().report(
      finding_of(cluster_, operation, Sentence::operation_on_unseen_mbarrier));
}

}  // namespace tmaemu
