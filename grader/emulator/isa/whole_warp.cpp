#include "emulator/isa/whole_warp.h"

#include <bit>

#include "contract/findings/sentences.h"

namespace tmaemu {

// Lanes that diverged may arrive one after another, as from a loop that some left earlier. Those
// that come together at last are one group again, so that this sees all of them; lanes that have
// ended, or that are at another such instruction, will never be among them.
bool is_whole_warp(Warp& warp, const Operation& op, LaneMask lanes, const Operation*& next) {
  if (lanes == all_lanes) return true;
  const Wait wait{Wait::Kind::whole_warp, 0, 0, all_lanes, op.execute};
  const bool all_have_come = !warp.converge(op, lanes, wait).empty();
  if (all_have_come) {
    warp.fault(op, static_cast<unsigned>(std::countr_zero(lanes)), Sentence::part_of_warp);
  }
  next = warp.block(op, lanes, wait, &op);
  return false;
}

}  // namespace tmaemu
