// What the TMA engine sees of the cluster that it works for.
#pragma once

#include <cstddef>
#include <cstdint>

#include "emulator/mbarrier/mbarriers.h"
#include "emulator/memory/global_memory.h"
#include "emulator/memory/shared_memory.h"
#include "emulator/model/events.h"
#include "emulator/model/finding_sink.h"
#include "emulator/model/ids.h"
#include "emulator/order/causality.h"

namespace tmaemu {

class ClusterPort {
 public:
  virtual ~ClusterPort() = default;
  virtual unsigned cta_count() const = 0;
  virtual unsigned threads_per_cta() const = 0;
  virtual Dimensions cta_id(std::uint32_t rank) const = 0;
  virtual bool has_ended(std::uint32_t rank) const = 0;
  virtual SharedMemory& shared_memory(std::uint32_t rank) = 0;
  virtual const GlobalMemory& global_memory() const = 0;
  virtual Causality& causality() = 0;
  virtual Mbarriers& mbarriers() = 0;
  virtual FindingSink& findings() const = 0;
  virtual Observer* observer() const = 0;  // null: nobody observes

  // Each thread of the cluster has a number of its own, from 0.
  std::size_t thread_count() const { return std::size_t{cta_count()} * threads_per_cta(); }
  std::size_t number_of(ThreadId thread) const {
    return std::size_t{thread.rank} * threads_per_cta() + thread.index;
  }
};

}  // namespace tmaemu
