// Which loads into shared memory the CTAs of a cluster have in flight, as far as their threads
// know: not when the engine acts, but from the instruction that starts a load to the wait that ends
// it. A timing policy still shows, where it decides which of several warps goes on first.
//
// A load for show is in flight, too: so each byte that is read meanwhile needs a byte of an input
// in flight that nobody has asked for before. Of CTAs that ask for the same bytes it is the first
// one whose they are, and which is first, where host threads run CTAs at once, is chance. And who
// reads for show reads anything: so what is read has come by such a load itself, and counts when it
// is read first.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "emulator/model/events.h"
#include "emulator/model/ids.h"

namespace tmaemu::provenance {

class Overlap {
 public:
  void cluster_starts() { ctas_.clear(); }

  // `news`: bytes of inputs that nobody has asked for before.
  void issues(const events::Bulk& load, std::uint64_t news);
  // A warp's cp.async, of which copies() tells part by part. Then where they go: shared memory of
  // the CTA.
  void begins_copies() { copies_news_ = false; }
  void copies(ThreadId thread, std::uint64_t news);
  void copies_to(std::uint32_t rank, std::uint32_t offset, std::uint32_t bytes);
  // cp.async.mbarrier.arrive: the thread's copies so far are in flight until that phase is seen.
  void orders_arrival(ThreadId thread, std::uint32_t mbarrier);
  void sees_phase(std::uint32_t mbarrier);
  void commits_copies(ThreadId thread);
  void awaits_copies(const events::Groups& wait);

  // How many of the bytes at this shared::cluster address, which a CTA reads, overlap a load.
  std::uint64_t reads(std::uint32_t rank, std::uint32_t shared, std::uint64_t bytes);

 private:
  struct Copies {
    std::uint64_t open = 0;  // that no group holds yet
    std::deque<std::uint64_t> groups;
  };
  // Words of shared memory that a load has brought and nobody has read yet.
  class Unread {
   public:
    void add(std::uint32_t offset, std::uint64_t bytes);
    // Bytes of them, which are read now.
    std::uint64_t take(std::uint32_t offset, std::uint64_t bytes);

   private:
    std::vector<bool> words_;
  };
  struct Cta {
    Unread unread;
    std::map<std::uint32_t, std::uint64_t> mbarriers;  // by offset: bytes that they wait for
    std::map<std::uint16_t, Copies> copies;            // by thread
    std::uint64_t in_flight = 0;
    std::uint64_t left = 0;  // of these, nobody has read as much meanwhile

    void start(std::uint64_t bytes);
    void end(std::uint64_t bytes);
  };
  Cta& cta(std::uint32_t rank);

  std::vector<Cta> ctas_;
  bool copies_news_ = false;
};

}  // namespace tmaemu::provenance
