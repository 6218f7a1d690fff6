// A PTX module on the device: its variables placed in memory, its kernels decoded when they are
// first used.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "common/result.h"
#include "emulator/check/site_facts.h"
#include "emulator/device/device.h"
#include "emulator/memory/global_memory.h"
#include "emulator/program/program.h"
#include "emulator/ptx/module.h"

namespace tmaemu {

class LoadedKernel : public Kernel {
 public:
  LoadedKernel(const LoadedModule& module, const ptx::Function& function)
      : module_(module), function_(function) {}
  const KernelInfo& info() const override;
  const Program& program() const;
  // What the hazard checker finds in the program's text, when it is first checked.
  const check::SiteFacts& facts() const;
  const std::string& name() const { return function_.name; }

 private:
  // What ptxas made of it; null where nobody knows.
  const fatbin::KernelResources* machine_code() const;

  const LoadedModule& module_;
  const ptx::Function& function_;
  mutable std::unique_ptr<Program> program_;
  mutable std::unique_ptr<check::SiteFacts> facts_;
  mutable KernelInfo info_;
};

class LoadedModule {
 public:
  static common::Result<std::unique_ptr<LoadedModule>> load(std::string ptx,
                                                            fatbin::ResourceTable resources,
                                                            GlobalMemory& memory);
  ~LoadedModule();

  const Kernel* find_kernel(std::string_view name) const;
  std::vector<const Kernel*> kernels() const;
  std::optional<DeviceVariable> find_variable(std::string_view name) const;
  // The address of a variable or function, as device code sees it.
  std::optional<std::uint64_t> address_of(std::string_view name) const;
  const ptx::Module& ptx() const { return *ptx_; }
  const fatbin::ResourceTable& resources() const { return resources_; }

 private:
  explicit LoadedModule(GlobalMemory& memory) : memory_(memory) {}
  common::Status place_variables();
  common::Status initialize(const ptx::Variable& variable, std::uint64_t address);

  GlobalMemory& memory_;
  std::unique_ptr<ptx::Module> ptx_;
  fatbin::ResourceTable resources_;  // of its kernels' machine code
  std::vector<std::unique_ptr<LoadedKernel>> kernels_;
  std::unordered_map<std::string_view, DeviceVariable> variables_;
};

}  // namespace tmaemu
