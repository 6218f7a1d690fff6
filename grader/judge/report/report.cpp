#include "judge/report/report.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "common/text.h"
#include "contract/rendering/json_line.h"

namespace judge {

using common::cut;

namespace {

using Json = nlohmann::ordered_json;

constexpr int schema = 5;

Json number_or_null(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json bandwidth_json(const BandwidthResult& result) {
  std::optional<double> fraction;
  if (result.gb_per_s && result.roofline_gb_per_s) {
    fraction = *result.gb_per_s / *result.roofline_gb_per_s;
  }
  return {{"part", result.part},
          {"verdict", name(result.outcome.verdict)},
          {"message", result.outcome.message},
          {"bytes", result.bytes},
          {"gb_per_s", number_or_null(result.gb_per_s)},
          {"roofline_gb_per_s", number_or_null(result.roofline_gb_per_s)},
          {"fraction", number_or_null(fraction)},
          {"rounds_gb_per_s", result.rounds_gb_per_s},
          {"protocol_overhead_fraction", number_or_null(result.protocol_overhead_fraction)},
          {"protocol_seconds", result.protocol_seconds},
          {"settling_seconds", result.settling_seconds}};
}

Json findings_json(const std::vector<Finding>& findings) {
  Json array = Json::array();
  for (const Finding& finding : findings) {
    array.push_back(Json::parse(tmaemu::json_line_with_text(finding.diagnostic, finding.count)));
  }
  return array;
}

Json ways_json(const std::map<std::string, Way>& ways) {
  Json parts = Json::object();
  for (const auto& [part, way] : ways) {
    Json measured = Json::object();
    for (std::size_t i = 0; i < tmaemu::measure_count; ++i) {
      if (way.measured[i] != 0) measured[tmaemu::measure_names[i]] = way.measured[i];
    }
    parts[part] = {{"input_bytes", way.input_bytes},
                   {"output_bytes", way.output_bytes},
                   {"measured", std::move(measured)}};
  }
  return parts;
}

}  // namespace

Outcome bounded(Outcome outcome) {
  outcome.message = cut(std::move(outcome.message), longest_message);
  return outcome;
}

std::string beginning_of(const std::string& printed) {
  std::size_t end = 0;
  for (int line = 0; line < most_printed_lines && end < printed.size(); ++line) {
    const std::size_t next = printed.find('\n', end);
    end = next == std::string::npos ? printed.size() : next + 1;
  }
  std::string kept = cut(printed.substr(0, end), longest_printed);
  if (end < printed.size()) kept += "...\n";
  return kept;
}

std::string to_json(const Report& report) {
  Json cases = Json::array();
  for (const CaseResult& result : report.cases) {
    cases.push_back({{"part", result.part},
                     {"case", result.name},
                     {"verdict", name(result.outcome.verdict)},
                     {"message", result.outcome.message},
                     {"findings", findings_json(result.outcome.findings)},
                     {"bypasses_tma", result.outcome.bypasses_tma},
                     {"seconds", result.seconds}});
    if (!result.outcome.printed.empty()) cases.back()["printed"] = result.outcome.printed;
  }
  Json json{{"schema", schema},
            {"device", {{"name", report.device.name}, {"sm", report.device.sm}}},
            {"seed", std::to_string(report.seed)},
            {"cases", std::move(cases)}};
  json["ways"] = ways_json(report.ways);
  if (report.rehearsal) {
    json["rehearsal"] = {{"part", report.rehearsal->part},
                         {"verdict", name(report.rehearsal->outcome.verdict)},
                         {"message", report.rehearsal->outcome.message}};
  }
  for (const auto& [part, name] : report.not_run) {
    json["not_run"].push_back({{"part", part}, {"case", name}});
  }
  if (report.bandwidth) json["bandwidth"] = bandwidth_json(*report.bandwidth);
  // Messages hold what submissions print, which need not be UTF-8.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace judge
