// Runs instructions on the emulated device: a kernel of one instruction (or a few), one thread for
// each tuple of operands.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <random>
#include <string>
#include <vector>

#include "emulator/device/device.h"
#include "emulator/memory/global_memory.h"

namespace tmaemu::testing {

using Bits = std::uint64_t;
using Tuple = std::vector<Bits>;

// What a kernel under test looks like. The registers %a, %b, %c hold the operands, %d the result.
struct Code {
  std::string body;                     // "add.f32 %d, %a, %b;"
  unsigned result_bytes = 4;            // of %d: 2, 4 or 8
  std::vector<unsigned> operand_bytes;  // of %a, %b, %c
};

inline std::string kernel_text(const Code& code) {
  static const char* const names[] = {"%a", "%b", "%c"};
  const auto bits = [](unsigned bytes) { return ".b" + std::to_string(8 * bytes); };
  const std::size_t operands = code.operand_bytes.size();
  std::string text =
      ".version 8.0\n.target sm_90a\n.address_size 64\n"
      ".visible .entry kernel(.param .u64 in, .param .u64 out)\n{\n"
      ".reg .pred %p, %q;\n.reg .b32 %i, %n;\n.reg .b64 %in, %out, %offset;\n";
  text += ".reg " + bits(code.result_bytes) + " %d;\n";
  for (std::size_t i = 0; i < operands; ++i) {
    text += ".reg " + bits(code.operand_bytes[i]) + " " + names[i] + ";\n";
  }
  text +=
      "ld.param.u64 %in, [in];\nld.param.u64 %out, [out];\n"
      "mov.u32 %i, %ctaid.x;\nmov.u32 %n, %ntid.x;\nmul.lo.u32 %i, %i, %n;\n"
      "mov.u32 %n, %tid.x;\nadd.u32 %i, %i, %n;\n"
      "mul.wide.u32 %offset, %i, 8;\nadd.u64 %out, %out, %offset;\n"
      "mul.wide.u32 %offset, %i, " +
      std::to_string(8 * operands) + ";\nadd.u64 %in, %in, %offset;\n";
  for (std::size_t i = 0; i < operands; ++i) {
    text += "ld.global" + bits(code.operand_bytes[i]) + " " + names[i] + ", [%in+" +
            std::to_string(8 * i) + "];\n";
  }
  return text + code.body + "\nst.global" + bits(code.result_bytes) + " [%out], %d;\nret;\n}\n";
}

// An allocation on the device, for the duration of a test.
class DeviceBuffer {
 public:
  explicit DeviceBuffer(std::size_t bytes)
      : memory_(Device::instance().memory()), address_(*memory_.allocate(bytes)) {}
  ~DeviceBuffer() { memory_.free(address_); }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;
  std::uint64_t address() const { return address_; }
  Bits* host() const { return reinterpret_cast<Bits*>(memory_.find(address_)->host); }

 private:
  GlobalMemory& memory_;
  std::uint64_t address_;
};

struct RunResult {
  LaunchOutcome outcome;
  std::vector<Bits> results;
};

// 40 threads a CTA: one whole warp and one of 8 lanes, each of which has lane loops of its own.
inline constexpr std::uint32_t threads_per_cta = 40;

inline RunResult try_run(const Code& code, const std::vector<Tuple>& tuples) {
  const std::lock_guard lock(Device::instance().mutex());
  Device& device = Device::instance();
  auto module = device.load(kernel_text(code));
  if (!module) {
    ADD_FAILURE() << module.error().message << "\n" << kernel_text(code);
    return {LaunchOutcome::not_modeled, {}};
  }
  const std::size_t ctas = (tuples.size() + threads_per_cta - 1) / threads_per_cta;
  const std::size_t threads = ctas * threads_per_cta;
  const std::size_t operands = std::max<std::size_t>(code.operand_bytes.size(), 1);
  const DeviceBuffer in(8 * operands * threads), out(8 * threads);
  std::fill_n(in.host(), operands * threads, 0);
  std::fill_n(out.host(), threads, 0);
  for (std::size_t i = 0; i < tuples.size(); ++i) {
    std::copy(tuples[i].begin(), tuples[i].end(), in.host() + i * operands);
  }
  const std::uint64_t parameters[] = {in.address(), out.address()};
  LaunchRequest request;
  request.grid.x = static_cast<std::uint32_t>(ctas);
  request.block.x = threads_per_cta;
  request.parameters = std::as_bytes(std::span(parameters));
  RunResult run{device.launch(*device.find_kernel(*module, "kernel"), request), {}};
  run.results.assign(out.host(), out.host() + tuples.size());
  device.unload(*module);
  return run;
}

// %d of each thread.
inline std::vector<Bits> run(const Code& code, const std::vector<Tuple>& tuples) {
  RunResult run = try_run(code, tuples);
  EXPECT_EQ(run.outcome, LaunchOutcome::completed) << code.body;
  run.results.resize(tuples.size());
  return run.results;
}

inline Bits run_one(const Code& code, const Tuple& tuple) {
  return run(code, {tuple})[0];
}

// All tuples of elements of `values`.
inline std::vector<Tuple> all_tuples(const std::vector<Bits>& values, std::size_t length) {
  std::vector<Tuple> tuples{{}};
  for (std::size_t i = 0; i < length; ++i) {
    std::vector<Tuple> longer;
    for (const Tuple& tuple : tuples) {
      for (const Bits value : values) {
        longer.push_back(tuple);
        longer.back().push_back(value);
      }
    }
    tuples = std::move(longer);
  }
  return tuples;
}

// Random bit patterns of this many bits: of floating-point formats, all exponents are equally
// likely.
inline std::vector<Tuple> random_tuples(unsigned bits, std::size_t length, std::size_t count) {
  std::mt19937_64 random(bits * 1000 + length);
  std::vector<Tuple> tuples(count, Tuple(length));
  for (Tuple& tuple : tuples) {
    for (Bits& value : tuple) value = random() >> (64 - bits);
  }
  return tuples;
}

inline Bits bits_of(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
inline Bits bits_of(double value) {
  Bits bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
inline float float_of(Bits bits) {
  const auto low = static_cast<std::uint32_t>(bits);
  float value;
  std::memcpy(&value, &low, sizeof value);
  return value;
}
inline double double_of(Bits bits) {
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

}  // namespace tmaemu::testing
