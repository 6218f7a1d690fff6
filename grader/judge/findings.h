// The emulator's findings, as it prints them on the standard error of the process it runs:
//     lab3.cu:41:5: error: TMA store reads shared memory that no proxy fence ...
//     [missing-proxy-fence] help: ...
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace judge {

struct Finding {
  std::string message;  // from the place to the code
  std::string code;     // "missing-proxy-fence"
  std::string help;     // the help line that belongs to it, or empty
};

// The findings of severity error, in the order in which they were printed.
std::vector<Finding> parse_findings(std::string_view printed);

// For a student's message: the first finding with its help, and how many more there are.
// Precondition: there is one.
std::string summary(const std::vector<Finding>& findings);

}  // namespace judge
