#include "emulator/mbarrier/mbarrier.h"

namespace tmaemu {

Sentence MbarrierMisuse::said_as(const Sentences& sentences) const {
  switch (kind) {
    case Kind::uninitialized:
      return sentences.uninitialized;
    case Kind::too_many_arrivals:
      return sentences.too_many_arrivals;
    case Kind::tx_count_out_of_range:
      break;
  }
  return sentences.tx_count_out_of_range;
}

Values MbarrierMisuse::values() const {
  switch (kind) {
    case Kind::uninitialized:
      return {};
    case Kind::too_many_arrivals:
      return {barrier.pending, barrier.expected,
              std::to_string(arrivals) + (arrivals == 1 ? " arrives" : " arrive")};
    case Kind::tx_count_out_of_range:
      break;
  }
  return {barrier.tx_count, Mbarrier::max_tx_count};
}

}  // namespace tmaemu
