// Steps of a loop over K that read parts of a tile again and never come to others: a descriptor
// that is moved by half of a step, in units of another size, or not at all.
//
// That two steps overlap is not enough: a convolution reads a tile with a halo again and again, one
// line further each time. Nor is it that part of a tile is not read: K may end before the tile
// does. Where both come together, along K, the sum lacks products and has others twice.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "emulator/check/access_checker.h"
#include "emulator/check/cluster_state.h"
#include "emulator/check/matrix_step.h"
#include "emulator/model/events.h"

namespace tmaemu::check {

class StepChecker {
 public:
  StepChecker(ClusterState& state, const AccessChecker& accesses)
      : state_(state), accesses_(accesses) {}

  void start();
  // A load fills a tile. It has to be looked at before it counts as written.
  void issue(const events::Bulk& bulk);
  void issue(const events::WarpgroupProduct& product);
  void end_cta(std::uint16_t rank);

 private:
  // What one phase of an mbarrier has brought to a CTA is a filling: the tiles of a stage.
  using FillingId = std::uint64_t;
  struct Load {
    std::uint32_t end = 0;  // shared::cluster address
    FillingId filling = 0;
    std::uint32_t operation = 0;
    std::uint32_t site = 0;
    ThreadId thread;
  };
  // One of the two matrices of a product, in a filling, and the other one.
  struct Step {
    events::MatrixInShared own;
    events::MatrixInShared partner;
    FillingId filling_of_partner = 0;  // 0: it is in registers, or nobody knows
    std::uint32_t site = 0;
    ThreadId thread;  // the first of its warpgroup
    bool is_a = false;
  };
  struct Suspicion {
    Step earlier;
    Step later;
    StepRelation relation;
    bool is_partner_right = false;  // that one goes on along K
  };
  struct Filling {
    std::vector<Step> steps;
    std::vector<Suspicion> suspicions;
  };

  FillingId filling_of(const events::MatrixInShared* matrix) const;
  void add(FillingId filling, const Step& step);
  void empty(FillingId filling);
  void look(const Suspicion& suspicion);
  // One whose bytes are some of [begin, end); null: none.
  const Load* load_within(std::uint32_t begin, std::uint32_t end) const;
  // The load that has written the byte, and which nobody has written over; null: none.
  const Load* load_of(std::uint32_t address) const;
  // Whether a part of K is never read, where the steps lead.
  bool leaves_out(const events::MatrixInShared& matrix) const;
  bool is_unread(std::uint32_t address, FillingId filling) const;

  ClusterState& state_;
  const AccessChecker& accesses_;
  std::map<std::uint32_t, Load> loads_;  // by their first bytes
  std::map<FillingId, Filling> fillings_;
};

}  // namespace tmaemu::check
