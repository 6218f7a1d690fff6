// An instruction's access to memory. Whoever makes one has told observers of it: the lanes'
// addresses are formed once, observers hear of all of them, and then each lane finds its bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "emulator/isa/address.h"
#include "emulator/model/events.h"

namespace tmaemu {

using Addresses = std::array<u64, warp_size>;

Addresses addresses_of(Warp& warp, const MemoryAccess& access);

// What kind of access an instruction makes.
struct AccessForm {
  enum class Done : std::uint8_t {
    at_once,
    with_copies,  // cp.async: by the thread's groups of copies
    with_phase,   // st.async and red.async: as bytes that an mbarrier counts
  };
  events::Access::Kind kind;
  unsigned bytes;  // of one lane
  Done done = Done::at_once;
  // Of an atomic: whether it would leave what is at `memory` as it is.
  bool (*leaves)(Warp& warp, const Operation& op, unsigned lane, const std::byte* memory) = nullptr;
};

// Where all lanes of an access find their bytes, resolved together: one look-up and checks that the
// compiler vectorizes, instead of 32 calls of resolve().
struct LanePlaces {
  std::byte* first = nullptr;          // of the first lane; null: resolve the lanes one by one
  std::array<u64, warp_size> offsets;  // from `first`, modulo 2^64; of the lanes that take part
  bool consecutive = false;            // all 32 lanes, one after another without a gap
  Cta* shared_of = nullptr;            // as in Place
  std::uint32_t shared_offset = 0;

  std::byte* of(unsigned lane) const { return first + offsets[lane]; }
};

class WarpAccess {
 public:
  WarpAccess(Warp& warp, const Operation& op, const MemoryAccess& access, LaneMask lanes,
             const AccessForm& form)
      : warp_(warp),
        op_(op),
        access_(access),
        addresses_(addresses_of(warp, access)),
        lanes_(lanes),
        form_(form) {
    if (warp.observer() != nullptr) tell(*warp.observer());
  }
  // Of lanes whose addresses are not those that `access` says.
  WarpAccess(Warp& warp, const Operation& op, const MemoryAccess& access,
             const Addresses& addresses, LaneMask lanes, const AccessForm& form)
      : warp_(warp), op_(op), access_(access), addresses_(addresses), lanes_(lanes), form_(form) {
    if (warp.observer() != nullptr) tell(*warp.observer());
  }

  u64 address(unsigned lane) const { return addresses_[lane]; }
  // As resolve().
  Place place(unsigned lane, bool may_reach_over = false) const;
  // Resolves the lanes together where they lie in one allocation, in the shared memory of one CTA,
  // or in their own local memory. Where they do not, or an access is illegal, nothing is resolved.
  LanePlaces places() const;

 private:
  void tell(Observer& observer) const;
  // Where the first lane's address is not in local memory.
  LanePlaces places_from(u64 first) const;

  Warp& warp_;
  const Operation& op_;
  const MemoryAccess& access_;
  Addresses addresses_;
  LaneMask lanes_;
  AccessForm form_;
};

}  // namespace tmaemu
