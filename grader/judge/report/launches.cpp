#include "judge/report/launches.h"

#include <algorithm>
#include <span>
#include <string>

#include "common/text.h"
#include "judge/verdict/symbol_name.h"

namespace judge {

using common::concat;

namespace {

using tmaemu::Launched;
using tmaemu::LaunchedSet;
using tmaemu::MapShape;

bool contains(const LaunchedSet& set, const Launched& launched) {
  return std::ranges::find(set.kept(), launched) != set.kept().end();
}

// Bytes by bulk and by asynchronous copies.
double engine_bytes(const Way& way) {
  return static_cast<double>(way.measured[index_of(tmaemu::Measure::through_tma)] +
                             way.measured[index_of(tmaemu::Measure::cp_async)]);
}

double array_bytes(const Way& way) {
  return static_cast<double>(way.input_bytes + way.output_bytes);
}

// Whether the case's share of bytes by the engine is that of all, roughly. A case that is too short
// for the engine speaks only for launchers that do without it.
bool moves_alike(const Way& one, const Way& all) {
  return array_bytes(one) > 0 &&
         2 * engine_bytes(one) * array_bytes(all) >= engine_bytes(all) * array_bytes(one);
}

std::string in_words(const std::array<std::uint32_t, 3>& numbers) {
  return concat(numbers[0], " x ", numbers[1], " x ", numbers[2]);
}

std::string in_words(const Launched& launched) {
  std::string text =
      concat("`", readable_name(launched.name.data()), "` in blocks of ", in_words(launched.block));
  if (launched.cluster != std::array<std::uint32_t, 3>{1, 1, 1}) {
    text += concat(", clusters of ", in_words(launched.cluster));
  }
  return text;
}

std::string in_words(const MapShape& shape) {
  constexpr std::array swizzles{"no swizzle", "a 32-byte swizzle", "a 64-byte swizzle",
                                "a 128-byte swizzle"};
  std::string box;
  for (std::size_t i = 0; i < std::min<std::size_t>(shape.rank, shape.box.size()); ++i) {
    box += concat(i == 0 ? "" : " x ", shape.box[i]);
  }
  const auto swizzle = std::min<std::size_t>(shape.swizzle, swizzles.size() - 1);
  return concat("a box of ", box, " with ", swizzles[swizzle]);
}

std::string maps_of(const Launched& launched) {
  std::string text;
  const auto count = std::min(launched.map_count, Launched::max_maps);
  for (std::uint32_t i = 0; i < count; ++i) {
    text += concat(i == 0 ? "" : ", ", in_words(launched.maps[i]));
  }
  return text.empty() ? "no tensor map" : text;
}

bool same_code(const Launched& a, const Launched& b) {
  return a.module == b.module && a.kernel == b.kernel && a.name == b.name;
}

// What distinguishes a launch that no case had from those that the cases had.
std::string difference(const Launched& timed, const std::vector<const LaunchedSet*>& judged) {
  const Launched* alike = nullptr;  // the same kernel, launched otherwise
  bool same_name = false;
  for (const LaunchedSet* set : judged) {
    for (const Launched& launched : set->kept()) {
      same_name |= launched.name == timed.name;
      if (!same_code(launched, timed)) continue;
      const bool nearer = launched.block == timed.block && launched.cluster == timed.cluster;
      if (alike == nullptr || nearer) alike = &launched;
    }
  }
  if (alike == nullptr) {
    return concat("it launches ", in_words(timed),
                  same_name ? ", where the cases launch a kernel of that name with other code"
                            : ", which no case launches");
  }
  if (alike->block != timed.block || alike->cluster != timed.cluster) {
    return concat("it launches ", in_words(timed), ", where the cases launch ", in_words(*alike));
  }
  return concat("it launches ", in_words(timed), " with ", maps_of(timed),
                ", where the cases have ", maps_of(*alike));
}

std::string difference(const LaunchedSet& timed, const std::vector<const LaunchedSet*>& judged) {
  if (timed.count > LaunchedSet::max_launches) {
    return concat("it launches more than ", LaunchedSet::max_launches, " different kernels");
  }
  for (const Launched& launched : timed.kept()) {
    const bool known =
        std::ranges::any_of(judged, [&](const auto* set) { return contains(*set, launched); });
    if (!known) return difference(launched, judged);
  }
  if (timed.count == 0) return "it launches no kernel";
  return concat(
      "it launches ", in_words(timed.launches[0]), ", where the cases ",
      timed.device_copies != 0 ? "have no copy by CUDA besides" : "launch other kernels besides");
}

}  // namespace

// Each kind of launch is in a set once.
bool launched_alike(const LaunchedSet& a, const LaunchedSet& b) {
  return a.count == b.count && a.count <= LaunchedSet::max_launches &&
         a.device_copies == b.device_copies && a.fills == b.fills &&
         std::ranges::all_of(a.kept(), [&](const Launched& l) { return contains(b, l); });
}

Outcome compared(const LaunchedSet& timed, std::string_view part,
                 const std::vector<CaseResult>& cases) {
  Way all;
  std::vector<const Outcome*> right;
  for (const CaseResult& result : cases) {
    if (result.part != part || !result.outcome.way || !result.outcome.launched) continue;
    if (result.outcome.bypasses_tma) continue;
    all += *result.outcome.way;
    right.push_back(&result.outcome);
  }
  std::vector<const LaunchedSet*> judged;
  for (const Outcome* outcome : right) {
    if (!moves_alike(*outcome->way, all)) continue;
    judged.push_back(&*outcome->launched);
    if (launched_alike(timed, *judged.back())) return {};
  }
  if (judged.empty()) return {};
  return {Verdict::cheated,
          concat("at the size at which it is timed, the launcher does not do what was judged (let "
                 "it do at the size of some case, too, what it is to be timed with): ",
                 difference(timed, judged))};
}

}  // namespace judge
