// Modules as programs know them: fat binaries that register themselves when the program starts, or
// that it loads, and the kernels and variables in them. Parsed when one is first used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "emulator/device/device.h"
#include "emulator/runtime/state/error.h"
#include "emulator/runtime/state/handles.h"

namespace tmaemu::runtime {

class Module;

// A kernel's attributes that a program may set.
struct KernelSettings {
  int max_dynamic_shared_bytes = -1;  // -1: what is left of 48 KiB
  int preferred_carveout = -1;
  bool non_portable_cluster = false;
  Dimensions required_cluster{0, 0, 0};  // on top of __cluster_dims__
  int cluster_scheduling_policy = 0;
};

// Behind cudaFunction_t, cudaKernel_t, CUfunction, CUkernel, and the host address of a kernel.
struct Function {
  Module* module = nullptr;
  std::string name;  // mangled
  KernelSettings settings;
  const Kernel* kernel = nullptr;  // null until resolved

  // Loads the module where that has not happened yet, and finds the kernel in it.
  Error resolve();
};

// A __device__, __constant__ or __managed__ variable that the program registered.
struct Variable {
  Module* module = nullptr;
  std::string name;
  void** managed_pointer = nullptr;  // where the host keeps a managed variable's address
};

class Module {
 public:
  // A fat binary in the program's image or in memory that outlives the module.
  explicit Module(std::span<const std::byte> fat_binary) : fat_binary_(fat_binary) {}
  explicit Module(std::string ptx, fatbin::ResourceTable resources = {})
      : ptx_(std::move(ptx)), resources_(std::move(resources)) {}
  // A module that cannot run, with the reason that its use is to give.
  Module(Error error, std::string reason) : failure_(error), reason_(std::move(reason)) {}
  // One whose device code is machine code alone: the reason is a clause about who uses it, whose
  // file holds `image`.
  struct WithoutPtx {
    std::string reason;
    const void* image = nullptr;
  };
  Module(Error error, WithoutPtx without)
      : failure_(error), reason_(std::move(without.reason)), image_(without.image) {}
  ~Module();
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  // Parses the module and places its variables, once. A failure is explained on stderr to `user`:
  // "kernel k(int*)".
  Error load(const std::string& user = "the program");
  // Back to the state before it was loaded; the handles of its functions stay.
  void unload();
  LoadedModule* loaded() const { return loaded_; }
  // A kernel of the loaded module; null where there is none of this name. One that the PTX for the
  // device lacks is taken from PTX for a later architecture (sm_100a's cta_group forms, in a
  // program whose other kernels are for Hopper).
  const Kernel* find_kernel(const std::string& name);
  // The handle of a kernel of this name, the same in every call. Loads nothing: whether there is
  // such a kernel shows when it is resolved.
  Function* function(const std::string& name);
  // The same for a loaded module; null where it has no such kernel.
  Function* find_function(const std::string& name);
  // Fails where a kernel has more of something than any launch could have. Precondition: loaded.
  Error check_kernels();
  std::vector<Function*> functions();
  std::optional<DeviceVariable> variable(const std::string& name);

 private:
  void explain_failure(const std::string& user) const;
  Error select_ptx(std::string& ptx);
  Error check_target(const std::string& ptx);
  Error check_first_lines();
  std::size_t most_parameter_bytes() const;
  Error check_version(const std::string& ptx);

  std::span<const std::byte> fat_binary_;
  std::optional<std::string> ptx_;
  fatbin::ResourceTable resources_;  // of the machine code beside the PTX
  Error failure_ = Error::success;
  std::string reason_;
  const void* image_ = nullptr;  // where reason_ is a clause about who uses the module
  LoadedModule* loaded_ = nullptr;
  std::unique_ptr<Module>
      later_;  // the PTX for a later architecture, once a kernel is sought there
  std::unordered_map<std::string, std::unique_ptr<Function>> functions_;
};

// What the machine code for the device says of its kernels; empty where there is none.
common::Result<fatbin::ResourceTable> resources_for_device(std::span<const std::byte> fat_binary);

// What the program's registration calls and module loads have made known.
class Registry {
 public:
  static Registry& instance();

  Module* add(std::unique_ptr<Module> module);
  Module* find_module(const void* handle) const { return modules_.find(handle); }
  void remove(Module* module);

  void add_function(const void* host, Module* module, const std::string& name);
  void add_variable(const void* host, Variable variable);
  // A kernel's host address, or a handle that names it; null where it is neither.
  Function* find_function(const void* host_or_handle);
  // The other way: the kernel's address on the host, or its handle where it has none.
  const void* host_address(const Function* function) const;
  Error find_variable(const void* host, DeviceVariable& variable);
  // Loads the module, and tells the host where its managed variables are.
  Error initialize_managed(Module* module);
  // Unloads every module. Those with managed variables come back at once: the host's code asks for
  // their addresses only once in a program's life.
  Error reset();

  void note(Function* function) { live_functions_.emplace(function, function); }

 private:
  Handles<Module> modules_;
  std::unordered_map<const void*, Function*> functions_;  // by the kernel's host address
  std::unordered_map<const void*, Variable> variables_;   // by the variable's shadow on the host
  std::unordered_map<const void*, Function*> live_functions_;
};

// A module from what cuModuleLoadData and cudaLibraryLoadData take: a fat binary, its wrapper, or
// PTX text. Makes a copy where the caller may free the memory.
std::unique_ptr<Module> module_from_image(const void* image, bool copy);

// Of the two headers that nvcc puts in front of device code the outer one:
// fatbinary_section.h, __fatBinC_Wrapper_t: what __cudaRegisterFatBinary is given.
struct FatBinaryWrapper {
  std::uint32_t magic;
  std::uint32_t version;  // 2: relocatable device code, linked when the program was
  const void* data;
  void* names_or_parts;  // version 2: the null-terminated list of the parts
};
inline constexpr std::uint32_t wrapper_magic = 0x466243b1;
inline constexpr std::uint32_t wrapper_version_linked = 2;

inline constexpr std::uint32_t fat_binary_magic = 0xBA55ED50;
inline constexpr std::uint32_t elf_magic = 0x464C457F;

}  // namespace tmaemu::runtime
