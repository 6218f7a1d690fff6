// The source that findings quote.
#pragma once

#include "emulator/record/launch_text.h"

namespace tmaemu::browser {

// Of the launch that runs: set by whoever runs it.
inline record::Source& quoted_source() {
  static record::Source source;
  return source;
}

}  // namespace tmaemu::browser
