#include "emulator/runtime/state/module.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <unordered_set>

#include "emulator/fatbin/fatbin.h"
#include "emulator/model/h200.h"
#include "emulator/ptx/parser.h"
#include "emulator/runtime/state/call_log.h"
#include "emulator/runtime/state/origin.h"

namespace tmaemu::runtime {
namespace {

constexpr int device_sm = 90;
// What follows "kernel k of lab3" where there is no PTX, for the device code of an image.
std::string without_ptx(const void* image) {
  const std::string what = "has no PTX, only machine code";
  if (is_nvidia_library(file_of(image))) {
    return what +
           ", as NVIDIA's libraries come: compute it in a kernel of your own, or run the "
           "program on a GPU";
  }
  return what + "; build it with: nvcc -gencode arch=compute_90a,code=[sm_90a,compute_90a]";
}
constexpr const char* without_ptx_by_linking =
    "has no PTX, as relocatable device code (-rdc=true, -dc) is linked to machine code alone; "
    "compile the kernels and the device functions that they call as one file, without -rdc=true";

// The best image for the device: the highest architecture up to its own. Above it (sm_100a's
// cta_group forms, which no Hopper chip runs) only where there is nothing else.
const fatbin::PtxImage* best_image(const std::vector<fatbin::PtxImage>& images) {
  const auto better = [](const fatbin::PtxImage& left, const fatbin::PtxImage& right) {
    const bool left_fits = left.sm <= device_sm;
    const bool right_fits = right.sm <= device_sm;
    if (left_fits != right_fits) return right_fits;
    return left_fits ? left.sm < right.sm : left.sm > right.sm;
  };
  const auto best = std::max_element(images.begin(), images.end(), better);
  return best == images.end() ? nullptr : &*best;
}

// The lowest architecture above the device's.
const fatbin::PtxImage* later_image(const std::vector<fatbin::PtxImage>& images) {
  const fatbin::PtxImage* lowest = nullptr;
  for (const fatbin::PtxImage& image : images) {
    if (image.sm > device_sm && (lowest == nullptr || image.sm < lowest->sm)) lowest = &image;
  }
  return lowest;
}

template <class Header>
Header read(const void* bytes) {
  Header header;
  std::memcpy(&header, bytes, sizeof header);
  return header;
}

std::optional<int> declared_sm(const std::string& ptx) {
  constexpr std::string_view directive = ".target sm_";
  const std::size_t at = ptx.find(directive);
  if (at == std::string::npos) return std::nullopt;
  return std::atoi(ptx.c_str() + at + directive.size());
}

std::string too_new_for_device(int sm) {
  return "this PTX is for sm_" + std::to_string(sm) + ", and the device is of sm_" +
         std::to_string(device_sm) +
         "; compile with -gencode arch=compute_90a,code=[sm_90a,compute_90a]";
}

// The version of PTX that a target came with. PTX ISA, "Release Notes", the table of its history.
ptx::Version first_version_of(int sm) {
  switch (sm) {
    case 80:
      return {7, 0};
    case 86:
      return {7, 1};
    case 87:
      return {7, 4};
    case 89:
    case 90:
      return {7, 8};
    default:
      return {1, 0};
  }
}

std::string text_of(ptx::Version version) {
  return std::to_string(version.major) + "." + std::to_string(version.minor);
}

// What ptxas refuses, since no launch could have it; empty where the kernel fits.
std::string excess_of(const KernelInfo& kernel,
                      std::size_t most_parameter_bytes = h200::max_parameter_bytes) {
  const auto needs = [](std::size_t bytes, const char* what, std::size_t most) {
    return "needs " + std::to_string(bytes) + " bytes of " + what + ", and may have " +
           std::to_string(most);
  };
  if (kernel.parameter_bytes > most_parameter_bytes) {
    return needs(kernel.parameter_bytes, "parameters", most_parameter_bytes);
  }
  if (kernel.static_shared_bytes > h200::default_shared_bytes_per_cta) {
    return needs(kernel.static_shared_bytes, "static shared memory",
                 h200::default_shared_bytes_per_cta) +
           ": take a smaller tile, or dynamic shared memory (extern __shared__, with "
           "cudaFuncSetAttribute to have more)";
  }
  if (kernel.local_bytes > h200::max_local_bytes_per_thread) {
    return needs(kernel.local_bytes, "local memory", h200::max_local_bytes_per_thread);
  }
  return {};
}

}  // namespace

common::Result<fatbin::ResourceTable> resources_for_device(std::span<const std::byte> fat_binary) {
  const auto images = fatbin::read_machine_code(fat_binary);
  if (!images) return images.error();
  fatbin::ResourceTable all;
  for (const fatbin::MachineCode& image : *images) {
    if (image.sm != device_sm) continue;
    auto resources = fatbin::read_resources(std::as_bytes(std::span(image.elf)));
    if (!resources) return resources.error();
    all.merge(*resources);
  }
  return all;
}

Error Function::resolve() {
  if (kernel != nullptr) return Error::success;
  const std::string user = "kernel " + readable(name);
  if (const Error error = module->load(user); error != Error::success) return error;
  const Kernel* found = module->find_kernel(name);
  if (found == nullptr) return Error::invalid_device_function;
  if (const std::string excess = excess_of(found->info()); !excess.empty()) {
    explain(user + " " + excess);
    return Error::invalid_ptx;
  }
  kernel = found;
  return Error::success;
}

Module::~Module() {
  unload();
}

void Module::unload() {
  if (loaded_ == nullptr) return;
  CallLog::instance().unloading(loaded_);
  for (const auto& [name, function] : functions_) function->kernel = nullptr;
  Device::instance().unload(loaded_);
  loaded_ = nullptr;
  later_.reset();
}

const Kernel* Module::find_kernel(const std::string& name) {
  const Kernel* kernel = Device::instance().find_kernel(loaded_, name);
  if (kernel != nullptr || ptx_) return kernel;
  if (later_ == nullptr) {
    const auto images = fatbin::read_ptx(fat_binary_);  // was read without an error before
    const fatbin::PtxImage* later = later_image(*images);
    if (later == nullptr) return nullptr;
    later_ = std::make_unique<Module>(later->text);
  }
  return later_->load() == Error::success ? later_->find_kernel(name) : nullptr;
}

Error Module::select_ptx(std::string& ptx) {
  if (ptx_) {
    ptx = *ptx_;  // stays: the module may be loaded again after a reset
    return Error::success;
  }
  auto images = fatbin::read_ptx(fat_binary_);
  if (!images) {
    reason_ = images.error().message;
    return Error::invalid_image;
  }
  const fatbin::PtxImage* best = best_image(*images);
  if (best == nullptr) {
    image_ = fat_binary_.data();
    reason_ = without_ptx(image_);
    return Error::no_kernel_image;
  }
  auto resources = resources_for_device(fat_binary_);
  if (!resources) {
    reason_ = resources.error().message;
    return Error::invalid_image;
  }
  resources_ = std::move(*resources);
  ptx = best->text;
  return Error::success;
}

// The device's own architectures, and those of its successor (sm_100), which the emulator runs.
Error Module::check_target(const std::string& ptx) {
  const int sm = declared_sm(ptx).value_or(device_sm);
  if (sm <= device_sm || (sm >= 100 && sm < 120)) return Error::success;
  reason_ = too_new_for_device(sm);
  return ptx_ ? Error::invalid_ptx : Error::no_kernel_image;
}

Error Module::check_version(const std::string& ptx) {
  const auto version = ptx::declared_version(ptx);
  if (!version || version->major <= ptx::newest_known_major_version) return Error::success;
  reason_ = "this PTX is of version " + std::to_string(version->major) + "." +
            std::to_string(version->minor) + ", and the emulator knows PTX up to " +
            std::to_string(ptx::newest_known_major_version) + ".x; compile with CUDA 12.8 to 13.x";
  return Error::unsupported_ptx_version;
}

void Module::explain_failure(const std::string& user) const {
  if (image_ == nullptr) return explain(reason_);
  const std::string file = file_of(image_);
  explain(user + (file.empty() ? " " : " of " + file + " ") + reason_);
}

Error Module::load(const std::string& user) {
  if (loaded_ != nullptr) return Error::success;
  if (failure_ == Error::success) {
    std::string ptx;
    failure_ = select_ptx(ptx);
    if (failure_ == Error::success) failure_ = check_version(ptx);
    if (failure_ == Error::success) failure_ = check_target(ptx);
    if (failure_ == Error::success) {
      auto loaded = Device::instance().load(ptx, resources_);
      if (loaded) {
        loaded_ = *loaded;
        CallLog::instance().loaded(ptx, loaded_);
        return Error::success;
      }
      reason_ = loaded.error().message;
      failure_ = Error::invalid_ptx;
    }
  }
  explain_failure(user);
  return failure_;
}

// What ptxas says in the driver of PTX's first lines; what was compiled has passed ptxas.
Error Module::check_first_lines() {
  if (!ptx_) return Error::success;
  const auto version = ptx::declared_version(*ptx_);
  const int sm = declared_sm(*ptx_).value_or(device_sm);
  if (sm > device_sm) {
    explain(too_new_for_device(sm));
    return Error::invalid_ptx;
  }
  if (version && *version < first_version_of(sm)) {
    explain("PTX of version " + text_of(*version) + " has no target sm_" + std::to_string(sm) +
            ", which came with " + text_of(first_version_of(sm)));
    return Error::invalid_ptx;
  }
  return Error::success;
}

std::size_t Module::most_parameter_bytes() const {
  const auto version = ptx_ ? ptx::declared_version(*ptx_) : std::nullopt;
  return version && *version < ptx::Version{8, 1} ? h200::max_parameter_bytes_before_ptx_8_1
                                                  : h200::max_parameter_bytes;
}

Error Module::check_kernels() {
  if (const Error error = check_first_lines(); error != Error::success) return error;
  const std::size_t most_parameters = most_parameter_bytes();
  for (const Kernel* kernel : Device::instance().kernels(loaded_)) {
    const KernelInfo& info = kernel->info();
    if (ptx_ && !info.no_ptx.empty()) {
      explain("kernel " + readable(info.name) + ", PTX " + info.no_ptx);
      return Error::invalid_ptx;
    }
    const std::string excess = excess_of(info, most_parameters);
    // A launch is what the driver refuses to those that only need more than the default.
    const bool loads = info.parameter_bytes <= most_parameters &&
                       info.static_shared_bytes > h200::default_shared_bytes_per_cta &&
                       info.static_shared_bytes <= h200::max_shared_bytes_per_cta;
    if (excess.empty() || loads) continue;
    explain("kernel " + readable(info.name) + " " + excess);
    return Error::invalid_ptx;
  }
  return Error::success;
}

Function* Module::function(const std::string& name) {
  auto& known = functions_[name];
  if (!known) {
    known = std::make_unique<Function>();
    known->module = this;
    known->name = name;
    Registry::instance().note(known.get());
  }
  return known.get();
}

Function* Module::find_function(const std::string& name) {
  if (load("kernel " + readable(name)) != Error::success) return nullptr;
  return find_kernel(name) == nullptr ? nullptr : function(name);
}

std::vector<Function*> Module::functions() {
  std::vector<Function*> result;
  if (load() != Error::success) return result;
  for (const Kernel* kernel : Device::instance().kernels(loaded_)) {
    result.push_back(function(kernel->info().name));
  }
  return result;
}

std::optional<DeviceVariable> Module::variable(const std::string& name) {
  if (load("variable " + name) != Error::success) return std::nullopt;
  return Device::instance().find_variable(loaded_, name);
}

Registry& Registry::instance() {
  static auto* registry = new Registry;
  return *registry;
}

Module* Registry::add(std::unique_ptr<Module> module) {
  return modules_.add(std::move(module));
}

void Registry::remove(Module* module) {
  const auto of_module = [module](const auto& entry) { return entry.second->module == module; };
  std::erase_if(functions_, of_module);
  std::erase_if(live_functions_, of_module);
  std::erase_if(variables_, [module](const auto& entry) { return entry.second.module == module; });
  modules_.remove(module);
}

void Registry::add_function(const void* host, Module* module, const std::string& name) {
  functions_[host] = module->function(name);
}

void Registry::add_variable(const void* host, Variable variable) {
  variables_[host] = std::move(variable);
}

Function* Registry::find_function(const void* host_or_handle) {
  if (const auto by_host = functions_.find(host_or_handle); by_host != functions_.end()) {
    return by_host->second;
  }
  const auto live = live_functions_.find(host_or_handle);
  return live == live_functions_.end() ? nullptr : live->second;
}

const void* Registry::host_address(const Function* function) const {
  const auto found = std::find_if(functions_.begin(), functions_.end(),
                                  [&](const auto& entry) { return entry.second == function; });
  return found != functions_.end() ? found->first : function;
}

Error Registry::find_variable(const void* host, DeviceVariable& variable) {
  auto found = variables_.find(host);
  if (found == variables_.end()) {
    // A managed variable's symbol is given by the address that it has on the host.
    found = std::find_if(variables_.begin(), variables_.end(), [host](const auto& entry) {
      return entry.second.managed_pointer != nullptr && *entry.second.managed_pointer == host;
    });
  }
  if (found == variables_.end()) return Error::invalid_symbol;
  Module* module = found->second.module;
  if (const Error error = module->load("variable " + found->second.name); error != Error::success)
    return error;
  const auto in_module = module->variable(found->second.name);
  if (!in_module) return Error::invalid_symbol;
  variable = *in_module;
  return Error::success;
}

Error Registry::initialize_managed(Module* module) {
  if (const Error error = module->load(); error != Error::success) return error;
  for (const auto& [host, variable] : variables_) {
    if (variable.module != module || variable.managed_pointer == nullptr) continue;
    const auto in_module = module->variable(variable.name);
    if (!in_module) return Error::invalid_symbol;
    *variable.managed_pointer = reinterpret_cast<void*>(in_module->address);
  }
  return Error::success;
}

Error Registry::reset() {
  std::unordered_set<Module*> managed;
  for (const auto& [host, variable] : variables_) {
    if (variable.managed_pointer != nullptr && variable.module->loaded() != nullptr) {
      managed.insert(variable.module);
    }
  }
  modules_.for_each([](Module& module) { module.unload(); });
  for (Module* module : managed) {
    if (const Error error = initialize_managed(module); error != Error::success) return error;
  }
  return Error::success;
}

std::unique_ptr<Module> module_from_image(const void* image, bool copy) {
  const auto magic = read<std::uint32_t>(image);
  if (magic == wrapper_magic) {
    const auto wrapper = read<FatBinaryWrapper>(image);
    if (wrapper.version == wrapper_version_linked) {
      return std::make_unique<Module>(Error::not_supported,
                                      Module::WithoutPtx{without_ptx_by_linking, image});
    }
    return module_from_image(wrapper.data, copy);
  }
  if (magic == fat_binary_magic) {
    const std::span header(static_cast<const std::byte*>(image), 16);
    const auto length = fatbin::length(header);
    if (!length) return std::make_unique<Module>(Error::invalid_image, length.error().message);
    const std::span whole(static_cast<const std::byte*>(image), *length);
    if (!copy) return std::make_unique<Module>(whole);
    // Unpacked at once, since the caller may free the image.
    auto images = fatbin::read_ptx(whole);
    if (!images) return std::make_unique<Module>(Error::invalid_image, images.error().message);
    if (const fatbin::PtxImage* best = best_image(*images)) {
      auto resources = resources_for_device(whole);
      if (!resources) {
        return std::make_unique<Module>(Error::invalid_image, resources.error().message);
      }
      return std::make_unique<Module>(best->text, std::move(*resources));
    }
  }
  if (magic == fat_binary_magic || magic == elf_magic) {
    return std::make_unique<Module>(Error::no_kernel_image,
                                    Module::WithoutPtx{without_ptx(image), image});
  }
  return std::make_unique<Module>(std::string(static_cast<const char*>(image)));
}

}  // namespace tmaemu::runtime
