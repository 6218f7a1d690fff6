// What the judge found, and its JSON.
//
//     {"schema": 5, "device": {"name": "NVIDIA H200", "sm": 90},
//      "seed": "12297829382473034410",
//      "cases": [{"part": "one-tile", "case": "1024 ints", "verdict": "pass", "message": "",
//                 "findings": [], "bypasses_tma": false, "seconds": 0.01}],
//      "ways": {"one-tile": {"input_bytes": 4096, "output_bytes": 4096,
//                            "measured": {"bulk_loads": 4096, "cluster_ctas": 1}}},
//      "bandwidth": {"part": "pipeline", "verdict": "pass", "message": "", "bytes": 17179869184,
//                    "gb_per_s": 4100.0, "roofline_gb_per_s": 4260.0, "fraction": 0.96,
//                    "rounds_gb_per_s": [4099.0, 4101.5], "protocol_overhead_fraction": 0.004,
//                    "protocol_seconds": 1.2e-05, "settling_seconds": 1.8e-04},
//      "rehearsal": {"part": "pipeline", "verdict": "pass", "message": ""},
//      "not_run": [{"part": "pipeline", "case": "8192 ints"}]}
//
// A finding is what the emulator found (contract/rendering/json_line.h), with its text and "count".
// "ways" are of the cases whose results were right, by part; there is none on a GPU. Measures
// (contract/protocol/measures.h) that are 0 are left out.
// Of a matrix product "gb_per_s" and its like are billions of floating-point operations per second,
// and the roofline is what cublasLt reaches.
// "seed" is a text because JSON's readers may keep only 53 bits of a number. "bandwidth" is there
// only when it was asked for; its figures are null when the verdict is not pass, save for those
// that were measured. A case that was asked for by its name, or its part's, has what it printed, as
// "printed".
// "not_run" is there where --stop-at-timeout left cases out. "rehearsal" is there on the emulator,
// for the part whose bandwidth counts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "judge/memory/device.h"
#include "judge/verdict/bandwidth_result.h"
#include "judge/verdict/verdict.h"

namespace judge {

struct CaseId {
  std::string part;
  std::string name;
};

struct CaseResult {
  std::string part;
  std::string name;
  Outcome outcome;
  double seconds = 0;
};

// What a launcher does at the size at which it is timed, held against what it did in the cases.
struct RehearsalResult {
  std::string part;
  Outcome outcome;  // with what the call launched, where it came that far
};

struct Report {
  DeviceFacts device;
  std::uint64_t seed = 0;
  std::vector<CaseResult> cases;
  std::optional<BandwidthResult> bandwidth;
  std::optional<RehearsalResult> rehearsal;  // on the emulator
  std::map<std::string, Way> ways;       // of the right cases, by part; none where nobody measures
  std::vector<std::string> passed_over;  // cases that --case does not name
  std::vector<CaseId> not_run;           // cases of a part that has hung
  std::vector<std::string> faults;       // of the grader itself; such a report is not written

  // Whether a case of the part had that verdict; any, where none is given.
  bool has_case(std::string_view part, std::optional<Verdict> verdict = {}) const {
    return std::ranges::any_of(cases, [&](const CaseResult& result) {
      return result.part == part && (!verdict || result.outcome.verdict == *verdict);
    });
  }
  bool has_hung(std::string_view part) const { return has_case(part, Verdict::timeout); }
};

// More of a message, in bytes, nobody reads; and a submission may have chosen it.
inline constexpr std::size_t longest_message = 4000;

// Of what a case prints, in bytes and lines: enough to see what a kernel's printf says.
inline constexpr std::size_t longest_printed = 4000;
inline constexpr int most_printed_lines = 20;

// The beginning of what was printed.
std::string beginning_of(const std::string& printed);

// The outcome as it is kept.
Outcome bounded(Outcome outcome);

std::string to_json(const Report& report);

}  // namespace judge
