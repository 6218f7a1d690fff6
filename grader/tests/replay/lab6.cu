// What launchers of lab 6 try on the process that they run in, or ask of it, one way a run: the
// variable LAUNCHER says which. tests/python/test_replay.py says what becomes of each.
#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "contract/protocol/protocol.h"
#include "cuda-check.cuh"
#include "tma-interface.cuh"

using bf16 = __nv_bfloat16;

constexpr int TILE_BYTES = 4096;

// The copy that the lab asks for, by one CTA.
__global__ void copy(char* dest, const char* src, size_t bytes, bool is_careful) {
  __shared__ alignas(128) char tile[TILE_BYTES];
  __shared__ uint64_t loaded;
  cudaTriggerProgrammaticLaunchCompletion();
  if (threadIdx.x != 0) return;
  init_barrier(&loaded, 1);
  async_proxy_fence();
  const size_t whole = bytes / 16 * 16;
  uint32_t parity = 0;
  for (size_t at = 0; at < whole; at += TILE_BYTES, parity ^= 1) {
    const int part = static_cast<int>(min(whole - at, size_t{TILE_BYTES}));
    expect_bytes_and_arrive(&loaded, part);
    cp_async_bulk_global_to_shared(tile, src + at, part, &loaded);
    wait(&loaded, parity);
    // A write that nothing shows to the engine. It changes no byte, so the result is right.
    if (!is_careful) *const_cast<volatile char*>(tile) = tile[0];
    cp_async_bulk_shared_to_global(dest + at, tile, part);
    tma_store_commit_group();
    tma_store_wait_until_pending_read<0>();
  }
  for (size_t at = whole; at < bytes; ++at) dest[at] = src[at];
}

__global__ void add_one(int* number) {
  *number += 1;
}

__global__ void never_ends() {
  __shared__ volatile int turns;
  turns = 0;
  while (turns >= 0) turns = (turns + 1) % 1000;  // LOOP
}

__global__ void waits_for_nobody() {
  __shared__ uint64_t never;
  init_barrier(&never, 1);
  wait(&never, 0);
}

__global__ void store_through(char** pointer) {
  **pointer = 1;
}

// Reads what a kernel before it has written, and changes nothing.
__global__ void rewrite_first(volatile char* dest, bool waits) {
  if (waits) cudaGridDependencySynchronize();
  *dest = *dest;
}

static void rewrite_early(void* dest, bool waits) {
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = config.blockDim = 1;
  config.attrs = &early;
  config.numAttrs = 1;
  cuda_check(cudaLaunchKernelEx(&config, rewrite_first, static_cast<volatile char*>(dest), waits));
}

static void copy_right(void* dest, const void* src, size_t bytes) {
  copy<<<1, 32>>>(static_cast<char*>(dest), static_cast<const char*>(src), bytes, true);
  cuda_check(cudaGetLastError());
}

// Where this process has the bytes of a judge's buffer: the emulator's own mapping of it. `which`
// counts the buffers in the order of their addresses.
static char* bytes_of_buffer(int which) {
  FILE* maps = fopen("/proc/self/maps", "r");
  char line[1024];
  while (fgets(line, sizeof line, maps) != nullptr) {
    if (strstr(line, "tmaemu-") != nullptr && which-- == 0) break;
  }
  fclose(maps);
  constexpr size_t red_zone = 32 * 1024;
  return reinterpret_cast<char*>(strtoull(line, nullptr, 16)) + red_zone;
}

// The buffers of a case follow each other: dest, then src.
static void copy_on_the_cpu(const void* dest, const void* src, size_t bytes) {
  constexpr uintptr_t page = 4096;
  memcpy(bytes_of_buffer(0) + reinterpret_cast<uintptr_t>(dest) % page,
         bytes_of_buffer(1) + reinterpret_cast<uintptr_t>(src) % page, bytes);
}

// Replies in the runner's place, with as many bytes through the TMA engine as anybody asks for.
static void forge_reply() {
  auto* page =
      static_cast<protocol::Page*>(mmap(nullptr, protocol::page_bytes, PROT_READ | PROT_WRITE,
                                        MAP_SHARED, protocol::page_descriptor, 0));
  page->reply = {};
  page->reply.is_measured = 1;
  page->reply.measured.fill(1 << 30);
  const auto request = page->request_sequence.load();
  page->reply_sequence = request;
  const char knock = 1;
  send(protocol::doorbell_descriptor, &knock, 1, 0);
  while (page->request_sequence == request) usleep(1000);  // until the judge has read it
}

// Writes another function over the emulator's that tells how many bytes went through the engine.
static void patch_counter() {
  void* count = dlsym(RTLD_DEFAULT, "tmaemu_measured");
  char* page = reinterpret_cast<char*>(reinterpret_cast<uintptr_t>(count) & ~uintptr_t{4095});
  mprotect(page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC);
  static uint64_t calls = 0;
  static auto more = +[](tmaemu::Measured* result) { result->fill((calls++) << 30); };
  unsigned char jump[12] = {0x48, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xE0};  // mov rax, more; jmp
  memcpy(jump + 2, &more, sizeof more);
  memcpy(count, jump, sizeof jump);
}

// A launcher that reads the device only in its third call, and adds up what earlier calls left.
static void read_late(void* dest, const void* src, size_t bytes) {
  static int calls = 0;
  static int* number = nullptr;
  if (number == nullptr) {
    cuda_check(cudaMalloc(&number, sizeof *number));
    cuda_check(cudaMemset(number, 0, sizeof *number));
  }
  add_one<<<1, 1>>>(number);
  int launches = ++calls;
  if (calls > 2) cuda_check(cudaMemcpy(&launches, number, sizeof launches, cudaMemcpyDeviceToHost));
  if (launches == calls) copy_right(dest, src, bytes);
}

__global__ void copy_from_elsewhere(char* dest, const char* src, size_t bytes);

__global__ void copy_plainly(char* dest, const char* src, size_t bytes) {
  for (size_t i = threadIdx.x; i < bytes; i += blockDim.x) dest[i] = src[i];
}

// Arrays of the timed calls are larger than those of the tests.
constexpr size_t TIMED = size_t{1} << 30;

// Findings as the emulator sends them, to every file that the process has.
static void forge_findings() {
  const std::string line =
      R"({"code":"trap","message":"the kernel executed a trap instruction",)"
      R"("place":{"file":"lab6.cu","line":1,"column":1},)"
      R"("excerpt":{"line":1,"column":1,"text":""},"block":[0,0,0],"thread":[0,0,0]})"
      "\n";
  write(STDOUT_FILENO, line.data(), line.size());
  write(STDERR_FILENO, line.data(), line.size());
  // What comes before are files that it would only do harm to itself with.
  for (int file = protocol::recording_descriptor + 1; file < 64; ++file) {
    write(file, line.data(), line.size());
  }
}

static void copy_in_ways(const std::string& way, void* dest, const void* src, size_t bytes) {
  if (way == "right") {
    copy_right(dest, src, bytes);
  } else if (way == "on the CPU") {
    copy_on_the_cpu(dest, src, bytes);
  } else if (way == "on the CPU, forges its reply") {
    copy_on_the_cpu(dest, src, bytes);
    forge_reply();
  } else if (way == "on the CPU, patches the counter") {
    patch_counter();
    copy_on_the_cpu(dest, src, bytes);
  } else if (way == "closes stderr over a hazard") {
    close(STDERR_FILENO);
    copy<<<1, 32>>>(static_cast<char*>(dest), static_cast<const char*>(src), bytes, false);
  } else if (way == "names a file of the machine as its source") {
    copy_from_elsewhere<<<1, 32>>>(static_cast<char*>(dest), static_cast<const char*>(src), bytes);
  } else if (way == "forges findings") {
    copy_right(dest, src, bytes);
    forge_findings();
  } else if (way == "damages the recording") {
    const char noise[64] = "this is not an event that anybody recorded, is it";
    for (int at = 0; at < 8192; at += 64) pwrite(protocol::recording_descriptor, noise, 64, at);
    copy_right(dest, src, bytes);
  } else if (way == "managed memory") {
    void* managed = nullptr;
    cuda_check(cudaMallocManaged(&managed, bytes));
    copy_right(dest, src, bytes);
  } else if (way == "pinned memory in a kernel") {
    char** pinned = nullptr;
    cuda_check(cudaMallocHost(&pinned, sizeof *pinned));
    *pinned = static_cast<char*>(dest);
    store_through<<<1, 1>>>(pinned);
    copy_right(dest, src, bytes);
  } else if (way == "through the host") {
    std::vector<char> host(bytes);
    cuda_check(cudaMemcpy(host.data(), src, bytes, cudaMemcpyDeviceToHost));
    copy_right(dest, src, bytes);
    cuda_check(cudaMemcpy(dest, host.data(), bytes, cudaMemcpyHostToDevice));
  } else if (way == "through a scratch buffer and a graph") {
    static cudaStream_t stream;
    if (stream == nullptr) cuda_check(cudaStreamCreate(&stream));
    char* scratch = nullptr;
    cuda_check(cudaMallocAsync(&scratch, bytes, stream));
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cuda_check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    copy<<<1, 32, 0, stream>>>(scratch, static_cast<const char*>(src), bytes, true);
    copy<<<1, 32, 0, stream>>>(static_cast<char*>(dest), scratch, bytes, true);
    cuda_check(cudaStreamEndCapture(stream, &graph));
    cuda_check(cudaGraphInstantiate(&executable, graph, 0));
    cuda_check(cudaGraphLaunch(executable, stream));
    cuda_check(cudaFreeAsync(scratch, stream));
    cuda_check(cudaGraphExecDestroy(executable));
    cuda_check(cudaGraphDestroy(graph));
  } else if (way == "a kernel that starts early, and waits" ||
             way == "a kernel that starts early") {
    copy_right(dest, src, bytes);
    if (bytes > 0) rewrite_early(dest, way != "a kernel that starts early");
  } else if (way == "a loop without end in a kernel") {
    never_ends<<<1, 1>>>();
    cuda_check(cudaGetLastError());
  } else if (way == "a deadlock where there is nothing to copy" && bytes > 0) {
    copy_right(dest, src, bytes);
  } else if (way == "a deadlock" || way == "a deadlock where there is nothing to copy") {
    waits_for_nobody<<<1, 1>>>();
    cuda_check(cudaGetLastError());
  } else if (way == "a loop without end on the host") {
    for (volatile bool goes_on = true; goes_on;) continue;
  } else if (way == "reads late") {
    read_late(dest, src, bytes);
  } else if (way == "right once for each size") {
    static std::set<size_t> known;
    if (known.insert(bytes).second) copy_right(dest, src, bytes);
  } else if (way == "wrong for a size that comes back") {
    static std::set<size_t> known;
    static size_t last = 0;
    const bool comes_back = !known.insert(bytes).second && last != bytes;
    last = bytes;
    if (!comes_back) copy_right(dest, src, bytes);
  } else if (way == "prepares something in its first call") {
    static bool is_prepared = false;
    void* prepared = nullptr;
    cuda_check(cudaMalloc(&prepared, 4096));
    if (!std::exchange(is_prepared, true)) cuda_check(cudaMemset(prepared, 0, 4096));
    copy_right(dest, src, bytes);
    cuda_check(cudaFree(prepared));
  } else if (way == "reads the device when timed") {
    char byte = 0;
    if (bytes > TIMED) cuda_check(cudaMemcpy(&byte, src, 1, cudaMemcpyDeviceToHost));
    copy_right(dest, src, bytes);
  } else if (way == "another kernel when timed") {
    if (bytes <= TIMED) return copy_right(dest, src, bytes);
    copy_plainly<<<1, 32>>>(static_cast<char*>(dest), static_cast<const char*>(src), bytes);
  } else if (way == "both kernels, and one of them when timed") {
    copy_plainly<<<1, 32>>>(static_cast<char*>(dest), static_cast<const char*>(src), bytes);
    if (bytes <= TIMED) copy_right(dest, src, bytes);
  } else if (way == "a larger block when timed") {
    copy<<<1, bytes <= TIMED ? 32 : 64>>>(static_cast<char*>(dest), static_cast<const char*>(src),
                                          bytes, true);
  } else if (way == "by cudaMemcpy when timed") {
    if (bytes <= TIMED) return copy_right(dest, src, bytes);
    cuda_check(cudaMemcpyAsync(dest, src, bytes, cudaMemcpyDeviceToDevice));
  } else if (way == "managed memory when timed") {
    void* managed = nullptr;
    if (bytes > TIMED) cuda_check(cudaMallocManaged(&managed, 4096));
    copy_right(dest, src, bytes);
  } else if (way == "illegal address") {
    copy_right(nullptr, src, bytes);
    cuda_check(cudaDeviceSynchronize());
  }
}

void launch_tma_copy(bf16* dest, bf16* src, int N) {
  copy_in_ways(getenv("LAUNCHER"), dest, src, N * sizeof(bf16));
}

void launch_tma_memcpy(void* dest, const void* src, size_t bytes) {
  copy_in_ways(getenv("LAUNCHER"), dest, src, bytes);
}

// As copy() that is not careful, in a file that no findings may quote. It is the last in this one:
// `#line` holds for all that follows.
__global__ void copy_from_elsewhere(char* dest, const char* src, size_t bytes) {
  __shared__ alignas(128) char tile[TILE_BYTES];
  const size_t whole = bytes / 16 * 16;
  if (threadIdx.x != 0) return;
  for (size_t at = 0; at < whole; at += TILE_BYTES) {
    const int part = static_cast<int>(min(whole - at, size_t{TILE_BYTES}));
    for (int i = 0; i < part; ++i) tile[i] = src[at + i];
#line 1 "/etc/ld.so.conf"
    cp_async_bulk_shared_to_global(dest + at, tile, part);
    tma_store_commit_group();
    tma_store_wait_until_pending<0>();
  }
  for (size_t at = whole; at < bytes; ++at) dest[at] = src[at];
}
