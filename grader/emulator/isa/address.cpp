#include "emulator/isa/address.h"

#include <string>

#include "common/hexadecimal.h"
#include "emulator/sched/cta.h"

namespace tmaemu {
namespace {

using common::hexadecimal;

std::string access_text(std::string_view verb, unsigned bytes, std::string_view where,
                        std::uint64_t address) {
  return std::string(verb) + " of " + std::to_string(bytes) + " bytes at " + std::string(where) +
         " address " + hexadecimal(address);
}

std::string_view name_of(AddressSpace space) {
  switch (space) {
    case AddressSpace::shared:
    case AddressSpace::shared_cluster:
      return "shared";
    case AddressSpace::local:
      return "local";
    case AddressSpace::parameter:
      return "kernel parameter";
    default:
      return "global";
  }
}

// An address in a state space of its own.
struct Located {
  AddressSpace space;
  std::uint64_t address;
};

Located locate(AddressSpace space, std::uint64_t address) {
  if (space != AddressSpace::generic) return {space, address};
  if (in_window(address, shared_window)) return {AddressSpace::shared, address - shared_window};
  if (in_window(address, local_window)) return {AddressSpace::local, address - local_window};
  if (in_window(address, param_window)) return {AddressSpace::parameter, address - param_window};
  return {AddressSpace::global, address};
}

void check_alignment(Warp& warp, const Operation& op, unsigned lane, const Located& at,
                     unsigned bytes, std::string_view verb) {
  if ((at.address & (bytes - 1)) == 0) return;
  warp.fault(op, lane, LaunchOutcome::misaligned_address,
             access_text(verb, bytes, name_of(at.space), at.address) +
                 ", which is not a multiple of " + std::to_string(bytes));
}

// There are no such bytes at the shared address; `what` would be there. An address of a CTA that
// does not exist is an error of its own, as measured on an H200.
[[noreturn]] void fault_outside_shared(Warp& warp, const Operation& op, unsigned lane,
                                       std::uint64_t address, const std::string& what) {
  const Cluster& cluster = warp.cta().cluster;
  const std::size_t ctas = cluster.ctas.size();
  const std::uint32_t rank = shared_rank(static_cast<u32>(address));
  if (address < window_size && rank >= ctas) {
    const bool is_cluster = cluster.launch.request->explicit_cluster;
    warp.fault(op, lane, is_cluster ? LaunchOutcome::trap : LaunchOutcome::illegal_instruction,
               what + ", in the CTA of rank " + std::to_string(rank) +
                   (rank == highest_rank ? " or more" : "") + " of a cluster of " +
                   std::to_string(ctas) + (ctas == 1 ? " CTA" : " CTAs") +
                   ": mapa makes such an address from a rank that does not exist");
  }
  warp.fault(op, lane, LaunchOutcome::illegal_address,
             what + ", outside the " +
                 std::to_string(cluster.launch.shared_bytes - h200::reserved_shared_bytes_per_cta) +
                 " bytes of shared memory that the CTA has");
}

Place resolve_global(Warp& warp, const Operation& op, unsigned lane, std::uint64_t address,
                     unsigned bytes, std::string_view verb, bool is_atomic) {
  constexpr unsigned word = 4;
  std::byte* host = warp.global(address, is_atomic && bytes == word ? 1 : bytes);
  if (host == nullptr) {
    warp.fault(op, lane, LaunchOutcome::illegal_address,
               access_text(verb, bytes, "global", address) + ": " +
                   warp.cta().cluster.launch.memory->describe(address));
  }
  return {host, nullptr, 0};
}

Place resolve_shared(Warp& warp, const Operation& op, unsigned lane, std::uint64_t address,
                     unsigned bytes, std::string_view verb) {
  Cluster& cluster = warp.cta().cluster;
  const auto shared = static_cast<std::uint32_t>(address);
  if (address >= window_size || !cluster.has(shared, bytes)) {
    fault_outside_shared(warp, op, lane, address, access_text(verb, bytes, "shared", address));
  }
  Cta& cta = cluster.cta(shared);
  const std::uint32_t offset = shared_offset(shared);
  return {cta.shared.generic() + offset, &cta, offset};
}

Place resolve_local(Warp& warp, const Operation& op, unsigned lane, std::uint64_t address,
                    unsigned bytes, std::string_view verb) {
  const std::size_t size = warp.local_bytes(lane);
  if (address > size || bytes > size - address) {
    warp.fault(op, lane, LaunchOutcome::illegal_address,
               access_text(verb, bytes, "local", address) + ", outside the thread's " +
                   std::to_string(size) + " bytes of local memory");
  }
  return {warp.local(lane) + address, nullptr, 0};
}

// Kernel parameters have generic addresses, too (`__grid_constant__`); nothing may write them.
Place resolve_parameter(Warp& warp, const Operation& op, unsigned lane, std::uint64_t offset,
                        unsigned bytes, std::string_view verb) {
  const auto parameters = warp.cta().cluster.launch.request->parameters;
  if (verb != "load" || offset > parameters.size() || bytes > parameters.size() - offset) {
    warp.fault(op, lane, LaunchOutcome::illegal_address,
               access_text(verb, bytes, "kernel parameter", offset) + ": parameters are " +
                   std::to_string(parameters.size()) + " bytes and read-only");
  }
  return {const_cast<std::byte*>(parameters.data()) + offset, nullptr, 0};
}

}  // namespace

std::uint64_t address_of(Warp& warp, const MemoryAccess& access, unsigned lane) {
  const MemoryOperand& memory = access.address;
  std::uint64_t base = 0;
  if (memory.base_bytes == 8) {
    base = warp.lanes<u64>(memory.slot)[lane];
  } else if (memory.base_bytes == 4) {
    // 32-bit addresses do not carry into the upper half.
    return warp.lanes<u32>(memory.slot)[lane] + static_cast<u32>(memory.offset);
  }
  return base + static_cast<std::uint64_t>(memory.offset);
}

Place resolve(Warp& warp, const Operation& op, unsigned lane, AddressSpace space,
              std::uint64_t address, unsigned bytes, std::string_view verb, bool is_atomic) {
  const Located at = locate(space, address);
  check_alignment(warp, op, lane, at, bytes, verb);
  switch (at.space) {
    case AddressSpace::shared:
    case AddressSpace::shared_cluster:
      return resolve_shared(warp, op, lane, at.address, bytes, verb);
    case AddressSpace::local:
      return resolve_local(warp, op, lane, at.address, bytes, verb);
    case AddressSpace::parameter:
      return resolve_parameter(warp, op, lane, at.address, bytes, verb);
    default:
      return resolve_global(warp, op, lane, at.address, bytes, verb, is_atomic);
  }
}

std::uint32_t shared_address(Warp& warp, const Operation& op, unsigned lane, std::uint64_t address,
                             unsigned bytes, std::string_view what) {
  if (in_window(address, shared_window)) address -= shared_window;
  if (address >= window_size || !warp.cta().cluster.has(static_cast<u32>(address), bytes)) {
    fault_outside_shared(warp, op, lane, address,
                         std::string(what) + " of " + std::to_string(bytes) +
                             " bytes is at shared address " + hexadecimal(address));
  }
  return static_cast<std::uint32_t>(address);
}

AddressSpace space_of(std::string_view modifier) {
  if (modifier == "global" || modifier == "const") return AddressSpace::global;
  if (modifier == "shared" || modifier == "shared::cta") return AddressSpace::shared;
  if (modifier == "shared::cluster") return AddressSpace::shared_cluster;
  if (modifier == "local") return AddressSpace::local;
  if (modifier.starts_with("param")) return AddressSpace::parameter;
  return AddressSpace::generic;
}

AddressSpace take_shared_space(Instruction& instruction) {
  return space_of(instruction.take_one_of({"shared", "shared::cta", "shared::cluster"}));
}

namespace {

using Addresses = std::array<u64, warp_size>;

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

// A piece of memory that accesses may lie in.
struct Piece {
  u64 address = 0;
  std::size_t size = 0;
  std::byte* host = nullptr;
  Cta* shared_of = nullptr;
};

Piece shared_piece(Warp& warp, u64 window, u64 address) {
  Cluster& cluster = warp.cta().cluster;
  const u64 rank = (address - window) >> cta_rank_shift;
  if (rank >= cluster.ctas.size()) return {};
  Cta& cta = *cluster.ctas[rank];
  constexpr std::size_t reserved = h200::reserved_shared_bytes_per_cta;
  return {window + (rank << cta_rank_shift) + reserved, cta.shared.size() - reserved,
          cta.shared.generic() + reserved, &cta};
}

// The piece that an address in the instruction's space lies in, of shared or global memory.
Piece piece_at(Warp& warp, AddressSpace space, u64 address) {
  if (space == AddressSpace::shared || space == AddressSpace::shared_cluster) {
    return shared_piece(warp, 0, address);
  }
  if (space == AddressSpace::generic && in_window(address, shared_window)) {
    return shared_piece(warp, shared_window, address);
  }
  if (space != AddressSpace::global && space != AddressSpace::generic) return {};
  const Region* region = warp.global_region(address);
  if (region == nullptr) return {};
  return {region->address, region->size, region->host, nullptr};
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

LanePlaces resolve_together(Warp& warp, const MemoryAccess& access, LaneMask lanes) {
  Addresses addresses = addresses_of(warp, access);
  const u64 first = addresses[std::countr_zero(lanes)];
  if (access.space == AddressSpace::local) {
    return resolve_local_together(warp, lanes, access.bytes, addresses);
  }
  if (access.space == AddressSpace::generic && in_window(first, local_window)) {
    for (u64& address : addresses) address -= local_window;
    return resolve_local_together(warp, lanes, access.bytes, addresses);
  }
  LanePlaces places;
  const Piece piece = piece_at(warp, access.space, first);
  if (piece.host == nullptr || access.bytes > piece.size) return places;
  const u64 last = piece.size - access.bytes;
  u64 wrong = 0;
  u64 apart = lanes ^ all_lanes;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const u64 offset = addresses[lane] - piece.address;
    // Pieces are far smaller than 2^63 bytes: outside of one, the offset or what is left behind it
    // is negative.
    const u64 is_outside = (offset | (last - offset)) >> 63;
    const u64 is_misaligned = addresses[lane] & (access.bytes - 1);
    wrong |= (is_outside | is_misaligned) & if_active(lanes, lane);
    places.offsets[lane] = addresses[lane] - first;
    apart |= places.offsets[lane] ^ u64 { lane } * access.bytes;
  }
  if (wrong != 0) return places;
  places.first = piece.host + (first - piece.address);
  places.consecutive = apart == 0;
  places.shared_of = piece.shared_of;
  if (piece.shared_of != nullptr) {
    const std::byte* start = piece.shared_of->shared.generic();
    places.shared_offset = static_cast<std::uint32_t>(places.first - start);
  }
  return places;
}

}  // namespace tmaemu
