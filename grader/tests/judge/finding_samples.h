// Findings of every form that there is, from tests/findings/diagnostics.jsonl: as a replay sends
// them to the judge ("sent"), and as the judge hands them on ("finding").
#pragma once

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

inline std::vector<nlohmann::ordered_json> findings_as(const char* form) {
  std::vector<nlohmann::ordered_json> findings;
  std::ifstream file(GRADER_FOLDER "/tests/findings/diagnostics.jsonl");
  for (std::string line; std::getline(file, line);) {
    findings.push_back(nlohmann::ordered_json::parse(line).at(form));
  }
  return findings;
}

inline std::vector<nlohmann::ordered_json> sent_findings() {
  return findings_as("sent");
}

inline nlohmann::ordered_json finding_of(const std::string& code, const char* form = "sent") {
  for (const auto& finding : findings_as(form)) {
    if (finding.at("code") == code) return finding;
  }
  throw std::invalid_argument("no finding of the code " + code);
}

inline std::string line_of(const nlohmann::ordered_json& json) {
  return json.dump() + "\n";
}
