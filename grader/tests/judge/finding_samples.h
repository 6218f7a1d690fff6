// Lines as a replay sends them: those that tests/findings/diagnostics.jsonl has of the emulator's.
#pragma once

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

// Of every form that there is, as JSON.
inline std::vector<nlohmann::ordered_json> told_findings() {
  std::vector<nlohmann::ordered_json> findings;
  std::ifstream file(GRADER_FOLDER "/tests/findings/diagnostics.jsonl");
  for (std::string line; std::getline(file, line);) {
    findings.push_back(nlohmann::ordered_json::parse(line).at("json"));
  }
  return findings;
}

inline nlohmann::ordered_json finding_of(const std::string& code) {
  for (const auto& finding : told_findings()) {
    if (finding.at("code") == code) return finding;
  }
  throw std::invalid_argument("no finding of the code " + code);
}

inline std::string line_of(const nlohmann::ordered_json& json) {
  return json.dump() + "\n";
}
