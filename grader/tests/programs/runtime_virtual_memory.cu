// Virtual memory management: memory, addresses and mappings apart. CUDA Driver API, "Virtual Memory
// Management".
#include <cuda.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "runtime_test.h"

#define CHECK_CU(expected, call) CHECK((call) == (expected))

namespace {

constexpr size_t page = size_t{2} << 20;

__global__ void count_up(int* numbers, int count) {
  for (int i = threadIdx.x; i < count; i += blockDim.x) numbers[i] = i;
}

CUmemAllocationProp on_device() {
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  return properties;
}

CUresult allow(CUdeviceptr address, size_t size) {
  CUmemAccessDesc access{};
  access.location = on_device().location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  return cuMemSetAccess(address, size, &access, 1);
}

CUmemGenericAllocationHandle create(size_t size) {
  const CUmemAllocationProp properties = on_device();
  CUmemGenericAllocationHandle handle = 0;
  CHECK_CU(CUDA_SUCCESS, cuMemCreate(&handle, size, &properties, 0));
  return handle;
}

CUdeviceptr reserve(size_t size, size_t alignment = 0) {
  CUdeviceptr address = 0;
  CHECK_CU(CUDA_SUCCESS, cuMemAddressReserve(&address, size, alignment, 0, 0));
  return address;
}

void granularity_is_two_mebibytes() {
  const CUmemAllocationProp properties = on_device();
  size_t granularity = 0;
  CHECK_CU(CUDA_SUCCESS, cuMemGetAllocationGranularity(&granularity, &properties,
                                                       CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  CHECK(granularity == page);
}

// Two pieces of memory side by side look like one to kernels and copies.
void a_range_grows() {
  const CUdeviceptr range = reserve(4 * page);
  CHECK(range % page == 0);
  const CUmemGenericAllocationHandle first = create(page), second = create(page);
  CHECK_CU(CUDA_SUCCESS, cuMemMap(range, page, 0, first, 0));
  CHECK_CU(CUDA_SUCCESS, allow(range, page));
  CHECK_CU(CUDA_SUCCESS, cuMemMap(range + page, page, 0, second, 0));
  CHECK_CU(CUDA_SUCCESS, allow(range + page, page));
  CHECK_CU(CUDA_SUCCESS, cuMemRelease(first));  // the mapping keeps the memory
  CHECK_CU(CUDA_SUCCESS, cuMemRelease(second));
  constexpr int count = 2 * page / sizeof(int);
  count_up<<<1, 256>>>(reinterpret_cast<int*>(range), count);
  int middle[2] = {};
  CHECK_CU(CUDA_SUCCESS, cuMemcpyDtoH(middle, range + page - sizeof(int), sizeof middle));
  CHECK(middle[0] == count / 2 - 1 && middle[1] == count / 2);
  CHECK_CU(CUDA_SUCCESS, cuMemUnmap(range, 2 * page));
  CHECK_CU(CUDA_SUCCESS, cuMemAddressFree(range, 4 * page));
}

void one_memory_has_two_addresses() {
  const CUmemGenericAllocationHandle memory = create(page);
  const CUdeviceptr one = reserve(page), other = reserve(page, 64 << 20);
  CHECK(other % (64 << 20) == 0);
  CHECK_CU(CUDA_SUCCESS, cuMemMap(one, page, 0, memory, 0));
  CHECK_CU(CUDA_SUCCESS, cuMemMap(other, page, 0, memory, 0));
  CHECK_CU(CUDA_SUCCESS, allow(one, page));
  CHECK_CU(CUDA_SUCCESS, allow(other, page));
  int value = 41;
  CHECK_CU(CUDA_SUCCESS, cuMemcpyHtoD(one, &value, sizeof value));
  value = 0;
  CHECK_CU(CUDA_SUCCESS, cuMemcpyDtoH(&value, other, sizeof value));
  CHECK(value == 41);
  CUmemGenericAllocationHandle found = 0;
  CHECK_CU(CUDA_SUCCESS, cuMemRetainAllocationHandle(&found, reinterpret_cast<void*>(one + 5)));
  CHECK_CU(CUDA_SUCCESS, cuMemRelease(found));
  CHECK_CU(CUDA_SUCCESS, cuMemUnmap(one, page));
  CHECK_CU(CUDA_SUCCESS, cuMemUnmap(other, page));
  CHECK_CU(CUDA_SUCCESS, cuMemRelease(memory));
  CHECK_CU(CUDA_SUCCESS, cuMemAddressFree(one, page));
  CHECK_CU(CUDA_SUCCESS, cuMemAddressFree(other, page));
}

void sizes_are_multiples_of_the_granularity() {
  const CUmemAllocationProp properties = on_device();
  CUmemGenericAllocationHandle handle = 0;
  CHECK_CU(CUDA_ERROR_INVALID_VALUE, cuMemCreate(&handle, page + 1, &properties, 0));
  CUdeviceptr address = 0;
  CHECK_CU(CUDA_ERROR_INVALID_VALUE, cuMemAddressReserve(&address, page + 1, 0, 0, 0));
}

// The parent allocates and sends the memory through a socket; the child writes it.
void memory_goes_to_another_process() {
  int channel[2];
  CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, channel) == 0);
  const pid_t child = fork();
  char byte = 0;
  iovec data{&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cuInit(0);
  cudaFree(nullptr);
  const CUdeviceptr address = reserve(page);
  int number = 7;
  if (child == 0) {
    CHECK(recvmsg(channel[1], &message, 0) == 1);
    int file = -1;
    std::memcpy(&file, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof file);
    CUmemGenericAllocationHandle memory = 0;
    CHECK_CU(CUDA_SUCCESS, cuMemImportFromShareableHandle(
                               &memory, reinterpret_cast<void*>(static_cast<intptr_t>(file)),
                               CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    CHECK_CU(CUDA_SUCCESS, cuMemMap(address, page, 0, memory, 0));
    CHECK_CU(CUDA_SUCCESS, allow(address, page));
    CHECK_CU(CUDA_SUCCESS, cuMemcpyHtoD(address, &number, sizeof number));
    cudaDeviceSynchronize();
    _exit(runtime_test::failures);
  }
  const CUmemGenericAllocationHandle memory = create(page);
  CHECK_CU(CUDA_SUCCESS, cuMemMap(address, page, 0, memory, 0));
  CHECK_CU(CUDA_SUCCESS, allow(address, page));
  int file = -1;
  CHECK_CU(CUDA_SUCCESS, cuMemExportToShareableHandle(&file, memory,
                                                      CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof file);
  std::memcpy(CMSG_DATA(header), &file, sizeof file);
  CHECK(sendmsg(channel[0], &message, 0) == 1);
  int status = 1;
  waitpid(child, &status, 0);
  CHECK(status == 0);
  number = 0;
  CHECK_CU(CUDA_SUCCESS, cuMemcpyDtoH(&number, address, sizeof number));
  CHECK(number == 7);
}

}  // namespace

int main() {
  memory_goes_to_another_process();  // first: it forks before CUDA starts
  granularity_is_two_mebibytes();
  a_range_grows();
  one_memory_has_two_addresses();
  sizes_are_multiples_of_the_granularity();
  // Last, since it ends the context: memory that nobody was given access to.
  const CUdeviceptr range = reserve(page);
  CHECK_CU(CUDA_SUCCESS, cuMemMap(range, page, 0, create(page), 0));
  count_up<<<1, 32>>>(reinterpret_cast<int*>(range), 1);
  CHECK_ERROR(cudaErrorIllegalAddress, cudaDeviceSynchronize());
  return runtime_test::result();
}
