// An observer that writes the events of a launch down, a line each, for tests to read.
#pragma once

#include <string>
#include <vector>

#include "emulator/memory/address_space.h"
#include "emulator/model/events.h"

namespace tmaemu {

class EventLog final : public Observer, public LaunchObserver {
 public:
  Observer& observe_cluster() override { return *this; }
  const std::vector<std::string>& lines() const { return lines_; }
  // The lines that begin with one of these words.
  std::vector<std::string> only(std::initializer_list<std::string_view> words) const {
    std::vector<std::string> chosen;
    for (const std::string& line : lines_) {
      for (const std::string_view word : words) {
        if (line.starts_with(word)) chosen.push_back(line);
      }
    }
    return chosen;
  }

  void cluster_starts(const Dimensions& first) override { add("start", first.x); }
  void cta_ends(std::uint16_t rank) override { add("end", rank); }
  void executes(const events::Instruction& instruction) override {
    add("execute", instruction.site);
  }
  void puts_off(const events::Instruction& instruction) override {
    add("put-off", instruction.site);
  }
  void accesses(const events::Access& access) override {
    add(access.kind == events::Access::Kind::load ? "load" : "store", access.lanes.size(),
        access.bytes);
  }
  void initializes(std::uint32_t mbarrier, std::int64_t count, ThreadId, std::uint32_t) override {
    add("init", shared_offset(mbarrier), count);
  }
  void arrives(const events::Arrival& arrival) override {
    add(arrival.thread == nullptr ? "complete-tx" : "arrive", arrival.count, arrival.tx_bytes);
    if (arrival.completes_phase) add("phase", shared_offset(arrival.mbarrier));
  }
  void waits(const events::Wait& wait) override { add("wait", wait.lanes); }
  void sleeps(const events::Wait& wait) override { add("sleep", wait.lanes); }
  void sees_phase(const events::PhaseSeen& seen) override {
    add("see", shared_offset(seen.mbarrier), seen.thread.index);
  }
  void completes_barrier(BarrierId barrier, std::uint16_t rank) override {
    add(barrier.kind == BarrierId::Kind::cta ? "barrier" : "cluster-barrier", rank);
  }
  void fences(const events::Fence& fence) override { add("fence", fence.lanes); }
  void issues(const events::Bulk& bulk) override {
    std::uint64_t global = 0;
    for (const events::GlobalRange& range : bulk.global) global += range.bytes;
    add("issue", bulk.id, bulk.moved_bytes, global);
  }
  void releases_source(const events::Bulk& bulk) override { add("release-source", bulk.id); }
  void finishes(const events::Bulk& bulk) override { add("finish", bulk.id); }

 private:
  void add(std::string line, auto... numbers) {
    ((line += " " + std::to_string(numbers)), ...);
    lines_.push_back(std::move(line));
  }

  std::vector<std::string> lines_;
};

}  // namespace tmaemu
