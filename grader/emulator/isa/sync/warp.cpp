// PTX ISA, warp-level instructions: shfl, vote, match, redux, elect, activemask, bar.warp.
#include <algorithm>
#include <array>
#include <bit>
#include <span>

#include "common/hexadecimal.h"
#include "contract/findings/sentences.h"
#include "emulator/isa/report.h"
#include "emulator/isa/sync/convergence.h"
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

// PTX ISA, "shfl.sync" and others: the executing lane is to be one of the members.
[[gnu::noinline]] void report_outside(const Warp& warp, const Operation& op, LaneMask lanes,
                                      LaneMask members) {
  const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
  report(warp, finding_at(warp, op, lane, Sentence::lane_outside_of_mask,
                          {common::hexadecimal(members)}));
}

void tell_exchange(Warp& warp, const Operation& op, LaneMask lanes, LaneMask members) {
  if (Observer* const observer = warp.cta().cluster.observer(); observer != nullptr) {
    observer->exchanges({warp.id(), op.site, lanes, members});
  }
}

[[gnu::noinline]] void tell_absent_lane(Warp& warp, const Operation& op, LaneMask lanes,
                                        LaneMask members, unsigned reader, unsigned source) {
  if (Observer* const observer = warp.cta().cluster.observer(); observer != nullptr) {
    observer->reads_absent_lane({warp.id(), op.site, lanes, members}, reader, source);
  }
}

// The .sync forms: the lanes that the member mask names meet before any of them goes on; then they
// exchange, once for all of them.
template <void (*exchange)(Warp&, Arrivals), Slot Operation::*mask>
const Operation* meet(Warp& warp, const Operation& op, LaneMask lanes) {
  const u32* masks = warp.lanes<u32>(op.*mask);
  const Operation* next = &op + 1;
  for (LaneMask same = 0; lanes != 0; lanes &= ~same) {
    same = naming_the_same(masks, lanes);
    const LaneMask members = masks[std::countr_zero(lanes)];
    if ((same & ~members) != 0) report_outside(warp, op, same & ~members, members);
    const auto exchange_once = [&](Arrivals arrivals) {
      exchange(warp, arrivals);
      tell_exchange(warp, op, lanes_of(arrivals), members);
      return resume(warp, arrivals, {});
    };
    const Wait for_others{Wait::Kind::warp, 0, 0, members, op.execute};
    next = execute_together(warp, op, same, for_others, exchange_once);
  }
  return next;
}

// An operand of all lanes; of one that takes no part in the exchange, what the frame of the first
// arrival holds.
template <class T>
std::array<T, warp_size> gather(Arrivals arrivals, Slot Operation::*operand) {
  std::array<T, warp_size> values;
  const Arrival& first = arrivals.front();
  std::copy_n(first.frame->lanes<T>(first.op->*operand), warp_size, values.begin());
  for (const Arrival& arrival : arrivals.subspan(1)) {
    const T* own = arrival.frame->lanes<T>(arrival.op->*operand);
    for (LaneMask rest = arrival.lanes; rest != 0; rest &= rest - 1) {
      values[std::countr_zero(rest)] = own[std::countr_zero(rest)];
    }
  }
  return values;
}

// One result for all of them.
template <class T>
void write(Arrivals arrivals, T result) {
  for (const Arrival& arrival : arrivals) {
    T* d = arrival.frame->lanes<T>(arrival.op->d);
    for_lanes(arrival.lanes, [&](unsigned lane) { d[lane] = result; });
  }
}

void set_predicate(const Arrival& arrival, Slot slot, LaneMask holds) {
  write_lanes(*arrival.frame->lanes<LaneMask>(slot), holds, arrival.lanes);
}

void note_convergence(Decoder& decoder, Effects::Convergence convergence) {
  decoder.effects().acts = true;
  decoder.effects().convergence = convergence;
}

// bar.warp.sync
void synchronize_lanes(Warp& warp, Arrivals arrivals) {
  warp.synchronize(lanes_of(arrivals));
}
void decode_bar_warp(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  instruction.expect_operands(1);
  note_convergence(decoder, Effects::Convergence::wait);
  op.a = decoder.source(instruction.operand(0), 4);
  op.execute = meet<synchronize_lanes, &Operation::a>;
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
void shuffle(Warp& warp, Arrivals arrivals) {
  const std::array<u32, warp_size> values = gather<u32>(arrivals, &Operation::a);
  const LaneMask present = lanes_of(arrivals);
  for (const Arrival& arrival : arrivals) {
    const Operation& op = *arrival.op;
    const u32* b = arrival.frame->lanes<u32>(op.b);
    const u32* c = arrival.frame->lanes<u32>(op.c);
    const u32* members = arrival.frame->lanes<u32>(op.e);
    u32* d = arrival.frame->lanes<u32>(op.d);
    LaneMask valid = 0;
    for (LaneMask rest = arrival.lanes; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      const Source source = shuffle_source(mode, lane, b[lane], c[lane]);
      if ((present >> source.lane & 1u) == 0) {
        tell_absent_lane(warp, op, present, members[lane], lane, source.lane);
      }
      d[lane] = values[source.lane];
      valid |= LaneMask{source.in_range} << lane;
    }
    if (op.immediate >= 0) set_predicate(arrival, static_cast<Slot>(op.immediate), valid);
  }
}

// shfl.sync.mode.b32 d{|p}, a, b, c, members
void decode_shfl(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  static constexpr Choice<Handler> modes[] = {
      {"up", meet<shuffle<Shuffle::up>, &Operation::e>},
      {"down", meet<shuffle<Shuffle::down>, &Operation::e>},
      {"bfly", meet<shuffle<Shuffle::butterfly>, &Operation::e>},
      {"idx", meet<shuffle<Shuffle::index>, &Operation::e>},
  };
  instruction.require("sync");
  instruction.require("b32");
  op.execute = instruction.require_one_of(modes, "mode");
  instruction.expect_operands(5);
  note_convergence(decoder, Effects::Convergence::shuffle);
  decoder.effects().shuffles_down = op.execute == meet<shuffle<Shuffle::down>, &Operation::e>;
  const auto in_range = decoder.second_destination(instruction.operand(0), 0);
  op.d = decoder.first_destination(instruction.operand(0), 4);
  op.a = decoder.source(instruction.operand(1), 4);
  op.b = decoder.source(instruction.operand(2), 4);
  op.c = decoder.source(instruction.operand(3), 4);
  op.e = decoder.source(instruction.operand(4), 4);
  op.immediate = in_range ? s64{*in_range} : -1;
}

enum class Vote { all, any, uniform, ballot };

template <Vote mode>
void vote(Warp&, Arrivals arrivals) {
  const LaneMask lanes = lanes_of(arrivals);
  LaneMask yes = 0;
  for (const Arrival& arrival : arrivals) {
    const LaneMask negated = static_cast<LaneMask>(arrival.op->immediate);
    yes |= (*arrival.frame->lanes<LaneMask>(arrival.op->a) ^ negated) & arrival.lanes;
  }
  if constexpr (mode == Vote::ballot) {
    write(arrivals, yes);
  } else {
    const bool result = mode == Vote::all   ? yes == lanes
                        : mode == Vote::any ? yes != 0
                                            : yes == lanes || yes == 0;
    for (const Arrival& arrival : arrivals)
      set_predicate(arrival, arrival.op->d, result ? all_lanes : 0);
  }
}

// vote.sync.{all,any,uni}.pred d, {!}a, members and vote.sync.ballot.b32 d, {!}a, members
void decode_vote(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  static constexpr Choice<Handler> modes[] = {
      {"all", meet<vote<Vote::all>, &Operation::b>},
      {"any", meet<vote<Vote::any>, &Operation::b>},
      {"uni", meet<vote<Vote::uniform>, &Operation::b>},
  };
  instruction.require("sync");
  const bool ballots = instruction.take("ballot");
  op.execute =
      ballots ? meet<vote<Vote::ballot>, &Operation::b> : instruction.require_one_of(modes, "mode");
  instruction.require(ballots ? "b32" : "pred");
  instruction.expect_operands(3);
  note_convergence(decoder, Effects::Convergence::exchange);
  op.d = decoder.destination(instruction.operand(0), ballots ? 4 : 0);
  op.a = decoder.predicate(instruction.operand(1));
  op.immediate = instruction.operand(1).negated ? static_cast<s64>(all_lanes) : 0;
  op.b = decoder.source(instruction.operand(2), 4);
}

// elect.sync d|p, membermask: one lane of the mask is the leader, the lowest.
void elect(Warp&, Arrivals arrivals) {
  const auto leader = static_cast<unsigned>(std::countr_zero(lanes_of(arrivals)));
  write(arrivals, u32{leader});
  for (const Arrival& arrival : arrivals)
    set_predicate(arrival, arrival.op->b, LaneMask{1} << leader);
}
void decode_elect(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  instruction.expect_operands(2);
  note_convergence(decoder, Effects::Convergence::wait);
  const auto predicate = decoder.second_destination(instruction.operand(0), 0);
  if (!predicate) refuse("needs a predicate destination");
  op.d = decoder.first_destination(instruction.operand(0), 4);
  op.b = *predicate;
  op.a = decoder.source(instruction.operand(1), 4);
  op.execute = meet<elect, &Operation::a>;
}

const Operation* active_mask(Warp& warp, const Operation& op, LaneMask lanes) {
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    warp.lanes<u32>(op.d)[std::countr_zero(rest)] = lanes;
  }
  return &op + 1;
}
void decode_activemask(Decoder& decoder, Instruction& instruction, Operation& op,
                       const Definition&) {
  instruction.require("b32");
  instruction.expect_operands(1);
  op.d = decoder.destination(instruction.operand(0), 4);
  op.execute = active_mask;
}

// redux.sync: one reduction over the values of all members.
template <class T, auto combine>
void redux(Warp&, Arrivals arrivals) {
  const std::array<T, warp_size> values = gather<T>(arrivals, &Operation::a);
  LaneMask rest = lanes_of(arrivals);
  T result = values[std::countr_zero(rest)];
  for (rest &= rest - 1; rest != 0; rest &= rest - 1) {
    result = combine(result, values[std::countr_zero(rest)]);
  }
  write(arrivals, result);
}

template <class T, auto combine>
constexpr Handler redux_handler = meet<redux<T, combine>, &Operation::b>;

template <class T>
constexpr Choice<Handler> arithmetic_reductions[] = {
    {"add", redux_handler<T, [](T a, T b) { return static_cast<T>(u32(a) + u32(b)); }>},
    {"min", redux_handler<T, [](T a, T b) { return std::min(a, b); }>},
    {"max", redux_handler<T, [](T a, T b) { return std::max(a, b); }>},
};
constexpr Choice<Handler> bit_reductions[] = {
    {"and", redux_handler<u32, [](u32 a, u32 b) { return a & b; }>},
    {"or", redux_handler<u32, [](u32 a, u32 b) { return a | b; }>},
    {"xor", redux_handler<u32, [](u32 a, u32 b) { return a ^ b; }>},
};

Handler take_redux(Instruction& instruction) {
  if (instruction.take("s32")) {
    return instruction.require_one_of(arithmetic_reductions<s32>, "operation");
  }
  if (instruction.take("u32")) {
    return instruction.require_one_of(arithmetic_reductions<u32>, "operation");
  }
  instruction.require("b32");
  return instruction.require_one_of(bit_reductions, "operation");
}

// redux.sync.op.type d, a, members
void decode_redux(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  op.execute = take_redux(instruction);
  instruction.expect_operands(3);
  note_convergence(decoder, Effects::Convergence::exchange);
  op.d = decoder.destination(instruction.operand(0), 4);
  op.a = decoder.source(instruction.operand(1), 4);
  op.b = decoder.source(instruction.operand(2), 4);
}

// match.any: the members whose value is that of the lane. match.all: all members, if their values
// agree, else none; the predicate says which.
template <class T, bool all>
void match(Warp&, Arrivals arrivals) {
  const LaneMask lanes = lanes_of(arrivals);
  const std::array<T, warp_size> values = gather<T>(arrivals, &Operation::a);
  for (const Arrival& arrival : arrivals) {
    u32* d = arrival.frame->lanes<u32>(arrival.op->d);
    LaneMask agreeing = 0;
    for (LaneMask rest = arrival.lanes; rest != 0; rest &= rest - 1) {
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
    if (all && arrival.op->immediate >= 0) {
      set_predicate(arrival, static_cast<Slot>(arrival.op->immediate), agreeing);
    }
  }
}

// match.any.sync.type d, a, members and match.all.sync.type d{|p}, a, members
template <bool all>
void decode_match(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  instruction.require("sync");
  const bool is_wide = instruction.take("b64");
  if (!is_wide) instruction.require("b32");
  instruction.expect_operands(3);
  note_convergence(decoder, Effects::Convergence::exchange);
  const ptx::Operand& destination = instruction.operand(0);
  op.d = all ? decoder.first_destination(destination, 4) : decoder.destination(destination, 4);
  const auto agrees = decoder.second_destination(destination, 0);
  op.immediate = agrees ? s64{*agrees} : -1;
  op.a = decoder.source(instruction.operand(1), is_wide ? 8 : 4);
  op.b = decoder.source(instruction.operand(2), 4);
  op.execute =
      is_wide ? meet<match<u64, all>, &Operation::b> : meet<match<u32, all>, &Operation::b>;
}

constexpr Definition table[] = {
    {"bar.warp.sync", decode_bar_warp},
    {"shfl", decode_shfl},
    {"vote", decode_vote},
    {"elect.sync", decode_elect},
    {"activemask", decode_activemask},
    {"redux.sync", decode_redux},
    {"match.any", decode_match<false>},
    {"match.all", decode_match<true>},
};

}  // namespace

std::span<const Definition> warp_definitions() {
  return table;
}

}  // namespace tmaemu
