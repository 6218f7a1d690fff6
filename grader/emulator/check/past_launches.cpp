#include "emulator/check/past_launches.h"

#include <algorithm>
#include <utility>

namespace tmaemu::check {
namespace {

bool is_just_before(const StreamMoment& moment, const StreamMoment& other) {
  return moment.stream == other.stream && moment.count + 1 == other.count;
}

}  // namespace

std::vector<Neighbor> PastLaunches::beside(const LaunchRequest& request) {
  if (request.place == nullptr) {
    clear();
    return {};
  }
  const StreamPlace& place = *request.place;
  std::vector<Neighbor> neighbors = overlapped(place);
  std::erase_if(launches_, [&](const std::shared_ptr<const PastLaunch>& past) {
    const bool is_known = place.known.knows(past->request.place->moment);
    if (!is_known) neighbors.push_back({past});
    const bool may_overlap =
        std::ranges::find(neighbors, past, &Neighbor::launch) != neighbors.end();
    return is_known && !place.has_other_streams && !may_overlap;
  });
  for (const PastUse& use : uses_) {
    const bool is_same = use.moment.stream == place.moment.stream;
    if (!is_same && !place.known.knows(use.moment)) {
      neighbors.push_back({nullptr, false, use.bytes});
    }
  }
  return neighbors;
}

// griddepcontrol.wait waits for the launch before, and for what that one has waited for: who does
// not wait may be over before those ahead of it, and who lets the next one start before it waits
// lets it run beside those, too. PTX ISA, "griddepcontrol".
std::vector<Neighbor> PastLaunches::overlapped(const StreamPlace& place) const {
  std::vector<Neighbor> found;
  const StreamPlace* later = &place;
  bool ends_at_wait = true;
  for (auto past = launches_.rbegin(); past != launches_.rend() && later->starts_early; ++past) {
    const StreamPlace& own = *(*past)->request.place;
    if (own.moment.stream != place.moment.stream) continue;
    if (!(*past)->next.is_let || !is_just_before(own.moment, later->moment)) break;
    found.push_back({*past, ends_at_wait, {}, !ends_at_wait});
    if ((*past)->next.is_let_after_wait) break;
    ends_at_wait = ends_at_wait && (*past)->next.waits;
    later = &own;
  }
  return found;
}

std::vector<std::shared_ptr<const PastLaunch>> PastLaunches::beside(
    const StreamPlace& place) const {
  std::vector<std::shared_ptr<const PastLaunch>> found;
  for (const auto& past : launches_) {
    const StreamMoment& moment = past->request.place->moment;
    if (moment.stream != place.moment.stream && !place.known.knows(moment)) found.push_back(past);
  }
  return found;
}

void PastLaunches::add(const PastUse& use) {
  const StreamedBytes& bytes = use.bytes;
  if (bytes.use == StreamedBytes::Use::freed) {
    for (const auto& past : launches_) past->global->shadow.forget(bytes.address, bytes.bytes);
    std::erase_if(uses_, [&](const PastUse& other) {
      return other.bytes.address < bytes.address + bytes.bytes &&
             bytes.address < other.bytes.address + other.bytes.bytes;
    });
    return;
  }
  uses_.push_back(use);
  if (uses_.size() > most_uses) uses_.pop_front();
}

void PastLaunches::add(std::shared_ptr<const PastLaunch> launch) {
  if (launch->request.place == nullptr) return;
  launches_.push_back(std::move(launch));
  std::uint64_t pages = 0;
  for (const auto& past : launches_) pages += past->global->shadow.pages();
  while (launches_.size() > 1 && (launches_.size() > most || pages > most_pages)) {
    pages -= launches_.front()->global->shadow.pages();
    launches_.pop_front();
  }
}

}  // namespace tmaemu::check
