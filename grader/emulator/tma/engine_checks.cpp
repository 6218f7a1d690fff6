// What the TMA engine notices when it is given work: sources that it cannot see, and tiles that are
// still in use. The engine goes on with what the rules give it; the student is told.
#include <string>

#include "emulator/diagnostics/diagnostics.h"
#include "emulator/memory/address_space.h"
#include "emulator/tma/engine.h"

namespace tmaemu {
namespace {

// What every finding about a store's source says: who reads what, and which write is in the way.
Finding source_finding(const ClusterPort& cluster, const BulkOperation& operation,
                       const SharedMemory::StaleByte& stale) {
  const Diagnostics& diagnostics = cluster.diagnostics();
  const Dimensions source = cluster.cta_id(shared_rank(operation.shared));
  Finding finding;
  finding.site = operation.site;
  finding.cta = cluster.cta_id(operation.thread.rank);
  finding.thread = operation.thread;
  finding.detail =
      "reads " + diagnostics.shared_range(shared_offset(operation.shared), operation.bytes);
  finding.notes.push_back({stale.site, diagnostics.shared_range(stale.offset, 1) +
                                           " was written here through the generic proxy by " +
                                           diagnostics.thread_name(source, stale.writer)});
  return finding;
}

}  // namespace

// The engine will read what the async view holds. Where a generic write is not in it, the program
// forgot either the fence or the synchronization.
void AsyncEngine::check_source_is_visible(BulkOperation& operation) {
  const SharedMemory& source = cluster_.shared_memory(shared_rank(operation.shared));
  const auto stale = source.first_stale(shared_offset(operation.shared), operation.bytes);
  if (!stale) return;
  Finding finding = source_finding(cluster_, operation, *stale);
  if (cluster_.causality().knows(operation.thread, stale->writer, stale->epoch)) {
    finding.code = "missing-proxy-fence";
    finding.message = "TMA store reads shared memory that no proxy fence has made visible";
    finding.help =
        "each writing thread calls async_proxy_fence() after its last write and before the "
        "barrier that precedes the store";
  } else {
    finding.code = "unsynchronized-tma-store";
    finding.message = "TMA store reads shared memory that another thread may still be writing";
    finding.help =
        "each writing thread calls async_proxy_fence(), then all threads synchronize "
        "(__syncthreads()), then one thread issues the store";
  }
  operation.reported = true;
  cluster_.diagnostics().report(finding);
}

// Between issue and the moment the source is read, nobody may write it.
void AsyncEngine::check_source_is_settled(BulkOperation& operation) {
  if (operation.reported) return;
  const SharedMemory& source = cluster_.shared_memory(shared_rank(operation.shared));
  const auto stale = source.first_stale(shared_offset(operation.shared), operation.bytes);
  if (!stale) return;
  Finding finding = source_finding(cluster_, operation, *stale);
  // Did the writer know that the store had been issued? Then it did not wait for the store;
  // otherwise the store did not wait for the writer.
  if (cluster_.causality().knows(stale->writer, operation.thread, operation.issued)) {
    finding.code = "overwrite-before-read-done";
    finding.message = "shared memory is overwritten while a TMA store may still be reading it";
    finding.help =
        "before the tile is written again, the thread that issued the store waits with "
        "tma_wait_until_pending_read<N>(), and then all threads synchronize";
  } else {
    finding.code = "unsynchronized-tma-store";
    finding.message = "TMA store reads shared memory that another thread may still be writing";
    finding.help =
        "each writing thread calls async_proxy_fence(), then all threads synchronize "
        "(__syncthreads()), then one thread issues the store";
  }
  operation.reported = true;
  cluster_.diagnostics().report(finding);
}

// A load must not land on a tile that an earlier store may still have to read.
void AsyncEngine::check_target_is_free(const BulkOperation& load) {
  for (const Pending& store : pending_) {
    if (store->kind == BulkOperation::Kind::global_to_shared || store->source_read ||
        store->reported || shared_rank(store->shared) != shared_rank(load.shared) ||
        load.shared >= store->shared + store->bytes || store->shared >= load.shared + load.bytes) {
      continue;
    }
    Finding finding;
    finding.code = "overwrite-before-read-done";
    finding.message = "a TMA load overwrites shared memory that a TMA store may still be reading";
    finding.site = load.site;
    finding.cta = cluster_.cta_id(load.thread.rank);
    finding.thread = load.thread;
    finding.detail =
        "loads into " + cluster_.diagnostics().shared_range(shared_offset(load.shared), load.bytes);
    finding.notes.push_back(
        {store->site, "the store was issued here, and nobody has waited for it"});
    finding.help =
        "the thread that issued the store commits it and waits with "
        "tma_wait_until_pending_read<N>() before the stage is loaded again";
    store->reported = true;
    cluster_.diagnostics().report(finding);
  }
}

// A load or a copy that goes to other CTAs of the cluster: they must be there still, and the
// mbarriers that count must be there already.
void AsyncEngine::check_other_ctas(const BulkOperation& operation) {
  for (std::uint32_t rank = 0; rank < cluster_.cta_count(); ++rank) {
    if (!operation.writes_to(rank)) continue;
    if (cluster_.has_ended(rank)) {
      Finding finding;
      finding.code = "smem-released-early";
      finding.message = "a TMA operation writes to shared memory of a CTA that has ended";
      finding.site = operation.site;
      finding.cta = cluster_.cta_id(operation.thread.rank);
      finding.thread = operation.thread;
      finding.help = "each CTA waits on its mbarrier for what others send to it, before it returns";
      cluster_.diagnostics().report(finding);
    }
    const std::uint32_t owner =
        operation.multicast != 0 ? operation.signaled_by(rank) : shared_rank(operation.mbarrier);
    check_remote_barrier(operation, owner << cta_rank_shift | shared_offset(operation.mbarrier));
  }
}

void AsyncEngine::check_remote_barrier(const BulkOperation& operation, std::uint32_t mbarrier) {
  if (shared_rank(mbarrier) == operation.thread.rank ||
      cluster_.mbarriers().sees_initialization(mbarrier, operation.thread)) {
    return;
  }
  Finding finding;
  finding.code = "missing-barrier-init-fence";
  finding.message =
      "a TMA operation is to complete on an mbarrier of another CTA, and nothing makes sure that "
      "it is initialized by now";
  finding.site = operation.site;
  finding.cta = cluster_.cta_id(operation.thread.rank);
  finding.thread = operation.thread;
  finding.help =
      "the initializing thread calls fence_barrier_init(), then all threads of the cluster pass "
      "cluster_arrive() and cluster_wait(), then the operation is issued";
  cluster_.diagnostics().report(finding);
}

}  // namespace tmaemu
