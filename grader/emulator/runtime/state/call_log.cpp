#include "emulator/runtime/state/call_log.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "emulator/runtime/state/context.h"

namespace tmaemu::runtime {
namespace {

using call_log::Kind;

// Kept free for the events that say that there is no room for more, and that the call has ended.
constexpr std::uint64_t reserve_bytes = 4096;

using Bytes = std::span<const std::byte>;

template <class Event>
Bytes bytes_of(const Event& event) {
  return std::as_bytes(std::span(&event, 1));
}

Bytes bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

call_log::Place place(const Rows& rows) {
  return {reinterpret_cast<std::uint64_t>(rows.start), rows.pitch, rows.slice_pitch};
}

call_log::Copy event_of(const CopyRequest& request) {
  const Extent& extent = request.extent;
  return {place(request.destination), place(request.source), extent.width, extent.height,
          extent.depth};
}

}  // namespace

CallLog& CallLog::instance() {
  static auto* log = new CallLog;
  return *log;
}

void CallLog::start(int file) {
  struct stat status {};
  if (fstat(file, &status) != 0) return;
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size < reserve_bytes) return;
  void* bytes = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (bytes != MAP_FAILED) file_ = {static_cast<std::byte*>(bytes), size};
}

void CallLog::begin() {
  inside_ = !file_.empty();
  if (!inside_) return;
  add(Kind::begin, {bytes_of(call_log::Begin{Device::instance().memory().layout()})});
}

void CallLog::end() {
  if (inside_) add(Kind::end, {});
  inside_ = false;
}

void CallLog::add(Kind kind, std::initializer_list<Bytes> parts) {
  if (!inside_) return;
  std::size_t needed = sizeof(call_log::Header) + (kind == Kind::end ? 0 : reserve_bytes);
  for (const Bytes part : parts) needed += part.size();
  if (needed <= file_.size() - position_) return put(kind, parts);
  if (std::exchange(is_full_, true)) return;
  put(Kind::unsupported,
      {bytes_of(std::string_view("more data for the device than the grader keeps"))});
}

void CallLog::put(Kind kind, std::initializer_list<Bytes> parts) {
  call_log::Header header{kind, 0, 0};
  std::byte* const start = &file_[position_];
  std::byte* to = start + sizeof header;
  for (const Bytes part : parts) to = std::copy(part.begin(), part.end(), to);
  header.bytes = static_cast<std::uint64_t>(to - start) - sizeof header;
  std::memcpy(start, &header, sizeof header);
  position_ += sizeof header + header.bytes;
}

void CallLog::loaded(const std::string& ptx, const LoadedModule* module) {
  if (!inside_) return;
  modules_.push_back(module);
  add(Kind::load, {bytes_of(std::string_view(ptx))});
  managed_.emplace_back(ptx);
}

void CallLog::unloading(const LoadedModule* module) {
  settle();
  const auto found = std::find(modules_.begin(), modules_.end(), module);
  if (found == modules_.end()) return;
  *found = nullptr;
  add(Kind::unload,
      {bytes_of(call_log::Unload{static_cast<std::uint64_t>(found - modules_.begin())})});
}

void CallLog::allocated(std::size_t size, const void* pointer) {
  add(Kind::allocate,
      {bytes_of(call_log::Allocate{size, reinterpret_cast<std::uint64_t>(pointer)})});
}

void CallLog::freeing(const void* pointer) {
  settle();
  add(Kind::free, {bytes_of(call_log::Free{reinterpret_cast<std::uint64_t>(pointer)})});
}

void CallLog::heap_limit(std::size_t bytes) {
  add(Kind::heap_limit, {bytes_of(call_log::HeapLimit{bytes})});
}

void CallLog::host_memory() {
  add(Kind::host_memory, {});
}

void CallLog::unsupported(std::string_view name) {
  add(Kind::unsupported, {bytes_of(name)});
}

void CallLog::copy(const CopyRequest& request, Work work) {
  add(Kind::copy, {bytes_of(event_of(request))});
  put_off(std::move(work));
}

void CallLog::write(const CopyRequest& request, Bytes packed, Work work) {
  add(Kind::write, {bytes_of(event_of(request)), packed});
  put_off(std::move(work));
}

void CallLog::fill(const FillRequest& request, Work work) {
  add(Kind::fill,
      {bytes_of(call_log::Fill{place(request.destination), request.extent.width,
                               request.extent.height, request.extent.depth, request.value,
                               static_cast<std::uint32_t>(request.element_size)})});
  put_off(std::move(work));
}

void CallLog::launch(const Kernel& kernel, const LaunchRequest& request, bool starts_early,
                     Bytes parameters, Work work) {
  const std::string& name = kernel.info().name;
  std::uint32_t module = 0;
  while (module < modules_.size() &&
         (modules_[module] == nullptr ||
          Device::instance().find_kernel(const_cast<LoadedModule*>(modules_[module]), name) !=
              &kernel)) {
    ++module;
  }
  if (module < modules_.size() && managed_[module].may_be_used_by(name)) {
    unsupported("a __managed__ variable");
  }
  const call_log::Launch event{module,
                               static_cast<std::uint32_t>(name.size()),
                               request.grid,
                               request.block,
                               request.cluster,
                               request.explicit_cluster,
                               request.cooperative,
                               starts_early,
                               request.sms,
                               request.dynamic_shared_bytes};
  add(Kind::launch, {bytes_of(event), bytes_of(std::string_view(name)), parameters});
  put_off(std::move(work));
}

void CallLog::before_host_reads() {
  if (file_.empty()) return;
  has_read_ = true;
  if (std::exchange(has_dropped_, false)) add(Kind::stale, {});
  execute();
}

void CallLog::settle() {
  if (pending_.empty()) return;
  if (has_read_) return execute();
  pending_.clear();
  has_dropped_ = true;
}

void CallLog::execute() {
  for (const Work& work : std::exchange(pending_, {})) {
    if (FaultState::instance().faulted()) return;
    work();
  }
}

}  // namespace tmaemu::runtime
