// The emulated H200 as the CUDA runtime and driver see it: modules, memory, launches.
// Nothing here knows CUDA's API or its headers; runtime/ translates.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/result.h"
#include "contract/findings/outcome.h"
#include "contract/protocol/measures.h"
#include "contract/protocol/turned_signs.h"
#include "emulator/fatbin/cubin.h"
#include "emulator/memory/global_memory.h"
#include "emulator/model/host_touch.h"
#include "emulator/model/ids.h"
#include "emulator/model/launch.h"
#include "emulator/model/refused_launch.h"

namespace tmaemu {

struct Program;  // a decoded kernel (program/)
class LoadedModule;

// One parameter of a kernel in its parameter block. Bytes.
struct KernelParameter {
  std::size_t offset = 0;
  std::size_t size = 0;
};

// What the runtime may ask about a kernel before it runs (cudaFuncGetAttributes and launches).
struct KernelInfo {
  std::string name;  // mangled
  std::vector<KernelParameter> parameters;
  std::size_t parameter_bytes = 0;
  std::size_t static_shared_bytes = 0;
  std::size_t local_bytes = 0;  // per thread
  std::string no_ptx;           // why ptxas would refuse it: Program::no_ptx
  // Of the machine code beside the PTX; nothing where there is none for the device.
  std::optional<fatbin::KernelResources> resources;

  // Without machine code nobody knows what ptxas would allocate. 32 registers are the most that let
  // an SM hold all of its threads.
  std::uint32_t registers() const { return resources ? resources->registers : 32; }
  std::size_t frame_bytes() const { return resources ? resources->local_bytes : local_bytes; }
  // Of a thread, that ptxas gives a kernel with setmaxnreg at its start; 0 where it does not know
  // how many there may be, and ignores setmaxnreg.
  std::uint32_t register_limit = 0;
  std::uint32_t max_threads = 1024;      // per CTA: __launch_bounds__ or the hardware's limit
  Dimensions required_threads{0, 0, 0};  // __block_size__; zeros where absent
  Dimensions required_cluster{0, 0, 0};  // __cluster_dims__; zeros where absent
};

// The most threads that a CTA of the kernel may have: max_threads, or fewer where the registers of
// an SM do not suffice.
std::uint32_t max_threads_per_cta(const KernelInfo& kernel);

// A kernel of a loaded module. Decoded when it is first launched.
class Kernel {
 public:
  virtual ~Kernel() = default;
  virtual const KernelInfo& info() const = 0;
};

// A module-scope variable (__device__, __constant__) in device memory.
struct DeviceVariable {
  std::uint64_t address = 0;
  std::size_t size = 0;
  bool is_constant = false;
  bool is_managed = false;
};

class Device {
 public:
  // The one device of this process.
  static Device& instance();

  GlobalMemory& memory();

  // Loads a module from PTX text: places its variables in device memory. The error names the PTX
  // line. `resources`: of the kernels' machine code, where that is known. The module lives until
  // unload.
  common::Result<LoadedModule*> load(std::string ptx, fatbin::ResourceTable resources = {});
  void unload(LoadedModule* module);
  // Null where the module has no such kernel or variable (names as in PTX).
  const Kernel* find_kernel(LoadedModule* module, std::string_view name);
  std::optional<DeviceVariable> find_variable(LoadedModule* module, std::string_view name) const;
  std::vector<const Kernel*> kernels(LoadedModule* module);

  // Runs the kernel to its end. Preconditions (the runtime checks them and reports CUDA's errors):
  // grid, block, cluster and shared memory are within the device's limits and the kernel's.
  LaunchOutcome launch(const Kernel& kernel, const LaunchRequest& request);

  // A copy, a memset, an allocation or a free that was submitted to a stream is about these bytes.
  void note_use(const StreamPlace& place, std::span<const StreamedBytes> used);

  // What work uses that may still be running, for a host that knows so much to be over.
  UsedBesideHost used_beside_host(const StreamClock& host_knows) const;
  // The host has touched that, or may have touched flags of it unseen.
  void host_touches(const StreamClock& host_knows, const HostTouch& touch);
  void host_may_look_at_flags();
  // The program ends, and has not asked about this.
  void ends_unasked(const RefusedLaunch& launch);

  // Largest number of CTAs of this shape that one SM holds together (for the occupancy calls).
  int resident_ctas_per_sm(const KernelInfo& kernel, std::uint32_t threads,
                           std::size_t dynamic_shared_bytes) const;

  // What kernels printed since the last call; the runtime writes it to stdout where CUDA does: at
  // synchronization.
  std::string take_output();

  // From now on, how much of the work of all kernels is done which way, anew.
  void start_measuring();
  bool is_measuring() const;
  // A copy that no kernel makes reads and writes these bytes of the device's.
  void measure_copy(std::span<const StreamedBytes> bytes);
  Measured measured() const;
  // Whether the measures of where values come from are taken, where measuring starts from now on.
  void follow_values(bool follows);

  // From now on, which signs of the floating-point numbers that it multiplies wgmma drops: so a
  // result says whether it has come from there.
  void turn_signs(const TurnedSigns& turned);

  // From now on, how long the kernels that are launched may run together.
  void limit_time(std::chrono::nanoseconds allowed);
  // Where a kernel still ran when that was over, in words; empty where none did.
  std::string take_still_running();

  // That work on the device may take: TMAEMU_THREADS.
  unsigned host_threads() const;

  // Executed by all kernels so far; an instruction by 32 threads counts 32 times.
  std::uint64_t thread_instructions() const;

  // Every call above but instance() is to be made with this mutex held.
  std::recursive_mutex& mutex();

 private:
  Device();
  ~Device();
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tmaemu
