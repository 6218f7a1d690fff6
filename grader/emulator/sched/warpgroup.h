// The asynchronous matrix instructions of a warpgroup, from issue to completion. PTX ISA,
// "Asynchronous Warpgroup Level Matrix Instructions".
//
// A wgmma.mma_async is one operation of four warps, each of which has 16 of its 64 rows. It reads
// shared memory and registers and writes D at some moment between its issue by the last of the
// warps and the first wait that covers it. Under `late` that is the wait, under `early` each warp's
// part happens as it is issued.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "emulator/model/ids.h"
#include "emulator/sched/frame.h"
#include "emulator/tma/timing_policy.h"

namespace tmaemu {

class Warp;

// A warp's part of a wgmma.mma_async.
struct WarpgroupProduct {
  // `is_right_behind`: another warp's part of the same operation was executed last, by this host
  // thread, so B is what it was then.
  void (*execute)(Warp&, const WarpgroupProduct&, bool is_right_behind) = nullptr;
  const Operation* op = nullptr;
  Frame* frame = nullptr;  // whose registers it names
  // What is read when it is issued: descriptors of A and B, and whether D is added to.
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  bool accumulates = false;

  // Whether both are parts of one operation.
  bool is_of_same_operation(const WarpgroupProduct& other) const {
    return op == other.op && a == other.a && b == other.b && accumulates == other.accumulates;
  }
};

class Warpgroup {
 public:
  // `warps`: those that the CTA has, at most four.
  explicit Warpgroup(std::vector<Warp*> warps) : warps_(std::move(warps)) {}
  // As at the start of a CTA. `sequence`: of the moments.
  void start(const TimingPolicy& policy, std::uint64_t sequence);

  bool is_complete() const { return warps_.size() == warps_of_warpgroup; }
  // Whether none of the others has issued the warp's next part.
  bool is_first_to_issue(const Warp& warp) const {
    return part(warp).issued - first_common_ == common_.size();
  }
  // The warp's next part. False where another warp has issued another one in its place.
  bool issue(const Warp& warp, const WarpgroupProduct& product);
  // What the policy lets happen of the warp's parts, now that another one has been issued.
  void go_on(const Warp& warp) { move(place_of(warp)); }
  void commit(const Warp& warp);
  // How many of the warp's products have to be done when at most its `pending` newest groups may
  // not be.
  std::uint64_t awaited(const Warp& warp, std::uint32_t pending) const;
  // How many the warp has issued.
  std::uint64_t issued(const Warp& warp) const { return part(warp).issued; }
  bool have_all_issued(std::uint64_t count) const;
  // A warp that has ended and not issued so many; null where there is none.
  const Warp* ended_before(std::uint64_t count) const;
  // Lets the first `count` products happen, where they have not yet: the warp has waited for them.
  // Precondition: all have issued them.
  void complete(const Warp& waiting, std::uint64_t count);

 private:
  struct Part {
    std::deque<WarpgroupProduct> waiting;  // that have not happened yet, oldest first
    std::uint64_t issued = 0;
    // Committed, and not waited for: each as the number of products up to its end.
    std::deque<std::uint64_t> groups;
    std::uint64_t waited_for = 0;  // so many products
  };
  static unsigned place_of(const Warp& warp);
  Part& part(const Warp& warp) { return parts_[place_of(warp)]; }
  const Part& part(const Warp& warp) const { return parts_[place_of(warp)]; }
  void execute_oldest(unsigned place, bool is_right_behind);
  // What the policy lets happen between issue and wait.
  void move(unsigned place);
  void forget_common();

  std::vector<Warp*> warps_;
  std::array<Part, warps_of_warpgroup> parts_;
  std::deque<WarpgroupProduct> common_;  // what some have issued, and others not yet
  std::uint64_t first_common_ = 0;       // the number of the first of them
  Moments moments_;
};

}  // namespace tmaemu
