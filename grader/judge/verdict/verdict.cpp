#include "judge/verdict/verdict.h"

#include <algorithm>

namespace judge {

Way& Way::operator+=(const Way& other) {
  input_bytes += other.input_bytes;
  output_bytes += other.output_bytes;
  for (std::size_t i = 0; i < tmaemu::measure_count; ++i) {
    if (is_largest(static_cast<tmaemu::Measure>(i))) {
      measured[i] = std::max(measured[i], other.measured[i]);
    } else {
      measured[i] += other.measured[i];
    }
  }
  return *this;
}

}  // namespace judge
