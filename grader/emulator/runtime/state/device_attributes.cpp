#include "emulator/runtime/state/device_attributes.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "common/round_up.h"
#include "emulator/memory/device_heap.h"
#include "emulator/model/h200.h"
#include "emulator/runtime/state/call_log.h"

namespace tmaemu::runtime {
namespace {

using common::round_up;

struct Attribute {
  int number;
  int value;
};

// In the order of CUdevice_attribute (cuda.h): what an H200 SXM answers under driver 580.159.04,
// with CUDA 13.0, but for its place on the PCI bus. An ability that the emulator lacks is announced
// all the same, and refused by name where a program uses it.
constexpr int multi_processor_count = 16;

constexpr Attribute attributes[] = {
    {1, h200::max_threads_per_cta},
    {2, 1024},  // block dimensions x, y, z
    {3, 1024},
    {4, 64},
    {5, 2147483647},  // grid dimensions x, y, z
    {6, 65535},
    {7, 65535},
    {8, static_cast<int>(h200::default_shared_bytes_per_cta)},
    {9, 65536},        // constant memory
    {10, 32},          // warp size
    {11, 2147483647},  // pitch
    {12, 65536},       // registers per block
    {13, 1980000},     // clock, kHz
    {14, 512},         // texture alignment
    {15, 1},           // copy and compute overlap
    {multi_processor_count, h200::sm_count},
    {17, 0},       // run time limit
    {18, 0},       // integrated
    {19, 1},       // can map host memory
    {20, 0},       // compute mode: default
    {21, 131072},  // textures: 1D width
    {22, 131072},  // 2D
    {23, 65536},
    {24, 16384},  // 3D
    {25, 16384},
    {26, 16384},
    {27, 32768},  // 2D layered
    {28, 32768},
    {29, 2048},
    {30, 512},  // surface alignment
    {31, 1},    // concurrent kernels
    {32, 1},    // ECC
    {33, 0},    // PCI bus, device: the emulator sits on none
    {34, 0},
    {35, 0},         // TCC driver
    {36, 3201000},   // memory clock, kHz
    {37, 6016},      // memory bus width, bits
    {38, 62914560},  // L2 cache, bytes
    {39, h200::max_threads_per_sm},
    {40, 3},      // copy engines
    {41, 1},      // unified addressing
    {42, 32768},  // 1D layered
    {43, 2048},
    {44, 1},
    {45, 32768},  // 2D gather
    {46, 32768},
    {47, 8192},  // 3D, alternative
    {48, 8192},
    {49, 32768},
    {50, 0},      // PCI domain
    {51, 32},     // texture pitch alignment
    {52, 32768},  // cube maps
    {53, 32768},
    {54, 2046},
    {55, 32768},  // surfaces: 1D
    {56, 131072},
    {57, 65536},
    {58, 16384},
    {59, 16384},
    {60, 16384},
    {61, 32768},
    {62, 2048},
    {63, 32768},
    {64, 32768},
    {65, 2048},
    {66, 32768},
    {67, 32768},
    {68, 2046},
    {69, 268435456},  // linear 1D textures
    {70, 131072},     // linear 2D textures
    {71, 65000},
    {72, 2097120},
    {73, 32768},  // mipmapped 2D textures
    {74, 32768},
    {75, 9},  // compute capability 9.0
    {76, 0},
    {77, 32768},
    {78, 1},  // stream priorities
    {79, 1},  // global loads in L1
    {80, 1},  // local loads in L1
    {81, static_cast<int>(h200::shared_bytes_per_sm)},
    {82, 65536},  // registers per SM
    {83, 1},      // managed memory
    {84, 0},      // multi-GPU board
    {85, 0},
    {86, 0},  // native atomics over the host link
    {87, 2},  // single to double precision ratio
    {88, 0},  // pageable memory access
    {89, 1},  // concurrent managed access
    {90, 1},  // compute preemption
    {91, 1},  // host pointers of registered memory
    {92, 0},  // stream memory operations, v1: gone since CUDA 13
    {93, 0},
    {94, 0},
    {95, 1},  // cooperative launch
    {96, 1},  // over several devices
    {97, static_cast<int>(h200::max_shared_bytes_per_cta)},
    {98, 0},   // flush of remote writes
    {99, 1},   // host registration
    {100, 0},  // host page tables
    {101, 0},  // direct managed access from the host
    {102, 1},  // virtual memory management
    {103, 1},  // its handle types: POSIX file descriptor
    {104, 0},
    {105, 0},
    {106, h200::max_ctas_per_sm},
    {107, 1},          // compressible memory
    {108, 39321600},   // persisting L2, bytes
    {109, 134217728},  // access policy window, bytes
    {110, 1},          // GPUDirect RDMA with virtual memory management
    {111, static_cast<int>(h200::reserved_shared_bytes_per_cta)},
    {112, 1},  // sparse arrays
    {113, 1},  // read-only host registration
    {114, 1},  // timeline semaphores
    {115, 1},  // memory pools
    {116, 1},  // GPUDirect RDMA
    {117, 1},
    {118, 100},
    {119, 9},  // handle types of memory pools: POSIX file descriptor, fabric
    {120, 1},  // cluster launch
    {121, 1},  // deferred mapping
    {122, 1},  // 64-bit stream memory operations
    {123, 1},  // stream memory operations, v2
    {124, 1},  // DMA buffers
    {125, 1},  // IPC events
    {126, 4},  // memory synchronization domains
    {127, 1},  // tensor map access
    {128, 1},  // fabric handles
    {129, 1},  // unified function pointers
    {130, 0},  // NUMA
    {131, -1},
    {132, 0},  // multicast objects
    {133, 0},  // MPS
    {134, 0},  // NUMA node of the host
    {135, 0},
    {136, 0},
    {137, 0},
    {138, 0},
    {139, 0x233510DE},  // PCI device and vendor
    {140, 0x18BF10DE},
    {141, 1},
    {142, 1},  // memory pools of a NUMA node
    {143, 0},
    {144, 1},  // memory pools of the host
    {145, 1},
    {146, 0},
    {147, 0},
};

// cudaLimit, by number.
enum Limit {
  stack,
  printf_fifo,
  malloc_heap,
  launch_count = 4,
  fetch_granularity,
  persisting_l2,
  shared
};

// As an H200 has them (driver 580.159.04). It knows no depth of synchronization (3).
std::map<int, std::size_t> default_limits() {
  return {{stack, 1024},
          {printf_fifo, 8650752},
          {malloc_heap, DeviceHeap::default_limit},
          {launch_count, 2048},
          {fetch_granularity, 64},
          {persisting_l2, 11796480},
          {shared, h200::max_shared_bytes_per_cta}};
}

std::map<int, std::size_t>& limits() {
  static auto* values = new std::map<int, std::size_t>(default_limits());
  return *values;
}

std::map<int, int>& other_attributes() {
  static auto* values = new std::map<int, int>();
  return *values;
}

// The groups of SMs of an H200 that clusters stay within. Which SMs a chip lacks differs from chip
// to chip; these sizes give what one H200 answered to every cluster size from 1 to 16.
constexpr int sm_groups[] = {16, 16, 16, 16, 16, 18, 18, 8, 2, 2, 2, 2};
// Of a kernel with clusters an SM takes no more CTAs than this.
constexpr int most_clustered_ctas = 8;

}  // namespace

void set_device_attribute(int attribute, int value) {
  other_attributes()[attribute] = value;
}

void reset_device_attributes() {
  other_attributes().clear();
}

std::optional<int> device_attribute(int attribute) {
  const auto other = other_attributes().find(attribute);
  if (other != other_attributes().end()) return other->second;
  const auto* found = std::find_if(std::begin(attributes), std::end(attributes),
                                   [=](const Attribute& one) { return one.number == attribute; });
  if (found == std::end(attributes)) return std::nullopt;
  return found->value;
}

int device_sms() {
  return device_attribute(multi_processor_count).value_or(h200::sm_count);
}

std::optional<std::size_t> device_limit(int limit) {
  const auto found = limits().find(limit);
  if (found == limits().end()) return std::nullopt;
  return found->second;
}

Error unknown_limit(int limit) {
  constexpr int last = 9;  // that CUDA 13 has a number for
  return limit >= 0 && limit <= last ? Error::unsupported_limit : Error::invalid_value;
}

Error set_device_limit(int limit, std::size_t value) {
  const auto found = limits().find(limit);
  if (found == limits().end()) return unknown_limit(limit);
  std::size_t kept = value;
  switch (limit) {
    case stack: {
      constexpr std::size_t largest = 523264;  // what is left of 512 KiB of local memory
      if (value > largest) return Error::invalid_value;
      kept = round_up(value, 16);
      break;
    }
    case printf_fifo:
      kept = std::max(value, std::size_t{512} << 10);
      break;
    case malloc_heap:
      if (DeviceHeap::instance().was_used()) return Error::invalid_value;
      kept = round_up(std::max(value, std::size_t{4} << 20), std::size_t{64} << 10);
      DeviceHeap::instance().set_limit(kept);
      CallLog::instance().heap_limit(kept);
      break;
    case fetch_granularity:
      if (value > 128) return Error::invalid_value;
      break;
    case persisting_l2: {
      constexpr std::size_t largest = 39321600;
      if (value > largest) return Error::invalid_value;
      kept = round_up(value, largest / 10);
      break;
    }
    case shared:
      return Error::not_permitted;
  }
  found->second = kept;
  return Error::success;
}

void reset_device_limits() {
  limits() = default_limits();
}

int resident_clusters(const KernelInfo& kernel, Dimensions block, Dimensions cluster,
                      std::size_t dynamic_shared_bytes) {
  const int per_sm =
      std::min(Device::instance().resident_ctas_per_sm(
                   kernel, static_cast<std::uint32_t>(block.count()), dynamic_shared_bytes),
               most_clustered_ctas);
  const auto size = static_cast<int>(cluster.count());
  int clusters = 0;
  int left = device_sms();
  // A cluster may have several CTAs on an SM, and still needs a group of as many SMs as it has
  // CTAs.
  for (const int group : sm_groups) {
    const int sms = std::min(group, left);
    left -= sms;
    clusters += sms < size ? 0 : sms * per_sm / size;
  }
  return std::max(clusters, std::min(per_sm, 1));
}

std::size_t available_dynamic_shared(const KernelInfo& kernel, int ctas, int threads) {
  const Device& device = Device::instance();
  const auto fits = [&](std::size_t bytes) {
    return device.resident_ctas_per_sm(kernel, static_cast<std::uint32_t>(threads), bytes) >= ctas;
  };
  constexpr std::size_t unit = 128;  // shared memory is allocated in these
  if (!fits(0)) return 0;
  std::size_t most = 0;
  for (std::size_t step = std::size_t{1} << 17; step >= unit; step /= 2) {
    const std::size_t wanted = most + step;
    if (wanted + kernel.static_shared_bytes <= h200::max_shared_bytes_per_cta && fits(wanted)) {
      most = wanted;
    }
  }
  return most;
}

}  // namespace tmaemu::runtime
