#include "emulator/sched/warpgroup.h"

#include <algorithm>
#include <optional>

#include "emulator/sched/cluster.h"
#include "emulator/sched/cta.h"
#include "emulator/sched/warp.h"

namespace tmaemu {

void Warpgroup::start(const TimingPolicy& policy, std::uint64_t sequence) {
  for (Part& part : parts_) part = {};
  common_.clear();
  first_common_ = 0;
  moments_ = Moments(policy, sequence);
}

unsigned Warpgroup::place_of(const Warp& warp) {
  return warp.index() % warps_of_warpgroup;
}

bool Warpgroup::issue(const Warp& warp, const WarpgroupProduct& product) {
  Part& own = part(warp);
  const std::uint64_t number = own.issued - first_common_;
  if (number < common_.size()) {
    if (!common_[number].is_of_same_operation(product)) return false;
  } else {
    common_.push_back(product);
  }
  ++own.issued;
  own.waiting.push_back(product);
  forget_common();
  return true;
}

// What all of them have issued is compared with nothing any more.
void Warpgroup::forget_common() {
  const auto fewest = std::ranges::min(parts_, {}, &Part::issued).issued;
  for (; first_common_ < fewest; ++first_common_) common_.pop_front();
}

void Warpgroup::commit(const Warp& warp) {
  const unsigned place = place_of(warp);
  parts_[place].groups.push_back(parts_[place].issued);
  move(place);
}

std::uint64_t Warpgroup::awaited(const Warp& warp, std::uint32_t pending) const {
  const auto& groups = part(warp).groups;
  return groups.size() > pending ? groups[groups.size() - 1 - pending] : part(warp).waited_for;
}

bool Warpgroup::have_all_issued(std::uint64_t count) const {
  return std::ranges::all_of(parts_, [&](const Part& part) { return part.issued >= count; });
}

const Warp* Warpgroup::ended_before(std::uint64_t count) const {
  const auto found = std::ranges::find_if(
      warps_, [&](const Warp* warp) { return warp->finished() && part(*warp).issued < count; });
  return found == warps_.end() ? nullptr : *found;
}

void Warpgroup::complete(const Warp& waiting, std::uint64_t count) {
  // Operation by operation: the four parts multiply by the same B.
  std::optional<std::uint64_t> executed_last;
  for (bool is_any_left = true; is_any_left;) {
    is_any_left = false;
    for (unsigned place = 0; place < warps_.size(); ++place) {
      Part& part = parts_[place];
      const std::uint64_t number = part.issued - part.waiting.size();
      if (number >= count) continue;
      execute_oldest(place, executed_last == number);
      executed_last = number;
      is_any_left = true;
    }
  }
  Part& own = part(waiting);
  own.waited_for = std::max(own.waited_for, count);
  while (!own.groups.empty() && own.groups.front() <= count) own.groups.pop_front();
}

void Warpgroup::execute_oldest(unsigned place, bool is_right_behind) {
  Part& part = parts_[place];
  Warp& warp = *warps_[place];
  const WarpgroupProduct product = part.waiting.front();
  part.waiting.pop_front();
  product.execute(warp, product, is_right_behind);
  if (Observer* const observer = warp.cta().cluster.observer(); observer != nullptr) {
    observer->multiplies(warp.id(), static_cast<std::uint32_t>(part.issued - part.waiting.size()));
  }
}

void Warpgroup::move(unsigned place) {
  while (!parts_[place].waiting.empty() && moments_.is_now()) execute_oldest(place, false);
}

}  // namespace tmaemu
