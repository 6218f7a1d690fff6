// What answers the cases.
#pragma once

#include <string>

namespace conformance {

struct Machine {
  std::string device, driver, toolkit;
};

// Asks a process of its own: workers fork before CUDA starts. Ends the program where there is no
// device.
Machine this_machine();

}  // namespace conformance
