// PTX ISA, "Data Movement": ld and st.
#include <algorithm>
#include <bit>
#include <cstring>

#include "emulator/isa/modifiers.h"
#include "emulator/isa/warp_access.h"
#include "emulator/sched/cluster.h"

namespace tmaemu {
namespace {

using Kind = events::Access::Kind;

const MemoryAccess& access_of(const Operation& op) {
  return *static_cast<const MemoryAccess*>(op.detail);
}

// The elements of one lane after those of the lane before it, all in one piece, from memory into
// one register an element. The number of elements is known here, so that the compiler can use
// vectors.
template <class Memory, class Register, unsigned count>
void load_consecutive(Warp& warp, const MemoryAccess& access, const std::byte* from) {
  for (unsigned i = 0; i < count; ++i) {
    Register* const d = warp.lanes<Register>(access.registers[i]);
#pragma GCC ivdep
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      Memory value;
      std::memcpy(&value, from + (lane * count + i) * sizeof value, sizeof value);
      d[lane] = static_cast<Register>(value);
    }
  }
}
template <class Memory, class Register, unsigned count>
void store_consecutive(Warp& warp, const MemoryAccess& access, std::byte* to) {
  for (unsigned i = 0; i < count; ++i) {
    const Register* const a = warp.lanes<Register>(access.registers[i]);
#pragma GCC ivdep
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      const auto value = static_cast<Memory>(a[lane]);
      std::memcpy(to + (lane * count + i) * sizeof value, &value, sizeof value);
    }
  }
}

template <class Memory, class Register>
bool load_vectors(Warp& warp, const MemoryAccess& access, const std::byte* from) {
  switch (access.count) {
    case 1:
      load_consecutive<Memory, Register, 1>(warp, access, from);
      return true;
    case 2:
      load_consecutive<Memory, Register, 2>(warp, access, from);
      return true;
    case 4:
      load_consecutive<Memory, Register, 4>(warp, access, from);
      return true;
    default:
      return false;
  }
}
template <class Memory, class Register>
bool store_vectors(Warp& warp, const MemoryAccess& access, std::byte* to) {
  switch (access.count) {
    case 1:
      store_consecutive<Memory, Register, 1>(warp, access, to);
      return true;
    case 2:
      store_consecutive<Memory, Register, 2>(warp, access, to);
      return true;
    case 4:
      store_consecutive<Memory, Register, 4>(warp, access, to);
      return true;
    default:
      return false;
  }
}

// `place(lane)` says where a lane's elements are.
template <class Memory, class Register, class PlaceOf>
void load_lanes(Warp& warp, const MemoryAccess& access, LaneMask lanes, PlaceOf place) {
  for (unsigned i = 0; i < access.count; ++i) {
    Register* const d = warp.lanes<Register>(access.registers[i]);
    for_lanes(lanes, [&](unsigned lane) {
      Memory value;
      std::memcpy(&value, place(lane) + i * sizeof value, sizeof value);
      d[lane] = static_cast<Register>(value);
    });
  }
}
// Where lanes write the same place, the last one stays.
template <class Memory, class Register, class PlaceOf>
void store_lanes(Warp& warp, const MemoryAccess& access, LaneMask lanes, PlaceOf place) {
  for (unsigned i = 0; i < access.count; ++i) {
    const Register* const a = warp.lanes<Register>(access.registers[i]);
    for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      const auto value = static_cast<Memory>(a[lane]);
      std::memcpy(place(lane) + i * sizeof value, &value, sizeof value);
    }
  }
}

// Lane by lane: finds the lane whose access is illegal, and keeps the order that flags need.
template <class Memory, class Register>
const Operation* load_one_by_one(Warp& warp, const Operation& op, LaneMask lanes,
                                 const WarpAccess& accessed) {
  const MemoryAccess& access = access_of(op);
  Warp::Flags flags(op);
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    const Place place = accessed.place(lane, access.synchronizes());
    load_lanes<Memory, Register>(warp, access, LaneMask{1} << lane,
                                 [&](unsigned) { return place.bytes; });
    if (!access.synchronizes()) continue;
    u64 flag = 0;
    std::memcpy(&flag, place.bytes, std::min(sizeof flag, sizeof(Memory)));
    flags.add(lane, accessed.address(lane), flag);
    if (place.shared_of != nullptr) {
      place.shared_of->cluster.observe_flag(*place.shared_of, place.shared_offset,
                                            warp.thread(lane));
    }
  }
  if (flags.lanes != 0) warp.loaded_flags(flags);
  return &op + 1;
}

template <class Memory, class Register>
const Operation* load(Warp& warp, const Operation& op, LaneMask lanes) {
  const MemoryAccess& access = access_of(op);
  const WarpAccess accessed(warp, op, access, lanes, {Kind::load, access.bytes});
  const LanePlaces places = access.synchronizes() ? LanePlaces{} : accessed.places();
  if (places.first == nullptr) return load_one_by_one<Memory, Register>(warp, op, lanes, accessed);
  if (!places.consecutive || !load_vectors<Memory, Register>(warp, access, places.first)) {
    load_lanes<Memory, Register>(warp, access, lanes,
                                 [&](unsigned lane) { return places.of(lane); });
  }
  return &op + 1;
}

// Kernel parameters are the same for every lane.
template <class Memory, class Register>
const Operation* load_parameter(Warp& warp, const Operation& op, LaneMask lanes) {
  const MemoryAccess& access = access_of(op);
  const auto parameters = warp.cta().cluster.launch.request->parameters;
  const std::byte* from = parameters.data() + access.address.offset;
  for (unsigned i = 0; i < access.count; ++i) {
    Memory value;
    std::memcpy(&value, from + i * sizeof value, sizeof value);
    Register* const d = warp.lanes<Register>(access.registers[i]);
    for_lanes(lanes, [&](unsigned lane) { d[lane] = static_cast<Register>(value); });
  }
  return &op + 1;
}

template <class Memory, class Register>
const Operation* store_one_by_one(Warp& warp, const Operation& op, LaneMask lanes,
                                  const WarpAccess& accessed) {
  const MemoryAccess& access = access_of(op);
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    const Place place = accessed.place(lane);
    store_lanes<Memory, Register>(warp, access, LaneMask{1} << lane,
                                  [&](unsigned) { return place.bytes; });
    if (place.shared_of == nullptr) continue;
    Cluster& cluster = place.shared_of->cluster;
    place.shared_of->shared.note_write(place.shared_offset, access.bytes, warp.thread(lane),
                                       cluster.causality().now());
    if (access.synchronizes()) {
      cluster.publish_flag(*place.shared_of, place.shared_offset, warp.thread(lane));
    }
  }
  return &op + 1;
}

// Tells the shared memory whose bytes each lane wrote.
void note_writes(Warp& warp, LaneMask lanes, const LanePlaces& places, unsigned bytes) {
  SharedMemory& shared = places.shared_of->shared;
  if (!shared.two_views()) return;
  const Epoch now = places.shared_of->cluster.causality().now();
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    const auto offset = static_cast<std::uint32_t>(places.shared_offset + places.offsets[lane]);
    shared.note_write(offset, bytes, warp.thread(lane), now);
  }
}

template <class Memory, class Register>
const Operation* store(Warp& warp, const Operation& op, LaneMask lanes) {
  const MemoryAccess& access = access_of(op);
  const WarpAccess accessed(warp, op, access, lanes, {Kind::store, access.bytes});
  const LanePlaces places = access.synchronizes() ? LanePlaces{} : accessed.places();
  if (places.first == nullptr) return store_one_by_one<Memory, Register>(warp, op, lanes, accessed);
  if (!places.consecutive || !store_vectors<Memory, Register>(warp, access, places.first)) {
    store_lanes<Memory, Register>(warp, access, lanes,
                                  [&](unsigned lane) { return places.of(lane); });
  }
  if (places.shared_of != nullptr) note_writes(warp, lanes, places, access.bytes);
  return &op + 1;
}

// Handlers by the element's size in memory and in its register.
enum class Direction { load, load_signed, load_parameter, load_parameter_signed, store };

template <class Memory, class Register>
Handler handler(Direction direction) {
  switch (direction) {
    case Direction::load:
    case Direction::load_signed:
      return load<Memory, Register>;
    case Direction::load_parameter:
    case Direction::load_parameter_signed:
      return load_parameter<Memory, Register>;
    case Direction::store:
      return store<Memory, Register>;
  }
  return nullptr;
}

struct Bytes16 {
  u64 low, high;
};

// Narrow elements may live in wider registers; sign extension only matters then.
template <class Signed, class Unsigned>
Handler by_register(Direction direction, unsigned register_bytes) {
  const bool is_signed =
      direction == Direction::load_signed || direction == Direction::load_parameter_signed;
  if (register_bytes < sizeof(Signed)) refuse("has a register smaller than its type");
  switch (register_bytes) {
    case 2:
      if constexpr (sizeof(Signed) <= 2) {
        return is_signed ? handler<Signed, s16>(direction) : handler<Unsigned, u16>(direction);
      }
      break;
    case 4:
      if constexpr (sizeof(Signed) <= 4) {
        return is_signed ? handler<Signed, s32>(direction) : handler<Unsigned, u32>(direction);
      }
      break;
    case 8:
      return is_signed ? handler<Signed, s64>(direction) : handler<Unsigned, u64>(direction);
  }
  refuse("has a register of an unexpected size");
}

Handler by_size(Direction direction, unsigned element_bytes, unsigned register_bytes) {
  switch (element_bytes) {
    case 1:
      return by_register<s8, u8>(direction, register_bytes);
    case 2:
      return by_register<s16, u16>(direction, register_bytes);
    case 4:
      return by_register<s32, u32>(direction, register_bytes);
    case 8:
      return by_register<s64, u64>(direction, register_bytes);
    case 16:
      if (register_bytes != 16) refuse("has a register of an unexpected size");
      return handler<Bytes16, Bytes16>(direction);
    default:
      refuse("has elements of an unexpected size");
  }
}

bool is_signed(ptx::Type type) {
  return type == ptx::Type::s8 || type == ptx::Type::s16 || type == ptx::Type::s32 ||
         type == ptx::Type::s64;
}

// What an access orders. What is not weak, other threads may rely on: it must not be taken for a
// race, and CTAs that talk to each other must run in a fixed order.
struct AccessOrder {
  MemoryOrder memory;
  bool is_cached = true;   // takes cache operators, and hints
  bool is_device = false;  // .mmio

  static AccessOrder uncached() { return {{Semantics::relaxed, Scope::sys}, false, false}; }
};

// .weak; where threads share memory, .volatile, .mmio.relaxed.sys, and .relaxed and `synchronizing`
// with a scope.
AccessOrder take_access_order(Instruction& instruction, std::string_view space,
                              const Choice<Semantics>& synchronizing) {
  const bool is_device = space.empty() || space == "global";
  if (is_device || space.starts_with("shared")) {
    if (instruction.take("volatile")) return AccessOrder::uncached();
    if (is_device && instruction.take("mmio")) {
      instruction.require("relaxed");
      instruction.require("sys");
      return {{Semantics::relaxed, Scope::sys}, false, true};
    }
    const Choice<Semantics> semantics[] = {{"relaxed", Semantics::relaxed}, synchronizing};
    if (const auto taken = instruction.take_one_of(semantics)) {
      return {{*taken, take_scope(instruction)}};
    }
  }
  instruction.take("weak");
  return {};
}

// Where caches keep the bytes, and for how long, no program can see. But .cv and .wt pass them by,
// and are as good as .volatile: the result is the order that the access has then.
AccessOrder take_cache_hints(Decoder& decoder, Instruction& instruction, AccessOrder order,
                             std::string_view space, Instruction::Names operators,
                             const MemoryAccess& access) {
  if (!order.is_cached) return order;
  const std::string_view cache_operator =
      !order.memory.is_strong() ? instruction.take_one_of(operators) : std::string_view();
  if (cache_operator == "cv" || cache_operator == "wt") order = AccessOrder::uncached();
  if (!space.empty() && space != "global") return order;
  if (cache_operator.empty()) {
    instruction.take_one_of({"L1::evict_normal", "L1::evict_unchanged", "L1::evict_first",
                             "L1::evict_last", "L1::no_allocate"});
  }
  constexpr unsigned widest = 32;
  if (access.bytes == widest) {
    instruction.take_one_of({"L2::evict_normal", "L2::evict_first", "L2::evict_last"});
  }
  take_cache_policy(decoder, instruction);
  return order;
}

// How much a load brings into the L2 cache, no program can see either.
void take_prefetch_size(Instruction& instruction, const AccessOrder& order,
                        std::string_view space) {
  const bool reaches_l2 = space.empty() || space == "global";
  if (!reaches_l2 || order.is_device) return;
  instruction.take_one_of({"L2::64B", "L2::128B", "L2::256B"});
}

// {.vec}.type, the size of an access.
void take_size(Instruction& instruction, MemoryAccess& access) {
  const ptx::Type type = instruction.take_type();
  access.element_bytes = static_cast<unsigned>(ptx::size_of(type));
  access.is_signed = is_signed(type);
  access.count = take_vector_width(instruction);
  access.bytes = access.element_bytes * access.count;
}

// The address. That of .param by a register is a kernel's own parameter, whose address `mov` gave;
// by a name, a parameter of a function or of a call, in the thread's local memory.
void decode_address(Decoder& decoder, const ptx::Operand& address, Effects::Memory does,
                    MemoryAccess& access) {
  decoder.memory(address, does, access);
  if (access.space == AddressSpace::parameter) {
    const bool is_of_kernel = address.base_is_register && decoder.function().is_entry;
    access.space = is_of_kernel ? AddressSpace::parameter : AddressSpace::local;
  }
  if (access.synchronizes() && access.space != AddressSpace::shared &&
      access.space != AddressSpace::local) {
    decoder.program().is_ordered = true;
  }
}

void decode_registers(Decoder& decoder, const ptx::Operand& value, MemoryAccess& access,
                      bool is_load) {
  const std::span<const ptx::Operand> elements = elements_of(value);
  if (elements.size() != access.count) refuse("has a vector of an unexpected length");
  access.register_bytes = access.element_bytes;
  for (const ptx::Operand& element : elements) {
    if (decoder.is_register(element)) access.register_bytes = decoder.register_bytes(element);
  }
  access.register_bytes = std::max(access.register_bytes, 2u);
  for (unsigned i = 0; i < access.count; ++i) {
    access.registers[i] = is_load ? decoder.destination(elements[i], access.register_bytes)
                                  : decoder.source(elements[i], access.register_bytes);
  }
}

// The address of a parameter is known now, and is not looked at again.
void require_parameters(const Decoder& decoder, const MemoryAccess& access) {
  const std::size_t size = decoder.parameter_bytes();
  const auto offset = static_cast<std::uint64_t>(access.address.offset);  // huge where negative
  if (offset <= size && access.bytes <= size - offset) return;
  refuse("reads " + std::to_string(access.bytes) + " bytes at " +
         std::to_string(access.address.offset) + " of the kernel's " + std::to_string(size) +
         " bytes of parameters");
}

// ld{.order}{.space}{.nc}{.cache hints}{.vec}.type d, [a] {, policy}
void decode_ld(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  MemoryAccess access;
  take_size(instruction, access);
  const std::string_view space =
      instruction.take_one_of({"global", "const", "shared", "shared::cta", "shared::cluster",
                               "local", "param", "param::entry", "param::func"});
  access.space = space_of(space);
  // What goes through the read-only cache, nobody writes while the kernel runs.
  const bool is_read_only = space == "global" && instruction.take("nc");
  const AccessOrder order =
      is_read_only
          ? take_cache_hints(decoder, instruction, {}, space, {"ca", "cg", "cs"}, access)
          : take_cache_hints(decoder, instruction,
                             take_access_order(instruction, space, {"acquire", Semantics::acquire}),
                             space, {"ca", "cg", "cs", "lu", "cv"}, access);
  take_prefetch_size(instruction, order, space);
  instruction.expect_operands(2);
  access.order = order.memory;
  access.is_constant = space == "const";
  decode_address(decoder, instruction.operand(1), Effects::Memory::load, access);
  decode_registers(decoder, instruction.operand(0), access, true);
  decoder.effects().is_read_only = is_read_only;
  const bool is_parameter = access.address.base == MemoryOperand::Base::kernel_parameter;
  if (is_parameter) require_parameters(decoder, access);
  const Direction direction =
      is_parameter
          ? (access.is_signed ? Direction::load_parameter_signed : Direction::load_parameter)
          : (access.is_signed ? Direction::load_signed : Direction::load);
  op.execute = by_size(direction, access.element_bytes, access.register_bytes);
  op.detail = decoder.program().keep(access);
}

// ldu{.global}{.vec}.type d, [a]: the address is the same in all lanes.
void decode_ldu(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  MemoryAccess access;
  take_size(instruction, access);
  access.space = space_of(instruction.take_one_of({"global"}));
  instruction.expect_operands(2);
  decode_address(decoder, instruction.operand(1), Effects::Memory::load, access);
  decode_registers(decoder, instruction.operand(0), access, true);
  op.execute = by_size(access.is_signed ? Direction::load_signed : Direction::load,
                       access.element_bytes, access.register_bytes);
  op.detail = decoder.program().keep(access);
}

// st{.order}{.space}{.cache hints}{.vec}.type [a], b {, policy}
void decode_st(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  MemoryAccess access;
  take_size(instruction, access);
  const std::string_view space = instruction.take_one_of(
      {"global", "shared", "shared::cta", "shared::cluster", "local", "param", "param::func"});
  access.space = space_of(space);
  const AccessOrder order = take_cache_hints(
      decoder, instruction, take_access_order(instruction, space, {"release", Semantics::release}),
      space, {"wb", "cg", "cs", "wt"}, access);
  instruction.expect_operands(2);
  access.order = order.memory;
  decode_address(decoder, instruction.operand(0), Effects::Memory::store, access);
  decode_registers(decoder, instruction.operand(1), access, false);
  op.execute = by_size(Direction::store, access.element_bytes, access.register_bytes);
  op.detail = decoder.program().keep(access);
}

constexpr Definition table[] = {
    {"ld", decode_ld},
    {"ldu", decode_ldu},
    {"st", decode_st},
};

}  // namespace

std::span<const Definition> memory_definitions() {
  return table;
}

}  // namespace tmaemu
