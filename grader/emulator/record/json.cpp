#include "emulator/record/json.h"

#include <string>
#include <string_view>

#include "common/hexadecimal.h"
#include "common/json_text.h"
#include "emulator/diagnostics/kernel_name.h"
#include "emulator/memory/address_space.h"

namespace tmaemu::record {
namespace {

using common::json::array;
using common::json::number;
using common::json::object;

std::string list(std::initializer_list<std::uint64_t> values) {
  return array(values, number);
}

// "[1,2,3]", or nothing where there is none: an object then has no such member.
template <class Elements, class ToJson>
std::string some(const Elements& elements, ToJson to_json) {
  return elements.empty() ? "" : array(elements, to_json);
}

std::string to_json(const Change& change) {
  return "[" + number(static_cast<unsigned>(change.view)) + "," + number(change.rank) + "," +
         number(change.offset) + "," + common::json::quoted(common::hexadecimal(change.bytes)) +
         "]";
}

// A rank and an offset.
std::string place(std::uint32_t address) {
  return list({shared_rank(address), shared_offset(address)});
}

std::string to_json(const BulkMoment& moment) {
  const events::Bulk& bulk = moment.bulk;
  if (moment.kind != BulkMoment::Kind::issued) {
    const bool is_over = moment.kind == BulkMoment::Kind::finished;
    return object({{is_over ? "finished" : "read", number(bulk.id)}});
  }
  return object({{"issued", number(bulk.id)},
                 {"kind", common::json::quoted(name_of(bulk.kind))},
                 {"shared", place(bulk.shared)},
                 {"bytes", number(bulk.bytes)},
                 {"mbarrier", bulk.mbarrier == 0 ? "" : place(bulk.mbarrier)},
                 {"multicast", bulk.multicast == 0 ? "" : number(bulk.multicast)},
                 {"swizzle", bulk.swizzle_bytes == 0 ? "" : number(bulk.swizzle_bytes)}});
}

std::string to_json(const ProductMoment& moment) {
  const auto name = [&] {
    switch (moment.kind) {
      case ProductMoment::Kind::issued:
        return "issued";
      case ProductMoment::Kind::committed:
        return "committed";
      case ProductMoment::Kind::multiplied:
        return "multiplied";
      case ProductMoment::Kind::done:
        return "done";
    }
    return "";
  };
  return object({{name(), number(moment.number)},
                 {"warps", list({moment.first.rank, moment.first.index})},
                 {"a", moment.a ? place(*moment.a) : ""},
                 {"b", moment.kind == ProductMoment::Kind::issued ? place(moment.b) : ""}});
}

// All but so many of the newest are to be done, or to have read their sources.
std::string to_json(const events::Groups& groups) {
  return object({{"but", number(groups.pending)}, {"read", groups.only_read ? "1" : ""}});
}

std::string to_json(const Step& step, const Places& places) {
  const auto code = [](const Found& found) { return common::json::quoted(found.code); };
  const auto line = [&](const Found& found) { return number(places.place(found.site).line); };
  const auto changed = [](const Change& change) { return to_json(change); };
  const auto moved = [](const auto& moment) { return to_json(moment); };
  return object({{"warp", step.is_engine ? "" : list({step.warp.rank, step.warp.index})},
                 {"line", number(places.place(step.site).line)},
                 {"lanes", step.is_engine ? "" : number(step.lanes)},
                 {"sleeps", step.sleeps ? "1" : ""},
                 {"mbarrier", step.sleeps && step.mbarrier ? place(*step.mbarrier) : ""},
                 {"groups", step.bulk_groups ? to_json(*step.bulk_groups) : ""},
                 {"polls", step.polls == 0 ? "" : number(step.polls)},
                 {"init", some(step.initialized, place)},
                 {"bulks", some(step.bulks, moved)},
                 {"products", some(step.products, moved)},
                 {"memory", some(step.changes, changed)},
                 {"findings", some(step.found, code)},
                 {"found_at", some(step.found, line)}});
}

std::string to_json(const Dimensions& extent) {
  return list({extent.x, extent.y, extent.z});
}

}  // namespace

std::string to_json(const Program& program, const LaunchRequest& request, const Places& places,
                    const ClusterSteps& cluster) {
  const auto variable = [](const SharedVariable& one) {
    return object({{"name", common::json::quoted(one.name)},
                   {"offset", number(one.offset)},
                   {"bytes", number(one.bytes)}});
  };
  const auto step = [&](const Step& one) { return to_json(one, places); };
  return object({{"tmaemu_recording", number(json_schema)},
                 {"kernel", common::json::quoted(kernel_name(program.function->name))},
                 {"grid", to_json(request.grid)},
                 {"block", to_json(request.block)},
                 {"cluster", to_json(request.cluster)},
                 {"variables", array(program.shared_variables, variable)},
                 {"cut", cluster.is_cut ? "true" : ""},
                 {"steps", array(cluster.steps, step)}});
}

}  // namespace tmaemu::record
