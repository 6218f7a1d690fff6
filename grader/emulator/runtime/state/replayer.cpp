#include "emulator/runtime/state/replayer.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>

#include "emulator/device/module.h"
#include "emulator/fatbin/fatbin.h"
#include "emulator/memory/address_space.h"
#include "emulator/memory/device_heap.h"
#include "emulator/model/h200.h"
#include "emulator/runtime/state/allocation.h"
#include "emulator/runtime/state/context.h"
#include "emulator/runtime/state/copy.h"
#include "emulator/runtime/state/launch.h"
#include "emulator/runtime/state/module.h"

namespace tmaemu::runtime {
namespace {

using call_log::Kind;
using common::Status;
using Bytes = std::span<const std::byte>;

common::Error damaged(const std::string& how) {
  return {"the record of what it asked of the GPU is damaged (" + how +
          "): the launcher wrote over memory that is not its own"};
}

common::Error moved(const std::string& what) {
  return {what +
          " another address in the repetition than in the launcher's process: the launcher "
          "has changed how device memory is given out there"};
}

template <class Fixed>
std::optional<Fixed> fixed_part(Bytes bytes) {
  Fixed fixed;
  if (bytes.size() < sizeof fixed) return std::nullopt;
  std::memcpy(&fixed, bytes.data(), sizeof fixed);
  return fixed;
}

// Of an event that has nothing else.
template <class Fixed>
std::optional<Fixed> whole(Bytes bytes) {
  return bytes.size() == sizeof(Fixed) ? fixed_part<Fixed>(bytes) : std::nullopt;
}

std::string text_of(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Rows rows_of(const call_log::Place& place) {
  return {reinterpret_cast<void*>(place.address), place.pitch, place.slice_pitch};
}

// Whether the rows lie in device memory. The caller's arithmetic on them cannot overflow then.
bool is_device_memory(const call_log::Place& place, const Extent& bytes) {
  for (const std::size_t number :
       {bytes.width, bytes.height, bytes.depth, place.pitch, place.slice_pitch}) {
    if (number > device_range_size) return false;
  }
  __extension__ using Wide = unsigned __int128;
  const Wide span = Wide{bytes.depth - 1} * place.slice_pitch +
                    Wide{bytes.height - 1} * place.pitch + bytes.width;
  if (place.address - device_range >= device_range_size || span > device_range_size) return false;
  const auto size = static_cast<std::size_t>(span);
  return Device::instance().memory().translate(place.address, size) != nullptr;
}

// What a call of the emulator's own answers to a request that was checked when it was recorded.
Status succeeded(Error error, const char* what) {
  if (error == Error::success) return {};
  return damaged(std::string(what) + " that CUDA refuses");
}

}  // namespace

Replayed Replayer::read_call(Status (Replayer::*handle)(const Event& event)) {
  notes_ = {};
  Replayed result;
  for (bool is_first = true;; is_first = false) {
    const auto event = next_event();
    Status done = event ? Status() : Status(event.error());
    const bool in_place = is_first == (event && event->kind == Kind::begin);
    if (done && !in_place && event->kind != Kind::unsupported) done = damaged("calls overlap");
    if (done && event->kind == Kind::stale) {
      result.ending = Replayed::Ending::stale;
      result.text = damaged("a fresh process begins with what an old one left").message;
      return result;
    }
    if (done && event->kind == Kind::end) break;
    if (done) done = (this->*handle)(*event);
    if (!done) {
      result.ending = Replayed::Ending::not_followed;
      result.text = done.error().message;
      break;
    }
  }
  return result;
}

Replayed Replayer::note_call() {
  return read_call(&Replayer::note);
}

Replayed Replayer::repeat_call() {
  Device::instance().start_measuring();
  Replayed result = read_call(&Replayer::perform);
  if (result.ending == Replayed::Ending::stale) return result;
  result.error = FaultState::instance().synchronize();
  if (std::string running = Device::instance().take_still_running(); !running.empty()) {
    result.ending = Replayed::Ending::out_of_time;
    result.text = std::move(running);
    return result;
  }
  if (result.error != Error::success && has_host_memory_ && result.text.empty()) {
    result.text =
        "the launcher has host memory that kernels can reach (cudaMallocHost and the like); copies "
        "from and to it are fine here, but a kernel of these labs must not use it itself";
  }
  return result;
}

common::Result<Replayer::Event> Replayer::next_event() {
  call_log::Header header;
  const auto at = static_cast<off_t>(position_);
  if (pread(recording_, &header, sizeof header, at) != sizeof header || header.kind == Kind::none) {
    return damaged("it ends before the call does");
  }
  // Not by lseek: the process that recorded has the same open file, and would see its offset move.
  struct stat file {};
  if (header.kind > Kind::unsupported || fstat(recording_, &file) != 0 ||
      header.bytes > static_cast<std::uint64_t>(file.st_size)) {
    return damaged("an event of kind " + std::to_string(static_cast<std::uint32_t>(header.kind)) +
                   " with " + std::to_string(header.bytes) + " bytes");
  }
  Event event{header.kind, std::vector<std::byte>(header.bytes)};
  const auto got = pread(recording_, event.bytes.data(), event.bytes.size(),
                         static_cast<off_t>(position_ + sizeof header));
  if (got < 0 || static_cast<std::uint64_t>(got) != header.bytes) {
    return damaged("it ends inside an event");
  }
  position_ += sizeof header + header.bytes;
  return event;
}

Status Replayer::perform(const Event& event) {
  switch (event.kind) {
    case Kind::begin: {
      const auto begin = whole<call_log::Begin>(event.bytes);
      if (!begin) return damaged("a begin without a layout");
      if (begin->layout == Device::instance().memory().layout()) return {};
      return moved("some device memory has");
    }
    case Kind::load:
      return load(event);
    case Kind::unload:
      return unload(event);
    case Kind::allocate:
      return allocate(event);
    case Kind::free:
      return free(event);
    case Kind::write:
    case Kind::copy:
      return copy(event);
    case Kind::fill:
      return fill(event);
    case Kind::launch:
      return launch(event);
    case Kind::heap_limit:
      return set_heap_limit(event);
    case Kind::host_memory:
      has_host_memory_ = true;
      return {};
    case Kind::unsupported:
      return common::Error{"the grader cannot follow " + text_of(event.bytes) +
                           "; a launcher of these labs does not need it"};
    case Kind::none:
    case Kind::end:
    case Kind::stale:
      break;  // repeat_call's
  }
  return damaged("an event out of place");
}

Status Replayer::note(const Event& event) {
  switch (event.kind) {
    case Kind::load:
    case Kind::unload:
    case Kind::unsupported:
      return perform(event);
    case Kind::write:
      if (event.bytes.size() < sizeof(call_log::Copy)) return damaged("a copy without places");
      notes_.wrote(Bytes(event.bytes).subspan(sizeof(call_log::Copy)));
      return {};
    case Kind::copy:
      notes_.copied();
      return {};
    case Kind::fill:
      notes_.filled();
      return {};
    case Kind::launch: {
      const auto asked = asked_launch(event);
      return asked ? Status() : Status(asked.error());
    }
    case Kind::begin:
    case Kind::allocate:
    case Kind::free:
    case Kind::heap_limit:
    case Kind::host_memory:
      return {};
    case Kind::none:
    case Kind::end:
    case Kind::stale:
      break;  // read_call's
  }
  return damaged("an event out of place");
}

Status Replayer::load(const Event& event) {
  const auto known = device_code_.find(text_of(event.bytes));
  if (known == device_code_.end()) {
    return common::Error{
        "the grader cannot follow device code that does not lie in the submission's library as "
        "nvcc put it there; a launcher of these labs does not need to make any"};
  }
  auto module = std::make_unique<Module>(known->first, known->second);
  if (const Status loaded = succeeded(module->load(), "a module"); !loaded) return loaded;
  modules_.push_back(std::move(module));
  places_.push_back(static_cast<std::uint32_t>(std::distance(device_code_.begin(), known)));
  return {};
}

Status Replayer::unload(const Event& event) {
  const auto unload = whole<call_log::Unload>(event.bytes);
  if (!unload || unload->module >= modules_.size()) return damaged("a module that is none");
  modules_[unload->module].reset();
  return {};
}

Status Replayer::allocate(const Event& event) {
  const auto wanted = whole<call_log::Allocate>(event.bytes);
  if (!wanted || wanted->size == 0) return damaged("an allocation without a size");
  void* pointer = nullptr;
  const auto error = allocate_device(wanted->size, pointer);
  if (const Status done = succeeded(error, "an allocation"); !done) return done;
  if (reinterpret_cast<std::uint64_t>(pointer) != wanted->address) return moved("cudaMalloc gives");
  return {};
}

Status Replayer::free(const Event& event) {
  const auto freed = whole<call_log::Free>(event.bytes);
  if (!freed) return damaged("a free without an address");
  return succeeded(free_device("cudaFree", reinterpret_cast<void*>(freed->address)), "a free");
}

Status Replayer::copy(const Event& event) {
  const auto copy = fixed_part<call_log::Copy>(event.bytes);
  if (!copy) return damaged("a copy without places");
  const Bytes packed = Bytes(event.bytes).subspan(sizeof *copy);
  const Extent extent{copy->width, copy->height, copy->depth};
  if (extent.empty() || !is_device_memory(copy->destination, extent)) {
    return damaged("a copy to no device memory");
  }
  CopyRequest request{"a copy", rows_of(copy->destination), rows_of(copy->source), extent,
                      CopyKind::device_to_device};
  if (event.kind == Kind::copy) {
    if (!packed.empty() || !is_device_memory(copy->source, extent)) {
      return damaged("a copy from no device memory");
    }
    notes_.copied();
  } else {
    // Of numbers up to 2^40 each, one product is at most 2^80.
    __extension__ using Wide = unsigned __int128;
    const Wide rows = Wide{extent.height} * extent.depth;
    if (rows > packed.size() || rows * extent.width != packed.size()) {
      return damaged("a copy of other bytes than it says");
    }
    notes_.wrote(packed);
    request.kind = CopyKind::host_to_device;
    request.source = {const_cast<std::byte*>(packed.data()), extent.width,
                      extent.width * extent.height};
  }
  return succeeded(copy_async(request, default_stream()), "a copy");
}

Status Replayer::fill(const Event& event) {
  const auto fill = whole<call_log::Fill>(event.bytes);
  if (!fill) return damaged("a fill without a place");
  const std::uint32_t size = fill->element_size;
  if ((size != 1 && size != 2 && size != 4) || fill->width > device_range_size) {
    return damaged("a fill with elements of " + std::to_string(size) + " bytes");
  }
  const Extent bytes{fill->width * size, fill->height, fill->depth};
  if (bytes.empty() || !is_device_memory(fill->destination, bytes)) {
    return damaged("a fill of no device memory");
  }
  const FillRequest request{"a fill",
                            rows_of(fill->destination),
                            {fill->width, fill->height, fill->depth},
                            fill->value,
                            size};
  notes_.filled();
  return succeeded(tmaemu::runtime::fill(request, default_stream()), "a fill");
}

common::Result<Replayer::Asked> Replayer::asked_launch(const Event& event) {
  const auto launch = fixed_part<call_log::Launch>(event.bytes);
  if (!launch || launch->module >= modules_.size() || modules_[launch->module] == nullptr) {
    return damaged("a launch from no module");
  }
  const Bytes rest = Bytes(event.bytes).subspan(sizeof *launch);
  if (launch->name_bytes > rest.size()) return damaged("a launch without its kernel's name");
  Module& module = *modules_[launch->module];
  Function* function = module.find_function(text_of(rest.first(launch->name_bytes)));
  if (function == nullptr || function->resolve() != Error::success) {
    return damaged("a launch of no kernel");
  }
  const Bytes parameters = rest.subspan(launch->name_bytes);
  const KernelInfo& info = function->kernel->info();
  if (parameters.size() != info.parameter_bytes) return damaged("a launch with other parameters");
  const std::vector<const Kernel*> kernels = module.loaded()->kernels();
  const auto place = std::ranges::find(kernels, function->kernel) - kernels.begin();
  notes_.launched({places_[launch->module], static_cast<std::uint32_t>(place), info.name}, *launch,
                  parameters);
  return Asked{*launch, function, parameters};
}

Status Replayer::launch(const Event& event) {
  const auto asked = asked_launch(event);
  if (!asked) return asked.error();
  const auto& [launch, function, parameters] = *asked;
  const KernelInfo& info = function->kernel->info();

  // What the program had to allow, it has allowed: that was checked when it launched.
  function->settings.max_dynamic_shared_bytes =
      static_cast<int>(h200::max_shared_bytes_per_cta - info.static_shared_bytes);
  function->settings.non_portable_cluster = true;
  LaunchConfiguration configuration;
  configuration.grid = launch.grid;
  configuration.block = launch.block;
  configuration.dynamic_shared_bytes = launch.dynamic_shared_bytes;
  configuration.stream = &default_stream();
  if (launch.explicit_cluster != 0) configuration.cluster = launch.cluster;
  configuration.cooperative = launch.cooperative != 0;
  configuration.starts_early = launch.starts_early != 0;
  configuration.sms = std::max(launch.sms, 1U);  // nothing divides by zero, whatever it says
  const auto error =
      tmaemu::runtime::launch(*function, configuration, {parameters.begin(), parameters.end()});
  return succeeded(error, "a launch");
}

Status Replayer::set_heap_limit(const Event& event) {
  const auto limit = whole<call_log::HeapLimit>(event.bytes);
  if (!limit || limit->bytes > h200::global_bytes) return damaged("a limit beyond all memory");
  // In the program's own process no kernel has run yet; in truth the limit is set too late.
  if (!DeviceHeap::instance().was_used()) DeviceHeap::instance().set_limit(limit->bytes);
  return {};
}

common::Result<DeviceCode> device_code_of(const char* path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return common::Error{std::string("cannot read ") + path};
  const std::string content{std::istreambuf_iterator<char>(file), {}};
  const Bytes bytes = std::as_bytes(std::span(content));
  // nvcc aligns them in its section, and linkers the section in the file.
  constexpr std::size_t alignment = 8;
  DeviceCode found;
  for (std::size_t at = 0; at + sizeof fat_binary_magic <= bytes.size(); at += alignment) {
    if (std::memcmp(&bytes[at], &fat_binary_magic, sizeof fat_binary_magic) != 0) continue;
    const auto images = fatbin::read_ptx(bytes.subspan(at));
    const auto resources = resources_for_device(bytes.subspan(at));
    if (!images || !resources) continue;  // nothing that a program could load
    for (const fatbin::PtxImage& image : *images) found.emplace(image.text, *resources);
  }
  return found;
}

}  // namespace tmaemu::runtime
