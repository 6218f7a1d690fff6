#include "emulator/device/device.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "common/round_up.h"
#include "emulator/device/module.h"
#include "emulator/diagnostics/diagnostics.h"
#include "emulator/instruments/instruments.h"
#include "emulator/model/h200.h"
#include "emulator/observe/environment.h"
#include "emulator/observe/observers.h"
#include "emulator/sched/grid.h"

namespace tmaemu {
namespace {

// A setting from the environment that is not what it must be ends the program: going on with
// another one would not be what was asked for.
[[noreturn]] void refuse_setting(const std::string& message) {
  std::fprintf(stderr, "tmaemu: %s\n", message.c_str());
  std::_Exit(64);
}

TimingPolicy policy_from_environment() {
  const char* text = std::getenv("TMAEMU_ASYNC");
  const auto policy = TimingPolicy::parse(text == nullptr ? "" : text);
  if (!policy) refuse_setting(policy.error().message);
  return *policy;
}

unsigned host_threads_from_environment() {
  const char* text = std::getenv("TMAEMU_THREADS");
  if (text == nullptr || *text == '\0') return std::max(std::thread::hardware_concurrency(), 1u);
  char* end = nullptr;
  const unsigned long count = std::strtoul(text, &end, 10);
  if (*end != '\0' || count == 0 || count > 1024) {
    refuse_setting(std::string("TMAEMU_THREADS is \"") + text + "\"; it must be 1 to 1024");
  }
  return static_cast<unsigned>(count);
}

// All of the text; nothing where it is no number.
std::optional<std::uint64_t> number_in(const std::string& text) {
  std::uint64_t number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || rest != text.data() + text.size()) return std::nullopt;
  return number;
}

// TMAEMU_SCHEDULE, or the seed of a random engine.
std::optional<std::uint64_t> schedule_from_environment(const TimingPolicy& policy) {
  const std::string text = from_environment("TMAEMU_SCHEDULE");
  if (text.empty()) {
    if (policy.kind == TimingPolicy::Kind::random) return policy.seed;
    return std::nullopt;
  }
  if (text == "off") return std::nullopt;
  const auto seed = number_in(text);
  if (!seed) {
    refuse_setting("TMAEMU_SCHEDULE is \"" + text + "\"; it must be an integer, or off");
  }
  return seed;
}

// Whoever runs tests wants a finding to fail them.
void take_exit_status_from_environment() {
  const std::string text = from_environment("TMAEMU_ERROR_EXITCODE");
  if (text.empty()) return;
  const auto status = number_in(text);
  if (!status || *status < 1 || *status > 255) {
    refuse_setting("TMAEMU_ERROR_EXITCODE is \"" + text + "\"; it must be 1 to 255");
  }
  end_with_status_where_something_was_found(static_cast<int>(*status));
}

void take_findings_file_from_environment() {
  const std::string name = from_environment("TMAEMU_FINDINGS_FILE");
  if (name.empty()) return;
  if (const auto status = also_send_findings_to_file(name); !status) {
    refuse_setting(status.error().message);
  }
}

Instruments instruments() {
  auto instruments = instruments_from_environment();
  if (!instruments) refuse_setting(instruments.error().message);
  return std::move(*instruments);
}

// What the barrier of cooperative_groups::this_grid() counts in: global memory that belongs to the
// grid, zeros when it starts (cooperative_groups/details/driver_abi.h).
class GridWorkspace {
 public:
  explicit GridWorkspace(GlobalMemory& memory) : memory_(memory) {
    is_registered_ = memory_.register_host(words_.data(), sizeof words_, RegionKind::host).ok();
  }
  ~GridWorkspace() {
    if (is_registered_) memory_.unregister_host(words_.data());
  }
  GridWorkspace(const GridWorkspace&) = delete;
  GridWorkspace& operator=(const GridWorkspace&) = delete;
  std::uint64_t address() const {
    return is_registered_ ? reinterpret_cast<std::uint64_t>(words_.data()) : 0;
  }

 private:
  GlobalMemory& memory_;
  alignas(8) std::array<std::uint32_t, 2> words_{};  // its size, the barrier
  bool is_registered_ = false;
};

// Of a thread, as setmaxnreg counts them; 0 where it has no effect: also where ptxas has found that
// the kernel cannot do with so few as it asks for, and has given it what it needs.
unsigned registers_at_start(const KernelInfo& kernel) {
  constexpr std::size_t step = h200::register_unit / warp_size;
  const bool has_limit =
      kernel.register_limit != 0 && kernel.resources &&
      common::round_up(kernel.resources->registers, step) == kernel.register_limit;
  return has_limit ? kernel.register_limit : 0;
}

std::string still_running_text(const StillRunning& running, const Places& places) {
  constexpr std::uint64_t million = 1'000'000;
  const std::string count = running.instructions < million
                                ? std::to_string(running.instructions)
                                : std::to_string(running.instructions / million) + " million";
  return text_of(places.thread(running.cta, running.thread)) + " is still running at " +
         text_of(places.place(running.site)) + " after " + count + " instructions";
}

}  // namespace

struct Device::State {
  GlobalMemory memory{h200::global_bytes};
  TimingPolicy policy = policy_from_environment();
  unsigned host_threads = host_threads_from_environment();
  std::optional<std::uint64_t> schedule = schedule_from_environment(policy);
  Instruments instruments = tmaemu::instruments();
  std::vector<std::unique_ptr<LoadedModule>> modules;
  std::string output;
  std::uint64_t launches = 0;
  std::uint64_t thread_instructions = 0;
  std::optional<TimeLimit> time_limit;
  TurnedSigns turned_signs;
  std::string still_running;
  std::recursive_mutex mutex;
};

Device::Device() : state_(std::make_unique<State>()) {
  take_exit_status_from_environment();
  take_findings_file_from_environment();
}
Device::~Device() = default;

Device& Device::instance() {
  // Never destroyed: programs may call CUDA from the destructors of their own globals.
  static Device& device = *new Device();
  return device;
}

GlobalMemory& Device::memory() {
  return state_->memory;
}
std::recursive_mutex& Device::mutex() {
  return state_->mutex;
}
std::string Device::take_output() {
  return std::exchange(state_->output, {});
}

unsigned Device::host_threads() const {
  return state_->host_threads;
}

std::uint64_t Device::thread_instructions() const {
  return state_->thread_instructions;
}

void Device::limit_time(std::chrono::nanoseconds allowed) {
  state_->time_limit.emplace(allowed);
}
std::string Device::take_still_running() {
  return std::exchange(state_->still_running, {});
}

void Device::start_measuring() {
  state_->instruments.meter->start(state_->memory);
}
bool Device::is_measuring() const {
  return state_->instruments.meter->is_on();
}
void Device::measure_copy(std::span<const StreamedBytes> bytes) {
  state_->instruments.meter->copy(bytes);
}
Measured Device::measured() const {
  return state_->instruments.meter->measured();
}
void Device::follow_values(bool follows) {
  state_->instruments.meter->follow_values(follows);
}
void Device::turn_signs(const TurnedSigns& turned) {
  state_->turned_signs = turned;
  state_->instruments.meter->turn_signs(turned);
}

common::Result<LoadedModule*> Device::load(std::string ptx, fatbin::ResourceTable resources) {
  auto module = LoadedModule::load(std::move(ptx), std::move(resources), state_->memory);
  if (!module) return module.error();
  state_->modules.push_back(std::move(*module));
  return state_->modules.back().get();
}

void Device::unload(LoadedModule* module) {
  for (const auto& instrument : state_->instruments.all) instrument->forget_programs();
  std::erase_if(state_->modules, [&](const auto& loaded) { return loaded.get() == module; });
}

const Kernel* Device::find_kernel(LoadedModule* module, std::string_view name) {
  return module->find_kernel(name);
}

std::optional<DeviceVariable> Device::find_variable(LoadedModule* module,
                                                    std::string_view name) const {
  return module->find_variable(name);
}

std::vector<const Kernel*> Device::kernels(LoadedModule* module) {
  return module->kernels();
}

void Device::note_use(const StreamPlace& place, std::span<const StreamedBytes> used) {
  for (const auto& instrument : state_->instruments.all) instrument->use(place, used);
}

UsedBesideHost Device::used_beside_host(const StreamClock& host_knows) const {
  UsedBesideHost used;
  for (const auto& instrument : state_->instruments.all) {
    const UsedBesideHost its = instrument->used_beside_host(host_knows);
    used.all.insert(used.all.end(), its.all.begin(), its.all.end());
    used.flags.insert(used.flags.end(), its.flags.begin(), its.flags.end());
  }
  return used;
}

void Device::host_touches(const StreamClock& host_knows, const HostTouch& touch) {
  for (const auto& instrument : state_->instruments.all) {
    instrument->host_touches(host_knows, touch);
  }
}

void Device::host_may_look_at_flags() {
  for (const auto& instrument : state_->instruments.all) instrument->host_may_look_at_flags();
}

void Device::ends_unasked(const RefusedLaunch& launch) {
  for (const auto& instrument : state_->instruments.all) instrument->ends_unasked(launch);
}

LaunchOutcome Device::launch(const Kernel& kernel, const LaunchRequest& request) {
  const Program& program = static_cast<const LoadedKernel&>(kernel).program();
  Diagnostics diagnostics(program, request);
  const std::uint64_t ctas = std::uint64_t{h200::sm_count} *
                             static_cast<unsigned>(resident_ctas_per_sm(
                                 kernel.info(), static_cast<std::uint32_t>(request.block.count()),
                                 request.dynamic_shared_bytes));
  ObservedLaunch observed{program,      request, state_->memory, ++state_->launches, diagnostics,
                          &diagnostics, ctas};
  LaunchInstruments instruments(state_->instruments, observed);
  Launch launch;
  launch.program = &program;
  launch.request = &request;
  launch.memory = &state_->memory;
  launch.findings = observed.findings;
  launch.observer = instruments.observer();
  TensorMapChanges map_changes;
  launch.map_changes = &map_changes;
  launch.policy = state_->policy;
  launch.schedule = state_->schedule;
  launch.number = observed.number;
  if (state_->time_limit) launch.time_limit = &*state_->time_limit;
  launch.turned_signs = state_->turned_signs;
  launch.output = &state_->output;
  launch.shared_bytes = program.shared_bytes + request.dynamic_shared_bytes;
  launch.registers = registers_at_start(kernel.info());
  std::optional<GridWorkspace> workspace;
  if (request.cooperative) launch.grid_workspace = workspace.emplace(state_->memory).address();
  GridResult result = run_grid(launch, std::max<std::uint64_t>(ctas / request.cluster.count(), 1),
                               state_->host_threads);
  state_->thread_instructions += result.thread_instructions;
  diagnostics.finish();
  Finding* const fault = result.fault ? &result.fault->finding : nullptr;
  if (fault != nullptr) instruments.explain(*fault);
  instruments.end(fault);
  if (fault != nullptr) {
    diagnostics.fault(*fault);
    return fault->code().outcome;
  }
  if (!result.still_running) return LaunchOutcome::completed;
  state_->still_running = still_running_text(*result.still_running, diagnostics.places());
  return LaunchOutcome::out_of_time;
}

}  // namespace tmaemu

// For programs that want to know what their kernels did; they find these by their names.
// tests/speed measures the emulator, the runner asks which way the work was done.
extern "C" std::uint64_t tmaemu_thread_instructions() {
  tmaemu::Device& device = tmaemu::Device::instance();
  const std::lock_guard lock(device.mutex());
  return device.thread_instructions();
}
extern "C" void tmaemu_measured(tmaemu::Measured* result) {
  tmaemu::Device& device = tmaemu::Device::instance();
  const std::lock_guard lock(device.mutex());
  *result = device.measured();
}
