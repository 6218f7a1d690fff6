#include "emulator/runtime/state/host_memory.h"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <utility>
#include <vector>

#include "common/round_up.h"
#include "emulator/device/device.h"
#include "emulator/memory/host_pages.h"
#include "emulator/runtime/state/host_place.h"
#include "emulator/runtime/state/host_watch.h"
#include "emulator/runtime/state/stream.h"

namespace tmaemu::runtime {
namespace {

using Use = StreamedBytes::Use;
constexpr std::size_t page = HostPages::page_size;

// [begin, end)
struct Range {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

// The bytes of the region with that use, joined where they touch, in order.
std::vector<Range> joined(const std::vector<StreamedBytes>& used, Use use) {
  std::vector<Range> all;
  for (const StreamedBytes& bytes : used) {
    if (bytes.use == use) all.push_back({bytes.address, bytes.address + bytes.bytes});
  }
  std::ranges::sort(all, {}, &Range::begin);
  std::vector<Range> joined;
  for (const Range& each : all) {
    if (joined.empty() || joined.back().end < each.begin) {
      joined.push_back(each);
    } else {
      joined.back().end = std::max(joined.back().end, each.end);
    }
  }
  return joined;
}

// Pages that are in use from the first byte to the last that the region has of them.
void add_whole_pages(const Region& region, const std::vector<StreamedBytes>& used, Use use,
                     std::vector<ClosedPages>& closed) {
  for (Range range : joined(used, use)) {
    if (range.end >= region.address + region.size) range.end = common::round_up(range.end, page);
    const std::uint64_t begin = common::round_up(range.begin, page);
    const std::uint64_t end = range.end / page * page;
    if (begin < end) closed.push_back({begin, end, use == Use::read});
  }
}

// A page that is in use in part is closed only where the region has no other: a result and a count,
// say. Of larger ones, the program may have the system read or write the rest.
void add_closed(const Region& region, std::vector<StreamedBytes> used,
                std::vector<ClosedPages>& closed) {
  const std::size_t before = closed.size();
  add_whole_pages(region, used, Use::written, closed);
  add_whole_pages(region, used, Use::read, closed);
  if (closed.size() != before || region.size > page) return;
  const bool is_written = std::ranges::any_of(
      used, [](const StreamedBytes& bytes) { return bytes.use == Use::written; });
  closed.push_back({region.address, region.address + page, !is_written, std::move(used)});
}

}  // namespace

void judge_host(const StreamClock& host_knows) {
  for (const NotedTouch& touch : HostWatch::instance().take()) {
    Device::instance().host_touches(
        host_knows, {touch.address, touch.writes, [&] { return host_place(touch.frames); }});
  }
}

void watch_host(const StreamClock& host_knows) {
  static const bool is_judged_at_exit = [] {
    std::atexit([] {
      const std::unique_lock lock(Device::instance().mutex(), std::try_to_lock);
      if (lock) Streams::instance().judge_host();
    });
    return true;
  }();
  static_cast<void>(is_judged_at_exit);
  const std::vector<StreamedBytes> used = Device::instance().used_beside_host(host_knows);
  if (used.empty()) return let_host_be();
  std::vector<ClosedPages> closed;
  for (const Region& region : Device::instance().memory().shared_with_host()) {
    std::vector<StreamedBytes> within;
    for (const StreamedBytes& bytes : used) {
      if (bytes.address - region.address < region.size) within.push_back(bytes);
    }
    if (!within.empty()) add_closed(region, std::move(within), closed);
  }
  HostWatch::instance().close(std::move(closed));
}

void let_host_be() {
  HostWatch::instance().close({});
}

}  // namespace tmaemu::runtime
