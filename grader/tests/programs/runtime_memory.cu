// Allocation, copies in every direction, fills, and what pointers are said to be.
#include <cstring>
#include <numeric>
#include <vector>

#include "runtime_test.h"

static void copies_go_in_every_direction() {
  std::vector<int> in(1000);
  std::iota(in.begin(), in.end(), 1);
  std::vector<int> out(1000);
  const size_t bytes = in.size() * sizeof(int);
  int* first = nullptr;
  int* second = nullptr;
  CHECK_OK(cudaMalloc(&first, bytes));
  CHECK_OK(cudaMalloc(&second, bytes));
  CHECK_OK(cudaMemcpy(first, in.data(), bytes, cudaMemcpyHostToDevice));
  CHECK_OK(cudaMemcpy(second, first, bytes, cudaMemcpyDeviceToDevice));
  CHECK_OK(cudaMemcpyAsync(out.data(), second, bytes, cudaMemcpyDefault, nullptr));
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(in == out);
  CHECK_OK(cudaFree(first));
  CHECK_OK(cudaFree(second));
}

static void pitched_copies_keep_rows_apart() {
  constexpr size_t width = 100, height = 7;
  char* device = nullptr;
  size_t pitch = 0;
  CHECK_OK(cudaMallocPitch(&device, &pitch, width, height));
  CHECK(pitch == 512);
  std::vector<char> in(width * height), out(width * height);
  std::iota(in.begin(), in.end(), static_cast<char>(0));
  CHECK_OK(cudaMemset2D(device, pitch, 0, width, height));
  CHECK_OK(cudaMemcpy2D(device, pitch, in.data(), width, width, height, cudaMemcpyHostToDevice));
  CHECK_OK(cudaMemcpy2D(out.data(), width, device, pitch, width, height, cudaMemcpyDeviceToHost));
  CHECK(in == out);
  CHECK_ERROR(cudaErrorInvalidPitchValue, cudaMemcpy2D(device, width - 1, in.data(), width, width,
                                                       height, cudaMemcpyHostToDevice));
  CHECK_OK(cudaFree(device));
}

static void volumes_are_copied_at_positions() {
  constexpr size_t width = 16, height = 4, depth = 3;
  const cudaExtent extent = make_cudaExtent(width, height, depth);
  cudaPitchedPtr device{};
  CHECK_OK(cudaMalloc3D(&device, extent));
  CHECK_OK(cudaMemset3D(device, 7, extent));
  std::vector<char> out(width * height * depth, 0);
  cudaMemcpy3DParms parameters{};
  parameters.srcPtr = device;
  parameters.srcPos = make_cudaPos(8, 1, 1);
  parameters.dstPtr = make_cudaPitchedPtr(out.data(), width, width, height);
  parameters.extent = make_cudaExtent(8, 2, 2);
  parameters.kind = cudaMemcpyDeviceToHost;
  CHECK_OK(cudaMemcpy3D(&parameters));
  CHECK(out[0] == 7 && out[7] == 7 && out[8] == 0 && out[width] == 7 && out[2 * width] == 0);
  CHECK(out[width * height] == 7 && out[2 * width * height] == 0);
  CHECK_OK(cudaFree(device.ptr));
}

static void fills_write_bytes() {
  unsigned char* device = nullptr;
  unsigned char out[8];
  CHECK_OK(cudaMalloc(&device, 8));
  CHECK_OK(cudaMemset(device, 0x1FF, 8));
  CHECK_OK(cudaMemsetAsync(device, 3, 4, nullptr));
  CHECK_OK(cudaMemcpy(out, device, 8, cudaMemcpyDeviceToHost));
  CHECK(out[0] == 3 && out[3] == 3 && out[4] == 0xFF);
  CHECK_OK(cudaFree(device));
}

static void empty_requests_are_no_errors() {
  void* pointer = &pointer;
  CHECK_OK(cudaMalloc(&pointer, 0));
  CHECK(pointer == nullptr);
  CHECK_OK(cudaFree(nullptr));
  CHECK_OK(cudaFreeHost(nullptr));
  CHECK_OK(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyDefault));
}

static void wrong_pointers_are_refused() {
  char* device = nullptr;
  char host[16] = {};
  CHECK_OK(cudaMalloc(&device, 16));
  CHECK_ERROR(cudaErrorInvalidValue, cudaFree(device + 4));
  CHECK_ERROR(cudaErrorInvalidValue, cudaFree(host));
  CHECK_ERROR(cudaErrorInvalidValue, cudaMemset(host, 0, 16));
  CHECK_ERROR(cudaErrorInvalidValue, cudaMemcpy(host, host, 16, cudaMemcpyDeviceToDevice));
  CHECK_ERROR(cudaErrorInvalidMemcpyDirection,
              cudaMemcpy(host, device, 16, static_cast<cudaMemcpyKind>(9)));
  CHECK_OK(cudaFree(device));
  CHECK_ERROR(cudaErrorInvalidValue, cudaFree(device));
  CHECK_ERROR(cudaErrorMemoryAllocation, cudaMalloc(&device, size_t{1} << 50));
}

static void pointers_say_what_they_are() {
  void* device = nullptr;
  void* pinned = nullptr;
  int* managed = nullptr;
  int stack = 0;
  cudaPointerAttributes attributes{};
  CHECK_OK(cudaMalloc(&device, 64));
  CHECK_OK(cudaPointerGetAttributes(&attributes, device));
  CHECK(attributes.type == cudaMemoryTypeDevice && attributes.devicePointer == device);
  CHECK(attributes.device == 0 && attributes.hostPointer == nullptr);
  CHECK_OK(cudaMallocHost(&pinned, 64));
  CHECK_OK(cudaPointerGetAttributes(&attributes, pinned));
  CHECK(attributes.type == cudaMemoryTypeHost && attributes.hostPointer == pinned);
  CHECK_OK(cudaMallocManaged(&managed, 64));
  *managed = 5;
  CHECK_OK(cudaPointerGetAttributes(&attributes, managed));
  CHECK(attributes.type == cudaMemoryTypeManaged);
  CHECK_OK(cudaPointerGetAttributes(&attributes, &stack));
  CHECK(attributes.type == cudaMemoryTypeUnregistered && attributes.devicePointer == nullptr);
  CHECK_OK(cudaFree(device));
  CHECK_OK(cudaFreeHost(pinned));
  CHECK_OK(cudaFree(managed));
}

static void host_memory_is_registered_once() {
  std::vector<char> memory(4096);
  void* device = nullptr;
  CHECK_OK(cudaHostRegister(memory.data(), memory.size(), cudaHostRegisterDefault));
  CHECK_OK(cudaHostGetDevicePointer(&device, memory.data(), 0));
  CHECK(device == memory.data());
  CHECK_ERROR(cudaErrorHostMemoryAlreadyRegistered,
              cudaHostRegister(memory.data(), memory.size(), cudaHostRegisterDefault));
  CHECK_OK(cudaHostUnregister(memory.data()));
  CHECK_ERROR(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(memory.data()));
}

static void used_memory_is_counted() {
  size_t before = 0, during = 0, total = 0;
  void* pointer = nullptr;
  CHECK_OK(cudaMemGetInfo(&before, &total));
  CHECK_OK(cudaMalloc(&pointer, size_t{256} << 20));
  CHECK_OK(cudaMemGetInfo(&during, &total));
  CHECK(before - during >= size_t{256} << 20 && before <= total);
  CHECK_OK(cudaFree(pointer));
}

static void stream_ordered_allocation_gives_memory() {
  int* pointer = nullptr;
  int value = 42, back = 0;
  CHECK_OK(cudaMallocAsync(&pointer, sizeof(int), nullptr));
  CHECK_OK(cudaMemcpyAsync(pointer, &value, sizeof value, cudaMemcpyHostToDevice, nullptr));
  CHECK_OK(cudaMemcpyAsync(&back, pointer, sizeof back, cudaMemcpyDeviceToHost, nullptr));
  CHECK_OK(cudaFreeAsync(pointer, nullptr));
  CHECK_OK(cudaStreamSynchronize(nullptr));
  CHECK(back == 42);
}

int main() {
  copies_go_in_every_direction();
  pitched_copies_keep_rows_apart();
  volumes_are_copied_at_positions();
  fills_write_bytes();
  empty_requests_are_no_errors();
  wrong_pointers_are_refused();
  pointers_say_what_they_are();
  host_memory_is_registered_once();
  used_memory_is_counted();
  stream_ordered_allocation_gives_memory();
  return runtime_test::result();
}
