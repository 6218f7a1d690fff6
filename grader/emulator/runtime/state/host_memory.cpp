#include "emulator/runtime/state/host_memory.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "common/round_up.h"
#include "emulator/device/device.h"
#include "emulator/memory/host_pages.h"
#include "emulator/runtime/state/host_place.h"
#include "emulator/runtime/state/host_watch.h"
#include "emulator/runtime/state/stream.h"
#include "emulator/runtime/state/system_call_gate.h"

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

// Pages that are in use from the first byte to the last that the region has of them. Of memory that
// was the program's before, a page may hold something else, too.
void add_whole_pages(const Region& region, const std::vector<StreamedBytes>& used, Use use,
                     std::vector<ClosedPages>& closed) {
  for (Range range : joined(used, use)) {
    if (region.is_seen_twice() && range.end >= region.address + region.size) {
      range.end = common::round_up(range.end, page);
    }
    const std::uint64_t begin = common::round_up(range.begin, page);
    const std::uint64_t end = range.end / page * page;
    if (begin < end) closed.push_back({begin, end, use == Use::read});
  }
}

// Pages that are in use in part: some may stay open.
void add_parts(const Region& region, const std::vector<StreamedBytes>& used,
               std::vector<ClosedPages>& closed) {
  constexpr std::size_t most = 64;  // pages
  std::map<std::uint64_t, ClosedPages> parts;
  const auto add = [&](const StreamedBytes& bytes, std::uint64_t address) {
    const std::uint64_t begin = address / page * page;
    const auto is_there = [&](const ClosedPages& each) {
      return begin - each.begin < each.end - each.begin;
    };
    if (std::ranges::any_of(closed, is_there) || parts.size() == most) return;
    ClosedPages& part =
        parts.try_emplace(begin, ClosedPages{begin, begin + page, true}).first->second;
    if (!part.in_use.empty() && part.in_use.back() == bytes) return;
    part.in_use.push_back(bytes);
    part.may_be_read = part.may_be_read && bytes.use == Use::read;
  };
  for (const StreamedBytes& bytes : used) {
    const std::uint64_t end = std::min(bytes.address + bytes.bytes, region.address + region.size);
    add(bytes, bytes.address);
    add(bytes, end - 1);
  }
  for (auto& [begin, part] : parts) closed.push_back(std::move(part));
}

// The rest of a page may be what the program has the system read or write. Nobody does that where
// the region is no larger: a result and a count, say.
void add_closed(const Region& region, const std::vector<StreamedBytes>& used,
                std::vector<ClosedPages>& closed) {
  std::vector<ClosedPages> own;
  add_whole_pages(region, used, Use::written, own);
  add_whole_pages(region, used, Use::read, own);
  const bool may_close_parts = region.size <= page || SystemCallGate::is_there();
  if (region.is_seen_twice() && may_close_parts) add_parts(region, used, own);
  closed.insert(closed.end(), std::make_move_iterator(own.begin()),
                std::make_move_iterator(own.end()));
}

bool closes_pages_of_work = false;  // which the emulator has no view of its own of

bool overlap(const ClosedPages& pages, const StreamedBytes& bytes) {
  return bytes.address < pages.end && pages.begin < bytes.address + bytes.bytes;
}

// Marks the pages that have some of the flags. Whether all of them are closed.
bool close_flags(std::vector<ClosedPages>& closed, const std::vector<StreamedBytes>& flags) {
  bool are_closed = true;
  for (const StreamedBytes& flag : flags) {
    std::uint64_t bytes = 0;
    for (ClosedPages& pages : closed) {
      if (!overlap(pages, flag)) continue;
      pages.has_flags = true;
      bytes += std::min(pages.end, flag.address + flag.bytes) - std::max(pages.begin, flag.address);
    }
    are_closed = are_closed && bytes >= flag.bytes;
  }
  return are_closed;
}

}  // namespace

void judge_host(const StreamClock& host_knows) {
  for (const NotedTouch& touch : HostWatch::instance().take()) {
    Device::instance().host_touches(
        host_knows, {touch.address, touch.writes, [&] { return host_place(touch.frames); }});
  }
  if (HostWatch::instance().may_have_seen_flags()) Device::instance().host_may_look_at_flags();
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
  UsedBesideHost used = Device::instance().used_beside_host(host_knows);
  // Other threads of the program may have looked at a flag before it was closed.
  if (!used.flags.empty() && !SystemCallGate::is_there()) {
    Device::instance().host_may_look_at_flags();
    used = Device::instance().used_beside_host(host_knows);
  }
  if (used.all.empty()) return let_host_be();
  std::vector<ClosedPages> closed;
  closes_pages_of_work = false;
  for (const Region& region : Device::instance().memory().shared_with_host()) {
    std::vector<StreamedBytes> within;
    for (const StreamedBytes& bytes : used.all) {
      if (bytes.address - region.address < region.size) within.push_back(bytes);
    }
    if (within.empty()) continue;
    add_closed(region, within, closed);
    closes_pages_of_work |= !region.is_seen_twice();
  }
  if (!close_flags(closed, used.flags)) {
    Device::instance().host_may_look_at_flags();
    return watch_host(host_knows);  // once more, without them
  }
  HostWatch::instance().close(std::move(closed));
}

void let_work_begin() {
  if (closes_pages_of_work) let_host_be();
}

void let_host_be() {
  HostWatch::instance().close({});
}

}  // namespace tmaemu::runtime
