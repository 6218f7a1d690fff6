#include "emulator/profile/hints.h"

#include <algorithm>
#include <cstdio>

#include "emulator/profile/sectors.h"

namespace tmaemu::profile {
namespace {

// Below these, a number is not worth a sentence.
constexpr double bad_overfetch = 1.5;
constexpr double bad_waste_share = 0.1;      // of all that the kernel's sectors hold
constexpr double bad_conflict_share = 0.25;  // of the wavefronts
constexpr double few_lanes = 24;             // of 32

template <class... Values>
std::string text(const char* format, Values... values) {
  char buffer[400];
  std::snprintf(buffer, sizeof buffer, format, values...);
  return buffer;
}

// " (most at lab3.cu:41:5)": the place with the most of one kind of excess.
std::string worst_place(const Summary& kernel, Count Excess::*kind) {
  const auto worst = std::ranges::max_element(
      kernel.excess, {}, [&](const auto& place) { return place.second.*kind; });
  if (worst == kernel.excess.end() || worst->second.*kind == 0) return "";
  return " (most at " + worst->first + ")";
}

Count all_sectors(const Counters& counters) {
  const auto& [loads, stores, atomics] = counters.global;
  const auto& tma = counters.tma;
  return loads.sectors + stores.sectors + atomics.sectors + tma.load.global_sectors +
         tma.store.global_sectors + tma.atomic.global_sectors;
}

// The few elements that a kernel's last thread copies do not matter.
bool is_bad(Count bytes, Count sectors, const Counters& counters) {
  const auto wasted = static_cast<double>(sectors * sector_bytes) - static_cast<double>(bytes);
  const auto all = static_cast<double>(all_sectors(counters) * sector_bytes);
  return overfetch(bytes, sectors) >= bad_overfetch && wasted >= bad_waste_share * all;
}

void add_sector_hint(const Summary& kernel, std::vector<std::string>& all) {
  GlobalTraffic bad;
  for (const GlobalTraffic* traffic : {&kernel.counters.global.load, &kernel.counters.global.store,
                                       &kernel.counters.global.atomic}) {
    if (is_bad(traffic->bytes, traffic->sectors, kernel.counters)) bad.merge(*traffic);
  }
  if (bad.accesses == 0) return;
  all.push_back(
      text("sectors %.1fx what was asked for%s: neighboring lanes should access "
           "neighboring addresses",
           overfetch(bad.bytes, bad.sectors), worst_place(kernel, &Excess::sectors).c_str()));
}

void add_conflict_hint(const Summary& kernel, std::vector<std::string>& all) {
  SharedTraffic sum = kernel.counters.shared.load;
  sum.merge(kernel.counters.shared.store);
  sum.merge(kernel.counters.shared.atomic);
  const auto wavefronts = static_cast<double>(sum.wavefronts);
  if (static_cast<double>(sum.conflicts) < bad_conflict_share * wavefronts || sum.conflicts == 0) {
    return;
  }
  all.push_back(
      text("%.0f %% of the wavefronts are bank conflicts%s: lanes want different words "
           "of one bank; swizzle the tile, or pad its rows by one element",
           100 * static_cast<double>(sum.conflicts) / wavefronts,
           worst_place(kernel, &Excess::conflicts).c_str()));
}

void add_tma_hint(const TmaTraffic& traffic, const char* what, const Counters& counters,
                  std::vector<std::string>& all) {
  if (!is_bad(traffic.global_bytes, traffic.global_sectors, counters)) return;
  all.push_back(
      text("TMA %s touch sectors of %.1fx their bytes: make the box's rows multiples of "
           "32 bytes, and start them at multiples of 32 bytes",
           what, overfetch(traffic.global_bytes, traffic.global_sectors)));
}

// Where one lane starts TMA operations and the others wait, few lanes are as it should be.
void add_lanes_hint(const Summary& kernel, std::vector<std::string>& all) {
  const Counters& counters = kernel.counters;
  const auto& tma = counters.tma;
  const Count operations = tma.load.operations + tma.store.operations + tma.atomic.operations +
                           counters.tma_between_ctas.operations;
  const double lanes = kernel.average_lanes();
  if (lanes >= few_lanes || counters.warp_instructions == 0 || operations != 0) return;
  all.push_back(
      text("%.1f of 32 lanes active on average: let all lanes of a warp take the same "
           "branch, and launch multiples of 32 threads",
           lanes));
}

}  // namespace

double overfetch(Count bytes, Count sectors) {
  return bytes == 0 ? 0 : static_cast<double>(sectors * sector_bytes) / static_cast<double>(bytes);
}

std::vector<std::string> hints(const Summary& kernel) {
  std::vector<std::string> all;
  add_sector_hint(kernel, all);
  add_conflict_hint(kernel, all);
  const auto& tma = kernel.counters.tma;
  add_tma_hint(tma.load, "loads", kernel.counters, all);
  add_tma_hint(tma.store, "stores", kernel.counters, all);
  add_tma_hint(tma.atomic, "reductions", kernel.counters, all);
  add_lanes_hint(kernel, all);
  return all;
}

}  // namespace tmaemu::profile
