#include "judge/process/output_capture.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace judge {

void OutputCapture::drain() {
  constexpr int max_reads = 32;
  std::array<char, 16384> chunk;
  for (int i = 0; i < max_reads && pipe_.is_open(); ++i) {
    const auto got = read(pipe_.get(), chunk.data(), chunk.size());
    if (got > 0) {
      const std::size_t room = limit_bytes - text_.size();
      text_.append(chunk.data(), std::min(room, static_cast<std::size_t>(got)));
    } else if (got == 0) {
      pipe_.reset();
    } else if (errno != EINTR) {
      return;
    }
  }
}

std::string OutputCapture::take() {
  return std::exchange(text_, {});
}

}  // namespace judge
