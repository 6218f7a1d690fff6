// What CUDA refuses to launch, with the error it gives and the reason in words.
#pragma once

#include "emulator/runtime/state/launch.h"

namespace tmaemu::runtime {

// Resolves the function and fills `request`, all but its parameters; or explains what is wrong with
// the configuration on stderr and returns CUDA's error for it.
Error check_launch(Function& function, const LaunchConfiguration& configuration,
                   LaunchRequest& request);

}  // namespace tmaemu::runtime
