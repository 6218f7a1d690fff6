#include "emulator/isa/warp_access.h"

#include <bit>
#include <cstddef>
#include <cstring>
#include <span>

#include "emulator/isa/lanes.h"
#include "emulator/model/h200.h"
#include "emulator/sched/cluster.h"

namespace tmaemu {

Addresses addresses_of(Warp& warp, const MemoryAccess& access) {
  Addresses addresses;
  const MemoryOperand& memory = access.address;
  const auto offset = static_cast<u64>(memory.offset);
  if (memory.base_bytes == 8) {
    const u64* const base = warp.lanes<u64>(memory.slot);
    for (unsigned lane = 0; lane < warp_size; ++lane) addresses[lane] = base[lane] + offset;
  } else if (memory.base_bytes == 4) {
    const u32* const base = warp.lanes<u32>(memory.slot);
    const auto offset32 = static_cast<u32>(offset);
    for (unsigned lane = 0; lane < warp_size; ++lane) addresses[lane] = u32{base[lane] + offset32};
  } else {
    addresses.fill(offset);
  }
  return addresses;
}

namespace {

using Kind = events::Access::Kind;
using Space = events::Access::Space;

// The addresses of one access, sorted by the memory that they lie in.
class SortedAddresses {
 public:
  SortedAddresses(AddressSpace space, const Addresses& addresses, LaneMask lanes) {
    switch (space) {
      case AddressSpace::global:
        global_.add(addresses, lanes);
        return;
      case AddressSpace::shared:
      case AddressSpace::shared_cluster:
        shared_.add(addresses, lanes);
        return;
      case AddressSpace::local:
        local_.add(addresses, lanes);
        return;
      case AddressSpace::parameter:
        return;  // where these lie is the compiler's business
      case AddressSpace::generic:
        break;
    }
    LaneMask in_shared = 0;
    LaneMask in_local = 0;
    LaneMask elsewhere = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      const std::uint64_t address = addresses[lane];
      in_shared |= LaneMask{in_window(address, shared_window)} << lane;
      in_local |= LaneMask{in_window(address, local_window)} << lane;
      elsewhere |= LaneMask{in_window(address, param_window)} << lane;
    }
    global_.add(addresses, lanes & ~in_shared & ~in_local & ~elsewhere);
    shared_.add(addresses, lanes & in_shared, shared_window);
    local_.add(addresses, lanes & in_local, local_window);
  }
  std::span<const events::LaneAddress> local() const { return local_.all(); }
  std::span<const events::LaneAddress> global() const { return global_.all(); }
  std::span<const events::LaneAddress> shared() const { return shared_.all(); }

 private:
  class OfSpace {
   public:
    void add(const Addresses& addresses, LaneMask lanes, std::uint64_t window = 0) {
      if (lanes == all_lanes) {  // a loop that the compiler vectorizes
        for (unsigned lane = 0; lane < warp_size; ++lane) {
          addresses_[lane] = {lane, addresses[lane] - window};
        }
        count_ = warp_size;
        return;
      }
      for (; lanes != 0; lanes &= lanes - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
        addresses_[count_++] = {lane, addresses[lane] - window};
      }
    }
    std::span<const events::LaneAddress> all() const { return {addresses_.data(), count_}; }

   private:
    std::array<events::LaneAddress, warp_size> addresses_;
    std::size_t count_ = 0;
  };

  OfSpace global_;
  OfSpace shared_;
  OfSpace local_;
};

// What a plain store or an atomic writes, read from the registers when somebody asks.
class RegisterValues final : public events::StoredValues {
 public:
  RegisterValues(Warp& warp, const Operation& op, const MemoryAccess& access,
                 const AccessForm& form, std::span<const events::LaneAddress> lanes, Space space)
      : warp_(warp), op_(op), access_(access), form_(form), lanes_(lanes), space_(space) {}

  bool leaves_memory(std::size_t index) const override {
    const std::byte* const memory = memory_at(lanes_[index].address);
    if (memory == nullptr) return false;
    if (form_.leaves != nullptr) return form_.leaves(warp_, op_, lanes_[index].lane, memory);
    const Bytes value = value_of(lanes_[index].lane);
    return std::memcmp(memory, value.data(), form_.bytes) == 0;
  }
  bool are_equal(std::size_t index, std::size_t other) const override {
    return form_.leaves == nullptr && value_of(lanes_[index].lane) == value_of(lanes_[other].lane);
  }

 private:
  static constexpr std::size_t widest = 32;
  using Bytes = std::array<std::byte, widest>;

  Bytes value_of(unsigned lane) const {
    Bytes bytes{};
    for (unsigned i = 0; i < access_.count; ++i) {
      std::memcpy(bytes.data() + i * access_.element_bytes,
                  warp_.lanes<std::byte>(access_.registers[i]) + lane * access_.register_bytes,
                  access_.element_bytes);
    }
    return bytes;
  }
  const std::byte* memory_at(std::uint64_t address) const {
    if (space_ == Space::global) return warp_.global(address, form_.bytes);
    Cluster& cluster = warp_.cta().cluster;
    const auto shared = static_cast<std::uint32_t>(address);
    if (!cluster.has(shared, form_.bytes)) return nullptr;
    return cluster.cta(shared).shared.generic() + shared_offset(shared);
  }

  Warp& warp_;
  const Operation& op_;
  const MemoryAccess& access_;
  const AccessForm& form_;
  std::span<const events::LaneAddress> lanes_;
  Space space_;
};

}  // namespace

void WarpAccess::tell(Observer& observer) const {
  if (access_.is_constant) return;
  const SortedAddresses sorted(access_.space, addresses_, lanes_);
  const auto tell_in = [&](Space space, std::span<const events::LaneAddress> addresses) {
    if (addresses.empty()) return;
    const RegisterValues values(warp_, op_, access_, form_, addresses, space);
    const bool is_plain_store = form_.kind == Kind::store && access_.register_bytes != 0;
    const bool has_values = is_plain_store || form_.leaves != nullptr;
    observer.accesses({form_.kind, space, warp_.id(), op_.site, form_.bytes, addresses,
                       access_.order, form_.done == AccessForm::Done::with_copies,
                       form_.done == AccessForm::Done::with_phase, has_values ? &values : nullptr,
                       access_.element_bytes});
  };
  tell_in(Space::global, sorted.global());
  tell_in(Space::shared, sorted.shared());
  if (sorted.local().empty()) return;
  events::Access access;
  access.kind = form_.kind;
  access.warp = warp_.id();
  access.site = op_.site;
  access.bytes = form_.bytes;
  access.lanes = sorted.local();
  observer.accesses_local(access);
}

namespace {

// As which it is refused where it is illegal. An asynchronous reduction is a store on its way.
AccessKind kind_where_refused(const AccessForm& form) {
  switch (form.kind) {
    case Kind::load:
    case Kind::matrix_load:
    case Kind::map_read:
      return AccessKind::load;
    case Kind::atomic:
      return form.done == AccessForm::Done::at_once ? AccessKind::atomic : AccessKind::store;
    case Kind::store:
    case Kind::matrix_store:
    case Kind::map_change:
    case Kind::map_copy:
      break;
  }
  return AccessKind::store;
}

}  // namespace

Place WarpAccess::place(unsigned lane, bool may_reach_over) const {
  return resolve(warp_, op_, lane, access_.space, addresses_[lane], form_.bytes,
                 kind_where_refused(form_), may_reach_over);
}

namespace {

// A piece of memory that accesses may lie in.
struct Piece {
  u64 address = 0;
  std::size_t size = 0;
  std::byte* host = nullptr;
  Cta* shared_of = nullptr;
};

Piece piece_of(Cta& cta, u64 window) {
  constexpr std::size_t reserved = h200::reserved_shared_bytes_per_cta;
  return {window + (u64{cta.rank} << cta_rank_shift) + reserved, cta.shared.size() - reserved,
          cta.shared.generic() + reserved, &cta};
}

Piece shared_piece(Warp& warp, u64 window, u64 address) {
  Cluster& cluster = warp.cta().cluster;
  const u64 rank = (address - window) >> cta_rank_shift;
  return rank < cluster.ctas.size() ? piece_of(*cluster.ctas[rank], window) : Piece();
}

// The piece that an address in the instruction's space lies in, of shared or global memory.
Piece piece_at(Warp& warp, AddressSpace space, u64 address) {
  if (space == AddressSpace::shared) return piece_of(warp.cta(), 0);
  if (space == AddressSpace::shared_cluster) return shared_piece(warp, 0, address);
  if (space == AddressSpace::generic && in_window(address, shared_window)) {
    return shared_piece(warp, shared_window, address);
  }
  if (space != AddressSpace::global && space != AddressSpace::generic) return {};
  const Region* region = warp.global_region(address);
  if (region == nullptr) return {};
  return {region->address, region->size, region->host, nullptr};
}

// Whether the accesses of the lanes, of so many bytes each, lie in the piece and are aligned. Where
// they are consecutive, all lie between the first and the last, and are aligned as these are.
bool are_legal(const Piece& piece, LaneMask lanes, const Addresses& addresses, u64 bytes,
               bool are_consecutive) {
  const u64 last = piece.size - bytes;
  // Pieces are far smaller than 2^63 bytes: outside of one, the offset or what is left behind it
  // is negative.
  const auto wrong_in = [&](unsigned lane) {
    const u64 offset = addresses[lane] - piece.address;
    return (offset | (last - offset)) >> 63 | (addresses[lane] & (bytes - 1));
  };
  if (are_consecutive) return (wrong_in(0) | wrong_in(warp_size - 1)) == 0;
  u64 wrong = 0;
  for_lanes(lanes, [&](unsigned lane) { wrong |= wrong_in(lane); });
  return wrong == 0;
}

// All bits set for a lane of the mask, none for the others.
u64 if_active(LaneMask lanes, unsigned lane) {
  return 0 - u64{lanes >> lane & 1};
}

// Each lane's local memory is a piece of its own, at a constant distance from the last one's.
LanePlaces resolve_local_together(Warp& warp, LaneMask lanes, unsigned bytes,
                                  const Addresses& addresses) {
  LanePlaces places;
  std::byte* const first = warp.local(0);
  u64 wrong = 0;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const std::size_t size = warp.local_bytes(lane);
    const bool is_outside = bytes > size || addresses[lane] > size - bytes;
    const u64 is_misaligned = addresses[lane] & (bytes - 1);
    wrong |= (u64{is_outside} | is_misaligned) & if_active(lanes, lane);
    places.offsets[lane] = static_cast<u64>(warp.local(lane) - first) + addresses[lane];
  }
  if (wrong == 0) places.first = first;
  return places;
}

}  // namespace

LanePlaces WarpAccess::places() const {
  const u64 first = addresses_[std::countr_zero(lanes_)];
  if (access_.space == AddressSpace::local) {
    return resolve_local_together(warp_, lanes_, form_.bytes, addresses_);
  }
  if (access_.space == AddressSpace::generic && in_window(first, local_window)) {
    Addresses addresses = addresses_;
    for (u64& address : addresses) address -= local_window;
    return resolve_local_together(warp_, lanes_, form_.bytes, addresses);
  }
  return places_from(first);
}

// Each of its returns names one variable, which is then nowhere copied.
LanePlaces WarpAccess::places_from(u64 first) const {
  LanePlaces places;
  const u64 bytes = form_.bytes;
  const Piece piece = piece_at(warp_, access_.space, first);
  if (piece.host == nullptr || bytes > piece.size) return places;
  const int shift = std::countr_zero(bytes);
  u64 apart = lanes_ ^ all_lanes;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    places.offsets[lane] = addresses_[lane] - first;
    apart |= places.offsets[lane] ^ (u64{lane} << shift);
  }
  places.consecutive = apart == 0;
  if (!are_legal(piece, lanes_, addresses_, bytes, places.consecutive)) return places;
  places.first = piece.host + (first - piece.address);
  places.shared_of = piece.shared_of;
  if (piece.shared_of != nullptr) {
    const std::byte* start = piece.shared_of->shared.generic();
    places.shared_offset = static_cast<std::uint32_t>(places.first - start);
  }
  return places;
}

}  // namespace tmaemu
