#include "emulator/profile/counters.h"

namespace tmaemu::profile {

void GlobalTraffic::merge(const GlobalTraffic& other) {
  accesses += other.accesses;
  bytes += other.bytes;
  distinct_bytes += other.distinct_bytes;
  sectors += other.sectors;
}

void SharedTraffic::merge(const SharedTraffic& other) {
  accesses += other.accesses;
  bytes += other.bytes;
  distinct_bytes += other.distinct_bytes;
  wavefronts += other.wavefronts;
  conflicts += other.conflicts;
}

void TmaTraffic::merge(const TmaTraffic& other) {
  operations += other.operations;
  global_bytes += other.global_bytes;
  global_sectors += other.global_sectors;
  shared_bytes += other.shared_bytes;
}

void Counters::merge(const Counters& other) {
  warp_instructions += other.warp_instructions;
  thread_instructions += other.thread_instructions;
  global.merge(other.global);
  shared.merge(other.shared);
  remote_shared.merge(other.remote_shared);
  tma.merge(other.tma);
  tma_between_ctas.merge(other.tma_between_ctas);
  most_load_bytes_in_flight = std::max(most_load_bytes_in_flight, other.most_load_bytes_in_flight);
  most_store_bytes_in_flight =
      std::max(most_store_bytes_in_flight, other.most_store_bytes_in_flight);
  for (const auto& [barrier, theirs] : other.waits) waits[barrier].merge(theirs);
  for (const auto& [site, theirs] : other.excess) excess[site].merge(theirs);
  for (const auto& [site, theirs] : other.multiplications) multiplications[site].merge(theirs);
}

}  // namespace tmaemu::profile
