#include "emulator/provenance/multicasts.h"

#include <bit>

#include "emulator/memory/address_space.h"

namespace tmaemu::provenance {
namespace {

bool overlap(const events::Bulk& load, std::uint32_t offset, std::uint64_t bytes) {
  const std::uint32_t begin = shared_offset(load.shared);
  return offset < begin + std::uint64_t{load.bytes} && begin < offset + bytes;
}

}  // namespace

void Multicasts::settle(Landing& landing, bool is_shared) {
  landing.load.global = landing.global;
  settle_(landing.load, is_shared);
}

void Multicasts::issues(const events::Bulk& load) {
  // In the place of another one nobody reads that any more.
  std::erase_if(landings_, [&](Landing& landing) {
    const bool is_over = (landing.load.multicast & load.multicast) != 0 &&
                         overlap(landing.load, shared_offset(load.shared), load.bytes);
    if (is_over) settle(landing, false);
    return is_over;
  });
  landings_.push_back({load, {load.global.begin(), load.global.end()}});
}

void Multicasts::reads(std::uint32_t shared, std::uint64_t bytes) {
  const std::uint32_t reader = 1U << shared_rank(shared);
  std::erase_if(landings_, [&](Landing& landing) {
    if ((landing.load.multicast & reader) == 0) return false;
    if (!overlap(landing.load, shared_offset(shared), bytes)) return false;
    landing.readers |= reader;
    const bool is_shared = std::popcount(landing.readers) > 1;
    if (is_shared) settle(landing, true);
    return is_shared;
  });
}

void Multicasts::cluster_ends() {
  for (Landing& landing : landings_) settle(landing, false);
  landings_.clear();
}

}  // namespace tmaemu::provenance
