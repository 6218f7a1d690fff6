#include "emulator/check/host_uses.h"

#include <algorithm>
#include <utility>

#include "common/hexadecimal.h"
#include "contract/findings/sentences.h"
#include "emulator/diagnostics/diagnostic_builder.h"
#include "emulator/diagnostics/diagnostics.h"
#include "emulator/diagnostics/output.h"
#include "emulator/model/cta_numbers.h"

namespace tmaemu::check {
namespace {

using Bytes = StreamedBytes::Use;

// A strong access of the system's scope: the host may look on, and learn from it what was done
// before. PTX ISA, "Scope".
bool is_for_host(const PastAccess& access) {
  const MemoryOrder order = access.order();
  return order.is_strong() && order.scope == Scope::sys;
}

// " in main() (copy.cu:41)", as far as that is known.
std::string text_of(const HostPlace& place) {
  std::string text;
  if (!place.function.empty()) text = " in " + place.function + "()";
  if (place.line == 0) return text;
  return text + " (" + place.file_name() + ":" + std::to_string(place.line) + ")";
}

}  // namespace

// Joins what one instruction does to bytes that lie side by side.
class HostUses::Collector {
 public:
  Collector(HostUses& uses, const ObservedLaunch& launch)
      : uses_(uses),
        launch_(std::make_shared<const Launch>(Launch{launch.program, launch.request})) {}
  ~Collector() { flush(); }
  Collector(const Collector&) = delete;
  Collector& operator=(const Collector&) = delete;

  void add(std::uint64_t address, unsigned bytes, const PastAccess& access, unsigned lane,
           Bytes use) {
    const StreamedBytes& last = current_.bytes;
    const bool goes_on = last.bytes != 0 && address == last.address + last.bytes &&
                         use == last.use && access.site == current_.site;
    if (goes_on) {
      current_.bytes.bytes += bytes;
      return;
    }
    flush();
    if (count_++ >= most) return;
    const LaunchRequest& request = launch_->request;
    current_ = {request.place->moment,
                {address, bytes, use},
                launch_,
                access.site,
                cta_of_number(request.grid, access.cta),
                access.thread(lane)};
  }

 private:
  void flush() {
    if (current_.bytes.bytes != 0) uses_.add(current_);
    current_ = {};
  }

  static constexpr std::size_t most = 256;  // of one launch; what is strewn further is not watched
  HostUses& uses_;
  std::shared_ptr<const Launch> launch_;
  Use current_;
  std::size_t count_ = 0;
};

bool HostUses::Use::repeats(const Use& other) const {
  return moment.stream == other.moment.stream && bytes.address == other.bytes.address &&
         bytes.bytes == other.bytes.bytes && bytes.use == other.bytes.use;
}

bool HostUses::Use::concerns(const HostTouch& touch) const {
  const bool is_there = touch.address - bytes.address < bytes.bytes;
  return is_there && (touch.writes || bytes.use == Bytes::written);
}

void HostUses::add(const Use& use) {
  // Who waits for the later one waits for the earlier one.
  std::erase_if(uses_, [&](const Use& earlier) { return use.repeats(earlier); });
  uses_.push_back(use);
  if (uses_.size() > most) uses_.pop_front();
}

void HostUses::add(const StreamMoment& moment, std::span<const StreamedBytes> used) {
  for (const StreamedBytes& bytes : used) {
    if (bytes.use == Bytes::read || bytes.use == Bytes::written) add(Use{moment, bytes, nullptr});
  }
}

void HostUses::add(const ObservedLaunch& launch, GlobalHistory& global) {
  if (launch.request.place == nullptr) return;
  const std::vector<Region> regions = launch.memory.shared_with_host();
  bool tells_host = false;
  {
    Collector collector(*this, launch);
    const auto collect = [&](const Block& block, std::uint64_t address, unsigned begin,
                             unsigned end) {
      const unsigned step = block.cells == nullptr ? block_bytes : block.granule;
      for (unsigned byte = begin; byte < end;) {
        const unsigned next = std::min(end, (byte / step + 1) * step);
        const LastAccesses last = block.at(byte);
        const bool is_written = last.write.access != 0;
        const Accessor& by = is_written ? last.write : last.read;
        if (by.access != 0) {
          const PastAccess& access = global.accesses[by.access];
          tells_host |= is_written && is_for_host(access);
          if (!is_for_host(access)) {
            collector.add(address + (byte - begin), next - byte, access, by.lane,
                          is_written ? Bytes::written : Bytes::read);
          }
        }
        byte = next;
      }
    };
    for (const Region& region : regions) {
      global.shadow.for_each_touched_block(region.address, region.size, collect);
    }
  }
  const StreamMoment& moment = launch.request.place->moment;
  const bool is_used = !uses_.empty() && uses_.back().launch != nullptr &&
                       uses_.back().moment.count == moment.count &&
                       uses_.back().moment.stream == moment.stream;
  if (tells_host || (is_used && has_system_fence(launch.program))) {
    told_.join(launch.request.place->known);
    told_.add(moment);
  }
}

// __threadfence_system(): what comes behind it may be a flag that the host polls.
bool HostUses::has_system_fence(const Program& program) {
  const auto [known, is_new] = has_system_fence_.try_emplace(&program, false);
  if (is_new) {
    known->second = std::ranges::any_of(program.effects, &Effects::fences_system);
  }
  return known->second;
}

std::vector<StreamedBytes> HostUses::under_way(const StreamClock& host_knows) {
  std::erase_if(uses_, [&](const Use& use) { return is_over(use, host_knows); });
  std::vector<StreamedBytes> bytes;
  for (const Use& use : uses_) bytes.push_back(use.bytes);
  return bytes;
}

void HostUses::check(const StreamClock& host_knows, const HostTouch& touch) {
  const auto use = std::ranges::find_if(
      uses_, [&](const Use& each) { return each.concerns(touch) && !is_over(each, host_knows); });
  if (use != uses_.end()) report(*use, touch);
}

void HostUses::report(const Use& use, const HostTouch& touch) {
  const HostPlace place = touch.place();
  const Value address = common::hexadecimal(touch.address);
  const bool is_written = use.bytes.use == Bytes::written;
  if (use.launch != nullptr) {
    Finding finding{Sentence::host_reads_beside_kernel,
                    {address, text_of(place)},
                    use.site,
                    use.cta,
                    use.thread};
    if (touch.writes) {
      finding.sentence = Sentence::host_writes_beside_kernel;
      finding.values.insert(finding.values.begin() + 1, is_written ? "written" : "read");
    }
    Diagnostics diagnostics(use.launch->program, use.launch->request);
    diagnostics.report(finding);
    diagnostics.all_clusters_ended();
    return diagnostics.finish();
  }
  Finding finding{Sentence::host_reads_beside_copy, {address, text_of(place)}};
  if (touch.writes) {
    finding.sentence = Sentence::host_writes_beside_copy;
    finding.values.emplace_back(is_written ? "writes" : "reads");
  }
  if (!reported_.insert(text_of(place) + (touch.writes ? " writes" : " reads")).second) return;
  finding_output().report(diagnostic_of(finding, place, finding_output().source_files()));
  ++findings_reported();
}

void HostUses::forget_programs() {
  std::erase_if(uses_, [](const Use& use) { return use.launch != nullptr; });
  has_system_fence_.clear();
}

}  // namespace tmaemu::check
