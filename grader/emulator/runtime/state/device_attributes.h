// What an H200 says of itself: cudaDeviceGetAttribute, cuDeviceGetAttribute, device properties.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "emulator/device/device.h"
#include "emulator/runtime/state/error.h"

namespace tmaemu::runtime {

inline constexpr const char* device_name = "NVIDIA H200 (emulated)";
inline constexpr const char* pci_bus_id = "0000:00:00.0";
inline constexpr int driver_version = 13000;
inline constexpr std::array<unsigned char, 16> device_uuid = {
    't', 'm', 'a', 'e', 'm', 'u', '-', 'h', '2', '0', '0', '-', '0', '0', '0', '0'};

// `attribute` has the numbers of cudaDeviceAttr and CUdevice_attribute, which agree. Nothing where
// there is no such attribute.
std::optional<int> device_attribute(int attribute);
// From now on the answer is another, until all are reset.
void set_device_attribute(int attribute, int value);
void reset_device_attributes();

// How many SMs the device says it has. So few as another answer says are those of its first groups,
// and one cluster of any size still fits: a kernel runs as it does on the whole device.
int device_sms();

// cudaDeviceGetLimit and cudaDeviceSetLimit; `limit` has the numbers of cudaLimit.
std::optional<std::size_t> device_limit(int limit);
// The value that is kept may be larger, as on an H200. The heap's limit has an effect. The stack's
// has none, since only the machine code says how much of it a call takes: a thread may always use
// all that a thread may have. Nor has that of printf's buffer: nothing is ever overwritten.
Error set_device_limit(int limit, std::size_t value);
// What is answered to a limit that device_limit does not know.
Error unknown_limit(int limit);
void reset_device_limits();

// How many clusters of this size the device holds together.
int resident_clusters(const KernelInfo& kernel, Dimensions block, Dimensions cluster,
                      std::size_t dynamic_shared_bytes);

// The most dynamic shared memory a CTA may use so that `ctas` of them fit on an SM.
std::size_t available_dynamic_shared(const KernelInfo& kernel, int ctas, int threads);

}  // namespace tmaemu::runtime
