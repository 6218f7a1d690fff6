// The TMA engine's side of bytes: what an operation does at its moment. It reads its source, writes
// its target, and signals its mbarrier.
#include <bit>
#include <cstring>
#include <mutex>
#include <utility>

#include "contract/findings/sentences.h"
#include "emulator/memory/address_space.h"
#include "emulator/tma/engine.h"

namespace tmaemu {
namespace {

// The global memory that one operation reads or writes, run by run.
class GlobalSide {
 public:
  explicit GlobalSide(const GlobalMemory& memory) : memory_(memory) {}

  // The host's view of the bytes that are next, in an allocation or beside one.
  std::byte* next(std::uint64_t address, std::size_t size) {
    if (region_ == nullptr || !region_->contains(address, size)) {
      region_ = memory_.find(address);
      if (region_ == nullptr || !region_->contains(address, size)) {
        return memory_.reach(address, size);
      }
    }
    return region_->host + (address - region_->address);
  }

 private:
  const GlobalMemory& memory_;
  const Region* region_ = nullptr;
};

Finding finding_of(const ClusterPort& cluster, const BulkOperation& operation, Sentence sentence,
                   Values values) {
  return {sentence, std::move(values), operation.site, cluster.cta_id(operation.thread.rank),
          operation.thread};
}

}  // namespace

bool AsyncEngine::signals(const BulkOperation& operation, std::uint32_t address) const {
  if (operation.multicast == 0) return operation.mbarrier == address;
  if (shared_offset(operation.mbarrier) != shared_offset(address)) return false;
  for (std::uint32_t rest = operation.multicast; rest != 0; rest &= rest - 1) {
    const auto destination = static_cast<std::uint32_t>(std::countr_zero(rest));
    if (operation.signaled_by(destination) == shared_rank(address)) return true;
  }
  return false;
}

// The issuing instruction has looked at the global side. A kernel may have freed it since.
void AsyncEngine::check_memory_is_there(const BulkOperation& operation) const {
  const GlobalMemory& memory = memory_;
  const auto check = [&](std::uint64_t address, std::size_t bytes) {
    if (bytes == 0 || memory.translate(address, bytes) != nullptr) return;
    const bool is_mapped = memory.reach(address, bytes) != nullptr;
    const Finding freed =
        finding_of(cluster_, operation,
                   is_mapped ? Sentence::tma_memory_freed_unreported : Sentence::tma_memory_freed,
                   {memory.describe(address)});
    if (!is_mapped) throw KernelFault{freed};
    cluster_.findings().notice(freed);
  };
  if (operation.is_tensor) {
    tma::for_each_run(*operation.map, operation.place(), shared_offset(operation.shared),
                      [&](const tma::Run& run) {
                        if (run.in_bounds) check(run.global_address, run.bytes);
                      });
  } else if (operation.host != nullptr) {
    check(operation.global, operation.bytes);
  }
}

void AsyncEngine::complete(BulkOperation& operation) {
  if (operation.frees != memory_.frees()) check_memory_is_there(operation);
  switch (operation.kind) {
    case BulkOperation::Kind::global_to_shared:
      load(operation);
      break;
    case BulkOperation::Kind::shared_to_shared:
    case BulkOperation::Kind::reduce_to_shared:
      read_source(operation);
      write_shared(operation);
      signal(operation, operation.mbarrier);
      break;
    case BulkOperation::Kind::shared_to_global:
    case BulkOperation::Kind::reduce_to_global:
      read_source(operation);
      write_global(operation);
      break;
  }
  if (operation.source_read) buffered_bytes_ -= operation.bytes;
  tell_finished(operation);
}

void AsyncEngine::load(const BulkOperation& operation) {
  const std::uint32_t offset = shared_offset(operation.shared);
  if (operation.multicast == 0) {
    load_tile(operation, cluster_.shared_memory(shared_rank(operation.shared)), offset);
    signal(operation, operation.mbarrier);
    return;
  }
  for (std::uint32_t rank = 0; rank < cluster_.cta_count(); ++rank) {
    if ((operation.multicast >> rank & 1) == 0) continue;
    load_tile(operation, cluster_.shared_memory(rank), offset);
    signal(operation,
           operation.signaled_by(rank) << cta_rank_shift | shared_offset(operation.mbarrier));
  }
}

void AsyncEngine::load_tile(const BulkOperation& operation, SharedMemory& destination,
                            std::uint32_t offset) {
  GlobalSide global(memory_);
  if (!operation.is_tensor) {
    destination.write_async(offset,
                            {global.next(operation.global, operation.bytes), operation.bytes});
    return;
  }
  const tma::TensorMap& map = *operation.map;
  std::vector<std::byte> scratch;
  const bool converts = tma::converts_on_load(map.type);
  tma::for_each_run(map, operation.place(), offset, [&](const tma::Run& run) {
    const std::byte* source = run.in_bounds ? global.next(run.global_address, run.bytes) : nullptr;
    if (run.in_bounds && !converts) {
      destination.write_async(offset + run.shared_offset, {source, run.bytes});
      return;
    }
    scratch.resize(run.bytes);
    if (source != nullptr) {
      std::memcpy(scratch.data(), source, run.bytes);
      tma::convert_loaded(map.type, scratch);
    } else {
      tma::fill_out_of_bounds(map, scratch);
    }
    destination.write_async(offset + run.shared_offset, scratch);
  });
}

void AsyncEngine::read_source(BulkOperation& operation) {
  if (operation.source_read) return;
  operation.buffer.resize(operation.bytes);
  if (operation.bytes != 0) {
    cluster_.shared_memory(shared_rank(operation.shared))
        .read_async(shared_offset(operation.shared), operation.buffer);
  }
  operation.source_read = true;
  tell_source_released(operation);
  buffered_bytes_ += operation.bytes;
}

void AsyncEngine::write_global(const BulkOperation& operation) {
  const bool reduces = operation.kind == BulkOperation::Kind::reduce_to_global;
  GlobalSide global(memory_);
  const auto write = [&](std::uint64_t address, std::span<const std::byte> source) {
    const std::span<std::byte> target{global.next(address, source.size()), source.size()};
    if (reduces) {
      // Sums of integers are the same in any order, so several host threads may be here for one
      // place.
      static std::mutex reducing;
      const std::lock_guard lock(reducing);
      tma::reduce(operation.operation, operation.type, target, source);
    } else {
      std::memcpy(target.data(), source.data(), source.size());
    }
  };
  const std::span<const std::byte> source = operation.buffer;
  if (source.empty()) return;
  if (!operation.is_tensor) {
    write(operation.global, source);
    return;
  }
  tma::for_each_run(*operation.map, operation.place(), shared_offset(operation.shared),
                    [&](const tma::Run& run) {
                      if (!run.in_bounds) return;
                      write(run.global_address, source.subspan(run.shared_offset, run.bytes));
                    });
}

void AsyncEngine::write_shared(const BulkOperation& operation) {
  if (operation.bytes == 0) return;
  SharedMemory& target = cluster_.shared_memory(shared_rank(operation.target));
  const std::uint32_t offset = shared_offset(operation.target);
  if (operation.kind == BulkOperation::Kind::reduce_to_shared) {
    std::vector<std::byte> sum(operation.bytes);
    std::memcpy(sum.data(), target.generic() + offset, sum.size());
    tma::reduce(operation.operation, operation.type, sum, operation.buffer);
    target.write_async(offset, sum);
  } else {
    target.write_async(offset, operation.buffer);
  }
}

void AsyncEngine::signal(const BulkOperation& operation, std::uint32_t mbarrier) {
  const auto moved = static_cast<std::int64_t>(operation.moved_bytes());
  const auto misuse = mbarriers_.arrive(mbarrier, 0, -moved, {});
  if (!misuse) return;
  if (misuse->kind == MbarrierMisuse::Kind::uninitialized && observer_ != nullptr) {
    observer_->misses_mbarrier(mbarrier, operation.thread, operation.site);
  }
  // The engine only brings bytes: it cannot arrive too often.
  constexpr MbarrierMisuse::Sentences sentences{Sentence::load_on_uninitialized_mbarrier,
                                                Sentence::load_beyond_tx_count,
                                                Sentence::load_beyond_tx_count};
  cluster_.findings().report(
      finding_of(cluster_, operation, misuse->said_as(sentences), misuse->values()));
}

}  // namespace tmaemu
