// Memory that several processes share (cudaIpc*), in objects of POSIX shared memory.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "common/round_up.h"
#include "emulator/memory/address_space.h"
#include "emulator/memory/global_memory.h"

namespace tmaemu {

using common::round_up;

namespace {

std::string system_message(const char* what) {
  return std::string(what) + ": " + std::strerror(errno);
}

// The payload of a SharedHandle.
struct HandlePayload {
  char magic[8];
  std::uint64_t size;
  char name[48];  // of the object, with its leading slash
};
static_assert(sizeof(HandlePayload) == sizeof(SharedHandle));
constexpr char handle_magic[8] = {'t', 'm', 'a', 'e', 'm', 'u', '0', '1'};

// Objects of shared memory stand in /dev/shm, or in the folder that this variable names: a sandbox
// can show a process the one folder, and so nobody else's memory.
constexpr const char* folder_variable = "TMAEMU_SHARED_MEMORY";

int open_object(const std::string& name, int flags) {
  const char* folder = std::getenv(folder_variable);
  if (folder == nullptr) return shm_open(name.c_str(), flags, 0600);
  return open((folder + name).c_str(), flags | O_NOFOLLOW | O_CLOEXEC, 0600);
}

void unlink_object(const std::string& name) {
  const char* folder = std::getenv(folder_variable);
  if (folder == nullptr) {
    shm_unlink(name.c_str());
  } else {
    unlink((folder + name).c_str());
  }
}

std::string new_name() {
  static int serial = 0;
  return "/tmaemu-" + std::to_string(getpid()) + "-" + std::to_string(serial++);
}

SharedHandle handle_of(const std::string& name, std::size_t size) {
  HandlePayload payload{};
  std::memcpy(payload.magic, handle_magic, sizeof handle_magic);
  payload.size = size;
  std::snprintf(payload.name, sizeof payload.name, "%s", name.c_str());
  SharedHandle handle;
  std::memcpy(handle.data(), &payload, sizeof payload);
  return handle;
}

}  // namespace

// A region whose bytes lie in a POSIX shared-memory object.
struct GlobalMemory::Shared {
  std::string name;
  bool owner = false;
  ~Shared() {
    if (owner) unlink_object(name);
  }
};

common::Result<SharedHandle> GlobalMemory::share(std::uint64_t address) {
  const auto found = regions_.find(address);
  if (found == regions_.end() || found->second.kind != RegionKind::device) {
    return common::Error{"only the start of an allocation made by cudaMalloc can be shared"};
  }
  const Region& region = found->second;
  auto& shared = shared_[address];
  if (!shared) {
    auto fresh = std::make_shared<Shared>();
    fresh->name = new_name();
    const int file = open_object(fresh->name, O_RDWR | O_CREAT | O_EXCL);
    if (file < 0) {
      shared_.erase(address);
      return common::Error{system_message("cannot create shared memory")};
    }
    fresh->owner = true;
    const std::size_t mapped = round_up(region.size, page_size);
    const bool is_written =
        ftruncate(file, static_cast<off_t>(mapped)) == 0 &&
        pwrite(file, region.host, region.size, 0) == static_cast<ssize_t>(region.size);
    const bool is_shared = is_written && pages_.map(address - device_range, mapped, file, 0);
    close(file);
    if (!is_shared) {
      shared_.erase(address);
      return common::Error{system_message("cannot put the allocation into shared memory")};
    }
    shared = std::move(fresh);
  }
  return handle_of(shared->name, region.size);
}

common::Result<SharedHandle> GlobalMemory::share_zeros(std::size_t size) {
  auto fresh = std::make_shared<Shared>();
  fresh->name = new_name();
  const int file = open_object(fresh->name, O_RDWR | O_CREAT | O_EXCL);
  if (file < 0) return common::Error{system_message("cannot create shared memory")};
  fresh->owner = true;
  const bool has_size = ftruncate(file, static_cast<off_t>(round_up(size, page_size))) == 0;
  close(file);
  if (!has_size) return common::Error{system_message("cannot give shared memory its size")};
  zeros_.push_back(std::move(fresh));
  return handle_of(zeros_.back()->name, size);
}

void GlobalMemory::drop_zeros() {
  zeros_.clear();
}

common::Result<std::uint64_t> GlobalMemory::open_shared(const SharedHandle& handle) {
  HandlePayload payload;
  std::memcpy(&payload, handle.data(), sizeof payload);
  if (std::memcmp(payload.magic, handle_magic, sizeof handle_magic) != 0) {
    return common::Error{"not a handle of emulated memory"};
  }
  payload.name[sizeof payload.name - 1] = '\0';
  const int file = open_object(payload.name, O_RDWR);
  if (file < 0) return common::Error{system_message("cannot open the shared memory")};
  const auto address = open_file({file}, payload.size);
  close(file);
  return address;
}

common::Result<std::uint64_t> GlobalMemory::open_file(const FilePiece& piece, std::size_t size) {
  const std::size_t mapped = round_up(size, page_size);
  const std::size_t span = span_of(size);
  const std::size_t of_file = piece.period == 0 ? mapped : std::min(mapped, piece.period);
  const off_t end = lseek(piece.file, 0, SEEK_END);
  if (size == 0 || span < size || end < 0 || piece.offset > static_cast<std::size_t>(end) ||
      of_file > static_cast<std::size_t>(end) - piece.offset) {
    return common::Error{"the shared memory is smaller than its handle says"};
  }
  if (std::exchange(has_closed_, false)) ++import_turn_;
  const auto place = find_import_place(size);
  if (!place) return place.error();
  const std::uint64_t offset = place->offset;
  withdraw_slack(offset, mapped);
  const auto host = pages_.map(offset, of_file, piece.file, piece.offset);
  if (!host) return host.error();
  for (std::size_t begin = of_file; begin < mapped; begin += of_file) {
    const auto again =
        pages_.map(offset + begin, std::min(of_file, mapped - begin), piece.file, piece.offset);
    if (!again) return again.error();
  }
  take_import_place(*place);
  const std::uint64_t address = device_range + offset;
  if (piece.period != 0) repeated_.insert(address);
  regions_.emplace(address, Region{address, size, *host, RegionKind::imported});
  return address;
}

bool GlobalMemory::has_page_of_its_own(std::size_t size) {
  return round_up(size, page_size) + guard_bytes <= device_page;
}

common::Result<GlobalMemory::ImportPlace> GlobalMemory::find_import_place(std::size_t size) {
  const bool is_small = has_page_of_its_own(size);
  if (is_small && !vacated_.empty() && vacated_.front().turn + 1 < import_turn_) {
    return ImportPlace{nullptr, vacated_.front().offset, 0};
  }
  Range& range = range_for(size, Owner::program);
  const std::uint64_t begin = is_small ? round_up(range.next, device_page) : range.next;
  const std::size_t span = is_small ? device_page : span_of(size);
  if (begin > range.end || span > range.end - begin) {
    return common::Error{"the emulated address space is used up"};
  }
  return ImportPlace{&range, begin, span};
}

void GlobalMemory::take_import_place(const ImportPlace& place) {
  if (place.range == nullptr) {
    vacated_.pop_front();
    const std::uint64_t address = device_range + place.offset;
    freed_.erase(freed_.lower_bound(address), freed_.lower_bound(address + device_page));
  } else {
    place.range->next = place.offset + place.span;
  }
}

bool GlobalMemory::close_shared(std::uint64_t address) {
  const auto found = regions_.find(address);
  if (found == regions_.end() || found->second.kind != RegionKind::imported) return false;
  const Region& region = found->second;
  const std::size_t size = region.before + region.size + region.behind;
  const std::uint64_t offset = address - device_range;
  pages_.take_away(offset, round_up(size, page_size));
  has_closed_ = true;
  if (has_page_of_its_own(size)) {
    vacated_.push_back({offset, import_turn_});
  } else {
    range_at(offset).free_spans.emplace(span_of(size), offset);
  }
  freed_[region.address] = region.size;
  regions_.erase(found);
  repeated_.erase(address);
  return true;
}

}  // namespace tmaemu
