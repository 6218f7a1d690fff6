// What differs between the two libraries that are built from these sources.
#pragma once

namespace tmaemu::runtime {

// As cudaRuntimeGetVersion gives it. Defined in cudart12/ and cudart13/.
extern const int runtime_version;

}  // namespace tmaemu::runtime
