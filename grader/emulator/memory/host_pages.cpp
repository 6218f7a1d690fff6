#include "emulator/memory/host_pages.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "emulator/memory/address_space.h"

namespace tmaemu {
namespace {

void* reserve(void* where, std::size_t size, int extra_flags) {
  return mmap(where, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | extra_flags, -1,
              0);
}

// The range of the device's addresses, which nobody may read or write.
void* reserve_device_range() {
  void* const range = reinterpret_cast<void*>(device_range);
#ifdef __SANITIZE_THREAD__
  return range;  // ThreadSanitizer keeps no shadow of it, and has made it inaccessible itself
#else
  return reserve(range, device_range_size, MAP_FIXED_NOREPLACE);
#endif
}

// Null where there is no memory.
std::byte* anonymous(std::size_t size) {
  void* const mapped = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return mapped == MAP_FAILED ? nullptr : static_cast<std::byte*>(mapped);
}

// Kernels for aarch64 are built with pages of 4, 16 or 64 KiB.
void refuse_larger_pages() {
  const long of_system = sysconf(_SC_PAGESIZE);
  if (of_system <= static_cast<long>(HostPages::page_size)) return;
  std::fprintf(
      stderr,
      "tmaemu: this system's memory has pages of %ld bytes, and the emulator needs pages of "
      "%zu\nhelp: start a Linux kernel that has them, such as that of Docker or of most "
      "distributions (getconf PAGESIZE says 4096 there)\n",
      of_system, HostPages::page_size);
  std::_Exit(70);
}

common::Error refused(const char* what) {
  return {std::string(what) + ": " + std::strerror(errno)};
}

}  // namespace

HostPages::HostPages() {
  refuse_larger_pages();
  void* device = reserve_device_range();
  void* host = reserve(nullptr, device_range_size, 0);
  if (device != reinterpret_cast<void*>(device_range) || host == MAP_FAILED) {
    std::fprintf(stderr,
                 "tmaemu: cannot reserve address space for the device's memory: %s\n"
                 "help: is the address space limited (ulimit -v)? tmaemu reserves 2 TiB of it, "
                 "and uses only what the program allocates\n",
                 std::strerror(errno));
    std::_Exit(70);
  }
  base_ = static_cast<std::byte*>(host);
}

HostPages::~HostPages() {
  munmap(reinterpret_cast<void*>(device_range), device_range_size);
  munmap(base_, device_range_size);
}

std::byte* HostPages::at(std::uint64_t offset) const {
  return base_ + offset;
}

common::Result<std::byte*> HostPages::provide(std::uint64_t offset, std::size_t size) {
  if (mprotect(at(offset), size, PROT_READ | PROT_WRITE) != 0) {
    return refused("the host has no memory for the allocation");
  }
  // A huge page costs the host one fault instead of 512. Only advice: without them it is slower.
  madvise(at(offset), size, MADV_HUGEPAGE);
  return at(offset);
}

void HostPages::take_away(std::uint64_t offset, std::size_t size) {
  reserve(at(offset), size, MAP_FIXED);
}

common::Result<std::byte*> HostPages::map(std::uint64_t offset, std::size_t size, int file,
                                          std::size_t from) {
  void* const mapped = mmap(at(offset), size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file,
                            static_cast<off_t>(from));
  if (mapped == MAP_FAILED) return refused("cannot map the file");
  return at(offset);
}

common::Result<HostPages::TwoViews> HostPages::provide_twice(std::size_t size) {
  const int file = memfd_create("tmaemu", MFD_CLOEXEC);
  // A sandbox may allow no file. Nobody watches the host there: both see the one view.
  if (file < 0 && errno == EPERM) {
    std::byte* const only = anonymous(size);
    if (only == nullptr) return refused("the host has no memory for it");
    return TwoViews{only, only};
  }
  if (file < 0) return refused("the host has no memory for it");
  const auto view = [&]() -> std::byte* {
    constexpr int access = PROT_READ | PROT_WRITE;
    void* const mapped = mmap(nullptr, size, access, MAP_SHARED | MAP_NORESERVE, file, 0);
    return mapped == MAP_FAILED ? nullptr : static_cast<std::byte*>(mapped);
  };
  const bool has_room = ftruncate(file, static_cast<off_t>(size)) == 0;
  const TwoViews views = has_room ? TwoViews{view(), view()} : TwoViews{};
  const common::Error error = refused("the host has no memory for it");
  close(file);
  if (views.program != nullptr && views.emulator != nullptr) return views;
  give_back(views, size);
  return error;
}

void HostPages::give_back(const TwoViews& views, std::size_t size) {
  if (views.program != nullptr) munmap(views.program, size);
  if (views.emulator != nullptr && views.emulator != views.program) munmap(views.emulator, size);
}

// Who limits the memory of a process (ulimit -d) limits the emulator's own, too, which it needs to
// go on when all that a program may allocate is used up.
std::uint64_t HostPages::most_bytes() {
  rlimit limit{};
  if (getrlimit(RLIMIT_DATA, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
    return ~std::uint64_t{0};
  }
  constexpr std::uint64_t most_of_its_own = std::uint64_t{2} << 30;
  return limit.rlim_cur - std::min<std::uint64_t>(limit.rlim_cur / 4, most_of_its_own);
}

}  // namespace tmaemu
