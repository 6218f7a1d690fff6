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
  Collector(HostUses& uses, const ObservedLaunch& launch, GlobalHistory& global)
      : uses_(uses),
        global_(global),
        launch_(std::make_shared<const Launch>(Launch{launch.program, launch.request})) {}

  void collect(const Region& region) {
    global_.shadow.for_each_touched_block(
        region.address, region.size,
        [&](const Block& block, std::uint64_t address, unsigned begin, unsigned end) {
          collect(block, address - begin, begin, end);
        });
  }
  // Whether all was noted that there is.
  bool finish() {
    flush();
    return count_ <= most;
  }
  bool has_flags() const { return has_flags_; }

 private:
  void collect(const Block& block, std::uint64_t address, unsigned begin, unsigned end) {
    const unsigned step = block.cells == nullptr ? block_bytes : block.granule;
    for (unsigned byte = begin; byte < end;) {
      const unsigned next = std::min(end, (byte / step + 1) * step);
      const LastAccesses last = block.at(byte);
      if (last.write.access != 0) {
        add({address + byte, next - byte, Bytes::written}, last.write);
      } else if (last.read.access != 0) {
        add({address + byte, next - byte, Bytes::read}, last.read);
      }
      byte = next;
    }
  }

  void add(const StreamedBytes& bytes, const Accessor& by) {
    const PastAccess& access = global_.accesses[by.access];
    const bool is_flag = bytes.use == Bytes::written && is_for_host(access);
    has_flags_ |= is_flag;
    // Another kernel's, and whoever waits for this one may know what it has learned.
    if (bytes.use == Bytes::read && access.order().is_strong()) {
      uses_.see_flags(bytes.address, bytes.bytes);
    }
    if (is_for_host(access) && !is_flag) return;
    const StreamedBytes& last = current_.bytes;
    const bool goes_on = last.bytes != 0 && bytes.address == last.address + last.bytes &&
                         bytes.use == last.use && access.site == current_.site;
    if (goes_on) {
      current_.bytes.bytes += bytes.bytes;
      return;
    }
    flush();
    if (count_++ >= most) return;
    const LaunchRequest& request = launch_->request;
    current_ = {request.place->moment,
                bytes,
                launch_,
                access.site,
                cta_of_number(request.grid, access.cta),
                access.thread(by.lane),
                is_flag};
  }

  void flush() {
    if (current_.bytes.bytes != 0) uses_.add(current_);
    current_ = {};
  }

  static constexpr std::size_t most = 256;  // of one launch; what is strewn further is not watched
  HostUses& uses_;
  GlobalHistory& global_;
  std::shared_ptr<const Launch> launch_;
  Use current_;
  std::size_t count_ = 0;
  bool has_flags_ = false;
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
  if (uses_.size() <= most) return;
  if (uses_.front().is_flag) see_flag(uses_.front());
  uses_.pop_front();
}

// What is done before the flag is set.
void HostUses::see_flag(const Use& flag) {
  told_.join(flag.launch->request.place->known);
  told_.add(flag.moment);
}

void HostUses::see_flags(std::uint64_t address, std::uint64_t bytes) {
  for (const Use& use : uses_) {
    const bool is_there =
        use.bytes.address < address + bytes && address < use.bytes.address + use.bytes.bytes;
    if (use.is_flag && is_there) see_flag(use);
  }
}

void HostUses::see_all_flags() {
  for (const Use& use : uses_) {
    if (use.is_flag) see_flag(use);
  }
}

void HostUses::add(const StreamMoment& moment, std::span<const StreamedBytes> used) {
  for (const StreamedBytes& bytes : used) {
    if (bytes.use == Bytes::read) see_flags(bytes.address, bytes.bytes);
    if (bytes.use == Bytes::read || bytes.use == Bytes::written) add(Use{moment, bytes, nullptr});
  }
}

void HostUses::add(const ObservedLaunch& launch, GlobalHistory& global) {
  if (launch.request.place == nullptr) return;
  Collector collector(*this, launch, global);
  for (const Region& region : launch.memory.shared_with_host()) collector.collect(region);
  const bool is_all_noted = collector.finish();
  const StreamMoment& moment = launch.request.place->moment;
  const bool is_used = !uses_.empty() && uses_.back().launch != nullptr &&
                       uses_.back().moment.count == moment.count &&
                       uses_.back().moment.stream == moment.stream;
  const bool may_tell = is_used && has_system_fence(launch.program);
  if (collector.has_flags() ? !is_all_noted : may_tell) {
    told_.join(launch.request.place->known);
    told_.add(moment);
  }
}

// __threadfence_system(): what comes behind it may be a flag that the host polls, if only a plain
// one.
bool HostUses::has_system_fence(const Program& program) {
  const auto [known, is_new] = has_system_fence_.try_emplace(&program, false);
  if (is_new) {
    known->second = std::ranges::any_of(program.effects, &Effects::fences_system);
  }
  return known->second;
}

UsedBesideHost HostUses::under_way(const StreamClock& host_knows) {
  std::erase_if(uses_, [&](const Use& use) { return is_over(use, host_knows); });
  UsedBesideHost used;
  for (const Use& use : uses_) {
    used.all.push_back(use.bytes);
    if (use.is_flag) used.flags.push_back(use.bytes);
  }
  return used;
}

void HostUses::check(const StreamClock& host_knows, const HostTouch& touch) {
  see_flags(touch.address, 1);
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
