// PTX ISA, warp-level instructions: shfl, vote, match, redux, elect, activemask, bar.warp.
#include <algorithm>
#include <array>
#include <bit>
#include <span>

#include "emulator/isa/lanes.h"
#include "emulator/sched/cluster.h"

namespace tmaemu {
namespace {

// Those of `lanes` that name the members which the lowest of them names. Lanes of one warp that
// come together may name different members, as the tiles of a partition do: each set meets and
// exchanges by itself.
LaneMask naming_the_same(const u32* masks, LaneMask lanes) {
  const u32 members = masks[std::countr_zero(lanes)];
  LaneMask same = 0;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    same |= LaneMask{masks[lane] == members} << lane;
  }
  return same & lanes;
}

using Parties = std::span<const Party>;

// The .sync forms: the lanes that the member mask names meet before any of them goes on; then they
// exchange, once for all of them.
template <void (*exchange)(Warp&, Parties), Slot Operation::*mask>
const Operation* meet(Warp& warp, const Operation& op, LaneMask lanes) {
  const u32* masks = warp.lanes<u32>(op.*mask);
  const LaneMask live = warp.live();
  const Operation* next = &op + 1;
  for (LaneMask same = 0; lanes != 0; lanes &= ~same) {
    same = naming_the_same(masks, lanes);
    const LaneMask members = masks[std::countr_zero(lanes)];
    if ((members & live & ~same) == 0) {
      const Party all{&warp.frame(), &op, same};
      exchange(warp, {&all, 1});
    } else if (const auto parties = warp.meet(op, same, members); !parties.empty()) {
      exchange(warp, parties);
      warp.part(parties);
    } else {
      next = warp.block(op, same, {Wait::Kind::warp, 0, 0, members, op.execute}, &op);
    }
  }
  return next;
}

LaneMask lanes_of(Parties parties) {
  LaneMask lanes = 0;
  for (const Party& party : parties) lanes |= party.lanes;
  return lanes;
}

// An operand of all lanes; of one that is no party to the exchange, what the first party's frame
// holds.
template <class T>
std::array<T, warp_size> gather(Parties parties, Slot Operation::*operand) {
  std::array<T, warp_size> values;
  const Party& first = parties.front();
  std::copy_n(first.frame->lanes<T>(first.op->*operand), warp_size, values.begin());
  for (const Party& party : parties.subspan(1)) {
    const T* own = party.frame->lanes<T>(party.op->*operand);
    for (LaneMask rest = party.lanes; rest != 0; rest &= rest - 1) {
      values[std::countr_zero(rest)] = own[std::countr_zero(rest)];
    }
  }
  return values;
}

// One result for all of them.
template <class T>
void write(Parties parties, T result) {
  for (const Party& party : parties) {
    T* d = party.frame->lanes<T>(party.op->d);
    for_lanes(party.lanes, [&](unsigned lane) { d[lane] = result; });
  }
}

void set_predicate(const Party& party, Slot slot, LaneMask holds) {
  LaneMask& p = *party.frame->lanes<LaneMask>(slot);
  p = (p & ~party.lanes) | (holds & party.lanes);
}

// bar.warp.sync
void synchronise(Warp& warp, Parties parties) {
  warp.synchronise(lanes_of(parties));
}
void decode_bar_warp(Decoder& decoder, const ptx::Instruction& instruction, Operation& op,
                     const Definition&) {
  if (instruction.operands.size() != 1) Decoder::refuse("needs a member mask");
  op.a = decoder.source(instruction.operands[0], 4);
  op.execute = meet<synchronise, &Operation::a>;
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
void shuffle(Warp&, Parties parties) {
  const std::array<u32, warp_size> values = gather<u32>(parties, &Operation::a);
  for (const Party& party : parties) {
    const Operation& op = *party.op;
    const u32* b = party.frame->lanes<u32>(op.b);
    const u32* c = party.frame->lanes<u32>(op.c);
    u32* d = party.frame->lanes<u32>(op.d);
    LaneMask valid = 0;
    for (LaneMask rest = party.lanes; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      const Source source = shuffle_source(mode, lane, b[lane], c[lane]);
      d[lane] = values[source.lane];
      valid |= LaneMask{source.in_range} << lane;
    }
    if (op.immediate >= 0) set_predicate(party, static_cast<Slot>(op.immediate), valid);
  }
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
    op.execute = meet<shuffle<Shuffle::up>, &Operation::e>;
  } else if (has_modifier(instruction, "down")) {
    op.execute = meet<shuffle<Shuffle::down>, &Operation::e>;
  } else if (has_modifier(instruction, "bfly")) {
    op.execute = meet<shuffle<Shuffle::butterfly>, &Operation::e>;
  } else if (has_modifier(instruction, "idx")) {
    op.execute = meet<shuffle<Shuffle::index>, &Operation::e>;
  } else {
    Decoder::refuse("names no mode");
  }
}

enum class Vote { all, any, uniform, ballot };

template <Vote mode>
void vote(Warp&, Parties parties) {
  const LaneMask lanes = lanes_of(parties);
  LaneMask yes = 0;
  for (const Party& party : parties) {
    const LaneMask negated = static_cast<LaneMask>(party.op->immediate);
    yes |= (*party.frame->lanes<LaneMask>(party.op->a) ^ negated) & party.lanes;
  }
  if constexpr (mode == Vote::ballot) {
    write(parties, yes);
  } else {
    const bool result = mode == Vote::all   ? yes == lanes
                        : mode == Vote::any ? yes != 0
                                            : yes == lanes || yes == 0;
    for (const Party& party : parties) set_predicate(party, party.op->d, result ? all_lanes : 0);
  }
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
  op.execute = ballots                            ? meet<vote<Vote::ballot>, &Operation::b>
               : has_modifier(instruction, "all") ? meet<vote<Vote::all>, &Operation::b>
               : has_modifier(instruction, "any") ? meet<vote<Vote::any>, &Operation::b>
                                                  : meet<vote<Vote::uniform>, &Operation::b>;
}

// elect.sync d|p, membermask: one lane of the mask is the leader, the lowest.
void elect(Warp&, Parties parties) {
  const auto leader = static_cast<unsigned>(std::countr_zero(lanes_of(parties)));
  write(parties, u32{leader});
  for (const Party& party : parties) set_predicate(party, party.op->b, LaneMask{1} << leader);
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
  op.execute = meet<elect, &Operation::a>;
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
void redux(Warp&, Parties parties) {
  const std::array<T, warp_size> values = gather<T>(parties, &Operation::a);
  LaneMask rest = lanes_of(parties);
  T result = values[std::countr_zero(rest)];
  for (rest &= rest - 1; rest != 0; rest &= rest - 1) {
    result = combine(result, values[std::countr_zero(rest)]);
  }
  write(parties, result);
}

Handler redux_handler(const ptx::Instruction& instruction) {
  const ptx::Type type = type_of(instruction);
  const bool is_signed = type == ptx::Type::s32;
  if (!is_signed && type != ptx::Type::u32 && type != ptx::Type::b32) {
    Decoder::refuse("of this type is not for sm_90");
  }
  const std::string_view operation = instruction.parts[2];
  if (operation == "add")
    return meet<redux<u32, [](u32 a, u32 b) { return a + b; }>, &Operation::b>;
  if (operation == "and")
    return meet<redux<u32, [](u32 a, u32 b) { return a & b; }>, &Operation::b>;
  if (operation == "or") return meet<redux<u32, [](u32 a, u32 b) { return a | b; }>, &Operation::b>;
  if (operation == "xor")
    return meet<redux<u32, [](u32 a, u32 b) { return a ^ b; }>, &Operation::b>;
  if (operation == "min") {
    return is_signed ? meet<redux<s32, [](s32 a, s32 b) { return std::min(a, b); }>, &Operation::b>
                     : meet<redux<u32, [](u32 a, u32 b) { return std::min(a, b); }>, &Operation::b>;
  }
  if (operation == "max") {
    return is_signed ? meet<redux<s32, [](s32 a, s32 b) { return std::max(a, b); }>, &Operation::b>
                     : meet<redux<u32, [](u32 a, u32 b) { return std::max(a, b); }>, &Operation::b>;
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
void match(Warp&, Parties parties) {
  const LaneMask lanes = lanes_of(parties);
  const std::array<T, warp_size> values = gather<T>(parties, &Operation::a);
  for (const Party& party : parties) {
    u32* d = party.frame->lanes<u32>(party.op->d);
    LaneMask agreeing = 0;
    for (LaneMask rest = party.lanes; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      LaneMask equal = 0;
      for (LaneMask others = lanes; others != 0; others &= others - 1) {
        const auto other = static_cast<unsigned>(std::countr_zero(others));
        equal |= LaneMask{values[other] == values[lane]} << other;
      }
      const bool agrees = equal == lanes;
      agreeing |= LaneMask{agrees} << lane;
      d[lane] = all && !agrees ? 0 : equal;
    }
    if (all && party.op->immediate >= 0) {
      set_predicate(party, static_cast<Slot>(party.op->immediate), agreeing);
    }
  }
}

void decode_match(Decoder& decoder, const ptx::Instruction& instruction, Operation& op,
                  const Definition&) {
  if (instruction.operands.size() != 3) Decoder::refuse("needs three operands");
  const bool all = has_modifier(instruction, "all");
  if (!all && !has_modifier(instruction, "any")) Decoder::refuse("names no mode");
  const auto bytes = static_cast<unsigned>(ptx::size_of(type_of(instruction)));
  if (bytes != 4 && bytes != 8) Decoder::refuse("has a type that is not modeled");
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
  op.execute = bytes == 4 ? all ? meet<match<u32, true>, &Operation::b>
                                : meet<match<u32, false>, &Operation::b>
               : all ? meet<match<u64, true>, &Operation::b>
                          : meet<match<u64, false>, &Operation::b>;
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
