// PTX ISA, warp-level instructions: shfl, vote, match, redux, elect, activemask, bar.warp.
#include <algorithm>
#include <bit>

#include "emulator/isa/lanes.h"
#include "emulator/sched/cta.h"

namespace tmaemu {
namespace {

// The .sync forms: the lanes that the member mask names meet before any of them goes on. Null
// where all that live are here; otherwise what execute() is to return.
const Operation* meet(Warp& warp, const Operation& op, LaneMask lanes, LaneMask members) {
  if ((members & warp.live() & ~lanes) == 0) return nullptr;
  return warp.block(op, lanes, {Wait::Kind::warp, 0, 0, members}, &op);
}

LaneMask member_mask(Warp& warp, Slot slot, LaneMask lanes) {
  return warp.lanes<u32>(slot)[std::countr_zero(lanes)];
}

// bar.warp.sync: lanes may come from different places in the program, so they go on from where
// they are when all have come, and do not meet at one instruction.
const Operation* warp_barrier(Warp& warp, const Operation& op, LaneMask lanes) {
  const LaneMask members = member_mask(warp, op.a, lanes);
  warp.synchronise(members);
  if ((members & warp.live() & ~lanes) == 0) return &op + 1;
  return warp.block(op, lanes, {Wait::Kind::warp, 0, 0, members}, &op + 1);
}
void decode_bar_warp(Decoder& decoder, const ptx::Instruction& instruction, Operation& op,
                     const Definition&) {
  if (instruction.operands.size() != 1) Decoder::refuse("needs a member mask");
  op.a = decoder.source(instruction.operands[0], 4);
  op.execute = warp_barrier;
}

enum class Shuffle { up, down, butterfly, index };

// The lane that `lane` reads from, and whether it is in range. PTX ISA, "shfl.sync": `b` is the
// distance or lane, `c` holds the clamp value and, above it, the segment mask.
struct Source {
  unsigned lane;
  bool in_range;
};
Source shuffle_source(Shuffle mode, unsigned lane, u32 b, u32 c) {
  const s32 distance = static_cast<s32>(b & 0x1F);
  const u32 clamp = c & 0x1F;
  const u32 segment = c >> 8 & 0x1F;
  const s32 own = static_cast<s32>(lane);
  const s32 last = static_cast<s32>((lane & segment) | (clamp & ~segment));
  const s32 first = static_cast<s32>(lane & segment);
  s32 from = own;
  bool in_range = false;
  switch (mode) {
    case Shuffle::up:
      from = own - distance;
      in_range = from >= last;
      break;
    case Shuffle::down:
      from = own + distance;
      in_range = from <= last;
      break;
    case Shuffle::butterfly:
      from = own ^ distance;
      in_range = from <= last;
      break;
    case Shuffle::index:
      from = first | (distance & static_cast<s32>(~segment & 0x1F));
      in_range = from <= last;
      break;
  }
  return {static_cast<unsigned>(in_range ? from : own), in_range};
}

template <Shuffle mode>
const Operation* shuffle(Warp& warp, const Operation& op, LaneMask lanes) {
  const LaneMask members = member_mask(warp, op.e, lanes);
  if (const Operation* waiting = meet(warp, op, lanes, members)) return waiting;
  const u32* a = warp.lanes<u32>(op.a);
  std::array<u32, warp_size> result;
  LaneMask valid = 0;
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const Source source =
        shuffle_source(mode, lane, warp.lanes<u32>(op.b)[lane], warp.lanes<u32>(op.c)[lane]);
    result[lane] = a[source.lane];
    valid |= LaneMask{source.in_range} << lane;
  }
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    warp.lanes<u32>(op.d)[lane] = result[lane];
  }
  if (op.immediate >= 0) {
    LaneMask& p = warp.predicate(static_cast<Slot>(op.immediate));
    p = (p & ~lanes) | valid;
  }
  return &op + 1;
}

void decode_shfl(Decoder& decoder, const ptx::Instruction& instruction, Operation& op,
                 const Definition&) {
  if (!has_modifier(instruction, "sync")) Decoder::refuse("without .sync is not for sm_90");
  if (instruction.operands.size() != 5) Decoder::refuse("needs five operands");
  ptx::Operand destination = instruction.operands[0];
  op.immediate = -1;
  if (!destination.second_name.empty()) {
    ptx::Operand predicate = destination;
    predicate.name = destination.second_name;
    predicate.second_name = {};
    op.immediate = decoder.destination(predicate, 0);
  }
  op.d = decoder.destination(destination, 4);
  op.a = decoder.source(instruction.operands[1], 4);
  op.b = decoder.source(instruction.operands[2], 4);
  op.c = decoder.source(instruction.operands[3], 4);
  op.e = decoder.source(instruction.operands[4], 4);
  if (has_modifier(instruction, "up")) {
    op.execute = shuffle<Shuffle::up>;
  } else if (has_modifier(instruction, "down")) {
    op.execute = shuffle<Shuffle::down>;
  } else if (has_modifier(instruction, "bfly")) {
    op.execute = shuffle<Shuffle::butterfly>;
  } else if (has_modifier(instruction, "idx")) {
    op.execute = shuffle<Shuffle::index>;
  } else {
    Decoder::refuse("names no mode");
  }
}

enum class Vote { all, any, uniform, ballot };

template <Vote mode>
const Operation* vote(Warp& warp, const Operation& op, LaneMask lanes) {
  const LaneMask members = member_mask(warp, op.b, lanes);
  if (const Operation* waiting = meet(warp, op, lanes, members)) return waiting;
  const LaneMask voters = members & lanes;
  const LaneMask yes = (warp.predicate(op.a) ^ static_cast<LaneMask>(op.immediate)) & voters;
  if constexpr (mode == Vote::ballot) {
    for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
      warp.lanes<u32>(op.d)[std::countr_zero(rest)] = yes;
    }
  } else {
    const bool result = mode == Vote::all   ? yes == voters
                        : mode == Vote::any ? yes != 0
                                            : yes == voters || yes == 0;
    LaneMask& d = warp.predicate(op.d);
    d = result ? d | lanes : d & ~lanes;
  }
  return &op + 1;
}

void decode_vote(Decoder& decoder, const ptx::Instruction& instruction, Operation& op,
                 const Definition&) {
  if (!has_modifier(instruction, "sync")) Decoder::refuse("without .sync is not for sm_90");
  if (instruction.operands.size() != 3) Decoder::refuse("needs three operands");
  const bool ballots = has_modifier(instruction, "ballot");
  op.d = decoder.destination(instruction.operands[0], ballots ? 4 : 0);
  op.a = decoder.predicate(instruction.operands[1]);
  op.immediate = instruction.operands[1].negated ? static_cast<s64>(all_lanes) : 0;
  op.b = decoder.source(instruction.operands[2], 4);
  op.execute = ballots                            ? vote<Vote::ballot>
               : has_modifier(instruction, "all") ? vote<Vote::all>
               : has_modifier(instruction, "any") ? vote<Vote::any>
                                                  : vote<Vote::uniform>;
}

// elect.sync d|p, membermask: one lane of the mask is the leader, the lowest.
const Operation* elect(Warp& warp, const Operation& op, LaneMask lanes) {
  const LaneMask members = member_mask(warp, op.a, lanes);
  if (const Operation* waiting = meet(warp, op, lanes, members)) return waiting;
  const LaneMask candidates = members & lanes;
  const auto leader = static_cast<unsigned>(std::countr_zero(candidates));
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    warp.lanes<u32>(op.d)[std::countr_zero(rest)] = leader;
  }
  LaneMask& p = warp.predicate(op.b);
  p = (p & ~lanes) | (LaneMask{1} << leader & lanes);
  return &op + 1;
}
void decode_elect(Decoder& decoder, const ptx::Instruction& instruction, Operation& op,
                  const Definition&) {
  if (instruction.operands.size() != 2) Decoder::refuse("needs a destination and a member mask");
  ptx::Operand predicate = instruction.operands[0];
  if (predicate.second_name.empty()) Decoder::refuse("needs a predicate destination");
  predicate.kind = ptx::Operand::Kind::reg;
  predicate.name = predicate.second_name;
  ptx::Operand leader = instruction.operands[0];
  leader.second_name = {};
  op.d = leader.name == "_" || leader.kind == ptx::Operand::Kind::sink
             ? decoder.sink(4)
             : decoder.destination(leader, 4);
  op.b = decoder.destination(predicate, 0);
  op.a = decoder.source(instruction.operands[1], 4);
  op.execute = elect;
}

const Operation* active_mask(Warp& warp, const Operation& op, LaneMask lanes) {
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    warp.lanes<u32>(op.d)[std::countr_zero(rest)] = lanes;
  }
  return &op + 1;
}
void decode_activemask(Decoder& decoder, const ptx::Instruction& instruction, Operation& op,
                       const Definition&) {
  if (instruction.operands.size() != 1) Decoder::refuse("needs a destination");
  op.d = decoder.destination(instruction.operands[0], 4);
  op.execute = active_mask;
}

// redux.sync: one reduction over the values of all members.
template <class T, auto combine>
const Operation* redux(Warp& warp, const Operation& op, LaneMask lanes) {
  const LaneMask members = member_mask(warp, op.b, lanes);
  if (const Operation* waiting = meet(warp, op, lanes, members)) return waiting;
  LaneMask rest = members & lanes;
  T result = warp.lanes<T>(op.a)[std::countr_zero(rest)];
  for (rest &= rest - 1; rest != 0; rest &= rest - 1) {
    result = combine(result, warp.lanes<T>(op.a)[std::countr_zero(rest)]);
  }
  for (; lanes != 0; lanes &= lanes - 1) warp.lanes<T>(op.d)[std::countr_zero(lanes)] = result;
  return &op + 1;
}

Handler redux_handler(const ptx::Instruction& instruction) {
  const ptx::Type type = type_of(instruction);
  const bool is_signed = type == ptx::Type::s32;
  if (!is_signed && type != ptx::Type::u32 && type != ptx::Type::b32) {
    Decoder::refuse("of this type is not for sm_90");
  }
  const std::string_view operation = instruction.parts[2];
  if (operation == "add") return redux<u32, [](u32 a, u32 b) { return a + b; }>;
  if (operation == "and") return redux<u32, [](u32 a, u32 b) { return a & b; }>;
  if (operation == "or") return redux<u32, [](u32 a, u32 b) { return a | b; }>;
  if (operation == "xor") return redux<u32, [](u32 a, u32 b) { return a ^ b; }>;
  if (operation == "min") {
    return is_signed ? redux<s32, [](s32 a, s32 b) { return std::min(a, b); }>
                     : redux<u32, [](u32 a, u32 b) { return std::min(a, b); }>;
  }
  if (operation == "max") {
    return is_signed ? redux<s32, [](s32 a, s32 b) { return std::max(a, b); }>
                     : redux<u32, [](u32 a, u32 b) { return std::max(a, b); }>;
  }
  Decoder::refuse("names no operation");
}
void decode_redux(Decoder& decoder, const ptx::Instruction& instruction, Operation& op,
                  const Definition&) {
  if (instruction.operands.size() != 3 || instruction.parts.size() < 4) {
    Decoder::refuse("needs three operands");
  }
  op.d = decoder.destination(instruction.operands[0], 4);
  op.a = decoder.source(instruction.operands[1], 4);
  op.b = decoder.source(instruction.operands[2], 4);
  op.execute = redux_handler(instruction);
}

// match.any: the members whose value is that of the lane. match.all: all members, if their values
// agree, else none; the predicate says which.
template <class T, bool all>
const Operation* match(Warp& warp, const Operation& op, LaneMask lanes) {
  const LaneMask members = member_mask(warp, op.b, lanes);
  if (const Operation* waiting = meet(warp, op, lanes, members)) return waiting;
  const T* a = warp.lanes<T>(op.a);
  std::array<LaneMask, warp_size> equal{};
  const LaneMask present = members & lanes;
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    for (LaneMask others = present; others != 0; others &= others - 1) {
      const auto other = static_cast<unsigned>(std::countr_zero(others));
      equal[lane] |= LaneMask{a[other] == a[lane]} << other;
    }
  }
  LaneMask agreeing = 0;
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const bool agrees = equal[lane] == present;
    agreeing |= LaneMask{agrees} << lane;
    warp.lanes<u32>(op.d)[lane] = all && !agrees ? 0 : equal[lane];
  }
  if (all && op.immediate >= 0) {
    LaneMask& p = warp.predicate(static_cast<Slot>(op.immediate));
    p = (p & ~lanes) | agreeing;
  }
  return &op + 1;
}

void decode_match(Decoder& decoder, const ptx::Instruction& instruction, Operation& op,
                  const Definition&) {
  if (instruction.operands.size() != 3) Decoder::refuse("needs three operands");
  const bool all = has_modifier(instruction, "all");
  if (!all && !has_modifier(instruction, "any")) Decoder::refuse("names no mode");
  const auto bytes = static_cast<unsigned>(ptx::size_of(type_of(instruction)));
  if (bytes != 4 && bytes != 8) Decoder::refuse("has a type that is not modelled");
  ptx::Operand destination = instruction.operands[0];
  op.immediate = -1;
  if (!destination.second_name.empty() && destination.second_name != "_") {
    ptx::Operand predicate;
    predicate.kind = ptx::Operand::Kind::reg;
    predicate.name = destination.second_name;
    op.immediate = decoder.destination(predicate, 0);
  }
  destination.second_name = {};
  op.d = decoder.destination(destination, 4);
  op.a = decoder.source(instruction.operands[1], bytes);
  op.b = decoder.source(instruction.operands[2], 4);
  op.execute = bytes == 4 ? (all ? match<u32, true> : match<u32, false>)
                          : (all ? match<u64, true> : match<u64, false>);
}

constexpr Definition table[] = {
    {"bar.warp.sync", decode_bar_warp},
    {"shfl", decode_shfl},
    {"vote", decode_vote},
    {"elect.sync", decode_elect},
    {"activemask", decode_activemask},
    {"redux.sync", decode_redux},
    {"match", decode_match},
};

}  // namespace

std::span<const Definition> warp_definitions() {
  return table;
}

}  // namespace tmaemu
