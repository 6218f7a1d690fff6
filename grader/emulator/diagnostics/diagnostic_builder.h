// From a finding to what a reader sees of it.
#pragma once

#include "contract/rendering/diagnostic.h"
#include "emulator/diagnostics/places.h"
#include "emulator/diagnostics/source_files.h"
#include "emulator/model/host_touch.h"

namespace tmaemu {

Diagnostic diagnostic_of(const Finding& finding, const Places& places, const SourceFiles& files);
// Of a finding that is about no kernel, but about what the host program does.
Diagnostic diagnostic_of(const Finding& finding, const HostPlace& place, const SourceFiles& files);

}  // namespace tmaemu
