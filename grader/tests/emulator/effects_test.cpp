// What the decoder says that an instruction reads and writes is what it reads and writes: an
// instruction of every row of the tables is executed, with each of its registers holding this and
// that.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "emulator/device/device.h"
#include "emulator/device/module.h"
#include "emulator/memory/address_space.h"
#include "emulator/model/h200.h"
#include "emulator/program/flow.h"
#include "emulator/sched/grid.h"
#include "tests/emulator/decoded_program.h"
#include "tests/emulator/finding_log.h"
#include "tests/emulator/instruction_samples.h"

namespace tmaemu::testing {
namespace {

// The registers that samples name: eight of each kind, and the 8 bytes that each of them holds.
constexpr std::string_view kinds = "hrlp";
constexpr unsigned registers_each = 8;
constexpr std::size_t register_count = kinds.size() * registers_each;
using Registers = std::array<std::uint64_t, register_count>;

std::string name_of(std::size_t number) {
  return std::string("%") + kinds[number / registers_each] +
         std::to_string(number % registers_each + 1);
}

// Lines of shared and of global memory: one for each number of a register.
constexpr std::size_t line_bytes = 64;
constexpr std::size_t words = (registers_each + 1) * line_bytes / 8;
using Memory = std::array<std::uint64_t, words>;

// What there is when the instruction has been executed.
struct State {
  Registers registers;
  Memory shared, global;
};

constexpr std::uint64_t tile_address = 1024;  // the first that a program has

// A kernel of one instruction. It loads all registers, fills shared memory, each line of which
// begins with an mbarrier, executes the instruction, and the first thread stores all that it may
// have changed.
std::string kernel_of(const std::string& instruction) {
  const auto at = [](std::string_view base, std::size_t offset) {
    return "[" + std::string(base) + "+" + std::to_string(offset) + "]";
  };
  std::string before, after;
  for (std::size_t word = 0; word < words; ++word) {
    const std::string shared = at("tile", 8 * word);
    before += word % (line_bytes / 8) == 0 ? "mbarrier.init.shared.b64 " + shared + ", 40;\n"
                                           : "ld.global.u64 %word, " + at("%memory", 8 * word) +
                                                 ";\nst.shared.u64 " + shared + ", %word;\n";
    after += "ld.shared.u64 %word, " + shared + ";\nst.global.u64 " +
             at("%state", sizeof(Registers) + 8 * word) + ", %word;\n";
  }
  for (std::size_t number = 0; number < register_count; ++number) {
    const std::string name = name_of(number);
    const std::string from = at("%given", 8 * number);
    const std::string to = at("%state", 8 * number);
    switch (name[1]) {
      case 'h':
        before += "ld.global.u16 " + name + ", " + from + ";\n";
        after += "st.global.u16 " + to + ", " + name + ";\n";
        break;
      case 'r':
        before += "ld.global.v2.u32 {" + name + ", %step}, " + from + ";\nmad.lo.u32 " + name +
                  ", %step, %lane, " + name + ";\n";
        after += "st.global.u32 " + to + ", " + name + ";\n";
        break;
      case 'l':
        before += "ld.global.u64 " + name + ", " + from + ";\n";
        after += "st.global.u64 " + to + ", " + name + ";\n";
        break;
      default:
        before += "ld.global.u64 %word, " + from + ";\nsetp.ne.u64 " + name + ", %word, 0;\n";
        after += "selp.u64 %word, 1, 0, " + name + ";\nst.global.u64 " + to + ", %word;\n";
    }
  }
  return ".version 9.0\n.target sm_90a\n.address_size 64\n.func f()\n{\nret;\n}\n"
         ".shared .align 1024 .b8 tile[1024];\n"
         ".visible .entry k(.param .u64 p, .param .u64 p_memory, .param .u64 p_state)\n{\n"
         ".reg .pred %p<9>;\n.reg .b16 %h<9>;\n.reg .b32 %r<9>;\n.reg .b64 %l<9>;\n"
         ".reg .b64 %given, %memory, %state, %word;\n.reg .b32 %lane, %step, %thread;\n.reg .pred "
         "%other;\n"
         "mov.u32 %lane, %laneid;\n.local .align 64 .b8 own[1024];\n"
         "mov.u64 %word, own;\nT: .branchtargets L;\n"
         "ld.param.u64 %given, [p];\nld.param.u64 %memory, [p_memory];\n"
         "ld.param.u64 %state, [p_state];\n" +
         before + instruction +
         ";\nL:\nmov.u32 %thread, %tid.x;\nsetp.ne.u32 %other, %thread, 0;\n@%other ret;\n" +
         after + "ret;\n}\n";
}

class OneInstruction {
 public:
  explicit OneInstruction(const std::string& instruction)
      : memory_(Device::instance().memory()),
        given_(memory_.allocate(sizeof(Registers), GlobalMemory::Contents::zero).value()),
        lines_(memory_.allocate(sizeof(Memory), GlobalMemory::Contents::zero).value()),
        state_(memory_.allocate(sizeof(State), GlobalMemory::Contents::zero).value()) {
    auto loaded = LoadedModule::load(kernel_of(instruction), {}, memory_);
    if (loaded) {
      module_ = std::move(*loaded);
      kernel_ = static_cast<const LoadedKernel*>(module_->find_kernel("k"));
    } else {
      ADD_FAILURE() << instruction << ": " << loaded.error().message;
    }
  }
  ~OneInstruction() {
    for (const std::uint64_t address : {given_, lines_, state_}) memory_.free(address);
  }
  OneInstruction(const OneInstruction&) = delete;
  OneInstruction& operator=(const OneInstruction&) = delete;

  std::uint64_t global_lines() const { return lines_; }

  const ptx::Instruction& instruction() const { return *program().sites[site()]; }
  const Effects& effects() const { return program().effects[site()]; }
  bool is_refused() const { return program().code[site()].execute == instruction_set().refusal; }

  // Nothing where the program is wrong.
  std::optional<State> execute(const Registers& registers) {
    std::memcpy(memory_.translate(given_, sizeof registers), registers.data(), sizeof registers);
    std::byte* const lines = memory_.translate(lines_, sizeof(Memory));
    for (std::size_t i = 0; i < sizeof(Memory); ++i) lines[i] = std::byte(i * 37 % 251);
    std::memset(memory_.translate(state_, sizeof(State)), 0, sizeof(State));
    const std::uint64_t parameters[] = {given_, lines_, state_};
    LaunchRequest request;
    request.block.x = 2 * warp_size;
    request.parameters = std::as_bytes(std::span(parameters));
    FindingLog findings;
    TensorMapChanges map_changes;
    std::string printed;
    Launch launch;
    launch.program = &program();
    launch.request = &request;
    launch.memory = &memory_;
    launch.findings = &findings;
    launch.map_changes = &map_changes;
    launch.output = &printed;
    launch.shared_bytes = program().shared_bytes;
    if (run_grid(launch, 1000, 1).fault) return std::nullopt;
    State state;
    std::memcpy(&state, memory_.translate(state_, sizeof state), offsetof(State, global));
    std::memcpy(&state.global, lines, sizeof state.global);
    return state;
  }

 private:
  const Program& program() const { return kernel_->program(); }
  // The label stands behind it.
  std::size_t site() const { return program().functions[0].function->labels[0].position - 1; }

  GlobalMemory& memory_;
  std::uint64_t given_, lines_, state_;
  std::unique_ptr<LoadedModule> module_;
  const LoadedKernel* kernel_ = nullptr;
};

// What numbers mean to instructions: addresses of shared memory and of global memory, generic
// addresses of shared memory, masks of lanes, and in %r2 the metadata of a sparse matrix. What a
// lane gives to others is not what the others have.
struct World {
  std::uint64_t base_of_r, base_of_l;
  std::uint64_t between_r = line_bytes;
  std::size_t last_that_differs = 0;  // of %r2 and those behind it: between lanes
};

Registers registers_of(const World& world) {
  Registers registers;
  for (std::size_t i = 0; i < register_count; ++i) {
    const std::uint64_t number = i % registers_each + 1;
    const char kind = kinds[i / registers_each];
    registers[i] = kind == 'h'   ? 0x3800 + 0x111 * number  // a number of f16
                   : kind == 'r' ? world.base_of_r + world.between_r * number
                   : kind == 'l' ? world.base_of_l + line_bytes * number
                                 : number % 2;
    if (kind != 'r') continue;
    const bool differs = 2 <= number && number <= world.last_that_differs;
    registers[i] = (registers[i] & 0xffff'ffff) | std::uint64_t{differs} << 32;
  }
  return registers;
}

// Of lane 0, whose registers are stored.
std::uint64_t value(const Registers& registers, std::size_t number) {
  const bool has_32_bits = kinds[number / registers_each] == 'r';
  return has_32_bits ? registers[number] & 0xffff'ffff : registers[number];
}

// What the register may hold instead.
std::vector<std::uint64_t> others(std::size_t number, std::uint64_t value) {
  switch (kinds[number / registers_each]) {
    case 'p':
      return {value ^ 1};
    case 'h':
      return {value ^ 0x8000, value ^ 8, value ^ 1};
    default:
      return {value ^ 8, value ^ 16, value ^ 1, value ^ (1u << 30)};
  }
}

using Names = std::set<std::string>;

// What running it shows.
struct Seen {
  Names reads;    // what makes a difference
  Names written;  // what does not stay as it was
  bool ran = false;
};

void look(OneInstruction& one, const Registers& registers, const std::set<std::size_t>& named,
          Seen& seen) {
  const auto base = one.execute(registers);
  if (!base) return;
  seen.ran = true;
  for (std::size_t i = 0; i < register_count; ++i) {
    if (base->registers[i] != value(registers, i)) seen.written.insert(name_of(i));
  }
  for (const std::size_t number : named) {
    for (const std::uint64_t other : others(number, registers[number])) {
      Registers changed = registers;
      changed[number] = other;
      auto state = one.execute(changed);
      if (!state) {
        seen.reads.insert(name_of(number));
        continue;
      }
      if (state->registers[number] != value(changed, number)) seen.written.insert(name_of(number));
      // It may have kept its value; nothing else may have noticed.
      const bool is_kept = state->registers[number] == value(changed, number) &&
                           base->registers[number] == value(registers, number);
      if (is_kept) state->registers[number] = base->registers[number];
      if (std::memcmp(&*state, &*base, sizeof(State)) != 0) seen.reads.insert(name_of(number));
    }
  }
}

Seen look_at(OneInstruction& one, const Names& names) {
  constexpr std::uint64_t generic_tile = shared_window + tile_address;
  const std::uint64_t global = one.global_lines();
  constexpr std::uint64_t all_lanes_less_lines = 0xffff'ffff - 64 * registers_each;
  const World worlds[] = {{tile_address, global},
                          {tile_address, generic_tile},
                          {all_lanes_less_lines, global},
                          {0xffff'ffff, global, 0, 2},
                          {0xffff'ffff, global, 0, 4},
                          {0x3f80'0000, 0x3ff0'0000'0000'0000},
                          {0x4444'4444 - 2 * line_bytes, global},
                          {0, 0}};
  std::set<std::size_t> named;
  for (std::size_t i = 0; i < register_count; ++i) {
    if (names.contains(name_of(i))) named.insert(i);
  }
  Seen seen;
  for (const World& world : worlds) look(one, registers_of(world), named, seen);
  return seen;
}

std::string joined(const Names& names) {
  std::string text;
  for (const std::string& name : names) text += name + " ";
  return text;
}

Names without(Names names, const Names& others) {
  for (const std::string& name : others) names.erase(name);
  return names;
}

// Instructions whose doing is seen at the place where they stand.
bool can_be_looked_at(const Effects& effects) {
  return effects.next == Effects::Next::following;
}

struct NamedRegisters {
  Names all, read, written;
};

NamedRegisters registers_of(const OneInstruction& one) {
  NamedRegisters names;
  for_each_register_read(one.instruction(), one.effects(),
                         [&](std::string_view name) { names.read.emplace(name); });
  for_each_register_written(one.instruction(), one.effects(),
                            [&](std::string_view name) { names.written.emplace(name); });
  for (const ptx::Operand& operand : one.instruction().operands) {
    ptx::for_each_register(operand, [&](std::string_view name) { names.all.emplace(name); });
  }
  names.all.erase("_");
  names.written.erase("_");
  return names;
}

// Copies of the engine, and what else needs more than numbers that are multiples of each other,
// give no register a value.
void expect_only_reads(const std::string& text, const NamedRegisters& names) {
  EXPECT_EQ(joined(names.read), joined(names.all)) << text << " reads all that it names";
  EXPECT_EQ(joined(names.written), "") << text << " writes nothing";
}

// wgmma.mma_async writes its registers later, and needs four warps: isa_warpgroup_test.cpp.
void expect_writes_what_it_reads(const std::string& text, const NamedRegisters& names) {
  EXPECT_EQ(joined(names.read), joined(names.all)) << text << " reads all that it names";
  EXPECT_TRUE(std::ranges::includes(names.read, names.written)) << text;
  EXPECT_FALSE(names.written.empty()) << text;
}

// Whether a way to run it was found.
bool expect_true_effects(const std::string& text) {
  OneInstruction one(text);
  if (one.is_refused() || !can_be_looked_at(one.effects())) return true;
  const NamedRegisters names = registers_of(one);
  const Seen seen = look_at(one, names.all);
  if (!seen.ran) {
    one.effects().goes_on ? expect_writes_what_it_reads(text, names)
                          : expect_only_reads(text, names);
    return false;
  }
  EXPECT_EQ(joined(without(seen.reads, names.read)), "") << text << " reads it: nobody says so";
  const bool has_carry = one.effects().reads_carry || one.effects().writes_carry;
  const Names carry = has_carry ? Names{std::string(carry_register)} : Names{};
  EXPECT_EQ(joined(seen.written), joined(without(names.written, carry))) << text << " writes these";
  return true;
}

TEST(Effects, OfEveryRowAreWhatTheInstructionDoes) {
  const std::lock_guard lock(Device::instance().mutex());
  int count = 0, run = 0;
  const auto look = [&](const Sample& sample) {
    ++count;
    run += expect_true_effects(sample.mnemonic + " " + sample.operands) ? 1 : 0;
  };
  for (const Sample& sample : whole_rows()) look(sample);
  for (const Sample& sample : other_rows()) look(sample);
  EXPECT_GE(run * 100, count * 93) << run << " of " << count << " instructions were run";
}

TEST(Effects, OfTheCarryAreThoseOfTheFlag) {
  const DecodedText text(
      ".reg .b32 %a;\nadd.cc.u32 %a, %a, 1;\naddc.u32 %a, %a, 1;\naddc.cc.u32 %a, %a, 1;");
  const auto effects = text.effects();
  EXPECT_TRUE(effects[0].writes_carry && !effects[0].reads_carry);
  EXPECT_TRUE(effects[1].reads_carry && !effects[1].writes_carry);
  EXPECT_TRUE(effects[2].reads_carry && effects[2].writes_carry);
}

TEST(Effects, OfAShuffleSayWhetherItTakesFromLanesFurtherUp) {
  const DecodedText text(
      ".reg .b32 %a, %b;\nshfl.sync.down.b32 %a, %b, 1, 31, -1;\n"
      "shfl.sync.up.b32 %a, %b, 1, 0, -1;\nshfl.sync.bfly.b32 %a, %b, 1, 31, -1;");
  const auto effects = text.effects();
  EXPECT_TRUE(effects[0].shuffles_down);
  EXPECT_FALSE(effects[1].shuffles_down || effects[2].shuffles_down);
}

TEST(Effects, OfARefusedInstructionAreThatItMayLookAtEverything) {
  const DecodedText text(".reg .b32 %a, %b;\nwgmma.nothing %a, %b;");
  const Effects& effects = text.effects()[0];
  EXPECT_TRUE(effects.reads.has(0) && effects.reads.has(1));
  EXPECT_FALSE(effects.only_computes());
}

}  // namespace
}  // namespace tmaemu::testing
