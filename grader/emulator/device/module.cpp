#include "emulator/device/module.h"

#include <algorithm>
#include <cstring>

#include "common/round_up.h"
#include "emulator/isa/tables.h"
#include "emulator/memory/address_space.h"
#include "emulator/model/h200.h"
#include "emulator/program/decoder.h"
#include "emulator/ptx/parser.h"

namespace tmaemu {
namespace {

// Functions have addresses of their own, which no data has.
constexpr std::uint64_t function_window = param_window + window_size;
constexpr std::uint64_t function_spacing = 16;

// The host program dereferences a __managed__ variable's address, so it lies in host memory.
common::Result<std::uint64_t> allocate_managed(GlobalMemory& memory, std::size_t size) {
  const auto bytes = memory.allocate_host(size, RegionKind::managed);
  if (!bytes) return bytes.error();
  return reinterpret_cast<std::uint64_t>(*bytes);
}

std::size_t constant_bytes_of(const ptx::Module& module) {
  std::size_t bytes = 0;
  for (const ptx::Variable& variable : module.variables) {
    if (variable.space == ptx::StateSpace::constant) bytes += variable.size();
  }
  return bytes;
}

Dimensions dimensions(const std::array<std::uint32_t, 3>& values) {
  return {values[0], values[1], values[2]};
}

// PTX ISA, "Performance-Tuning Directives". Each part of an SM holds a quarter of a CTA's warps, so
// there are as many registers for 130 threads as for 256.
std::uint32_t register_limit(const ptx::Function& function, const Program& program) {
  constexpr std::size_t step = h200::register_unit / warp_size;
  constexpr std::size_t most = 256;  // those of 255, in steps
  if (function.max_registers != 0) {
    return static_cast<std::uint32_t>(common::round_up(function.max_registers, step));
  }
  const auto& bounds =
      function.max_threads[0] != 0 ? function.max_threads : function.required_threads;
  const std::size_t threads =
      common::round_up(std::size_t{bounds[0]} * std::max(bounds[1], 1u) * std::max(bounds[2], 1u),
                       h200::parts_of_sm * warp_size);
  if (threads == 0 || function.min_ctas_per_sm == 0) return 0;
  const std::size_t each = h200::registers_per_sm / (threads * function.min_ctas_per_sm);
  const std::size_t limit = std::min(each / step * step, most);
  // Where that is more than anybody asks for, ptxas gives what is asked for.
  std::size_t taken = 0;
  for (const Effects& effects : program.effects) {
    taken = std::max<std::size_t>(taken, effects.registers_taken);
  }
  return static_cast<std::uint32_t>(taken == 0 ? limit : std::min(limit, taken));
}

}  // namespace

const Program& LoadedKernel::program() const {
  if (!program_) {
    const SymbolLookup lookup = [this](std::string_view name) { return module_.address_of(name); };
    program_ =
        Decoder(module_.ptx(), function_, lookup, instruction_set(), machine_code()).decode();
  }
  return *program_;
}

const fatbin::KernelResources* LoadedKernel::machine_code() const {
  const auto known = module_.resources().find(function_.name);
  return known == module_.resources().end() ? nullptr : &known->second;
}

const KernelInfo& LoadedKernel::info() const {
  if (!info_.name.empty()) return info_;
  const Program& decoded = program();
  const std::vector<std::size_t> offsets = parameter_offsets(function_.parameters);
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    info_.parameters.push_back({offsets[i], function_.parameters[i].size()});
    info_.parameter_bytes = offsets[i] + function_.parameters[i].size();
  }
  info_.static_shared_bytes = decoded.shared_bytes - h200::reserved_shared_bytes_per_cta;
  info_.local_bytes = decoded.local_bytes;
  info_.no_ptx = decoded.no_ptx;
  if (const auto* known = machine_code()) info_.resources = *known;
  const Dimensions most = dimensions(function_.max_threads);
  if (most.x != 0) {
    info_.max_threads = static_cast<std::uint32_t>(std::uint64_t{most.x} * std::max(most.y, 1u) *
                                                   std::max(most.z, 1u));
  }
  info_.register_limit = register_limit(function_, decoded);
  info_.required_threads = dimensions(function_.required_threads);
  info_.required_cluster = dimensions(function_.required_cluster);
  info_.name = function_.name;
  return info_;
}

common::Result<std::unique_ptr<LoadedModule>> LoadedModule::load(std::string text,
                                                                 fatbin::ResourceTable resources,
                                                                 GlobalMemory& memory) {
  auto parsed = ptx::parse(std::move(text));
  if (!parsed) return parsed.error();
  std::unique_ptr<LoadedModule> module(new LoadedModule(memory));
  module->ptx_ = std::move(*parsed);
  module->resources_ = std::move(resources);
  if (const auto placed = module->place_variables(); !placed) return placed.error();
  for (const ptx::Function& function : module->ptx_->functions) {
    if (function.is_entry && !function.is_extern) {
      module->kernels_.push_back(std::make_unique<LoadedKernel>(*module, function));
    }
  }
  return module;
}

LoadedModule::~LoadedModule() {
  for (const auto& [name, variable] : variables_) {
    if (!variable.is_managed) {
      memory_.free(variable.address);
      continue;
    }
    memory_.free_host(reinterpret_cast<void*>(static_cast<std::uintptr_t>(variable.address)));
  }
}

common::Status LoadedModule::place_variables() {
  if (const std::size_t needed = constant_bytes_of(*ptx_); needed > h200::constant_bytes) {
    return common::Error{"the __constant__ variables have " + std::to_string(needed) +
                         " bytes together, and a module may have " +
                         std::to_string(h200::constant_bytes)};
  }
  for (const ptx::Variable& variable : ptx_->variables) {
    const bool is_constant = variable.space == ptx::StateSpace::constant;
    if (variable.space != ptx::StateSpace::global && !is_constant) continue;
    if (variable.is_extern) continue;
    const std::size_t size = std::max<std::size_t>(variable.size(), 1);
    const auto fail = [&](const std::string& why) {
      return common::Error{"variable " + variable.name + ": " + why};
    };
    if (variable.alignment > GlobalMemory::alignment) {
      return fail("an alignment of " + std::to_string(variable.alignment) + " is not modeled");
    }
    const auto address = variable.is_managed ? allocate_managed(memory_, size)
                                             : memory_.allocate(size, GlobalMemory::Contents::zero);
    if (!address) return fail(address.error().message);
    variables_[variable.name] = {*address, variable.size(), is_constant, variable.is_managed};
  }
  for (const ptx::Variable& variable : ptx_->variables) {
    const auto placed = variables_.find(variable.name);
    if (placed == variables_.end()) continue;
    if (const auto done = initialize(variable, placed->second.address); !done) return done;
  }
  return {};
}

common::Status LoadedModule::initialize(const ptx::Variable& variable, std::uint64_t address) {
  const std::size_t size = variable.size();
  std::byte* bytes = memory_.translate(address, std::max<std::size_t>(size, 1));
  std::copy_n(variable.bytes.begin(), std::min(variable.bytes.size(), size), bytes);
  for (const ptx::Variable::Relocation& relocation : variable.relocations) {
    const auto target = address_of(relocation.symbol);
    if (!target) {
      return common::Error{"variable " + variable.name + " holds the address of " +
                           relocation.symbol + ", which is not defined in this module"};
    }
    if (relocation.offset + relocation.size > size) {
      return common::Error{"variable " + variable.name + " is smaller than its initializer"};
    }
    const std::uint64_t value =
        (*target + static_cast<std::uint64_t>(relocation.addend)) >> relocation.byte_shift;
    std::memcpy(bytes + relocation.offset, &value, std::min<std::size_t>(relocation.size, 8));
  }
  return {};
}

std::optional<std::uint64_t> LoadedModule::address_of(std::string_view name) const {
  if (const auto variable = variables_.find(name); variable != variables_.end()) {
    return variable->second.address;
  }
  for (std::size_t i = 0; i < ptx_->functions.size(); ++i) {
    if (ptx_->functions[i].name == name) return function_window + i * function_spacing;
  }
  return std::nullopt;
}

const Kernel* LoadedModule::find_kernel(std::string_view name) const {
  const auto found =
      std::ranges::find_if(kernels_, [&](const auto& kernel) { return kernel->name() == name; });
  return found == kernels_.end() ? nullptr : found->get();
}

std::vector<const Kernel*> LoadedModule::kernels() const {
  std::vector<const Kernel*> all;
  for (const auto& kernel : kernels_) all.push_back(kernel.get());
  return all;
}

std::optional<DeviceVariable> LoadedModule::find_variable(std::string_view name) const {
  const auto found = variables_.find(name);
  if (found == variables_.end()) return std::nullopt;
  return found->second;
}

}  // namespace tmaemu
