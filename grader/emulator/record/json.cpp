#include <string>
#include <string_view>

#include "common/json_text.h"
#include "emulator/memory/address_space.h"
#include "emulator/record/recorder.h"
#include "emulator/stats/record.h"

namespace tmaemu::record {
namespace {

using common::json::array;
using common::json::object;

std::string json_text(std::string_view text) {
  return common::json::quoted(text);
}

std::string number(std::uint64_t value) {
  return std::to_string(value);
}

std::string list(std::initializer_list<std::uint64_t> values) {
  return array(values, number);
}

// "[1,2,3]", or nothing where there is none: an object then has no such member.
template <class Elements, class ToJson>
std::string some(const Elements& elements, ToJson to_json) {
  return elements.empty() ? "" : array(elements, to_json);
}

std::string hexadecimal(const std::vector<std::byte>& bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const std::byte byte : bytes) {
    text += digits[std::to_integer<unsigned>(byte) / 16];
    text += digits[std::to_integer<unsigned>(byte) % 16];
  }
  return text;
}

std::string to_json(const Change& change) {
  return "[" + number(static_cast<unsigned>(change.view)) + "," + number(change.rank) + "," +
         number(change.offset) + "," + json_text(hexadecimal(change.bytes)) + "]";
}

std::string to_json(const BulkMoment& moment) {
  const events::Bulk& bulk = moment.bulk;
  if (moment.kind != BulkMoment::Kind::issued) {
    const bool is_over = moment.kind == BulkMoment::Kind::finished;
    return object({{is_over ? "finished" : "read", number(bulk.id)}});
  }
  return object({{"issued", number(bulk.id)},
                 {"kind", json_text(name_of(bulk.kind))},
                 {"shared", list({shared_rank(bulk.shared), shared_offset(bulk.shared)})},
                 {"bytes", number(bulk.bytes)},
                 {"multicast", bulk.multicast == 0 ? "" : number(bulk.multicast)},
                 {"swizzle", bulk.swizzle_bytes == 0 ? "" : number(bulk.swizzle_bytes)}});
}

std::string to_json(const Step& step, const Places& places) {
  const auto code = [](const std::string& name) { return json_text(name); };
  const auto changed = [](const Change& change) { return to_json(change); };
  const auto moved = [](const BulkMoment& moment) { return to_json(moment); };
  const auto mbarrier = [](std::uint32_t address) {
    return list({shared_rank(address), shared_offset(address)});
  };
  return object({{"warp", step.is_engine ? "" : list({step.warp.rank, step.warp.index})},
                 {"line", number(places.place(step.site).line)},
                 {"lanes", step.is_engine ? "" : number(step.lanes)},
                 {"sleeps", step.sleeps ? "1" : ""},
                 {"polls", step.polls == 0 ? "" : number(step.polls)},
                 {"init", some(step.initialized, mbarrier)},
                 {"bulks", some(step.bulks, moved)},
                 {"memory", some(step.changes, changed)},
                 {"findings", some(step.findings, code)}});
}

std::string to_json(const Dimensions& extent) {
  return list({extent.x, extent.y, extent.z});
}

}  // namespace

std::string to_json(const Program& program, const LaunchRequest& request, const Places& places,
                    const ClusterSteps& cluster) {
  const auto variable = [](const SharedVariable& one) {
    return object({{"name", json_text(one.name)},
                   {"offset", number(one.offset)},
                   {"bytes", number(one.bytes)}});
  };
  const auto step = [&](const Step& one) { return to_json(one, places); };
  return object({{"tmaemu_recording", number(json_schema)},
                 {"kernel", json_text(stats::readable_name(program.function->name))},
                 {"grid", to_json(request.grid)},
                 {"block", to_json(request.block)},
                 {"cluster", to_json(request.cluster)},
                 {"variables", array(program.shared_variables, variable)},
                 {"cut", cluster.is_cut ? "true" : ""},
                 {"steps", array(cluster.steps, step)}});
}

}  // namespace tmaemu::record
