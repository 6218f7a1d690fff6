// The device's global memory: allocations, their bounds, and where their bytes are on this host.
//
// A device address is not a host address. Allocations lie in a reserved range that the host program
// cannot touch (dereferencing a device pointer on the host faults, as it does with a real GPU);
// their bytes are mapped a constant distance away, where only the emulator looks. Pinned and
// managed host memory has one address for both sides, as under CUDA's unified addressing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/result.h"
#include "emulator/memory/host_pages.h"

namespace tmaemu {

enum class RegionKind : std::uint8_t {
  device,    // cudaMalloc and module-scope variables
  host,      // cudaMallocHost, cudaHostAlloc, cudaHostRegister: pinned host memory
  managed,   // cudaMallocManaged
  imported,  // opened from another process's allocation
  mapped,    // cuMemMap: part of a reserved range
};

// One allocation. Valid until it is freed.
struct Region {
  std::uint64_t address = 0;  // as the device sees it, of the first byte that it may access
  std::size_t size = 0;       // bytes
  std::byte* host = nullptr;  // the same bytes for the emulator
  RegionKind kind = RegionKind::device;

  // Of imported memory, how much of it lies on either side of the array that it was imported for:
  // programs have no more business there than beside an allocation.
  std::size_t before = 0;
  std::size_t behind = 0;
  bool holds_input = true;  // there is something in it, which a kernel may need
  std::string name = {};    // of that array, as whoever called the program knows it; may be empty

  // Whether it is the host program's, too: its pages may be closed to the program for a while
  // (runtime/state/host_watch.h).
  bool is_shared_with_host() const {
    return kind == RegionKind::host || kind == RegionKind::managed;
  }
  // Whether the emulator has a view of its own of such memory, which stays open. It has none of
  // what the program had before it was registered.
  bool is_seen_twice() const {
    return is_shared_with_host() && reinterpret_cast<std::uint64_t>(host) != address;
  }
  // Whether [first, first + bytes) lies in it.
  bool contains(std::uint64_t first, std::size_t bytes) const {
    return first - address < size && bytes <= size - (first - address);
  }
};

// What another process needs to map an allocation: the payload of cudaIpcMemHandle_t.
using SharedHandle = std::array<std::byte, 64>;

class GlobalMemory {
 public:
  // `capacity`: bytes that allocations may take together (the H200's 141 GB by default).
  explicit GlobalMemory(std::uint64_t capacity);
  ~GlobalMemory();
  GlobalMemory(const GlobalMemory&) = delete;
  GlobalMemory& operator=(const GlobalMemory&) = delete;

  enum class Contents : std::uint8_t {
    undefined,  // filled with a pattern that a test notices, and is_fresh() knows
    zero,
  };
  // Kernels' own allocations lie apart: the addresses of a program's do not depend on what its
  // kernels did, nor on whether they have run yet.
  enum class Owner : std::uint8_t { program, kernel };
  // A new allocation of `size` > 0 bytes, aligned to `alignment` bytes. Fails when the capacity is
  // used up.
  common::Result<std::uint64_t> allocate(std::size_t size, Contents contents = Contents::undefined,
                                         Owner owner = Owner::program);
  static constexpr std::size_t alignment = HostPages::page_size;
  // Gives back what allocate returned; false where `address` is not the start of an allocation.
  bool free(std::uint64_t address);
  // How often something was freed: whoever remembers where bytes are asks whether it has grown.
  std::uint64_t frees() const { return frees_; }

  // Makes host memory visible to the device at its own address. `size` in bytes.
  common::Status register_host(void* memory, std::size_t size, RegionKind kind);
  bool unregister_host(void* memory);
  // A new allocation of `size` > 0 zeros that host and device have at one address, on pages of its
  // own.
  common::Result<void*> allocate_host(std::size_t size, RegionKind kind);
  // Gives back what allocate_host returned; false where it is none.
  bool free_host(void* memory);
  // Allocations of device memory, in the order of their addresses, which is that of the program
  // unless it has freed some.
  std::vector<Region> allocations() const;
  std::vector<Region> shared_with_host() const;

  // The allocation that contains `address`; null where there is none.
  const Region* find(std::uint64_t address) const;
  // The host's view of [address, address + size); null where that leaves every allocation.
  std::byte* translate(std::uint64_t address, std::size_t size) const;

  // The same where that leaves every allocation, but not what a GPU maps: there an access finds
  // what was written there last, or zeros, until the place is allocated. Null where a GPU reports
  // an illegal address. For accesses that translate() has refused; several threads may ask.
  std::byte* reach(std::uint64_t address, std::size_t size) const;

  // Of [address, address + bytes), taken as pieces of `piece` bytes, the first one whose words are
  // all as `allocate` left them, since nobody has written there: its offset, and `bytes` where
  // there is none. Known of the first `fresh_fill_limit` bytes of an allocation whose contents are
  // undefined, and of nothing else; of pieces smaller than a word, where two whole words are read.
  static std::size_t first_fresh(const Region& region, std::uint64_t address, std::size_t bytes,
                                 std::size_t piece);
  // Filling more than this would cost more than it shows; the rest reads as zero.
  static constexpr std::size_t fresh_fill_limit = std::size_t{1} << 20;

  // For diagnostics: what lies at or near an address that translate refused, as words
  // ("4 bytes after the end of a 1024-byte allocation", "in memory that was freed").
  std::string describe(std::uint64_t address) const;

  // Sharing with other processes that run under the emulator (cudaIpc*). The allocation's bytes
  // move to a file in shared memory that lives until the exporting process frees the allocation
  // or ends; the address stays.
  common::Result<SharedHandle> share(std::uint64_t address);
  // Zeros for another process, to which this one has no access: of whatever size, they take memory
  // only where somebody writes. They stay until drop_zeros().
  common::Result<SharedHandle> share_zeros(std::size_t size);
  void drop_zeros();
  common::Result<std::uint64_t> open_shared(const SharedHandle& handle);
  // A file's bytes from `offset` on. With a `period`, those of one period again and again: memory
  // of whatever size, which takes no more than that. Offset and period are multiples of a page.
  struct FilePiece {
    int file = -1;
    std::size_t offset = 0;
    std::size_t period = 0;
  };
  // The same for `size` bytes of a file, which stays the caller's.
  //
  // What was closed leaves its place to what is opened later, but not to what is opened next. So
  // whoever keeps a pointer from one time to the next finds it wrong, and so does, one time later,
  // whoever keeps something else for an address.
  common::Result<std::uint64_t> open_file(const FilePiece& piece, std::size_t size);
  // Whether there is memory of which a byte stands for many.
  bool has_repeated() const { return !repeated_.empty(); }
  bool close_shared(std::uint64_t address);
  // The array for which the memory at `address` was imported, and outside of which nobody may
  // access it from now on. Without it, all of imported memory is one array that holds something.
  struct Array {
    std::size_t offset = 0;
    std::size_t size = 0;
    bool holds_input = true;
    std::string name = {};
  };
  void describe_shared(std::uint64_t address, const Array& array);

  // Ranges of device addresses that programs map memory into (cuMemAddressReserve). `size` is a
  // multiple of a page, `alignment` a power of two.
  common::Result<std::uint64_t> reserve_range(std::size_t size, std::size_t alignment);
  void release_range(std::uint64_t address, std::size_t size);
  // An allocation at the start of a reserved range, with undefined contents, and its end: the range
  // stays. Precondition: the range is larger than `size` > 0, and nothing else is in it.
  common::Status allocate_at(std::uint64_t address, std::size_t size);
  void free_at(std::uint64_t address);
  // Puts the file's bytes from `offset` on at a place in a reserved range, and takes them away
  // again. They are there for the emulator alone until a region covers them.
  common::Status map_file(std::uint64_t address, std::size_t size, int file, std::size_t offset);
  void unmap_file(std::uint64_t address, std::size_t size);
  // The parts of a reserved range that programs may access, from now on: whole mapped pieces.
  void set_accessible(std::uint64_t range, std::size_t size,
                      std::span<const std::pair<std::uint64_t, std::size_t>> pieces);
  // Memory that is not an allocation and counts as used. False where there is less left.
  bool take(std::size_t size);
  void give_back(std::size_t size) { used_ -= size; }

  // Equal in two processes where the program's allocations have equal addresses and sizes.
  std::uint64_t layout() const;

  std::uint64_t capacity() const { return capacity_; }
  std::uint64_t used() const { return used_; }

 private:
  // Device memory is mapped in pages of this size. Measured on an H100.
  static constexpr std::size_t device_page = std::size_t{2} << 20;
  // Every allocation starts on a page of the host's: it can be moved to shared memory later, and
  // the unused rest of its last page separates it from the next one.
  static constexpr std::size_t page_size = HostPages::page_size;
  static constexpr std::size_t guard_bytes = page_size;
  struct Shared;  // a region's shared-memory file
  // Where allocations of one kind lie, as offsets.
  struct Range {
    std::uint64_t begin;
    std::uint64_t next;  // the first byte never given out
    std::uint64_t end;
    std::multimap<std::size_t, std::uint64_t> free_spans{};  // by size: to use again
  };
  // Where imported memory was.
  struct Vacated {
    std::uint64_t offset;
    std::uint64_t turn;  // in which it was closed
  };
  // Where it is to be: on a page of the device's by itself, if it is small.
  struct ImportPlace {
    Range* range = nullptr;  // null: what was there is closed
    std::uint64_t offset = 0;
    std::size_t span = 0;  // of the range
  };
  static bool has_page_of_its_own(std::size_t size);
  common::Result<ImportPlace> find_import_place(std::size_t size);
  void take_import_place(const ImportPlace& place);
  Range& range_for(std::size_t size, Owner owner);
  const Range& range_at(std::uint64_t offset) const;
  Range& range_at(std::uint64_t offset);
  // Why there is no room for `size` bytes more; success where there is.
  common::Status check_room(std::size_t size) const;
  common::Status put(std::uint64_t offset, std::size_t size, Contents contents);
  void take_out(std::map<std::uint64_t, Region>::iterator region);
  // What a region of `size` bytes takes of its range.
  static std::size_t span_of(std::size_t size);
  static std::uint64_t end_of(const std::pair<const std::uint64_t, Region>& entry);
  bool has_allocation_in(std::uint64_t begin, std::uint64_t end) const;
  // Whether a GPU has something in the device page at this offset.
  bool is_mapped(std::uint64_t offset) const;
  std::byte* reach_host(std::uint64_t address, std::size_t size) const;
  // Lets the pages, by their offset, be accessed until they are allocated: false where the host has
  // none.
  bool provide_slack(std::uint64_t offset, std::size_t size) const;
  void withdraw_slack(std::uint64_t offset, std::size_t size);
  mutable HostPages pages_;
  std::uint64_t capacity_;
  std::uint64_t used_ = 0;
  std::uint64_t frees_ = 0;
  Range small_;  // of the program: small allocations, which share pages of the device,
  Range large_;  // and larger ones, which do not, reserved ranges among them
  Range kernels_;
  std::map<std::uint64_t, Region> regions_;     // by the address of what was mapped
  std::map<std::uint64_t, std::size_t> freed_;  // for describe()
  // What accesses beside allocations have reached: pages, by their offsets.
  mutable std::mutex slack_mutex_;
  mutable std::map<std::uint64_t, std::size_t> slack_;
  std::map<std::uint64_t, std::shared_ptr<Shared>> shared_;
  std::deque<Vacated> vacated_;       // by imported memory, in the order in which it was closed
  std::uint64_t import_turn_ = 0;     // a turn: some is opened, some is closed
  bool has_closed_ = false;           // in this turn
  std::set<std::uint64_t> repeated_;  // what was mapped with a period, by its address
  std::vector<std::shared_ptr<Shared>> zeros_;
};

}  // namespace tmaemu
